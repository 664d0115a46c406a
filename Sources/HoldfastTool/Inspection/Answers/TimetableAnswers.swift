import Foundation
import Holdfast
import HoldfastFiles
import HoldfastInspector
import HoldfastTransit
import Synchronization

/// The answers about one timetable.
struct TimetableAnswers: Sendable {
  let item: InspectedItem
  let database: InspectedDatabase
  let live: LiveMessage

  /// The realtime message that is applied to answers.
  final class LiveMessage: Sendable {
    struct Message: Sendable {
      var name: String?
      var content: RealtimeMessage

      var updates: TripUpdates { content.tripUpdates }
    }

    private let message = Mutex<Message?>(nil)

    var current: Message? {
      get { message.withLock { $0 } }
      set { message.withLock { $0 = newValue } }
    }
  }

  /// An opened timetable, which keeps what it has decoded.
  private struct Opened: ClosableValue {
    var timetable: Timetable

    init(_ origin: DatabaseOrigin) throws {
      timetable = try Timetable(origin.open { Timetable.prepare(&$0) })
    }

    func close() { timetable.reader.closeIgnoringErrors() }
  }

  private static let mostStops = 2000
  private static let mostDepartures = 200

  private func read<Value>(_ body: (Database) throws -> Value) throws -> Value {
    let opened = try database.value { try Opened($0) }
    return try database.reporting { try opened.timetable.reader.read(body) }
  }

  /// Whether it applies now, and what it contains.
  func overview() throws -> OutputRecord {
    let live = live.current
    return try read { db in
      let validity = try FeedValidity(db, at: .now)
      let agencies = try Row.fetchAll(
        db, sql: "SELECT agency_name, agency_timezone, agency_url FROM main.agency ORDER BY aid")
      let stops = try Stop.fetchAll(db)
      let positions = stops.compactMap { stop in
        stop.stopLat.flatMap { latitude in stop.stopLon.map { (latitude, $0) } }
      }
      let bounds: Cell =
        positions.isEmpty
        ? .null
        : .list(
          [
            positions.map(\.1).min(), positions.map(\.0).min(), positions.map(\.1).max(),
            positions.map(\.0).max(),
          ].map { Cell($0) })
      return [
        "path": .text(item.name), "database": Cell(item.database),
        "validity": .record(OutputRecord(validity, at: .now)),
        "validity_sentence": Cell(validity.sentence),
        "agencies": .list(
          try agencies.map { row in
            .record([
              "agency_name": Cell(try row.decode(String?.self, atIndex: 0)),
              "agency_timezone": Cell(try row.decode(String?.self, atIndex: 1)),
              "agency_url": Cell(try row.decode(String?.self, atIndex: 2)),
            ])
          }),
        "stops": Cell(stops.count), "routes": Cell(try Route.fetchAll(db).count),
        "bounds": bounds, "live": Self.cell(live),
      ]
    }
  }

  private static func cell(_ live: LiveMessage.Message?) -> Cell {
    guard let live else { return .null }
    return .record([
      "name": Cell(live.name),
      "timestamp": Cell(live.updates.timestamp?.timestamp(in: .gmt)),
      "trip_updates": Cell(live.updates.updates.count),
    ])
  }

  /// Stops by what is typed, or in an area.
  func stops(_ request: HTTPRequest) throws -> OutputRecord {
    if let text = request["search"] {
      let limit = try request.number("limit", in: 1...200, otherwise: 50)
      let stops = try read { db in try StopSearch(text, limit: limit).fetchAll(db) }
      return [
        "stops": .list(stops.map { .record(OutputRecord(stop: $0)) }), "truncated": .bool(false),
      ]
    }
    let edges = try request.required("bounds").split(separator: ",").map { Double($0) }
    let numbers = edges.compactMap(\.self)
    // A map shows the whole earth, and more, at its lowest zoom levels.
    guard edges.count == 4, numbers.count == 4, numbers.allSatisfy(\.isFinite),
      let region = try? BoundingBox(
        south: max(-90, numbers[1]), west: max(-180, numbers[0]), north: min(90, numbers[3]),
        east: min(180, numbers[2]))
    else { throw InspectionError.malformed("bounds", "WEST,SOUTH,EAST,NORTH in degrees") }
    let stops = try read { db in
      try StopsInRegion(region, limit: Self.mostStops + 1).fetchAll(db)
    }
    return [
      "stops": .list(stops.prefix(Self.mostStops).map { .record(OutputRecord(stop: $0)) }),
      "truncated": .bool(stops.count > Self.mostStops),
    ]
  }

  /// The ways of the routes, as GeoJSON.
  func lines() throws -> OutputRecord {
    let network = try read { db in try TransitNetwork(db, size: 4000) { _ in true } }
    let features = network.ways.compactMap { way -> Cell? in
      let points =
        way.shapeID.flatMap { network.shapes[$0] }
        ?? way.stops.compactMap { network.places[$0]?.position }
      guard points.count > 1 else { return nil }
      let coordinates = points.map { Cell.list([.real($0.longitude), .real($0.latitude)]) }
      return .record([
        "type": .text("Feature"), "properties": .record(OutputRecord(route: way.route)),
        "geometry": .record(["type": .text("LineString"), "coordinates": .list(coordinates)]),
      ])
    }
    return ["type": .text("FeatureCollection"), "features": .list(features)]
  }

