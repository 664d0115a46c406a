import Foundation
import HoldfastTestSupport
import Synchronization
import Testing

@testable import Holdfast

/// SQLite's busy errors, and whether waiting helps: our advice relies on these facts.
@Suite(.enabled(if: OtherSQLite.isThere, "there is no python3 with sqlite3"))
struct BusyFactTests {
  private static let volumes = TemporaryDirectory.volumes

  private let other: OtherSQLite

  init() throws { other = try OtherSQLite() }

  private func makePool(in folder: TemporaryDirectory, _ busyMode: Database.BusyMode) throws
    -> (pool: DatabasePool, path: String)
  {
    let path = folder.file("t.db").path
    var configuration = Configuration()
    configuration.busyMode = busyMode
    let pool = try DatabasePool(path: path, configuration: configuration)
    try pool.write { db in try db.execute(sql: "CREATE TABLE t (a)") }
    return (pool, path)
  }

  /// A busy callback that counts its calls and never gives up.
  private final class Patience: Sendable {
    private let count = Mutex(0)
    var calls: Int { count.withLock { $0 } }
    var busyMode: Database.BusyMode {
      .callback { _ in
        self.count.withLock { $0 += 1 }
        return true
      }
    }
  }

  /// GR-B8.
  @Test(arguments: volumes)
  func anOutdatedReaderThatWritesIsRefusedWithoutWaiting(volume: URL) throws {
    let folder = try TemporaryDirectory(in: volume)
    let patience = Patience()
    let (pool, path) = try makePool(in: folder, patience.busyMode)
    let error = #expect(throws: DatabaseError.self) {
      try pool.writeWithoutTransaction { db in
        try db.inTransaction(.deferred) {
          _ = try Row.fetchAll(db, sql: "SELECT * FROM t")
          try other.run("INSERT INTO t VALUES ('theirs')", on: path)
          try db.execute(sql: "INSERT INTO t VALUES ('ours')")
          return .commit
        }
      }
    }
    #expect(error?.extendedResultCode == .SQLITE_BUSY_SNAPSHOT)
    #expect(patience.calls == 0)
  }

  @Test(arguments: volumes)
  func aReaderThatWritesWhileAnotherWritesIsRefusedWithoutWaiting(volume: URL) throws {
    let folder = try TemporaryDirectory(in: volume)
    let patience = Patience()
    let (pool, path) = try makePool(in: folder, patience.busyMode)
    let error = #expect(throws: DatabaseError.self) {
      try pool.writeWithoutTransaction { db in
        try db.inTransaction(.deferred) {
          _ = try Row.fetchAll(db, sql: "SELECT * FROM t")
          try other.run("BEGIN IMMEDIATE", on: path)
          try db.execute(sql: "INSERT INTO t VALUES ('ours')")
          return .commit
        }
      }
    }
    #expect(error?.extendedResultCode == .SQLITE_BUSY)
    #expect(patience.calls == 0)
  }

  @Test(arguments: volumes)
  func aHaltedWriterBlocksOnlyWritersUntilItIsKilled(volume: URL) throws {
    let folder = try TemporaryDirectory(in: volume)
    let (pool, path) = try makePool(in: folder, .timeout(0.05))
    try other.run("BEGIN IMMEDIATE", on: path)
    try other.run("INSERT INTO t VALUES ('theirs')", on: path)
    other.halt()
    let error = #expect(throws: DatabaseError.self) {
      try pool.write { db in try db.execute(sql: "INSERT INTO t VALUES ('ours')") }
    }
    #expect(error?.resultCode == .SQLITE_BUSY)
    #expect(try pool.read { db in try Row.fetchAll(db, sql: "SELECT * FROM t").isEmpty })
    other.kill()
    try pool.write { db in try db.execute(sql: "INSERT INTO t VALUES ('ours')") }
    let seen = try pool.read { db in try String.fetchAll(db, sql: "SELECT a FROM t") }
    #expect(seen == ["ours"])
  }
}
