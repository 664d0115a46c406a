#if SQLCipher
  internal import CSQLCipher
#else
  internal import CSQLite
#endif

/// A run of SQLite in which it may checkpoint, and no other connection can restart the log.
///
/// SQLite with the WAL-reset bug (``SQLiteLibrary``) would lose later commits. A lock is released when the run ends;
/// a SQLite without the bug runs without one.
@safe
struct CheckpointRun {
  let handle: ConnectionHandle

  /// Whether the databases are known to have a log that the connection has open.
  var hasLog = false

  /// Runs the closure with locks on the logs of some databases.
  ///
  /// A checkpoint that is not passive takes the lock of writers, under which the log cannot restart either. It
  /// continues as a passive one when it has waited for that lock in vain: it is then that the logs are locked.
  ///
  /// - Parameters:
  ///   - mode: The extent of the checkpoint.
  ///   - names: The names of the databases.
  ///   - body: Calls SQLite, and returns its code.
  /// - Returns: The code of the closure, or of the step before it that failed: `SQLITE_BUSY` when a
  ///   log cannot be locked.
  func callAsFunction(
    _ mode: Database.CheckpointMode, on names: [String], _ body: () -> CInt
  ) -> CInt {
    guard Self.isNeeded else { return body() }
    var shared: [String] = []
    for name in names {
      do throws(Failure) {
        if try sharesLog(name) { shared.append(name) }
      } catch {
        return error.code
      }
    }
    let locks = LogReadLocks()
    defer { locks.release() }
    guard mode == .passive else {
      return waiting(body) {
        // An interrupted checkpoint stores no number of moved frames.
        if !locks.take(on: shared, of: handle) { unsafe sqlite3_interrupt(handle.pointer) }
      }
    }
    return locks.take(on: shared, of: handle) ? body() : SQLITE_BUSY
  }

  /// Whether the SQLite of the process would lose commits without it.
  static let isNeeded = SQLiteLibrary.current.hasWALResetBug

  /// Runs the closure, and another one right before a wait for a lock in it is given up.
  private func waiting(_ body: () -> CInt, beforeGivingUp lock: @escaping () -> Void) -> CInt {
    guard unsafe handle.busyHandler.isReplaced else {
      return handle.busyHandler.run(beforeGivingUp: lock, body)
    }
    // SQLite's own handler, set by `PRAGMA busy_timeout`, notifies no code of ours.
    let milliseconds: CInt
    do throws(Failure) {
      milliseconds = CInt(try text("PRAGMA busy_timeout") ?? "") ?? 0
    } catch {
      return error.code
    }
    let substitute = BusyHandler(mode: .timeout(Double(milliseconds) / 1000))
    unsafe substitute.install(on: handle.pointer)
    defer { unsafe sqlite3_busy_timeout(handle.pointer, milliseconds) }
    return substitute.run(beforeGivingUp: lock, body)
  }

  private struct Failure: Error {
    let code: CInt
  }

  /// Whether the connection has the log of a database open, and others can use it.
  private func sharesLog(_ name: String) throws(Failure) -> Bool {
    // While a transaction is open SQLite checkpoints nothing, and has a lock on a mark itself.
    guard hasNoTransaction(on: name) else { return false }
    if !hasLog {
      let schema = name.quotedDatabaseIdentifier
      guard try text("PRAGMA \(schema).journal_mode") == "wal" else { return false }
      // SQLite opens the log in the checkpoint if the mode was set and nothing has been read since.
      if lockState(of: name) != SQLITE_LOCK_SHARED,
        unsafe sqlite3_get_autocommit(handle.pointer) != 0
      {
        _ = try text("SELECT 1 FROM \(schema).sqlite_master LIMIT 0")
      }
      guard hasNoTransaction(on: name) else { return false }
    }
    // Outside of a transaction a connection with a log has this lock, or a stronger one if no other connection has the
    // database open.
    return lockState(of: name) == SQLITE_LOCK_SHARED
  }

