import Foundation
import HoldfastTestSupport
import Synchronization
import Testing

@testable import Holdfast

@Suite(.timeLimit(.minutes(1))) struct DatabaseBackupTests {
  private struct Stop: Error {}

  private let folder: TemporaryDirectory
  private let path: String

  init() throws {
    folder = try TemporaryDirectory()
    path = folder.file("t.db").path
  }

  /// Fills a database with several hundred pages.
  private func filled<Writer: DatabaseWriter>(_ writer: Writer, rows: Int = 1000) throws -> Writer {
    try writer.write { db in
      try db.execute(sql: "CREATE TABLE t (a, b)")
      try db.execute(
        sql: """
          WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?)
          INSERT INTO t SELECT i, randomblob(500) FROM n
          """, arguments: [rows])
      try db.setHeaderNumber(.userVersion, to: 7)
    }
    return writer
  }

  private func digest(_ reader: some DatabaseReader) throws -> [String] {
    try reader.read { db in
      try String.fetchAll(
        db,
        sql: """
          SELECT count(*) || ' ' || total(a) || ' ' || (SELECT group_concat(hex(b)) FROM t) FROM t
          """) + ["\(try db.headerNumber(.userVersion))"]
    }
  }

  @Test func theCopyEqualsTheSource() throws {
    let queue = try filled(DatabaseQueue())
    let copy = try DatabaseQueue(path: path)
    try copy.write { db in try db.execute(sql: "CREATE TABLE old (a)") }
    try queue.backup(to: copy)
    #expect(try digest(copy) == digest(queue))
    #expect(try copy.read { db in try db.integrityProblems() } == [])
    #expect(try copy.read { db in try !db.tableExists("old") })
  }

  @Test func aPoolCanBeSourceAndDestination() async throws {
    let pool = try filled(DatabasePool(path: path))
    let copy = try DatabasePool(path: folder.file("copy.db").path)
    try copy.blockingRead { _ in }
    try await pool.backup(to: copy)
    #expect(try digest(copy) == digest(pool))
    let mode = try copy.blockingWithoutTransaction { db in
      try String.fetchOne(db, sql: "PRAGMA journal_mode")
    }
    #expect(mode == "wal")
    let back = try DatabaseQueue()
    try await copy.makeSnapshot().backup(to: back)
    #expect(try digest(back) == digest(pool))
  }

  /// Also when the internal copy unit, used without an interruption, is smaller than the request.
  @Test func progressIsReportedAtTheEndOfEachStep() throws {
    let queue = try filled(DatabaseQueue(), rows: 10_000)
    var seen: [Int] = []
    try queue.backup(to: try DatabaseQueue(), pagesPerStep: 250) {
      seen.append($0.completedPageCount)
    }
    let total = try #require(seen.last)
    #expect(total > 1000)
    #expect(seen == Array(stride(from: 250, to: total, by: 250)) + [total])
  }

  @Test func progressCountsTheCopiedPages() throws {
    let queue = try filled(DatabaseQueue())
    var seen: [DatabaseBackupProgress] = []
    try queue.backup(to: try DatabaseQueue(), pagesPerStep: 50) { seen.append($0) }
    let total = try #require(seen.last?.totalPageCount)
    #expect(total > 100)
    #expect(seen.count == (total + 49) / 50)
    #expect(seen.map(\.isCompleted) == seen.dropLast().map { _ in false } + [true])
    #expect(seen.map(\.completedPageCount).prefix(2) == [50, 100])
    #expect(seen.allSatisfy { $0.completedPageCount + $0.remainingPageCount == total })
    // One step has one report, although long copies are made in several parts.
    var count = 0
    try filled(DatabaseQueue(), rows: 10_000).backup(to: try DatabaseQueue()) { progress in
      #expect(progress.totalPageCount > 1000)
      count += 1
    }
    #expect(count == 1)
  }

  @Test func anErrorOfTheProgressEndsTheBackupAndKeepsTheDestination() throws {
    let queue = try filled(DatabaseQueue())
    let copy = try filled(DatabaseQueue(path: path), rows: 3)
    let before = try digest(copy)
    #expect(throws: Stop.self) {
      try queue.backup(to: copy, pagesPerStep: 10) { progress in
        if progress.completedPageCount > 30 { throw Stop() }
      }
    }
    #expect(try digest(copy) == before)
    #expect(try copy.read { db in try db.integrityProblems() } == [])
    try queue.backup(to: copy)
    #expect(try digest(copy) == digest(queue))
  }

  @Test func anErrorAfterTheLastStepChangesNothing() throws {
    let queue = try filled(DatabaseQueue())
    let copy = try DatabaseQueue()
    try queue.backup(to: copy) { progress in
      if progress.isCompleted { throw Stop() }
    }
    #expect(try digest(copy) == digest(queue))
  }

  @Test func aCancelledTaskEndsTheBackup() async throws {
    let queue = try filled(DatabaseQueue())
    let copy = try filled(DatabaseQueue(path: path), rows: 3)
    let before = try digest(copy)
    let stepped = Gate()
    let cancelled = Gate()
    let task = Task {
      try await queue.backup(to: copy, pagesPerStep: 10) { _ in
        stepped.open()
        cancelled.wait()
      }
    }
    try await onOwnThread { stepped.wait() }
    task.cancel()
    cancelled.open()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(try digest(copy) == before)
    try await queue.backup(to: copy)
    #expect(try digest(copy) == digest(queue))
  }

  //  backup                      writer
  //  first step
  //                              INSERT, COMMIT
  //  all other steps: of the first state
  @Test func aPoolCanBeWrittenWhileItIsCopied() async throws {
    let pool = try filled(DatabasePool(path: path))
    let copy = try DatabaseQueue()
    let before = try digest(pool)
    let stepped = Gate()
    let written = Gate()
    let steps = Journal<Int>()
    let backup = OwnThread {
      try pool.backup(to: copy, pagesPerStep: 10) { progress in
        steps.append(progress.remainingPageCount)
        stepped.open()
        written.wait()
      }
    }
    try await onOwnThread { stepped.wait() }
    try await pool.write { db in try db.execute(sql: "UPDATE t SET b = randomblob(500)") }
    written.open()
    try await backup.value
    #expect(try digest(copy) == before)
    #expect(try digest(pool) != before)
    // The copy never restarted.
    #expect(steps.entries == steps.entries.sorted(by: >))
  }

  @Test func aReaderOfTheDestinationInAnotherProcessIsReported() async throws {
    let copyPath = path
    var configuration = Configuration()
    configuration.busyMode = .immediateError
    let queue = try filled(DatabaseQueue())
    let copy = try filled(DatabaseQueue(path: copyPath, configuration: configuration), rows: 3)
    let before = try digest(copy)
    let holds = try Signal(at: folder.file("holds").path)
    let ends = try Signal(at: folder.file("ends").path)
    let ours = OwnThread {
      try holds.wait()
      let result = Result { try queue.backup(to: copy) }
      try ends.send()
      try result.get()
    }
    await #expect(processExitsWith: .success) {
      [path = path as String, holds = holds.path as String, ends = ends.path as String] in
      try DatabaseQueue(path: path).blockingRead { _ in
        try Signal(at: holds).send()
        try Signal(at: ends).wait()
      }
    }
    try holds.send()
    let error = await #expect(throws: DatabaseError.self) { try await ours.value }
    #expect(error?.resultCode == .SQLITE_BUSY)
    #expect(error?.path == copyPath)
    #expect(try digest(copy) == before)
  }

  @Test func aDatabaseIsNotCopiedIntoItself() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let queue = try DatabaseQueue()
      try queue.blockingBackup(to: queue)
    }
    expectSentence("not reentrant", in: result)
  }

  @Test func connectionsCanBeCopiedInsideTheirAccesses() throws {
    let queue = try filled(DatabaseQueue())
    let copy = try DatabaseQueue()
    try copy.writeWithoutTransaction { destination in
      try queue.writeWithoutTransaction { db in
        try db.backup(to: destination)
        #expect(!db.isInsideTransaction)
      }
    }
    #expect(try digest(copy) == digest(queue))
    // Uncommitted changes cannot be copied.
    let error = #expect(throws: DatabaseError.self) {
      try copy.writeWithoutTransaction { destination in
        try queue.write { db in
          try db.execute(sql: "DELETE FROM t")
          try db.backup(to: destination)
        }
      }
    }
    #expect(error?.resultCode == .SQLITE_LOCKED || error?.resultCode == .SQLITE_BUSY)
    #expect(try digest(copy) == digest(queue))
  }

  @Test(arguments: [
    (DatabaseQueue.inMemoryCopy, "memory"), (DatabaseQueue.temporaryCopy, "delete"),
  ])
  func aFileIsCopiedIntoMemoryOrATemporaryFile(
    _ makeCopy: @Sendable (String, Configuration) throws -> DatabaseQueue, _ journalMode: String
  ) throws {
    let queue = try filled(DatabaseQueue(path: path))
    let before = try digest(queue)
    var configuration = Configuration()
    configuration.readonly = true
    let copy = try makeCopy(path, configuration)
    #expect(copy.path == nil)
    #expect(
      try copy.writeWithoutTransaction { db in
        try String.fetchOne(db, sql: "PRAGMA journal_mode")
        // SQLCipher keeps temporary databases in memory.
      } == (Database.canDecrypt ? "memory" : journalMode))
    try copy.write { db in try db.execute(sql: "DELETE FROM t WHERE a > 1") }
    #expect(try digest(copy) != before)
    #expect(try digest(queue) == before)
    #expect(throws: DatabaseError.self) {
      try makeCopy(folder.file("missing.db").path, configuration)
    }
    #expect(try folder.names == ["t.db"])
  }
}
