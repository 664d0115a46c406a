import Foundation
import Holdfast
import HoldfastFiles
import HoldfastInspector
import Synchronization

/// A watch over a database while the page shows it: commits, locks and the log.
///
/// There is one for each database, however many pages show it, and none while no page does.
final class LiveWatch: Sendable {
  private let database: InspectedDatabase
  private let state = Mutex(State())

  private struct State {
    var listeners: [Int: Listener] = [:]
    var channelNumber = 0
    var eventNumber = 0
    var timer: Timer?
    var observer: Task<Void, Never>?
    var observed: DatabaseQueue?
    var token: ChangeHistory.Token?
    var seen = LiveState()
    var isClosed = false
  }

  /// A channel, and what it gets after its first event, which is the state.
  private struct Listener {
    let channel: ByteChannel
    /// The events since it was made; `nil` once it has got the state.
    var waiting: [Data]? = []

    /// Returns whether an event is taken, now or later.
    mutating func take(_ event: Data) -> Bool {
      guard let count = waiting?.count else { return channel.offer(event) }
      guard count < LiveWatch.mostWaiting else { return false }
      waiting?.append(event)
      return true
    }

    /// Returns whether the state, and what has waited for it, is taken.
    mutating func begin(_ event: Data) -> Bool {
      let events = [event] + (waiting ?? [])
      waiting = nil
      return events.allSatisfy { channel.offer($0) }
    }
  }

  // Sendable because a source of Dispatch may be used on any thread.
  private struct Timer: @unchecked Sendable {
    let source: any DispatchSourceTimer

    init(_ source: any DispatchSourceTimer) { self.source = source }
  }

  /// The time between two looks at locks.
  private static let interval = DispatchTimeInterval.milliseconds(100)

  /// The minimum time between two looks for commits.
  private static let rest = Duration.milliseconds(2)

  /// The same while an app writes all the time, whose commits become one event.
  private static let restUnderLoad = Duration.milliseconds(50)

  /// The most changed rows of one event.
  static let mostChanges = 100

  /// The most events that wait for the first look.
  private static let mostWaiting = 1000

  private let queue = DispatchQueue(label: "holdfast.inspect.watch", qos: .userInitiated)

  init(_ database: InspectedDatabase) { self.database = database }

  /// Returns a channel with the events from now on; the first is the state.
  func channel() -> ByteChannel {
    let channel = ByteChannel(capacity: 1 << 20, heartbeat: ServerSentEvent.heartbeat)
    let number = state.withLock { state in
      state.channelNumber += 1
      state.listeners[state.channelNumber] = Listener(channel: channel)
      return state.channelNumber
    }
    channel.atClose { [weak self] in self?.remove(number) }
    queue.async { [self] in
      startWatching()
      look()
    }
    return channel
  }

  /// Ends all channels.
  func close() {
    let listeners = state.withLock { state in
      state.isClosed = true
      return Array(state.listeners.values)
    }
    for listener in listeners { listener.channel.finish() }
    queue.async { [self] in stopWatching() }
  }

  private func remove(_ number: Int) {
    let isLast = state.withLock { state in
      state.listeners[number] = nil
      return state.listeners.isEmpty
    }
    if isLast { queue.async { [self] in stopWatching() } }
  }

  // MARK: - On the queue

  private func startWatching() {
    let isWanted = state.withLock { $0.timer == nil && !$0.isClosed && !$0.listeners.isEmpty }
    guard isWanted else { return }
    let timer = DispatchSource.makeTimerSource(queue: queue)
    timer.schedule(deadline: .now() + Self.interval, repeating: Self.interval)
    timer.setEventHandler { [weak self] in self?.look() }
    let held = Timer(timer)
    state.withLock { state in
      state.timer = held
      state.seen = LiveState()
    }
    held.source.activate()
  }

  private func stopWatching() {
    let (timer, observer) = state.withLock { state in
      guard state.listeners.isEmpty || state.isClosed else {
        return (nil as Timer?, nil as Task<Void, Never>?)
      }
      defer { (state.timer, state.observer, state.observed, state.token) = (nil, nil, nil, nil) }
      return (state.timer, state.observer)
    }
    timer?.source.cancel()
    observer?.cancel()
  }

  /// Looks at the database, and sends what has changed.
  private func look() {
    let newcomers = state.withLock { state in
      state.listeners.filter { $0.value.waiting != nil }.map(\.key)
    }
    do {
      let origin = try database.origin()
      // The locks first: without a log a writer may hold one that keeps every reader out.
      var now = LiveState(locksOn: database.path, origin.reading)
      let isNew = try read(&now, origin)
      // The connection that was opened just now has its own.
      if isNew { now.readLocks(on: database.path) }
      let seen = state.withLock { state in
        defer { state.seen = now }
        return state.seen
      }
      if isNew, seen.reading == .copied, now.reading == .copied {
        // The file has changed, and its copy was made again.
        send("commit", ["tables": .null, "changes": .null])
      }
      if now.isOther(than: seen) { send("state", now.record) }
      if !newcomers.isEmpty { begin(newcomers, now.record) }
      guard seen.reading != nil else { return }
      if now.hasOtherLocks(than: seen) { send("locks", ["locks": .list(now.lockCells)]) }
      if let log = now.logRecord(since: seen) { send("log", log) }
    } catch {
      fail(error)
    }
  }

