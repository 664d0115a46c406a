import Synchronization

#if SQLCipher
  internal import CSQLCipher
#else
  internal import CSQLite
#endif

/// An `sqlite3` handle, which can be interrupted from any thread and is closed once.
///
/// - SeeAlso: <https://www.sqlite.org/c3ref/open.html>
@safe
final class ConnectionHandle {
  private struct Interruptible {
    /// Whether the connection is open.
    var isOpen = true
    /// Whether an interruption of the access waits for a part of it.
    var isDeferred = false
    /// Whether one waits.
    var isPending = false
  }

  // `sqlite3_interrupt` is allowed from any thread, but not while the connection closes: this lock
  // protects these two calls from each other.
  private let interruptible = Mutex(Interruptible())
  let pointer: OpaquePointer
  let busyHandler: BusyHandler
  private let token: AccessToken

  /// Whether accesses may use the handle; only an access that closes it sets this to false.
  private(set) var isOpen = true

  /// Whether the connection has read its file; until then closing it must not open the file.
  var hasReadFile = false

  // Used only inside the gate or by the claimant.
  private var isClosed = false

  /// The result of an access that closed the claimed connection as it left.
  ///
  /// It is written before the access reports the closing, and read after that.
  private(set) var endFromInside: ConnectionEnd?

  /// The gate between the access and a suspension; `nil` when the database cannot be suspended.
  let gate: ConnectionGate?

  // The same, to be called without a retain and a release for each row.
  private let borrowedGate: Unmanaged<ConnectionGate>?

  /// The last error of the connection's tokenizers; kept here because SQLite may call them until the
  /// connection is closed.
  let tokenizerFailure = TokenizerFailure()

  /// The path of the file, for errors.
  private let path: String?

  /// The trace of statements; kept here because SQLite may call it until the connection is closed.
  var tracing: Tracing?

  /// The automatic checkpoint; `nil` for a connection that only reads, or uses SQLite's own.
  private(set) var automaticCheckpoint: AutomaticCheckpoint?

  /// The authorizer, once the connection has one.
  weak var authorizer: StatementAuthorizer?

  /// Whether the functions that are added from now on may not be called by the file's schema.
  var hasForeignSchema = false

  /// The limit of steps; kept here for the same reason.
  var stepLimit: StepLimit?

  // Here and not in `Database`, because a claimant uses it too.
  /// The statements that run, in the order in which they began.
  @exclusivity(unchecked) var activeStatements = ActiveStatements()

  // Only these are ours to finalize. `sqlite3_next_stmt` also returns those that a virtual table
  // such as FTS5 owns, and finalizes when the connection closes.
  private var statements: Set<OpaquePointer> = unsafe []

  init(
    at location: DatabaseLocation, isReadOnly: Bool, busyMode: Database.BusyMode,
    isSuspendable: Bool = false, attachesURIs: Bool = false, token: AccessToken
  ) throws(DatabaseError) {
    guard sqlite3_threadsafe() != 0 else { throw .threadsafetyMissing() }
    // SQLite would open a temporary file without a name, or the file whose name ends at the NUL.
    let name = location.name
    let given = location.path ?? name
    guard !given.isEmpty || location.path == nil, !given.utf8.contains(0) else {
      throw .unusable(path: given)
    }
    let mode = isReadOnly ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
    var pointer: OpaquePointer?
    // Holdfast guarantees one access at a time, so SQLite's own mutex would only cost.
    // What is attached later is interpreted by the flag of the connection.
    let opensURIs = location.isURI || attachesURIs
    let flags =
      mode | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE | (opensURIs ? SQLITE_OPEN_URI : 0)
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
    unsafe borrowedGate = gate.map { unsafe Unmanaged.passUnretained($0) }
    path = location.path
    busyHandler = BusyHandler(mode: busyMode)
    unsafe busyHandler.install(on: pointer)
    if !isReadOnly, CheckpointRun.isNeeded { automaticCheckpoint = AutomaticCheckpoint(of: self) }
  }

  deinit {
    _ = close()
  }

