import Dispatch
import Foundation
import HoldfastFiles
import HoldfastSQLite
import Synchronization

/// The suspension of one database: ends its connections while suspended, admits accesses otherwise.
///
/// Connections are ended from outside their accesses, on any thread: a suspension does not wait for
/// the app's code, unless SQLite calls that code.
final class Suspension: Sendable {
  typealias State = SuspensionState<OpenConnection, Waiter<WaitOutcome>>

  /// The outcome of waiting for a resume.
  enum WaitOutcome: Sendable { case resumed, cancelled }

  /// The permission for an access, with which its connection is opened.
  struct AccessPermit: Sendable {
    /// The permission while the database is active, or if it cannot be suspended.
    static var unlimited: AccessPermit { AccessPermit() }

    var lease: State.Lease?
    /// Whether the access may only read, on a connection that is closed immediately afterwards.
    var isForReading = false
  }

  /// The absolute path of the database.
  let path: String

  private let state: Mutex<State>
  private let waitsForResume: Bool
  private let allowsReading: Bool

  // Read by each access, so that an active database costs no lock.
  private let isActive = Atomic(true)

  // Not one of the system's queues, because tasks may need their threads.
  private let waiting = DispatchQueue(label: "holdfast.suspension", qos: .userInitiated)

  private let endCount = Atomic(0)

  // One at a time: a second suspension, too, returns only when the connections are closed.
  private let endings = Mutex(())

  private struct Member {
    weak var pool: ConnectionPool?
  }

  private let members = Mutex<[Member]>([])

  private struct HeldLock {
    weak var lock: (any SuspendableLock)?
  }

  private let heldLocks = Mutex<[HeldLock]>([])
  private let notifications = Mutex<SuspensionNotifications?>(nil)

  /// Creates the suspension of an active database; `nil` if the configuration allows none.
  ///
  /// - Parameters:
  ///   - path: The file's path.
  ///   - configuration: Decides whether accesses to a suspended database wait, read or fail.
  init?(path: String, configuration: Configuration) {
    guard configuration.isSuspendable else { return nil }
    self.path = path
    waitsForResume = configuration.waitsForResume
    allowsReading = configuration.keepsReadingWhileSuspended
    state = Mutex(State(allowsReading: allowsReading))
    if configuration.suspendsOnBackgroundTimeExpiration {
      DatabaseBackgroundScheduler.shared.add(self)
    }
    if configuration.observesSuspensionNotifications {
      let notifications = SuspensionNotifications(self)
      self.notifications.withLock { $0 = notifications }
    }
  }

  /// Registers a pool: a suspension refuses its waiters, a resume notifies its observers.
  func add(_ pool: ConnectionPool) {
    members.withLock { members in
      members.removeAll { $0.pool == nil }
      members.append(Member(pool: pool))
    }
  }

  /// Registers a lock next to the database, which a suspension ends.
  func add(_ lock: any SuspendableLock) {
    heldLocks.withLock { locks in
      locks.removeAll { $0.lock == nil }
      locks.append(HeldLock(lock: lock))
    }
  }

  private var pools: [ConnectionPool] {
    members.withLock { $0.compactMap(\.pool) }
  }

  /// Whether the database is active: never suspended, or resumed since.
  var isResumed: Bool { isActive.load(ordering: .acquiring) }

  /// The number of times that connections were ended, possibly during accesses; incremented
  /// beforehand.
  var endingCount: Int { endCount.load(ordering: .sequentiallyConsistent) }

  /// The number of waiters for the resume.
  var waitingCount: Int { state.withLock { $0.waitingCount } }

  // MARK: - Accesses

  /// Admits an access; if the configuration says so, blocks the thread until the resume.
  ///
  /// - Throws: `DatabaseError` with `SQLITE_ABORT` when the database is suspended.
  func admit(to pool: ConnectionPool) throws -> AccessPermit {
    while true {
      if let permit = try currentPermit(for: pool) { return permit }
      waitForResume()
    }
  }

  /// Blocks the thread until the resume.
  func waitForResume() {
    _ = Waiter<WaitOutcome>.wait(enqueue)
  }

  /// Admits an access; if the configuration says so, suspends the task until the resume.
  ///
  /// - Throws: `DatabaseError` with `SQLITE_ABORT` when the database is suspended;
  ///   `CancellationError`.
  func admit(to pool: ConnectionPool) async throws -> AccessPermit {
    while true {
      if let permit = try currentPermit(for: pool) { return permit }
      try await waitForResume()
    }
  }

