import Foundation
import Holdfast
import HoldfastFiles
import HoldfastTestSupport
import Testing

/// The events that a database reports to the log.
@Suite struct LogTests {
  private func messages(
    about name: String, _ body: (String) throws -> Void
  ) throws -> [LogEvent] {
    let directory = try TemporaryDirectory()
    return try ReportedEvents.collect(about: name) { try body(directory.file(name).path) }
  }

  @Test func openingNamesTheFileAndNotItsFolder() throws {
    let events = try messages(about: "opened.db") { path in
      let pool = try DatabasePool(path: path)
      try pool.read { _ in }
      try pool.close()
    }
    #expect(events.map(\.category) == ["opening", "opening"])
    #expect(
      events.map(\.message) == [
        "Opened a connection to 'opened.db' for writing.",
        "Opened a connection to 'opened.db' for reading.",
      ])
    #expect(events.allSatisfy { !$0.message.contains("/") && $0.level == .debug })
  }

  @Test func aFailedOpeningIsLoggedAsAnError() throws {
    let events = try messages(about: "missing.db") { path in
      var configuration = Configuration()
      configuration.readonly = true
      #expect(throws: DatabaseError.self) {
        try DatabaseQueue(path: path, configuration: configuration)
      }
    }
    #expect(events.map(\.level) == [.error])
  }

  @Test func eachMigrationIsLoggedOnce() throws {
    let events = try messages(about: "migrated.db") { path in
      let queue = try DatabaseQueue(path: path)
      var migrator = DatabaseMigrator()
      migrator.registerMigration("v1") { db in try db.execute(sql: "CREATE TABLE t(a)") }
      migrator.registerMigration("v2") { db in try db.execute(sql: "CREATE TABLE u(a)") }
      try migrator.migrate(queue)
      try migrator.migrate(queue)
      try queue.close()
    }
    #expect(
      events.filter { $0.category == "migration" }.map(\.message) == [
        "Applied migration 'v1' to 'migrated.db'.", "Applied migration 'v2' to 'migrated.db'.",
      ])
  }

  @Test func aSuspensionLogsWhatItEnded() throws {
    let events = try messages(about: "suspended.db") { path in
      var configuration = Configuration()
      configuration.allowsSuspension = true
      let queue = try DatabaseQueue(path: path, configuration: configuration)
      queue.suspend()
      queue.resume()
      try queue.close()
    }.filter { $0.category == "suspension" }
    #expect(events.count == 2)
    #expect(events.first?.message.contains("closed 1 connection") == true)
    #expect(events.map(\.level) == [.notice, .notice])
    #expect(events.last?.message == "'suspended.db': Resumed")
  }
}
