/// Why a database that several processes use, or that may only be read, was not opened or moved.
///
/// What SQLite or the file system said is kept in ``underlying``. Errors that need no other words
/// are thrown as they are, as `DatabaseError` and `FileError`.
///
/// ```swift
/// do {
///   pool = try DatabasePool.sharedReadOnly(at: url, schema: migrator)
/// } catch let error as SharingError where error.code == .schemaNewer {
///   show(error.message, error.advice)
/// }
/// ```
public struct SharingError: Error, Sendable {
  /// What kind of refusal it is.
  public var code: Code

  /// What happened, to which file and why, in one sentence.
  public var message: String

  /// What to do next, in one imperative sentence.
  public var advice: String?

  /// The path of the database.
  public var path: String

  /// The process that is in the way, where the system tells.
  public var processIdentifier: Int32?

  /// The cause, when it was another error.
  public var underlying: (any Error)?

  /// The kinds of refusal.
  ///
  /// More may be added, so a `switch` needs a `default`.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    private enum Kind: String {
      case busy, schemaOlder, schemaNewer, needsWriter, notADatabase, incomplete, accessDenied
      case alreadyExists
    }

    private var kind: Kind

    /// Another process, or another thread, has the database to itself.
    public static let busy = Code(kind: .busy)
    /// The database lacks migrations that the reader needs.
    public static let schemaOlder = Code(kind: .schemaOlder)
    /// A newer version of the app has changed the database.
    public static let schemaNewer = Code(kind: .schemaNewer)
    /// The database cannot be read before it was opened for writing once.
    public static let needsWriter = Code(kind: .needsWriter)
    /// The file is no SQLite database, or an encrypted one.
    public static let notADatabase = Code(kind: .notADatabase)
    /// The file is not as long as it says.
    public static let incomplete = Code(kind: .incomplete)
    /// The device is locked, or this process may not use the file.
    public static let accessDenied = Code(kind: .accessDenied)
    /// Something else has the name already.
    public static let alreadyExists = Code(kind: .alreadyExists)

    /// The name of the code, as in this source.
    public var description: String { kind.rawValue }
  }

  /// Whether trying the same again later may work, without doing anything here.
  public var isTransient: Bool {
    [.busy, .schemaOlder, .needsWriter, .accessDenied].contains(code)
  }
}

extension SharingError: CustomStringConvertible {
  /// The message and the advice.
  public var description: String {
    [message, advice].compactMap { $0 }.joined(separator: " ")
  }
}