  /// Suspends the task until the resume.
  ///
  /// - Throws: `CancellationError`.
  func waitForResume() async throws {
    _ = await Waiter<WaitOutcome>.wait {
      enqueue($0)
    } onCancel: { waiter in
      if state.withLock({ $0.leave(waiter) }) { waiter.end(.cancelled) }
    }
    try Task.checkCancellation()
  }

  private func enqueue(_ waiter: Waiter<WaitOutcome>) {
    if !state.withLock({ $0.wait(waiter) }) { waiter.end(.resumed) }
  }

  /// Returns the permit for an access now; `nil` if the access must wait.
  private func currentPermit(for pool: ConnectionPool) throws -> AccessPermit? {
    if isResumed { return .unlimited }
    let lease = BackgroundLease.current[ObjectIdentifier(self)]
    switch state.withLock({ $0.admission(in: lease) }) {
    case .granted: return AccessPermit(lease: lease)
    case .reading: return AccessPermit(isForReading: true)
    case .refused:
      // A resume does not restore a snapshot, so waiting for it would be pointless.
      guard waitsForResume, !pool.isSnapshot else { throw pool.suspended }
      return nil
    }
  }

  /// Admits an access without waiting, for observations: they are notified of the resume.
  func admitNow(to pool: ConnectionPool) throws -> AccessPermit {
    guard let permit = try currentPermit(for: pool) else { throw pool.suspended }
    return permit
  }

  /// Returns whether an access that was admitted may use a connection that is open.
  ///
  /// If the database is suspended only afterwards, the suspension ends the connection.
  func stillAdmits(_ permit: AccessPermit) -> Bool {
    if isResumed || permit.isForReading { return true }
    return state.withLock { state in
      if case .granted = state.admission(in: permit.lease) { true } else { false }
    }
  }

  /// Registers a connection that is opened for an access, before it opens the file.
  ///
  /// - Throws: `DatabaseError` with `SQLITE_ABORT` when the database was suspended meanwhile.
  func register(_ connection: OpenConnection, for permit: AccessPermit) throws {
    let isOpen = state.withLock {
      $0.open(connection, in: permit.lease, isForReading: permit.isForReading)
    }
    guard isOpen else { throw DatabaseError.suspended(path: path) }
  }

  /// Removes a closed connection.
  func remove(_ connection: OpenConnection) {
    state.withLock { $0.close(connection) }
  }

  // MARK: - Suspending

  /// Refuses accesses, ends those that run, and closes every connection.
  ///
  /// - Parameter limit: The maximum wait for operations that cannot be interrupted.
  /// - Returns: The accesses that were ended, and the locks that remain.
  @discardableResult
  func suspend(within limit: Duration) -> SuspensionReport {
    let start = ContinuousClock.now
    state.withLock { state in
      // Together, so that a resume on another thread happens before both or after both.
      isActive.store(false, ordering: .sequentiallyConsistent)
      state.suspend()
    }
    for held in heldLocks.withLock({ $0 }) { held.lock?.end() }
    // Accesses that wait for a connection hold none. Those that may wait for the resume stay
    // queued.
    if !waitsForResume {
      for pool in pools { pool.failWaiters() }
    }
    let report = end(since: start, within: limit) { $0.connectionsToEnd }
    log(report)
    return report
  }

  /// Suspends the database as the blocking form does, without blocking a thread of tasks.
  func suspendAwaited(within limit: Duration) async -> SuspensionReport {
    await withCheckedContinuation { continuation in
      waiting.async { [self] in continuation.resume(returning: suspend(within: limit)) }
    }
  }