  private func hasNoTransaction(on name: String) -> Bool {
    unsafe sqlite3_txn_state(handle.pointer, name) == SQLITE_TXN_NONE
  }

  /// The lock that the connection has on the file itself.
  private func lockState(of name: String) -> CInt {
    var state: CInt = 0
    let code = unsafe sqlite3_file_control(
      handle.pointer, name, SQLITE_FCNTL_LOCKSTATE, &state)
    // A layer of the file system that does not say forwards calls to one with shared locks.
    return code == SQLITE_OK ? state : SQLITE_LOCK_SHARED
  }

  private func text(_ sql: String) throws(Failure) -> String? {
    switch handle.texts(sql) {
    case .success(let texts): return texts.first
    case .failure(let code): throw Failure(code: code)
    }
  }
}

extension ConnectionHandle {
  /// Checkpoints a database of the connection, or all of them.
  ///
  /// - Parameters:
  ///   - mode: The extent.
  ///   - name: The name of a database; `nil` for all of them.
  /// - Returns: SQLite's code, the number of frames in the log of the first database, and how many of them are in
  ///   the database file; both numbers are -1 when there is no write-ahead log.
  @discardableResult func checkpoint(
    _ mode: Database.CheckpointMode, on name: String?
  ) -> (code: CInt, frameCount: CInt, checkpointedFrameCount: CInt) {
    let run = CheckpointRun(handle: self)
    var first: (frames: CInt, moved: CInt)?
    var result = SQLITE_OK
    // One after the other: a lock on the log of one would obstruct a checkpoint of another.
    let names: [String]
    switch databaseNames(name) {
    case .success(let found): names = found
    case .failure(let code): return (code, -1, -1)
    }
    for name in names {
      var frames: CInt = -1
      var moved: CInt = -1
      let code = run(mode, on: [name]) {
        unsafe sqlite3_wal_checkpoint_v2(pointer, name, mode.rawValue, &frames, &moved)
      }
      if first == nil { first = (frames, moved) }
      if result == SQLITE_OK { result = code }
    }
    return (result, first?.frames ?? -1, first?.moved ?? -1)
  }

  /// Runs a closure in which SQLite checkpoints a database of the connection, or all of them.
  ///
  /// - Returns: The code of the closure, or of the step before it that failed.
  func checkpointing(
    _ mode: Database.CheckpointMode, on name: String?, _ body: () -> CInt
  ) -> CInt {
    switch databaseNames(name) {
    case .success(let names): CheckpointRun(handle: self)(mode, on: names, body)
    case .failure(let code): code
    }
  }

  /// The names that are meant by a name in a call of SQLite; it takes an empty one for all databases.
  private func databaseNames(_ name: String?) -> Texts {
    if let name, !name.isEmpty { return .success([name]) }
    switch texts("PRAGMA database_list", column: 1) {
    case .success(let names): return .success(names.filter { $0 != "temp" })
    case .failure(let code): return .failure(code)
    }
  }

  /// The texts of a column, or SQLite's code.
  fileprivate enum Texts {
    case success([String])
    case failure(CInt)
  }

  /// Returns a column of the rows of a statement that the app does not notice.
  fileprivate func texts(_ sql: String, column: CInt = 0) -> Texts {
    var texts: [String] = []
    var code = SQLITE_DONE
    unnoticed {
      var statement: OpaquePointer?
      defer { unsafe sqlite3_finalize(statement) }
      code = unsafe sqlite3_prepare_v2(pointer, sql, -1, &statement, nil)
      guard code == SQLITE_OK else { return }
      code = unsafe sqlite3_step(statement)
      while code == SQLITE_ROW {
        texts.append(
          unsafe sqlite3_column_text(statement, column).map { unsafe String(cString: $0) } ?? "")
        code = unsafe sqlite3_step(statement)
      }
    }
    return code == SQLITE_DONE ? .success(texts) : .failure(code)
  }
}
