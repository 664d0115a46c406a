import Holdfast

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
  let report: ReportBuilder

  /// The zones and groups of stops of services on demand, which drafts of GTFS-Flex named as stops.
  var zones: Set<ExactText> = []

  private var callsOfDroppedTrips = 0
  /// The stops of rows that were left out, or had a flaw: they may have lost their service.
  private(set) var stopsAtRisk: Set<UInt32> = []

  init(stopIDs: InternTable<UInt8>, routes: [FeedRoute], report: ReportBuilder) {
    var routeIDs = InternTable<UInt8>()
    for route in routes { _ = routeIDs.insert(route.routeID.utf8) }
    self.routes = routeIDs
    self.report = report
    assembler = TripAssembler(stops: stopIDs, report: report)
  }

  /// Examines the stop times of each different trip, from the next row on.
  mutating func examine(by examine: @escaping TripAssembler.CallExamination) {
    assembler.examine = examine
  }

  // MARK: Services

  mutating func add(_ calendar: FeedCalendar, _ parser: RowParser) {
    if let problem = services.add(calendar, line: parser.line) {
      report.add(problem.at(CalendarTable.file, line: parser.line, field: "service_id"))
    }
  }

  mutating func add(_ exception: FeedCalendarDate) { services.add(exception) }

  // MARK: Trips

  /// Makes room for about as many trips as the feed has.
  mutating func reserveTrips(_ count: Int) {
    trips.reserveCapacity(count)
    assembler.heads.reserveCapacity(count)
  }

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
      let (earlier, kept) = (trips[number], chosen(trips[number], row))
      report.add(
        .duplicateTrip(trip.tripID).at(
          TripTable.file, line: Int((kept.line == row.line ? earlier : row).line),
          field: table.id.name))
      trips[number] = kept
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

  /// Returns a converter of blocks of `stop_times.txt`; `nil` if the feed is refused.
  func converter(of table: StopTimeTable) -> StopTimeConverter? {
    table.columns.map {
      StopTimeConverter(
        columns: $0, trips: tripIDs, stops: assembler.stops, others: table.others)
    }
  }

  /// Adds the rows of a block.
  ///
  /// - Parameters:
  ///   - block: The rows in numbers.
  ///   - table: The columns, which read the rows that the converter left out.
  ///   - parser: The parser of these rows.
  ///   - record: Returns a row, and reports the flaws of its text; `nil` if it is left out.
  mutating func add(
    _ block: StopTimeBlock, of table: inout StopTimeTable, _ parser: inout RowParser,
    _ record: (Int) -> CSVRecord?
  ) {
    var calls = block.calls
    rename(&calls, block, &table)
    var start = 0
    while start < calls.count {
      let trip = calls[start].trip
      var end = start + 1
      guard trip != FeedCall.unread else {
        if let record = record(start) {
          parser.record = record
          if let index = table.stop.index,
            let stop = assembler.stops.number(of: parser.bytes(index))
          {
            stopsAtRisk.insert(UInt32(stop))
          }
          if let time = table.row(parser) { add(time, of: table, parser) }
        }
        start = end
        continue
      }
      while end < calls.count, calls[end].trip == trip { end += 1 }
      if assembler.heads[Int(trip)] == TripAssembler.dropped {
        callsOfDroppedTrips += end - start
        for call in calls[start..<end] where call.stop != TripAssembler.area {
          stopsAtRisk.insert(call.stop)
        }
      } else {
        assembler.add(calls[start..<end])
      }
      start = end
    }
  }

  /// Replaces the numbers of texts that are those of a block.
  private mutating func rename(
    _ calls: inout [FeedCall], _ block: StopTimeBlock, _ table: inout StopTimeTable
  ) {
    let others = table.others.add(block.others)
    var headsigns: [Int32] = []
    if let texts = block.headsigns {
      headsigns = (0..<texts.count).map { Int32(assembler.texts.insert(texts[$0]).number) }
    }
    if others.isEmpty, headsigns.isEmpty { return }
    for index in calls.indices where calls[index].trip != FeedCall.unread {
      let detail = calls[index].detail
      if detail.headsign >= 0 { calls[index].detail.headsign = headsigns[Int(detail.headsign)] }
      if detail.others >= 0 { calls[index].detail.others = others[Int(detail.others)] }
    }
  }

  /// Adds a row that may have a flaw.
  mutating func add(_ time: FeedStopTime, of table: StopTimeTable, _ parser: RowParser) {
    guard let trip = trip(table, parser), let stop = stop(table, parser) else { return }
    if assembler.heads[trip] == TripAssembler.dropped {
      callsOfDroppedTrips += 1
      return
    }
    var call = FeedCall(
      detail: time.detail, trip: UInt32(trip), stop: stop, sequence: time.stopSequence,
      arrival: time.arrivalTime, departure: time.departureTime, line: parser.line)
    if let headsign = table.headsign.index, !parser.record.isBlank(headsign) {
      call.detail.headsign = Int32(assembler.texts.insert(parser.bytes(headsign)).number)
    }
    assembler.add([call])
  }

  private func trip(_ table: StopTimeTable, _ parser: RowParser) -> Int? {
    guard let index = table.trip.index else { return nil }
    let id = parser.bytes(index)
    if let number = tripIDs.number(of: id) { return number }
    parser.add(
      id.isEmpty
        ? .blankValue(.blankKeyOfRow)
        : .unknownReference(.unknownKey, parser.record.text(index), TripTable.file),
      table.trip)
    return nil
  }

  private func stop(_ table: StopTimeTable, _ parser: RowParser) -> UInt32? {
    guard let index = table.stop.index, !parser.record.isBlank(index) else {
      if table.namesArea(parser.record) { return TripAssembler.area }
      // A missing column has been reported.
      if table.columns != nil { parser.add(.blankValue(.blankKeyOfRow), table.stop) }
      return nil
    }
    if let number = assembler.stops.number(of: parser.bytes(index)) { return UInt32(number) }
    let id = parser.record.text(index)
    parser.add(
      zones.contains(ExactText(id))
        ? .zoneAsStop(id) : .unknownReference(.unknownKey, id, StopTable.file), table.stop)
    return nil
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
      let calls = assembler.callCountUpToTwo(assembler.places[number].pattern)
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
