import Dispatch
import Foundation
import HoldfastFiles
import Synchronization

/// A thread that looks at one database whenever something may have been committed.
///
/// It receives the system's events for the database's directory, and ``PollBackoff`` decides when
/// it looks. It opens no file. While the directory cannot be watched, or no descriptor is
/// available, each poll tries again.
final class WatchLoop: Sendable {
  private let files: DatabaseFiles
  private let names: Set<String>
  private let settings: WatchSettings
  private struct State {
    var isEnded = false
    var isNudged = false
    /// The system's events, once there is a descriptor for them.
    var events: DirectoryEvents?
    var systemProblem: String?
    var signalProblem: String?
  }

  private let state = Mutex(State())

  /// Ends a wait while there is no descriptor for events.
  private let wakening = DispatchSemaphore(value: 0)

  /// The result of a look, and the latest time of the next one.
  struct Look: Sendable {
    var finding: PollBackoff.Finding
    /// The time in the scale of ``WatchLoop/now``.
    var nextBy: Duration?

    static let nothing = Look(finding: .nothing)
  }

  /// Creates a loop, which is idle until ``begin(look:reportAgain:)``.
  ///
  /// - Parameters:
  ///   - files: The files of the database, at its path without symbolic links.
  ///   - settings: The settings.
  init(_ files: DatabaseFiles, _ settings: WatchSettings) {
    self.files = files
    self.settings = settings
    // Without the `-shm`: shared memory causes no events.
    names = Set([files.main, files.writeAheadLog, files.journal, files.signal].map(\.name))
  }

  /// The reason the system does not report changes; `nil` if it does.
  var systemProblem: String? { state.withLock { $0.systemProblem } }

  /// The reason writers cannot signal; `nil` if they can, or need not.
  var signalProblem: String? { state.withLock { $0.signalProblem } }

  /// Starts to receive events, and starts the thread; called once.
  ///
  /// - Parameters:
  ///   - look: Looks for commits, and notifies observers of them.
  ///   - reportAgain: Called at the looks after a foreign commit, if the pace requires it.
  func begin(
    look: @escaping @Sendable () -> Look,
    reportAgain: @escaping @Sendable () -> Void = {}
  ) {
    listen()
    let thread = Thread { self.run(look, reportAgain) }
    thread.name = "holdfast.watch"
    thread.qualityOfService = .userInitiated
    thread.start()
  }

  /// Makes the thread look again soon, as after an event.
  func nudge() {
    let events = state.withLock { state in
      state.isNudged = true
      return state.events
    }
    wake(events)
  }

  /// Ends the thread, which may continue until the end of its look.
  func end() {
    let (wasEnded, events) = state.withLock { state in
      defer { state.isEnded = true }
      return (state.isEnded, state.events)
    }
    guard !wasEnded else { return }
    wake(events)
    events?.end()
    #if canImport(Darwin)
      withdrawSignal()
    #endif
  }

  private func wake(_ events: DirectoryEvents?) {
    // The thread checks the state between receiving events and its next wait.
    if let events { events.wake() } else { wakening.signal() }
  }

  // MARK: - The thread

  private static let start = ContinuousClock.now

  /// The time, in the scale of all loops.
  static var now: Duration { start.duration(to: .now) }

  private var now: Duration { Self.now }

  private func run(_ look: @Sendable () -> Look, _ reportAgain: @Sendable () -> Void) {
    var backoff = PollBackoff(pace, at: now)
    while true {
      let (isEnded, isNudged) = state.withLock { state in
        defer { state.isNudged = false }
        return (state.isEnded, state.isNudged)
      }
      if isEnded { backoff.end() }
      if isNudged { backoff.receivedEvent() }
      switch backoff.action(at: now) {
      case .end:
        return
      case .look:
        listenAgain(&backoff)
        let look = look()
        if backoff.didLook(look.finding, at: now, nextBy: look.nextBy) { reportAgain() }
      case .pause(let time):
        if case .lost = wait(until: time, for: .nothing) { listen() } else { keepSignal() }
      case .rest(let time):
        // Where the system keeps no event for later, it is received now.
        if isEventful(wait(until: time, for: .later)) { backoff.receivedEvent() }
      case .listen(let time):
        if isEventful(wait(until: time, for: .everything)) { backoff.receivedEvent() }
      }
    }
  }

  private func wait(until time: Duration, for mask: DirectoryEventMask) -> DirectoryEvent {
    let limit = time - now
    if let events { return events.wait(limit, for: mask) }
    let isWoken = wakening.wait(timeout: .now() + limit / .seconds(1)) == .success
    return isWoken ? .woken : .quiet
  }

  private func isEventful(_ event: DirectoryEvent) -> Bool {
    switch event {
    case .files(let names, let touched):
      if names.contains(files.signal.name) { offerSignal() }
      // Opening a log may set its owner; setting times is how writers signal.
      return !names.isDisjoint(with: self.names) || touched.contains(files.signal.name)
    case .anything: return true
    case .lost:
      listen()
      return true
    case .woken, .quiet: return false
    }
  }

  // MARK: - Events of the system

  private var events: DirectoryEvents? { state.withLock { $0.events } }

  private var listeningEvents: DirectoryEvents {
    get throws(Errno) {
      if let events { return events }
      let made = try DirectoryEvents()
      state.withLock { $0.events = made }
      return made
    }
  }

  private var isWatching: Bool { events?.isWatching ?? false }

  private var pace: PollBackoff.Pace {
    var pace = settings.pace
    if !isWatching { pace.poll = min(pace.poll, settings.pollWithoutSystem) }
    return pace
  }

  private func listenAgain(_ backoff: inout PollBackoff) {
    if settings.requestsSystemEvents && !isWatching { listen() }
    backoff.change(to: pace)
  }

  private func listen() {
    guard settings.requestsSystemEvents else {
      return state.withLock {
        $0.systemProblem = "The system's file events are switched off for this watch."
      }
    }
    let problem: String?
    do throws(Errno) {
      try listeningEvents.begin(at: files.main.directory.text, log: files.writeAheadLog.text)
      problem = nil
    } catch {
      problem = SystemCalls.description(of: error)
    }
    state.withLock { $0.systemProblem = problem }
    offerSignal()
  }

  // MARK: - Signals of writers

  #if canImport(Darwin)
    private let signal = Mutex<DarwinSignal?>(nil)

    private func offerSignal() {
      guard settings.requestsWriterSignals else { return }
      let signal = DarwinSignal(database: files.main.text, queue: .global()) { [weak self] in
        self?.nudge()
      }
      self.signal.withLock { $0 = signal }
    }

    private func withdrawSignal() {
      signal.withLock { $0 = nil }
    }

    private func keepSignal() {}
  #else
    /// Creates the file that writers touch, unless it exists.
    ///
    /// Without it a commit is found by the next scheduled look.
    private func offerSignal() {
      guard settings.requestsWriterSignals, isWatching, !state.withLock({ $0.isEnded }) else {
        return
      }
      let problem = SignalFile(files).make()
      state.withLock { $0.signalProblem = problem }
    }

    /// Creates the file again where it was removed in a pause, in which no event reports that.
    private func keepSignal() { offerSignal() }
  #endif
}
