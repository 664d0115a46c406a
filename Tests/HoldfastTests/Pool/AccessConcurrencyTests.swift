import Foundation
import HoldfastTestSupport
import Testing

@testable import Holdfast

/// The concurrency and the order of accesses.
@Suite(.timeLimit(.minutes(1))) struct AccessConcurrencyTests {
  private let folder: TemporaryDirectory
  private let path: String

  init() throws {
    folder = try TemporaryDirectory()
    path = folder.file("t.db").path
  }

  private func makePool(readerCount: Int = 5) throws -> DatabasePool {
    var configuration = Configuration()
    configuration.maximumReaderCount = readerCount
    let pool = try DatabasePool(path: path, configuration: configuration)
    try pool.write { db in try db.execute(sql: "CREATE TABLE t (a)") }
    return pool
  }

  private static func count(_ db: Database) throws -> Int {
    try Int.fetchOne(db, sql: "SELECT count(*) FROM t") ?? -1
  }

  private static func insert(_ db: Database) throws {
    try db.execute(sql: "INSERT INTO t VALUES (1)")
  }

  // MARK: - The wait queue

  /// Expects that blocking and awaiting callers share one queue.
  private func expectServedInOrder(
    _ writer: some DatabaseWriter, reads: Bool, pool: ConnectionPool
  ) async throws {
    let order = Journal<Int>()
    let inside = Gate()
    let leave = Gate()
    let holder = OwnThread {
      let body: (Database) -> Void = { _ in
        inside.open()
        leave.wait()
      }
      if reads { try writer.read(body) } else { try writer.write(body) }
    }
    try await onOwnThread { inside.wait() }
    var tasks: [Task<Void, any Error>] = []
    for number in 0..<8 {
      tasks.append(
        Task {
          switch (number.isMultiple(of: 2), reads) {
          case (true, true): try await writer.read { _ in order.append(number) }
          case (true, false): try await writer.write { _ in order.append(number) }
          case (false, true):
            try await onOwnThread { try writer.read { _ in order.append(number) } }
          case (false, false):
            try await onOwnThread { try writer.write { _ in order.append(number) } }
          }
        })
      await until { pool.waitingCount == number + 1 }
    }
    leave.open()
    for task in tasks { try await task.value }
    try await holder.value
    #expect(order.entries == Array(0..<8))
    #expect(pool.waitingCount == 0)
  }

  @Test func waitersForAQueueAreServedInOrder() async throws {
    let queue = try DatabaseQueue()
    try await expectServedInOrder(queue, reads: false, pool: queue.pool)
    try await expectServedInOrder(queue, reads: true, pool: queue.pool)
  }

  @Test func waitersForAPoolAreServedInOrder() async throws {
    let pool = try makePool(readerCount: 1)
    try await expectServedInOrder(pool, reads: false, pool: pool.pool)
    try await expectServedInOrder(pool, reads: true, pool: pool.pool)
  }

  @Test func aReaderWithoutAFreeConnectionWaits() async throws {
    let pool = try makePool(readerCount: 2)
    let leave = Gate()
    let insides = [Gate(), Gate()]
    // Both accesses run at the same time.
    let readers = insides.map { inside in
      OwnThread {
        try pool.read { _ in
          inside.open()
          leave.wait()
        }
      }
    }
    for inside in insides { try await onOwnThread { inside.wait() } }
    async let third = pool.read { db in try Self.count(db) }
    await until { pool.pool.waitingCount == 1 }
    // The writer has its own connection.
    try await pool.write { db in try Self.insert(db) }
    leave.open()
    #expect(try await third == 1)
    for reader in readers { try await reader.value }
  }

  // MARK: - Isolation

  //  writer                      reader
  //  BEGIN, INSERT
  //                              reads: nothing
  //  INSERT, COMMIT
  //                              reads: nothing yet
  //                              reads again: both
  @Test func noReaderSeesAPartialWrite() async throws {
    let pool = try makePool()
    let half = Gate()
    let rest = Gate()
    let committed = Gate()
    let writer = OwnThread {
      try pool.write { db in
        try Self.insert(db)
        half.open()
        rest.wait()
        try Self.insert(db)
      }
      committed.open()
    }
    let counts = try await onOwnThread {
      half.wait()
      let counts = try pool.read { db in
        let during = try Self.count(db)
        rest.open()
        committed.wait()
        return [during, try Self.count(db)]
      }
      return counts + [try pool.read(Self.count)]
    }
    #expect(counts == [0, 0, 2])
    try await writer.value
  }

  //  reader                      writer
  //  begins, reads nothing
  //                              INSERT, COMMIT
  //  reads: the old state
  @Test func aReadSeesTheStateAtItsStart() async throws {
    let pool = try makePool()
    let count = try await onOwnThread {
      try pool.read { db in
        let written = Gate()
        Thread.detachNewThread {
          try? pool.write { db in try Self.insert(db) }
          written.open()
        }
        written.wait()
        return try Self.count(db)
      }
    }
    #expect(count == 0)
    #expect(try await pool.read { db in try Self.count(db) } == 1)
  }

  @Test func anAwaitedReadSeesTheStateAtItsStart() async throws {
    let pool = try makePool()
    let begun = Gate()
    let written = Gate()
    let writer = OwnThread {
      begun.wait()
      try pool.write { db in try Self.insert(db) }
      written.open()
    }
    let count = try await pool.read { db in
      begun.open()
      written.wait()
      return try Self.count(db)
    }
    #expect(count == 0)
    try await writer.value
  }

  @Test func readersSeeTheSumThatWritersPreserve() async throws {
    let pool = try makePool(readerCount: 3)
    try await pool.write { db in
      try db.execute(sql: "INSERT INTO t SELECT 100 FROM (VALUES (1), (2), (3), (4))")
    }
    let sql = "SELECT sum(a) FROM t"
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<4 {
        group.addTask {
          for _ in 0..<50 {
            let move: @Sendable (Database) throws -> Void = { db in
              try db.execute(sql: "UPDATE t SET a = a - 1 WHERE rowid = ?", arguments: [number + 1])
              try db.execute(
                sql: "UPDATE t SET a = a + 1 WHERE rowid = ?", arguments: [4 - number])
            }
            if number.isMultiple(of: 2) {
              try await pool.write { db in try move(db) }
            } else {
              try await onOwnThread { try pool.write(move) }
            }
          }
        }
        group.addTask {
          for _ in 0..<100 {
            let sum = try await pool.read { db in try Int.fetchOne(db, sql: sql) }
            guard sum == 400 else { throw CocoaError(.coderInvalidValue) }
          }
        }
        group.addTask {
          try await onOwnThread {
            for _ in 0..<100 {
              let sum = try pool.read { db in try Int.fetchOne(db, sql: sql) }
              guard sum == 400 else { throw CocoaError(.coderInvalidValue) }
            }
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(try await pool.read { db in try db.integrityProblems() } == [])
  }

  /// The column names of a row are shared with the statement, which other accesses use.
  @Test func rowsAreReadByNameWhileTheirStatementIsUsed() async throws {
    let queue = try DatabaseQueue()
    let threads = (0..<4).map { _ in
      OwnThread {
        var sums: Set<Int> = []
        for number in 0..<50 {
          let sql = "SELECT 1 AS a, 2 AS b -- \(number)"
          guard let row = try queue.read({ db in try Row.fetchOne(db, sql: sql) }) else { continue }
          let a: Int = row["a"]
          let b: Int = row["B"]
          sums.insert(a + b)
        }
        return sums
      }
    }
    for thread in threads { #expect(try await thread.value == [3]) }
  }

  // MARK: - Closing

  @Test func closingFinishesTheRunningAccessAndRefusesWaiters() async throws {
    let queue = try DatabaseQueue(path: path)
    try await queue.write { db in try db.execute(sql: "CREATE TABLE t (a)") }
    let inside = Gate()
    let leave = Gate()
    let running = OwnThread {
      try queue.write { db in
        inside.open()
        leave.wait()
        try Self.insert(db)
      }
    }
    try await onOwnThread { inside.wait() }
    async let awaiting = refusal { try await queue.read { _ in } }
    await until { queue.pool.waitingCount == 1 }
    async let blocking = refusal { try await onOwnThread { try queue.read { _ in } } }
    await until { queue.pool.waitingCount == 2 }
    let closing = OwnThread { try queue.close() }
    // Both fail while the access is still running, and closing waits for it.
    #expect(await awaiting == .SQLITE_MISUSE)
    #expect(await blocking == .SQLITE_MISUSE)
    #expect(await refusal { try await queue.read { _ in } } == .SQLITE_MISUSE)
    if OpenFiles.areKnown { #expect(try OpenFiles.beginning(with: path) != []) }
    leave.open()
    try await closing.value
    if OpenFiles.areKnown { #expect(try OpenFiles.beginning(with: path) == []) }
    try await running.value
    #expect(try await DatabaseQueue(path: path).read { db in try Self.count(db) } == 1)
  }

  private func refusal(_ access: @Sendable () async throws -> Void) async -> ResultCode? {
    do {
      try await access()
      return nil
    } catch {
      return (error as? DatabaseError)?.resultCode
    }
  }

  @Test func closingDuringManyAccessesCompletesEachOfThem() async throws {
    for _ in 0..<10 {
      let pool = try DatabasePool(path: path)
      try await withThrowingTaskGroup(of: Bool.self) { group in
        for number in 0..<20 {
          group.addTask {
            do {
              switch number % 4 {
              case 0: _ = try await pool.read { db in try Int.fetchOne(db, sql: "SELECT 1") }
              case 1: try await pool.write { db in try db.setHeaderNumber(.userVersion, to: 1) }
              case 2: try await onOwnThread { try pool.read { _ in } }
              default: try await onOwnThread { try pool.write { _ in } }
              }
              return true
            } catch ResultCode.SQLITE_MISUSE {
              return false
            }
          }
        }
        group.addTask {
          try await onOwnThread { try pool.close() }
          return true
        }
        for try await _ in group {}
      }
      #expect(await refusal { try await pool.read { _ in } } == .SQLITE_MISUSE)
      if OpenFiles.areKnown { #expect(try OpenFiles.beginning(with: path) == []) }
    }
  }
}
