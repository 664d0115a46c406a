/// The trips, times and services of a feed, while the rows of its files arrive.
///
/// The files are read in this order: calendars, trips, times and frequencies. What a row refers to
/// is therefore known when the row arrives.
struct FeedSchedule {
  /// A trip in numbers; a text that is blank has the number -1.
  struct Trip {
    var route: UInt32
    var service: UInt32
    var headsign: Int32
    var shortName: Int32
    var block: Int32
    var shape: Int32
    var others: Int32
    var direction: Int8
    var wheelchair: Int8
    var bikes: Int8
    /// The line of the first row.
    var line: UInt32
  }

  /// A row of `frequencies.txt` with the number of its trip.
  struct Frequency {
    var trip: Int
    var row: FeedFrequency
  }

  /// The records of the columns that have no property, by file.
  struct Others {
    var calendar = OtherColumns()
    var calendarDates = OtherColumns()
    var trips = OtherColumns()
    var stopTimes = OtherColumns()
    var frequencies = OtherColumns()
  }

  var others = Others()
  private(set) var services = FeedServices()
  private(set) var assembler: TripAssembler
  /// The `trip_id`s; the number of a text is the number of its trip.
  private(set) var tripIDs = InternTable<UInt8>()
  private(set) var trips: [Trip] = []
  private(set) var frequencies: [Frequency] = []
  private let routes: InternTable<UInt8>
  private let report: ReportBuilder

  private var lastTrip = -1
  private var lastStop = 0
  // The stop that followed each stop the last time, which is the most likely one to follow it again.
  private var followers: [Int32]
  private var callsOfDroppedTrips = 0

  init(stops: [FeedStop], routes: [FeedRoute], report: ReportBuilder) {
    var stopIDs = InternTable<UInt8>()
    for stop in stops { _ = stopIDs.insert(stop.stopID.utf8) }
    var routeIDs = InternTable<UInt8>()
    for route in routes { _ = routeIDs.insert(route.routeID.utf8) }
    self.routes = routeIDs
    self.report = report
    assembler = TripAssembler(stops: stopIDs, report: report)
    followers = [Int32](repeating: 0, count: stopIDs.count)
  }

  /// Examines the stop times of each different trip, from the next row on.
  mutating func examine(by rules: StopTimeRules) { assembler.rules = rules }

  // MARK: Services

  mutating func add(_ calendar: FeedCalendar, _ parser: RowParser) {
    if let problem = services.add(calendar, line: parser.line) {
      report.add(problem.at(CalendarTable.file, line: parser.line, field: "service_id"))
    }
  }

  mutating func add(_ exception: FeedCalendarDate) { services.add(exception) }

  // MARK: Trips

  mutating func add(_ trip: FeedTrip, of table: TripTable, _ parser: RowParser) {
    let route = routes.number(of: trip.routeID.utf8)
    if route == nil {
      parser.add(.unknownReference(.unknownKey, trip.routeID, RouteTable.file), table.route)
    }
    let service = services.number(of: trip.serviceID)
    if service.isNew {
      parser.add(.unknownService(trip.serviceID), table.service)
    }
    let row = Trip(
      route: route.map(UInt32.init) ?? TripAssembler.dropped, service: UInt32(service.number),
      headsign: text(trip.tripHeadsign), shortName: text(trip.tripShortName),
      block: text(trip.blockID), shape: text(trip.shapeID), others: trip.others,
      direction: Self.small(trip.directionID), wheelchair: Self.small(trip.wheelchairAccessible),
      bikes: Self.small(trip.bikesAllowed), line: UInt32(clamping: parser.line))
    let (number, isNew) = tripIDs.insert(trip.tripID.utf8)
    if isNew {
      trips.append(row)
      assembler.heads.append(Self.head(of: row))
    } else {
      parser.add(.duplicateTrip(trip.tripID), table.id)
      trips[number] = chosen(trips[number], row)
      assembler.heads[number] = Self.head(of: trips[number])
    }
  }

  private mutating func text(_ text: String?) -> Int32 {
    text.map { Int32(assembler.texts.insert($0.utf8).number) } ?? -1
  }

  private static func small(_ number: Int?) -> Int8 { number.map { Int8($0) } ?? -1 }

  /// A number for the route and the direction of a trip.
  private static func head(of trip: Trip) -> UInt32 {
    trip.route == TripAssembler.dropped
      ? TripAssembler.dropped : trip.route * 3 + UInt32(trip.direction + 1)
  }

  /// The route and the direction of a head; the direction is -1 if blank.
  static func parts(of head: UInt32) -> (route: Int, direction: Int8) {
    (Int(head / 3), Int8(head % 3) - 1)
  }

  /// Returns one of two rows with the same `trip_id`: their content decides, so that the order of
  /// the rows does not matter.
  private func chosen(_ one: Trip, _ other: Trip) -> Trip {
    let (key, otherKey) = (key(of: one), key(of: other))
    if key == otherKey {
      var both = one
      if one.others != other.others { both.others = -1 }
      return both
    }
    return key.lexicographicallyPrecedes(otherKey) { $0.lexicographicallyPrecedes($1) }
      ? one : other
  }

