import Foundation
import Holdfast
import HoldfastTransit

/// `holdfast transit departures DB STOP_ID [--at TIME] [--limit N]`.
struct TransitDepartures: Verb {
  private let database = Argument("DB", "A timetable database.", .path)
  private let stop = Argument("STOP_ID", "The stop_id of a stop or of a station.", .text)
  private let time = Option(
    "--at", "TIME",
    "The first instant, in ISO 8601; without an offset it is a local time at the stop. Otherwise now.",
    .localInstant)
  private let limit = Option(
    "--limit", "N", "Prints at most N departures.", .integer(in: 1...10_000), otherwise: 20)
  private let all = Flag(
    "--all", "Includes the last stops of trips, and stops where no rider may board.")

  var declaration: Declaration {
    Declaration(
      "departures", "Lists the departures within 24 hours.", database, stop, time, limit, all,
      example: "harbour.db CQ --at 2026-07-24T08:00")
  }

  func run(_ arguments: ParsedArguments, output: Output) async throws -> ExitCode {
    let timetable = try Timetable(readingFileAt: arguments[database])
    defer { timetable.reader.closeIgnoringErrors() }
    let (stopID, time) = (arguments[stop], arguments[time])
    let (limit, all) = (arguments[limit], arguments[all])
    let path = arguments[database].relativePath
    let departures = try await timetable.reader.read { db in
      guard let stop = try Stop.fetchOne(db, stopID: stopID) else {
        throw ToolError.noStop(stopID, path)
      }
      let zone = try stop.timeZone(db) ?? .gmt
      var question = Departures(
        at: [stop.sid], from: time?.date(in: zone) ?? Date(), limit: limit)
      question.includesLastStops = all
      question.includesStopsWithoutPickup = all
      return try question.fetchAll(db)
    }
    let layout = Table.Layout(
      keys: [
        "departure", "route_short_name", "trip_headsign", "stop_name", "platform_code", "trip_id",
      ])
    try output.records(of: "departures", as: layout, departures.lazy.map(Record.init(departure:)))
    return .success
  }
}

extension Record {
  /// Creates the record of a departure, with GTFS's names.
  fileprivate init(departure: Departure) {
    self = [
      "departure": Cell(departure.departure, in: departure.timeZone),
      "arrival": Cell(departure.arrival, in: departure.timeZone),
      "service_date": .text(departure.serviceDay.description),
      "departure_time": .text(departure.departureTime.description),
      "arrival_time": .text(departure.arrivalTime.description),
      "is_interpolated": .bool(departure.isInterpolated),
      "route_id": .text(departure.route.routeID),
      "route_short_name": .text(departure.route.routeShortName),
      "route_long_name": .text(departure.route.routeLongName),
      "trip_headsign": Cell(departure.headsign),
      "trip_short_name": Cell(departure.tripShortName),
      "direction_id": Cell(departure.directionID),
      "stop_id": .text(departure.stop.stopID),
      "stop_name": .text(departure.stop.stopName),
      "platform_code": Cell(departure.stop.platformCode),
      "stop_sequence": Cell(departure.stopSequence),
      "pickup_type": Cell(departure.pickupType),
      "drop_off_type": Cell(departure.dropOffType),
      "headway_secs": Cell(departure.headway.map { Int($0.components.seconds) }),
      "trip_id": .text(departure.tripID),
      "sid": Cell(departure.stop.sid),
      "rid": Cell(departure.route.rid),
      "tid": Cell(departure.tid),
    ]
  }
}
