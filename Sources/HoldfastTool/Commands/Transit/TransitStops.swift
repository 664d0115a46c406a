import Holdfast
import HoldfastTransit

/// `holdfast transit stops DB [--within SOUTH,WEST,NORTH,EAST] [options]`.
struct TransitStops: Verb {
  private let database = Argument.timetable
  private let type = Option(
    "--type", "TYPE",
    "Only of this location_type: \(Reading<Int>.locationTypeNames).", .locationType)
  private let region = Option(
    "--within", "SOUTH,WEST,NORTH,EAST",
    "Only in this area, in degrees of WGS 84; those nearest to its middle come first. WEST is "
      + "greater than EAST if the area contains the antimeridian.", .region)
  private let limit = Option("--limit", "N", "Prints at most N stops.", .integer(in: 1...10_000))
  private let language = Option.language

  var declaration: Declaration {
    Declaration(
      "stops", "Lists the stops by name, or those in an area.", database, region, limit, type,
      language, example: "harbour.db --type station")
  }

  func run(_ arguments: ParsedArguments, output: Output) async throws -> ExitCode {
    let timetable = try Timetable(readingFileAt: arguments[database])
    defer { timetable.reader.closeIgnoringErrors() }
    let type = arguments[type]
    let region = arguments[region]
    let limit = arguments[limit]
    let translations = Translations(arguments[language])
    let stops = try await timetable.reader.read { db in
      try Self.stops(db, ofType: type, in: region, limit: limit)
        .map { try translations.translating($0, db) }
    }
    try output.records(of: "stops", as: .stops, stops.lazy.map(OutputRecord.init(stop:)))
    return .success
  }

  private static func stops(
    _ db: Database, ofType type: Int?, in region: BoundingBox?, limit: Int?
  ) throws -> [Stop] {
    guard let region else {
      return Array(try Stop.fetchAll(db, locationType: type).prefix(limit ?? .max))
    }
    let types: Set<Int>? = type.map { [$0] }
    return try StopsInRegion(region, limit: limit ?? .max, locationTypes: types).fetchAll(db)
  }
}

extension Reading<BoundingBox> {
  /// An area between two parallels and two meridians, in degrees of WGS 84.
  fileprivate static let region = Reading(
    expected: "the edges SOUTH,WEST,NORTH,EAST of an area, with SOUTH at most NORTH, latitudes "
      + "from -90 to 90 and longitudes from -180 to 180, such as -43.82,172.95,-43.79,172.98"
  ) { word in
    let parts = word.split(separator: ",", omittingEmptySubsequences: false).map { Double($0) }
    let edges = parts.compactMap(\.self)
    guard parts.count == 4, edges.count == 4 else { return nil }
    // The error would say which edge is out of its range; what is expected says it too.
    return try? BoundingBox(south: edges[0], west: edges[1], north: edges[2], east: edges[3])
  }
}

extension Reading<Int> {
  /// A `location_type` of GTFS, by name or number.
  static let locationType = Reading.named(
    ["stop": 0, "station": 1, "entrance": 2, "node": 3, "area": 4], orNumberIn: 0...4
  ) { $0 }

  static let locationTypeNames = "stop, station, entrance, node, area, or a number from 0 to 4"
}

extension TextTable.Layout {
  /// The columns of a table of stops; JSON has more.
  static let stops = TextTable.Layout(
    keys: [
      "stop_id", "stop_code", "stop_name", "stop_lat", "stop_lon", "location_type",
      "parent_station",
    ],
    identifiers: ["stop_id", "parent_station"], coordinates: ["stop_lat", "stop_lon"],
    dispensable: ["location_type", "parent_station"])
}

extension OutputRecord {
  /// Creates the record of a stop, with GTFS's names.
  init(stop: Stop) {
    self = [
      "sid": Cell(stop.sid),
      "stop_id": .text(stop.stopID),
      "stop_code": Cell(stop.stopCode),
      "stop_name": .text(stop.stopName),
      "stop_lat": Cell(stop.stopLat),
      "stop_lon": Cell(stop.stopLon),
      "location_type": Cell(stop.locationType),
      "parent_station": Cell(stop.parentStation),
      "platform_code": Cell(stop.platformCode),
      "wheelchair_boarding": Cell(stop.wheelchairBoarding),
    ]
  }
}