  /// Finalizes all statements and closes the connection, which releases its locks.
  ///
  /// - Returns: The error if SQLite refused.
  func close() -> DatabaseError? {
    guard isOpen else { return nil }
    do throws(DatabaseError) {
      try enter()
    } catch {
      // The claimant has closed it, or will.
      isOpen = false
      return nil
    }
    defer { leave() }
    isOpen = false
    // The last connection to close moves the log into the file, which cannot be interrupted when
    // SQLite does it while closing. If some of it stays in the log, that is no error.
    if gate != nil, hasReadFile, unsafe sqlite3_db_readonly(pointer, "main") == 0 {
      checkpoint(.passive, on: nil)
    }
    return closeNow()
  }

  /// Closes the connection after a claim; its access cannot call SQLite any more.
  ///
  /// - Parameter interruptedStatement: Whether the access was inside SQLite when it was claimed.
  /// - Returns: The state in which the connection was closed.
  func endClaimed(interruptedStatement: Bool) -> ConnectionEnd {
    var end = ConnectionEnd(
      transaction: .none, interruptedStatement: interruptedStatement, refusal: nil)
    // The access was closing it when it was claimed.
    guard !isClosed else { return end }
    // The access's own thread notifies the app later of what is undone here.
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
    interruptible.withLock { $0.isOpen = false }
    unsafe statements.forEach { statement in
      unsafe sqlite3_finalize(statement)
    }
    unsafe statements = []
    if gate != nil {
      _ = unsafe holdfast_db_config(pointer, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1)
    }
    // Never `sqlite3_close_v2`: it may leave a half-closed connection, which keeps its locks.
    let code = unsafe sqlite3_close(pointer)
    guard code == SQLITE_OK else {
      return unsafe Self.error(code, of: pointer, sql: nil, path: path)
    }
    // A closure that holds the connection would keep it, and itself, for ever.
    tracing = nil
    return nil
  }

  /// Runs a closure whose statements the app neither authorizes nor traces.
  func unnoticed(_ body: () -> Void) {
    let tracing = tracing
    tracing?.isPaused = true
    defer { tracing?.isPaused = false }
    authorizer?.withoutUser(body) ?? body()
  }

  // MARK: - Suspension

  /// Enters SQLite, so that the connection cannot be closed from outside.
  ///
  /// - Throws: `SQLITE_ABORT` when the connection was closed because its database is suspended.
  @inline(__always)
  func enter() throws(DatabaseError) {
    guard entersIfPresent() else { throw .transactionAborted(path: path) }
  }

  /// Closes the claimed connection, unless the claimant does, after the access could not enter.
  @inline(never)
  private func refuse() {
    closeClaimed(interruptedStatement: false)
    gate?.waitForClaim()
  }

  @inline(never)
  private func closeClaimed(interruptedStatement: Bool) {
    guard let gate, gate.takesOnClosing() else { return }
    copyRows()
    endFromInside = endClaimed(interruptedStatement: interruptedStatement)
    gate.reportClosed()
  }

  /// Leaves SQLite, and closes the connection if it was claimed meanwhile.
  ///
  /// - Parameter interruptedStatement: Whether a claim interrupted a statement, and not only the reading of a value.
  @inline(__always)
  func leave(interruptedStatement: Bool = true) {
    guard let gate = unsafe borrowedGate, unsafe gate.withBorrowed({ $0.leave() }) else { return }
    closeClaimed(interruptedStatement: interruptedStatement)
  }

  /// Runs calls of SQLite, during which the connection cannot be closed from outside.
  @inline(__always)
  func inside<Value>(_ body: () throws -> Value) throws -> Value {
    try enter()
    defer { leave() }
    return try body()
  }

  /// Runs calls of SQLite, or returns `nil` without running them when the connection was claimed.
  @discardableResult
  @inline(__always)
  func ifPresent<Value>(_ body: () -> Value) -> Value? {
    guard entersIfPresent() else { return nil }
    defer { leave() }
    return body()
  }

  /// Enters SQLite; returns false when the connection was claimed.
  @inline(__always)
  func entersIfPresent() -> Bool {
    guard let gate = unsafe borrowedGate, unsafe !gate.withBorrowed({ $0.enter() }) else {
      return true
    }
    refuse()
    return false
  }

  /// Copies the values of the rows that the access reads, before their statements are finalized.
  ///
  /// Nobody else uses the statements: the access is outside and cannot enter.
  func copyRows() {
    unsafe activeStatements.forEach { $0.copyPausedRow() }
  }

