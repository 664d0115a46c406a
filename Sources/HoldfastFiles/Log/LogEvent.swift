/// An event that Holdfast reports while it works.
///
/// The message is for people and may change. It names files by their last path component and contains
/// no value of a database.
public struct LogEvent: Hashable, Sendable {
  /// How important an event is.
  public enum Level: Int, Comparable, Sendable {
    /// What happens often, and matters when a bug is searched.
    case debug
    /// What happens now and then, as expected.
    case info
    /// What a developer should know of.
    case notice
    /// What went wrong.
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

  /// A sentence, or the subject and what happened to it.
  public let message: String
}
