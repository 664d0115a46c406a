// The Swift of README.md, compiled: ReadmeTests finds each block of it here, line by line, and
// runs every function. Imports of the blocks are the imports of this file.

import Foundation
import Holdfast
import HoldfastFeeds
import HoldfastTransit

enum ReadmeExamples {
  static func keepNotes(at path: String) async throws -> [String] {
    let queue = try DatabaseQueue(path: path)
    try await queue.write { db in
      try db.execute(sql: "CREATE TABLE note (id INTEGER PRIMARY KEY, text TEXT NOT NULL)")
      try db.execute(sql: "INSERT INTO note (text) VALUES (?)", arguments: ["Circular Quay"])
    }
    let notes = try await queue.read { db in
      try String.fetchAll(db, sql: "SELECT text FROM note")
    }
    return notes
  }

  static func findStops(of feed: URL, in database: URL) async throws -> [String] {
    _ = try FeedImporter(feed: feed, output: database).run()
    let timetable = try Timetable(at: database)
    let stops = try await timetable.reader.read { db in
      try StopSearch("quay circ").fetchAll(db)
    }
    return stops.map(\.stopName)
  }
}
