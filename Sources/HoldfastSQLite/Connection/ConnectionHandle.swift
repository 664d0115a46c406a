internal import CSQLite
import Synchronization

/// Owns one `sqlite3` handle: opens it, interrupts it from any thread, closes it once.
///
/// - SeeAlso: <https://www.sqlite.org/c3ref/open.html>
@safe
final class ConnectionHandle {
  // `sqlite3_interrupt` is allowed from any thread, but not while the connection closes: this lock
  // stands between the two, and only between them.
  private let interruptible: Mutex<Bool>
  let pointer: OpaquePointer
  let busyHandler: BusyHandler
  private let token: AccessToken

  /// Whether accesses may use it: an access that closes it says no, and nobody else does.
  private(set) var isOpen = true

  // Written under the gate only, where whoever ends the connection looks at it.
  private var isClosed = false

  /// What an access found that closed the claimed connection as it came out; written before it
  /// reports, and read after that.
  private(set) var endFromInside: ConnectionEnd?

  /// Keeps the access and whoever suspends the database apart; `nil` when nobody can suspend it.
  let gate: ConnectionGate?

  /// The path of the file, for errors.
  private let path: String?

  /// Who is told what runs; kept here because SQLite may tell until the connection is closed.
  var tracing: Tracing?

  // Only these are ours to finalize. `sqlite3_next_stmt` knows also those that a virtual table
  // such as FTS5 keeps for itself, and finalizes when the connection closes.
  private var statements: Set<OpaquePointer> = unsafe []

  init(
    at location: DatabaseLocation, isReadOnly: Bool, busyMode: Database.BusyMode,
    isSuspendable: Bool = false, token: AccessToken
  ) throws(DatabaseError) {
    guard sqlite3_threadsafe() != 0 else { throw .threadsafetyMissing() }
    // SQLite would open a file without a name that nobody finds again, or the file whose name
    // ends at the NUL.
    let name = location.name
    let given = location.path ?? name
    guard !given.isEmpty, !given.utf8.contains(0) else { throw .unusable(path: given) }
    let mode = isReadOnly ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
    var pointer: OpaquePointer?
    // One access at a time is ours to guarantee, so SQLite's own mutex would only cost.
    let flags =
      mode | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE | (location.isURI ? SQLITE_OPEN_URI : 0)
    let code =
      if let storage = location.storage {
        unsafe sqlite3_open_v2(name, &pointer, flags, storage)
      } else {
        unsafe sqlite3_open_v2(name, &pointer, flags, nil)
      }
    guard code == SQLITE_OK, let pointer = unsafe pointer else {
      let error = unsafe Self.error(code, of: pointer, sql: nil, path: location.path)
      unsafe sqlite3_close(pointer)
      throw error
    }
    unsafe self.pointer = pointer
    self.token = token
    gate = isSuspendable ? ConnectionGate() : nil
    path = location.path
    interruptible = Mutex(true)
    busyHandler = BusyHandler(mode: busyMode)
    unsafe sqlite3_busy_handler(
      pointer,
      { context, tries in
        guard let context = unsafe context else { return 0 }
        let handler = unsafe Unmanaged<BusyHandler>.fromOpaque(context).takeUnretainedValue()
        return handler.waits(numberOfTries: Int(tries)) ? 1 : 0
      },
      Unmanaged.passUnretained(busyHandler).toOpaque())
  }

  deinit {
    _ = close()
  }

  /// Finalizes every statement and closes; the locks of the connection end here.
  ///
  /// - Returns: Why SQLite refused.
  func close() -> DatabaseError? {
    guard isOpen else { return nil }
    do throws(DatabaseError) {
      try enter()
    } catch {
      // It was ended from outside, or is by whoever claimed it.
      isOpen = false
      return nil
    }
    defer { leave() }
    isOpen = false
    // The last to close moves the log into the file, which cannot be interrupted when SQLite does it
    // in closing. That some of it stays in the log is no error.
    if gate != nil, unsafe sqlite3_db_readonly(pointer, "main") == 0 {
      unsafe sqlite3_wal_checkpoint_v2(pointer, nil, SQLITE_CHECKPOINT_PASSIVE, nil, nil)
    }
    return closeNow()
  }

  /// Closes the connection after a claim; its access is out of SQLite for good.
  ///
  /// - Parameter interruptedStatement: Whether the access was inside when the claim came.
  /// - Returns: What was found and undone.
  func endClaimed(interruptedStatement: Bool) -> ConnectionEnd {
    var end = ConnectionEnd(
      transaction: .none, interruptedStatement: interruptedStatement, refusal: nil)
    // The access was closing it when it was claimed.
    guard !isClosed else { return end }
    // What is undone here is told to the app by its own thread, later.
    unsafe ChangeHooks.remove(from: pointer)
    unsafe sqlite3_trace_v2(pointer, 0, nil, nil)
    end.transaction =
      switch unsafe sqlite3_txn_state(pointer, nil) {
      case SQLITE_TXN_WRITE: .write
      case SQLITE_TXN_READ: .read
      default: .none
      }
    end.refusal = closeNow()
    return end
  }

  private func closeNow() -> DatabaseError? {
    isClosed = true
    interruptible.withLock { $0 = false }
    unsafe statements.forEach { statement in
      unsafe sqlite3_finalize(statement)
    }
    unsafe statements = []
    if gate != nil {
      _ = unsafe holdfast_db_config(pointer, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1)
    }
    // Never `sqlite3_close_v2`: a connection it leaves half-closed keeps its locks.
    let code = unsafe sqlite3_close(pointer)
    return code == SQLITE_OK ? nil : unsafe Self.error(code, of: pointer, sql: nil, path: path)
  }

