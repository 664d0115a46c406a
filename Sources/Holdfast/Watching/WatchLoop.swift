import Foundation
import HoldfastFiles
import Synchronization

/// A thread that looks at one database whenever something may have been committed.
///
/// It listens to what the system tells of the database's directory and asks ``WatchLadder`` when to
/// look. No file is opened, and a directory that cannot be watched is asked for again at each poll.
final class WatchLoop: Sendable {
  private let files: DatabaseFiles
  private let names: Set<String>
  private let settings: WatchSettings
  private let look: @Sendable () -> WatchLadder.Finding
  private let tellAgain: @Sendable () -> Void
  private let events: DirectoryEvents
  private let start = ContinuousClock.now

  private struct State {
    var isEnded = false
    var isNudged = false
    var systemProblem: String?
  }

  private let state = Mutex(State())

  /// Begins to listen; ``begin()`` starts the thread.
  ///
  /// - Parameters:
  ///   - files: The database, by the path that has no symbolic links.
  ///   - settings: How it is watched.
  ///   - look: Finds out whether something was committed, and tells of it.
  ///   - tellAgain: Called on the rungs after a foreign commit, if the pace asks for it.
  /// - Throws: `Errno` when the process can have no further descriptor.
  init(
    _ files: DatabaseFiles, _ settings: WatchSettings,
    look: @escaping @Sendable () -> WatchLadder.Finding,
    tellAgain: @escaping @Sendable () -> Void = {}
  ) throws(Errno) {
    self.files = files
    self.settings = settings
    self.look = look
    self.tellAgain = tellAgain
    // Not the `-shm`: nothing is told of memory that is shared.
    names = Set([files.main, files.writeAheadLog, files.journal, files.signal].map(\.name))
    events = try DirectoryEvents()
    listen()
  }

  /// Why the system does not tell of changes, `nil` when it does.
  var systemProblem: String? { state.withLock { $0.systemProblem } }

  /// Starts the thread.
  func begin() {
    let thread = Thread { self.run() }
    thread.name = "holdfast.watch"
    thread.qualityOfService = .userInitiated
    thread.start()
  }

  /// Has the thread look again soon, as after an event.
  func nudge() {
    state.withLock { $0.isNudged = true }
    events.wake()
  }

  /// Ends the thread, which may go on until the end of its look.
  func end() {
    let wasEnded = state.withLock { state in
      defer { state.isEnded = true }
      return state.isEnded
    }
    guard !wasEnded else { return }
    events.wake()
    events.end()
    withdrawSignal()
  }

  // MARK: - The thread

  private var now: Duration { start.duration(to: .now) }

  private func run() {
    var ladder = WatchLadder(pace, at: now)
    while true {
      let (isEnded, isNudged) = state.withLock { state in
        defer { state.isNudged = false }
        return (state.isEnded, state.isNudged)
      }
      if isEnded { ladder.end() }
      if isNudged { ladder.heard() }
      switch ladder.action(at: now) {
      case .end:
        return
      case .look:
        listenAgain(&ladder)
        let finding = look()
        if ladder.looked(finding, at: now) { tellAgain() }
      case .rest(let time):
        _ = events.wait(time - now, hearsEvents: false)
      case .listen(let time):
        if isEventful(events.wait(time - now, hearsEvents: true)) { ladder.heard() }
      }
    }
  }

  private func isEventful(_ news: DirectoryNews) -> Bool {
    switch news {
    case .files(let names, let touched):
      if names.contains(files.signal.name) { offerSignal() }
      // Opening a log may set its owner, and setting times is how writers signal.
      return !names.isDisjoint(with: self.names) || touched.contains(files.signal.name)
    case .anything: return true
    case .lost:
      listen()
      return true
    case .woken, .quiet: return false
    }
  }

  // MARK: - What the system tells

  private var pace: WatchLadder.Pace {
    var pace = settings.pace
    if !events.isWatching { pace.poll = min(pace.poll, settings.pollWithoutSystem) }
    return pace
  }

  private func listenAgain(_ ladder: inout WatchLadder) {
    if settings.asksSystem && !events.isWatching { listen() }
    ladder.change(to: pace)
  }

  private func listen() {
    guard settings.asksSystem else {
      return state.withLock { $0.systemProblem = "It was not asked to." }
    }
    let problem: String?
    do throws(Errno) {
      try events.begin(at: files.main.directory.text, log: files.writeAheadLog.text)
      problem = nil
    } catch {
      problem = SystemCalls.description(of: error)
    }
    state.withLock { $0.systemProblem = problem }
    offerSignal()
  }

  // MARK: - What writers tell

  #if canImport(Darwin)
    private let signal = Mutex<DarwinSignal?>(nil)

    private func offerSignal() {
      guard settings.asksWriters else { return }
      let signal = DarwinSignal(database: files.main.text, queue: .global()) { [weak self] in
        self?.nudge()
      }
      self.signal.withLock { $0 = signal }
    }

    private func withdrawSignal() {
      signal.withLock { $0 = nil }
    }
  #else
    /// Makes the file that writers touch, if it is not there.
    private func offerSignal() {
      guard settings.asksWriters, events.isWatching else { return }
      state.withLock { state in
        // Asked with the lock held: nothing is made after the end has removed it.
        guard !state.isEnded else { return }
        // Without it a commit is found on the ladder; a folder that takes no file is no fault.
        do throws(Errno) {
          _ = try SystemCalls.linkStatus(of: files.signal.text)
        } catch {
          do throws(Errno) {
            _ = try SystemCalls.openFile(files.signal.text, for: .openOrCreate)
          } catch _ {}
        }
      }
    }

    private func withdrawSignal() {
      guard settings.asksWriters else { return }
      // Others who watch are told that it went, and make it again.
      do throws(Errno) { try SystemCalls.remove(files.signal.text) } catch _ {}
    }
  #endif
}
