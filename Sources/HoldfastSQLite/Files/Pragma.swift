internal import CSQLite

extension Database {
  /// A number of the file's header that SQL reads and writes by a pragma.
  public enum HeaderNumber: String, Sendable {
    /// The version of the schema, free for the application's use; 0 in a new file.
    ///
    /// - SeeAlso: <https://www.sqlite.org/pragma.html#pragma_user_version>
    case userVersion = "user_version"

    /// What kind of file this is, free for the application's use; 0 in a new file.
    ///
    /// - SeeAlso: <https://www.sqlite.org/pragma.html#pragma_application_id>
    case applicationID = "application_id"
  }

  /// Returns a number of the file's header.
  ///
  /// - Parameter number: Which one.
  /// - Returns: The number, as a signed integer of 32 bits.
  /// - Throws: ``DatabaseError`` when the file cannot be read.
  public func headerNumber(_ number: HeaderNumber) throws -> Int32 {
    try Int32.fetchOne(self, sql: "PRAGMA \(number.rawValue)") ?? 0
  }

  /// Writes a number of the file's header, in the current transaction.
  ///
  /// - Parameters:
  ///   - number: Which one.
  ///   - value: The new value.
  /// - Throws: ``DatabaseError`` with the code SQLite gave.
  public func setHeaderNumber(_ number: HeaderNumber, to value: Int32) throws {
    // A pragma takes no parameters; both pieces of the text are our own.
    try execute(sql: "PRAGMA \(number.rawValue) = \(value)")
  }

  /// Turns the write-ahead log on.
  ///
  /// - Throws: ``DatabaseError`` with `SQLITE_CANTOPEN` when SQLite keeps another journal mode,
  ///   as it does where shared memory is not to be had.
  /// - SeeAlso: <https://www.sqlite.org/wal.html>
  package func turnOnWriteAheadLog() throws {
    let mode = try waitingForOthers {
      try String.fetchOne(self, sql: "PRAGMA journal_mode = WAL") ?? "unknown"
    }
    guard mode == "wal" else { throw DatabaseError.walRefused(mode: mode, path: path) }
  }

  /// Keeps the write-ahead log and its `-shm` when the last connection closes, so that others who
  /// may only read can open the database.
  ///
  /// What is kept is empty, and while the database is in use no longer than a megabyte beyond need.
  ///
  /// - Throws: ``DatabaseError`` with the code SQLite gave.
  /// - SeeAlso: <https://www.sqlite.org/c3ref/c_fcntl_begin_atomic_write.html>,
  ///   "SQLITE_FCNTL_PERSIST_WAL"
  package func keepWriteAheadLog() throws {
    checkAccess()
    var isOn: CInt = 1
    try handle.inside {
      let code = unsafe sqlite3_file_control(
        handle.pointer, "main", SQLITE_FCNTL_PERSIST_WAL, &isOn)
      guard code == SQLITE_OK else { throw handle.error(code, sql: nil, path: path) }
    }
    // "If the limit is zero or positive", a log that is kept is emptied by the last to close.
    try execute(sql: "PRAGMA journal_size_limit = 1048576")
  }

  /// Waits for other connections as the busy mode says, where SQLite itself does not.
  ///
  /// To change the journal mode it reads first and then wants to write, and never waits in between.
  private func waitingForOthers<Value>(_ body: () throws -> Value) throws -> Value {
    var tries = 0
    while true {
      do {
        return try body()
      } catch let error as DatabaseError {
        guard error.resultCode == .SQLITE_BUSY, handle.busyHandler.waits(numberOfTries: tries)
        else {
          throw error
        }
        tries += 1
      }
    }
  }

  /// Throws when the file has no write-ahead log.
  package func checkWriteAheadLog() throws {
    // SQLite counts the pragma among the statements that write, because another form of it does.
    let mode = try whileReadOnly(false) {
      try String.fetchOne(self, sql: "PRAGMA journal_mode") ?? "unknown"
    }
    guard mode == "wal" else {
      throw DatabaseError.snapshotNeedsWriteAheadLog(mode: mode, path: path)
    }
  }

  /// Returns what `PRAGMA integrity_check` finds, empty when the file is sound.
  ///
  /// - Throws: ``DatabaseError`` when the file is too damaged even to be checked.
  /// - SeeAlso: <https://www.sqlite.org/pragma.html#pragma_integrity_check>
  public func integrityProblems() throws -> [String] {
    try String.fetchAll(self, sql: "PRAGMA integrity_check").filter { $0 != "ok" }
  }
}
