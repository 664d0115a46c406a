// The Swift of GettingStartedWithTimetables.md, compiled: GettingStartedTests finds each block of it
// here, and runs every function.

import Foundation
import Holdfast
import HoldfastTransit

func stopNames(matching text: String, in database: URL) async throws -> [String] {
  let timetable = try Timetable(at: database)
  return try await timetable.reader.read { db in
    try StopSearch(text).fetchAll(db).map(\.stopName)
  }
}

func ferries(in timetable: Timetable) throws -> [String] {
  try timetable.reader.read { db in
    try Route.fetchAll(db, routeType: 4).map(\.routeShortName)
  }
}

func stop(_ identifier: String, in timetable: Timetable) throws -> Stop? {
  try timetable.reader.read { db in try Stop.fetchOne(db, stopID: identifier) }
}

func parts(of station: String, in timetable: Timetable) throws -> [String] {
  try timetable.reader.read { db in
    try String.fetchAll(
      db, sql: "SELECT stop_name FROM gtfs_stops WHERE parent_station = ? ORDER BY stop_name",
      arguments: [station])
  }
}

func isUpToDate(_ database: URL) throws -> Bool {
  do {
    let timetable = try Timetable(at: database)
    _ = try timetable.reader.read { db in try Departures(at: [], from: Date()).fetchAll(db) }
    return true
  } catch let error as TransitError where error.code == .schemaOlder {
    return false  // Import the feed again.
  }
}
