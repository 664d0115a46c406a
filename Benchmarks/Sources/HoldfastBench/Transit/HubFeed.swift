import Foundation

/// A feed of a railway with few stops, many trips, and rules in `transfers.txt` between pairs of trips,
/// nearly all at its hubs.
///
/// Equal numbers give equal archives.
struct HubFeed {
  /// Raised whenever the same numbers make another archive.
  static let version = 1

  let stopCount: Int
  let hubCount: Int
  let lineCount: Int
  /// The trips of each line with each service.
  let tripCount: Int
  let serviceCount: Int
  let ruleCount: Int

  static let callCount = 13

  /// 114 stops, 23,600 trips with 306,800 stop times, and 11,000 rules.
  static let railway = HubFeed(
    stopCount: 114, hubCount: 20, lineCount: 40, tripCount: 59, serviceCount: 10,
    ruleCount: 11_000)

  /// The same with a tenth of the trips and rules.
  var small: HubFeed {
    HubFeed(
      stopCount: stopCount, hubCount: hubCount, lineCount: lineCount, tripCount: tripCount / 10,
      serviceCount: serviceCount, ruleCount: ruleCount / 10)
  }

  /// Returns the archive, which is made once and kept in the folder of the benchmarks.
  ///
  /// - Returns: The archive.
  /// - Throws: ``BenchmarkError`` when it cannot be written.
  func archive() throws -> URL {
    try BenchFolder.archive("hubs-\(ruleCount)-v\(Self.version)") { archive in
      writeSmallFiles(archive)
      writeTrips(archive)
      writeRules(archive)
    }
  }

  // MARK: - Lines

  /// The stops of a line: every fourth one is a hub.
  private func stops(of line: Int) -> [Int] {
    let list = (0..<Self.callCount).map { call in
      call.isMultiple(of: 4)
        ? (line * 3 + call / 4 * 7) % hubCount
        : hubCount + (line * 11 + call * 5) % (stopCount - hubCount)
    }
    return line.isMultiple(of: 2) ? list : list.reversed()
  }

  /// The departure of a trip from its first stop, in seconds of the service day.
  private func start(_ line: Int, _ service: Int, _ trip: Int) -> Int {
    5 * 3600 + trip * (18 * 3600 / tripCount) + line * 97 % 900 + service * 60
  }

  /// The seconds from the departure from the first stop to the arrival at a call.
  private func time(_ call: Int) -> Int { call * 420 }

  private func id(_ line: Int, _ service: Int, _ trip: Int) -> String {
    "T\(100_000 + (line * serviceCount + service) * tripCount + trip)"
  }

  // MARK: - Files

  private func writeSmallFiles(_ archive: FeedArchive) {
    archive.write("agency.txt", header: "agency_id,agency_name,agency_url,agency_timezone") {
      $0.addRow("R,Railway,https://example.org,Europe/Zurich")
    }
    archive.write("stops.txt", header: "stop_id,stop_name,stop_lat,stop_lon") { text in
      for stop in 0..<stopCount {
        // Too far apart for walks.
        let (row, column) = (stop / 11, stop % 11)
        text.addRow("S\(stop),Town \(stop),\(46.5 + Double(row) / 20),\(6.5 + Double(column) / 20)")
      }
    }
    archive.write("routes.txt", header: "route_id,agency_id,route_short_name,route_type") { text in
      for line in 0..<lineCount { text.addRow("L\(line),R,\(line),2") }
    }
    archive.write(
      "calendar.txt",
      header:
        "service_id,monday,tuesday,wednesday,thursday,friday,saturday,sunday,start_date,end_date"
    ) { text in
      for service in 0..<serviceCount {
        // One for each day of the week, and others in parts of the year.
        let days = (0..<7).map { $0 == service % 7 ? "1" : "0" }.joined(separator: ",")
        text.addRow("V\(service),\(days),20261101,2027\(service < 7 ? "0131" : "0115")")
      }
    }
  }

  private func writeTrips(_ archive: FeedArchive) {
    archive.write("trips.txt", header: "route_id,service_id,trip_id") { text in
      forEachTrip { text.addRow("L\($0),V\($1),\(id($0, $1, $2))") }
    }
    archive.write(
      "stop_times.txt", header: "trip_id,arrival_time,departure_time,stop_id,stop_sequence"
    ) { text in
      forEachTrip { line, service, trip in
        let start = start(line, service, trip)
        for (call, stop) in stops(of: line).enumerated() {
          text.add("\(id(line, service, trip)),")
          text.add(time: start + time(call))
          text.add(",")
          text.add(time: start + time(call) + 60)
          text.addRow(",S\(stop),\(call + 1)")
        }
      }
    }
  }

  private func forEachTrip(_ body: (_ line: Int, _ service: Int, _ trip: Int) -> Void) {
    for line in 0..<lineCount {
      for service in 0..<serviceCount {
        for trip in 0..<tripCount { body(line, service, trip) }
      }
    }
  }

  private func writeRules(_ archive: FeedArchive) {
    var random = SeededRandom(unprinted: 39)
    // The lines that call at each stop, and where.
    var calls = [[(line: Int, call: Int)]](repeating: [], count: stopCount)
    for line in 0..<lineCount {
      for (call, stop) in stops(of: line).enumerated() { calls[stop].append((line, call)) }
    }
    archive.write(
      "transfers.txt",
      header:
        "from_stop_id,to_stop_id,from_trip_id,to_trip_id,transfer_type,min_transfer_time"
    ) { text in
      for rule in 0..<ruleCount {
        let stop = random.below(50) == 0 ? random.below(stopCount) : rule % hubCount
        guard calls[stop].count > 1 else { continue }
        let from = calls[stop][random.below(calls[stop].count)]
        let to = calls[stop][random.below(calls[stop].count)]
        let (service, trip) = (random.below(serviceCount), random.below(tripCount))
        let arrival = start(from.line, service, trip) + time(from.call)
        // The first trip of the other line that leaves after the arrival.
        let next = (0..<tripCount).first {
          start(to.line, service, $0) + time(to.call) + 60 > arrival
        }
        guard let next, from.line != to.line else { continue }
        let kind = [
          "1,", "2,\(60 + random.below(8) * 60)", "2,\(120 + random.below(4) * 60)", "3,",
        ]
        text.addRow(
          "S\(stop),S\(stop),\(id(from.line, service, trip)),\(id(to.line, service, next)),"
            + kind[min(3, random.below(10) / 3)])
      }
    }
  }
}