  private func end(
    since start: ContinuousClock.Instant, within limit: Duration,
    _ connections: (inout State) -> [OpenConnection]
  ) -> SuspensionReport {
    let deadline = DispatchTime.now() + .nanoseconds(Int(clamping: limit.nanoseconds))
    var report = SuspensionReport()
    report.allowsReading = allowsReading
    let isMine: Void? = withEndings(before: deadline) {
      endCount.add(1, ordering: .sequentiallyConsistent)
      // All connections are claimed before the first wait, so that each stops as soon as it can;
      // and before any access is admitted again, which could get a connection that is about to be
      // claimed.
      let found = state.withLock { state in
        connections(&state).map { connection in (connection, connection.claim()) }
      }
      let claims = found.compactMap { connection, claim in claim.map { (connection, $0) } }
      for (connection, claim) in found where claim == nil {
        // An earlier suspension did not wait for it until it was closed.
        if connection.waitUntilClosed(before: deadline) {
          remove(connection)
        } else {
          report.notFree.append(OpenConnection.runningCall)
        }
      }
      // Idle connections first: meanwhile the accesses close the others.
      for (connection, claim) in claims.filter({ !$1.isOccupied }) + claims.filter(\.1.isOccupied) {
        let end = claim.end(before: deadline)
        report.add(end, of: claim)
        // One that is not closed yet keeps its locks: the next suspension has to know of it.
        if end != nil { remove(connection) }
      }
    }
    if isMine == nil {
      report.notFree.append(
        "another suspension of the database, or the end of a lease, still waits")
    }
    report.prove(databaseAt: path)
    report.duration = start.duration(to: .now)
    return report
  }

  /// Runs the closure once no other thread ends connections; returns `nil` at the limit.
  private func withEndings(before limit: DispatchTime, _ body: () -> Void) -> Void? {
    while true {
      if let done: Void = endings.withLockIfAvailable({ _ in body() }) { return done }
      guard DispatchTime.now() < limit else { return nil }
      SystemCalls.sleep(milliseconds: 1)
    }
  }

  /// Admits all accesses again, and notifies observers that everything may have changed.
  func resume() {
    // Before the waiters and observers are notified, so that their accesses are admitted.
    let waiters = state.withLock { state in
      let waiters = state.resume()
      isActive.store(true, ordering: .sequentiallyConsistent)
      return waiters
    }
    guard let waiters else { return }
    for waiter in waiters { waiter.end(.resumed) }
    Log.report(.notice, .suspension, "\(Log.name(path)): Resumed")
    for pool in pools { pool.externalCommits.resume() }
  }

  // MARK: - Leases

  /// Begins a lease.
  func beginLease() -> State.Lease {
    state.withLock { $0.beginLease() }
  }

  /// Ends a lease; the last one of a suspended database closes the connections of all leases.
  @discardableResult
  func endLease(_ lease: State.Lease, within limit: Duration) -> SuspensionReport {
    let report = end(since: .now, within: limit) { $0.endLease(lease) }
    if !report.notFree.isEmpty { log(report) }
    return report
  }

  private func log(_ report: SuspensionReport) {
    Log.report(
      report.isFree ? .notice : .error, .suspension, "\(Log.name(path)): \(report.summary)")
  }

  /// Ends a lease, and waits outside the threads of tasks.
  func endLeaseAwaited(_ lease: State.Lease, within limit: Duration) async {
    await withCheckedContinuation { continuation in
      waiting.async { [self] in
        endLease(lease, within: limit)
        continuation.resume()
      }
    }
  }
}

extension Duration {
  fileprivate var nanoseconds: Int64 {
    let (seconds, attoseconds) = components
    let (whole, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
    return overflow ? .max : whole.addingReportingOverflow(attoseconds / 1_000_000_000).partialValue
  }
}

extension SuspensionReport {
  /// Checks for remaining locks, where the kernel lists them.
  fileprivate mutating func prove(databaseAt path: String) {
    do throws(FileError) {
      // Throws when the file is gone: without a name its locks cannot be found.
      let files = try DatabaseFiles(resolving: FilePath(path))
      let held = try LockTable.locksOfThisProcess(on: [files])
      heldLocks = held
      locks = held.isEmpty ? .proved : .left
    } catch {
      // There is no list of locks; what is known is whether all connections are closed.
      locks = notFree.isEmpty ? .closed : .left
    }
  }

  fileprivate mutating func add(_ end: ConnectionEnd?, of claim: OpenConnection.Claim) {
    guard let end else { return notFree.append(OpenConnection.runningCall) }
    closedConnectionCount += 1
    if end.interruptedStatement { interruptedStatementCount += 1 }
    switch end.transaction {
    case .write: rolledBackTransactionCount += 1
    case .read: endedReadTransactionCount += 1
    case .none: break
    }
    if let refusal = end.refusal { notFree.append(refusal.description) }
  }
}
