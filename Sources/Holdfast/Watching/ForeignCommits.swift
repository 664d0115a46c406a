import Dispatch
import Foundation
import HoldfastFiles
import HoldfastSQLite
import Synchronization

/// What others commit to the file of a pool, told to the pool's observers while there are any.
///
/// Others are the other processes and the other pools of this one. The pool's own commits are told
/// by its writer, and not here.
final class ForeignCommits: Sendable {
  private struct State {
    weak var pool: ConnectionPool?
    var watch: DatabaseWatch?
    /// How many want to be told.
    var listenerCount = 0
    var receivers: [ChangeReceiver] = []
    /// Whether the writer is to be asked and has not answered.
    var isAsking = false
    var isEnded = false
  }

  private let path: String?
  private let feed: ChangeFeed
  private let signal: ChangeSignal?
  private let begun = Atomic(0)
  private let ended = Atomic(0)
  private let paused = Atomic(false)
  private let state = Mutex(State())

  /// - Parameters:
  ///   - path: The file's path, `nil` in memory, where nobody else writes.
  ///   - feed: Where the commits enter.
  ///   - signals: Whether the pool may write, and so tells others.
  init(path: String?, feed: ChangeFeed, signals: Bool) {
    // Who watches later may be in another folder.
    self.path = path.map { path in
      path.hasPrefix("/") ? path : FileManager.default.currentDirectoryPath + "/" + path
    }
    self.feed = feed
    signal = signals ? self.path.map { ChangeSignal(database: $0) } : nil
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
  func listen(for pool: ConnectionPool, _ receiver: ChangeReceiver? = nil) {
    guard let path else { return }
    let isFirst = state.withLock { state in
      state.pool = pool
      state.listenerCount += 1
      if let receiver { state.receivers.append(receiver) }
      return state.listenerCount == 1 && !state.isEnded
    }
    guard isFirst else { return }
    // The writer first: what is committed after it answered is seen by both or by the other alone.
    pool.askIdleWriter()
    let watch = DatabaseWatch.join(path: path, self)
    let isWanted = state.withLock { state in
      guard state.listenerCount > 0, !state.isEnded else { return false }
      state.watch = watch
      return true
    }
    if !isWanted { watch.leave(self) }
  }

  /// Watches no longer when nobody else listens.
  func stopListening(_ receiver: ChangeReceiver? = nil) {
    guard path != nil else { return }
    let watch = state.withLock { state -> DatabaseWatch? in
      state.listenerCount -= 1
      if let receiver { state.receivers.removeAll { $0 === receiver } }
      guard state.listenerCount == 0 else { return nil }
      defer { state.watch = nil }
      return state.watch
    }
    watch?.leave(self)
  }

  /// Watches no longer, whoever listens: the pool closes.
  func end() {
    let (watch, receivers) = state.withLock { state in
      state.isEnded = true
      defer {
        state.watch = nil
        state.receivers = []
      }
      return (state.watch, state.receivers)
    }
    watch?.leave(self)
    for receiver in receivers { receiver.finish() }
  }

  // MARK: - Telling

  /// Everything may have changed.
  func tell() {
    let receivers = state.withLock { $0.receivers }
    feed.publish(TransactionChanges(in: .fullDatabase))
    for receiver in receivers { receiver.tell(ExternalChange(tables: nil)) }
  }

  /// Finds out whether others have committed, of which the writer knows: own commits do not count
  /// there.
  func askWriter() {
    let pool = state.withLock { state -> ConnectionPool? in
      guard !state.isAsking, !state.isEnded else { return nil }
      state.isAsking = state.pool != nil
      return state.pool
    }
    pool?.withWriter { [self] writer in
      // Before the question, so that what is found from now on is asked for again.
      let isEnded = state.withLock { state in
        state.isAsking = false
        return state.isEnded
      }
      // Whoever observes a database that was closed is told nothing more, no error either.
      guard !isPaused, !isEnded else { return }
      let answer = Result { try writer.get().hasForeignCommits() }
      // One that was not asked before, or does not answer, may have missed something.
      if case .success(false) = answer { return }
      tell()
    }
  }

  // MARK: - Pauses and health

  /// Whether the file may not be touched now.
  var isPaused: Bool { paused.load(ordering: .sequentiallyConsistent) }

  /// Closes what the watch keeps open at once; until ``endPause()`` nothing is told.
  func pause() {
    paused.store(true, ordering: .sequentiallyConsistent)
    DatabaseWatch.closeConnections(for: self)
  }

  /// Goes on, and tells that everything may have changed.
  func endPause() {
    paused.store(false, ordering: .sequentiallyConsistent)
    state.withLock { $0.watch }?.nudge()
  }

  /// How well commits are seen, `nil` when nobody listens.
  var health: WatchHealth? { state.withLock { $0.watch }?.health }
}

extension ConnectionPool {
  /// Asks the writer what it has seen, unless another thread uses it, so that the next answer
  /// begins here.
  func askIdleWriter() {
    // One that does not answer is asked later, as one that is busy is.
    do {
      if slots[0].token.isHeldByCurrentThread {
        // Inside of a write, which goes on to see what it saw at its beginning.
        _ = try slots[0].openedDatabase?.hasForeignCommits()
      } else if case .granted(let number)? = state.withLock({ $0.take(for: .write) }) {
        defer { giveBack(number) }
        _ = try slots[number].database().lend(isReadOnly: true) { db in
          try db.hasForeignCommits()
        }
      }
    } catch _ {}
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
