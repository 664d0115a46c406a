import Foundation
import Holdfast
import HoldfastTransit

/// `holdfast transit arrivals DB STOP_ID [--at TIME] [--limit N] [--live FILE] […]`.
struct TransitArrivals: Verb {
  private let board = BoardParameters(
    "arrivals", all: "Includes the first stops of trips, and stops where no rider may alight.")

  var declaration: Declaration {
    Declaration(
      "arrivals", "Lists the arrivals within 24 hours.", parameters: board.list,
      example: "harbour.db CQ --at 2026-07-24T08:00")
  }

  func run(_ arguments: ParsedArguments, output: Output) async throws -> ExitCode {
    let answer = try await board.answers(arguments, output) { question, db in
      var arrivals = Arrivals(
        at: question.sids, from: question.instant, limit: question.limit,
        updates: question.message?.tripUpdates)
      arrivals.includesFirstStops = question.includesAll
      arrivals.includesStopsWithoutDropOff = question.includesAll
      arrivals.includesCanceled = true
      return try arrivals.fetchAll(db).map { arrival in
        BoardAnswer(
          call: try question.translations.translating(arrival, db),
          alerts: try question.message?.alerts(for: arrival, db) ?? [],
          vehicle: try question.message?.vehiclePosition(for: arrival, db))
      }
    }
    try output.board("arrivals", answer, record: OutputRecord.init(arrival:)) { arrival in
      BoardRow(
        timeTitle: "arrival", time: arrival.arrival, zone: arrival.timeZone, placeTitle: "from",
        place: arrival.origin?.stopName, accessTitle: "drop_off_type",
        access: arrival.dropOffType)
    }
    return .success
  }
}

extension Arrival: BoardCall {
  var booking: Booking? { Booking(.alighting, bookingRule, in: timeZone) }
}

extension OutputRecord {
  /// Creates the record of an arrival, with GTFS's names.
  fileprivate init(arrival: Arrival) {
    self.init(
      arrival,
      instants: ["arrival": Cell(arrival.arrival, in: arrival.timeZone)],
      schedule: [
        "scheduled_arrival": Cell(arrival.scheduledArrival, in: arrival.timeZone),
        "service_date": .text(arrival.serviceDay.description),
        "arrival_time": .text(arrival.arrivalTime.description),
      ],
      origin: ["origin": Cell(arrival.origin?.stopName)],
      riders: ["drop_off_type": Cell(arrival.dropOffType)])
  }
}
