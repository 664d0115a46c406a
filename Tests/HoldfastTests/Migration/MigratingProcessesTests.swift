import Foundation
import Holdfast
import HoldfastTestSupport
import Testing

/// Several processes that migrate one file at the same time.
@Suite struct MigratingProcessesTests {
  /// Each migration would fail if it ran twice.
  private static var migrator: DatabaseMigrator {
    var migrator = DatabaseMigrator()
    for number in 1...8 {
      migrator.registerMigration("m\(number)") { db in
        try db.execute(sql: "CREATE TABLE t\(number) (x)")
        try db.execute(
          sql: "INSERT INTO t\(number) VALUES (?)",
          arguments: [ProcessInfo.processInfo.processIdentifier])
      }
    }
    return migrator
  }

  private static func migrate(_ path: String) async {
    await #expect(processExitsWith: .success) { [path = path as String] in
      var configuration = Configuration()
      configuration.busyMode = .timeout(60)
      let pool = try DatabasePool(path: path, configuration: configuration)
      try await Self.migrator.migrate(pool)
      #expect(try await pool.read { db in try Self.migrator.hasCompletedMigrations(db) })
    }
  }

  @Test(.timeLimit(.minutes(2))) func eachMigrationRunsInOneProcess() async throws {
    let folder = try TemporaryDirectory()
    let path = folder.file("a.db").path
    await withTaskGroup { group in
      for _ in 1...4 {
        group.addTask { await Self.migrate(path) }
      }
    }
    let queue = try DatabaseQueue(path: path)
    for number in 1...8 {
      let count = try await queue.read { db in
        try Int.fetchOne(db, sql: "SELECT count(*) FROM t\(number)")
      }
      #expect(count == 1)
    }
  }

  @Test(.timeLimit(.minutes(1))) func aWaitingProcessFindsTheMigrationApplied() async throws {
    let folder = try TemporaryDirectory()
    let path = folder.file("a.db").path
    let holds = try Signal(at: folder.file("holds").path)
    let goesOn = try Signal(at: folder.file("goes-on").path)
    let waits = Gate()
    var configuration = Configuration()
    configuration.busyMode = .callback { _ in
      waits.open()
      return true
    }
    let pool = try DatabasePool(path: path, configuration: configuration)

    // theirs: BEGIN IMMEDIATE · m1 ·························· COMMIT
    // ours:                        finds nothing · BEGIN waits ······ finds m1 applied
    let ours = OwnThread {
      try holds.wait()
      defer { try? goesOn.send() }
      let waiting = OwnThread {
        defer { waits.open() }
        try Self.one.migrate(pool)
      }
      waits.wait()
      try goesOn.send()
      return waiting
    }
    await #expect(processExitsWith: .success) {
      [path = path as String, holds = holds.path as String, goesOn = goesOn.path as String] in
      var migrator = DatabaseMigrator()
      migrator.registerMigration("m1") { db in
        try db.execute(sql: "CREATE TABLE t (x); INSERT INTO t VALUES ('theirs')")
        try Signal(at: holds).send()
        try Signal(at: goesOn).wait()
      }
      try await migrator.migrate(DatabaseQueue(path: path))
    }
    try holds.send()
    try await ours.value.value
    #expect(
      try await pool.read { db in try String.fetchAll(db, sql: "SELECT x FROM t") } == ["theirs"])
  }

  private static var one: DatabaseMigrator {
    var migrator = DatabaseMigrator()
    migrator.registerMigration("m1") { db in
      try db.execute(sql: "CREATE TABLE t (x); INSERT INTO t VALUES ('ours')")
    }
    return migrator
  }
}
