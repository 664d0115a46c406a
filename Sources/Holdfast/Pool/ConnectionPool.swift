import Dispatch
import HoldfastSQLite
import Synchronization

/// A pool of connections, each of which runs one access at a time.
///
/// `DatabaseQueue` is a pool of one connection, `DatabasePool` one of a writer and readers.
final class ConnectionPool: Sendable, OpaqueToReflection {
  typealias State = PoolState<Waiter<Outcome>>
  typealias Purpose = State.Purpose

  /// The outcome of waiting for a connection.
  enum Outcome: Sendable {
    /// The caller holds the connection with that number until it releases it.
    case granted(Int)
    case closed
    case suspended
    case cancelled
  }

  let state: Mutex<State>

  /// The writer, followed by the readers.
  let slots: [PooledConnection]

  private let factory: ConnectionFactory

  /// Entered for each connection that is in use when the pool closes.
  private let running = DispatchGroup()
  private let closing = Mutex(())

  /// Publishes the commits of the writer and of other connections.
  let publisher: CommitPublisher

  /// The longest writes; `nil` if they are not measured.
  let longestWrites: LongestWrites?

  // Set once, when the snapshot of which this is the pool is complete.
  private let snapshotFlag = Atomic(false)

  /// The monitor that finds the commits of other connections.
  let externalCommits: ExternalCommitMonitor

  /// Creates a pool without opening a connection.
  ///
  /// - Parameters:
  ///   - factory: Opens the connections.
  ///   - readerCount: The number of readers, in addition to the writer.
  init(_ factory: ConnectionFactory, readerCount: Int) {
    self.factory = factory
    state = Mutex(PoolState(readerCount: readerCount))
    publisher = CommitPublisher()
    longestWrites = LongestWrites(limit: factory.configuration.longestWriteCount)
    externalCommits = ExternalCommitMonitor(
      at: factory.location, configuration: factory.configuration, suspension: factory.suspension,
      publisher: publisher)
    slots = (0...readerCount).map { number in
      PooledConnection(
        queue: factory.configuration.makeQueue(for: number == 0 ? .write : .read, number: number))
    }
    suspension?.add(self)
  }

  /// The database's path; `nil` in memory.
  var path: String? { factory.location.path }

  /// The state that admits or refuses accesses; `nil` if the database cannot be suspended.
  var suspension: Suspension? { factory.suspension }

  deinit {
    // A deinitializer cannot throw.
    do { try closeConnections() } catch _ {}
  }

  // MARK: - Accesses

  /// Runs the closure on the caller's thread, which blocks until a connection is free.
  ///
  /// - Parameters:
  ///   - purpose: The purpose of the access.
  ///   - isolation: The transaction in which the closure runs.
  ///   - isReentrant: Whether the thread may hold another connection of the pool.
  ///   - body: Uses the connection, which is valid only during the closure.
  /// - Returns: The return value of `body`.
  /// - Throws: `DatabaseError`; whatever `body` throws.
  func access<Value>(
    _ purpose: Purpose, _ isolation: Isolation, isReentrant: Bool = false,
    _ body: (Database) throws -> Value
  ) throws -> Value {
    if !isReentrant {
      if allowsNestedAccesses { return try reentrantAccess(purpose, isolation, body) }
      checkIsNotReentrant(purpose)
    }
    let permit = try admit()
    let number = try acquire(purpose)
    defer { release(number) }
    return try run(body, on: number, for: purpose, isolation, permit)
  }

  /// Runs the closure in the caller's task on the connection's queue; no thread of tasks is blocked.
  ///
  /// A task that is cancelled while it waits leaves the queue. If it is cancelled while the closure
  /// runs, the current statement is interrupted, and every later one fails.
  ///
  /// - Parameters:
  ///   - purpose: The purpose of the access.
  ///   - isolation: The transaction in which the closure runs.
  ///   - body: Uses the connection, which is valid only during the closure.
  /// - Returns: The return value of `body`.
  /// - Throws: `CancellationError`; `DatabaseError`; whatever `body` throws.
  func access<Value>(
    _ purpose: Purpose, _ isolation: Isolation,
    _ body: sending @escaping (Database) throws -> sending Value
  ) async throws -> sending Value {
    try Task.checkCancellation()
    let permit = try await admit()
    let number = try await acquire(purpose)
    let cancellation = Cancellation()
    let work = UncheckedTransfer(body)
    let access = UncheckedTransfer {
      let body = work.take()
      let result: Result<Value, any Error> = Result {
        try self.run(body, on: number, for: purpose, isolation, permit, cancellation)
      }
      self.release(number)
      return result
    }
    let result = await withTaskCancellationHandler {
      await slots[number].executor.run(access)
    } onCancel: {
      cancellation.cancel()
    }
    return try result.take().get()
  }

