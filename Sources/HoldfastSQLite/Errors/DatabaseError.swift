/// What SQLite refused, and why.
///
/// The error keeps everything SQLite told: the extended code, the operating system's `errno`, the
/// SQL and the file. Bound values are kept out of ``description`` unless
/// ``Configuration/publicStatementArguments`` allows them, because logs travel.
///
/// - SeeAlso: <https://www.sqlite.org/rescode.html>
public struct DatabaseError: Error, Hashable, Sendable {
  /// The most precise code SQLite gave.
  public var extendedResultCode: ResultCode

  /// What happened, mostly in SQLite's own words; `nil` when the code says it all.
  public var message: String?

  /// The statement that was prepared or run, if there was one.
  public var sql: String?

  /// The values bound to the statement.
  public var arguments: StatementArguments?

  /// Whether ``description`` shows the bound values.
  public var publicStatementArguments: Bool

  /// The absolute path of the database; `nil` for a database in memory.
  public var path: String?

  /// The operating system's error number behind the code, or 0.
  public var systemErrno: CInt

  /// Whether the database was suspended: before the access, or while it ran, or while the snapshot
  /// lived that is read.
  ///
  /// Nothing of the access's open transaction was kept. The code is `SQLITE_ABORT` or
  /// `SQLITE_INTERRUPT`, also where SQLite gives another one to what it ends; an interruption by
  /// the app itself is no suspension.
  public internal(set) var isDatabaseSuspensionError = false

  /// Whether the suspension ended a snapshot, which no resume brings back.
  var isSnapshotLost = false

  /// Whether the transaction had ended before, after an error or by a ROLLBACK.
  var isTransactionLost = false

  /// Who was in the way of a busy database, with process and lock, where that could be told.
  public var obstacle: String?

  /// Whether a transaction that began by reading wanted to write, for which SQLite does not wait.
  package var isUpgrade = false

  /// The code without its extension.
  public var resultCode: ResultCode { extendedResultCode.primaryResultCode }

  /// Whether an interruption may have caused the error, if there was one.
  ///
  /// SQLite has a code for it, and often gives another one: a plain `SQLITE_ERROR` for what it runs
  /// or prepares by itself, as for `ALTER TABLE` and where an R*Tree or a full-text table is made
  /// ready; `SQLITE_CORRUPT_VTAB` where a full-text table compares what it could not read to the
  /// end; `SQLITE_BUSY` and `SQLITE_LOCKED` where a wait was ended. A full disk, a failed sync, a
  /// damaged file and a broken constraint have their own codes, which no interruption gives.
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
  ///   - message: What happened; the code's own sentence when `nil`.
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
    self.message = message
    self.sql = sql
    self.arguments = arguments
    self.publicStatementArguments = publicStatementArguments
    self.path = path
    self.systemErrno = systemErrno
  }

  /// Whether trying the same again later may work: another connection was in the way.
  public var isTransient: Bool {
    switch resultCode {
    case .SQLITE_BUSY, .SQLITE_LOCKED, .SQLITE_PROTOCOL: true
    default: false
    }
  }
}

extension DatabaseError: CustomStringConvertible {
  /// The error in one sentence: code, message, SQL, file and errno.
  public var description: String {
    var text = "SQLite error \(extendedResultCode.rawValue): "
    text += message ?? extendedResultCode.sentence
    if let sql {
      text += " - while executing `\(sql)`"
    }
    if let arguments, !arguments.isEmpty, publicStatementArguments {
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
