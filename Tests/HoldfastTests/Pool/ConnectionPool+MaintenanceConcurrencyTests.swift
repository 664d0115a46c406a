import Foundation
import HoldfastTestSupport
import Synchronization
import Testing

@testable import Holdfast

/// Maintenance of connections, and nested accesses.
@Suite(.timeLimit(.minutes(1))) struct ConnectionPoolMaintenanceConcurrencyTests {
  private static let endless =
    "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n"

  private let folder: TemporaryDirectory
  private let path: String

  init() throws {
    folder = try TemporaryDirectory()
    path = folder.file("t.db").path
  }

  private func makePool(_ configuration: Configuration = Configuration()) throws -> DatabasePool {
    let pool = try DatabasePool(path: path, configuration: configuration)
    try pool.write { db in try db.execute(sql: "CREATE TABLE t (a); INSERT INTO t VALUES (1)") }
    return pool
  }

  private static func values(_ db: Database) throws -> [Int] {
    try Int.fetchAll(db, sql: "SELECT a FROM t ORDER BY a")
  }

  // MARK: - Interrupting

  @Test func onlyRunningStatementsAreInterrupted() async throws {
    let pool = try makePool()
    let started = Journal<Int>()
    // Interrupted repeatedly, because the start of the statement itself cannot be observed.
    let ended = Atomic(0)
    let accesses = (0..<3).map { number in
      OwnThread {
        defer { ended.wrappingAdd(1, ordering: .relaxed) }
        let body: (Database) throws -> Int? = { db in
          started.append(number)
          return try Int.fetchOne(db, sql: Self.endless)
        }
        return number == 0 ? try pool.write(body) : try pool.read(body)
      }
    }
    await until { started.entries.count == 3 }
    await until {
      pool.interrupt()
      return ended.load(ordering: .relaxed) == 3
    }
    for access in accesses {
      let error = await #expect(throws: DatabaseError.self) { try await access.value }
      #expect(error?.resultCode == .SQLITE_INTERRUPT)
    }
    #expect(try await pool.read { db in try Self.values(db) } == [1])
    pool.interrupt()
    try pool.close()
    pool.interrupt()
  }

  @Test func anInterruptedWriteIsRolledBack() async throws {
    let queue = try DatabaseQueue()
    try await queue.write { db in try db.execute(sql: "CREATE TABLE t (a)") }
    let isEnded = Switch()
    let began = Gate()
    let write = OwnThread {
      defer { isEnded.isOn = true }
      try queue.write { db in
        try db.execute(sql: "INSERT INTO t VALUES (1)")
        began.open()
        try db.execute(sql: "INSERT INTO t \(Self.endless)")
      }
    }
    try await onOwnThread { began.wait() }
    await until {
      queue.interrupt()
      return isEnded.isOn
    }
    let error = await #expect(throws: DatabaseError.self) { try await write.value }
    #expect(error?.resultCode == .SQLITE_INTERRUPT)
    #expect(try await queue.read { db in try Self.values(db) } == [])
  }

  // MARK: - Reading connections

  /// Returns a pool that counts the connections that it opens.
  private func countingPool(
    isPersistent: Bool = false
  ) throws -> (DatabasePool, @Sendable () -> Int) {
    let count = Counter()
    var configuration = Configuration()
    configuration.persistentReadOnlyConnections = isPersistent
    configuration.prepareDatabase { _ in count.value.wrappingAdd(1, ordering: .relaxed) }
    return (try makePool(configuration), { count.value.load(ordering: .relaxed) })
  }

  private final class Counter: Sendable {
    let value = Atomic(0)
  }

  //  reader 1        reader 2
  //  reads           (free)
  //          invalidated
  //  still reads     reopened
  //  ends
  //  reopened
  @Test func invalidatedReadersAreReopened() async throws {
    let (pool, openings) = try countingPool()
    let inside = Gate()
    let leave = Gate()
    let reader = OwnThread {
      try pool.read { db in
        inside.open()
        leave.wait()
        return try Self.values(db)
      }
    }
    try await onOwnThread { inside.wait() }
    try await pool.read { _ in }
    #expect(openings() == 3)
    pool.invalidateReadOnlyConnections()
    try await pool.read { _ in }
    #expect(openings() == 4)
    leave.open()
    // The reader in use was not affected.
    #expect(try await reader.value == [1])
    try await pool.read { _ in }
    #expect(openings() == 5)
    try await pool.read { _ in }
    #expect(openings() == 5)
    // The writer is not affected.
    try await pool.write { _ in }
    #expect(openings() == 5)
    // A barrier excludes what would close them at once.
    try await pool.barrierWriteWithoutTransaction { _ in pool.invalidateReadOnlyConnections() }
    try await pool.read { _ in }
    #expect(openings() == 6)
  }

  @Test func releasingMemoryClosesTheReaders() throws {
    let (pool, openings) = try countingPool()
    try pool.read { _ in }
    #expect(openings() == 2)
    pool.releaseMemory()
    #expect(
      pool.pool.slots.map { $0.openedDatabase == nil } == [false] + Array(repeating: true, count: 5)
    )
    try pool.read { _ in }
    #expect(openings() == 3)
    #expect(try pool.read(Self.values) == [1])
  }

  @Test func persistentReadersStayOpen() throws {
    let (pool, openings) = try countingPool(isPersistent: true)
    try pool.read { db in _ = try Self.values(db) }
    let before = try #require(pool.pool.slots[1].openedDatabase)
    pool.releaseMemory()
    #expect(pool.pool.slots[1].openedDatabase === before)
    try pool.read { _ in }
    #expect(openings() == 2)
    // Invalidation applies to them too.
    pool.invalidateReadOnlyConnections()
    try pool.read { _ in }
    #expect(openings() == 3)
  }

  @Test func accessesWorkAfterMemoryIsReleased() async throws {
    let queue = try DatabaseQueue(path: path)
    try await queue.write { db in try db.execute(sql: "CREATE TABLE t (a)") }
    queue.releaseMemory()
    try await queue.write { db in
      try db.execute(sql: "INSERT INTO t VALUES (1)")
      db.releaseMemory()
      // Inside an access the memory is released there.
      queue.releaseMemory()
      try db.execute(sql: "INSERT INTO t VALUES (2)")
    }
    #expect(try await queue.read { db in try Self.values(db) } == [1, 2])
    try queue.close()
    queue.releaseMemory()
    let (pool, openings) = try countingPoolOnNewFile()
    try await pool.read { _ in }
    pool.releaseMemoryEventually()
    try await pool.write { _ in }
    try await pool.read { _ in }
    #expect(openings() == 3)
    try pool.close()
    pool.releaseMemory()
    pool.releaseMemoryEventually()
  }

  private func countingPoolOnNewFile() throws -> (DatabasePool, @Sendable () -> Int) {
    let count = Counter()
    var configuration = Configuration()
    configuration.prepareDatabase { _ in count.value.wrappingAdd(1, ordering: .relaxed) }
    let pool = try DatabasePool(path: folder.file("new.db").path, configuration: configuration)
    return (pool, { count.value.load(ordering: .relaxed) })
  }

  // MARK: - Without isolation

  //  reader                      writer
  //  reads: one row
  //                              INSERT, COMMIT
  //  reads: two rows
  @Test func anUnsafeReadSeesConcurrentWrites() async throws {
    let pool = try makePool()
    let first = Gate()
    let written = Gate()
    let reader = OwnThread {
      try pool.unsafeRead { db in
        #expect(!db.isInsideTransaction)
        let before = try Self.values(db)
        first.open()
        written.wait()
        return [before, try Self.values(db)]
      }
    }
    try await onOwnThread { first.wait() }
    try await pool.write { db in try db.execute(sql: "INSERT INTO t VALUES (2)") }
    written.open()
    #expect(try await reader.value == [[1], [1, 2]])
  }

  @Test func anUnsafeReadCannotWrite() async throws {
    for writer in [try makePool(), try DatabaseQueue(path: path)] as [any DatabaseWriter] {
      let error = await #expect(throws: DatabaseError.self) {
        try await writer.unsafeRead { db in try db.execute(sql: "DELETE FROM t") }
      }
      #expect(error?.resultCode == .SQLITE_READONLY)
      let left = await #expect(throws: DatabaseError.self) {
        try await writer.unsafeRead { db in try db.beginTransaction(.deferred) }
      }
      #expect(left?.resultCode == .SQLITE_MISUSE)
    }
  }

  // MARK: - Checks

  /// SQLite's own check, which examines these tables from version 3.44 on, calls them damaged.
  @Test(arguments: ["main", "other"])
  func aReaderFindsFullTextTablesSoundThatTheWriterHasChanged(schema: String) async throws {
    var configuration = Configuration()
    configuration.maximumReaderCount = 1
    let other = folder.file("other.db").path
    configuration.prepareDatabase { db in
      // Where every database is encrypted this one is not: each connection would need its key.
      try db.execute(sql: "ATTACH ? AS other KEY ''", arguments: [other])
    }
    let pool = try makePool(configuration)
    try await pool.write { db in
      try db.execute(
        sql: """
          CREATE VIRTUAL TABLE \(schema).word USING fts5(text);
          CREATE VIRTUAL TABLE \(schema).wordList USING fts5vocab(word, row);
          INSERT INTO word VALUES ('a')
          """)
    }
    let checks: [@Sendable (Database) throws -> [String]] = [
      { db in try db.integrityProblems() },
      { db in
        var lines: [String] = []
        try db.forEachLine(ofCheck: "quick_check", most: 10) { line, _ in lines.append(line) }
        return lines
      },
      { db in try db.linesOfCheck("integrity_check", of: schema == "main" ? "word" : "t") },
    ]
    for check in checks + checks {
      try await pool.write { db in try db.execute(sql: "INSERT INTO word VALUES ('a')") }
      #expect(try await pool.read(check) == [])
      try await pool.write { db in try db.execute(sql: "DELETE FROM word WHERE rowid = 1") }
      #expect(try await pool.unsafeRead(check) == [])
      #expect(try await pool.write(check) == [])
    }
    // Damage is still found, where SQLite looks for it.
    guard Database.sqliteLibVersionNumber >= 3_044_000 else { return }
    try await pool.write { db in
      try db.execute(sql: "DELETE FROM \(schema).word_content WHERE id = 3")
    }
    #expect(try await pool.read { db in try db.integrityProblems() } != [])
  }

  // MARK: - Nested accesses

  @Test func aReentrantReadUsesTheConnectionOfItsRead() throws {
    let pool = try makePool()
    try pool.read { outer in
      try pool.unsafeReentrantRead { inner in
        #expect(inner === outer)
        try pool.unsafeReentrantRead { #expect($0 === outer) }
      }
    }
    let queue = try DatabaseQueue()
    try queue.write { outer in
      try outer.execute(sql: "CREATE TABLE t (a)")
      try queue.unsafeReentrantRead { inner in
        #expect(inner === outer)
        #expect(throws: DatabaseError.self) { try inner.execute(sql: "DELETE FROM t") }
      }
      try outer.execute(sql: "INSERT INTO t VALUES (1)")
      #expect(try queue.unsafeReentrantRead(Self.values) == [1], "not committed yet")
    }
    #expect(try queue.unsafeReentrantRead(Self.values) == [1])
  }

  @Test func aReentrantReadInsideAWriteSeesTheWrite() throws {
    let pool = try makePool()
    try pool.write { outer throws in
      try outer.execute(sql: "INSERT INTO t VALUES (2)")
      try pool.unsafeReentrantRead { inner throws in
        #expect(inner === outer)
        #expect(try Self.values(inner) == [1, 2])
        #expect(throws: DatabaseError.self) { try inner.execute(sql: "DELETE FROM t") }
      }
      // A read of its own sees the previous commit, as everywhere else.
      #expect(try pool.read(Self.values) == [1])
      try outer.execute(sql: "INSERT INTO t VALUES (3)")
    }
    try pool.barrierWriteWithoutTransaction { _ throws in
      #expect(try pool.unsafeReentrantRead(Self.values) == [1, 2, 3])
    }
  }

  @Test func aReentrantWriteUsesTheConnectionOfItsWrite() throws {
    for writer in [try makePool(), try DatabaseQueue(path: path)] as [any DatabaseWriter] {
      try writer.write { outer in
        try writer.unsafeReentrantWrite { inner in
          #expect(inner === outer)
          try inner.execute(sql: "INSERT INTO t VALUES (2)")
        }
      }
      try writer.unsafeReentrantWrite { db in
        #expect(!db.isInsideTransaction)
        #expect(try Self.values(db).contains(2))
        try db.execute(sql: "DELETE FROM t WHERE a = 2")
      }
    }
  }

  @Test func closingInsideAnAccessTraps() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let queue = try DatabaseQueue()
      try queue.blockingRead { _ in try queue.close() }
    }
    expectSentence("not reentrant", in: result)
  }

  @Test func twoThreadsCanCloseAtTheSameTime() async throws {
    let pool = try makePool()
    let reader = try await HeldAccess { hold in try pool.read { _ in hold() } }
    let closings = (0..<2).map { _ in
      OwnThread {
        try pool.close()
        return try !OpenFiles.areKnown || OpenFiles.beginning(with: path).isEmpty
      }
    }
    reader.release()
    for closing in closings { #expect(try await closing.value) }
    try await reader.end()
    #expect(try folder.names == ["t.db"])
  }
}
