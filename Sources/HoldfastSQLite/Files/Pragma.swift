#if SQLCipher
  internal import CSQLCipher
#else
  internal import CSQLite
#endif

extension Database {
  /// A number in the file's header that a pragma reads and writes.
  public enum HeaderNumber: String, Sendable {
    /// The version of the schema, free for the application's use; 0 in a new file.
    ///
    /// - SeeAlso: <https://www.sqlite.org/pragma.html#pragma_user_version>
    case userVersion = "user_version"

    /// The kind of the file, free for the application's use; 0 in a new file.
    ///
    /// - SeeAlso: <https://www.sqlite.org/pragma.html#pragma_application_id>
    case applicationID = "application_id"
  }

  /// Returns a number from the file's header.
  ///
  /// - Parameter number: The number to read.
  /// - Returns: The number, as a signed integer of 32 bits.
  /// - Throws: ``DatabaseError`` when the file cannot be read.
  public func headerNumber(_ number: HeaderNumber) throws -> Int32 {
    try Int32.fetchOne(self, sql: "PRAGMA \(number.rawValue)") ?? 0
  }

  /// Writes a number into the file's header, in the current transaction.
  ///
  /// - Parameters:
  ///   - number: The number to write.
  ///   - value: The new value.
  /// - Throws: ``DatabaseError`` with SQLite's code.
  public func setHeaderNumber(_ number: HeaderNumber, to value: Int32) throws {
    // A pragma takes no parameters; both parts of the text are safe.
    try execute(sql: "PRAGMA \(number.rawValue) = \(value)")
  }

  /// Turns the write-ahead log on.
  ///
  /// - Throws: ``DatabaseError`` with `SQLITE_CANTOPEN` when SQLite keeps another journal mode, for
  ///   example because shared memory is not available.
  /// - SeeAlso: <https://www.sqlite.org/wal.html>
  package func turnOnWriteAheadLog() throws {
    let mode = try waitingForOthers {
      try String.fetchOne(self, sql: "PRAGMA journal_mode = WAL") ?? "unknown"
    }
    guard mode == "wal" else { throw DatabaseError.walRefused(mode: mode, path: path) }
  }

  /// Keeps changed pages in memory until their commit, where SQLite would lose commits otherwise.
  ///
  /// A transaction then needs memory for all pages that it changes. It is called whenever SQLite says that the
  /// journal mode is that of the write-ahead log, whoever has turned it on; in a transaction that comes too late.
  ///
  /// - Returns: SQLite's result code.
  /// - SeeAlso: <https://www.sqlite.org/pragma.html#pragma_cache_spill>
  func keepChangedPagesBesideLog() -> CInt {
    guard !keepsChangedPages, SQLiteLibrary.currentLosesCommits,
      !isInsideTransaction
    else { return SQLITE_OK }
    var code = SQLITE_OK
    withoutAuthorizer {
      code = unsafe sqlite3_exec(handle.pointer, "PRAGMA cache_spill = OFF", nil, nil, nil)
    }
    keepsChangedPages = code == SQLITE_OK
    return code
  }

  /// Looks for a write-ahead log that this connection has not turned on.
  func noticeLog() throws {
    guard !keepsChangedPages, SQLiteLibrary.currentLosesCommits else { return }
    _ = try String.fetchOne(self, sql: "PRAGMA journal_mode")
  }

  /// Keeps the write-ahead log and its `-shm` file when the last connection closes.
  ///
  /// So connections that may only read can open the database. The log that stays is empty; while
  /// the database is in use, it is at most one megabyte longer than needed.
  ///
  /// - Throws: ``DatabaseError`` with SQLite's code.
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
    // "If the limit is zero or positive", the last connection to close empties a log that is kept.
    try execute(sql: "PRAGMA journal_size_limit = 1048576")
  }

  /// Reads the database with a log that no process has open, and changes no file: none is created next
  /// to it, and the log stays when the connection closes.
  ///
  /// Until then no other connection can open the database.
  ///
  /// - Throws: ``DatabaseError`` with SQLite's code.
  /// - SeeAlso: <https://www.sqlite.org/wal.html#use_of_wal_without_shared_memory>
  package func readLogAlone() throws {
    // In this mode the index of the log is in the memory of the connection.
    try execute(sql: "PRAGMA locking_mode = EXCLUSIVE")
    try readKeepingLog()
  }

  /// Reads the database beside other connections, and leaves it and its log as they are when the connection
  /// closes.
  ///
  /// - Throws: ``DatabaseError`` with SQLite's code.
  package func readKeepingLog() throws {
    set(SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true)
    try execute(sql: "PRAGMA wal_autocheckpoint = 0; PRAGMA query_only = 1")
  }

  /// Waits for other connections according to the busy mode, where SQLite itself does not.
  ///
  /// To change the journal mode, SQLite reads first and then writes, and never waits in between.
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

  /// Throws an error if the database is not in write-ahead-log mode.
  package func checkWriteAheadLog() throws {
    // SQLite treats the pragma as a statement that writes, because another form of it does.
    let mode = try whileReadOnly(false) {
      try String.fetchOne(self, sql: "PRAGMA journal_mode") ?? "unknown"
    }
    guard mode == "wal" else {
      throw DatabaseError.snapshotNeedsWriteAheadLog(mode: mode, path: path)
    }
  }
}
