import Foundation
import HoldfastFiles
import HoldfastTestSupport
import Synchronization
import Testing

@testable import Holdfast

/// The changes of a database that is watched without opening it.
@Suite(.serialized, .timeLimit(.minutes(3))) struct ExternalChangesTests {
  typealias Mode = WatchedDatabase.Mode

  @Test(arguments: SQLProcess.Program.allCases, Mode.allCases)
  func everyCommitIsReported(_ program: SQLProcess.Program, _ mode: Mode) async throws {
    let database = try WatchedDatabase(mode)
    var changes = try ExternalChanges(databaseAt: URL(filePath: database.path))
      .makeAsyncIterator()
    let seen = Journal<Int>()
    let task = Task {
      while await changes.next() != nil {
        let value = try await database.writer.read { db in
          try Int.fetchOne(db, sql: "SELECT x FROM t") ?? -1
        }
        seen.append(value)
      }
    }
    let other = try SQLProcess(program, on: database.path)
    for number in 1...3 {
      for sql in WatchedDatabase.update(number, mode) { try await other.execute(sql) }
      // By the last report, the commit is certainly visible.
      await until { seen.entries.last == number }
    }
    task.cancel()
    _ = await task.result
  }

  @Test(
    .enabled(if: FileManager.default.fileExists(atPath: "/proc/self/fdinfo"), "needs Linux's /proc")
  )
  func theLocksOfTheOtherLibrarySurvive() async throws {
    // The other library: its own connection in this process, inside a transaction.
    let database = try WatchedDatabase()
    try await database.writer.writeWithoutTransaction { db in
      try db.execute(sql: "BEGIN IMMEDIATE; UPDATE t SET x = 1")
      let before = try HeldLocks.onDatabase(at: database.path)
      #expect(before.count >= 3)
      for _ in 1...3 {
        let changes = try ExternalChanges(databaseAt: URL(filePath: database.path))
        let fingerprint = CommitFingerprint(DatabaseFiles(main: FilePath(database.path)))
        let (_, task) = WatchedDatabase.gather(changes)
        task.cancel()
        _ = fingerprint
      }
      #expect(try HeldLocks.onDatabase(at: database.path) == before)
      try db.execute(sql: "COMMIT")
    }
  }

  @Test func theFingerprintChangesOnlyWithCommits() throws {
    let database = try WatchedDatabase()
    // A log without a commit gives no information, and the file's times are coarse.
    try database.write(9)
    let fingerprint = Fingerprint(database.path)
    #expect(!fingerprint.moves())
    for number in 1...5 {
      try database.write(number)
      #expect(fingerprint.moves())
      #expect(!fingerprint.moves())
    }
    // Rolled back after it was written to the log.
    try database.writer.blockingWithoutTransaction { db in
      try db.execute(
        sql: """
          PRAGMA cache_size = 2; PRAGMA cache_spill = 1; BEGIN IMMEDIATE;
          CREATE TABLE big (x);
          WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < 300)
          INSERT INTO big SELECT randomblob(4000) FROM c
          """)
      #expect(!fingerprint.moves())
      try db.execute(sql: "ROLLBACK")
    }
    #expect(!fingerprint.moves())
    try database.write(6)
    #expect(fingerprint.moves())
    // The log restarts, with fewer frames than before.
    _ = try (database.writer as? DatabasePool)?.blockingRestart()
    _ = fingerprint.moves()
    try database.write(7)
    #expect(fingerprint.moves())
    #expect(!fingerprint.moves())
  }

  @Test func aDatabaseCanBeCreatedLaterAndRemoved() async throws {
    let folder = try TemporaryDirectory()
    let url = folder.file("later.db")
    let (received, task) = WatchedDatabase.gather(try ExternalChanges(databaseAt: url))
    for _ in 1...2 {
      let count = received.entries.count
      let queue = try DatabaseQueue(path: url.path)
      try await queue.write { db in try db.execute(sql: "CREATE TABLE t (x)") }
      await until { received.entries.count > count }
      try queue.close()
      try FileManager.default.removeItem(at: url)
    }
    task.cancel()
  }

  @Test func aLogThatIsDeletedAndRecreatedIsWatched() async throws {
    let database = try WatchedDatabase()
    try database.writer.close()
    let url = URL(filePath: database.path)
    let (received, task) = WatchedDatabase.gather(try ExternalChanges(databaseAt: url))
    for number in 1...3 {
      let other = try SQLProcess(.python, on: database.path)
      let count = received.entries.count
      try await other.execute("UPDATE t SET x = \(number)")
      await until { received.entries.count > count }
      // The last connection that closes deletes the log.
      other.end()
      #expect(try !database.names.contains("a.db-wal"))
    }
    task.cancel()
  }

  @Test func withoutSystemEventsPollingFindsChanges() async throws {
    let database = try WatchedDatabase()
    var settings = WatchSettings()
    settings.requestsSystemEvents = false
    let (received, task) = try WatchSettings.$current.withValue(settings) {
      WatchedDatabase.gather(try ExternalChanges(databaseAt: URL(filePath: database.path)))
    }
    try await SQLProcess(.tool, on: database.path).execute("UPDATE t SET x = 1")
    await until { !received.entries.isEmpty }
    task.cancel()
  }

  @Test func unreadChangesAreMerged() async {
    let (observer, _) = ExternalChangeObserver.makeWithTicks()
    observer.notify(ExternalChange(tables: ["a"]))
    observer.notify(ExternalChange(tables: ["b"]))
    #expect(observer.take() == ExternalChange(tables: ["a", "b"]))
    observer.notify(ExternalChange(tables: ["a"]))
    observer.notify(ExternalChange(tables: nil))
    #expect(observer.take() == ExternalChange(tables: nil))
    #expect(observer.take() == nil)
  }

  @Test func aLogThatCannotBeOpenedIsExaminedByItsAttributes() async {
    await #expect(processExitsWith: .success) {
      let database = try WatchedDatabase()
      let other = try SQLProcess(.tool, on: database.path)
      try await other.execute("UPDATE t SET x = 1")
      let fingerprint = Fingerprint(database.path)
      let descriptors = await UsedUpDescriptors()
      // The known state of the log is lost.
      #expect(fingerprint.moves())
      for number in 2...4 {
        await until { !fingerprint.moves() }
        try await other.execute("UPDATE t SET x = \(number)")
        #expect(fingerprint.moves())
      }
      // Within one step of the file's times, two commits can look the same.
      let isInDoubt = try (1...100).contains { _ in
        try SystemCalls.touch(database.path + "-wal")
        _ = fingerprint.moves()
        return fingerprint.moves()
      }
      #expect(isInDoubt)
      await until { !fingerprint.moves() }
      descriptors.release()
      #expect(fingerprint.moves())
      #expect(!fingerprint.moves())
    }
  }

  /// Nothing is cancelled here: the loop over the changes is left.
  @Test(arguments: [false, true])
  func anAbandonedSequenceStopsWatching(isOpened: Bool) async throws {
    let database = try WatchedDatabase()
    let changes =
      try isOpened
      ? database.writer.externalChanges : ExternalChanges(databaseAt: URL(filePath: database.path))
    let isSeen = Journal<Void>()
    let task = Task {
      for await _ in changes {
        await until { !isSeen.entries.isEmpty }
        break
      }
    }
    await until { database.isFolderWatched }
    isSeen.append(())
    try await SQLProcess(.tool, on: database.path).execute("UPDATE t SET x = 1")
    await task.value
    await until { !database.isFolderWatched }
    #expect(database.writer.watchHealth == nil)
  }

  @Test func aURLThatIsNotAFileIsRefused() throws {
    let url = try #require(URL(string: "https://a.example/a.db"))
    #expect(throws: FileError.self) { try ExternalChanges(databaseAt: url) }
  }
}

/// The fingerprint of a database, updated repeatedly.
private final class Fingerprint: Sendable {
  private let fingerprint: Mutex<CommitFingerprint>

  init(_ path: String) {
    fingerprint = Mutex(CommitFingerprint(DatabaseFiles(main: FilePath(path))))
  }

  func moves() -> Bool { fingerprint.withLock { $0.update() } }
}

extension DatabasePool {
  fileprivate func blockingRestart() throws {
    _ = try checkpoint(.restart)
  }
}
