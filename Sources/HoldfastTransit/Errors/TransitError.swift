/// An error for a timetable that could not be read.
public struct TransitError: Error, Sendable {
  /// The kinds of errors; later versions may add codes.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    private enum Kind: String {
      case notFound, notADatabase, notATimetable, schemaOlder, schemaNewer
      case damaged, unknownTimeZone
    }

    private let kind: Kind

    /// The file does not exist.
    public static let notFound = Code(kind: .notFound)
    /// The file is not an SQLite database.
    public static let notADatabase = Code(kind: .notADatabase)
    /// The file is a database, but not a timetable database.
    public static let notATimetable = Code(kind: .notATimetable)
    /// The file was made by an older version of this library, and lacks what is asked for.
    public static let schemaOlder = Code(kind: .schemaOlder)
    /// The file was made by a newer version of this library.
    public static let schemaNewer = Code(kind: .schemaNewer)

    /// The rows of trips and times are not what an import writes.
    public static let damaged = Code(kind: .damaged)
    /// The system does not know the time zone of an agency.
    public static let unknownTimeZone = Code(kind: .unknownTimeZone)

    /// The code's name.
    public var description: String { kind.rawValue }
  }

  /// The kind of the error.
  public var code: Code

  /// What happened, to which file, in one sentence.
  public var message: String

  /// What to do next, in one sentence.
  public var advice: String?

  /// The path of the file.
  public var path: String?

  /// The cause, if another layer reported one.
  public var underlying: (any Error)?
}

extension TransitError: CustomStringConvertible {
  /// The message and the advice.
  public var description: String {
    [message, advice].compactMap(\.self).joined(separator: " ")
  }
}