  private func key(of trip: Trip) -> [[UInt8]] {
    let texts = [trip.headsign, trip.shortName, trip.block, trip.shape].map { number in
      number < 0 ? [] : Array(assembler.texts[Int(number)])
    }
    // A row with a known route is preferred.
    let isDropped = trip.route == TripAssembler.dropped
    let route = isDropped ? [1] : [0] + Array(routes[Int(trip.route)])
    let numbers = [trip.direction, trip.wheelchair, trip.bikes].map { UInt8(bitPattern: $0) }
    return [route, Array(services.id(of: Int(trip.service)).utf8), numbers] + texts
  }

  // MARK: Times

  mutating func add(_ time: FeedStopTime, of table: StopTimeTable, _ parser: RowParser) {
    guard let trip = trip(table, parser), let stop = stop(table, parser) else { return }
    if assembler.heads[trip] == TripAssembler.dropped {
      callsOfDroppedTrips += 1
      return
    }
    guard let headsign = table.headsign.index, !parser.record.isBlank(headsign) else {
      assembler.add(time, trip: trip, stop: stop, line: parser.line)
      return
    }
    var time = time
    time.detail.headsign = Int32(
      assembler.texts.insert(parser.bytes(headsign)).number)
    assembler.add(time, trip: trip, stop: stop, line: parser.line)
  }

  private mutating func trip(_ table: StopTimeTable, _ parser: RowParser) -> Int? {
    guard let index = table.trip.index else { return nil }
    let id = parser.bytes(index)
    if lastTrip >= 0, tripIDs.isEqual(lastTrip, id) { return lastTrip }
    guard let number = tripIDs.number(of: id) else {
      parser.add(
        id.isEmpty
          ? .blankValue(.blankKeyOfRow)
          : .unknownReference(.unknownKey, parser.record.text(index), TripTable.file),
        table.trip)
      return nil
    }
    lastTrip = number
    return number
  }

  private mutating func stop(_ table: StopTimeTable, _ parser: RowParser) -> UInt32? {
    guard let index = table.stop.index else { return nil }
    let id = parser.bytes(index)
    if lastStop < followers.count {
      let follower = Int(followers[lastStop])
      if assembler.stops.isEqual(follower, id) {
        lastStop = follower
        return UInt32(follower)
      }
    }
    guard let number = assembler.stops.number(of: id) else {
      if id.isEmpty, table.namesArea(parser.record) { return TripAssembler.area }
      parser.add(
        id.isEmpty
          ? .blankValue(.blankKeyOfRow)
          : .unknownReference(.unknownKey, parser.record.text(index), StopTable.file),
        table.stop)
      return nil
    }
    if lastStop < followers.count { followers[lastStop] = Int32(number) }
    lastStop = number
    return UInt32(number)
  }

  // MARK: Frequencies

  mutating func add(_ row: FeedFrequency, of table: FrequencyTable, _ parser: RowParser) {
    guard let trip = tripIDs.number(of: row.tripID.utf8),
      trips[trip].route != TripAssembler.dropped
    else {
      parser.add(.unknownReference(.unknownKey, row.tripID, TripTable.file), table.trip)
      return
    }
    frequencies.append(Frequency(trip: trip, row: row))
  }

  // MARK: End

  /// Completes the schedule after the last row, and reports what only all rows show.
  mutating func finish() {
    services.finish(in: report)
    assembler.finish()
    finishFrequencies()
    if callsOfDroppedTrips > 0 {
      report.add(
        .callsOfDroppedTrips(callsOfDroppedTrips).at(StopTimeTable.file, field: "trip_id"))
    }
    for (number, trip) in trips.enumerated() where trip.route != TripAssembler.dropped {
      let calls = assembler.callCount(assembler.places[number].pattern)
      guard calls < 2 else { continue }
      report.add(
        .unusableTrip(tripIDs.text(number), calls: calls)
          .at(TripTable.file, line: Int(trip.line), field: "trip_id"))
    }
  }

  /// Leaves one frequency for each start of a trip.
  private mutating func finishFrequencies() {
    frequencies.sort { Self.key(of: $0).lexicographicallyPrecedes(Self.key(of: $1)) }
    var kept: [Frequency] = []
    for frequency in frequencies {
      guard let last = kept.last, last.trip == frequency.trip,
        last.row.startTime == frequency.row.startTime
      else {
        if let last = kept.last, last.trip == frequency.trip,
          last.row.endTime > frequency.row.startTime
        {
          report.add(
            .overlappingFrequency(frequency.row.tripID, end: last.row.endTime)
              .at(FrequencyTable.file, field: "start_time"))
        }
        kept.append(frequency)
        continue
      }
      if Self.key(of: last) == Self.key(of: frequency), last.row.others != frequency.row.others {
        kept[kept.count - 1].row.others = -1
      }
      report.add(
        .duplicateFrequency(frequency.row.tripID).at(FrequencyTable.file, field: "start_time"))
    }
    frequencies = kept
  }

  private static func key(of frequency: Frequency) -> [Int] {
    let row = frequency.row
    return [
      frequency.trip, Int(row.startTime), Int(row.endTime), Int(row.headwaySecs),
      row.exactTimes ?? -1,
    ]
  }
}
