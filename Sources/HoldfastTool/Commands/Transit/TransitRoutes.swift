import Holdfast
import HoldfastTransit

/// `holdfast transit routes DB [--type TYPE]`.
struct TransitRoutes: Verb {
  private let database = Argument("DB", "A timetable database.", .path)
  private let type = Option(
    "--type", "TYPE",
    "Only of this route_type: tram, metro, rail, bus, ferry, cable-tram, aerial-lift, funicular, "
      + "trolleybus, monorail, each with its extended types, or one number.",
    .named(Self.types, orNumberIn: 0...9999) { [$0...$0] })

  /// The GTFS route types, and the ranges of the extended types.
  ///
  /// - SeeAlso: <https://gtfs.org/documentation/schedule/reference/#routestxt>,
  ///   <https://developers.google.com/transit/gtfs/reference/extended-route-types>
  private static let types: KeyValuePairs<String, [ClosedRange<Int>]> = [
    "tram": [0...0, 900...999],
    "metro": [1...1, 400...404],
    "rail": [2...2, 100...199],
    "bus": [3...3, 200...299, 700...799],
    "ferry": [4...4, 1000...1099, 1200...1299],
    "cable-tram": [5...5],
    "aerial-lift": [6...6, 1300...1399],
    "funicular": [7...7, 1400...1499],
    "trolleybus": [11...11, 800...899],
    "monorail": [12...12, 405...405],
  ]

  var declaration: Declaration {
    Declaration(
      "routes", "Lists the routes in the feed's order.", database, type,
      example: "harbour.db --type ferry")
  }

  func run(_ arguments: ParsedArguments, output: Output) async throws -> ExitCode {
    let timetable = try Timetable(readingFileAt: arguments[database])
    defer { timetable.reader.closeIgnoringErrors() }
    var routes = try await timetable.reader.read { db in try Route.fetchAll(db) }
    if let types = arguments[type] {
      routes.removeAll { route in !types.contains { $0.contains(route.routeType) } }
    }
    let layout = Table.Layout(keys: [
      "route_id", "agency_id", "route_short_name", "route_long_name", "route_type",
    ])
    try output.records(of: "routes", as: layout, routes.lazy.map(Record.init(route:)))
    return .success
  }
}

extension Record {
  /// Creates the record of a route, with GTFS's names.
  fileprivate init(route: Route) {
    self = [
      "rid": Cell(route.rid),
      "route_id": .text(route.routeID),
      "agency_id": Cell(route.agencyID),
      "route_short_name": .text(route.routeShortName),
      "route_long_name": .text(route.routeLongName),
      "route_type": Cell(route.routeType),
      "route_color": Cell(route.routeColor),
      "route_text_color": Cell(route.routeTextColor),
    ]
  }
}