  /// Whether the thread holds the writer, which allows other accesses meanwhile.
  private var allowsNestedAccesses: Bool {
    slots[0].token.isHeldByCurrentThread && slots[0].openedDatabase?.allowsNestedAccesses == true
  }

  /// Runs the closure on the connection that the thread already uses, or else on another one.
  func reentrantAccess<Value>(
    _ purpose: Purpose, _ isolation: Isolation, _ body: (Database) throws -> Value
  ) throws -> Value {
    // Inside of a write too, a read sees what the code around it sees.
    let candidates = purpose == .read ? slots.dropFirst() + slots.prefix(1) : slots.prefix(1)
    for slot in candidates where slot.token.isHeldByCurrentThread {
      guard let db = slot.openedDatabase else { continue }
      return purpose == .read ? try db.readOnly { try body(db) } : try body(db)
    }
    return try access(purpose, isolation, isReentrant: true, body)
  }

  /// Admits an access; if the configuration says so, blocks the thread while suspended.
  ///
  /// - Throws: `DatabaseError` with `SQLITE_ABORT` when the database is suspended.
  private func admit() throws -> Suspension.AccessPermit {
    try suspension?.admit(to: self) ?? .unlimited
  }

  /// Admits an access; if the configuration says so, waits while suspended.
  ///
  /// - Throws: `DatabaseError` with `SQLITE_ABORT` when the database is suspended;
  ///   `CancellationError`.
  private func admit() async throws -> Suspension.AccessPermit {
    try await suspension?.admit(to: self) ?? .unlimited
  }

  /// Admits an access without waiting.
  ///
  /// - Throws: `DatabaseError` with `SQLITE_ABORT` when the database is suspended.
  func admitNow() throws -> Suspension.AccessPermit {
    try suspension?.admitNow(to: self) ?? .unlimited
  }

  /// Traps if the thread holds a connection without which the access could not proceed, or any one.
  ///
  /// - Parameter purpose: The purpose of the access; `nil` for closing the pool.
  private func checkIsNotReentrant(_ purpose: Purpose? = nil) {
    let holdsWriter = slots[0].token.isHeldByCurrentThread
    let isReentrant =
      switch purpose {
      // With a single connection every access is of that one.
      case _ where slots.count == 1: holdsWriter
      // Inside a write it reads the last committed state.
      case .read: isReaderHeldByCurrentThread || holdsWriter && isBarrierHeld
      case .write: holdsWriter
      case .barrier, nil: holdsWriter || isReaderHeldByCurrentThread
      }
    if isReentrant { Misuse.trap(Misuse.reentrant) }
  }

  private var isReaderHeldByCurrentThread: Bool {
    slots.dropFirst().contains { $0.token.isHeldByCurrentThread }
  }

  /// Runs the closure on an acquired connection, which is opened if necessary.
  func run<Value>(
    _ body: (Database) throws -> Value, on number: Int, for purpose: Purpose,
    _ isolation: Isolation, _ permit: Suspension.AccessPermit, _ cancellation: Cancellation? = nil
  ) throws -> Value {
    try DatabaseError.addingLockHolder {
      let database = try connection(number, permit)
      let writes = purpose != .read && isolation != .readOnly
      if writes { externalCommits.beginWrite() }
      defer { if writes { externalCommits.endWrite() } }
      return try cancellation.interrupting(database) {
        try database.withAccess(isReadOnly: !writes) { db in
          defer {
            // The next access opens the connection again, on the held state.
            if isolation == .shared, !db.continuesTransaction {
              slots[number].isStale.store(true, ordering: .relaxed)
            }
          }
          return try db.withIsolation(isolation, body)
        }
      }
    }
  }

