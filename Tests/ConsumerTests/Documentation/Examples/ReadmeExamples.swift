// The Swift of README.md, compiled: ReadmeTests finds each block of it here or in
// GettingStartedExamples.swift, line by line, and runs every function. Imports of the blocks are the
// imports of these files.

import Foundation
import Holdfast
import HoldfastFeeds
import HoldfastFiles
import HoldfastTransit

enum ReadmeExamples {
  static func sharedFerries(
    in folder: URL, show: @escaping @Sendable ([String]) -> Void,
    meanwhile: (DatabasePool) async throws -> Void
  ) async throws -> SuspensionReport {
    var migrator = DatabaseMigrator()
    migrator.registerMigration("Create ferry") { db in
      try db.execute(sql: "CREATE TABLE ferry (id INTEGER PRIMARY KEY, name TEXT NOT NULL)")
    }
    let pool = try await DatabasePool.shared(
      at: folder.appending(path: "ferries.sqlite"), migrator: migrator)

    // Sees the commits of every process, whichever library makes them.
    let observation = ValueObservation.tracking { db in
      try String.fetchAll(db, sql: "SELECT name FROM ferry ORDER BY id")
    }
    let following = Task {
      for try await names in observation.removeDuplicates().values(in: pool) { show(names) }
    }
    defer { following.cancel() }
    try await meanwhile(pool)

    let report = await pool.suspend(within: .seconds(1))  // lists what was ended, and what remains
    pool.resume()
    try await meanwhile(pool)
    return report
  }

  static func storedPath(in folder: URL) throws -> (text: String, url: URL) {
    let container = Container(at: folder)  // in an app: Container.current
    let path = try RelocatablePath(.documents, "downloads", "book 50%41.m4b")
    try container.createDirectory(at: path.parent ?? path)
    try AtomicReplace(at: container.url(for: path)).write { staging in
      try Data("chapter one".utf8).write(to: staging)
    }
    let stored = path.description  // "@documents/downloads/book 50%41.m4b": store this
    let today = try container.url(for: RelocatablePath(text: stored))
    return (stored, today)
  }

  static func foundStops(of feed: URL, in folder: URL) async throws -> [String] {
    let database = folder.appending(path: "harbour.db")
    try FeedImporter(feed: feed, output: database).run()
    let timetable = try Timetable(at: database)
    let found = try await timetable.reader.read { db in
      try StopSearch("quay circ").fetchAll(db)
    }
    return found.map(\.stopName)
  }
}
