import Foundation
import HoldfastFiles
import HoldfastTestSupport
import Testing

@testable import Holdfast

/// The behaviour of SQLite and the system on which watching relies.
///
/// A failure indicates another behaviour of SQLite or the system.
@Suite(.serialized, .timeLimit(.minutes(3))) struct WatchFactsTests {
  typealias Mode = WatchedDatabase.Mode

  private func version(_ writer: any DatabaseWriter) throws -> Int {
    try writer.blockingWithoutTransaction { db in
      try Int.fetchOne(db, sql: "PRAGMA data_version") ?? 0
    }
  }

  // MARK: - data_version

  @Test(arguments: Mode.allCases)
  func dataVersionChangesOnlyWithCommitsOfOtherConnections(_ mode: Mode) throws {
    let database = try WatchedDatabase(mode)
    let other = try SQLProcess(.tool, on: database.path)
    let first = try version(database.writer)
    for number in 1...3 { try database.write(number) }
    #expect(try version(database.writer) == first)
    for sql in WatchedDatabase.update(4, mode) + WatchedDatabase.update(5, mode) {
      try other.blockingExecute(sql)
    }
    let second = try version(database.writer)
    #expect(second != first)
    try database.write(6)
    #expect(try version(database.writer) == second)
  }

  @Test(arguments: [Mode.wal, .delete])
  func dataVersionIsUnchangedWithoutACommittedChange(_ mode: Mode) throws {
    let database = try WatchedDatabase(mode)
    let other = try SQLProcess(.tool, on: database.path)
    let before = try version(database.writer)
    try other.blockingExecute("BEGIN IMMEDIATE")
    try other.blockingExecute("UPDATE t SET x = 9")
    try other.blockingExecute("ROLLBACK")
    try other.blockingExecute("BEGIN IMMEDIATE")
    try other.blockingExecute("COMMIT")
    try other.blockingExecute("UPDATE t SET x = x")
    try other.blockingExecute("SELECT * FROM t")
    #expect(try version(database.writer) == before)
  }

  /// Therefore the probing connection is kept: a new one has nothing to compare with.
  @Test func dataVersionIsComparableOnOneConnectionOnly() throws {
    let database = try WatchedDatabase()
    let first = try version(DatabaseQueue(path: database.path))
    let other = try SQLProcess(.tool, on: database.path)
    try other.blockingExecute("UPDATE t SET x = 1")
    #expect(try version(DatabaseQueue(path: database.path)) == first)
  }

  @Test func dataVersionIsConstantInsideATransaction() throws {
    let database = try WatchedDatabase()
    let other = try SQLProcess(.tool, on: database.path)
    try database.writer.blockingWithoutTransaction { db in
      try db.execute(sql: "BEGIN; SELECT * FROM t")
      let before = try Int.fetchOne(db, sql: "PRAGMA data_version")
      try other.blockingExecute("UPDATE t SET x = 1")
      #expect(try Int.fetchOne(db, sql: "PRAGMA data_version") == before)
      try db.execute(sql: "COMMIT")
      #expect(try Int.fetchOne(db, sql: "PRAGMA data_version") != before)
    }
  }

  /// A false alarm, which is reported: see `ExternalChanges`.
  @Test(arguments: ["RESTART", "TRUNCATE"])
  func dataVersionChangesWhenAnotherConnectionRestartsTheLog(_ kind: String) throws {
    let database = try WatchedDatabase()
    let other = try SQLProcess(.tool, on: database.path)
    try other.blockingExecute("UPDATE t SET x = 1")
    let before = try version(database.writer)
    try other.blockingExecute("PRAGMA wal_checkpoint(\(kind))")
    let after = try version(database.writer)
    // In any case, a later commit changes it again.
    if kind == "TRUNCATE" { #expect(after != before) }
    try other.blockingExecute("UPDATE t SET x = 2")
    #expect(try version(database.writer) != after)
  }

  @Test(arguments: [Mode.wal, .delete])
  func dataVersionIsUnchangedWhenTheFileIsReplaced(_ mode: Mode) throws {
    let database = try WatchedDatabase(mode)
    try database.write(7)
    let before = try version(database.writer)
    let source = try WatchedDatabase(.delete)
    try source.writer.close()
    try SystemCalls.move(source.path, to: database.path)
    if mode == .delete {
      // The name refers to another file now.
      try SQLProcess(.tool, on: database.path).blockingExecute("UPDATE t SET x = 8")
    }
    #expect(try version(database.writer) == before)
    let seen = try database.writer.blockingWithoutTransaction { db in
      try Int.fetchOne(db, sql: "SELECT x FROM t")
    }
    #expect(seen == 7)
  }

  @Test func dataVersionChangesWithCommitsOfThisProcessOnAnotherConnection() throws {
    let database = try WatchedDatabase()
    let before = try version(database.writer)
    let other = try DatabasePool(path: database.path)
    try other.blockingWrite { db in try db.execute(sql: "UPDATE t SET x = 1") }
    #expect(try version(database.writer) != before)
  }

  // MARK: - Events

  /// Returns the names of the files with events since the last call.
  private func names(_ events: DirectoryEvents) -> Set<String> {
    var names: Set<String> = []
    while case .files(let some, _) = events.wait(.zero, for: .everything) {
      names.formUnion(some)
    }
    return names
  }

  private func events(of path: String) throws -> DirectoryEvents {
    let events = try DirectoryEvents()
    let folder = URL(filePath: path).deletingLastPathComponent().path
    try events.begin(at: folder, log: path + "-wal")
    return events
  }

  @Test(arguments: Mode.allCases)
  func everyCommitCausesAnEventOnTheDatabaseOrItsLog(_ mode: Mode) throws {
    let database = try WatchedDatabase(mode)
    let other = try SQLProcess(.python, on: database.path)
    for sql in WatchedDatabase.update(1, mode) { try other.blockingExecute(sql) }
    let events = try events(of: database.path)
    for number in 2...5 {
      try other.blockingExecute("UPDATE t SET x = \(number)")
      #expect(names(events).contains(mode == .wal ? "a.db-wal" : "a.db"))
    }
  }

  @Test func anEventCanPrecedeTheVisibilityOfItsCommit() throws {
    let database = try WatchedDatabase()
    let other = try SQLProcess(.python, on: database.path)
    for sql in ["PRAGMA cache_size = 2", "PRAGMA cache_spill = 1", "BEGIN IMMEDIATE"] {
      try other.blockingExecute(sql)
    }
    let events = try events(of: database.path)
    let before = try version(database.writer)
    let rows = "WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < 300)"
    try other.blockingExecute("CREATE TABLE big AS \(rows) SELECT randomblob(4000) AS b FROM c")
    #expect(names(events).contains("a.db-wal"))
    #expect(try version(database.writer) == before)
    try other.blockingExecute("COMMIT")
    #expect(try version(database.writer) != before)
  }

  @Test func readingCausesNoEventWhileAnotherConnectionIsOpen() throws {
    let database = try WatchedDatabase()
    let events = try events(of: database.path)
    try SQLProcess(.tool, on: database.path).blockingExecute("SELECT * FROM t")
    #expect(names(events).isDisjoint(with: ["a.db", "a.db-wal", "a.db-journal"]))
    _ = try version(database.writer)
    #expect(names(events) == [])
  }

  @Test func theFirstCommitAfterACheckpointCausesAnEvent() throws {
    let database = try WatchedDatabase()
    let other = try SQLProcess(.tool, on: database.path)
    let events = try events(of: database.path)
    for mode in ["PASSIVE", "RESTART", "TRUNCATE"] {
      try other.blockingExecute("UPDATE t SET x = x + 1")
      try other.blockingExecute("PRAGMA wal_checkpoint(\(mode))")
      _ = names(events)
      try other.blockingExecute("UPDATE t SET x = x + 1")
      #expect(names(events).contains("a.db-wal"))
    }
  }

  @Test func theLastCloseDeletesTheLogAndTheNextOpeningCreatesIt() throws {
    let database = try WatchedDatabase()
    let events = try events(of: database.path)
    try database.writer.close()
    #expect(names(events).contains("a.db-wal"))
    #expect(try database.names == ["a.db"])
    try SQLProcess(.tool, on: database.path).blockingExecute("UPDATE t SET x = 1")
    #expect(names(events).contains("a.db-wal"))
  }
}