  /// Returns an acquired connection, which is opened if necessary.
  func connection(_ number: Int, _ permit: Suspension.AccessPermit) throws -> Database {
    let slot = slots[number]
    var usable = slot.usableDatabase
    if isLost(usable) { throw suspended }
    // A connection that was opened in a lease while this access waited is not for it.
    if usable != nil, suspension?.stillAdmits(permit) == false { throw suspended }
    if permit.isForReading {
      if usable?.isReadOnlyConnection == false {
        // It is that of a lease, and may write.
        try slot.end(suspension)
        usable = nil
      }
      // No later access may use it, however this one ends.
      slot.isStale.store(true, ordering: .relaxed)
    }
    if let usable { return usable }
    let database = try factory.open(for: number == 0 ? .write : .read, permit, slot.token)
    if number == 0 {
      database.publishCommits(to: publisher)
      longestWrites?.measureWrites(of: database)
    }
    slot.adopt(database)
    return database
  }

  /// Opens a connection for reading that is none of the pool's.
  func openReader() throws -> sending Database {
    try factory.open(for: .read, .unlimited, AccessToken())
  }

  /// Changes the transaction observers of the writer: now or, if it may not be opened now, as soon as it is.
  func changeObservers(_ change: @escaping (Database) -> Void) {
    checkIsNotReentrant(.write)
    // A database that is only read, or is closed, has no writes to report.
    guard !factory.configuration.readonly, acquireWriterUnlessClosed() else { return }
    defer { release(0) }
    let slot = slots[0]
    slot.willChangeObservers(change)
    if let usable = slot.usableDatabase, !usable.isReadOnlyConnection {
      return slot.changeObservers(of: usable)
    }
    do {
      let permit = try admitNow()
      if !permit.isForReading { _ = try connection(0, permit) }
    } catch _ {
      // The database is suspended or cannot be opened; there are no writes to report until it is.
    }
  }

  /// Acquires the writer, also while the database is suspended.
  private func acquireWriterUnlessClosed() -> Bool {
    while true {
      do {
        _ = try acquire(.write)
        return true
      } catch let error as DatabaseError where error.isDatabaseSuspensionError {
        // A suspension has refused the waiters.
        continue
      } catch _ {
        return false
      }
    }
  }

  // MARK: - The queue for connections

  /// Acquires a connection; blocks the thread until one is free.
  func acquire(_ purpose: Purpose) throws -> Int {
    if let admission = state.withLock({ $0.acquire(for: purpose) }) {
      return try number(of: Outcome(admission))
    }
    var held: State.Held = []
    if slots[0].token.isHeldByCurrentThread { held.insert(.writer) }
    if isReaderHeldByCurrentThread { held.insert(.reader) }
    return try number(of: Waiter<Outcome>.wait { enqueue($0, for: purpose, holding: held) })
  }

  /// Acquires a connection; suspends the task until one is free.
  private func acquire(_ purpose: Purpose) async throws -> Int {
    if let admission = state.withLock({ $0.acquire(for: purpose) }) {
      return try number(of: Outcome(admission))
    }
    return try number(
      of: await Waiter<Outcome>.wait {
        enqueue($0, for: purpose)
      } onCancel: {
        leave($0)
      })
  }

  /// Grants the waiter a connection, now or when its turn comes.
  ///
  /// - Parameters:
  ///   - waiter: The waiter.
  ///   - purpose: The purpose of the access.
  ///   - held: The connections that its thread holds until the access ends.
  func enqueue(_ waiter: Waiter<Outcome>, for purpose: Purpose, holding held: State.Held = []) {
    let admission = state.withLock { $0.wait(waiter, for: purpose, holding: held) }
    if let admission { waiter.end(Outcome(admission)) }
  }

  private func leave(_ waiter: Waiter<Outcome>) {
    guard let grants = state.withLock({ $0.leave(waiter) }) else { return }
    waiter.end(.cancelled)
    perform(grants)
  }

