import HoldfastFiles
import HoldfastSQLite
import Synchronization

/// Sees the commits of whoever writes a file, for all pools of this process that have it open.
final class DatabaseWatch: Sendable {
  private struct Member {
    let pool: ForeignCommits
    /// How many of its writes had ended when the database was last asked, `nil` before.
    var endedWriteCount: Int?
  }

  private struct State: ~Copyable {
    var question: CommitQuestion
    var members: [Member] = []
    var loop: WatchLoop?
    var health = WatchHealth()
  }

  private static let watches = Mutex<[String: DatabaseWatch]>([:])

  private let path: String
  private let state: Mutex<State>

  private init(path: String) {
    self.path = path
    state = Mutex(State(question: CommitQuestion(path: path)))
  }

  // MARK: - Members

  /// Watches a file for a pool: every commit from now on is told to it.
  ///
  /// - Parameters:
  ///   - path: The file's path.
  ///   - pool: Who is told.
  /// - Returns: The watch, which the pool leaves.
  static func join(path: String, _ pool: ForeignCommits) -> DatabaseWatch {
    let path = FilePath(path).resolved.text
    let (watch, isFirst) = watches.withLock { watches in
      let watch = watches[path] ?? DatabaseWatch(path: path)
      watches[path] = watch
      let isFirst = watch.state.withLock { state in
        state.members.append(Member(pool: pool))
        return state.members.count == 1
      }
      return (watch, isFirst)
    }
    if isFirst { watch.listen() }
    watch.tell(watch.look(admitting: pool))
    if isFirst { watch.state.withLock { $0.loop }?.begin() }
    return watch
  }

  /// Tells a pool of nothing any more; without members nothing stays open.
  func leave(_ pool: ForeignCommits) {
    let loop = Self.watches.withLock { watches in
      state.withLock { state -> WatchLoop? in
        state.members.removeAll { $0.pool === pool }
        guard state.members.isEmpty else { return nil }
        // Before the pool closes: the last connection to go clears the log away, and one that only
        // reads cannot.
        state.question.close()
        if watches[path] === self { watches[path] = nil }
        defer { state.loop = nil }
        return state.loop
      }
    }
    loop?.end()
  }

  private func listen() {
    let settings = WatchSettings.current
    let files = DatabaseFiles(main: FilePath(path))
    do throws(Errno) {
      // The thread keeps the loop, and the loop this, until the last member leaves.
      let loop = try WatchLoop(files, settings) {
        let round = self.look(admitting: nil)
        self.tell(round)
        return round.finding
      }
      state.withLock { $0.loop = loop }
    } catch {
      let problem = SystemCalls.description(of: error)
      state.withLock { $0.health.systemProblem = problem }
    }
  }

  // MARK: - Looking

  private struct Round {
    var finding = WatchLadder.Finding.nothing
    /// Who is told at once.
    var foreign: [ForeignCommits] = []
    /// Who may have committed what was found.
    var undecided: [ForeignCommits] = []
  }

  private func look(admitting newcomer: ForeignCommits?) -> Round {
    state.withLock { state in
      var round = Round()
      guard !state.members.isEmpty else { return round }
      // The connection is everybody's, and one who may have none is enough.
      guard !state.members.contains(where: { $0.pool.isPaused }) else { return round }
      state.health.lookCount += 1
      // Before the question: a write that ends after it may be in the next answer.
      let ended = state.members.map(\.pool.endedWriteCount)
      let answer = state.question.ask()
      state.health.isReplaced = state.question.isReplaced
      guard case .unknown(let problem) = answer else {
        state.health.databaseProblem = nil
        for index in state.members.indices {
          let member = state.members[index]
          state.members[index].endedWriteCount = ended[index]
          if answer == .same || member.pool === newcomer { continue }
          // After it: a write that has not begun yet is not in the answer.
          if answer == .moved && member.endedWriteCount != member.pool.begunWriteCount {
            round.undecided.append(member.pool)
          } else {
            round.foreign.append(member.pool)
          }
        }
        if !round.foreign.isEmpty { round.finding = .foreign }
        if !round.undecided.isEmpty { round.finding = .perhapsOwn }
        return round
      }
      state.health.databaseProblem = problem
      round.finding = .unknown
      return round
    }
  }

  private func tell(_ round: Round) {
    for pool in round.foreign { pool.tell() }
    for pool in round.undecided { pool.askWriter() }
  }

  // MARK: - Pauses and health

  /// Closes the connection of the watch that a pool has joined, or is joining, at once; the next
  /// look opens another one, and tells that everything may have changed.
  static func closeConnections(for pool: ForeignCommits) {
    for watch in watches.withLock({ Array($0.values) }) {
      watch.state.withLock { state in
        if state.members.contains(where: { $0.pool === pool }) { state.question.close() }
      }
    }
  }

  /// Looks soon.
  func nudge() {
    state.withLock { $0.loop }?.nudge()
  }

  /// How well commits are seen.
  var health: WatchHealth {
    state.withLock { state in
      var health = state.health
      if let loop = state.loop { health.systemProblem = loop.systemProblem }
      health.isToldBySystem = health.systemProblem == nil
      return health
    }
  }
}
