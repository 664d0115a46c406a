import Dispatch
import HoldfastSQLite
import Synchronization

/// Runs accesses on connections, each on one that nobody else holds.
///
/// `DatabaseQueue` is a pool with one connection, `DatabasePool` one with a writer and readers.
final class ConnectionPool: Sendable, OpaqueToReflection {
  typealias Purpose = PoolState<Waiter>.Purpose

  let state: Mutex<PoolState<Waiter>>
  let slots: [PooledConnection]
  let path: String?

  /// Entered for each slot that is held when the pool closes.
  private let running = DispatchGroup()
  private let closing = Mutex(())

  /// Lets accesses in, or keeps them out; `nil` when the database cannot be suspended.
  let suspension: Suspension?

  /// Where the commits of the writer, and of whoever else, are told.
  let feed: CommitPublisher

  /// The longest writes, where they are measured.
  let longestWrites: LongestWrites?

  // Set once, by whoever makes the snapshot that this is a pool of.
  private let isTaken = Atomic(false)

  /// What others commit.
  let foreignCommits: ExternalCommitMonitor

  /// Creates a pool; no connection is opened.
  ///
  /// - Parameters:
  ///   - location: Where the database lies.
  ///   - configuration: Names the queues and says where they run.
  ///   - readerCount: How many readers there may be besides the writer.
  ///   - suspension: Suspends the database, with all pools that it is given to.
  ///   - open: Opens the connection of a purpose.
  init(
    at location: DatabaseLocation, configuration: Configuration, readerCount: Int,
    suspension: Suspension? = nil,
    open: @escaping @Sendable (Purpose, Opening) throws -> Database
  ) {
    path = location.path
    self.suspension = suspension
    state = Mutex(PoolState(readerCount: readerCount))
    let feed = CommitPublisher()
    self.feed = feed
    let longestWrites = LongestWrites(limit: configuration.longestWriteCount)
    self.longestWrites = longestWrites
    foreignCommits = ExternalCommitMonitor(
      at: location, configuration: configuration, suspension: suspension, feed: feed)
    slots = (0...readerCount).map { number in
      let purpose: Purpose = number == 0 ? .write : .read
      let queue = configuration.makeQueue(for: purpose, number: number)
      return PooledConnection(queue: queue, suspension: suspension) { opening in
        let database = try open(purpose, opening)
        if purpose == .write {
          database.enter(feed)
          longestWrites?.measureWrites(of: database)
        }
        return database
      }
    }
    suspension?.add(self)
  }

  deinit {
    // There is nobody left to whom an error could be told.
    do { try closeConnections() } catch _ {}
  }

  // MARK: - Blocking

  /// Runs the closure on the caller's thread, which is held until a connection is free.
  func access<Value>(
    _ purpose: Purpose, _ isolation: Isolation, _ body: (Database) throws -> Value
  ) throws -> Value {
    checkIsNotReentrant()
    return try accessInside(purpose, isolation, body)
  }

  /// Runs the closure as ``access(_:_:_:)`` does; the thread may hold another slot of the pool.
  func accessInside<Value>(
    _ purpose: Purpose, _ isolation: Isolation, _ body: (Database) throws -> Value
  ) throws -> Value {
    let permit = try suspension?.admit(to: self) ?? Suspension.AccessPermit()
    let number = try take(purpose)
    defer { giveBack(number) }
    return try run(body, on: slots[number], for: purpose, isolation, permit)
  }

  private func checkIsNotReentrant() {
    if slots.contains(where: \.token.isHeldByCurrentThread) {
      Misuse.trap(Misuse.reentrant)
    }
  }

  /// Gives a slot to the caller, whose thread is held until one is free.
  func take(_ purpose: Purpose) throws -> Int {
    if let admission = state.withLock({ $0.take(for: purpose) }) {
      return try slotNumber(admission)
    }
    let thread = ParkedThread()
    let waiter = Waiter(resume: thread.wake)
    switch state.withLock({ $0.wait(waiter, for: purpose) }) {
    case .waiting: return try slotNumber(thread.wait())
    case let admission: return try slotNumber(admission)
    }
  }

  // MARK: - Awaited

