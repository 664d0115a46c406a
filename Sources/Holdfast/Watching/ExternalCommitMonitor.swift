import Dispatch
import Foundation
import HoldfastFiles
import HoldfastSQLite
import Synchronization

/// A monitor of other connections' commits to a pool's file, active while the pool has observers.
///
/// Other connections belong to other processes and to other pools of this one. The pool's writer
/// publishes the pool's own commits.
final class ExternalCommitMonitor: Sendable {
  private struct State {
    weak var pool: ConnectionPool?
    var monitor: DatabaseFileMonitor?
    var health = WatchHealth()
    /// The number of observers, the publisher's included.
    var observerCount = 0
    /// The observers of the changed tables.
    var observers: [ExternalChangeObserver] = []
    /// Whether a query of the writer is scheduled and has not run.
    var isQueryScheduled = false
    /// The time limit for the writer to recognize a commit as its own.
    var timeout = OwnCommitTimeout(limit: .zero)
    var isEnded = false
  }

  private struct ProbeState: ~Copyable {
    /// The probe; `nil` while there are no observers.
    var probe: DataVersionProbe?
    /// The number of own writes that had ended at its last answer.
    var endedWriteCount = 0
  }

  private let path: String?
  private let configuration: Configuration
  private let suspension: Suspension?
  private let publisher: CommitPublisher
  private let signal: ChangeSignal?
  private let begun = Atomic(0)
  private let ended = Atomic(0)
  private let state = Mutex(State())
  private let probeState = Mutex(ProbeState())

  /// The history's position for queries on the writer, separate from the probe's position.
  ///
  /// Its tables are those since the writer's last answer, whatever the probe has read meanwhile.
  private let writersTables = Mutex(ChangedTablesCursor())

  // One at a time: when a second observer has been added, every later commit is published to it,
  // too.
  private let monitoringUpdates = Mutex(())

  /// - Parameters:
  ///   - location: The database. Other connections write neither to memory nor to immutable files.
  ///   - configuration: Prepares the probe's connection. Unless it is read-only, commits are
  ///     signaled.
  ///   - suspension: Decides when the file must not be opened.
  ///   - publisher: Publishes the commits.
  init(
    at location: DatabaseLocation, configuration: Configuration, suspension: Suspension?,
    publisher: CommitPublisher
  ) {
    path = if case .file(let path) = location { path } else { nil }
    self.configuration = configuration
    self.suspension = suspension
    self.publisher = publisher
    signal = configuration.readonly ? nil : path.map { ChangeSignal(database: $0) }
  }

  // MARK: - Own writes

  /// The number of writes of the pool that have begun.
  var begunWriteCount: Int { begun.load(ordering: .sequentiallyConsistent) }

  /// The number of writes of the pool that have ended.
  var endedWriteCount: Int { ended.load(ordering: .sequentiallyConsistent) }

  /// Records the beginning of a write, which may commit.
  func beginWrite() {
    begun.add(1, ordering: .sequentiallyConsistent)
  }

  /// Records the end of a write, and signals it to other processes.
  func endWrite() {
    ended.add(1, ordering: .sequentiallyConsistent)
    signal?.committed()
  }

  // MARK: - Observers

  /// Monitors the file from now on: every later commit is published.
  ///
  /// - Parameters:
  ///   - pool: The pool whose publisher has one more observer.
  ///   - observer: An observer that is also notified of the tables.
  func addObserver(for pool: ConnectionPool, _ observer: ExternalChangeObserver? = nil) {
    state.withLock { state in
      state.pool = pool
      state.observerCount += 1
      if let observer { state.observers.append(observer) }
    }
    updateMonitoring(for: pool)
  }

  /// Stops monitoring the file if this was the last observer.
  func removeObserver(_ observer: ExternalChangeObserver? = nil) {
    state.withLock { state in
      state.observerCount -= 1
      if let observer { state.observers.removeAll { $0 === observer } }
    }
    updateMonitoring()
  }

  /// Stops monitoring the file permanently, because the pool closes.
  func end() {
    let observers = state.withLock { state in
      state.isEnded = true
      defer { state.observers = [] }
      return state.observers
    }
    updateMonitoring()
    for observer in observers { observer.finish() }
  }

  /// Starts or stops monitoring the file, so that it is monitored while there are observers.
  private func updateMonitoring(for pool: ConnectionPool? = nil) {
    guard let path else { return }
    monitoringUpdates.withLock { _ in
      let (monitor, isWanted) = state.withLock { ($0.monitor, $0.observerCount > 0 && !$0.isEnded) }
      if isWanted, monitor == nil {
        // The writer first, so that its next answer begins here: a later commit is found by both,
        // or by the probe alone.
        pool?.withIdleWriter { db in _ = try db.hasForeignCommits() }
        writersTables.withLock { $0.forget() }
        state.withLock { $0.timeout.limit = WatchSettings.current.ownCommitTimeout }
        probeState.withLock { probing in
          probing.probe = DataVersionProbe(
            path: path, configuration: configuration, suspension: suspension)
        }
        // Earlier commits are not published.
        if !isPaused { _ = queryProbe() }
        let monitor = DatabaseFileMonitor.add(self, path: path)
        state.withLock { $0.monitor = monitor }
      } else if !isWanted, let monitor {
        monitor.remove(self)
        // Before the pool closes: the last connection to close deletes the log, which a read-only
        // connection cannot.
        probeState.withLock { $0.probe = nil }
        state.withLock { state in
          state.monitor = nil
          state.health = WatchHealth()
        }
      }
    }
  }

