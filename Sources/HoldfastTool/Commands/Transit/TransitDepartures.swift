import Foundation
import Holdfast
import HoldfastTransit

/// `holdfast transit departures DB STOP_ID [--at TIME] [--limit N] [--live FILE] […]`.
struct TransitDepartures: Verb {
  private let board = BoardParameters(
    "departures", all: "Includes the last stops of trips, and stops where no rider may board.")

  var declaration: Declaration {
    Declaration(
      "departures", "Lists the departures within 24 hours.", parameters: board.list,
      example: "harbour.db CQ --at 2026-07-24T08:00")
  }

  func run(_ arguments: ParsedArguments, output: Output) async throws -> ExitCode {
    let answer = try await board.answers(arguments, output) { question, db in
      var departures = Departures(
        at: question.sids, from: question.instant, limit: question.limit,
        updates: question.message?.tripUpdates)
      departures.includesLastStops = question.includesAll
      departures.includesStopsWithoutPickup = question.includesAll
      // Riders wait for what the timetable promises, unless the board says otherwise.
      departures.includesCanceled = true
      return try departures.fetchAll(db).map { departure in
        BoardAnswer(
          call: try question.translations.translating(departure, db),
          alerts: try question.message?.alerts(for: departure, db) ?? [],
          vehicle: try question.message?.vehiclePosition(for: departure, db))
      }
    }
    try output.board("departures", answer, record: OutputRecord.init(departure:)) { departure in
      BoardRow(
        timeTitle: "departure", time: departure.departure, zone: departure.timeZone,
        placeTitle: "to", place: departure.headsign ?? departure.route.otherName,
        accessTitle: "pickup_type", access: departure.pickupType)
    }
    return .success
  }
}

extension Departure: BoardCall {
  var booking: Booking? { Booking(.boarding, bookingRule, in: timeZone) }
}

extension OutputRecord {
  /// Creates the record of a departure, with GTFS's names.
  init(departure: Departure) {
    self.init(
      departure,
      instants: [
        "departure": Cell(departure.departure, in: departure.timeZone),
        "arrival": Cell(departure.arrival, in: departure.timeZone),
      ],
      schedule: [
        "scheduled_departure": Cell(departure.scheduledDeparture, in: departure.timeZone),
        "service_date": .text(departure.serviceDay.description),
        "departure_time": .text(departure.departureTime.description),
        "arrival_time": .text(departure.arrivalTime.description),
      ],
      riders: [
        "pickup_type": Cell(departure.pickupType), "drop_off_type": Cell(departure.dropOffType),
      ])
  }
}
