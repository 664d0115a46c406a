#if os(Linux)
  import Dispatch
  import Foundation
  import HoldfastTestSupport
  import Testing

  @testable import Holdfast

  /// The first law: nobody but SQLite opens a live database.
  ///
  /// Closing any descriptor of the database or of its index ends this process's locks on it. So the
  /// kernel's table tells whether anybody did, whatever was called.
  @Suite struct LiveDatabaseTests {
    private let folder: TemporaryDirectory
    private let url: URL
    private let pool: DatabasePool

    init() throws {
      folder = try TemporaryDirectory()
      url = folder.file("t.db")
      pool = try DatabasePool(path: url.path)
      try pool.write { db in
        try db.execute(sql: "CREATE TABLE t (a); INSERT INTO t VALUES (1)")
      }
    }

    private func held() throws -> [LockTable.Name] {
      try LockTable.locksOfThisProcess(onDatabasesAt: [url]).map(\.name)
    }

    private static let works: [(name: String, work: @Sendable (DatabasePool, URL) throws -> Void)] =
      [
        ("lock table", { _, url in _ = try LockTable(ofDatabaseAt: url) }),
        ("diagnosis", { pool, _ in _ = try pool.diagnose() }),
        (
          "second pool",
          { _, url in
            let second = try DatabasePool(path: url.path)
            _ = try second.read { db in try Row.fetchAll(db, sql: "SELECT * FROM t") }
            try second.write { db in try db.execute(sql: "INSERT INTO t VALUES (2)") }
            try second.close()
          }
        ),
        (
          "read-only queue",
          { _, url in
            var configuration = Configuration()
            configuration.readonly = true
            let queue = try DatabaseQueue(path: url.path, configuration: configuration)
            _ = try queue.diagnose()
            try queue.close()
          }
        ),
        (
          "snapshot",
          { pool, _ in
            let snapshot = try pool.makeSnapshot()
            _ = try snapshot.read { db in try Row.fetchAll(db, sql: "SELECT * FROM t") }
            try snapshot.close()
          }
        ),
        ("backup", { pool, _ in try pool.backup(to: DatabaseQueue()) }),
        ("copy in memory", { _, url in _ = try DatabaseQueue.inMemoryCopy(fromPath: url.path) }),
        (
          "vacuum into",
          { pool, url in
            try pool.vacuum(into: url.deletingLastPathComponent().appending(path: "copy.db").path)
          }
        ),
        ("vacuum", { pool, _ in try pool.vacuum() }),
        ("checkpoint", { pool, _ in try pool.checkpoint(.truncate) }),
        (
          "migration",
          { pool, _ in
            var migrator = DatabaseMigrator()
            migrator.registerMigration("one") { db in try db.execute(sql: "CREATE TABLE u (a)") }
            try migrator.migrate(pool)
          }
        ),
        (
          "readers",
          { pool, _ in
            _ = try pool.read { db in try Row.fetchAll(db, sql: "SELECT * FROM t") }
            pool.invalidateReadOnlyConnections()
            pool.releaseMemory()
          }
        ),
        (
          "busy error",
          { pool, url in
            var configuration = Configuration()
            configuration.busyMode = .immediateError
            let second = try DatabasePool(path: url.path, configuration: configuration)
            try pool.write { _ in
              let error = #expect(throws: DatabaseError.self) { try second.write { _ in } }
              #expect(error?.obstacle == "this process holds WAL WRITE")
            }
            try second.close()
          }
        ),
        (
          "long writes",
          { _, url in
            var configuration = Configuration()
            configuration.longestWriteCount = 3
            let second = try DatabasePool(path: url.path, configuration: configuration)
            try second.write { db in try db.execute(sql: "INSERT INTO t VALUES (3)") }
            #expect(second.longestWrites.count == 1)
            try second.close()
          }
        ),
        (
          "observation",
          { pool, _ in
            let observation = ValueObservation.tracking { db in
              try Int.fetchOne(db, sql: "SELECT count(*) FROM t")
            }
            observation.start(
              in: pool, scheduling: .async(onQueue: DispatchQueue(label: "observation")),
              onError: { _ in }, onChange: { _ in }
            )
            .cancel()
          }
        ),
      ]

    @Test(arguments: works.indices) func theLocksOfAnIdlePoolStay(work: Int) throws {
      #expect(try held() == [.shared, .deadManSwitch])
      try Self.works[work].work(pool, url)
      #expect(try held() == [.shared, .deadManSwitch], "\(Self.works[work].name)")
      try pool.close()
      #expect(try held() == [])
    }

    /// The proof of the proof.
    @Test func anOpeningThatIsNotSQLitesIsSeen() throws {
      _ = try Data(contentsOf: url)
      #expect(try held() == [.deadManSwitch])
    }
  }
#endif