  /// Whether a suspension claimed the connection.
  var isClaimed: Bool { gate?.isClaimed ?? false }

  /// Takes ownership of a statement, which is finalized at the latest when the connection closes.
  func own(_ statement: OpaquePointer) {
    unsafe statements.insert(statement)
  }

  /// Finalizes a statement that is no longer used.
  func finalize(_ statement: OpaquePointer) {
    // Otherwise another thread may be using the connection; the statement is finalized at closing.
    guard isAccessible else { return }
    ifPresent {
      unsafe statements.remove(statement)
      unsafe sqlite3_finalize(statement)
    }
  }

  /// Resets the statements that virtual tables keep active during a transaction, before it is rolled back.
  ///
  /// FTS5 and R-tree keep one that reads their content. Such a table finds its place again when it reads on.
  func resetStatementsOfVirtualTables() {
    ifPresent {
      var next = unsafe sqlite3_next_stmt(pointer, nil)
      while let statement = unsafe next {
        // A statement of ours that is still busy is the one that calls this, by a function of the app.
        if unsafe !statements.contains(statement) && sqlite3_stmt_busy(statement) != 0 {
          unsafe sqlite3_reset(statement)
        }
        unsafe next = sqlite3_next_stmt(pointer, statement)
      }
    }
  }

  /// Whether the connection is open and the current thread holds it.
  var isAccessible: Bool {
    token.isHeldByCurrentThread && isOpen
  }

  /// Whether a transaction is open.
  var hasOpenTransaction: Bool {
    ifPresent { unsafe sqlite3_get_autocommit(pointer) == 0 } ?? false
  }

  /// Whether a transaction is open that has read and not written.
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

  /// Ends the process if the current thread does not hold the connection.
  func checkAccess() {
    guard isAccessible else { Misuse.trap(Misuse.outsideAccess) }
  }

  /// Ends the running statement, and its wait for a lock, with `SQLITE_INTERRUPT`.
  ///
  /// It has no effect when none runs.
  func interrupt() {
    // `sqlite3_interrupt` alone does not end a wait for a lock.
    busyHandler.interrupt()
    interruptible.withLock { state in
      if state.isOpen { unsafe sqlite3_interrupt(pointer) }
    }
  }

  /// Ends the running statement, and those that follow in the access, with `SQLITE_INTERRUPT`.
  func interruptAccess() {
    interruptible.withLock { state in
      guard !state.isDeferred else { return state.isPending = true }
      busyHandler.isAccessInterrupted.store(true, ordering: .relaxed)
      busyHandler.interrupt()
      if state.isOpen { unsafe sqlite3_interrupt(pointer) }
    }
  }

  /// Forgets the interruption of an access that ended.
  func endInterruptionOfAccess() {
    interruptible.withLock { state in
      state.isPending = false
      busyHandler.isAccessInterrupted.store(false, ordering: .relaxed)
    }
  }

  /// Runs the closure, which an interruption of the access does not end.
  func deferringInterruption(_ body: () -> Void) {
    let isOutermost = interruptible.withLock { state in
      guard !state.isDeferred else { return false }
      state.isDeferred = true
      state.isPending = busyHandler.isAccessInterrupted.exchange(false, ordering: .relaxed)
      return true
    }
    body()
    guard isOutermost else { return }
    interruptible.withLock { state in
      busyHandler.isAccessInterrupted.store(state.isPending, ordering: .relaxed)
      state.isDeferred = false
      state.isPending = false
    }
  }

  /// Returns the error for a code that a call on this connection just returned.
  ///
  /// A failure that an interruption may have caused is reported as an interruption, or as caused by
  /// the suspension if that interrupted the statement.
  func error(_ code: CInt, sql: String?, path: String?) -> DatabaseError {
    var error = unsafe Self.error(code, of: pointer, sql: sql, path: path)
    if let message = error.message,
      let better = tokenizerFailure.message(for: code, insteadOf: message)
    {
      error.message = better
    }
    guard error.mayComeFromInterruption else { return error }
    if isClaimed {
      return error.resultCode == .SQLITE_ABORT
        ? .transactionAborted(sql: sql, path: path) : .suspensionInterrupted(sql: sql, path: path)
    }
    // `SQLITE_ABORT` comes from a rollback under a reader, not from an interruption.
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
      // SQLite records `errno` for these codes only; for others it is an older one.
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
