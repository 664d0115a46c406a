import Dispatch
import HoldfastSQLite
import Synchronization

/// The observer of a started value observation.
///
/// Each round fetches, makes the value and delivers it; `RefetchState` decides when the next round
/// begins. So values keep their order, and a slow receiver gets fewer of them.
final class ValueObserver<Reducer: ValueReducer>: CommitObserver {
  private let observation: ValueObservation<Reducer>
  private let database: ObservedDatabase
  private let scheduler: any ValueObservationScheduler
  private let onError: @Sendable (any Error) -> Void
  private let onChange: @Sendable (Reducer.Value) -> Void
  private let refetchState = RefetchState()

  private struct State {
    var reducer: Reducer
    var hasRegion = false
    var isEnded = false
  }

  private let state: Mutex<State>

  init(
    _ observation: ValueObservation<Reducer>, of database: ObservedDatabase,
    scheduler: any ValueObservationScheduler, onError: @escaping @Sendable (any Error) -> Void,
    onChange: @escaping @Sendable (Reducer.Value) -> Void
  ) {
    self.observation = observation
    self.database = database
    self.scheduler = scheduler
    self.onError = onError
    self.onChange = onChange
    state = Mutex(State(reducer: observation.reducer))
  }

  private var isEnded: Bool { state.withLock { $0.isEnded } }

  private var purpose: ConnectionPool.Purpose { observation.requiresWriteAccess ? .write : .read }

  // MARK: - Beginning and end

  func start() {
    report(.start)
    // The first fetch determines its region. A commit before that costs at most another fetch.
    database.add(self, observing: DatabaseRegion())
    guard scheduler.immediateInitialValue() else { return read() }
    let count = database.endingCount
    let fetched = Result { try database.access(purpose) { db in try fetch(db) } }
    deliver(value(of: fetched, since: count))
  }

  func cancel() {
    if end() { report(.cancellation) }
  }

  private func report(_ event: ObservationEvent) {
    for handle in observation.handlers { handle(event) }
  }

  /// - Returns: Whether it had not ended before.
  private func end() -> Bool {
    let wasRunning = state.withLock { state in
      defer { state.isEnded = true }
      return !state.isEnded
    }
    if wasRunning { database.remove(self) }
    return wasRunning
  }

  // MARK: - Rounds

  func didCommit(_ changes: TransactionChanges, _ db: Database?) {
    if refetchState.becomesDue(by: changes) { readAgain() }
  }

  private func readAgain() {
    report(.change)
    read()
  }

  private func read() {
    let count = database.endingCount
    database.schedule(purpose) { [self] access in
      guard !isEnded else { return {} }
      let fetched = access.flatMap { db in Result { try fetch(db) } }
      return { [self] in
        let value = value(of: fetched, since: count)
        if case .success(nil) = value { return endRound() }
        scheduler.schedule { self.deliver(value) }
      }
    }
  }

  private func value(
    of fetched: Result<Reducer.Fetched, any Error>, since count: Int
  ) -> Result<Reducer.Value?, any Error> {
    // Outside the lock: only one round at a time makes values, and the app's code runs here.
    var reducer = state.withLock { $0.reducer }
    defer { state.withLock { $0.reducer = reducer } }
    return fetched.mapError { database.cause(of: $0, since: count) }
      .flatMap { fetched in Result { try reducer.value(fetched) } }
  }

  private func deliver(_ value: Result<Reducer.Value?, any Error>) {
    guard !isEnded else { return }
    switch value {
    case .success(let value):
      if let value {
        refetchState.beginDelivery()
        onChange(value)
      }
      endRound()
    case .failure(let error as DatabaseError)
    where error.isDatabaseSuspensionError && database.outlivesSuspension:
      // The fetch may have been interrupted before it had read its whole region.
      state.withLock { $0.hasRegion = false }
      // The resume is published as a change of the whole database, and possibly already was.
      let everything = TransactionChanges(in: .fullDatabase)
      let isDue =
        refetchState.postpone() || !database.isSuspended && refetchState.becomesDue(by: everything)
      if !isEnded && isDue { readAgain() }
    case .failure(let error):
      guard end() else { return }
      report(.failure(error))
      onError(error)
    }
  }

  private func endRound() {
    guard !isEnded else { return }
    switch refetchState.endReading() {
    case .later:
      break
    case .atOnce:
      readAgain()
    case .afterPause:
      // Other connections write often. Fetching immediately would take processor time and SQLite's
      // locks from them, for values that are outdated when they are delivered.
      DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(1)) { self.readAgain() }
    }
  }

  // MARK: - Fetching

  private func fetch(_ db: Database) throws -> Reducer.Fetched {
    // The snapshot is in a transaction already, which never ends and sees no commit.
    if case .fixed = database { return try fetchAndSetRegion(db) }
    guard observation.requiresWriteAccess else {
      // Before the snapshot: what is committed from here on may be missing in it.
      refetchState.beginReading()
      return try db.withIsolation(.snapshot) { db in try fetchAndSetRegion(db) }
    }
    // No other connection commits meanwhile, and the fetch's own changes are no reason to repeat
    // it.
    defer { refetchState.beginReading() }
    return try db.withIsolation(.transaction) { db in try fetchAndSetRegion(db) }
  }

  private func fetchAndSetRegion(_ db: Database) throws -> Reducer.Fetched {
    let hasRegion = state.withLock { $0.hasRegion }
    switch observation.tracking {
    case .regions(let regions):
      if !hasRegion { setRegion(try regions.unitedRegion(db)) }
    case .firstFetch where hasRegion:
      break
    case .firstFetch, .fetches:
      let (fetched, region) = try db.recordingRegion { try observation.reducer.fetch(db) }
      setRegion(region)
      return fetched
    }
    return try observation.reducer.fetch(db)
  }

  private func setRegion(_ region: DatabaseRegion) {
    state.withLock { $0.hasRegion = true }
    database.publisher?.nameRows(of: region, for: self)
    if refetchState.setRegion(region) { report(.region(region)) }
  }
}
