import Holdfast

/// Patterns that are decoded for searches of journeys, in the order in which they come.
///
/// All indices are those in the lists here, so that several threads can decode a part each.
struct DecodedPatterns: Sendable {
  private(set) var contents: [JourneyTimetable.Content] = []
  /// The times for searches forward.
  private(set) var times: [UInt16] = []
  private(set) var wideTimes: [UInt32] = []
  private(set) var runs: [JourneyTimetable.Run] = []
  private(set) var repetitions: [JourneyTimetable.Repetition] = []
  /// The runs of the trips that transfers name, by the trips' indices.
  private(set) var namedRuns: [(trip: Int32, run: Int32)] = []
  /// The number of all times.
  private(set) var timeCount = 0
  /// The numbers of the row that is decoded, whose memory is used again.
  private var codes: [Int64] = []

  init() {}

  /// Decodes patterns.
  ///
  /// - Parameters:
  ///   - patterns: The indices of the patterns among those of a batch.
  ///   - blobs: The timings and runs of the batch, in turns.
  ///   - network: The network of the patterns.
  ///   - path: The path of the database.
  /// - Throws: ``TransitError`` with `.damaged`.
  init(
    _ patterns: ArraySlice<Int>, _ blobs: BlobList, _ network: JourneyNetwork, _ path: String?
  ) throws(TransitError) {
    contents.reserveCapacity(patterns.count)
    for (place, pattern) in zip(patterns.indices, patterns) {
      do throws(DamagedBytes) {
        try append(pattern, blobs.reader(2 * place), blobs.reader(2 * place + 1), network)
      } catch {
        throw .damaged(path: path, table: "patterns", row: network.patterns.pids[pattern])
      }
    }
  }

  private mutating func append(
    _ pattern: Int, _ timings: ByteReader, _ runs: ByteReader, _ network: JourneyNetwork
  ) throws(DamagedBytes) {
    var times = try StoredTimes(
      timings, calls: network.patterns.calls(of: pattern).count, using: &codes)
    let isRegular = times.isRegular
    if !isRegular { times.removeDecreasing() }
    guard timeCount + times.arrivals.count + times.departures.count <= JourneyTimetable.Limit.times
    else { throw DamagedBytes() }
    let ranges = (0..<times.count).map { times.range(of: $0) }
    var content = content(
      of: times.arrivals, times.departures, network.patterns.calls(of: pattern).count, ranges)
    (content.extent.isRegular, content.extent.isDecoded) = (isRegular, true)
    try append(StoredRuns(runs, timings: times.count), ranges, to: &content, network)
    contents.append(content)
  }

  private mutating func append(
    _ list: StoredRuns, _ ranges: [(least: Int32, greatest: Int32)],
    to content: inout JourneyTimetable.Content, _ network: JourneyNetwork
  ) throws(DamagedBytes) {
    guard runs.count + list.count <= JourneyTimetable.Limit.trips else { throw DamagedBytes() }
    content.firstRun = Int32(runs.count)
    content.firstRepetition = Int32(repetitions.count)
    var (earliest, latest) = (Int.max, Int.min)
    for index in list.order {
      let (start, timing, trip) = (list.start(index), list.timing(index), list.trip(index))
      guard Int(list.service(index)) <= network.serviceCount else { throw DamagedBytes() }
      let run = Int32(runs.count)
      runs.append(
        JourneyTimetable.Run(
          start: start, timing: Int32(timing), service: list.service(index),
          isAccessible: list.isAccessible(index), tid: trip))
      let named = network.transfers.namedIndex(of: trip)
      if named >= 0 {
        namedRuns.append((named, run))
        content.extent.hasNamed = true
      }
      let range = ranges[timing]
      guard range.least <= range.greatest else { continue }
      let headways = network.cache.hasHeadways ? network.cache.headways(of: trip) : []
      if headways.isEmpty {
        earliest = min(earliest, Int(start) + Int(range.least))
        latest = max(latest, Int(start) + Int(range.greatest))
      }
      for headway in headways where headway.start < headway.end {
        repetitions.append(
          JourneyTimetable.Repetition(
            start: headway.start, end: headway.end, headway: headway.headway,
            isExact: headway.exactTimes == 1, run: run))
        earliest = min(earliest, headway.start + Int(range.least))
        latest = max(latest, headway.end + Int(range.greatest))
      }
    }
    content.runCount = Int32(runs.count) - content.firstRun
    content.repetitionCount = Int32(repetitions.count) - content.firstRepetition
    guard earliest <= latest else { return }
    content.extent.earliest = Int32(clamping: earliest)
    content.extent.latest = Int32(clamping: latest)
  }

