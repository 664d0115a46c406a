import Holdfast

extension JourneyTimetable {
  /// Takes what was decoded before, and the trips of live data in place of earlier ones.
  init(_ known: JourneyTimetable, with live: LiveTrips) {
    // What earlier live data have left behind is dropped with everything else.
    self =
      known.wordCount > Limit.keptWords / 4
      ? JourneyTimetable(patternCount: live.firstPattern) : known
    removeDays()
    var trips = DecodedPatterns()
    for trip in live.trips { trips.append(trip) }
    take(trips, from: live.firstPattern)
  }

  /// Arranges the trip of a pattern of live data, if it is of a day.
  mutating func arrange(
    _ trip: LiveTrips.Trip, _ pattern: Int, _ day: Int, _ network: JourneyNetwork
  ) {
    let content = contents[pattern]
    guard trip.day == days[day].day, content.leastOffset <= content.greatestOffset,
      !days[day].needsAccess || trip.isAccessible
    else { return }
    let named = trip.tid.map { network.transfers.namedIndex(of: $0) } ?? -1
    if named >= 0, let tid = trip.tid, network.cache.headways(of: tid).isEmpty {
      days[day].namedUnits[named] = Int32(units.count)
    }
    append(CollectionOfOne(content.firstRun), of: pattern, on: day, network)
  }

  /// Returns the repetitions that remain of one when some of its vehicles do not run as in the
  /// timetable, and the runs that remain of one whose vehicles are exact.
  mutating func parts(
    of index: Int32, without starts: Set<Int>
  ) -> (runs: [Int32], repetitions: [Int32]) {
    let whole = repetitions[Int(index)]
    let own = stride(from: whole.start, to: whole.end, by: whole.headway)
    let gaps = starts.filter {
      (whole.start..<whole.end).contains($0) && ($0 - whole.start) % whole.headway == 0
    }.sorted()
    guard !gaps.isEmpty else { return ([], [index]) }
    if whole.isExact {
      let first = Int32(runs.count)
      for start in own where !starts.contains(start) {
        let run = Int(whole.run)
        append(
          Run(
            start: Int32(start), timing: runs[run].timing, service: runs[run].service,
            isAccessible: runs[run].isAccessible, tid: runs[run].tid))
      }
      return (Array(first..<Int32(runs.count)), [])
    }
    let firstPart = Int32(repetitions.count)
    var start = whole.start
    for gap in gaps + [whole.end] {
      if start < gap {
        append(
          Repetition(
            start: start, end: gap, headway: whole.headway, isExact: false,
            run: whole.run))
      }
      start = gap + whole.headway
    }
    return ([], Array(firstPart..<Int32(repetitions.count)))
  }
}
