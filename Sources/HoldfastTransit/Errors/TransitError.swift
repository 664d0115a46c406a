import Holdfast

/// An error for a timetable or a feed message that could not be read.
public struct TransitError: Error, Sendable {
  /// The kinds of errors; later versions may add codes.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    private enum Kind: String {
      case unreadable, malformedMessage, unsupportedMessage
      case notFound, notADatabase, notATimetable, schemaOlder, schemaNewer
      case outOfRange, damaged, tooLarge, unknownTimeZone
    }

    private let kind: Kind

    /// The file does not exist.
    public static let notFound = Code(kind: .notFound)
    /// The file exists, but cannot be read.
    public static let unreadable = Code(kind: .unreadable)
    /// The bytes are not a GTFS-Realtime feed message.
    public static let malformedMessage = Code(kind: .malformedMessage)
    /// The feed message has only changes since another one, or is too large.
    public static let unsupportedMessage = Code(kind: .unsupportedMessage)
    /// The file is not an SQLite database.
    public static let notADatabase = Code(kind: .notADatabase)
    /// The file is a database, but not a timetable database.
    public static let notATimetable = Code(kind: .notATimetable)
    /// The file was made by an older version of this library, and lacks what is asked for.
    public static let schemaOlder = Code(kind: .schemaOlder)
    /// The file was made by a newer version of this library.
    public static let schemaNewer = Code(kind: .schemaNewer)
    /// A coordinate, a distance or an instant is out of its range, infinite or not a number.
    public static let outOfRange = Code(kind: .outOfRange)
    /// The rows of trips and times are not what an import writes.
    public static let damaged = Code(kind: .damaged)
    /// The trips at the stops of a question, or those that live data modify, need more memory than is used for one.
    public static let tooLarge = Code(kind: .tooLarge)
    /// The system does not know the time zone of an agency.
    public static let unknownTimeZone = Code(kind: .unknownTimeZone)

    /// The code's name.
    public var description: String { kind.rawValue }
  }

  /// The kind of the error.
  public var code: Code

  /// A sentence that describes the failure and names the file.
  public var message: String

  /// A sentence that says what to do next.
  public var advice: String?

  /// The path of the file.
  public var path: String?

  /// The cause, if another layer reported one.
  public var underlying: (any Error)?

  /// The number of bytes before the first that is not as it should be, in a malformed feed message.
  public var offset: Int?

  /// A description of the damage, without the name of the file and a full stop.
  var damage: String?
}

extension DatabaseError {
  /// Returns the error with which a statement fails because of an error of a virtual table.
  ///
  /// SQLite passes on a code and a text, so damage must be one of its codes.
  static func ofStatement(_ error: any Error) -> any Error {
    guard let damage = (error as? TransitError)?.damage else { return error }
    return DatabaseError(resultCode: .SQLITE_CORRUPT_VTAB, message: damage)
  }
}

extension TransitError: CustomStringConvertible {
  /// The message and the advice.
  public var description: String {
    [message, advice].compactMap(\.self).joined(separator: " ")
  }
}
