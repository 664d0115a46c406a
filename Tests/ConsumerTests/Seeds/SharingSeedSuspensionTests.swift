import Foundation
import Holdfast
import HoldfastTestSupport
import Testing

/// What seeds/002 promises about suspended databases.
///
/// One after the other, because the scheduler suspends all databases of the process.
@Suite(.serialized, .schedulerTurn, .timeLimit(.minutes(1)))
@MainActor struct SharingSeedSuspensionTests {
  private let folder: TemporaryDirectory
  private let dbPool: DatabasePool

  init() throws {
    folder = try TemporaryDirectory()
    dbPool = try openSuspendableDatabase(at: folder.file("shared db.sqlite").path)
    try dbPool.write { db in try db.execute(sql: "CREATE TABLE player (name TEXT NOT NULL)") }
  }

  private func players() throws -> [String] {
    try dbPool.read { db in try String.fetchAll(db, sql: "SELECT name FROM player ORDER BY name") }
  }

  @Test func theDatabaseIsSuspendedAndComesBackWithTheApp() throws {
    let events = Journal<String>()
    let names = [
      DatabaseBackgroundScheduler.databaseWillSuspendNotification,
      DatabaseBackgroundScheduler.databaseDidResumeNotification,
    ]
    let tokens = names.map { name in
      NotificationCenter.default.addObserver(forName: name, object: nil, queue: nil) { _ in
        events.append(name == names[0] ? "will suspend" : "did resume")
      }
    }
    defer { for token in tokens { NotificationCenter.default.removeObserver(token) } }

    #expect(try writeUnlessSuspended(dbPool, "Ann"))
    DatabaseBackgroundScheduler.shared.suspend()
    #expect(try !writeUnlessSuspended(dbPool, "Bob"))
    #expect(try players() == ["Ann"])
    AppDelegate().applicationWillEnterForeground(UIApplication())
    #expect(try writeUnlessSuspended(dbPool, "Bob"))

    DatabaseBackgroundScheduler.shared.suspend()
    #expect(try !writeUnlessSuspended(dbPool, "Eve"))
    var results: [UIBackgroundFetchResult] = []
    FetchingAppDelegate().application(UIApplication()) { results.append($0) }
    #expect(results == [.newData])
    #expect(try writeUnlessSuspended(dbPool, "Eve"))
    #expect(try players() == ["Ann", "Bob", "Eve"])
    #expect(events.entries == ["will suspend", "did resume", "will suspend", "did resume"])
  }

  // "You will get SQLITE_INTERRUPT (9) or SQLITE_ABORT (4) errors."
  @Test func theErrorsAreThoseThatItNames() throws {
    func error(_ updates: (Database) throws -> Void) -> DatabaseError? {
      defer { DatabaseBackgroundScheduler.shared.resume() }
      return #expect(throws: DatabaseError.self) { try dbPool.write(updates) }
    }
    let aborted = error { db in
      try db.execute(sql: "INSERT INTO player VALUES ('half')")
      DatabaseBackgroundScheduler.shared.suspend()
      try db.execute(sql: "INSERT INTO player VALUES ('other half')")
    }
    #expect(aborted?.message == "Transaction was aborted")
    #expect(aborted?.resultCode.rawValue == 4)
    #expect(aborted?.isDatabaseSuspensionError == true)

    let interrupted = error { db in
      // Called by the statement that the suspension interrupts.
      db.add(
        function: DatabaseFunction("suspend", argumentCount: 0) { _ in
          DatabaseBackgroundScheduler.shared.suspend(within: .zero)
          return nil
        })
      try db.execute(
        sql: """
          WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)
          INSERT INTO player SELECT coalesce(suspend(), i) FROM n
          """)
    }
    #expect(interrupted?.message == "interrupted")
    #expect(interrupted?.resultCode.rawValue == 9)
    #expect(interrupted?.isDatabaseSuspensionError == true)

    DatabaseBackgroundScheduler.shared.suspend()
    let suspended = error { db in try db.execute(sql: "DELETE FROM player") }
    #expect(suspended?.message == "Database is suspended")
    #expect(suspended?.resultCode.rawValue == 4)
    #expect(try players() == [])
  }
}
