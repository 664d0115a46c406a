import Foundation
import HoldfastTestSupport
import Testing

@testable import Holdfast

/// Concurrent reads, which see the state of the write that starts them.
@Suite(.timeLimit(.minutes(1))) struct ConcurrentReadConcurrencyTests {
  private let folder: TemporaryDirectory
  private let path: String

  init() throws {
    folder = try TemporaryDirectory()
    path = folder.file("t.db").path
  }

  private func makePool(_ configuration: Configuration = Configuration()) throws -> DatabasePool {
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

  //  write                       concurrent read
  //  INSERT
  //  spawns
  //  INSERT
  //                              reads: the first row only
  //  INSERT, ends
  //  next write: INSERT
  //                              reads again: the first row only
  @Test func aConcurrentReadSeesOnlyEarlierWrites() async throws {
    let pool = try makePool()
    let isWritten = Gate()
    let isWrittenMore = Gate()
    let future = try pool.blockingWithoutTransaction { db in
      try Self.insert(db)
      let future = pool.concurrentRead { db in
        isWritten.wait()
        let first = try Self.count(db)
        isWrittenMore.wait()
        return [first, try Self.count(db)]
      }
      try Self.insert(db)
      isWritten.open()
      try Self.insert(db)
      return future
    }
    try await pool.write { db in try Self.insert(db) }
    isWrittenMore.open()
    #expect(try await future.value == [1, 1])
    #expect(try await pool.read { db in try Self.count(db) } == 4)
  }

  //  write                       concurrent read
  //  INSERT
  //  spawns                      cannot run yet
  //  INSERT, ends
  //                              runs: the first row only
  @Test func theStateOfAConcurrentReadIsFixedBeforeItRuns() async throws {
    let readers = DispatchQueue(label: "readers", attributes: .concurrent)
    var configuration = Configuration()
    configuration.targetQueue = readers
    configuration.writeTargetQueue = DispatchQueue(label: "writer")
    let pool = try makePool(configuration)
    readers.suspend()
    let future = try pool.blockingWithoutTransaction { db in
      try Self.insert(db)
      let future = pool.concurrentRead(Self.count)
      try Self.insert(db)
      return future
    }
    readers.resume()
    #expect(try await future.value == 1)
  }

  @Test func eachOfManyConcurrentReadsSeesItsWrite() async throws {
    let pool = try makePool()
    let futures = try pool.blockingWithoutTransaction { db in
      try (1...50).map { _ in
        try Self.insert(db)
        return pool.concurrentRead { db in try Self.count(db) }
      }
    }
    // A read that had to wait for a connection delayed the write, so that none saw too much.
    for (index, future) in futures.enumerated() {
      #expect(try await future.value == index + 1)
    }
  }

  @Test func anAwaitedWriteCanStartAConcurrentRead() async throws {
    let pool = try makePool()
    let future = try await pool.writeWithoutTransaction { db in
      try Self.insert(db)
      defer { do { try Self.insert(db) } catch { Issue.record(error) } }
      return pool.concurrentRead { db in try Self.count(db) }
    }
    #expect(try future.blockingWait() == 1)
    #expect(try await future.value == 1)
  }

  @Test func theReaderCannotWriteAndIsReturned() async throws {
    var configuration = Configuration()
    configuration.maximumReaderCount = 1
    let pool = try makePool(configuration)
    for _ in 1...3 {
      let future = try pool.blockingWithoutTransaction { _ in
        pool.concurrentRead { db in
          #expect(db.isInsideTransaction)
          try Self.insert(db)
        }
      }
      let error = await #expect(throws: DatabaseError.self) { try await future.value }
      #expect(error?.resultCode == .SQLITE_READONLY)
    }
    #expect(try await pool.read { db in try Self.count(db) } == 0)
  }

  @Test func aConcurrentReadInAQueueRunsImmediately() throws {
    let queue = try DatabaseQueue(path: path)
    try queue.writeWithoutTransaction { db in
      try db.execute(sql: "CREATE TABLE t (a)")
      let order = Journal<Int>()
      queue.spawnConcurrentRead { result in
        #expect(throws: Never.self) { order.append(try Self.count(result.get())) }
        let error = #expect(throws: DatabaseError.self) { try Self.insert(result.get()) }
        #expect(error?.resultCode == .SQLITE_READONLY)
      }
      try Self.insert(db)
      queue.spawnConcurrentRead { result in
        #expect(throws: Never.self) { order.append(try Self.count(result.get())) }
      }
      #expect(order.entries == [0, 1])
    }
  }

  @Test func aReaderThatCannotBeOpenedIsReported() async throws {
    let fails = Switch()
    var configuration = Configuration()
    // The only reader is available again for the second read.
    configuration.maximumReaderCount = 1
    configuration.prepareDatabase { _ in
      if fails.isOn { throw CocoaError(.fileReadUnknown) }
    }
    let pool = try makePool(configuration)
    fails.isOn = true
    let future = try pool.blockingWithoutTransaction { _ in pool.concurrentRead { _ in } }
    await #expect(throws: CocoaError.self) { try await future.value }
    fails.isOn = false
    let again = try pool.blockingWithoutTransaction { _ in pool.concurrentRead(Self.count) }
    #expect(try await again.value == 0)
  }

  @Test func aConcurrentReadOutsideAWriteTraps() async {
    for kind in ["nowhere", "read", "transaction", "barrier"] {
      let result = await #expect(
        processExitsWith: .failure, observing: [\.standardErrorContent]
      ) { [path = path as String, kind = kind as String] in
        let pool = try DatabasePool(path: path)
        let spawn: (Database?) throws -> Void = { _ in pool.spawnConcurrentRead { _ in } }
        switch kind {
        case "read": try pool.blockingRead(spawn)
        case "transaction": try pool.blockingWrite(spawn)
        case "barrier": try pool.blockingBarrier(spawn)
        default: try spawn(nil)
        }
      }
      let sentence =
        switch kind {
        case "transaction": "A concurrent read was started inside a transaction"
        case "barrier": "A concurrent read was started inside a barrier"
        default: "A concurrent read was started outside of a write"
        }
      expectSentence(sentence, in: result)
    }
  }
}
