/// The earliest calls that a search has found so far, up to a number.
struct EarliestCalls {
  /// A service day in one time zone.
  struct Day {
    let day: ServiceDay
    /// The instant from which its times are counted, in seconds since 1970.
    let start: Int
    /// Whether each service runs, by its number.
    let runningServices: [Bool]
  }

  struct Element {
    /// The seconds since 1970.
    let instant: Int
    /// The departure in seconds of the service day.
    let time: Int
    let day: ServiceDay
    let pattern: TimetablePattern
    let call: Int
    let run: StoredPattern.Run
    /// The seconds between two vehicles, if only they are in the feed and not the times.
    let headway: Int?
  }

  /// The instants that are searched for, in seconds since 1970.
  let interval: ClosedRange<Int>

  /// The last instant that can still be among the earliest ones.
  private(set) var end: Int

  private let limit: Int
  private var elements: [Element] = []

  init(limit: Int, within interval: ClosedRange<Int>) {
    (self.limit, self.interval, end) = (limit, interval, interval.upperBound)
  }

  /// Returns the elements in order.
  mutating func sorted() -> [Element] {
    keepEarliest()
    return elements
  }

  /// Adds the departures of a pattern's call on a service day.
  mutating func add(_ pattern: TimetablePattern, _ call: Int, on day: Day) {
    let (least, greatest) = pattern.departureRanges[call]
    guard least <= greatest else { return }
    addRuns(of: pattern, call, on: day, least, greatest)
    for repetition in pattern.repetitions
    where day.runningServices[Int(repetition.run.service)] {
      add(repetition, of: pattern, call, on: day)
    }
  }

  private mutating func addRuns(
    of pattern: TimetablePattern, _ call: Int, on day: Day, _ least: Int, _ greatest: Int
  ) {
    let earliest = interval.lowerBound - day.start
    guard let last = pattern.runs.last, Int(last.start) + greatest >= earliest,
      Int(pattern.runs[0].start) + least <= end - day.start
    else { return }
    var index = pattern.firstRun(from: earliest - greatest)
    while index < pattern.runs.count {
      let (start, timing) = (Int(pattern.runs[index].start), pattern.runs[index].timing)
      guard start + least <= end - day.start else { return }
      if day.runningServices[Int(pattern.runs[index].service)],
        let departure = pattern.departure(timing, call), start + departure >= earliest
      {
        add(pattern, call, pattern.runs[index], at: start + departure, headway: nil, on: day)
      }
      index += 1
    }
  }

  /// Adds the vehicles of a repetition, each of which starts a headway after the one before.
  private mutating func add(
    _ repetition: TimetablePattern.Repetition, of pattern: TimetablePattern, _ call: Int,
    on day: Day
  ) {
    let (run, headway) = (repetition.run, repetition.headway)
    guard let departure = pattern.departure(run.timing, call) else { return }
    let earliest = interval.lowerBound - day.start - departure
    var start = headway.start
    if start < earliest {
      start += (earliest - start + headway.headway - 1) / headway.headway * headway.headway
    }
    while start < headway.end, start + departure <= end - day.start {
      add(
        pattern, call, run, at: start + departure,
        headway: repetition.isExact ? nil : headway.headway, on: day)
      start += headway.headway
    }
  }

  private mutating func add(
    _ pattern: TimetablePattern, _ call: Int, _ run: StoredPattern.Run, at time: Int, headway: Int?,
    on day: Day
  ) {
    let instant = day.start + time
    guard instant <= end else { return }
    elements.append(
      Element(
        instant: instant, time: time, day: day.day, pattern: pattern, call: call, run: run,
        headway: headway))
    // Sorting seldom costs less than keeping the elements in order.
    if elements.count >= 2 * min(limit, 1 << 30) + 64 { keepEarliest() }
  }

  private mutating func keepEarliest() {
    elements.sort {
      ($0.instant, $0.run.tid, $0.call, $0.day.daysSince1970, $0.pattern.pid)
        < ($1.instant, $1.run.tid, $1.call, $1.day.daysSince1970, $1.pattern.pid)
    }
    guard elements.count >= limit, let last = elements.prefix(limit).last else { return }
    elements.removeLast(elements.count - limit)
    end = min(end, last.instant)
  }
}