  // MARK: - Looking

  /// Looks for commits of other connections, and publishes them.
  func look() -> WatchLoop.Look {
    guard !isPaused, let (answer, isForeign) = queryProbe() else { return .nothing }
    // A long access keeps the writer from answering, but not other connections from committing.
    if state.withLock({ $0.timeout.runsOut(at: WatchLoop.now) }) { publish() }
    let finding = publish(answer, isForeign: isForeign)
    return WatchLoop.Look(finding: finding, nextBy: state.withLock { $0.timeout.deadline })
  }

  private func publish(
    _ answer: DataVersionProbe.Answer, isForeign: Bool
  ) -> PollBackoff.Finding {
    switch answer {
    case .same:
      return .nothing
    case .fresh:
      publish()
      return .foreign
    case .moved(let tables) where isForeign:
      publish(tables)
      return .foreign
    case .moved:
      queryWriter()
      return .perhapsOwn
    case .busy:
      return .unknown
    case .unknown:
      // The writer may be open where no further connection can be opened. If it does not answer
      // either, nothing is lost: the next connection is fresh.
      queryWriter(publishingOnFailure: false)
      return .unknown
    }
  }

  /// Queries the probe.
  ///
  /// - Returns: The answer, and whether its commits are certainly not own ones; `nil` if the file
  ///   is no longer monitored.
  private func queryProbe() -> (DataVersionProbe.Answer, isForeign: Bool)? {
    probeState.withLock { probing in
      // Before the query: a write that ends after this line may be in the next answer.
      let ended = endedWriteCount
      guard let answer = probing.probe?.query(namingTables: namesTables) else { return nil }
      let isReplaced = probing.probe?.isReplaced ?? false
      state.withLock { state in
        state.health.lookCount += 1
        state.health.isReplaced = isReplaced
        state.health.databaseProblem = answer.problem
      }
      guard answer.problem == nil else { return (answer, false) }
      // After the query: a write that has not begun by now is not in the answer.
      defer { probing.endedWriteCount = ended }
      return (answer, probing.endedWriteCount == begunWriteCount)
    }
  }

  // MARK: - Publishing

  /// Whether an observer needs the tables.
  private var namesTables: Bool { state.withLock { !$0.observers.isEmpty } }

  /// Publishes a commit of another connection, as a change of the whole database.
  ///
  /// - Parameter tables: The changed tables as recorded by a history; `nil` if unknown.
  func publish(_ tables: Set<String>? = nil) {
    let observers = state.withLock { $0.observers }
    Log.report(.debug, .externalChanges, "\(Log.name(path)) may have been changed from outside.")
    publisher.publish(TransactionChanges(in: .fullDatabase))
    for observer in observers { observer.notify(ExternalChange(tables: tables)) }
  }

  /// Schedules a query of the writer, which recognizes the commits of other connections.
  ///
  /// - Parameter publishingOnFailure: Whether a change is published if the writer does not answer.
  func queryWriter(publishingOnFailure: Bool = true) {
    let pool = state.withLock { state -> ConnectionPool? in
      if publishingOnFailure { state.timeout.begin(at: WatchLoop.now) }
      guard !state.isQueryScheduled, !state.isEnded else { return nil }
      // Read once: if the second read released the pool, its end would run under this lock.
      let pool = state.pool
      state.isQueryScheduled = pool != nil
      return pool
    }
    let granted = { @Sendable [self] in state.withLock { $0.timeout.extend(at: WatchLoop.now) } }
    // Read-only, so that it does not count as an own write.
    pool?.schedule(.write, .readOnly, granted: granted) { [self] writer in
      // Before the query, so that commits that are found from now on schedule another one.
      let (isEnded, wasDue) = state.withLock { state in
        state.isQueryScheduled = false
        return (state.isEnded, state.timeout.end())
      }
      // Observers of a closed database are not notified any more, not even of an error.
      guard !isPaused, !isEnded else { return }
      do {
        let db = try writer.get()
        switch try db.hasForeignCommits() {
        case false: break
        case true:
          publish(namesTables ? writersTables.withLock { $0.query(db) } : nil)
        case nil:
          // A connection that was not queried before may have missed a commit.
          writersTables.withLock { namesTables ? $0.begin(db) : $0.forget() }
          publish()
        }
      } catch {
        if wasDue { publish() }
      }
    }
  }

  // MARK: - Suspension and health

  /// Whether the file must not be opened now.
  private var isPaused: Bool { suspension.map { !$0.isResumed } ?? false }

  /// Publishes, after a suspension, that everything may have changed.
  func resume() {
    state.withLock { $0.monitor }?.nudge()
    // Even if the file is not monitored: what was refused meanwhile is done now.
    publish()
  }

  /// The health of the detection; `nil` while there are no observers.
  var health: WatchHealth? {
    let (monitor, known) = state.withLock { ($0.monitor, $0.health) }
    guard let monitor else { return nil }
    var health = known
    health.systemProblem = monitor.systemProblem
    health.isNotifiedBySystem = health.systemProblem == nil
    health.signalProblem = monitor.signalProblem
    return health
  }
}

extension DataVersionProbe.Answer {
  /// The reason there is no answer; `nil` if there is one.
  fileprivate var problem: String? {
    switch self {
    case .same, .moved, .fresh: nil
    case .busy(let problem), .unknown(let problem): problem
    }
  }
}
