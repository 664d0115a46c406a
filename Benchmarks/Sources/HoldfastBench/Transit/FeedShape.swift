import Foundation

/// A shape of feed in which much belongs to one thing, and a feed of the same size in which it is spread
/// over many.
///
/// Work that grows with the product of two counts shows in the first, and not in the second.
struct FeedShape {
  enum Kind: String, CaseIterable {
    case routes = "2,000 routes named at one stop"
    case pathways = "5,000 pathways in a station"
    case translations = "100,000 translations of one trip"
    case exceptions = "a service with 20,000 exceptions"
    case patterns = "a stop in 5,000 patterns"
    case places = "10,000 stops in one place"
  }

  /// Raised whenever the same shape makes another archive.
  static let version = 1

  let kind: Kind
  /// Whether the feed is the one that the shape is compared with.
  let isSpread: Bool
  /// What all counts are divided by.
  let divisor: Int

  private var lineCount: Int { (kind == .patterns ? 5000 : 2000) / divisor }
  private var stopCount: Int { (kind == .places ? 10_000 : 2000) / divisor }
  private var hubCount: Int {
    [.routes, .patterns].contains(kind) && !isSpread ? 1 : max(1, lineCount / 20)
  }
  private var stationCount: Int { isSpread ? max(1, 50 / divisor) : 1 }
  private var serviceCount: Int {
    kind == .exceptions && isSpread ? max(1, 200 / divisor) : 1
  }
  private static let tripCount = 4
  /// The calls of the trip that has translations.
  private var longCallCount: Int { 1000 / divisor }

  func archive() throws -> URL {
    let name = "shape-\(kind)-\(isSpread ? "spread" : "dense")-\(divisor)-v\(Self.version)"
    return try BenchFolder.archive(name) { archive in
      writeSmallFiles(archive)
      writeStops(archive)
      writeTrips(archive)
      switch kind {
      case .routes: writeTransfers(archive)
      case .pathways: writePathways(archive)
      case .translations: writeTranslations(archive)
      case .exceptions: writeExceptions(archive)
      case .patterns, .places: break
      }
    }
  }

  // MARK: - Lines

  /// The stops of a line: one of many, a hub, and another one of many.
  private func stops(of line: Int) -> [String] {
    [
      "S\(line % stopCount)", "H\(line % hubCount)",
      "S\((line * 7 + line / stopCount + 3) % stopCount)",
    ]
  }

  private func writeSmallFiles(_ archive: FeedArchive) {
    archive.write("agency.txt", header: "agency_id,agency_name,agency_url,agency_timezone") {
      $0.addRow("A,Agency,https://example.org,Europe/Zurich")
    }
    archive.write("feed_info.txt", header: "feed_publisher_name,feed_publisher_url,feed_lang") {
      $0.addRow("Agency,https://example.org,en")
    }
    archive.write("routes.txt", header: "route_id,agency_id,route_short_name,route_type") { text in
      for line in 0..<lineCount { text.addRow("L\(line),A,\(line),3") }
    }
    archive.write(
      "calendar.txt",
      header:
        "service_id,monday,tuesday,wednesday,thursday,friday,saturday,sunday,start_date,end_date"
    ) { text in
      for service in 0..<serviceCount { text.addRow("V\(service),1,1,1,1,1,1,1,20261101,20270131") }
    }
  }

  private func writeStops(_ archive: FeedArchive) {
    archive.write(
      "stops.txt", header: "stop_id,stop_name,stop_lat,stop_lon,location_type,parent_station"
    ) { text in
      let isDense = kind == .places && !isSpread
      for stop in 0..<stopCount {
        let (row, column) = (Double(stop / 100), Double(stop % 100))
        // Meters apart, a tenth of them at one point, or out of reach of each other.
        let position =
          isDense
          ? "\(46.5 + row * 9e-6 * (stop % 10 == 0 ? 0 : 1)),\(6.5 + column * 1e-6)"
          : "\(46.5 + row / 100),\(6.5 + column / 100)"
        text.addRow(
          "S\(stop),\(isDense ? "Central" : "Stop \(stop)"),\(position),0,\(station(of: stop))")
      }
      for hub in 0..<hubCount {
        text.addRow("H\(hub),Hub \(hub),\(47.5 + Double(hub) / 50),6.5,0,")
      }
      guard kind == .pathways else { return }
      for station in 0..<stationCount {
        text.addRow("X\(station),Station \(station),\(46.5 + Double(station) / 10),6.4,1,")
      }
      for node in 0..<nodeCount {
        text.addRow("N\(node),,,,3,X\(node % stationCount)")
      }
    }
  }

