import Foundation
import HoldfastTestSupport
import Testing

@testable import Holdfast
@testable import HoldfastSQLite

/// Reflection, such as `dump`, which must not access what other threads and SQLite use.
@Suite(.timeLimit(.minutes(1))) struct ReflectionTests {
  private let folder: TemporaryDirectory
  private let path: String

  init() throws {
    folder = try TemporaryDirectory()
    path = folder.file("t.db").path
  }

  private static func makePool(at path: String) throws -> DatabasePool {
    var configuration = Configuration()
    configuration.allowsSuspension = true
    let pool = try DatabasePool(path: path, configuration: configuration)
    try pool.write { db in
      try db.execute(sql: "CREATE TABLE t (a); INSERT INTO t VALUES ('hidden')")
      _ = try Row.fetchAll(db, sql: "SELECT a FROM t")
    }
    // Each connection caches the statement, and the statement its last row.
    try pool.read { db in _ = try String.fetchOne(db, sql: "SELECT a FROM t") }
    return pool
  }

  private static func reflection(of value: Any) -> String {
    var text = ""
    dump(value, to: &text)
    return text
  }

  /// In a child process, because a row without its statement ends the process.
  @Test func aDatabaseCanBeDumpedAfterASuspension() async {
    await #expect(processExitsWith: .success) { [path = path as String] in
      try await onOwnThread {
        let pool = try Self.makePool(at: path)
        let snapshot = try pool.makeSnapshot()
        _ = try snapshot.read { db in try Row.fetchOne(db, sql: "SELECT a FROM t") }
        pool.suspend()
        for value in [pool, snapshot, pool.pool, pool.pool.slots] as [Any] {
          let text = Self.reflection(of: value)
          #expect(text.utf8.count < 1000)
          #expect(!text.contains("hidden"))
        }
        #expect(Self.reflection(of: pool).contains(path))
        pool.resume()
        #expect(try pool.read { db in try String.fetchOne(db, sql: "SELECT a FROM t") } == "hidden")
      }
    }
  }

  @Test func aDatabaseCanBeDumpedWhileAnotherThreadReads() async throws {
    let pool = try await onOwnThread { [path] in try Self.makePool(at: path) }
    let isRunning = Gate()
    let isDumped = Gate()
    let reader = OwnThread {
      try pool.read { db in
        let rows = try Row.fetchCursor(db, sql: "SELECT a FROM t")
        _ = try rows.next()
        isRunning.open()
        isDumped.wait()
      }
    }
    try await onOwnThread { isRunning.wait() }
    let texts = [Self.reflection(of: pool), Self.reflection(of: pool.pool)]
    isDumped.open()
    try await reader.value
    for text in texts { #expect(!text.contains("hidden") && text.utf8.count < 1000) }
  }

  @Test func borrowedObjectsAreDescribedByTheirNames() throws {
    let queue = try DatabaseQueue(path: path)
    try queue.write { db in
      let statement = try db.makeStatement(sql: "SELECT 'hidden' AS a")
      let rows = try Row.fetchCursor(statement)
      let row = try rows.next()
      #expect(Self.reflection(of: db).contains(path))
      #expect(Self.reflection(of: statement).contains("AS a"))
      #expect(Self.reflection(of: rows).split(separator: "\n").count == 1)
      #expect(Self.reflection(of: db.handle).split(separator: "\n").count == 1)
      // A row is reflected as its names and values.
      #expect(row.map { Self.reflection(of: $0) } == "- \(row?.description ?? "") #0\n")
    }
    #expect(Self.reflection(of: queue).contains(path))
  }
}
