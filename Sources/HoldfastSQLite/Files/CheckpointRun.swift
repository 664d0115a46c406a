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
  let connection: OpaquePointer
  let busyHandler: BusyHandler

  /// Whether the databases are known to have been read in write-ahead-log mode.
  var hasReadLog = false

  /// Runs the closure with locks on the logs of some databases.
  ///
  /// A checkpoint that is not passive takes the lock of writers, under which the log cannot restart either. It
  /// continues as a passive one when it has waited for that lock in vain: it is then that the logs are locked.
  ///
  /// - Parameters:
  ///   - mode: The extent of the checkpoint.
  ///   - names: The names of the databases.
  ///   - body: Calls SQLite, and returns its code.
  /// - Returns: The code of the closure, or that of what must precede it: `SQLITE_BUSY` when a log cannot be locked.
  func callAsFunction(
    _ mode: Database.CheckpointMode, on names: [String], _ body: () -> CInt
  ) -> CInt {
    guard Self.isNeeded else { return body() }
    var shared: [String] = []
    for name in names {
      switch sharesLog(name) {
      case .success(true): shared.append(name)
      case .success(false): break
      case .failure(let failure): return failure.code
      }
    }
    let locks = LogReadLocks()
    defer { locks.release() }
    guard mode == .passive else {
      return waiting(body) {
        // An interrupted checkpoint stores no number of moved frames.
        if unsafe !locks.take(on: shared, of: connection) { unsafe sqlite3_interrupt(connection) }
      }
    }
    return unsafe locks.take(on: shared, of: connection) ? body() : SQLITE_BUSY
  }

  /// Runs the closure, and another one right before a wait for a lock in it is given up.
  private func waiting(_ body: () -> CInt, beforeGivingUp lock: @escaping () -> Void) -> CInt {
    guard unsafe busyHandler.isReplaced else {
      return busyHandler.run(beforeGivingUp: lock, body)
    }
    // SQLite's own handler, set by `PRAGMA busy_timeout`, notifies nobody.
    var milliseconds: CInt = 0
    do throws(Failure) {
      milliseconds = try CInt(text("PRAGMA busy_timeout") ?? "") ?? 0
    } catch {
      return error.code
    }
    let substitute = BusyHandler(mode: .timeout(Double(milliseconds) / 1000))
    unsafe substitute.install(on: connection)
    defer { unsafe sqlite3_busy_timeout(connection, milliseconds) }
    return substitute.run(beforeGivingUp: lock, body)
  }

  private static let isNeeded = SQLiteLibrary.current.hasWALResetBug

  private struct Failure: Error {
    let code: CInt
  }

  /// Whether other connections can use the log of a database.
  private func sharesLog(_ name: String) -> Result<Bool, Failure> {
    // SQLite checkpoints nothing while a transaction is open.
    guard unsafe sqlite3_txn_state(connection, name) == SQLITE_TXN_NONE else {
      return .success(false)
    }
    let schema = name.quotedDatabaseIdentifier
    do throws(Failure) {
      if !hasReadLog {
        guard try text("PRAGMA \(schema).journal_mode") == "wal" else { return .success(false) }
        // It opens the log, which SQLite would do in the checkpoint.
        _ = try text("SELECT 1 FROM \(schema).sqlite_master LIMIT 0")
      }
      // In this mode the connection keeps its locks, and nobody else has the database open.
      return .success(try text("PRAGMA \(schema).locking_mode") != "exclusive")
    } catch {
      return .failure(error)
    }
  }

  private func text(_ sql: String) throws(Failure) -> String? {
    var statement: OpaquePointer?
    var code = unsafe sqlite3_prepare_v2(connection, sql, -1, &statement, nil)
    defer { unsafe sqlite3_finalize(statement) }
    if code == SQLITE_OK { code = unsafe sqlite3_step(statement) }
    switch code {
    case SQLITE_DONE: return nil
    case SQLITE_ROW:
      return unsafe sqlite3_column_text(statement, 0).map { unsafe String(cString: $0) }
    default: throw Failure(code: code)
    }
  }
}

extension ConnectionHandle {
  /// Checkpoints a database of the connection, or all of them.
  ///
  /// - Parameters:
  ///   - mode: The extent.
  ///   - name: The name of a database; `nil` for all of them.
  /// - Returns: SQLite's code, the number of frames in the log, and how many of them are in the database file; both
  ///   numbers are -1 when there is no write-ahead log.
  @discardableResult func checkpoint(
    _ mode: Database.CheckpointMode, on name: String?
  ) -> (code: CInt, frameCount: CInt, checkpointedFrameCount: CInt) {
    var frames: CInt = -1
    var moved: CInt = -1
    let code = checkpointing(mode, on: name) {
      if let name {
        unsafe sqlite3_wal_checkpoint_v2(pointer, name, mode.rawValue, &frames, &moved)
      } else {
        unsafe sqlite3_wal_checkpoint_v2(pointer, nil, mode.rawValue, &frames, &moved)
      }
    }
    return (code, frames, moved)
  }

  /// Runs a closure in which SQLite checkpoints a database of the connection, or all of them.
  ///
  /// - Returns: The code of the closure, or that of what must precede it.
  func checkpointing(
    _ mode: Database.CheckpointMode, on name: String?, _ body: () -> CInt
  ) -> CInt {
    let run = unsafe CheckpointRun(connection: pointer, busyHandler: busyHandler)
    return run(mode, on: name.map { [$0] } ?? databaseNames, body)
  }

  /// The names of the main database and of those that are attached.
  private var databaseNames: [String] {
    var statement: OpaquePointer?
    defer { unsafe sqlite3_finalize(statement) }
    guard
      unsafe sqlite3_prepare_v2(pointer, "PRAGMA database_list", -1, &statement, nil) == SQLITE_OK
    else { return [] }
    var names: [String] = []
    while unsafe sqlite3_step(statement) == SQLITE_ROW {
      if let name = unsafe sqlite3_column_text(statement, 1) {
        names.append(unsafe String(cString: name))
      }
    }
    return names.filter { $0 != "temp" }
  }
}