  /// Appends a trip that live data change or add, as a pattern.
  mutating func append(_ trip: LiveTrips.Trip) {
    let known = trip.calls.filter { $0.arrival != JourneyTimetable.none }
    let range = (
      least: known.map(\.arrival).min() ?? 1, greatest: known.map(\.departure).max() ?? 0
    )
    var content = content(
      of: trip.calls.map(\.arrival), trip.calls.map(\.departure), trip.calls.count, [range])
    if range.least <= range.greatest {
      (content.extent.earliest, content.extent.latest) = range
    }
    (content.firstRun, content.runCount) = (Int32(runs.count), 1)
    runs.append(
      JourneyTimetable.Run(
        start: 0, timing: 0, service: 0, isAccessible: trip.isAccessible, tid: trip.tid ?? 0))
    content.firstRepetition = Int32(repetitions.count)
    (content.extent.isRegular, content.extent.isDecoded) = (trip.isRegular, true)
    contents.append(content)
  }

  // MARK: - Times

  /// Appends times, and returns the content of a pattern that has them.
  ///
  /// - Parameters:
  ///   - arrivals: The arrivals of all timings, timing by timing.
  ///   - departures: The departures in the same order; empty if all equal the arrivals.
  ///   - calls: The number of calls of the pattern.
  ///   - ranges: The least and the greatest time of each timing; 1 and 0 if it has none.
  /// - Returns: The content, still without runs.
  private mutating func content(
    of arrivals: [Int32], _ departures: [Int32], _ calls: Int,
    _ ranges: [(least: Int32, greatest: Int32)]
  ) -> JourneyTimetable.Content {
    var content = JourneyTimetable.Content()
    (content.callCount, content.timingCount) = (Int32(calls), Int32(ranges.count))
    content.hasDepartures = !departures.isEmpty
    for range in ranges where range.least <= range.greatest {
      let isFirst = content.leastOffset > content.greatestOffset
      content.leastOffset = isFirst ? range.least : min(content.leastOffset, range.least)
      content.greatestOffset =
        isFirst ? range.greatest : max(content.greatestOffset, range.greatest)
    }
    timeCount += arrivals.count + departures.count
    let (arrivals, departures) = (arrivals.span, departures.span)
    content.forward.rows =
      content.isWide
      ? Self.append(arrivals, departures, of: content, to: &wideTimes)
      : Self.append(arrivals, departures, of: content, to: &times)
    return content
  }

  /// Appends the times of each timing in turns, and returns the index of the first one.
  private static func append<Time: FixedWidthInteger>(
    _ arrivals: Span<Int32>, _ departures: Span<Int32>, of content: JourneyTimetable.Content,
    to list: inout [Time]
  ) -> Int32 {
    let (calls, first) = (Int(content.callCount), list.count)
    let (least, greatest) = (content.leastOffset, content.greatestOffset)
    let length = content.rowLength * Int(content.timingCount)
    list.append(contentsOf: repeatElement(0, count: length))
    var list = list.mutableSpan
    func copy(_ times: Span<Int32>, from start: Int, to row: Int, in list: inout MutableSpan<Time>)
    {
      for call in 0..<calls {
        let time = times[start &+ call]
        // Then the blank mark is none of the times, and searches backward can subtract them.
        let isKnown = time >= least && time <= greatest
        list[row &+ call] = isKnown ? Time(truncatingIfNeeded: time &- least) : .max
      }
    }
    var row = first
    for timing in 0..<Int(content.timingCount) {
      copy(arrivals, from: timing * calls, to: row, in: &list)
      if content.hasDepartures {
        copy(departures, from: timing * calls, to: row + calls, in: &list)
      }
      row += content.rowLength
    }
    return Int32(first)
  }
}
