import Foundation

#if SQLCipher
  internal import CSQLCipher
#else
  internal import CSQLite
#endif

// All error messages and advice of this module.

extension DatabaseError {
  /// The error for a file that a second SQLite in the process may have open.
  package static func secondSQLite(path: String) -> DatabaseError {
    DatabaseError(
      resultCode: .SQLITE_MISUSE,
      message:
        "The process has the file open and two copies of SQLite, of which each releases the locks of the other; "
        + "link one copy, or checkpoint with the library that has the file open",
      path: path)
  }

  /// Advice on what to do next, in one sentence; `nil` when the code suggests none.
  ///
  /// - SeeAlso: <https://www.sqlite.org/rescode.html>
  public var advice: String? {
    if isSnapshotLost {
      return "Make a new snapshot after the database was resumed; this one does not come back."
    }
    if isDatabaseSuspensionError {
      return "Do it again after the database was resumed; nothing of the transaction was kept."
    }
    if isTransactionLost {
      return "Let the first error end the closure, and do all of it again: the transaction ended "
        + "before it was committed, because SQLite rolled it back after that error or the closure "
        + "did."
    }
    if let suspectedRenaming { return suspectedRenaming.advice }
    if let encryptionFault { return advice(for: encryptionFault) }
    if isTokenizerMissing { return Self.adviceForMissingTokenizer }
    if isFullTextModuleMissing { return Self.adviceForMissingFullTextModule }
    switch extendedResultCode {
    case .SQLITE_BUSY where isUpgrade:
      return "Start the transaction as IMMEDIATE: a transaction that began by reading cannot wait "
        + "for another connection's write to end when it writes itself"
        + (obstacle.map { "; \($0)." } ?? ".")
    case .SQLITE_BUSY_SNAPSHOT:
      return "Start the transaction as IMMEDIATE: a transaction that began by reading cannot "
        + "write after another connection has written."
    // Apple's SQLite invalidates a connection whose file it sees removed or moved.
    case .SQLITE_READONLY_DBMOVED, .SQLITE_IOERR_VNODE:
      return "Close the database and open it again: its file was moved, replaced or removed."
    case .SQLITE_READONLY_DIRECTORY:
      return "Make the folder of the database writable, or ship the file without write-ahead "
        + "log: `PRAGMA journal_mode = DELETE` before it is shipped."
    default:
      break
    }
    switch resultCode {
    case .SQLITE_BUSY:
      return "Try again, raise `busyMode`'s timeout, or end the other transaction sooner"
        + (obstacle.map { ": \($0)." } ?? ".")
    case .SQLITE_READONLY:
      return "Write through `write`, on a database that was opened for writing."
    case .SQLITE_FULL:
      return "Free some disk space and try again; the statement that failed changed nothing."
    case .SQLITE_CANTOPEN:
      return "Check that the file and its folder exist and that this process may open them."
    case .SQLITE_NOTADB:
      return "Check that the path names a SQLite database and, if it is encrypted, the key."
    case .SQLITE_CORRUPT:
      return "Run `holdfast db check` on a copy, and restore the file from a backup or from its "
        + "source."
    case .SQLITE_AUTH:
      return "Unlock the device, or check the permissions of the file."
    default:
      return nil
    }
  }

  /// The message to a function that was set too late to receive SQLite's messages.
  static let lateErrorLog =
    "SQLite's messages are not reported, because a database was opened in this process before "
    + "`Database.logError` was set; set it first."

  package static func closed(path: String?) -> DatabaseError {
    DatabaseError(resultCode: .SQLITE_MISUSE, message: "Connection is closed", path: path)
  }

  /// The error for an access that began while the database was suspended.
  package static func suspended(sql: String? = nil, path: String?) -> DatabaseError {
    var error = DatabaseError(
      resultCode: .SQLITE_ABORT, message: "Database is suspended", sql: sql, path: path)
    error.isDatabaseSuspensionError = true
    return error
  }

  /// The error for a call on a connection that a suspension closed, rolling its transaction back.
  static func transactionAborted(sql: String? = nil, path: String?) -> DatabaseError {
    var error = DatabaseError(
      resultCode: .SQLITE_ABORT, message: "Transaction was aborted", sql: sql, path: path)
    error.isDatabaseSuspensionError = true
    return error
  }

  package static func noHistory(path: String?) -> DatabaseError {
    DatabaseError(
      resultCode: .SQLITE_ERROR,
      message: "The database keeps no change history: call `ChangeHistory.install(on:tables:)` in "
        + "a migration", path: path)
  }

  package static func newerHistory(path: String?) -> DatabaseError {
    DatabaseError(
      resultCode: .SQLITE_ERROR,
      message: "The change history was made by a newer version of Holdfast: update this program",
      path: path)
  }

