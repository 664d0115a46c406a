import HoldfastTransit

/// The texts of a timetable's content, each of them once.
private struct SharedTexts {
  private var table = InternTable<UInt8>()
  private(set) var texts: [String] = []

  mutating func index(of text: String) -> Int32 {
    let (number, isNew) = table.insert(text.utf8)
    if isNew { texts.append(text) }
    return Int32(number)
  }
}

extension FeedSchedule {
  /// Returns the content of a timetable database.
  ///
  /// - Parameters:
  ///   - stops: The number of each stop, in the order of the feed's stops.
  ///   - routes: The number of each route, in the order of the feed's routes.
  ///   - numbers: The numbers of trips, of which the missing ones are assigned.
  /// - Returns: The content, whose texts, patterns and timings are all in use.
  func content(
    stops: [Int64], routes: [Int64], numbers: inout TripNumbers
  ) -> TimetableContent {
    var content = TimetableContent()
    var texts = SharedTexts()
    // Only texts that are used get an index.
    var indexes = [Int32](repeating: -1, count: assembler.texts.count)
    func index(_ number: Int32) -> Int32 {
      if number < 0 { return -1 }
      if indexes[Int(number)] < 0 {
        indexes[Int(number)] = texts.index(of: assembler.texts.text(Int(number)))
      }
      return indexes[Int(number)]
    }
    func record(_ columns: OtherColumns, _ number: Int32) -> Int32 {
      columns.text(number).map { texts.index(of: $0) } ?? -1
    }

    let used = trips.indices.filter { trips[$0].route != TripAssembler.dropped }
    let others = othersInUse(used)
    let serviceIndexes = services.indexes(usedBy: Set(used.lazy.map { trips[$0].service }))
    let tripNumbers = numbers.assign(to: used, of: tripIDs)
    var patternIndexes = [Int32](repeating: -1, count: assembler.patternCount)
    var timingIndexes = [Int32](repeating: -1, count: assembler.timingCount)
    var runIndexes = [Int32](repeating: -1, count: trips.count)
    content.runs.reserveCapacity(used.count)
    for (position, trip) in used.enumerated() {
      let place = assembler.places[trip]
      if patternIndexes[Int(place.pattern)] < 0 {
        patternIndexes[Int(place.pattern)] = Int32(content.patterns.count)
        let (head, calls) = assembler.pattern(place.pattern)
        let (route, direction) = Self.parts(of: head)
        content.patterns.append(
          TimetableContent.Pattern(
            rid: routes[route], directionID: Self.number(direction),
            calls: calls.map { stop, sequence, detail in
              var call = TimetableContent.Call(
                sid: stop == TripAssembler.area ? 0 : stops[Int(stop)], sequence: sequence)
              call.pickupType = Self.number(detail.pickupType)
              call.dropOffType = Self.number(detail.dropOffType)
              call.timepoint = Self.number(detail.timepoint)
              call.continuousPickup = Self.number(detail.continuousPickup)
              call.continuousDropOff = Self.number(detail.continuousDropOff)
              call.headsign = index(detail.headsign)
              call.distance = detail.distance
              call.others = record(others.stopTimes, detail.others)
              call.hasWindow = detail.hasWindow
              return call
            }))
      }
      let pattern = patternIndexes[Int(place.pattern)]
      if timingIndexes[Int(place.timing)] < 0 {
        timingIndexes[Int(place.timing)] = Int32(content.patterns[Int(pattern)].timings.count)
        content.patterns[Int(pattern)].timings.append(assembler.timing(place.timing))
      }
      let row = trips[trip]
      var run = TimetableContent.Run(
        tid: tripNumbers[position], tripID: tripIDs.text(trip), pattern: pattern,
        timing: timingIndexes[Int(place.timing)], service: serviceIndexes[Int(row.service)],
        start: place.start)
      run.headsign = index(row.headsign)
      run.shortName = index(row.shortName)
      run.block = index(row.block)
      run.shape = index(row.shape)
      run.wheelchairAccessible = Self.number(row.wheelchair)
      run.bikesAllowed = Self.number(row.bikes)
      run.others = record(others.trips, row.others)
      runIndexes[trip] = Int32(content.runs.count)
      content.runs.append(run)
    }
    content.services = services.content(
      serviceIndexes, week: { record(others.calendar, $0) },
      exception: { record(others.calendarDates, $0) })
    content.frequencies = frequencies.map { frequency in
      let row = frequency.row
      return TimetableContent.Frequency(
        run: runIndexes[frequency.trip], start: row.startTime, end: row.endTime,
        headway: row.headwaySecs, exactTimes: row.exactTimes.map { Int16($0) },
        others: record(others.frequencies, row.others))
    }
    content.stopTimeColumns = others.stopTimes.names
    content.tripColumns = others.trips.names
    content.calendarColumns = others.calendar.names
    content.calendarDateColumns = others.calendarDates.names
    content.frequencyColumns = others.frequencies.names
    content.texts = texts.texts
    content.lastTripNumber = numbers.last
    // What rows decide on which days trips run.
    let warnings = report.value.problems.filter {
      $0.severity == .warning
        && [CalendarTable.file, CalendarDateTable.file, TripTable.file].contains($0.file)
    }
    // By these, rows say no less than is written.
    let asWritten = [
      FeedFlaw.serviceWithoutDay, .tripWithoutCalls, .tripWithOneCall, .draftOfFlex,
    ].map(\.decision.code)
    content.countStopsWithoutService(
      among: Set(stopsAtRisk.union(assembler.stopsLeftOut).map { stops[Int($0)] }),
      orOfServicesWithoutDay: warnings.contains { !asWritten.contains($0.code) },
      isSound: warnings.isEmpty)
    return content
  }

  /// Returns the other columns that have a value in the content.
  ///
  /// Rows that were left out, or that another one replaced, do not count.
  private func othersInUse(_ trips: [Int]) -> Others {
    var others = others
    var isSeen = [Bool](repeating: false, count: assembler.patternCount)
    for trip in trips {
      others.trips.use(self.trips[trip].others)
      if others.stopTimes.isEmpty { continue }
      let pattern = assembler.places[trip].pattern
      if isSeen[Int(pattern)] { continue }
      isSeen[Int(pattern)] = true
      for (_, _, detail) in assembler.pattern(pattern).calls { others.stopTimes.use(detail.others) }
    }
    for number in services.recordsOfWeeks { others.calendar.use(number) }
    for number in services.recordsOfExceptions { others.calendarDates.use(number) }
    for frequency in frequencies { others.frequencies.use(frequency.row.others) }
    return others
  }

  private static func number(_ value: Int8) -> Int16? { value < 0 ? nil : Int16(value) }
}

extension TimetableContent {
  /// The number of rows of each file of the feed that the content holds.
  var rows: [String: Int] {
    [
      TripTable.file: runs.count,
      StopTimeTable.file: runs.reduce(0) { $0 + patterns[Int($1.pattern)].calls.count },
      CalendarTable.file: services.count { $0.week != nil },
      CalendarDateTable.file: services.reduce(0) { $0 + $1.exceptions.count },
      FrequencyTable.file: frequencies.count,
    ]
  }
}
