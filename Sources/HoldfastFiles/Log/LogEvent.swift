/// An event that Holdfast reports while it works.
///
/// The message is meant for people and may change. It names files by their last path component and
/// contains no values from a database.
public struct LogEvent: Hashable, Sendable {
  /// The importance of an event.
  public enum Level: Int, Comparable, Sendable {
    /// A frequent event, of use only for debugging.
    case debug
    /// An occasional, expected event.
    case info
    /// An event that developers should know about.
    case notice
    /// A failure.
    case error

    /// Whether the first level is less important than the second.
    public static func < (lhs: Level, rhs: Level) -> Bool { lhs.rawValue < rhs.rawValue }
  }

  /// The subsystem of every event, in the words of Apple's unified logging system.
  public static let subsystem = "holdfast"

  /// The part of Holdfast that reports the event, such as `opening` or `suspension`.
  public let category: String

  /// The importance of the event.
  public let level: Level

  /// A sentence, or a subject and what happened to it.
  public let message: String
}