  /// Reads the content of the database, unless a writer keeps readers out; then the content of the last look is kept.
  ///
  /// - Returns: Whether the connection is another one than at the last look.
  private func read(_ now: inout LiveState, _ origin: DatabaseOrigin) throws -> Bool {
    var isNew = false
    do {
      let watched = try database.queue(for: .watch)
      isNew = state.withLock { $0.observed !== watched }
      if isNew { try observe(watched, isLive: origin.reading != .copied) }
      try now.readContent(watched)
      try followHistory(now.hasHistory, watched)
    } catch let error as DatabaseError
      where [.SQLITE_BUSY, .SQLITE_LOCKED, .SQLITE_INTERRUPT].contains(error.resultCode)
    {
      // The next look comes soon.
      now.keepContent(of: state.withLock { $0.seen })
    }
    return isNew
  }

  /// Begins with a history that was made since the watch began, and ends with one that was removed.
  private func followHistory(_ hasHistory: Bool, _ queue: DatabaseQueue) throws {
    guard state.withLock({ ($0.token != nil) != hasHistory }) else { return }
    let token = hasHistory ? try queue.read { db in try ChangeHistory.currentToken(db) } : nil
    state.withLock { $0.token = token }
  }

  /// Observes the commits of others on a connection.
  private func observe(_ queue: DatabaseQueue, isLive: Bool) throws {
    let token = try queue.read { db in
      try db.tableExists("holdfast_history") ? ChangeHistory.currentToken(db) : nil
    }
    let observer = isLive ? makeObserver(of: queue) : nil
    let old = state.withLock { state in
      defer { (state.observed, state.token, state.observer) = (queue, token, observer) }
      return state.observer
    }
    old?.cancel()
  }

  private func makeObserver(of queue: DatabaseQueue) -> Task<Void, Never> {
    // A tool that only reads must not leave a file behind.
    var settings = WatchSettings()
    settings.requestsWriterSignals = false
    // A page shows no more, and an app that writes all the time is slowed down by each look.
    settings.rest = Self.rest
    settings.restUnderLoad = Self.restUnderLoad
    let isStarted = DispatchSemaphore(value: 0)
    // The state that is sent next is older than all commits that are reported.
    defer { isStarted.wait() }
    // The task has the settings of where it is made.
    return WatchSettings.$current.withValue(settings) {
      Task { [weak self] in
        var changes = queue.externalChanges.makeAsyncIterator()
        // From here on no commit is missed.
        isStarted.signal()
        while let change = await changes.next() {
          guard let self, !Task.isCancelled else { return }
          await self.report(change, queue)
        }
      }
    }
  }

  private func report(_ change: ExternalChange, _ queue: DatabaseQueue) async {
    let token = state.withLock { $0.token }
    var record: OutputRecord = [
      "tables": change.tables.map { .list($0.sorted().map(Cell.text)) } ?? .null, "changes": .null,
    ]
    do {
      if let token {
        let answer = try await queue.read { db in
          (
            try ChangeHistory.firstChanges(db, after: token, atMost: Self.mostChanges),
            try ChangeHistory.currentToken(db)
          )
        }
        if case .changes(let changes, upTo: _) = answer.0 {
          // A checkpoint looks like a commit, and changes nothing.
          if changes.isEmpty, change.tables?.isEmpty == true { return }
          record = [
            "tables": .list(
              Set(changes.map(\.table)).union(change.tables ?? []).sorted().map(Cell.text)),
            "changes": .list(
              changes.map { .record(OutputRecord(change: $0)) }),
          ]
        }
        state.withLock { $0.token = answer.1 }
      }
    } catch {
      // Without the rows the commit is still one; the next look reports what is wrong.
      record.fields[1].cell = .null
    }
    send("commit", record)
  }

  // MARK: - Sending

  private func send(_ name: String, _ record: OutputRecord) {
    deliver(name, record) { state, event in
      state.listeners.keys.filter { state.listeners[$0]?.take(event) == false }
    }
  }

  /// Sends the first event to channels that wait for it.
  private func begin(_ numbers: [Int], _ record: OutputRecord) {
    deliver("state", record) { state, event in
      numbers.filter { state.listeners[$0]?.begin(event) == false }
    }
  }

  // The closure gives the event to channels, and returns those that do not take it.
  private func deliver(
    _ name: String, _ record: OutputRecord, _ body: (inout State, Data) -> [Int]
  ) {
    var record = record
    record.fields.append(.init(key: "time", cell: .text(Date.now.preciseTimestamp)))
    let json = record.json
    let lost = state.withLock { state in
      state.eventNumber += 1
      let event = ServerSentEvent(name, number: state.eventNumber, json: json).bytes
      return body(&state, event).compactMap { state.listeners[$0]?.channel }
    }
    // One that takes nothing for long is asked to connect again.
    for channel in lost { channel.finish(complete: false) }
  }

  private func fail(_ error: any Error) {
    let json = ErrorReport(error).record.json
    let channels = state.withLock { state in
      state.eventNumber += 1
      let bytes = ServerSentEvent("error", number: state.eventNumber, json: json).bytes
      let channels = state.listeners.values.map(\.channel)
      for channel in channels { _ = channel.offer(bytes) }
      state.listeners = [:]
      return channels
    }
    for channel in channels { channel.finish() }
    stopWatching()
  }
}

extension Date {
  /// The instant in ISO 8601 with milliseconds, in UTC.
  fileprivate var preciseTimestamp: String {
    formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
  }
}
