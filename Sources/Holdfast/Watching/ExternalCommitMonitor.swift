import Dispatch
import Foundation
import HoldfastFiles
import HoldfastSQLite
import Synchronization

/// What others commit to the file of a pool, told to the pool's observers while there are any.
///
/// Others are the other processes and the other pools of this one. The pool's own commits are told
/// by its writer, and not here.
final class ExternalCommitMonitor: Sendable {
  private struct State {
    weak var pool: ConnectionPool?
    var watch: DatabaseFileMonitor?
    var health = WatchHealth()
    /// How many want to be told.
    var listenerCount = 0
    var receivers: [ExternalChangeObserver] = []
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
  private let feed: CommitPublisher
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
  ///   - feed: Where the commits enter.
  init(
    at location: DatabaseLocation, configuration: Configuration, suspension: Suspension?,
    feed: CommitPublisher
  ) {
    path = if case .file(let path) = location { path } else { nil }
    self.configuration = configuration
    self.suspension = suspension
    self.feed = feed
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

  // MARK: - Listeners

  /// Watches the file, if nobody did before: every commit after this call is told.
  func listen(for pool: ConnectionPool, _ receiver: ExternalChangeObserver? = nil) {
    state.withLock { state in
      state.pool = pool
      state.listenerCount += 1
      if let receiver { state.receivers.append(receiver) }
    }
    follow(for: pool)
  }

  /// Watches no longer when nobody else listens.
  func stopListening(_ receiver: ExternalChangeObserver? = nil) {
    state.withLock { state in
      state.listenerCount -= 1
      if let receiver { state.receivers.removeAll { $0 === receiver } }
    }
    follow()
  }

  /// Watches no longer, whoever listens: the pool closes.
  func end() {
    let receivers = state.withLock { state in
      state.isEnded = true
      defer { state.receivers = [] }
      return state.receivers
    }
    follow()
    for receiver in receivers { receiver.finish() }
  }

  /// Watches the file while somebody listens.
  private func follow(for pool: ConnectionPool? = nil) {
    guard let path else { return }
    turns.withLock { _ in
      let (watch, isWanted) = state.withLock { ($0.watch, $0.listenerCount > 0 && !$0.isEnded) }
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
        let watch = DatabaseFileMonitor.join(path: path, self)
        state.withLock { $0.watch = watch }
      } else if !isWanted, let watch {
        watch.leave(self)
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
    if state.withLock({ $0.patience.runsOut(at: WatchLoop.now) }) { tell() }
    let finding = tell(answer, isForeign: isForeign)
    return WatchLoop.Look(finding: finding, nextBy: state.withLock { $0.patience.deadline })
  }

  private func tell(
    _ answer: DataVersionProbe.Answer, isForeign: Bool
  ) -> PollBackoff.Finding {
    switch answer {
    case .same:
      return .nothing
    case .fresh:
      tell()
      return .foreign
    case .moved(let tables) where isForeign:
      tell(tables)
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
      guard let answer = asking.question?.ask(namingTables: hasReceivers) else { return nil }
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

  // MARK: - Telling

  /// Whether somebody asks for the tables.
  private var hasReceivers: Bool { state.withLock { !$0.receivers.isEmpty } }

  /// Tells that others have changed something: everything, to those who must miss nothing.
  ///
  /// - Parameter tables: The tables as far as a history knows them, which is what triggers note.
  func tell(_ tables: Set<String>? = nil) {
    let receivers = state.withLock { $0.receivers }
    feed.publish(TransactionChanges(in: .fullDatabase))
    for receiver in receivers { receiver.tell(ExternalChange(tables: tables)) }
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
    pool?.withWriter { [self] writer in
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
          tell(hasReceivers ? writersTables.withLock { $0.ask(db) } : nil)
        case nil:
          // One that was not asked before may have missed something.
          writersTables.withLock { hasReceivers ? $0.begin(db) : $0.forget() }
          tell()
        }
      } catch {
        if isOwing { tell() }
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
    tell()
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
  func withIdleWriter(_ body: (Database) throws -> Void) {
    // One that does not answer is asked later, as one that is busy is.
    do {
      if slots[0].token.isHeldByCurrentThread {
        // Inside of a write, which goes on to see what it saw at its beginning.
        if let writer = slots[0].openedDatabase { try body(writer) }
      } else if case .granted(let number)? = state.withLock({ $0.take(for: .write) }) {
        defer { giveBack(number) }
        try slots[number].database().lend(isReadOnly: true, body)
      }
    } catch _ {
      // The next look asks a writer that did not answer again.
    }
  }

  /// Runs the closure with the writer when its turn comes; it writes nothing, and so does not count
  /// as a write.
  func withWriter(_ body: @escaping @Sendable (Result<Database, any Error>) -> Void) {
    let waiter = Waiter { [self] outcome in
      guard case .granted(let number) = outcome else {
        return slots[0].queue.async { [path] in body(.failure(DatabaseError.closed(path: path))) }
      }
      slots[number].queue.async { [self] in
        let opened = Result {
          try slots[number].database().lend(isReadOnly: true) { db in body(.success(db)) }
        }
        giveBack(number)
        if case .failure(let error) = opened { body(.failure(error)) }
      }
    }
    switch state.withLock({ $0.wait(waiter, for: .write) }) {
    case .waiting: break
    case .granted(let slot): waiter.end(.granted(slot: slot))
    case .refused: waiter.end(.refused)
    }
  }
}
