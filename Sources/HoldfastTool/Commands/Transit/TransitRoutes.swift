import Foundation
import Holdfast
import HoldfastTransit

/// `holdfast transit routes DB [--type TYPE] [--stop STOP_ID] [--language CODE]`.
struct TransitRoutes: Verb {
  private let database = Argument.timetable
  private let type = RouteChoice.option

  private let stop = Option(
    "--stop", "STOP_ID", "Only those that call at this stop or station.", .text)
  private let language = Option.language

  var declaration: Declaration {
    Declaration(
      "routes", "Lists the routes in the feed's order.", database, type, stop,
      language, example: "harbour.db --type ferry")
  }

  func run(_ arguments: ParsedArguments, output: Output) async throws -> ExitCode {
    let timetable = try Timetable(readingFileAt: arguments[database])
    defer { timetable.reader.closeIgnoringErrors() }
    let (stopID, path) = (arguments[stop], arguments[database].relativePath)
    let translations = Translations(arguments[language])
    var routes = try await timetable.reader.read { db in
      try Self.routes(callingAt: stopID, db, path).map { try translations.translating($0, db) }
    }
    if let choice = arguments[type] {
      routes.removeAll { route in !choice.includes(route.routeType) }
    }
    let layout = TextTable.Layout(keys: [
      "route_id", "agency_id", "route_short_name", "route_long_name", "route_type",
    ])
    try output.records(of: "routes", as: layout, routes.lazy.map(OutputRecord.init(route:)))
    return .success
  }

  /// Returns the routes that call at a stop, or all.
  private static func routes(
    callingAt stopID: String?, _ db: Database, _ path: String
  ) throws -> [Route] {
    guard let stopID else { return try Route.fetchAll(db) }
    guard let stop = try Stop.fetchOne(db, stopID: stopID) else {
      throw ToolError.noStop(stopID, path)
    }
    return try Route.fetchAll(db, callingAt: [stop.sid])
  }
}

extension OutputRecord {
  /// Creates the record of a route, with GTFS's names.
  init(route: Route) {
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