  package static func noTableForHistory(_ name: String, path: String?) -> DatabaseError {
    DatabaseError(
      resultCode: .SQLITE_ERROR,
      message: "The main database has no table \(name) that could take part in the change history",
      path: path)
  }

  package static func noTriggersForHistory(on name: String, path: String?) -> DatabaseError {
    DatabaseError(
      resultCode: .SQLITE_ERROR,
      message: "\(name) cannot take part in the change history: SQLite allows triggers on ordinary "
        + "tables only", path: path)
  }

  package static func rowIDIsHidden(table: String, path: String?) -> DatabaseError {
    DatabaseError(
      resultCode: .SQLITE_ERROR,
      message: "\(table) cannot take part in the change history: it has no primary key that is NOT "
        + "NULL, and its columns take all three names of the rowid", path: path)
  }

  /// The error for a relative path when the current folder of the process has no path.
  package static func noCurrentFolder(for path: String, systemErrno: Int32) -> DatabaseError {
    DatabaseError(
      resultCode: .SQLITE_CANTOPEN,
      message:
        "The relative path has no meaning: the current folder of the process was removed, or "
        + "its path is not valid UTF-8", path: path, systemErrno: systemErrno)
  }

  /// The error for opening a companion file of another database for writing.
  package static func companion(_ kind: String, of database: String, path: String) -> DatabaseError
  {
    DatabaseError(
      resultCode: .SQLITE_CANTOPEN,
      message: "The file is the \(kind) of the database '\(database)', and not opened for writing",
      path: path)
  }

  static func threadsafetyMissing() -> DatabaseError {
    DatabaseError(
      resultCode: .SQLITE_MISUSE,
      message: "This SQLite library was compiled with SQLITE_THREADSAFE=0, and cannot be used "
        + "from several threads")
  }

  static func writeInRead(sql: String, path: String?) -> DatabaseError {
    DatabaseError(
      resultCode: .SQLITE_READONLY, message: "attempt to write a readonly database", sql: sql,
      path: path)
  }

  static func interrupted(sql: String?, path: String?) -> DatabaseError {
    DatabaseError(resultCode: .SQLITE_INTERRUPT, message: "interrupted", sql: sql, path: path)
  }

  /// The error for a statement, or a wait for a lock, that a suspension interrupted.
  static func suspensionInterrupted(sql: String?, path: String?) -> DatabaseError {
    var error = interrupted(sql: sql, path: path)
    error.isDatabaseSuspensionError = true
    return error
  }

  static func wrongArgumentCount(
    expected: Int, found: Int, sql: String, path: String?
  ) -> DatabaseError {
    DatabaseError(
      resultCode: .SQLITE_MISUSE,
      message: "wrong number of statement arguments: \(found) given, \(expected) expected",
      sql: sql, path: path)
  }

  static func noColumn(at index: Int, count: Int) -> DatabaseError {
    DatabaseError(
      resultCode: .SQLITE_MISUSE,
      message: "the row adapter needs column \(index), and the rows have \(count) columns")
  }

  static func noColumn(named name: String, among names: [String]) -> DatabaseError {
    DatabaseError(
      resultCode: .SQLITE_MISUSE,
      message: "the row adapter needs a column named '\(name)', and the rows have these: "
        + names.joined(separator: ", "))
  }

  static func missingArgument(_ name: String, sql: String, path: String?) -> DatabaseError {
    DatabaseError(
      resultCode: .SQLITE_MISUSE, message: "missing statement argument: \(name)", sql: sql,
      path: path)
  }

  static func severalStatements(sql: String, path: String?) -> DatabaseError {
    DatabaseError(
      resultCode: .SQLITE_MISUSE,
      message: "Multiple statements found. To execute multiple statements, use "
        + "Database.execute(sql:) or Database.allStatements(sql:) instead.", sql: sql, path: path)
  }

  static func noStatement(sql: String, path: String?) -> DatabaseError {
    DatabaseError(
      resultCode: .SQLITE_ERROR, message: "No SQL statement found", sql: sql, path: path)
  }

  static func noSuchTable(_ name: String, path: String?) -> DatabaseError {
    DatabaseError(resultCode: .SQLITE_ERROR, message: "no such table: \(name)", path: path)
  }

  static func noSuchSchema(_ name: String, path: String?) -> DatabaseError {
    DatabaseError(resultCode: .SQLITE_ERROR, message: "no such schema: \(name)", path: path)
  }

  /// The error of SQLite's commit.
  static func deferredForeignKey(path: String?) -> DatabaseError {
    DatabaseError(
      resultCode: .SQLITE_CONSTRAINT_FOREIGNKEY, message: "FOREIGN KEY constraint failed",
      sql: "COMMIT TRANSACTION", path: path)
  }

