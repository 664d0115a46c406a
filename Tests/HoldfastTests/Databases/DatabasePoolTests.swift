import Foundation
import HoldfastTestSupport
import Synchronization
import Testing

@testable import Holdfast

@Suite struct DatabasePoolTests {
  private let folder: TemporaryDirectory
  private let path: String

  init() throws {
    folder = try TemporaryDirectory()
    path = folder.file("t.db").path
  }

  private func makePool(_ configuration: Configuration = Configuration()) throws -> DatabasePool {
    let pool = try DatabasePool(path: path, configuration: configuration)
    try pool.write { db in
      try db.execute(sql: "CREATE TABLE t (a); INSERT INTO t VALUES (1), (2)")
    }
    return pool
  }

  @Test func writesAreReadAgainInWriteAheadLogMode() async throws {
    let pool = try makePool()
    #expect(pool.path == path)
    try await pool.write { db in try db.execute(sql: "INSERT INTO t VALUES (3)") }
    #expect(
      try await pool.read { db in try Int.fetchAll(db, sql: "SELECT a FROM t") } == [1, 2, 3])
    let mode = try pool.blockingWithoutTransaction { db in
      try String.fetchOne(db, sql: "PRAGMA journal_mode")
    }
    #expect(mode == "wal")
  }

  /// Other processes are told of each write, for which a thread is woken.
  @Test func openingIsAWriteOnlyWhereAPreparationMayWrite() throws {
    var configuration = Configuration()
    let plain = try DatabasePool(path: path, configuration: configuration)
    #expect(plain.pool.externalCommits.endedWriteCount == 0)
    let queue = try DatabaseQueue(path: path, configuration: configuration)
    #expect(queue.pool.externalCommits.endedWriteCount == 0)
    configuration.prepareDatabase { db in
      if !db.isReadOnlyConnection { try db.execute(sql: "CREATE TABLE IF NOT EXISTS p (a)") }
    }
    let prepared = try DatabasePool(path: path, configuration: configuration)
    #expect(prepared.pool.externalCommits.endedWriteCount == 1)
  }

  @Test func readersAreReadOnly() throws {
    let pool = try makePool()
    let error = #expect(throws: DatabaseError.self) {
      try pool.read { db in try db.execute(sql: "DELETE FROM t") }
    }
    #expect(error?.resultCode == .SQLITE_READONLY)
    #expect(error?.sql == "DELETE FROM t")
    // SQLite takes the question for a change.
    let queue = try DatabaseQueue(path: path)
    for sql in ["PRAGMA journal_mode", "pragma main . JOURNAL_MODE ;"] {
      #expect(try queue.read { db in try String.fetchOne(db, sql: sql) } == "wal")
    }
    #expect(throws: DatabaseError.self) {
      try queue.read { db in try db.execute(sql: "PRAGMA journal_mode = DELETE") }
    }
  }

  @Test func eachConnectionIsPreparedOnceWhenItIsOpened() throws {
    let count = Atomic(0)
    var configuration = Configuration()
    configuration.prepareDatabase { db throws in
      count.wrappingAdd(1, ordering: .relaxed)
      // The preparation can read.
      #expect(try Int.fetchOne(db, sql: "SELECT count(*) FROM sqlite_schema") ?? 0 >= 0)
    }
    let pool = try makePool(configuration)
    #expect(count.load(ordering: .relaxed) == 1)
    for _ in 1...3 { try pool.read { _ in } }
    #expect(count.load(ordering: .relaxed) == 2)
    // What only reads is opened by its first reader.
    configuration.readonly = true
    let reading = try DatabasePool(path: path, configuration: configuration)
    for _ in 1...3 {
      #expect(count.load(ordering: .relaxed) == 3)
      try reading.read { _ in }
    }
  }

  @Test(.timeLimit(.minutes(1)))
  func openingAReaderIsRetried() async throws {
    let fails = Atomic(false)
    var configuration = Configuration()
    configuration.maximumReaderCount = 1
    configuration.prepareDatabase { _ in
      if fails.load(ordering: .relaxed) { throw CocoaError(.fileReadUnknown) }
    }
    let pool = try makePool(configuration)
    fails.store(true, ordering: .relaxed)
    for _ in 1...3 {
      #expect(throws: CocoaError.self) { try pool.blockingRead { _ in } }
      await #expect(throws: CocoaError.self) { try await pool.read { _ in } }
    }
    fails.store(false, ordering: .relaxed)
    #expect(try await pool.read { db in try Int.fetchOne(db, sql: "SELECT a FROM t") } == 1)
  }

  @Test func aDatabaseInMemoryHasNoWriteAheadLog() throws {
    let error = #expect(throws: DatabaseError.self) { try DatabasePool(path: ":memory:") }
    #expect(error?.resultCode == .SQLITE_CANTOPEN)
    #expect(error?.message?.contains("a database in memory has none") == true)
  }

  @Test func aReadOnlyPoolKeepsTheJournalMode() throws {
    _ = try DatabaseQueue(path: path).write { db in
      try db.execute(sql: "CREATE TABLE t (a); INSERT INTO t VALUES (1)")
    }
    let before = try Data(contentsOf: URL(filePath: path))
    var configuration = Configuration()
    configuration.readonly = true
    let pool = try DatabasePool(path: path, configuration: configuration)
    #expect(try pool.read { db in try Int.fetchAll(db, sql: "SELECT a FROM t") } == [1])
    #expect(throws: DatabaseError.self) {
      try pool.write { db in try db.execute(sql: "DELETE FROM t") }
    }
    try pool.close()
    #expect(try Data(contentsOf: URL(filePath: path)) == before)
    #expect(try folder.names == ["t.db"])
  }

  @Test func closingRemovesTheWriteAheadLogAndLeavesNoFileOpen() throws {
    let pool = try makePool()
    try pool.read { _ in }
    #expect(try folder.names.contains("t.db-wal"))
    try pool.close()
    try pool.close()
    // A reader that is closed last could not do it.
    #expect(try folder.names == ["t.db"])
    #expect(throws: DatabaseError.self) { try pool.read { _ in } }
    #expect(throws: DatabaseError.self) { try pool.write { _ in } }
    guard OpenFiles.areKnown else { return }
    #expect(try OpenFiles.beginning(with: path) == [])
  }

  @Test func releasingAPoolClosesIt() async throws {
    do {
      let pool = try makePool()
      try pool.blockingRead { _ in }
      try await pool.read { _ in }
    }
    #expect(try folder.names == ["t.db"])
    guard OpenFiles.areKnown else { return }
    #expect(try OpenFiles.beginning(with: path) == [])
  }

  @Test func anAccessInsideAnAccessTraps() async {
    for kind in ["read in read", "write in write", "read in barrier"] {
      let result = await #expect(
        processExitsWith: .failure, observing: [\.standardErrorContent]
      ) { [path = path as String, kind = kind as String] in
        let pool = try DatabasePool(path: path)
        let inner: () throws -> Void = {
          if kind.hasPrefix("read") {
            try pool.blockingRead { _ in }
          } else {
            try pool.blockingWrite { _ in }
          }
        }
        if kind.hasSuffix("read") {
          try pool.blockingRead { _ in try inner() }
        } else if kind.hasSuffix("barrier") {
          try pool.blockingBarrier { _ in try inner() }
        } else {
          try pool.blockingWrite { _ in try inner() }
        }
      }
      expectSentence("not reentrant", in: result)
    }
  }

  @Test func aReadInsideAWriteAndAWriteInsideAReadUseTwoConnections() throws {
    let pool = try makePool()
    func count(_ db: Database) throws -> Int? {
      try Int.fetchOne(db, sql: "SELECT count(*) FROM t")
    }
    try pool.write { db in
      try db.execute(sql: "INSERT INTO t VALUES (3)")
      #expect(try pool.read(count) == 2, "what is not committed is not seen")
    }
    try pool.read { db in
      try pool.write { db in try db.execute(sql: "INSERT INTO t VALUES (4)") }
      #expect(try count(db) == 3, "one committed state")
    }
    #expect(try pool.read(count) == 4)
  }

  /// The other thread waits for the read, as a barrier or because it needs the only reader.
  @Test func aWriteInsideAReadThatWouldWaitForEverTraps() async {
    for sentence in ["waits for a barrier", "wait for each other"] {
      let result = await #expect(
        processExitsWith: .failure, observing: [\.standardErrorContent]
      ) { [path = path as String, sentence = sentence as String] in
        var configuration = Configuration()
        configuration.maximumReaderCount = 1
        let pool = try DatabasePool(path: path, configuration: configuration)
        let waits: @Sendable () throws -> Void = {
          if sentence.hasSuffix("barrier") { return try pool.blockingBarrier { _ in } }
          try pool.blockingWrite { _ in try pool.blockingRead { _ in } }
        }
        try pool.blockingRead { _ in
          Thread.detachNewThread { do { try waits() } catch _ {} }
          while pool.pool.waitingCount == 0 {}
          try pool.blockingWrite { _ in }
        }
      }
      expectSentence(sentence, in: result)
    }
  }

  /// SQLite itself does not wait here: of several processes that opened a new file at the same
  /// time, all but one failed.
  @Test func enablingTheLogWaitsForAnotherWriter() throws {
    let folder = try TemporaryDirectory()
    let path = folder.file("t.db").path
    let other = try DatabaseQueue(path: path)
    try other.write { db in try db.execute(sql: "CREATE TABLE t (a)") }
    let holds = Gate()
    let ends = Gate()
    let tries = Journal<Int>()
    let holder = OwnThread {
      try other.write { db in
        try db.execute(sql: "INSERT INTO t VALUES (1)")
        holds.open()
        ends.wait()
      }
    }
    holds.wait()
    var configuration = Configuration()
    configuration.busyMode = .callback { number in
      tries.append(number)
      if number == 2 { ends.open() }
      return true
    }
    let pool = try DatabasePool(path: path, configuration: configuration)
    #expect(try pool.read { db in try Int.fetchOne(db, sql: "SELECT count(*) FROM t") } == 1)
    #expect(tries.entries.prefix(3) == [0, 1, 2])
    _ = holder
  }
}
