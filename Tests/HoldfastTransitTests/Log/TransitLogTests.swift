import Foundation
import Holdfast
import HoldfastFeeds
import HoldfastFiles
import HoldfastTestSupport
import Testing

@testable import HoldfastTransit

/// In processes of their own, because the log is one for all.
@Suite struct TransitLogTests {
  @Test func `ST-1, ST-2: Opening a timetable, and failing to, is logged as in the app`()
    async throws
  {
    await #expect(processExitsWith: .success) {
      let feed = try SmallFeed()
      let file = try feed.database(of: [.init(id: "Q", name: "Quay"), .init(id: "P", name: "Pier")])
      let (text, missing) = (feed.directory.file("text.db"), feed.directory.file("missing.db"))
      try Data("a text of some length".utf8).write(to: text)
      let lines = Journal<String>()
      Log.setHandler { event in
        if event.category == "transit" { lines.append("\(event.level) \(event.message)") }
      }
      var configuration = Configuration()
      configuration.maximumReaderCount = 1
      let views = try await Timetable(at: file, configuration: configuration).reader.read { db in
        try db.deferringTemporaryObjects {
          try Int.fetchOne(db, sql: "SELECT count(*) FROM sqlite_temp_schema")
        }
      }
      #expect(views == 0, "What the log counts needs none.")
      #expect(throws: TransitError.self) { try Timetable(at: missing) }
      #expect(throws: TransitError.self) { try Timetable(at: text) }
      #expect(
        lines.entries == [
          "info database_loaded: path='\(file.lastPathComponent)'",
          "info database_validated: stops_count=2, routes_count=1",
          "error database_not_found_in_bundle: searched_for='missing.db'",
          "error database_init_failed: path='text.db', error=notADatabase",
        ])
    }
  }

  @Test func `ST-7: The stages of an import are logged`() async throws {
    await #expect(processExitsWith: .success) {
      let lines = Journal<String>()
      Log.setHandler { event in
        if event.category == "import" { lines.append("\(event.level) \(event.message)") }
      }
      let feed = try SmallFeed()
      let name = try feed.database(of: [.init(id: "Q", name: "Quay")]).lastPathComponent
      let parts = ["reading the feed", "writing the database", "checking the database"]
      #expect(lines.entries.dropLast() == parts.map { "debug '\(name)': \($0)" }[...])
      #expect(lines.entries.last?.hasPrefix("info Imported '") == true)
    }
  }

  @Test func `ST-9, ST-10: Searches, unknown stops and slow queries are logged`() async throws {
    await #expect(processExitsWith: .success) {
      let feed = try SmallFeed()
      let timetable = try feed.timetable(named: ["Quay", "Pier"])
      let lines = Journal<String>()
      Log.setHandler { event in
        if event.category == "transit" { lines.append("\(event.level) \(event.message)") }
      }
      try await timetable.reader.read { db in
        #expect(try StopSearch("quay").fetchAll(db).count == 1)
        #expect(try Departures(at: [77], from: .now).fetchAll(db).isEmpty)
        _ = try Departures(at: [1], from: .now).fetchAll(db)
        let world = try BoundingBox(south: -90, west: -180, north: 90, east: 180)
        _ = try StopsInRegion(world).fetchAll(db)
      }
      let taken = try #require(lines.entries.first)
      #expect(
        taken.wholeMatch(of: /(debug|notice) search_query_duration: duration_ms=[0-9]+, stops=1/)
          != nil)
      #expect(
        lines.entries.dropFirst().filter { !$0.contains("map_stops") }
          .map { $0.prefix { $0 != "=" } }
          == ["notice offline_departures_stop_not_found: path"])
      TransitLog.searched(in: .milliseconds(99), stopCount: 3)
      TransitLog.searched(in: .milliseconds(101), stopCount: 3)
      TransitLog.foundInRegion(in: .milliseconds(99), stopCount: 4)
      TransitLog.foundInRegion(in: .milliseconds(101), stopCount: 4)
      #expect(
        lines.entries.suffix(3) == [
          "debug search_query_duration: duration_ms=99, stops=3",
          "notice search_query_duration: duration_ms=101, stops=3",
          "notice map_stops_query_slow: duration_ms=101, stops=4",
        ])
    }
  }

  @Test func `ST-B12: The extended code of SQLite and the system's error are logged`() async throws
  {
    await #expect(processExitsWith: .success) {
      let lines = Journal<String>()
      Log.setHandler { lines.append($0.message) }
      TransitLog.notOpened(
        "/a/b.db", DatabaseError(resultCode: .SQLITE_IOERR_SHORT_READ, systemErrno: 5))
      #expect(
        lines.entries == ["database_init_failed: path='b.db', error=SQLite error 522, errno 5"])
    }
  }
}
