import Foundation
import HoldfastTestSupport
import Testing

@testable import Holdfast

@Suite struct DatabaseSnapshotTests {
  private let folder: TemporaryDirectory
  private let path: String
  private let pool: DatabasePool

  init() throws {
    folder = try TemporaryDirectory()
    path = folder.file("t.db").path
    pool = try DatabasePool(path: path)
    try pool.write { db in try db.execute(sql: "CREATE TABLE t (a); INSERT INTO t VALUES (1)") }
  }

  private static func values(_ db: Database) throws -> [Int] {
    try Int.fetchAll(db, sql: "SELECT a FROM t ORDER BY a")
  }

  private static func insert(_ value: Int, into db: Database) throws {
    try db.execute(sql: "INSERT INTO t VALUES (?)", arguments: [value])
  }

  @Test func everyAccessSeesTheSameState() async throws {
    let snapshot = try pool.makeSnapshot()
    try await pool.write { db in try Self.insert(2, into: db) }
    #expect(try snapshot.blockingRead(Self.values) == [1])
    try await pool.write { db in try db.execute(sql: "DROP TABLE t") }
    #expect(try await snapshot.read { db in try Self.values(db) } == [1])
    #expect(try await snapshot.unsafeRead { db in try Self.values(db) } == [1])
    let reader: any DatabaseSnapshotReader = snapshot
    let nested = try reader.blockingRead { _ in try reader.reentrantRead(Self.values) }
    #expect(nested == [1])
    #expect(try await pool.read { db in try !db.tableExists("t") })
    #expect(snapshot.path == path)
    #expect(snapshot.configuration.readonly)
  }

  @Test func aSnapshotSeesTheStateOfItsCreation() throws {
    let snapshot = try pool.makeSnapshot()
    // The snapshot had no access before the write.
    try pool.write { db in try Self.insert(2, into: db) }
    #expect(try snapshot.read(Self.values) == [1])
  }

  @Test func aSnapshotBetweenTwoTransactionsSeesTheFirst() throws {
    let snapshot = try pool.writeWithoutTransaction { db in
      try Self.insert(2, into: db)
      let snapshot = try pool.makeSnapshot()
      try Self.insert(3, into: db)
      return snapshot
    }
    #expect(try snapshot.read(Self.values) == [1, 2])
    #expect(try pool.read(Self.values) == [1, 2, 3])
  }

  @Test func aSnapshotInsideATransactionTraps() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      [path = path + "-other" as String] in
      let pool = try DatabasePool(path: path)
      try pool.blockingWrite { _ in _ = try pool.makeSnapshot() }
    }
    expectSentence("A snapshot was started inside a transaction", in: result)
  }

  @Test func aSnapshotCannotWrite() throws {
    let snapshot = try pool.makeSnapshot()
    let error = #expect(throws: DatabaseError.self) {
      try snapshot.read { db in try Self.insert(2, into: db) }
    }
    #expect(error?.resultCode == .SQLITE_READONLY)
    #expect(try snapshot.read(Self.values) == [1])
  }

  @Test(arguments: ["COMMIT", "ROLLBACK", "COMMIT; BEGIN", "COMMIT; BEGIN; SELECT * FROM t"])
  func anAccessThatEndsTheTransactionInvalidatesTheSnapshot(sql: String) throws {
    let snapshot = try pool.makeSnapshot()
    try pool.write { db in try Self.insert(2, into: db) }
    for access: (Database) throws -> Void in [
      { try $0.execute(sql: sql) }, { _ = try Self.values($0) },
    ] {
      let error = #expect(throws: DatabaseError.self) { try snapshot.read(access) }
      #expect(error?.resultCode == .SQLITE_ABORT)
      #expect(error?.message?.contains("The snapshot is lost") == true)
    }
  }

  @Test func anErrorOfAnAccessKeepsTheSnapshot() throws {
    let snapshot = try pool.makeSnapshot()
    #expect(throws: DatabaseError.self) {
      try snapshot.read { db in try db.execute(sql: "SELECT nothing") }
    }
    try pool.write { db in try Self.insert(2, into: db) }
    #expect(try snapshot.read(Self.values) == [1])
  }

  @Test func aSnapshotOutlivesItsPoolAndReleasesTheFile() throws {
    do {
      let snapshot = try pool.makeSnapshot()
      try pool.close()
      #expect(try snapshot.read(Self.values) == [1])
      #expect(throws: DatabaseError.self) { try pool.makeSnapshot() }
    }
    guard OpenFiles.areKnown else { return }
    #expect(try OpenFiles.beginning(with: path) == [])
  }

  @Test func aClosedSnapshotRefusesEveryAccess() throws {
    let snapshot = try pool.makeSnapshot()
    try snapshot.close()
    try snapshot.close()
    let error = #expect(throws: DatabaseError.self) { try snapshot.read { _ in } }
    #expect(error?.resultCode == .SQLITE_MISUSE)
    // Its read transaction no longer limits the checkpoint.
    let frames = try pool.checkpoint(.truncate)
    #expect(frames.walFrameCount == 0)
  }

  @Test func aFileCanBeOpenedAsASnapshot() throws {
    let snapshot = try DatabaseSnapshot(path: path)
    try pool.write { db in try Self.insert(2, into: db) }
    #expect(try snapshot.read(Self.values) == [1])
  }

  @Test func aFileWithoutWriteAheadLogCannotBeOpenedAsASnapshot() throws {
    let other = folder.file("other.db").path
    try DatabaseQueue(path: other).write { db in try db.execute(sql: "CREATE TABLE t (a)") }
    let error = #expect(throws: DatabaseError.self) { try DatabaseSnapshot(path: other) }
    #expect(error?.message?.contains("the journal mode is delete") == true)
    let missing = folder.file("missing.db").path
    let open = #expect(throws: DatabaseError.self) { try DatabaseSnapshot(path: missing) }
    #expect(open?.resultCode == .SQLITE_CANTOPEN)
  }

  @Test func aSnapshotIsPreparedLikeItsPool() throws {
    var configuration = Configuration()
    configuration.prepareDatabase { db in try db.execute(sql: "PRAGMA cache_size = 123") }
    let other = try DatabasePool(path: path, configuration: configuration)
    let size = try other.makeSnapshot().read { db in
      try Int.fetchOne(db, sql: "PRAGMA cache_size")
    }
    #expect(size == 123)
  }

  @Test func snapshotsAreNotCountedAsReaders() throws {
    var configuration = Configuration()
    configuration.maximumReaderCount = 1
    let other = try DatabasePool(path: path, configuration: configuration)
    let snapshots = try (0..<3).map { _ in try other.makeSnapshot() }
    let values = try snapshots.map { snapshot in
      try snapshot.read { db in try Self.values(db) + other.read(Self.values) }
    }
    #expect(values == [[1, 1], [1, 1], [1, 1]])
  }

  @Test func anotherProcessCanWriteDuringASnapshot() async throws {
    let snapshot = try pool.makeSnapshot()
    await #expect(processExitsWith: .success) { [path = path as String] in
      try DatabasePool(path: path).blockingWrite { db in
        try db.execute(sql: "INSERT INTO t VALUES (2)")
      }
    }
    #expect(try await snapshot.read { db in try Self.values(db) } == [1])
    #expect(try await pool.read { db in try Self.values(db) } == [1, 2])
  }
}
