import Dispatch
import Foundation
import HoldfastFiles
import HoldfastSQLite
import Synchronization

/// Finds the commits of other connections to a pool's file, while the pool has observers.
///
/// Other connections are those of other processes and of other pools of this one. The pool's writer
/// publishes the pool's own commits.
final class ExternalCommitMonitor: Sendable {
  private struct State {
    weak var pool: ConnectionPool?
    var watch: DatabaseFileMonitor?
    var health = WatchHealth()
    /// The number of observers, those of the publisher included.
    var observerCount = 0
    /// The observers that are notified of the tables.
    var observers: [ExternalChangeObserver] = []
    /// Whether the writer is to be asked and has not answered.
    var isAsking = false
    /// How long the writer is waited for to tell a commit from own ones.
    var patience = WriterPatience(limit: .zero)
    var isEnded = false
  }

  private struct Asking: ~Copyable {
    /// `nil` while nobody listens.
    var question: DataVersionProbe?
    /// How many own writes had ended when it last answered.
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
  private let asking = Mutex(Asking())

  /// What the writer is asked for, with a memory of its own: what it tells of goes from its last
  /// answer to this one, whatever the other connection has seen meanwhile.
  private let writersTables = Mutex(ChangedTablesCursor())

  // One after the other: whoever listens second is told of every commit after that, too.
  private let turns = Mutex(())

  /// - Parameters:
  ///   - location: Where the database lies; nobody else writes in memory, nor what is immutable.
  ///   - configuration: Prepares the connection that is asked. Whoever may write tells others.
  ///   - suspension: Says when the file may not be touched.
  ///   - publisher: Where the commits enter.
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

  /// How many writes of the pool have begun.
  var begunWriteCount: Int { begun.load(ordering: .sequentiallyConsistent) }

  /// How many writes of the pool have ended.
  var endedWriteCount: Int { ended.load(ordering: .sequentiallyConsistent) }

  /// A write begins, which may commit.
  func beginWrite() {
    begun.add(1, ordering: .sequentiallyConsistent)
  }

  /// A write has ended.
  func endWrite() {
    ended.add(1, ordering: .sequentiallyConsistent)
    signal?.committed()
  }

  // MARK: - Observers

  /// Monitors the file from now on: every later commit is published.
  ///
  /// - Parameters:
  ///   - pool: The pool whose publisher has one observer more.
  ///   - observer: Is notified of the tables, too.
  func addObserver(for pool: ConnectionPool, _ observer: ExternalChangeObserver? = nil) {
    state.withLock { state in
      state.pool = pool
      state.observerCount += 1
      if let observer { state.observers.append(observer) }
    }
    updateMonitoring(for: pool)
  }

  /// Stops monitoring the file when this was the last observer.
  func removeObserver(_ observer: ExternalChangeObserver? = nil) {
    state.withLock { state in
      state.observerCount -= 1
      if let observer { state.observers.removeAll { $0 === observer } }
    }
    updateMonitoring()
  }

  /// Stops monitoring the file for good, because the pool closes.
  func end() {
    let observers = state.withLock { state in
      state.isEnded = true
      defer { state.observers = [] }
      return state.observers
    }
    updateMonitoring()
    for observer in observers { observer.finish() }
  }

  /// Monitors the file while there are observers.
  private func updateMonitoring(for pool: ConnectionPool? = nil) {
    guard let path else { return }
    turns.withLock { _ in
      let (watch, isWanted) = state.withLock { ($0.watch, $0.observerCount > 0 && !$0.isEnded) }
      if isWanted, watch == nil {
        // The writer first, so that its next answer begins here: what is committed after this one is
        // seen by both or by the other alone.
        pool?.withIdleWriter { db in _ = try db.hasForeignCommits() }
        writersTables.withLock { $0.forget() }
        state.withLock { $0.patience.limit = WatchSettings.current.writersPatience }
        asking.withLock { asking in
          asking.question = DataVersionProbe(
            path: path, configuration: configuration, suspension: suspension)
        }
        // What came before is not told.
        if !isPaused { _ = ask() }
        let watch = DatabaseFileMonitor.add(self, path: path)
        state.withLock { $0.watch = watch }
      } else if !isWanted, let watch {
        watch.remove(self)
        // Before the pool closes: the last connection to go clears the log away, and one that only
        // reads cannot.
        asking.withLock { $0.question = nil }
        state.withLock { state in
          state.watch = nil
          state.health = WatchHealth()
        }
      }
    }
  }

  // MARK: - Looking

  /// Finds out whether somebody committed, and tells of it.
  func look() -> WatchLoop.Look {
    guard !isPaused, let (answer, isForeign) = ask() else { return .nothing }
    // An access that goes on for long keeps the writer from answering, and nobody else from committing.
    if state.withLock({ $0.patience.runsOut(at: WatchLoop.now) }) { publish() }
    let finding = publish(answer, isForeign: isForeign)
    return WatchLoop.Look(finding: finding, nextBy: state.withLock { $0.patience.deadline })
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
      askWriter()
      return .perhapsOwn
    case .busy:
      return .unknown
    case .unknown:
      // It may be open where no further connection can be. If it does not answer either, nothing is
      // lost: the next connection is fresh.
      askWriter(owing: false)
      return .unknown
    }
  }