  // MARK: - Suspension

  /// Goes into SQLite, where nobody ends the connection.
  ///
  /// - Throws: `SQLITE_ABORT` when the connection was ended because its database is suspended.
  @inline(__always)
  func enter() throws(DatabaseError) {
    guard let gate, !gate.enter() else { return }
    throw .transactionAborted(path: path)
  }

  /// Comes out of SQLite.
  @inline(__always)
  func leave() {
    guard let gate, gate.leave() else { return }
    endFromInside = endClaimed(interruptedStatement: true)
    gate.reportClosed()
  }

  /// Runs calls of SQLite, under which nobody ends the connection.
  @inline(__always)
  func inside<Value>(_ body: () throws -> Value) throws -> Value {
    try enter()
    defer { leave() }
    return try body()
  }

  /// Runs calls of SQLite; not at all, and `nil`, when the connection was ended.
  @discardableResult
  @inline(__always)
  func ifPresent<Value>(_ body: () -> Value) -> Value? {
    if let gate, !gate.enter() { return nil }
    defer { leave() }
    return body()
  }

  /// Whether whoever suspends the database claimed the connection.
  var isClaimed: Bool { gate?.isClaimed ?? false }

  /// Takes a statement over, which is finalized when the connection closes at the latest.
  func own(_ statement: OpaquePointer) {
    unsafe statements.insert(statement)
  }

  /// Finalizes a statement that nobody uses any more.
  func finalize(_ statement: OpaquePointer) {
    // Elsewhere another thread may be using the connection: then it is done at the closing.
    guard isLent else { return }
    ifPresent {
      unsafe statements.remove(statement)
      unsafe sqlite3_finalize(statement)
    }
  }

  /// Whether the connection is open and lent to this thread.
  var isLent: Bool {
    token.isHeldByCurrentThread && isOpen
  }

  /// Whether a transaction is open.
  var hasOpenTransaction: Bool {
    ifPresent { unsafe sqlite3_get_autocommit(pointer) == 0 } ?? false
  }

  /// Whether a transaction has read, and not written.
  var isReading: Bool {
    unsafe sqlite3_txn_state(pointer, "main") == SQLITE_TXN_READ
  }

  /// The size of the write-ahead log's file, in bytes; 0 when it is not open.
  var logSize: Int64 {
    var file: UnsafeMutablePointer<sqlite3_file>?
    let code = unsafe sqlite3_file_control(
      pointer, "main", SQLITE_FCNTL_JOURNAL_POINTER, &file)
    guard code == SQLITE_OK, let file = unsafe file,
      let fileSize = unsafe file.pointee.pMethods?.pointee.xFileSize
    else { return 0 }
    var size: Int64 = 0
    return unsafe fileSize(file, &size) == SQLITE_OK ? size : 0
  }

  /// Ends the process if the connection is not lent to this thread.
  func checkAccess() {
    guard isLent else { Misuse.trap(Misuse.outsideAccess) }
  }

  /// Ends the running statement with `SQLITE_INTERRUPT`, and its wait for a lock with it; does
  /// nothing when none runs.
  func interrupt() {
    // `sqlite3_interrupt` alone does not end the waiting for a lock.
    busyHandler.interrupt()
    interruptible.withLock { isInterruptible in
      if isInterruptible { unsafe sqlite3_interrupt(pointer) }
    }
  }

  /// The error for a code that a call on this connection just returned.
  ///
  /// What an interruption may have caused is told as one, and as the suspension's where that was what
  /// interrupted.
  func error(_ code: CInt, sql: String?, path: String?) -> DatabaseError {
    let error = unsafe Self.error(code, of: pointer, sql: sql, path: path)
    guard error.mayComeFromInterruption else { return error }
    if isClaimed {
      return error.resultCode == .SQLITE_ABORT
        ? .transactionAborted(sql: sql, path: path) : .suspensionInterrupted(sql: sql, path: path)
    }
    // A transaction that was rolled back under a reader is not what interrupted it.
    return busyHandler.isInterrupted && error.resultCode != .SQLITE_ABORT
      ? .interrupted(sql: sql, path: path) : error
  }

  private static func error(
    _ code: CInt, of pointer: OpaquePointer?, sql: String?, path: String?
  ) -> DatabaseError {
    var error = DatabaseError(
      resultCode: ResultCode(rawValue: code), sql: sql, path: path)
    guard let pointer = unsafe pointer else { return error }
    if unsafe sqlite3_errcode(pointer) & 0xFF == code & 0xFF {
      error.message = unsafe String(cString: sqlite3_errmsg(pointer))
      error.extendedResultCode = unsafe ResultCode(rawValue: sqlite3_extended_errcode(pointer))
      switch error.resultCode {
      // SQLite takes the `errno` down for these codes only; with others it is an older one.
      case .SQLITE_IOERR, .SQLITE_CANTOPEN:
        error.systemErrno = unsafe sqlite3_system_errno(pointer)
      default:
        break
      }
    }
    return error
  }
}

// Sendable because `interrupt()`, `busyHandler` and the two constants are safe from any thread;
// everything else is called by the one thread that holds the connection's access.
extension ConnectionHandle: @unchecked Sendable {}
