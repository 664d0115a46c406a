import Holdfast
import HoldfastTransit

/// `holdfast transit stops DB [--type N]`.
struct TransitStops: Verb {
  private let database = Argument("DB", "A timetable database.", .path)
  private let type = Option(
    "--type", "N", "Only of this location_type: 0 stop, 1 station, 2 entrance, 3 node, 4 area.",
    .integer(in: 0...4))

  var declaration: Declaration {
    Declaration("stops", "Lists the stops by name.", database, type, example: "harbour.db --type 1")
  }

  func run(_ arguments: ParsedArguments, output: Output) async throws -> ExitCode {
    let timetable = try Timetable(readingFileAt: arguments[database])
    defer { timetable.reader.closeIgnoringErrors() }
    let type = arguments[type]
    let stops = try await timetable.reader.read { db in
      try Stop.fetchAll(db, locationType: type)
    }
    try output.records(of: "stops", as: .stops, stops.lazy.map(Record.init(stop:)))
    return .success
  }
}

extension Table.Layout {
  /// What a person looks for in a list of stops; programs get more.
  static let stops = Table.Layout(keys: [
    "stop_id", "stop_code", "stop_name", "stop_lat", "stop_lon", "location_type", "parent_station",
  ])
}

extension Record {
  /// A stop under GTFS's names.
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
