import HoldfastTransit

/// Rules for blocks: trips that one vehicle makes one after the other.
///
/// - SeeAlso: <https://gtfs.org/documentation/schedule/reference/#tripstxt>, `block_id`.
struct BlockRules {
  /// A trip of a block, from its first time to its last one.
  private struct Span {
    var trip: Int
    var start: Int32
    var end: Int32
  }

  /// The largest number of later trips with which one is compared: real blocks have no more.
  private static let mostCompared = 256
  /// The largest number of days that are compared; ten years.
  private static let mostDays = 3653

  private let report: ReportBuilder
  private let schedule: FeedSchedule
  private let services: [FeedServiceDays]
  private var days: [UInt32: [UInt64]] = [:]
  private var shared: [UInt64: ServiceDay?] = [:]
  private var first = ServiceDay(daysSince1970: 0)
  private var count = 0

  init(_ schedule: FeedSchedule, _ report: ReportBuilder) {
    (self.schedule, self.report) = (schedule, report)
    services = schedule.services.days()
    let starts = services.compactMap {
      [$0.span?.lowerBound, $0.exceptions.first?.day].compactMap(\.self).min()
    }
    let ends = services.compactMap {
      [$0.span?.upperBound, $0.exceptions.last?.day].compactMap(\.self).max()
    }
    if let start = starts.min(), let end = ends.max() {
      first = start
      count = min(Self.mostDays, end.daysSince1970 - start.daysSince1970 + 1)
    }
  }

  /// Reports trips that one vehicle would make at the same time; each once.
  mutating func examine() {
    var blocks: [Int32: [Span]] = [:]
    var spans: [UInt32: (start: Int32, end: Int32)?] = [:]
    for (number, trip) in schedule.trips.enumerated()
    where trip.block >= 0 && trip.route != TripAssembler.dropped {
      let place = schedule.assembler.places[number]
      let span = spans[place.timing] ?? Self.span(schedule.assembler.timing(place.timing))
      spans[place.timing] = span
      guard let span else { continue }
      blocks[trip.block, default: []].append(
        Span(trip: number, start: place.start + span.start, end: place.start + span.end))
    }
    // Trips that run by headways have other times.
    let repeated = Set(schedule.frequencies.map(\.trip))
    for block in blocks.keys.sorted() {
      let spans = (blocks[block] ?? []).filter { !repeated.contains($0.trip) }
        .sorted { ($0.start, $0.end, $0.trip) < ($1.start, $1.end, $1.trip) }
      for index in spans.indices {
        if let (other, day) = overlap(spans, index) {
          let (trip, id) = (spans[index].trip, schedule.tripIDs.text(other))
          let name = schedule.assembler.texts.text(Int(block))
          report.add(
            .blockOverlap(schedule.tripIDs.text(trip), id, block: name, "\(day)")
              .at(TripTable.file, line: Int(schedule.trips[trip].line), field: "block_id"))
        }
      }
    }
  }

  /// Returns the first later trip that begins before one ends, on a day on which both run.
  private mutating func overlap(_ spans: [Span], _ index: Int) -> (trip: Int, day: ServiceDay)? {
    for later in spans[(index + 1)...].prefix(Self.mostCompared) {
      guard later.start < spans[index].end else { return nil }
      let services = [spans[index].trip, later.trip].map { schedule.trips[$0].service }
      if let day = sharedDay(services[0], services[1]) { return (later.trip, day) }
    }
    return nil
  }

  /// The first time of a timing, and the last one, after the start.
  private static func span(_ timing: TimetableContent.Timing) -> (start: Int32, end: Int32)? {
    let blank = TimetableContent.Timing.blank
    let times = zip(timing.arrivals, timing.departures).map { $0 != blank ? $0 : $1 }
    let ends = zip(timing.arrivals, timing.departures).map { $1 != blank ? $1 : $0 }
    guard let start = times.first(where: { $0 != blank }),
      let end = ends.last(where: { $0 != blank }), start < end
    else { return nil }
    return (start, end)
  }

  // MARK: - Days

  /// Returns the first day on which two services run.
  private mutating func sharedDay(_ one: UInt32, _ other: UInt32) -> ServiceDay? {
    let key = UInt64(min(one, other)) << 32 | UInt64(max(one, other))
    if let known = shared[key] { return known }
    let day = zip(bits(one), bits(other)).enumerated().first { $0.element.0 & $0.element.1 != 0 }
      .map { word in
        let bit = (word.element.0 & word.element.1).trailingZeroBitCount
        return ServiceDay(daysSince1970: first.daysSince1970 + word.offset * 64 + bit)
      }
    shared[key] = .some(day)
    return day
  }

  /// The days on which a service runs, one bit each.
  private mutating func bits(_ service: UInt32) -> [UInt64] {
    if let known = days[service] { return known }
    var bits = [UInt64](repeating: 0, count: count / 64 + 1)
    for offset in 0..<count {
      let day = ServiceDay(daysSince1970: first.daysSince1970 + offset)
      if services[Int(service)].runs(on: day) { bits[offset / 64] |= 1 << UInt64(offset % 64) }
    }
    days[service] = bits
    return bits
  }
}
