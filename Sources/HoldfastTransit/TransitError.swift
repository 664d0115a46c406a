/// Why a timetable could not be read.
public struct TransitError: Error, Sendable {
  /// What kind of reason it is; more may come.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    private enum Kind: String {
      case notFound, notADatabase, notATimetable, schemaOlder, schemaNewer
    }

    private let kind: Kind

    /// There is no such file.
    public static let notFound = Code(kind: .notFound)
    /// The file is no SQLite database.
    public static let notADatabase = Code(kind: .notADatabase)
    /// The file is a database, but not one of timetables.
    public static let notATimetable = Code(kind: .notATimetable)
    /// The file was made by an older version of this library.
    public static let schemaOlder = Code(kind: .schemaOlder)
    /// The file was made by a newer version of this library.
    public static let schemaNewer = Code(kind: .schemaNewer)

    /// The code's name.
    public var description: String { kind.rawValue }
  }

  /// What kind of reason it is.
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
