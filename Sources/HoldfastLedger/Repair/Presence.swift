/// A value that indicates whether a file is there.
public enum Presence: String, Hashable, Sendable, CustomStringConvertible {
  /// The file is there.
  case present

  /// The file is proven to be absent: the folder that would contain it can be read, or is itself
  /// proven to be absent.
  case absent

  /// The question cannot be answered now, for example because a folder cannot be read or the
  /// device is locked.
  case unknown

  /// The name of the answer.
  public var description: String { rawValue }
}
