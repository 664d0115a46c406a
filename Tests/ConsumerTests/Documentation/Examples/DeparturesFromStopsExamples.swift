// The Swift of DeparturesFromStops.md, compiled: DeparturesFromStopsTests finds each block of it here,
// and runs every function.

import Foundation
import Holdfast
import HoldfastTransit

func nextDepartures(_ timetable: Timetable, at stopID: String) async throws -> [Departure] {
  try await timetable.reader.read { db in
    guard let stop = try Stop.fetchOne(db, stopID: stopID) else { return [] }
    return try Departures(at: [stop.sid], from: Date(), limit: 10).fetchAll(db)
  }
}

func departureBoard(
  _ timetable: Timetable, at sid: Int64, from instant: Date, with updates: TripUpdates?
) async throws -> [String] {
  try await timetable.reader.read { db in
    var departures = Departures(at: [sid], from: instant, updates: updates)
    departures.includesCanceled = true
    return try departures.fetchAll(db).map { departure in
      let line = "\(departure.departureTime) \(departure.headsign ?? "")"
      return switch departure.status {
      case .scheduled: line
      case .live: "\(line), \(departure.delay ?? .zero) late"
      case .skipped, .canceled: "\(line), canceled"
      }
    }
  }
}

func firstDepartures(of routeID: String, in timetable: Timetable) async throws -> [String] {
  try await timetable.reader.read { db in
    guard let route = try Route.fetchOne(db, routeID: routeID),
      let day = try ServiceDays(ofRoute: route.rid).fetchAll(db)?.first
    else { return [] }
    return try RouteTrips(of: route.rid, on: day).fetchAll(db).map { trip in
      "\(trip.departureTime?.description ?? "") \(trip.destination?.stopName ?? "")"
    }
  }
}