  /// Returns the number of the acquired connection, or throws.
  func number(of outcome: Outcome) throws -> Int {
    switch outcome {
    case .granted(let number): return number
    case .closed: throw DatabaseError.closed(path: path)
    case .suspended: throw suspended
    case .cancelled: throw CancellationError()
    }
  }

  /// Releases a connection, which is granted to the next waiter.
  func release(_ number: Int) {
    let slot = slots[number]
    let result = state.withLock { state in
      // A barrier holds the readers, too, which may have become stale meanwhile.
      let isStale =
        number == 0 && state.isBarrierHeld
        ? slots.contains(where: \.isStaleNow) : slot.isStaleNow
      return isStale ? nil : state.release(slot: number)
    }
    guard let result else {
      let held = number == 0 && isBarrierHeld ? slots[...] : slots[number...number]
      for slot in held where slot.isStaleNow {
        // The next access opens a new connection, even if closing this one failed.
        do { try slot.end(suspension) } catch _ {}
      }
      return release(number)
    }
    switch result {
    case .granted(let slot, let waiter): waiter.end(.granted(slot))
    case .barrierEnded(let grants): perform(grants)
    case .closing: running.leave()
    case .free: break
    }
  }

  private func perform(_ grants: [State.Grant]) {
    for grant in grants {
      grant.waiter.end(.granted(grant.slot))
    }
  }

  /// The number of accesses that wait for a connection.
  var waitingCount: Int {
    state.withLock { $0.waitingCount }
  }

  // MARK: - Snapshots

  /// Preserves the state that the first connection sees.
  ///
  /// No connection is opened in its place, because it would see another state.
  func becomeSnapshot() {
    snapshotFlag.store(true, ordering: .relaxed)
  }

  /// Returns whether an access on a connection, if that is open, would see another state than the one that the
  /// snapshot preserves.
  private func isLost(_ usable: Database?) -> Bool {
    isSnapshot && (slots.count == 1 ? usable == nil : factory.snapshotState?.isLost == true)
  }

  /// Whether the pool belongs to a snapshot, which does not outlive a suspension.
  var isSnapshot: Bool { snapshotFlag.load(ordering: .relaxed) }

  /// The error of an access that is refused because the database is or was suspended.
  var suspended: DatabaseError {
    isSnapshot ? .snapshotSuspended(path: path) : .suspended(path: path)
  }

  // MARK: - Maintenance

  /// Whether every access is refused.
  var isClosed: Bool {
    state.withLock { $0.isClosed }
  }

  /// Whether a barrier holds all connections.
  var isBarrierHeld: Bool {
    state.withLock { $0.isBarrierHeld }
  }

  /// Refuses the accesses that wait for a connection, because the database is suspended.
  func failWaiters() {
    for waiter in state.withLock({ $0.failWaiters() }) {
      waiter.end(.suspended)
    }
  }

  /// Closes the connections after the accesses that run have ended.
  ///
  /// New accesses and those that wait are refused.
  func close() throws {
    checkIsNotReentrant()
    // Before accesses are refused, so that no observer is notified of a refused one.
    externalCommits.end()
    let refused = state.withLock { state in
      let (heldCount, refused) = state.close()
      // Before the lock is released, because the group is left as soon as a connection is released.
      for _ in 0..<heldCount { running.enter() }
      return refused
    }
    for waiter in refused {
      waiter.end(.closed)
    }
    running.wait()
    // A second thread that closes the pool waits here until the files are closed.
    try closing.withLock { _ in try closeConnections() }
  }

  private func closeConnections() throws {
    externalCommits.end()
    // The writer last, because a reader cannot delete the write-ahead log.
    let results = slots.reversed().map { slot in Result { try slot.close(suspension) } }
    for result in results { try result.get() }
  }
}

extension ConnectionPool.Outcome {
  init(_ admission: ConnectionPool.State.Admission) {
    switch admission {
    case .granted(let number): self = .granted(number)
    case .refused: self = .closed
    case .deadlock(.insideBarrier): Misuse.trap(Misuse.reentrant)
    case .deadlock(.barrier): Misuse.trap(Misuse.barrierDeadlock)
    case .deadlock(.readersAndWriter): Misuse.trap(Misuse.crossedDeadlock)
    }
  }
}
