import Holdfast
import HoldfastTransit

/// `holdfast transit stops DB [--type TYPE] [--language CODE]`.
struct TransitStops: Verb {
  private let database = Argument.timetable
  private let type = Option(
    "--type", "TYPE",
    "Only of this location_type: \(Reading<Int>.locationTypeNames).", .locationType)
  private let language = Option.language

  var declaration: Declaration {
    Declaration(
      "stops", "Lists the stops by name.", database, type, language,
      example: "harbour.db --type station")
  }

  func run(_ arguments: ParsedArguments, output: Output) async throws -> ExitCode {
    let timetable = try Timetable(readingFileAt: arguments[database])
    defer { timetable.reader.closeIgnoringErrors() }
    let type = arguments[type]
    let translations = Translations(arguments[language])
    let stops = try await timetable.reader.read { db in
      try Stop.fetchAll(db, locationType: type).map { try translations.translating($0, db) }
    }
    try output.records(of: "stops", as: .stops, stops.lazy.map(Record.init(stop:)))
    return .success
  }
}

extension Reading<Int> {
  /// A `location_type` of GTFS, by name or number.
  static let locationType = Reading.named(
    ["stop": 0, "station": 1, "entrance": 2, "node": 3, "area": 4], orNumberIn: 0...4
  ) { $0 }

  static let locationTypeNames = "stop, station, entrance, node, area, or a number from 0 to 4"
}

extension Table.Layout {
  /// The columns of a table of stops; JSON has more.
  static let stops = Table.Layout(
    keys: [
      "stop_id", "stop_code", "stop_name", "stop_lat", "stop_lon", "location_type",
      "parent_station",
    ],
    identifiers: ["stop_id", "parent_station"], coordinates: ["stop_lat", "stop_lon"])
}

extension Record {
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
