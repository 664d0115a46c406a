// The Swift of QueryingATimetableWithSQL.md, compiled: QueryingATimetableWithSQLTests finds each block of
// it here, and runs every function.

import Holdfast
import HoldfastTransit

func firstFerries(from stopID: String, in timetable: Timetable) async throws -> [String] {
  try await timetable.reader.read { db in
    try String.fetchAll(
      db,
      sql: """
        SELECT substr(departure_time, 1, 5) || ' ' || trip_headsign
        FROM stop_times
          JOIN trips USING (trip_id)
          JOIN routes USING (route_id)
          JOIN calendar USING (service_id)
        WHERE stop_id = ? AND monday = 1 AND route_type = 4
        ORDER BY departure_time LIMIT 3
        """, arguments: [stopID])
  }
}

func openForSQL(_ path: String) throws -> DatabaseQueue {
  var configuration = Configuration()
  configuration.readonly = true
  Timetable.prepare(&configuration)
  return try DatabaseQueue(path: path, configuration: configuration)
}

func stopsOnRequest(of tripID: String, in timetable: Timetable) async throws -> [String] {
  try await timetable.reader.read { db in
    try String.fetchAll(
      db,
      sql: """
        SELECT stop_id FROM stop_times
        WHERE trip_id = ? AND pickup_type IN (2, 3) ORDER BY stop_sequence
        """, arguments: [tripID])
  }
}
