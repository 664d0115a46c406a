import Holdfast
import HoldfastTransit

/// `holdfast transit routes DB [--type TYPE] [--stop STOP_ID]`.
struct TransitRoutes: Verb {
  private let database = Argument("DB", "A timetable database.", .path)
  private let type = Option(
    "--type", "TYPE",
    "Only of this route_type: tram, metro, rail, bus, ferry, cable-tram, aerial-lift, funicular, "
      + "trolleybus, monorail, air, taxi, other, each with its extended types, or one number.",
    .named(Self.categories, orNumberIn: 0...9999) { .type(RouteType(rawValue: $0)) })

  private let stop = Option(
    "--stop", "STOP_ID", "Only those that call at this stop or station.", .text)

  /// The routes to list: those of a category, or those of exactly one type.
  private enum Choice: Sendable {
    case category(RouteType.Category)
    case type(RouteType)

    func includes(_ type: RouteType) -> Bool {
      switch self {
      case .category(let category): type.category == category
      case .type(let chosen): type == chosen
      }
    }
  }

  private static let categories: KeyValuePairs<String, Choice> = [
    "tram": .category(.tram), "metro": .category(.metro), "rail": .category(.rail),
    "bus": .category(.bus), "ferry": .category(.ferry), "cable-tram": .category(.cableTram),
    "aerial-lift": .category(.aerialLift), "funicular": .category(.funicular),
    "trolleybus": .category(.trolleybus), "monorail": .category(.monorail),
    "air": .category(.air), "taxi": .category(.taxi), "other": .category(.other),
  ]

  var declaration: Declaration {
    Declaration(
      "routes", "Lists the routes in the feed's order.", database, type, stop,
      example: "harbour.db --type ferry")
  }

  func run(_ arguments: ParsedArguments, output: Output) async throws -> ExitCode {
    let timetable = try Timetable(readingFileAt: arguments[database])
    defer { timetable.reader.closeIgnoringErrors() }
    let (stopID, path) = (arguments[stop], arguments[database].relativePath)
    var routes = try await timetable.reader.read { db in
      guard let stopID else { return try Route.fetchAll(db) }
      guard let stop = try Stop.fetchOne(db, stopID: stopID) else {
        throw ToolError.noStop(stopID, path)
      }
      return try Route.fetchAll(db, callingAt: [stop.sid])
    }
    if let choice = arguments[type] {
      routes.removeAll { route in !choice.includes(route.routeType) }
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
      "route_type": Cell(route.routeType.rawValue),
      "route_color": Cell(route.routeColor),
      "route_text_color": Cell(route.routeTextColor),
    ]
  }
}