  /// Runs the closure on the connection's queue; the task is suspended, no thread is held.
  ///
  /// When the task is cancelled while it waits, it leaves the line. When it is cancelled while the
  /// closure runs, the running statement is interrupted, and every later one fails.
  func access<Value>(
    _ purpose: Purpose, _ isolation: Isolation,
    _ body: sending @escaping (Database) throws -> sending Value
  ) async throws -> sending Value {
    try Task.checkCancellation()
    let permit = try await suspension?.admit(to: self) ?? Suspension.AccessPermit()
    let number = try await take(purpose)
    let slot = slots[number]
    let cancellation = Cancellation()
    let work = UncheckedTransfer(body)
    let result: UncheckedTransfer<Result<Value, any Error>> = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        slot.queue.async { [self] in
          let body = work.take()
          let result: Result<Value, any Error> = Result {
            try DatabaseError.addingLockHolder {
              let database = try open(slot, permit)
              return try cancellation.interrupting(database) {
                try run(body, on: database, for: purpose, isolation)
              }
            }
          }
          giveBack(number)
          continuation.resume(returning: UncheckedTransfer(result))
        }
      }
    } onCancel: {
      cancellation.cancel()
    }
    return try result.take().get()
  }

  private func take(_ purpose: Purpose) async throws -> Int {
    if let admission = state.withLock({ $0.take(for: purpose) }) {
      return try slotNumber(admission)
    }
    let place = Mutex<Waiter?>(nil)
    let outcome: Waiter.Outcome = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let waiter = Waiter { continuation.resume(returning: $0) }
        place.withLock { $0 = waiter }
        switch state.withLock({ $0.wait(waiter, for: purpose) }) {
        case .waiting: break
        case .granted(let slot): waiter.end(.granted(slot: slot))
        case .refused: waiter.end(.refused)
        }
        // The cancellation may have come before there was anybody in line to take out.
        if Task.isCancelled { leave(waiter) }
      }
    } onCancel: {
      if let waiter = place.withLock({ $0 }) { leave(waiter) }
    }
    return try slotNumber(outcome)
  }

  private func leave(_ waiter: Waiter) {
    guard let grants = state.withLock({ $0.leave(waiter) }) else { return }
    waiter.end(.cancelled)
    perform(grants)
  }

  /// How many stand in line.
  var waitingCount: Int {
    state.withLock { $0.waitingCount }
  }

  // MARK: - Snapshots

  /// Keeps the moment that the only connection sees: no second one is opened, which would see another.
  func takeSnapshot() {
    isTaken.store(true, ordering: .relaxed)
  }

  /// Whether a suspension ends it for good.
  var isSnapshotTaken: Bool { isTaken.load(ordering: .relaxed) }

  /// What an access is refused with, because the database is suspended or was.
  var suspended: DatabaseError {
    isSnapshotTaken ? .snapshotSuspended(path: path) : .suspended(path: path)
  }

  // MARK: - Slots

  /// Opens the connection of a slot for an access, unless it is open.
  func open(_ slot: PooledConnection, _ permit: Suspension.AccessPermit) throws -> Database {
    if isSnapshotTaken, !slot.isUsable { throw suspended }
    // Nobody else uses it after this access, however that ends.
    if permit.isForReading { slot.isStale.store(true, ordering: .relaxed) }
    return try slot.database(permit)
  }

  func run<Value>(
    _ body: (Database) throws -> Value, on slot: PooledConnection, for purpose: Purpose,
    _ isolation: Isolation, _ permit: Suspension.AccessPermit
  ) throws -> Value {
    try DatabaseError.addingLockHolder {
      try run(body, on: open(slot, permit), for: purpose, isolation)
    }
  }

  private func run<Value>(
    _ body: (Database) throws -> Value, on database: Database, for purpose: Purpose,
    _ isolation: Isolation
  ) throws -> Value {
    if purpose != .read { foreignCommits.beginWrite() }
    defer { if purpose != .read { foreignCommits.endWrite() } }
    return try database.lend(isReadOnly: purpose == .read) { db in
      try db.run(isolation, body)
    }
  }

  /// Takes a slot back from the caller, and lets those go on who waited for it.
  func giveBack(_ number: Int) {
    let slot = slots[number]
    let answer = state.withLock { state in
      slot.isStale.load(ordering: .relaxed) ? nil : state.giveBack(slot: number)
    }
    guard let answer else {
      // The next access opens a new connection, whatever became of this one.
      do { try slot.close() } catch _ {}
      return giveBack(number)
    }
    switch answer {
    case .handedOver(let slot, let waiter): waiter.end(.granted(slot: slot))
    case .opened(let grants): perform(grants)
    case .closing: running.leave()
    case .free: break
    }
  }

  private func perform(_ grants: [PoolState<Waiter>.Grant]) {
    for handover in grants {
      handover.waiter.end(.granted(slot: handover.slot))
    }
  }

  /// Runs the closure on each reader that nobody uses.
  func forEachIdleReader(_ body: (PooledConnection) -> Void) {
    guard slots.count > 1 else { return }
    var taken: [Int] = []
    while case .granted(let number)? = state.withLock({ $0.take(for: .read) }) {
      taken.append(number)
      body(slots[number])
    }
    // In the reverse order, so that the warmest is given out first again.
    taken.reversed().forEach(giveBack)
  }

  /// Whether every access is refused.
  var isClosed: Bool {
    state.withLock { $0.isClosed }
  }

  /// Whether one access has all connections to itself.
  var isBarrierHeld: Bool {
    state.withLock { $0.isBarrierHeld }
  }

  private func slotNumber(_ admission: PoolState<Waiter>.Admission) throws -> Int {
    switch admission {
    case .granted(let slot): return slot
    case .refused, .waiting: throw DatabaseError.closed(path: path)
    }
  }

  func slotNumber(_ outcome: Waiter.Outcome) throws -> Int {
    switch outcome {
    case .granted(let slot): return slot
    case .refused: throw DatabaseError.closed(path: path)
    case .suspended: throw suspended
    case .cancelled: throw CancellationError()
    }
  }

  /// Refuses those in line, because the database is suspended.
  func failWaiters() {
    for waiter in state.withLock({ $0.failWaiters() }) {
      waiter.end(.suspended)
    }
  }

  /// Refuses new accesses and those in line, waits for the end of those that run, and closes the
  /// connections.
  func close() throws {
    checkIsNotReentrant()
    // Before accesses are refused, which nobody who observes should hear of.
    foreignCommits.end()
    let refused = state.withLock { state in
      let (heldCount, refused) = state.close()
      // Before the lock is released, because each is left as soon as its slot is given back.
      for _ in 0..<heldCount { running.enter() }
      return refused
    }
    for waiter in refused {
      waiter.end(.refused)
    }
    running.wait()
    // Another thread may be closing too, and waits here until the files are closed.
    try closing.withLock { _ in try closeConnections() }
  }

  private func closeConnections() throws {
    foreignCommits.end()
    // The writer last, because a reader cannot clear the write-ahead log away.
    let results = slots.reversed().map { slot in Result { try slot.close() } }
    for result in results { try result.get() }
  }
}
