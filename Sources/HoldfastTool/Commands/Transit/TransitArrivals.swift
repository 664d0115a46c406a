import Foundation
import Holdfast
import HoldfastTransit

/// `holdfast transit arrivals DB STOP_ID [--at TIME] [--limit N] [--live FILE]`.
struct TransitArrivals: Verb {
  private let board = BoardParameters(
    "arrivals", all: "Includes the first stops of trips, and stops where no rider may alight.")

  var declaration: Declaration {
    Declaration(
      "arrivals", "Lists the arrivals within 24 hours.", parameters: board.list,
      example: "harbour.db CQ --at 2026-07-24T08:00")
  }

  func run(_ arguments: ParsedArguments, output: Output) async throws -> ExitCode {
    let arrivals = try await board.answers(arguments, output) { question, db in
      var arrivals = Arrivals(
        at: question.sids, from: question.instant, limit: question.limit,
        updates: question.updates)
      arrivals.includesFirstStops = question.includesAll
      arrivals.includesStopsWithoutDropOff = question.includesAll
      arrivals.includesCanceled = true
      return try arrivals.fetchAll(db)
    }
    let layout = BoardParameters.layout(
      arguments, board.live,
      ["arrival", "route_short_name", "origin", "stop_name", "platform_code", "trip_id"])
    try output.records(of: "arrivals", as: layout, arrivals.lazy.map(Record.init(arrival:)))
    return .success
  }
}

extension Record {
  /// Creates the record of an arrival, with GTFS's names.
  fileprivate init(arrival: Arrival) {
    self = [
      "arrival": Cell(arrival.arrival, in: arrival.timeZone),
      "status": .text(arrival.status.name),
      "delay": Cell(arrival.delay.map { Int($0.components.seconds) }),
      "scheduled_arrival": Cell(arrival.scheduledArrival, in: arrival.timeZone),
      "service_date": .text(arrival.serviceDay.description),
      "arrival_time": .text(arrival.arrivalTime.description),
      "is_interpolated": .bool(arrival.isInterpolated),
      "route_id": .text(arrival.route.routeID),
      "route_short_name": .text(arrival.route.routeShortName),
      "route_long_name": .text(arrival.route.routeLongName),
      "origin": Cell(arrival.origin?.stopName),
      "trip_headsign": Cell(arrival.headsign),
      "trip_short_name": Cell(arrival.tripShortName),
      "direction_id": Cell(arrival.directionID),
      "stop_id": .text(arrival.stop.stopID),
      "stop_name": .text(arrival.stop.stopName),
      "platform_code": Cell(arrival.stop.platformCode),
      "stop_sequence": Cell(arrival.stopSequence),
      "drop_off_type": Cell(arrival.dropOffType),
      "headway_secs": Cell(arrival.headway.map { Int($0.components.seconds) }),
      "trip_id": .text(arrival.tripID),
      "sid": Cell(arrival.stop.sid),
      "rid": Cell(arrival.route.rid),
      "tid": Cell(arrival.tid),
    ]
  }
}
