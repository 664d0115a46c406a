/// An error for a shared or read-only database that was not opened or moved.
///
/// The error of SQLite or the file system is in ``underlying``. Errors that need no explanation are
/// thrown unchanged, as `DatabaseError` and `FileError`.
///
/// ```swift
/// do {
///   pool = try DatabasePool.sharedReadOnly(at: url, schema: migrator)
/// } catch let error as SharingError where error.code == .schemaNewer {
///   show(error.message, error.advice)
/// }
/// ```
public struct SharingError: Error, Sendable {
  /// The kind of the error.
  public var code: Code

  /// A sentence that says what happened, to which file, and why.
  public var message: String

  /// An imperative sentence that says what to do next.
  public var advice: String?

  /// The path of the database.
  public var path: String

  /// The process that holds the lock, if known.
  public var processIdentifier: Int32?

  /// The cause, when it was another error.
  public var underlying: (any Error)?

  /// The kinds of errors.
  ///
  /// More may be added, so a `switch` needs a `default`.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    private enum Kind: String {
      case busy, schemaOlder, schemaNewer, needsWriter, notADatabase, incomplete, accessDenied
      case alreadyExists
    }

    private var kind: Kind

    /// Another process or thread holds the database exclusively.
    public static let busy = Code(kind: .busy)
    /// The database lacks migrations that the reader needs.
    public static let schemaOlder = Code(kind: .schemaOlder)
    /// A newer version of the app has changed the database.
    public static let schemaNewer = Code(kind: .schemaNewer)
    /// The database cannot be read before it has been opened for writing once.
    public static let needsWriter = Code(kind: .needsWriter)
    /// The file is not an SQLite database, or is encrypted.
    public static let notADatabase = Code(kind: .notADatabase)
    /// The file's length is not the one that its header states.
    public static let incomplete = Code(kind: .incomplete)
    /// The device is locked, or this process may not access the file.
    public static let accessDenied = Code(kind: .accessDenied)
    /// Another file has the name already.
    public static let alreadyExists = Code(kind: .alreadyExists)

    /// The name of the code, as in the source.
    public var description: String { kind.rawValue }
  }

  /// Whether the same operation may succeed later, without any action by the caller.
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
