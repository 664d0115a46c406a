#if SQLCipher
  internal import CSQLCipher
#else
  internal import CSQLite
#endif

/// The automatic checkpoint of a connection, in place of SQLite's own.
///
/// It is the same checkpoint after the same commits, but the log cannot restart in its middle. `PRAGMA
/// wal_autocheckpoint` sets and reports the number of pages as without it.
///
/// - SeeAlso: <https://www.sqlite.org/c3ref/wal_autocheckpoint.html>
@safe
final class AutomaticCheckpoint {
  // Unowned and unchecked because the handle owns it, and may close the connection as it ends.
  private unowned(unsafe) let handle: ConnectionHandle

  /// The number of frames in the log from which a commit is followed by a checkpoint; never, if it is not positive.
  private var limit: CInt = 0

  /// Takes over SQLite's automatic checkpoint.
  init(of handle: ConnectionHandle) {
    unsafe self.handle = handle
    takeOver()
  }

  /// Runs a closure that prepares `PRAGMA wal_autocheckpoint`, which sets or reports SQLite's own checkpoint.
  func givenBack<Value>(_ prepare: () throws -> Value) rethrows -> Value {
    unsafe sqlite3_wal_autocheckpoint(handle.pointer, limit)
    defer { takeOver() }
    return try prepare()
  }

  private func takeOver() {
    let before = unsafe sqlite3_wal_hook(
      handle.pointer,
      { context, connection, name, frameCount in
        guard let context = unsafe context, let connection = unsafe connection,
          let name = unsafe name
        else { return SQLITE_OK }
        let own = unsafe Unmanaged<AutomaticCheckpoint>.fromOpaque(context).takeUnretainedValue()
        // "Checkpoints initiated by this mechanism are PASSIVE", and a failed one is tried after the next commit.
        if own.limit > 0, frameCount >= own.limit {
          let run = unsafe CheckpointRun(handle: own.handle, hasLog: true)
          _ = unsafe run(.passive, on: [String(cString: name)]) {
            unsafe sqlite3_wal_checkpoint_v2(connection, name, SQLITE_CHECKPOINT_PASSIVE, nil, nil)
          }
        }
        return SQLITE_OK
      }, Unmanaged.passUnretained(self).toOpaque())
    // SQLite keeps the number of its own checkpoint as the argument of its hook.
    limit = CInt(truncatingIfNeeded: Int(bitPattern: before))
  }
}