  static func foreignKey(
    violated violation: ForeignKeyViolation, _ foreignKey: ForeignKeyInfo?, row: Row?,
    path: String?
  ) -> DatabaseError {
    DatabaseError(
      resultCode: .SQLITE_CONSTRAINT_FOREIGNKEY,
      message: sentence(violated: violation, foreignKey, row: row), path: path)
  }

  static func sentence(
    violated violation: ForeignKeyViolation, _ foreignKey: ForeignKeyInfo?, row: Row?
  ) -> String {
    func list(_ columns: [String]?) -> String {
      columns.map { "(" + $0.joined(separator: ", ") + ")" } ?? ""
    }
    return "FOREIGN KEY constraint violation - from "
      + violation.originTable + list(foreignKey?.originColumns) + " to "
      + violation.destinationTable + list(foreignKey?.destinationColumns)
      + (row.map { ", in \($0)" } ?? violation.originRowID.map { ", in row \($0)" } ?? "")
  }

  static func virtualTableColumns(_ name: String, path: String?) -> DatabaseError {
    DatabaseError(
      resultCode: .SQLITE_MISUSE,
      message: "The virtual table '\(name)' needs at least one column, and no two of one name",
      path: path)
  }

  package static func migratedBeyond(
    _ target: String, to later: String, path: String?
  ) -> DatabaseError {
    DatabaseError(
      resultCode: .SQLITE_MISUSE,
      message: "The database is already migrated beyond '\(target)', up to '\(later)'", path: path)
  }

  static func orderingNotReversed(_ text: String, path: String?) -> DatabaseError {
    DatabaseError(
      resultCode: .SQLITE_MISUSE,
      message: "the ordering '\(text)' cannot be reversed, because its text has several terms or a "
        + "direction of its own; pass each term as an expression, such as SQL(\"name\").desc",
      path: path)
  }

  static func noUniqueKey(_ columns: [String], table: String, path: String?) -> DatabaseError {
    DatabaseError(
      resultCode: .SQLITE_MISUSE,
      message: "table \(table) has no unique key on column(s) "
        + columns.sorted().joined(separator: ", "), path: path)
  }

  static func keyOfSeveralColumns(
    _ columns: [String], table: String, path: String?
  ) -> DatabaseError {
    DatabaseError(
      resultCode: .SQLITE_MISUSE,
      message: "Fetching by single-valued key requires a single-column primary key, and that of "
        + "table \(table) has \(columns.count): \(columns.joined(separator: ", "))", path: path)
  }

  static func viewWithoutKey(_ view: String, path: String?) -> DatabaseError {
    DatabaseError(
      resultCode: .SQLITE_ERROR, message: "database view \(view) has no primary key", path: path)
  }

  static func noPrimaryKey(_ table: String, path: String?) -> DatabaseError {
    DatabaseError(
      resultCode: .SQLITE_ERROR,
      message: "table \(table) declares no primary key to refer to: name a unique column of it",
      path: path)
  }

  static func emptyRecord(_ type: Any.Type, table: String, path: String?) -> DatabaseError {
    DatabaseError(
      resultCode: .SQLITE_MISUSE,
      message: "\(type): invalid empty persistence container, a record of table \(table) needs a "
        + "value for at least one column", path: path)
  }

  static func nothingStored(sql: String, path: String?) -> DatabaseError {
    DatabaseError(
      resultCode: .SQLITE_ERROR, message: "The statement stored no row", sql: sql, path: path)
  }

  @usableFromInline
  static func callbackMisuse(_ callback: String, of type: Any.Type) -> DatabaseError {
    DatabaseError(
      resultCode: .SQLITE_MISUSE,
      message: "Incorrect implementation of the `\(type).\(callback)` persistence callback: the "
        + "action function was not called, or its error was not rethrown.")
  }

  static func containsNUL(sql: String, path: String?) -> DatabaseError {
    DatabaseError(
      resultCode: .SQLITE_ERROR, message: "The SQL contains a NUL character", sql: sql, path: path)
  }

  /// The error for a statement or commit of a lost transaction that no suspension ended.
  static func transactionLost(sql: String? = nil, path: String?) -> DatabaseError {
    var error = DatabaseError(
      resultCode: .SQLITE_ABORT, message: "Transaction was aborted", sql: sql, path: path)
    error.isTransactionLost = true
    return error
  }

  /// The error for a COMMIT inside a closure whose transaction is committed as a whole.
  static func commitInsideClosure(sql: String?, path: String?) -> DatabaseError {
    DatabaseError(
      resultCode: .SQLITE_MISUSE,
      message: "The transaction is committed when its closure returns, and not before: begin and "
        + "commit transactions by hand inside of `writeWithoutTransaction`",
      sql: sql, path: path)
  }

