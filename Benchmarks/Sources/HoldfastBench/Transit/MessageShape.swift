import Foundation

/// A shape of live messages in which each entity names something of one route, which has as many trips,
/// and messages of the same size in which they name what the timetable does not have.
///
/// Work that grows with the product of two counts takes sixteen times as long if both are four times as large; what
/// is compared is how many times the first message takes as long as the second one, for both counts.
struct MessageShape {
  enum Kind: String, CaseIterable {
    case trips = "updates by trip"
    case starts = "updates by route, day and start"
    case runs = "updates of vehicles of one trip"
    case days = "updates of one trip on as many days"
    case additions = "added trips with vehicles"
    case vehicles = "vehicles"
    case modifications = "modified trips"
    case alerts = "alerts of trips"
  }

  /// Raised whenever the same count makes another archive.
  static let version = 1
  /// The day of the questions.
  static let day = 20_261_110
  /// The instant of the questions: six o'clock.
  static let instant = Date(timeIntervalSince1970: 1_794_286_800)

  let kind: Kind
  /// The number of entities, of trips of each kind and of rows of `frequencies.txt`.
  let count: Int
  /// Whether the message names what the timetable has.
  let isKnown: Bool

  // MARK: - The timetable

  func archive() throws -> URL {
    try BenchFolder.archive("messages-\(count)-v\(Self.version)") { archive in
      archive.write("agency.txt", header: "agency_id,agency_name,agency_url,agency_timezone") {
        $0.addRow("A,Agency,https://example.org,Europe/Zurich")
      }
      archive.write("routes.txt", header: "route_id,agency_id,route_short_name,route_type") {
        $0.addRow("L,A,L,3")
      }
      archive.write("stops.txt", header: "stop_id,stop_name,stop_lat,stop_lon") { text in
        for stop in 0..<Self.stopCount {
          text.addRow("S\(stop),Stop \(stop),\(46.5 + Double(stop) / 100),6.5")
        }
      }
      archive.write(
        "calendar.txt",
        header:
          "service_id,monday,tuesday,wednesday,thursday,friday,saturday,sunday,start_date,end_date"
      ) { $0.addRow("V,1,1,1,1,1,1,1,20000101,20491231") }
      archive.write("calendar_dates.txt", header: "service_id,date,exception_type") { text in
        for number in 0..<count { text.addRow("W\(number),\(Self.date(number)),1") }
      }
      archive.write(
        "frequencies.txt", header: "trip_id,start_time,end_time,headway_secs,exact_times"
      ) { text in
        for number in 0..<count {
          text.add("often,")
          text.add(time: Self.runStart(number))
          text.add(",")
          text.add(time: Self.runStart(number) + 1)
          text.addRow(",1,1")
        }
      }
      writeTrips(archive)
    }
  }

  private static let stopCount = 50

  private func writeTrips(_ archive: FeedArchive) {
    archive.write("trips.txt", header: "route_id,service_id,trip_id") { text in
      for number in 0..<count {
        text.addRow("L,V,T\(number)")
        text.addRow("L,W\(number),D\(number)")
      }
      text.addRow("L,V,often")
      text.addRow("L,V,daily")
    }
    archive.write(
      "stop_times.txt", header: "trip_id,arrival_time,departure_time,stop_id,stop_sequence"
    ) { text in
      func add(_ trip: String, at start: Int, stops: Int) {
        for stop in 0..<stops {
          text.add("\(trip),")
          text.add(time: start + stop * 60)
          text.add(",")
          text.add(time: start + stop * 60)
          text.addRow(",S\(stop),\(stop + 1)")
        }
      }
      for number in 0..<count {
        add("T\(number)", at: 6 * 3600 + number % 840 * 60, stops: 3)
        add("D\(number)", at: 5 * 3600, stops: 3)
      }
      add("often", at: 0, stops: 3)
      add("daily", at: 7 * 3600, stops: Self.stopCount)
    }
  }

