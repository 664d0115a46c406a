import Foundation
import Holdfast
import HoldfastFiles
import HoldfastInspector
import Synchronization

/// What is seen of a database while the page shows it: commits, locks and the log.
///
/// There is one for each database, however many pages show it, and none while no page does.
final class LiveWatch: Sendable {
  private let database: InspectedDatabase
  private let state = Mutex(State())

  private struct State {
    var channels: [Int: ByteChannel] = [:]
    var channelNumber = 0
    var eventNumber = 0
    var timer: Timer?
    var observer: Task<Void, Never>?
    var observed: DatabaseQueue?
    var token: ChangeHistory.Token?
    var seen = LiveState()
    /// Whether a channel waits for its first event.
    var isStateWanted = false
    var isClosed = false
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

  /// The time in which commits become one event while an app writes all the time.
  private static let pause = Duration.milliseconds(20)

  /// The number of events, each soon after the one before, from which on an app writes all the time.
  private static let mostQuickEvents = 10

  /// The most changed rows of one event.
  static let mostChanges = 100

  private let queue = DispatchQueue(label: "holdfast.inspect.watch", qos: .userInitiated)

  init(_ database: InspectedDatabase) { self.database = database }

  /// Returns a channel with the events from now on; the first is the state.
  func channel() -> ByteChannel {
    let channel = ByteChannel(capacity: 1 << 20, heartbeat: ServerSentEvent.heartbeat)
    let number = state.withLock { state in
      state.channelNumber += 1
      state.channels[state.channelNumber] = channel
      state.isStateWanted = true
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
    let channels = state.withLock { state in
      state.isClosed = true
      return Array(state.channels.values)
    }
    for channel in channels { channel.finish() }
    queue.async { [self] in stopWatching() }
  }

  private func remove(_ number: Int) {
    let isLast = state.withLock { state in
      state.channels[number] = nil
      return state.channels.isEmpty
    }
    if isLast { queue.async { [self] in stopWatching() } }
  }

  // MARK: - On the queue

  private func startWatching() {
    let isWanted = state.withLock { $0.timer == nil && !$0.isClosed && !$0.channels.isEmpty }
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
      guard state.channels.isEmpty || state.isClosed else {
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
    do {
      let origin = try database.origin()
      let watched = try database.queue(for: .watch)
      let isNew = state.withLock { $0.observed !== watched }
      if isNew { try observe(watched, isLive: origin.reading != .copied) }
      let now = try LiveState(of: database.path, origin, watched)
      let (seen, isFirst) = state.withLock { state in
        defer { (state.seen, state.isStateWanted) = (now, false) }
        return (state.seen, state.isStateWanted)
      }
      if isNew, seen.reading == .copied, now.reading == .copied {
        // The file has changed, and its copy was made again.
        send("commit", ["tables": .null, "changes": .null])
      }
      if isFirst || now.isOther(than: seen) { send("state", now.record) }
      if now.locks != seen.locks, !isFirst { send("locks", ["locks": .list(now.lockCells)]) }
      if let log = now.logRecord(since: seen), !isFirst { send("log", log) }
    } catch let error as DatabaseError
      where [.SQLITE_BUSY, .SQLITE_LOCKED, .SQLITE_INTERRUPT].contains(error.resultCode)
    {
      // Without a log a writer keeps readers out; the next look comes soon.
      return
    } catch {
      fail(error)
    }
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
    let isStarted = DispatchSemaphore(value: 0)
    // The state that is sent next is older than all commits that are reported.
    defer { isStarted.wait() }
    // The task has the settings of where it is made.
    return WatchSettings.$current.withValue(settings) {
      Task { [weak self] in
        var changes = queue.externalChanges.makeAsyncIterator()
        // From here on no commit is missed.
        isStarted.signal()
        var (count, last) = (0, ContinuousClock.now)
        while let change = await changes.next() {
          guard let self, !Task.isCancelled else { return }
          await self.report(change, queue)
          let now = ContinuousClock.now
          count = last.duration(to: now) < Self.pause / 2 ? count + 1 : 0
          last = now
          guard count > Self.mostQuickEvents else { continue }
          // A cancelled task ends with the next change.
          try? await Task.sleep(for: Self.pause)
          last = .now
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
            try ChangeHistory.changes(db, after: token, .everyChange),
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
              changes.prefix(Self.mostChanges).map { .record(OutputRecord(change: $0)) }),
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
    var record = record
    record.fields.append(.init(key: "time", cell: .text(Date.now.preciseTimestamp)))
    let json = record.json
    let lost = state.withLock { state in
      state.eventNumber += 1
      let bytes = ServerSentEvent(name, number: state.eventNumber, json: json).bytes
      return state.channels.values.filter { !$0.offer(bytes) }
    }
    // One that takes nothing for long is asked to connect again.
    for channel in lost { channel.finish(complete: false) }
  }

  private func fail(_ error: any Error) {
    let json = ErrorReport(error).record.json
    let channels = state.withLock { state in
      state.eventNumber += 1
      let bytes = ServerSentEvent("error", number: state.eventNumber, json: json).bytes
      for channel in state.channels.values { _ = channel.offer(bytes) }
      defer { state.channels = [:] }
      return Array(state.channels.values)
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
