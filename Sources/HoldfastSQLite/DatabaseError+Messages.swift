internal import CSQLite

// Every sentence of this module about what went wrong and what to do about it.

extension DatabaseError {
  /// What to do next, in one sentence, where the code tells.
  ///
  /// - SeeAlso: <https://www.sqlite.org/rescode.html>
  public var advice: String? {
    switch extendedResultCode {
    case .SQLITE_BUSY_SNAPSHOT:
      return "Start the transaction as IMMEDIATE: a transaction that began by reading cannot "
        + "write after another connection has written."
    case .SQLITE_READONLY_DBMOVED:
      return "Close the database and open it again: its file was moved, replaced or removed."
    case .SQLITE_READONLY_DIRECTORY:
      return "Make the folder of the database writable, or ship the file without write-ahead "
        + "log: `PRAGMA journal_mode = DELETE` before it is shipped."
    default:
      break
    }
    switch resultCode {
    case .SQLITE_BUSY:
      return "Try again, raise `busyMode`'s timeout, or end the other transaction sooner."
    case .SQLITE_READONLY:
      return "Write through `write`, on a database that was opened for writing."
    case .SQLITE_FULL:
      return "Free some disk space and try again; the statement that failed changed nothing."
    case .SQLITE_CANTOPEN:
      return "Check that the file and its folder exist and that this process may open them."
    case .SQLITE_NOTADB:
      return "Check that the path names a SQLite database and, if it is encrypted, the key."
    case .SQLITE_CORRUPT:
      return "Run `holdfast db check` on a copy, and restore the file from where it came."
    case .SQLITE_AUTH:
      return "Unlock the device, or check the permissions of the file."
    default:
      return nil
    }
  }

  package static func closed(path: String?) -> DatabaseError {
    DatabaseError(resultCode: .SQLITE_MISUSE, message: "Connection is closed", path: path)
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

  static func interrupted(sql: String, path: String?) -> DatabaseError {
    DatabaseError(resultCode: .SQLITE_INTERRUPT, message: "interrupted", sql: sql, path: path)
  }

  static func wrongArgumentCount(
    expected: Int, found: Int, sql: String, path: String?
  ) -> DatabaseError {
    DatabaseError(
      resultCode: .SQLITE_MISUSE,
      message: "wrong number of statement arguments: \(found) given, \(expected) expected",
      sql: sql, path: path)
  }

  static func missingArgument(_ name: String, sql: String, path: String?) -> DatabaseError {
    DatabaseError(
      resultCode: .SQLITE_MISUSE, message: "missing statement argument: \(name)", sql: sql,
      path: path)
  }

  static func severalStatements(sql: String, path: String?) -> DatabaseError {
    DatabaseError(
      resultCode: .SQLITE_MISUSE,
      message: "Multiple statements found. To execute multiple statements, use `execute(sql:)`",
      sql: sql, path: path)
  }

  static func noStatement(sql: String, path: String?) -> DatabaseError {
    DatabaseError(
      resultCode: .SQLITE_ERROR, message: "No SQL statement found", sql: sql, path: path)
  }

  static func containsNUL(sql: String, path: String?) -> DatabaseError {
    DatabaseError(
      resultCode: .SQLITE_ERROR, message: "The SQL contains a NUL character", sql: sql, path: path)
  }

  static func transactionLost(path: String?) -> DatabaseError {
    DatabaseError(
      resultCode: .SQLITE_ABORT,
      message: "The transaction ended before it was committed: SQLite rolled it back after an "
        + "earlier error, or the closure ended it", path: path)
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
      ? "a database in memory has none; open it as a DatabaseQueue" : "the journal mode is \(mode)"
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
  /// SQLite's own sentence for the code.
  var sentence: String {
    guard let text = unsafe sqlite3_errstr(rawValue) else { return "unknown error" }
    return unsafe String(cString: text)
  }
}

extension RowDecodingError {
  /// What went wrong, in one sentence.
  static func sentence(column: String, stored: String?, expected: String) -> String {
    guard let stored else {
      return "could not decode \(expected) from column '\(column)': there is no such column"
    }
    return "could not decode \(expected) from column '\(column)': it holds \(stored)"
  }

  static let noArray = misshapen("an array")
  static let noSingleValue = misshapen("a single value")

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

/// The sentences of traps: mistakes in the calling code, not of the environment.
package enum Misuse {
  /// Ends the process with a sentence, in release builds too.
  package static func trap(_ sentence: String) -> Never {
    fatalError(sentence)
  }

  static let outsideAccess =
    "Database was used outside of its access: it is valid only inside the closure of `read` or "
    + "`write`, and only on the thread that runs it."

  /// The sentence for an access inside an access to the same database.
  package static let reentrant =
    "Database methods are not reentrant: an access was started inside another access to the same "
    + "database. Use the `Database` of the outer access instead."

  static let stopOutsideOfChange =
    "stopObservingDatabaseChangesUntilNextTransaction() must be called from databaseDidChange."

  static let observedRead =
    "The end of a transaction that only reads is not told. Call `afterNextTransaction` inside of "
    + "`write`."

  static let statementInUse =
    "A statement that is still giving rows was executed again. Finish its cursor first, or prepare "
    + "a second statement."

  static func noColumn(at index: Int, count: Int) -> String {
    "There is no column \(index); the row has \(count) columns."
  }
}