  private func writeTrips(_ archive: FeedArchive) {
    archive.write("trips.txt", header: "route_id,service_id,trip_id,trip_headsign") { text in
      for line in 0..<lineCount {
        for trip in 0..<Self.tripCount {
          text.addRow("L\(line),V\(line % serviceCount),T\(line)-\(trip),Head \(line)")
        }
      }
      if kind == .translations { text.addRow("L0,V0,long,Head") }
    }
    archive.write(
      "stop_times.txt",
      header: "trip_id,arrival_time,departure_time,stop_id,stop_sequence,stop_headsign"
    ) { text in
      func add(_ trip: String, _ seconds: Int, _ stop: String, _ sequence: Int, _ headsign: String)
      {
        text.add("\(trip),")
        text.add(time: seconds)
        text.add(",")
        text.add(time: seconds)
        text.addRow(",\(stop),\(sequence),\(headsign)")
      }
      for line in 0..<lineCount {
        for trip in 0..<Self.tripCount {
          let start = 6 * 3600 + line * 37 % 7200 + trip * 4 * 3600
          for (call, stop) in stops(of: line).enumerated() {
            add("T\(line)-\(trip)", start + call * 900, stop, call, "")
          }
        }
      }
      guard kind == .translations else { return }
      for call in 0..<longCallCount {
        add("long", 4 * 3600 + call * 60, "S\(call % stopCount)", call, "To \(call)")
      }
    }
  }

  // MARK: - Shapes

  private func writeTransfers(_ archive: FeedArchive) {
    archive.write(
      "transfers.txt",
      header: "from_stop_id,to_stop_id,from_route_id,to_route_id,transfer_type,min_transfer_time"
    ) { text in
      for line in 0..<lineCount {
        let (hub, next) = (line % hubCount, (line + hubCount) % lineCount)
        text.addRow("H\(hub),H\(hub),L\(line),L\(next),2,\(60 + line % 7 * 60)")
        text.addRow("H\(hub),H\(hub),L\(line),,\(line % 2 == 0 ? "2,90" : "1,")")
      }
    }
  }

  private static let platformsOfStation = 500
  private var nodeCount: Int { kind == .pathways ? 2000 / divisor : 0 }

  private func station(of stop: Int) -> String {
    kind == .pathways && stop < Self.platformsOfStation / divisor ? "X\(stop % stationCount)" : ""
  }

  /// Platforms hang on a chain of nodes, each of which has two ways to the next one.
  private func writePathways(_ archive: FeedArchive) {
    archive.write(
      "pathways.txt",
      header:
        "pathway_id,from_stop_id,to_stop_id,pathway_mode,is_bidirectional,traversal_time"
    ) { text in
      for platform in 0..<Self.platformsOfStation / divisor {
        let node = platform % stationCount + stationCount * (platform / stationCount * 4)
        text.addRow("P\(platform),S\(platform),N\(node % nodeCount),1,1,20")
        text.addRow("Q\(platform),S\(platform),N\((node + stationCount) % nodeCount),2,1,15")
      }
      for node in 0..<nodeCount - stationCount {
        text.addRow("A\(node),N\(node),N\(node + stationCount),1,1,10")
        text.addRow("B\(node),N\(node),N\(node + stationCount),4,1,8")
      }
    }
  }

  private func writeTranslations(_ archive: FeedArchive) {
    archive.write(
      "translations.txt",
      header: "table_name,field_name,language,translation,record_id,record_sub_id"
    ) { text in
      let trips = isSpread ? lineCount : 1
      for row in 0..<100_000 / divisor {
        let (language, call) = (row % 100, row / 100)
        let trip = isSpread ? "T\(call % trips)-0" : "long"
        text.addRow("stop_times,stop_headsign,l\(language),Text \(row),\(trip),\(call)")
      }
    }
  }

  private func writeExceptions(_ archive: FeedArchive) {
    archive.write("calendar_dates.txt", header: "service_id,date,exception_type") { text in
      for row in 0..<20_000 / divisor {
        // From 1990 on; each month counts 28 days.
        let day = row / serviceCount
        let (year, month) = (1990 + day / 336, day / 28 % 12 + 1)
        let date = year * 10_000 + month * 100 + day % 28 + 1
        text.addRow("V\(row % serviceCount),\(date),\(row % 3 == 0 ? 2 : 1)")
      }
    }
  }
}
