/// An error of a tileset or of a map style.
public struct MapError: Error, Sendable {
  /// The kinds of errors; later versions may add codes.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    private enum Kind: String {
      case invalidTileset
    }

    private let kind: Kind

    /// A file is not a tileset.
    public static let invalidTileset = Code(kind: .invalidTileset)

    /// The code's name.
    public var description: String { kind.rawValue }
  }

  /// The kind of the error.
  public var code: Code

  /// What happened, to what and why, in one sentence.
  public var message: String

  /// What to do next, in one imperative sentence.
  public var advice: String? = nil

  /// The file or folder that the error is about.
  public var path: String? = nil

  /// The cause, if another layer reported one.
  public var underlying: (any Error)? = nil
}

extension MapError: CustomStringConvertible {
  /// The message and the advice.
  public var description: String {
    [message, advice].compactMap(\.self).joined(separator: " ")
  }
}
