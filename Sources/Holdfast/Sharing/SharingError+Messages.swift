import HoldfastFiles
import HoldfastSQLite

// Every message about a database that was not opened or moved.

extension SharingError {
  // MARK: Opening

  static func openedElsewhere(
    _ path: FilePath, waited: Duration, holder: Int32?
  ) -> SharingError {
    let opener = holder.map { "the process \($0)" } ?? "another process or thread"
    return SharingError(
      code: .busy,
      message:
        "'\(path.name)' was not opened: \(opener) has been opening, migrating or moving it for "
        + "more than \(waited).",
      advice: holder == nil
        ? "Try again later, or wait longer."
        : "Try again later, or see whether that process is stopped; a stopped one keeps its lock.",
      path: path.text, processIdentifier: holder)
  }

  /// The error when a database lists migrations that are not registered.
  ///
  /// - Parameters:
  ///   - path: The database.
  ///   - unknown: The migrations that are not registered.
  ///   - missing: The registered migrations that were not applied: if there are any, one of them may be
  ///     a new name of an unknown one.
  /// - Returns: An error with the code `.schemaNewer`.
  static func schemaNewer(
    _ path: FilePath, unknown: [String], missing: [String]
  ) -> SharingError {
    guard let first = missing.first, let old = unknown.first else {
      return SharingError(
        code: .schemaNewer,
        message: "'\(path.name)' was changed by a newer version: this one does not know the "
          + "migration \(list(unknown)).",
        advice: "Update this app or extension.", path: path.text)
    }
    return SharingError(
      code: .schemaNewer,
      message:
        "'\(path.name)' was changed by a newer version, or a migration was renamed: this one does "
        + "not know the migration \(list(unknown)), and the database lacks \(list(missing)).",
      advice:
        "Update this app or extension; or, if '\(first)' is a new name of '\(old)', register it under "
        + "the old name, or with `merging: [\"\(old)\"]`.",
      path: path.text)
  }

  static func schemaOlder(_ path: FilePath, missing: [String]) -> SharingError {
    SharingError(
      code: .schemaOlder,
      message: "'\(path.name)' is older than this version needs: it lacks the migration "
        + "\(list(missing)).",
      advice: "Open it for writing once with this version's migrator, as the app does.",
      path: path.text)
  }

  private static func list(_ names: [String]) -> String {
    names.map { "'\($0)'" }.joined(separator: ", ")
  }

  // MARK: Reading only

  static func refused(_ path: FilePath, _ reason: ReadOnlyAccess.Reason) -> SharingError {
    switch reason {
    case .notADatabase: notADatabase(path)
    case .incomplete(let stated, let found):
      SharingError(
        code: .incomplete,
        message: "'\(path.name)' is incomplete: its header states \(stated) bytes, and "
          + "\(found) were found.",
        advice: "Copy or download the file again.", path: path.text)
    case .logFilesMissing: needsWriter(path)
    case .logFilesMayBeMissing:
      SharingError(
        code: .needsWriter,
        message: "'\(path.name)' cannot be read as it is: it is no database, or encrypted from its "
          + "first byte, so that nothing tells whether it needs a write-ahead log, which is missing.",
        advice: "Pass 'isNeverModified' if nobody writes to it, or open it for writing once, with "
          + "'keepsWriteAheadLog'; 'usePlaintextHeader' leaves the journal mode readable.",
        path: path.text)
    }
  }

  static func notADatabase(_ path: FilePath, _ cause: (any Error)? = nil) -> SharingError {
    SharingError(
      code: .notADatabase,
      message: "'\(path.name)' is not a SQLite database: it does not begin with SQLite's header.",
      advice: Database.canDecrypt
        ? "Check the path."
        : "Check the path; an encrypted database needs a build with the package's trait 'SQLCipher'.",
      path: path.text, underlying: cause)
  }

  /// The error of a file that is encrypted with another key, or not encrypted.
  private static func notDecrypted(_ path: FilePath, _ cause: DatabaseError) -> SharingError {
    SharingError(
      code: .notADatabase,
      message: "'\(path.name)' was not opened: \(cause.message ?? "its key is missing or wrong").",
      advice: cause.advice, path: path.text, underlying: cause)
  }

  static func needsWriter(_ path: FilePath, _ cause: (any Error)? = nil) -> SharingError {
    SharingError(
      code: .needsWriter,
      message:
        "'\(path.name)' cannot be read as it is: its write-ahead log or journal must be made "
        + "or applied first, which a process that only reads cannot do.",
      advice: "Open it for writing once, with 'keepsWriteAheadLog'; ship a file without a log, by "
        + "'PRAGMA journal_mode = DELETE'.",
      path: path.text, underlying: cause)
  }

  // MARK: Moving

  static func inUse(_ path: FilePath, _ cause: (any Error)? = nil) -> SharingError {
    SharingError(
      code: .busy,
      message: "'\(path.name)' was not moved: it is open in this process or in another one.",
      advice: "Close every connection to it, and move it before it is opened.",
      path: path.text, underlying: cause)
  }

  static func alreadyExists(_ path: FilePath, source: FilePath) -> SharingError {
    SharingError(
      code: .alreadyExists,
      message: "'\(source.name)' was not moved: there is already a database at the destination.",
      advice: "Use the one at the destination, or remove it while no process has it open.",
      path: path.text)
  }

  // MARK: Errors of SQLite and the file system

  /// Whether an error says that the files of the log are missing.
  static func isNeedsWriter(_ error: any Error, at path: FilePath) -> Bool {
    (naming(error, at: path) as? SharingError)?.code == .needsWriter
  }

  /// The error in this module's words, where it has some.
  static func naming(_ error: any Error, at path: FilePath) -> any Error {
    switch error {
    case let error as DatabaseError: naming(error, at: path) ?? error
    case let error as FileError where error.code == .accessDenied: accessDenied(path, error)
    default: error
    }
  }

  private static func naming(_ error: DatabaseError, at path: FilePath) -> SharingError? {
    let isForbidden = [.accessDenied, .notPermitted].contains(Errno(error.systemErrno))
    switch error.extendedResultCode {
    // A log whose `-shm` cannot be created or trusted; a journal that must be applied.
    case .SQLITE_READONLY_DIRECTORY, .SQLITE_READONLY_CANTINIT, .SQLITE_READONLY_RECOVERY,
      .SQLITE_READONLY_ROLLBACK:
      return needsWriter(path, error)
    default: break
    }
    switch error.resultCode {
    case .SQLITE_NOTADB:
      return error.encryptionFault == nil ? notADatabase(path, error) : notDecrypted(path, error)
    // EPERM, as reported by Apple's SQLite: the device is locked, or the sandbox forbids it.
    case .SQLITE_AUTH, .SQLITE_PERM: return accessDenied(path, error)
    case .SQLITE_CANTOPEN, .SQLITE_IOERR: return isForbidden ? accessDenied(path, error) : nil
    default: return nil
    }
  }

  private static func accessDenied(_ path: FilePath, _ cause: any Error) -> SharingError {
    SharingError(
      code: .accessDenied,
      message: "'\(path.name)' was not opened: the device is locked, or this process may not use "
        + "the file or its folder.",
      advice:
        "Try again when the device is unlocked; else check the permissions and the app group.",
      path: path.text, underlying: cause)
  }
}
