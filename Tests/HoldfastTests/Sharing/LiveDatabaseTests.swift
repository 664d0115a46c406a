#if os(Linux)
  import Dispatch
  import Foundation
  import HoldfastTestSupport
  import Testing

  @testable import Holdfast

  /// The first law: only SQLite opens a live database.
  ///
  /// Closing any descriptor of the database or of its index releases this process's locks on it.
  /// The kernel's table therefore shows whether any code did so, and a trace of the process's
  /// system calls shows which code opened the files.
  @Suite(
    .enabled(if: OtherSQLite.isThere, "there is no python3 with sqlite3"), .timeLimit(.minutes(2)))
  struct LiveDatabaseTests {
    private let folder: TemporaryDirectory
    private let url: URL
    private let pool: DatabasePool

    init() throws {
      folder = try TemporaryDirectory()
      url = folder.file("t.db")
      pool = try Self.makePool(at: url)
    }

    private static func makePool(at url: URL) throws -> DatabasePool {
      var configuration = Configuration()
      configuration.allowsSuspension = true
      configuration.historyAuthor = "app"
      let pool = try DatabasePool(path: url.path, configuration: configuration)
      try pool.blockingWrite { db in
        try db.execute(sql: "CREATE TABLE t (a); INSERT INTO t VALUES (1)")
      }
      return pool
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
        (
          "observation of a foreign commit",
          { pool, url in
            let isSeen = Gate()
            let observation = ValueObservation.tracking { db in
              try Int.fetchOne(db, sql: "SELECT max(a) FROM t")
            }
            let cancellable = observation.start(
              in: pool, scheduling: .async(onQueue: DispatchQueue(label: "observation")),
              onError: { Issue.record($0) }, onChange: { if $0 == 99 { isSeen.open() } })
            let other = try OtherSQLite()
            try other.run("INSERT INTO t VALUES (99)", on: url.path)
            isSeen.wait()
            cancellable.cancel()
          }
        ),
        (
          "external changes, by address",
          { _, url in
            let isSeen = try Self.firstChange(ofDatabaseAt: url)
            let other = try OtherSQLite()
            try other.run("INSERT INTO t VALUES (98)", on: url.path)
            isSeen.wait()
          }
        ),
        (
          "shared opening",
          { _, url in
            var migrator = DatabaseMigrator()
            migrator.registerMigration("shared") { db in try db.execute(sql: "CREATE TABLE v (a)") }
            let second = try DatabasePool.shared(at: url, migrator: migrator)
            try second.write { db in try db.execute(sql: "INSERT INTO v VALUES (1)") }
            try second.close()
          }
        ),
        (
          "shared opening for reading",
          { _, url in
            let reader = try #require(try DatabasePool.sharedReadOnly(at: url))
            _ = try reader.read { db in try Row.fetchAll(db, sql: "SELECT * FROM t") }
            try reader.close()
          }
        ),
        (
          "read-only file",
          { _, url in
            let queue = try DatabaseQueue(readOnlyFileAt: url, isNeverModified: false)
            try queue.close()
          }
        ),
        (
          "suspension",
          { pool, _ in
            #expect(pool.suspend().isFree)
            pool.resume()
            try pool.write { db in try db.execute(sql: "INSERT INTO t VALUES (4)") }
          }
        ),
        (
          "suspension of a second pool",
          { _, url in
            var configuration = Configuration()
            configuration.allowsSuspension = true
            let second = try DatabasePool(path: url.path, configuration: configuration)
            _ = try second.read { db in try Row.fetchAll(db, sql: "SELECT * FROM t") }
            _ = second.suspend()
            try second.close()
          }
        ),
        (
          "history",
          { pool, _ in
            try pool.write { db in
              try db.execute(sql: "CREATE TABLE w (id INTEGER PRIMARY KEY, a)")
              try ChangeHistory.install(on: db, tables: ["w"])
              try db.execute(sql: "INSERT INTO w (a) VALUES (1)")
            }
            let changes = try pool.read { db in try ChangeHistory.changes(db, after: nil) }.changes
            #expect(changes.map(\.author) == ["app"])
          }
        ),
      ]

    /// Returns a gate that opens when another process has committed.
    private static func firstChange(ofDatabaseAt url: URL) throws -> Gate {
      var changes = try ExternalChanges(databaseAt: url).makeAsyncIterator()
      let isSeen = Gate()
      Task {
        _ = await changes.next()
        isSeen.open()
      }
      return isSeen
    }

    @Test(arguments: works.indices) func theLocksOfAnIdlePoolAreKept(work: Int) async throws {
      #expect(try held() == [.shared, .deadManSwitch])
      try await onOwnThread { [pool, url] in try Self.works[work].work(pool, url) }
      #expect(try held() == [.shared, .deadManSwitch], "\(Self.works[work].name)")
      try pool.close()
      #expect(try held() == [])
    }

    /// Verifies the method of the test.
    @Test func anOpeningOutsideSQLiteIsDetected() throws {
      _ = try Data(contentsOf: url)
      #expect(try held() == [.deadManSwitch])
    }

    /// SQLite opens its files with `O_NOFOLLOW`, and no other code opens them.
    @Test(.enabled(if: SystemCallTrace.isPossible, "there is no strace, or it may not trace"))
    func onlySQLiteOpensTheFiles() async throws {
      let trace = folder.file("trace")
      await #expect(processExitsWith: .success) {
        [folder = folder.url as URL, trace = trace as URL] in
        try await onOwnThread {
          let running = try SystemCallTrace(of: getpid(), to: trace)
          for (name, work) in Self.works {
            let place = folder.appending(path: name)
            try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
            let url = place.appending(path: "live.db")
            let pool = try Self.makePool(at: url)
            try work(pool, url)
            try pool.close()
          }
          // Verifies the method of the test.
          try Data().write(to: folder.appending(path: "live.db"))
          running.end()
        }
      }
      let openings = try SystemCallTrace.openings(in: trace).filter { call in
        ["/live.db\"", "/live.db-shm\""].contains { call.contains($0) }
      }
      let (sqlites, others) = (
        openings.filter { $0.contains("O_NOFOLLOW") },
        openings.filter { !$0.contains("O_NOFOLLOW") }
      )
      for name in Self.works.map(\.name) {
        #expect(sqlites.contains { $0.contains("/\(name)/live.db\"") })
      }
      #expect(others.count == 1 && others == openings.suffix(1), "\(others)")
    }
  }
#endif
