import Holdfast
import HoldfastTransit

/// `holdfast transit routes DB [--type N]`.
struct TransitRoutes: Verb {
  private let database = Argument("DB", "A timetable database.", .path)
  private let type = Option(
    "--type", "N", "Only of this route_type, such as 0 tram, 1 metro, 2 rail, 3 bus, 4 ferry.",
    .integer(in: 0...9999))

  var declaration: Declaration {
    Declaration(
      "routes", "Lists the routes in the feed's order.", database, type,
      example: "harbour.db --type 4")
  }

  func run(_ arguments: ParsedArguments, output: Output) async throws -> ExitCode {
    let timetable = try Timetable(readingFileAt: arguments[database])
    defer { timetable.reader.closeIgnoringErrors() }
    let type = arguments[type]
    let routes = try await timetable.reader.read { db in
      try Route.fetchAll(db, routeType: type)
    }
    let layout = Table.Layout(keys: [
      "route_id", "agency_id", "route_short_name", "route_long_name", "route_type",
    ])
    try output.records(of: "routes", as: layout, routes.lazy.map(Record.init(route:)))
    return .success
  }
}

extension Record {
  /// A route under GTFS's names.
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