  private func time(_ request: HTTPRequest) throws -> InstantText? {
    guard let text = request["at"], !text.isEmpty else { return nil }
    guard let time = InstantText(text) else {
      throw InspectionError.malformed(
        "at", "an instant in ISO 8601, such as 2026-07-24T08:00 or 2026-07-24T06:00Z")
    }
    return time
  }

  /// Returns the departures from a stop or a station.
  func departures(_ request: HTTPRequest) throws -> OutputRecord {
    let stopID = try request.required("stop")
    let limit = try request.number("limit", in: 1...Self.mostDepartures, otherwise: 20)
    let (time, live) = (try time(request), live.current)
    return try read { db in
      guard let stop = try Stop.fetchOne(db, stopID: stopID) else {
        throw ToolError.noStop(stopID, item.name)
      }
      let instant = time?.date(in: try stop.timeZone(db) ?? .gmt) ?? .now
      var board = Departures(
        at: [stop.sid], from: instant, limit: limit, updates: live?.updates)
      board.includesCanceled = true
      let departures = try board.fetchAll(db)
      let validity = try departures.isEmpty ? FeedValidity(db, at: instant) : nil
      return [
        "stop": .record(OutputRecord(stop: stop)),
        "departures": .list(
          try departures.map { departure in
            let answer = BoardAnswer(
              call: departure, alerts: try live?.content.alerts(for: departure, db) ?? [],
              vehicle: try live?.content.vehiclePosition(for: departure, db))
            var record = OutputRecord(departure: departure)
            record.fields += OutputRecord(liveOf: answer, in: []).fields
            return .record(record)
          }),
        "note": Cell(validity?.sentence), "live": Self.cell(live),
      ]
    }
  }

  /// The best journeys between two places.
  func journeys(_ request: HTTPRequest) throws -> OutputRecord {
    let (from, to) = (try request.required("from"), try request.required("to"))
    let (time, live) = (try time(request), live.current)
    return try read { db in
      let origin = try TransitJourney.place(from, item.name, db)
      let destination = try TransitJourney.place(to, item.name, db)
      let zone = try TransitJourney.timeZone(origin, db) ?? .gmt
      let instant = time?.date(in: zone) ?? .now
      var question = Journeys(from: origin, to: destination, .departing(instant))
      question.window = .seconds(3600)
      question.includesIntermediateCalls = true
      question.updates = live?.updates
      let journeys = try question.fetchAll(db)
      let zones = try JourneyZones(of: journeys, at: zone, db)
      let validity = try journeys.isEmpty ? FeedValidity(db, at: instant) : nil
      return [
        "journeys": .list(
          try journeys.map { journey in
            let answer = try JourneyAnswer(journey, of: journey, live?.content, db)
            let record = OutputRecord(answer: answer, in: zones, languages: [])
            return .record(Self.withPositions(record, journey))
          }),
        "note": Cell(validity?.sentence), "live": Self.cell(live),
      ]
    }
  }

  /// Adds where legs and calls are, so that they can be drawn.
  private static func withPositions(_ record: OutputRecord, _ journey: Journey) -> OutputRecord {
    var record = record
    guard let index = record.fields.firstIndex(where: { $0.key == "legs" }),
      case .list(let cells) = record.fields[index].cell
    else { return record }
    let legs = zip(cells, journey.legs).map { cell, leg -> Cell in
      guard case .record(var fields) = cell else { return cell }
      switch leg {
      case .walk(let walk):
        fields.fields += [
          .init(key: "from_stop_lat", cell: Cell(walk.from?.stopLat)),
          .init(key: "from_stop_lon", cell: Cell(walk.from?.stopLon)),
          .init(key: "from_stop_name", cell: Cell(walk.from?.stopName)),
          .init(key: "to_stop_lat", cell: Cell(walk.to?.stopLat)),
          .init(key: "to_stop_lon", cell: Cell(walk.to?.stopLon)),
          .init(key: "to_stop_name", cell: Cell(walk.to?.stopName)),
        ]
      case .ride(let ride):
        let stops = ([ride.board] + ride.intermediateCalls + [ride.alight]).map(\.stop)
        fields.fields += [
          .init(key: "route_color", cell: Cell(ride.route.routeColor)),
          .init(key: "route_text_color", cell: Cell(ride.route.routeTextColor)),
        ]
        guard let calls = fields.fields.firstIndex(where: { $0.key == "calls" }),
          case .list(let callCells) = fields.fields[calls].cell
        else { return .record(fields) }
        fields.fields[calls].cell = .list(
          zip(callCells, stops).map { cell, stop in
            guard case .record(var call) = cell else { return cell }
            call.fields += [
              .init(key: "stop_lat", cell: Cell(stop.stopLat)),
              .init(key: "stop_lon", cell: Cell(stop.stopLon)),
            ]
            return .record(call)
          })
      }
      return .record(fields)
    }
    record.fields[index].cell = .list(legs)
    return record
  }

  /// Applies a realtime message to later answers; an empty one removes it.
  func setLive(_ request: HTTPRequest) throws -> OutputRecord {
    if request.body.isEmpty {
      live.current = nil
    } else {
      live.current = .init(
        name: request["name"], content: try RealtimeMessage(feedMessage: request.body))
    }
    return ["live": Self.cell(live.current)]
  }
}
