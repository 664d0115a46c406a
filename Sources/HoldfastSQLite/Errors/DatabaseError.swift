/// An error of SQLite.
///
/// The error contains everything that SQLite reports: the extended code, the operating system's
/// `errno`, the SQL and the file. ``description`` omits bound values unless
/// ``Configuration/publicStatementArguments`` is true, because logs are passed on.
///
/// - SeeAlso: <https://www.sqlite.org/rescode.html>
public struct DatabaseError: Error, Hashable, Sendable {
  /// The most specific code that SQLite reported.
  public var extendedResultCode: ResultCode

  /// The message, mostly SQLite's own; the description of the code if nothing else is known.
  public var message: String?

  /// The statement that was prepared or run, if there was one.
  public var sql: String?

  /// The values bound to the statement.
  public var arguments: StatementArguments?

  /// Whether ``description`` shows the bound values.
  public var publicStatementArguments: Bool

  /// The absolute path of the database; `nil` for a database in memory.
  public var path: String?

  /// The operating system's error number that caused the error, or 0.
  public var systemErrno: CInt

  /// Whether a suspension of the database caused the error.
  ///
  /// The database was suspended before or during the access, or since the snapshot was created. The
  /// open transaction of the access was rolled back. The code is `SQLITE_ABORT` or
  /// `SQLITE_INTERRUPT`, even if SQLite reported another one. It is false for an interruption by
  /// the app itself.
  public internal(set) var isDatabaseSuspensionError = false

  /// Whether the suspension ended a snapshot, which resuming does not restore.
  var isSnapshotLost = false

  /// Whether the transaction was ended earlier, after an error or by a ROLLBACK.
  var isTransactionLost = false

  /// The process and lock that made the database busy; `nil` when they are not known.
  public var obstacle: String?

  /// Whether a snapshot failed because the write-ahead log has no transaction.
  package var isLogEmpty = false

  /// Whether a transaction that had read tried to write, for which SQLite does not wait.
  package var isUpgrade = false

  /// The migration that failed, if the database lists others that are not registered.
  package var suspectedRenaming: SuspectedRenaming?

  /// A migration that may be known to the database under another name.
  package struct SuspectedRenaming: Hashable, Sendable {
    package var migration: String
    package var unknown: [String]

    package init(of migration: String, unknown: [String]) {
      (self.migration, self.unknown) = (migration, unknown)
    }
  }

  /// The reason why the database could not be opened with its key, or without one; otherwise `nil`.
  public internal(set) var encryptionFault: EncryptionFault?

  /// The code without its extension.
  public var resultCode: ResultCode { extendedResultCode.primaryResultCode }

  /// Whether an interruption, if there was one, may have caused the error.
  ///
  /// SQLite has a code for interruptions, but often reports another one: `SQLITE_ERROR` for
  /// statements that it runs internally, as for `ALTER TABLE` and when it connects an R*Tree or
  /// full-text table; `SQLITE_CORRUPT_VTAB` when a full-text table could not be read to the end;
  /// `SQLITE_BUSY` and `SQLITE_LOCKED` when a wait was ended. A full disk, a failed sync, a damaged
  /// file and a violated constraint have their own codes, which no interruption causes.
  var mayComeFromInterruption: Bool {
    switch resultCode {
    case .SQLITE_INTERRUPT, .SQLITE_ABORT, .SQLITE_BUSY, .SQLITE_LOCKED: true
    // As patterns these would match other extended codes, too.
    default: extendedResultCode == .SQLITE_ERROR || extendedResultCode == .SQLITE_CORRUPT_VTAB
    }
  }

  /// Creates an error.
  ///
  /// - Parameters:
  ///   - resultCode: A primary or extended code.
  ///   - message: The message; if `nil`, SQLite's message for the code.
  ///   - sql: The statement's SQL.
  ///   - arguments: The statement's values.
  ///   - publicStatementArguments: Whether the description shows the values.
  ///   - path: The database's path.
  ///   - systemErrno: The operating system's error number, or 0.
  public init(
    resultCode: ResultCode = .SQLITE_ERROR,
    message: String? = nil,
    sql: String? = nil,
    arguments: StatementArguments? = nil,
    publicStatementArguments: Bool = false,
    path: String? = nil,
    systemErrno: CInt = 0
  ) {
    self.extendedResultCode = resultCode
    self.message = message ?? resultCode.sentence
    self.sql = sql
    self.arguments = arguments
    self.publicStatementArguments = publicStatementArguments
    self.path = path
    self.systemErrno = systemErrno
  }

  /// Whether the same operation may succeed later, because another connection held a lock.
  public var isTransient: Bool {
    switch resultCode {
    case .SQLITE_BUSY, .SQLITE_LOCKED, .SQLITE_PROTOCOL: true
    default: false
    }
  }
}

extension DatabaseError: CustomStringConvertible {
  /// The code, message, SQL, file and `errno`, in one sentence.
  public var description: String {
    description(showsArguments: publicStatementArguments)
  }

  /// The same as ``description``, with the bound values in any case.
  ///
  /// - Important: The values may be private: do not write them to a log.
  public var expandedDescription: String {
    description(showsArguments: true)
  }

  private func description(showsArguments: Bool) -> String {
    var text = "SQLite error \(extendedResultCode.rawValue): "
    text += message ?? extendedResultCode.sentence
    if let sql {
      text += " - while executing `\(sql)`"
    }
    if let arguments, !arguments.isEmpty, showsArguments {
      text += " with arguments \(arguments)"
    }
    if let path {
      text += " in \(path)"
    }
    if systemErrno != 0 {
      text += " (errno \(systemErrno))"
    }
    return text
  }
}
