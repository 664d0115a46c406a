import Foundation
import HoldfastTestSupport
import Synchronization
import Testing

@testable import Holdfast

@Suite struct LongestWritesTests {
  private static func makeQueue(
    keeping count: Int, showingArguments: Bool = false
  ) throws -> DatabaseQueue {
    var configuration = Configuration()
    configuration.longestWriteCount = count
    configuration.publicStatementArguments = showingArguments
    let queue = try DatabaseQueue(configuration: configuration)
    try queue.write { db in try db.execute(sql: "CREATE TABLE t (a)") }
    queue.forgetLongestWrites()
    return queue
  }

  private static func insert(_ count: Int) -> (Database) throws -> Void {
    { db in
      for number in 0..<count {
        try db.execute(sql: "INSERT INTO t VALUES (?)", arguments: [number])
      }
    }
  }

  @Test func nothingIsMeasuredByDefault() throws {
    let queue = try Self.makeQueue(keeping: 0)
    try queue.write(Self.insert(3))
    #expect(queue.longestWrites == [])
  }

  @Test func aWriteIsReportedWithItsStatements() throws {
    let queue = try Self.makeQueue(keeping: 5)
    let before = Date()
    try queue.write { db in
      try Self.insert(3)(db)
      _ = try Int.fetchOne(db, sql: "SELECT count(*) FROM t")
      try db.execute(sql: "DELETE FROM t")
    }
    let write = try #require(queue.longestWrites.first)
    #expect(queue.longestWrites.count == 1)
    #expect(
      write.statements == [
        "INSERT INTO t VALUES (?)", "SELECT count(*) FROM t", "DELETE FROM t",
      ])
    #expect(write.statementCount == 5)
    #expect(write.duration > .zero)
    #expect(write.startDate > before - 1 && write.startDate < Date())
    #expect(write.description.contains("INSERT INTO t VALUES (?); SELECT"))
  }

  @Test func valuesAreReportedOnlyWhenAllowed() throws {
    let queue = try Self.makeQueue(keeping: 5, showingArguments: true)
    try queue.write(Self.insert(2))
    #expect(
      queue.longestWrites.first?.statements == [
        "INSERT INTO t VALUES (0)", "INSERT INTO t VALUES (1)",
      ])
  }

  @Test func aLongListOfStatementsIsTruncated() throws {
    let queue = try Self.makeQueue(keeping: 5)
    try queue.write { db in
      for number in 0..<50 { try db.execute(sql: "INSERT INTO t VALUES (\(number))") }
    }
    let write = try #require(queue.longestWrites.first)
    #expect(write.statements.count == 20)
    #expect(write.statementCount == 50)
    #expect(write.description.hasSuffix(" … (50 statements)"))
  }

  @Test func readsAreNotReported() throws {
    let queue = try Self.makeQueue(keeping: 5)
    _ = try queue.read { db in try Int.fetchOne(db, sql: "SELECT count(*) FROM t") }
    try queue.write { _ in }
    try queue.writeWithoutTransaction { db in
      try db.inTransaction(.deferred) {
        _ = try Int.fetchOne(db, sql: "SELECT count(*) FROM t")
        return .commit
      }
    }
    #expect(queue.longestWrites == [])
  }

  @Test func eachTransactionIsASeparateWrite() throws {
    let queue = try Self.makeQueue(keeping: 9)
    try queue.writeWithoutTransaction { db in
      try db.execute(sql: "INSERT INTO t VALUES (1)")
      try db.execute(sql: "INSERT INTO t VALUES (2) RETURNING a")
      try db.inTransaction {
        try db.execute(sql: "DELETE FROM t")
        return .rollback
      }
      try db.execute(sql: "BEGIN; INSERT INTO t VALUES (3); SAVEPOINT s; RELEASE s; COMMIT")
    }
    #expect(
      Set(queue.longestWrites.map(\.statements)) == [
        ["INSERT INTO t VALUES (1)"], ["INSERT INTO t VALUES (2) RETURNING a"], ["DELETE FROM t"],
        ["INSERT INTO t VALUES (3)"],
      ])
  }

  @Test func aFailedWriteIsReported() throws {
    struct Failure: Error {}
    let queue = try Self.makeQueue(keeping: 9)
    #expect(throws: Failure.self) {
      try queue.write { db in
        try Self.insert(1)(db)
        throw Failure()
      }
    }
    #expect(queue.longestWrites.count == 1)
  }

  @Test func theLongestAreKept() throws {
    let writes = try #require(LongestWrites(limit: 3))
    func write(_ seconds: Int) -> LongWrite {
      LongWrite(
        startDate: Date(), duration: .seconds(seconds), statements: ["\(seconds)"],
        statementCount: 1)
    }
    for seconds in [3, 1, 4, 1, 5, 9, 2, 6] where writes.isLong(.seconds(seconds)) {
      writes.add(write(seconds))
    }
    #expect(writes.all.map(\.duration) == [.seconds(9), .seconds(6), .seconds(5)])
    #expect(!writes.isLong(.seconds(5)))
    #expect(writes.isLong(.seconds(6)))
    writes.removeAll()
    #expect(writes.all.isEmpty && writes.isLong(.zero))
  }

  @Test func waitingForTheLockIsNotCounted() throws {
    let folder = try TemporaryDirectory()
    let path = folder.file("t.db").path
    let holder = try DatabaseQueue(path: path)
    try holder.write { db in try db.execute(sql: "CREATE TABLE t (a)") }
    var configuration = Configuration()
    configuration.longestWriteCount = 1
    let waited = Duration.milliseconds(200)
    let hasWaited = Gate()
    let start = Mutex<ContinuousClock.Instant?>(nil)
    configuration.busyMode = .callback { _ in
      let began = start.withLock { start in
        let began = start ?? .now
        start = began
        return began
      }
      if ContinuousClock.now - began > waited { hasWaited.open() }
      return true
    }
    let queue = try DatabaseQueue(path: path, configuration: configuration)
    let holds = Gate()
    let holding = OwnThread {
      try holder.write { _ in
        holds.open()
        hasWaited.wait()
      }
    }
    holds.wait()
    try queue.write(Self.insert(1))
    let write = try #require(queue.longestWrites.first)
    #expect(write.duration < waited)
    _ = holding
  }
}