  /// One of the days of the services and updates; each month counts 28 days.
  private static func date(_ number: Int) -> Int {
    (2000 + number / 336) * 10_000 + (number / 28 % 12 + 1) * 100 + number % 28 + 1
  }

  private static func runStart(_ number: Int) -> Int { number * 10 }

  private static func clock(_ seconds: Int) -> String {
    [seconds / 3600, seconds / 60 % 60, seconds % 60]
      .map { ($0 < 10 ? "0" : "") + "\($0)" }.joined(separator: ":")
  }

  // MARK: - The message

  func message() -> Data {
    var message = MessageFields()
    let now = Int(Self.instant.timeIntervalSince1970)
    message.add(1) { header in
      header.add(1, "2.0")
      header.add(3, now)
    }
    for number in 0..<count {
      message.add(2) { entity in
        entity.add(1, "e\(number)")
        switch kind {
        case .trips, .starts, .runs, .days: entity.add(3) { addUpdate(number, to: &$0) }
        case .additions: entity.add(3) { addAddition(number, at: now, to: &$0) }
        case .vehicles: entity.add(4) { addVehicle("T\(number)", to: &$0) }
        case .modifications: entity.add(8) { addModification(number, to: &$0) }
        case .alerts: entity.add(5) { addAlert(number, to: &$0) }
        }
      }
      guard kind == .additions else { continue }
      message.add(2) { entity in
        entity.add(1, "v\(number)")
        entity.add(4) { addVehicle("N\(number)", to: &$0) }
      }
    }
    return Data(message.bytes)
  }

  /// The identifier, or one of the same length that the timetable does not have.
  private func known(_ id: String) -> String { isKnown ? id : "x" + id.dropFirst() }

  private func addUpdate(_ number: Int, to update: inout MessageFields) {
    update.add(1) { trip in
      switch kind {
      case .starts:
        trip.add(2, "05:00:00")
        trip.add(3, "\(Self.date(number))")
        trip.add(5, known("L"))
      case .runs:
        trip.add(1, known("often"))
        trip.add(2, Self.clock(Self.runStart(number)))
        trip.add(3, "\(Self.day)")
      case .days:
        trip.add(1, known("daily"))
        trip.add(3, "\(Self.date(number))")
      default:
        trip.add(1, known("T\(number)"))
        trip.add(3, "\(Self.day)")
      }
    }
    update.add(2) { stop in
      stop.add(1, 1)
      stop.add(3) { $0.add(1, number % 10 * 60) }
    }
  }

  private func addAddition(_ number: Int, at now: Int, to update: inout MessageFields) {
    update.add(1) { trip in
      trip.add(1, "N\(number)")
      trip.add(3, "\(Self.day)")
      trip.add(4, 8)
      trip.add(5, known("L"))
    }
    for stop in 0..<3 {
      update.add(2) { fields in
        fields.add(2) { $0.add(2, now + number + stop * 60) }
        fields.add(3) { $0.add(2, now + number + stop * 60) }
        fields.add(4, known("S\(stop)"))
      }
    }
  }

  private func addVehicle(_ tripID: String, to vehicle: inout MessageFields) {
    vehicle.add(1) { trip in
      trip.add(1, known(tripID))
      trip.add(3, "\(Self.day)")
    }
    vehicle.add(2) { position in
      position.add(1, Float(46.5))
      position.add(2, Float(6.5))
    }
    vehicle.add(3, 2)
  }

  private func addModification(_ number: Int, to entity: inout MessageFields) {
    entity.add(1) { $0.add(1, known("T\(number)")) }
    entity.add(3, "\(Self.day)")
    entity.add(4) { modification in
      modification.add(1) { $0.add(1, 2) }
      modification.add(2) { $0.add(1, 2) }
      modification.add(4) { stop in
        stop.add(1, 60)
        stop.add(2, "S3")
      }
    }
  }

  private func addAlert(_ number: Int, to alert: inout MessageFields) {
    alert.add(5) { selector in selector.add(4) { $0.add(1, known("T\(number)")) } }
    alert.add(10) { text in text.add(1) { $0.add(1, "Alert \(number)") } }
  }
}
