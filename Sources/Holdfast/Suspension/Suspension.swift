import Dispatch
import Foundation
import HoldfastFiles
import HoldfastSQLite
import Synchronization

/// Ends all connections of one database while it is suspended, and lets accesses in otherwise.
///
/// The connections are ended from outside of their accesses, in any thread: nobody waits for code of
/// the app's, unless that code is called by SQLite.
final class Suspension: Sendable {
  typealias State = SuspensionState<OpenConnection, Waiter<WaitOutcome>>

  /// How waiting for a resume ends.
  enum WaitOutcome: Sendable { case resumed, cancelled }

  /// What an access was let in with; its connection is opened with it.
  struct AccessPermit: Sendable {
    var lease: State.Lease?
    /// Whether the access may only read, on a connection that is closed right after.
    var isForReading = false
  }

  /// The absolute path of the database.
  let path: String

  private let state: Mutex<State>
  private let waitsForResume: Bool
  private let allowsReading: Bool

  // Looked at by each access, so that an active database costs no lock.
  private let isActive = Atomic(true)

  // Not one of the system's queues, whose threads tasks may need.
  private let waiting = DispatchQueue(label: "holdfast.suspension", qos: .userInitiated)

  private let endCount = Atomic(0)

  // One after the other: whoever suspends second returns when the connections are closed, too.
  private let endings = Mutex(())

  private struct Member {
    weak var pool: ConnectionPool?
  }

  private let members = Mutex<[Member]>([])

  private struct HeldLock {
    weak var lock: OpeningLock?
  }

  private let openingLocks = Mutex<[HeldLock]>([])
  private let notifications = Mutex<SuspensionNotifications?>(nil)

  /// Creates an active database; `nil` when the configuration allows no suspension.
  ///
  /// - Parameters:
  ///   - path: The file's path.
  ///   - configuration: Says what becomes of accesses while it is suspended.
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

  /// Lets a pool's line be dismissed by a suspension, and its followers be told of a resume.
  func add(_ pool: ConnectionPool) {
    members.withLock { members in
      members.removeAll { $0.pool == nil }
      members.append(Member(pool: pool))
    }
  }

  /// Lets a suspension end a lock that is held while the database is opened.
  func add(_ lock: OpeningLock) {
    openingLocks.withLock { locks in
      locks.removeAll { $0.lock == nil }
      locks.append(HeldLock(lock: lock))
    }
  }

  private var pools: [ConnectionPool] {
    members.withLock { $0.compactMap(\.pool) }
  }

  /// Whether the app has resumed the database, or never suspended it.
  var isResumed: Bool { isActive.load(ordering: .acquiring) }

  /// How often connections were ended, perhaps under their accesses; counted before they are.
  var endingCount: Int { endCount.load(ordering: .sequentiallyConsistent) }

  /// How many wait for the resume.
  var waitingCount: Int { state.withLock { $0.waitingCount } }

  // MARK: - Accesses

  /// Lets the caller in; the thread is held until the resume when the configuration says so.
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

  /// Lets the caller in; the task is suspended until the resume when the configuration says so.
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

  /// What the caller is let in with now; `nil` when it must wait.
  private func currentPermit(for pool: ConnectionPool) throws -> AccessPermit? {
    if isResumed { return AccessPermit() }
    let lease = BackgroundLease.current[ObjectIdentifier(self)]
    switch state.withLock({ $0.admission(in: lease) }) {
    case .granted: return AccessPermit(lease: lease)
    case .reading: return AccessPermit(isForReading: true)
    case .refused:
      // What the resume does not bring back is not waited for.
      guard waitsForResume, !pool.isSnapshotTaken else { throw pool.suspended }
      return nil
    }
  }

  /// Lets the caller in without waiting, as an observation is: it is told of the resume.
  func admitNow(to pool: ConnectionPool) throws -> AccessPermit {
    guard let permit = try currentPermit(for: pool) else { throw pool.suspended }
    return permit
  }