  package static func transactionLeftOpen(path: String?) -> DatabaseError {
    DatabaseError(
      resultCode: .SQLITE_MISUSE,
      message: "A transaction was left open at the end of the access; it was rolled back",
      path: path)
  }

  static func walRefused(mode: String, path: String?) -> DatabaseError {
    let reason =
      mode == "memory"
      ? "a database in memory has none; open it as a DatabaseQueue with the default journal mode"
      : "the journal mode is \(mode)"
    return DatabaseError(
      resultCode: .SQLITE_CANTOPEN,
      message: "The write-ahead log could not be turned on: \(reason)", path: path)
  }

  static func unusable(path: String) -> DatabaseError {
    let reason = path.isEmpty ? "it is empty" : "it contains a NUL character"
    return DatabaseError(
      resultCode: .SQLITE_CANTOPEN, message: "The path cannot name a file: \(reason)", path: path)
  }
}

extension ResultCode {
  /// SQLite's message for the code.
  var sentence: String {
    guard let text = unsafe sqlite3_errstr(rawValue) else { return "unknown error" }
    return unsafe String(cString: text)
  }
}

extension RowDecodingError {
  /// Returns the message for a column that does not convert.
  static func sentence(
    column: String, stored: String?, expected: String, table: String?
  ) -> String {
    let place = "column '\(column)'" + (table.map { " of table '\($0)'" } ?? "")
    guard let stored else {
      return "could not decode \(expected) from \(place): there is no such column"
    }
    return "could not decode \(expected) from \(place): it holds \(stored)"
  }

  static func notConverted(_ value: DatabaseValue, to type: Any.Type) -> DecodingError {
    DecodingError.typeMismatch(
      type, .init(codingPath: [], debugDescription: "It holds \(value.typeName)."))
  }

  static func notStored(_ type: Any.Type) -> DecodingError {
    DecodingError.typeMismatch(
      type,
      .init(
        codingPath: [],
        debugDescription: "No column stores it. Declare that it is DatabaseValueConvertible."))
  }

  /// Returns the error for keys without a column, of which only one can stand for the whole row.
  static func noKeys(_ first: any CodingKey, _ second: any CodingKey) -> DecodingError {
    let keys = [first.stringValue, second.stringValue].sorted()
    return DecodingError.keyNotFound(
      second,
      .init(
        codingPath: [],
        debugDescription:
          "No such key: \(keys.joined(separator: " or ")). One value alone that has "
          + "neither a column nor a scope has the columns of the row itself."))
  }

  static let noArray = misshapen("an array")
  static let noColumns = misshapen("a value without a column")

  private static func misshapen(_ shape: String) -> DecodingError {
    DecodingError.dataCorrupted(
      .init(
        codingPath: [], debugDescription: "A row is decoded by its columns; it is not \(shape)."))
  }

  static func noContainer(at key: any CodingKey) -> DecodingError {
    DecodingError.dataCorrupted(
      .init(
        codingPath: [key],
        debugDescription: "A column holds no container; give the property a type of its own, "
          + "which is decoded from JSON."))
  }
}

extension RecordEncoder {
  static func misshapen(_ shape: String) -> EncodingError {
    .invalidValue(
      "record",
      .init(
        codingPath: [], debugDescription: "A row is encoded by its columns; it is not \(shape)."))
  }

  static func noContainer(at key: any CodingKey) -> EncodingError {
    .invalidValue(
      key.stringValue,
      .init(
        codingPath: [key],
        debugDescription: "A column holds no container; give the property a type of its own, "
          + "which is encoded as JSON."))
  }

  static func notUTF8(_ data: Data, at column: String) -> EncodingError {
    .invalidValue(
      data,
      .init(
        codingPath: [],
        debugDescription: "The data of column '\(column)' is not valid UTF-8, and cannot be "
          + "stored as text."))
  }

  static func tooLarge(_ value: some BinaryInteger, at key: any CodingKey) -> EncodingError {
    .invalidValue(
      value,
      .init(
        codingPath: [key],
        debugDescription: "\(value) does not fit into the 64 signed bits of a database integer."))
  }

  static func int64(
    _ value: some BinaryInteger, at key: any CodingKey
  ) throws -> PackedValue {
    guard let value = Int64(exactly: value) else { throw tooLarge(value, at: key) }
    return .int64(value)
  }
}

extension DatabaseDateComponents {
  static func unreadable(_ text: String, at path: [any CodingKey]) -> DecodingError {
    DecodingError.dataCorrupted(
      .init(
        codingPath: path,
        debugDescription: "'\(text)' is no date or time in a format of SQLite, such as 2026-11-23.")
    )
  }
}
