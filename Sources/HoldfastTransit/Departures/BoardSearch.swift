/// The earliest calls at a board that a search has found so far, up to a number.
struct BoardSearch {
  /// A call that was found.
  struct Element {
    /// The seconds since 1970.
    let instant: Int
    let tid: Int64
    /// The index of the call in the board.
    let call: Int
    /// The index of the run in the call's pattern, or the index of its repetition.
    let run: Int
    /// The time in seconds of the service day.
    let seconds: Int
    let day: ServiceDay
    /// The seconds between two vehicles of a trip that repeats.
    let headway: Int?
  }

  /// A service day in one time zone.
  private struct Day {
    let day: ServiceDay
    /// The instant from which its times are counted, in seconds since 1970.
    let start: Int
    /// Whether each service of the board runs.
    let running: [Bool]
  }

  private let board: StopBoard
  private let event: CallEvent
  private let excluded: StopBoard.Traits
  /// The trips that are searched for elsewhere.
  private let replaced: Set<LiveCalls.Instance>
  /// The instants that are searched for, in seconds since 1970.
  private let interval: ClosedRange<Int>
  /// The last instant that can still be among the earliest ones.
  private var end: Int
  private let limit: Int
  private var elements: [Element] = []

  init(
    _ board: StopBoard, _ event: CallEvent, within interval: ClosedRange<Int>, limit: Int,
    excluding excluded: StopBoard.Traits, _ replaced: Set<LiveCalls.Instance>
  ) {
    (self.board, self.event, self.interval) = (board, event, interval)
    (self.limit, self.excluded, self.replaced) = (limit, excluded, replaced)
    end = interval.upperBound
  }

  /// Returns the earliest calls in their order.
  mutating func run() -> [Element] {
    for zone in board.zones {
      let times = board.times(event, in: zone, forAtMost: limit)
      for day in zone.zone.days(around: interval, latest: zone.latest) {
        let start = zone.zone.start(of: day)
        // A service day begins at most some hours before or after midnight.
        guard start <= end + 86400 else { break }
        let running = board.runningServices(on: day)
        guard running.contains(true) else { continue }
        let day = Day(day: day, start: start, running: running)
        add(times, on: day)
        for repetition in zone.repetitions where running[repetition.service] {
          add(repetition, on: day)
        }
      }
    }
    keepEarliest()
    return elements
  }

  private mutating func add(_ times: StopBoard.Times, on day: Day) {
    var found = 0
    for index in times.indices(from: interval.lowerBound - day.start) {
      let time = times.list[index]
      let instant = day.start + Int(time.seconds)
      guard instant <= end else {
        if times.isSorted { return }
        continue
      }
      guard instant >= interval.lowerBound else { continue }
      let call = Int(time.call)
      guard day.running[Int(time.service)], board.traits[call].isDisjoint(with: excluded) else {
        continue
      }
      let run = board.calls[call].pattern.runs[Int(time.run)]
      guard !isReplaced(run.tid, day.day, start: Int(run.start)) else { continue }
      append(
        Element(
          instant: instant, tid: run.tid, call: call, run: Int(time.run),
          seconds: Int(time.seconds), day: day.day, headway: nil))
      found += 1
      // All further ones are later.
      if times.isSorted, found == limit { end = min(end, instant) }
    }
  }

  /// Adds the vehicles of a repetition, each of which starts a headway after the one before.
  private mutating func add(_ found: StopBoard.Repetition, on day: Day) {
    let call = board.calls[found.call]
    let repetition = call.pattern.repetitions[found.index]
    let (run, headway) = (repetition.run, repetition.headway)
    guard board.traits[found.call].isDisjoint(with: excluded),
      let time = call.pattern.time(event, run.timing, call.place)
    else { return }
    let earliest = interval.lowerBound - day.start - time
    var start = headway.start
    if start < earliest {
      start += (earliest - start + headway.headway - 1) / headway.headway * headway.headway
    }
    while start < headway.end, start + time <= end - day.start {
      if !isReplaced(run.tid, day.day, start: start) {
        append(
          Element(
            instant: day.start + start + time, tid: run.tid, call: found.call, run: found.index,
            seconds: start + time, day: day.day, headway: headway.headway))
      }
      start += headway.headway
    }
  }

  private func isReplaced(_ tid: Int64, _ day: ServiceDay, start: Int) -> Bool {
    !replaced.isEmpty
      && replaced.contains(LiveCalls.Instance(tid: tid, day: day, start: start))
  }

  private mutating func append(_ element: Element) {
    elements.append(element)
    // Sorting seldom costs less than keeping the elements in order.
    if elements.count >= 2 * min(limit, 1 << 30) + 64 { keepEarliest() }
  }

  private mutating func keepEarliest() {
    elements.sort { [board] in Self.isBefore($0, $1, on: board) }
    guard elements.count >= limit, let last = elements.prefix(limit).last else { return }
    elements.removeLast(elements.count - limit)
    end = min(end, last.instant)
  }

  private static func isBefore(
    _ one: Element, _ other: Element, on board: StopBoard
  ) -> Bool {
    if one.instant != other.instant { return one.instant < other.instant }
    if one.tid != other.tid { return one.tid < other.tid }
    let (oneCall, otherCall) = (board.calls[one.call], board.calls[other.call])
    return (oneCall.index, one.day, oneCall.pattern.pid)
      < (otherCall.index, other.day, otherCall.pattern.pid)
  }
}