  /// Takes a connection down that was opened for an access, before it touches the file.
  ///
  /// - Throws: `DatabaseError` with `SQLITE_ABORT` when the database was suspended meanwhile.
  func register(_ connection: OpenConnection, for permit: AccessPermit) throws {
    let isOpen = state.withLock {
      $0.open(connection, in: permit.lease, isForReading: permit.isForReading)
    }
    guard isOpen else { throw DatabaseError.suspended(path: path) }
  }

  /// Strikes a connection out that is closed.
  func remove(_ connection: OpenConnection) {
    state.withLock { $0.close(connection) }
  }

  // MARK: - Suspending

  /// Refuses accesses, ends those that run, and closes every connection.
  ///
  /// - Parameter limit: How long is waited for what cannot be interrupted.
  /// - Returns: What was ended, and what was left.
  @discardableResult
  func suspend(within limit: Duration) -> SuspensionReport {
    let start = ContinuousClock.now
    state.withLock { state in
      // Together, so that a resume in another thread comes before both or after both.
      isActive.store(false, ordering: .sequentiallyConsistent)
      state.suspend()
    }
    for held in openingLocks.withLock({ $0 }) { held.lock?.end() }
    // Accesses that wait for a connection have none to lose. Those that may wait for the resume stay.
    if !waitsForResume {
      for pool in pools { pool.failWaiters() }
    }
    let report = end(since: start, within: limit) { $0.connectionsToEnd }
    Log.report(report.isFree ? .notice : .error, .suspension, "\(Log.name(path)): \(report)")
    return report
  }

  /// Suspends the database as the blocking form does, without holding up a thread of tasks.
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
      // All are claimed before the first is waited for: each stops as soon as it can. And they are
      // before anybody is let in again, who would be given one that is about to be claimed.
      let claims = state.withLock { state in
        connections(&state).compactMap { connection in
          connection.claim().map { (connection, $0) }
        }
      }
      // The free ones first: the others are closed by their accesses meanwhile.
      for (connection, claim) in claims.filter({ !$1.isOccupied }) + claims.filter(\.1.isOccupied) {
        report.add(claim.end(before: deadline), of: claim)
        remove(connection)
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

  /// Runs the closure when nobody else ends connections; not at all, and `nil`, after the limit.
  private func withEndings(before limit: DispatchTime, _ body: () -> Void) -> Void? {
    while true {
      if let done: Void = endings.withLockIfAvailable({ _ in body() }) { return done }
      guard DispatchTime.now() < limit else { return nil }
      SystemCalls.sleep(milliseconds: 1)
    }
  }

  /// Lets everybody in again, and tells those who follow the database to look at it anew.
  func resume() {
    // Before anybody is told, so that whoever is told is let in.
    let waiters = state.withLock { state in
      let waiters = state.resume()
      isActive.store(true, ordering: .sequentiallyConsistent)
      return waiters
    }
    guard let waiters else { return }
    Log.report(.notice, .suspension, "\(Log.name(path)): Resumed")
    for waiter in waiters { waiter.end(.resumed) }
    for pool in pools { pool.externalCommits.resume() }
  }

  // MARK: - Leases

  /// Begins a lease.
  func beginLease() -> State.Lease {
    state.withLock { $0.beginLease() }
  }

  /// Ends a lease; the last one of a suspended database closes what was opened in any of them.
  @discardableResult
  func endLease(_ lease: State.Lease, within limit: Duration) -> SuspensionReport {
    end(since: .now, within: limit) { $0.endLease(lease) }
  }

  /// Ends a lease; what there is to wait for is waited for outside of the threads of tasks.
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
  /// Looks for locks that are left, where the kernel tells.
  fileprivate mutating func prove(databaseAt path: String) {
    do throws(FileError) {
      // Throws when the file is gone: what has no name cannot be looked for.
      let files = try DatabaseFiles(resolving: FilePath(path))
      let held = try LockTable.locksOfThisProcess(on: [files])
      heldLocks = held
      locks = held.isEmpty ? .proved : .left
    } catch {
      // Nobody can be asked; what is known is that all connections are closed.
      locks = notFree.isEmpty ? .closed : .left
    }
  }

  fileprivate mutating func add(_ end: ConnectionEnd?, of claim: OpenConnection.Claim) {
    guard let end else { return notFree.append(claim.reason) }
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
