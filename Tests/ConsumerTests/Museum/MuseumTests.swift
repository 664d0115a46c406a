import Foundation
import Holdfast
import HoldfastFiles
import HoldfastTestSupport
import HoldfastTransit
import Testing

/// What earlier versions wrote is read, and written on, by this one.
@Suite struct MuseumTests {
  private let directory: TemporaryDirectory

  init() throws {
    directory = try TemporaryDirectory()
  }

  @Test(
    .enabled(if: Museum.isCollecting, "HOLDFAST_MUSEUM is not set."),
    arguments: ["history-1.db", "shared-1.db", "timetable-2.db"])
  func missingFilesAreMade(name: String) throws {
    try Museum.collect(name) { made in
      switch name {
      case "history-1.db": try Museum.makeHistory(at: made)
      case "shared-1.db": try Museum.makeShared(at: made)
      default: try Museum.makeTimetable(at: made)
      }
    }
  }

  @Test(arguments: ["history-1.db"])
  func aHistoryListsItsChangesAndContinues(name: String) throws {
    let url = try Museum.copy(name, to: directory)
    var configuration = Configuration()
    configuration.historyAuthor = "later"
    let queue = try DatabaseQueue(path: url.path, configuration: configuration)
    defer { try? queue.close() }
    #expect(try queue.read(ChangeHistory.problems) == [:])
    let text = try #require(
      try queue.read { db in try String.fetchOne(db, sql: "SELECT token FROM note") })
    let token = try #require(ChangeHistory.Token(text))
    try queue.write { db in try db.execute(sql: "DELETE FROM book WHERE id = 3") }
    let answer = try queue.read { db in
      try ChangeHistory.changes(db, after: token, .everyChange)
    }
    guard case .changes(let changes, _) = answer else {
      Issue.record("\(answer)")
      return
    }
    let lines = changes.map { "\($0.author ?? "-") \($0.kind) \($0.key[0])" }
    #expect(
      lines == [
        "app insert 1", "app insert 2", "widget delete 1", "widget insert 3", "widget update 2",
        "later delete 3",
      ])
  }

  @Test(arguments: ["shared-1.db"])
  func aSharedDatabaseKeepsWhatIsInItsLog(name: String) throws {
    let url = try Museum.copy(name, to: directory)
    #expect(try directory.names == [name, "\(name)-wal"])
    var migrator = Museum.migrator
    migrator.registerMigration("v2") { db in
      try db.execute(sql: "ALTER TABLE book ADD COLUMN author TEXT")
    }
    let pool = try DatabasePool.shared(at: url, migrator: migrator)
    let titles = try pool.read { db in
      try String.fetchAll(db, sql: "SELECT title FROM book WHERE author IS NULL ORDER BY id")
    }
    #expect(titles == ["one", "two"])
    try pool.close()
  }

  @Test(arguments: ["timetable-1.db", "timetable-2.db"])
  func aTimetableIsSearchedAndItsNumbersAreKept(name: String) throws {
    let url = try Museum.copy(name, to: directory)
    let timetable = try Timetable(at: url)
    let old = try timetable.reader.read { db in try StopSearch("harb").fetchAll(db) }
    #expect(!old.isEmpty)
    let again = directory.file("again.db")
    try Museum.importAgain(previous: url, at: again)
    let new = try Timetable(at: again).reader.read { db in try StopSearch("harb").fetchAll(db) }
    let numbers = { (stops: [Stop]) in
      Dictionary(uniqueKeysWithValues: stops.map { ($0.stopID, $0.sid) })
    }
    #expect(numbers(new) == numbers(old))
    guard name == "timetable-1.db" else {
      #expect(new.map(\.sid) == old.map(\.sid))
      return
    }
    // Version 1 has no trips, so that its short names come first, and not where most trips call.
    #expect(old.map(\.stopCode) == [nil, "1022", "1023", "1020", "1021"])
    #expect(new.map(\.stopCode) == [nil, "1020", "1021", "1022", "1023"])
  }

  @Test(arguments: ["timetable-2.db"])
  func aTimetableAnswersDepartures(name: String) throws {
    let timetable = try Timetable(at: try Museum.copy(name, to: directory))
    let departures = try timetable.reader.read { db in
      let stop = try #require(try Stop.fetchOne(db, stopID: "CQ"))
      let start = try #require(Date.fromDatabaseValue("2026-07-24T08:00:00+12:00".databaseValue))
      return try Departures(at: [stop.sid], from: start, limit: 3).fetchAll(db)
    }
    #expect(departures.count == 3)
  }
}
