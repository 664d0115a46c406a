import Foundation
import HoldfastTestSupport
import Testing

@testable import Holdfast

/// Accesses that are scheduled without waiting for them.
@Suite(.timeLimit(.minutes(1))) struct ScheduledAccessConcurrencyTests {
  private struct Stop: Error {}

  private let folder: TemporaryDirectory
  private let path: String

  init() throws {
    folder = try TemporaryDirectory()
    path = folder.file("t.db").path
  }

  private func makePool() throws -> DatabasePool {
    let pool = try DatabasePool(path: path)
    try pool.write { db in try db.execute(sql: "CREATE TABLE t (a)") }
    return pool
  }

  private static func values(_ db: Database) throws -> [Int] {
    try Int.fetchAll(db, sql: "SELECT a FROM t ORDER BY rowid")
  }

  /// Waits for the value of a callback.
  private func called<Value: Sendable>(
    _ start: (@escaping @Sendable (Result<Value, any Error>) -> Void) -> Void
  ) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
      start { continuation.resume(with: $0) }
    }
  }

  @Test func scheduledWritesRunInTheOrderOfTheirCalls() async throws {
    let pool = try makePool()
    for value in 0..<100 {
      if value.isMultiple(of: 2) {
        pool.asyncWriteWithoutTransaction { db in
          do { try db.execute(sql: "INSERT INTO t VALUES (?)", arguments: [value]) } catch {
            Issue.record(error)
          }
        }
      } else {
        pool.asyncWrite { db in
          try db.execute(sql: "INSERT INTO t VALUES (?)", arguments: [value])
        } completion: { _, result in
          if case .failure(let error) = result { Issue.record(error) }
        }
      }
    }
    // A blocking and an awaiting caller come after them.
    #expect(try pool.blockingWrite(Self.values) == Array(0..<100))
    #expect(try await pool.write { db in try Self.values(db) } == Array(0..<100))
  }

  @Test func scheduledWritesShareTheQueueWithOtherCallers() async throws {
    let queue = try DatabaseQueue(path: path)
    let order = Journal<Int>()
    let inside = Gate()
    let leave = Gate()
    queue.asyncWriteWithoutTransaction { _ in
      inside.open()
      leave.wait()
    }
    try await onOwnThread { inside.wait() }
    async let first: Void = queue.write { _ in order.append(1) }
    await until { queue.pool.waitingCount == 1 }
    queue.asyncRead { _ in order.append(2) }
    let third = OwnThread { try queue.write { _ in order.append(3) } }
    await until { queue.pool.waitingCount == 3 }
    queue.asyncWrite({ _ in order.append(4) }, completion: { _, _ in order.append(5) })
    queue.asyncBarrierWriteWithoutTransaction { _ in order.append(6) }
    #expect(queue.pool.waitingCount == 5)
    leave.open()
    try await first
    try await third.value
    try await queue.write { _ in order.append(7) }
    #expect(order.entries == Array(1...7))
  }

  @Test func aScheduledReadSeesOneStateAndCannotWrite() async throws {
    let pool = try makePool()
    let values: [Int] = try await called { done in
      pool.asyncRead { result in
        done(
          Result {
            let db = try result.get()
            #expect(db.isInsideTransaction)
            #expect(throws: DatabaseError.self) { try db.execute(sql: "DELETE FROM t") }
            return try Self.values(db)
          })
      }
    }
    #expect(values == [])
  }

  @Test func theCompletionReceivesTheResultOfTheTransaction() async throws {
    let pool = try makePool()
    let count: Int = try await called { done in
      pool.asyncWrite { db in
        #expect(db.isInsideTransaction)
        try db.execute(sql: "INSERT INTO t VALUES (1)")
        return db.changesCount
      } completion: { db, result in
        #expect(!db.isInsideTransaction)
        done(result)
      }
    }
    #expect(count == 1)
    await #expect(throws: Stop.self) {
      let _: Int = try await called { done in
        pool.asyncWrite { db in
          try db.execute(sql: "INSERT INTO t VALUES (2)")
          throw Stop()
        } completion: { _, result in
          done(result)
        }
      }
    }
    #expect(try await pool.read { db in try Self.values(db) } == [1])
  }

  @Test func anOpenTransactionIsRolledBack() async throws {
    let pool = try makePool()
    pool.asyncWriteWithoutTransaction { db in
      do {
        try db.beginTransaction()
        try db.execute(sql: "INSERT INTO t VALUES (1)")
      } catch { Issue.record(error) }
    }
    #expect(try await pool.write { db in try Self.values(db) } == [])
  }

  @Test func aClosedDatabaseIsReported() async throws {
    let pool = try makePool()
    try pool.close()
    let misuse: (any Error) -> Bool = { ($0 as? DatabaseError)?.resultCode == .SQLITE_MISUSE }
    await #expect(
      performing: {
        try await called { done in pool.asyncRead { result in done(result.map { _ in }) } }
      }, throws: misuse)
    await #expect(
      performing: {
        try await called { done in
          pool.asyncBarrierWriteWithoutTransaction { result in done(result.map { _ in }) }
        }
      }, throws: misuse)
    await #expect(
      performing: {
        try await called { done in
          pool.asyncWrite { _ in
            Issue.record("A closed database was written.")
          } completion: { db, result in
            // The connection is usable and knows no table.
            #expect(throws: DatabaseError.self) { try db.execute(sql: "SELECT a FROM t") }
            done(result)
          }
        }
      }, throws: misuse)
  }

  @Test func scheduledAccessesRunOnTheConfiguredQueue() async throws {
    let key = DispatchSpecificKey<String>()
    let all = DispatchQueue(label: "all", attributes: .concurrent)
    let writes = DispatchQueue(label: "writes")
    all.setSpecific(key: key, value: "all")
    writes.setSpecific(key: key, value: "writes")
    var configuration = Configuration()
    configuration.targetQueue = all
    configuration.writeTargetQueue = writes
    configuration.label = "harbour"
    let pool = try DatabasePool(path: path, configuration: configuration)
    #expect(try await pool.read { _ in DispatchQueue.getSpecific(key: key) } == "all")
    #expect(try await pool.write { _ in DispatchQueue.getSpecific(key: key) } == "writes")
    #expect(pool.pool.slots.map(\.queue.label).prefix(2) == ["harbour.writer", "harbour.reader.1"])
    configuration.writeTargetQueue = nil
    let queue = try DatabaseQueue(configuration: configuration)
    #expect(try await queue.write { _ in DispatchQueue.getSpecific(key: key) } == "all")
  }

  @Test func aBlockingAccessRunsOnTheThreadOfItsCaller() throws {
    let caller = Thread.current
    #expect(try makePool().write { _ in Thread.current === caller })
  }

  @Test func scheduledAccessesHaveTheConfiguredQualityOfService() throws {
    var configuration = Configuration()
    let standard = try DatabaseQueue(configuration: configuration)
    #if os(Linux)
      // Unspecified, so that threads are shared with all queues that specify none.
      #expect(standard.pool.slots[0].queue.qos == .unspecified)
    #else
      #expect(standard.pool.slots[0].queue.qos == .userInitiated)
    #endif
    configuration.qos = .background
    let queue = try DatabaseQueue(configuration: configuration)
    #expect(queue.pool.slots[0].queue.qos == .background)
    configuration.targetQueue = DispatchQueue(label: "target")
    let targeted = try DatabaseQueue(configuration: configuration)
    #expect(targeted.pool.slots[0].queue.qos == .unspecified)
  }
}
