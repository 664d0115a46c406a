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