  /// Asks the connection that is kept for it.
  ///
  /// - Returns: The answer, and whether what it tells of is surely no own commit; `nil` when nobody
  ///   listens any more.
  private func ask() -> (DataVersionProbe.Answer, isForeign: Bool)? {
    asking.withLock { asking in
      // Before the question: a write that ends after it may be in the next answer.
      let ended = endedWriteCount
      guard let answer = asking.question?.ask(namingTables: namesTables) else { return nil }
      let isReplaced = asking.question?.isReplaced ?? false
      state.withLock { state in
        state.health.lookCount += 1
        state.health.isReplaced = isReplaced
        state.health.databaseProblem = answer.problem
      }
      guard answer.problem == nil else { return (answer, false) }
      // After it: a write that has not begun yet is not in the answer.
      defer { asking.endedWriteCount = ended }
      return (answer, asking.endedWriteCount == begunWriteCount)
    }
  }

  // MARK: - Publishing

  /// Whether an observer needs the tables.
  private var namesTables: Bool { state.withLock { !$0.observers.isEmpty } }

  /// Publishes a commit of another connection, as a change of everything.
  ///
  /// - Parameter tables: The tables as far as a history knows them, which is what triggers note.
  func publish(_ tables: Set<String>? = nil) {
    let observers = state.withLock { $0.observers }
    Log.report(.debug, .externalChanges, "\(Log.name(path)) may have been changed from outside.")
    publisher.publish(TransactionChanges(in: .fullDatabase))
    for observer in observers { observer.notify(ExternalChange(tables: tables)) }
  }

  /// Finds out whether others have committed, of which the writer knows: own commits do not count
  /// there.
  ///
  /// - Parameter isOwing: Whether it is told that somebody has when the writer does not answer.
  func askWriter(owing isOwing: Bool = true) {
    let pool = state.withLock { state -> ConnectionPool? in
      if isOwing { state.patience.begin(at: WatchLoop.now) }
      guard !state.isAsking, !state.isEnded else { return nil }
      // Looked up once: where it goes with the second look, its end would come in here.
      let pool = state.pool
      state.isAsking = pool != nil
      return pool
    }
    // Reading only, so that it does not count as an own write.
    pool?.schedule(.write, .readOnly) { [self] writer in
      // Before the question, so that what is found from now on is asked for again.
      let (isEnded, isOwing) = state.withLock { state in
        state.isAsking = false
        return (state.isEnded, state.patience.end())
      }
      // Whoever observes a database that was closed is told nothing more, no error either.
      guard !isPaused, !isEnded else { return }
      do {
        let db = try writer.get()
        switch try db.hasForeignCommits() {
        case false: break
        case true:
          publish(namesTables ? writersTables.withLock { $0.ask(db) } : nil)
        case nil:
          // One that was not asked before may have missed something.
          writersTables.withLock { namesTables ? $0.begin(db) : $0.forget() }
          publish()
        }
      } catch {
        if isOwing { publish() }
      }
    }
  }

  // MARK: - Suspension and health

  /// Whether the file may not be touched now.
  private var isPaused: Bool { suspension.map { !$0.isResumed } ?? false }

  /// Tells after a suspension that everything may have changed.
  func resume() {
    state.withLock { $0.watch }?.nudge()
    // Also where nobody watches the file: what was refused meanwhile is done now.
    publish()
  }

  /// How well commits are seen, `nil` when nobody listens.
  var health: WatchHealth? {
    let (watch, known) = state.withLock { ($0.watch, $0.health) }
    guard let watch else { return nil }
    var health = known
    health.systemProblem = watch.systemProblem
    health.isToldBySystem = health.systemProblem == nil
    health.signalProblem = watch.signalProblem
    return health
  }
}

extension DataVersionProbe.Answer {
  /// Why there is none.
  fileprivate var problem: String? {
    switch self {
    case .same, .moved, .fresh: nil
    case .busy(let problem), .unknown(let problem): problem
    }
  }
}

extension ConnectionPool {
  /// Runs the closure with the writer, unless another thread uses it.
  fileprivate func withIdleWriter(_ body: (Database) throws -> Void) {
    do {
      if slots[0].token.isHeldByCurrentThread {
        // Inside of a write, which still sees what it saw at its beginning.
        if let writer = slots[0].openedDatabase { try body(writer) }
      } else if case .granted(let number)? = state.withLock({ $0.take(for: .write) }) {
        defer { release(number) }
        try run(body, on: number, for: .write, .readOnly, Suspension.AccessPermit())
      }
    } catch _ {
      // A writer that does not answer is asked again by the next look.
    }
  }
}
