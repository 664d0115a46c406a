import Foundation
import HoldfastTestSupport
import Testing

@testable import Holdfast

/// Named databases in memory.
@Suite(.timeLimit(.minutes(1))) struct SharedMemoryTests {
  private static func values(_ db: Database) throws -> [Int] {
    try Int.fetchAll(db, sql: "SELECT a FROM t ORDER BY a")
  }

  @Test func queuesWithOneNameShareTheirDatabase() throws {
    // Text is never syntax, not even that of a URL.
    for name in ["harbour", "a b?mode=ro&cache=private#c%20/é'\"", ""] {
      let name = name + UUID().uuidString
      let queue = try DatabaseQueue(named: name)
      #expect(queue.path == nil)
      try queue.write { db in
        try db.execute(sql: "CREATE TABLE t (a); INSERT INTO t VALUES (1)")
      }
      let other = try DatabaseQueue(named: name)
      #expect(try other.read(Self.values) == [1])
      try other.write { db in try db.execute(sql: "INSERT INTO t VALUES (2)") }
      #expect(try queue.read(Self.values) == [1, 2])
      #expect(try DatabaseQueue(named: name + "!").read { db in try !db.tableExists("t") })
    }
    #expect(try DatabaseQueue(named: "").read { db in try !db.tableExists("t") })
  }

  @Test func theDatabaseEndsWithItsLastQueue() throws {
    let name = UUID().uuidString
    do {
      let queue = try DatabaseQueue(named: name)
      try queue.write { db in try db.execute(sql: "CREATE TABLE t (a)") }
      let other = try DatabaseQueue(named: name)
      try queue.close()
      #expect(try other.read(Self.values) == [])
    }
    #expect(try DatabaseQueue(named: name).read { db in try !db.tableExists("t") })
  }

  /// It waits as the busy mode says and does not fail immediately.
  @Test func aWriteWaitsForTheOtherQueue() async throws {
    let name = UUID().uuidString
    let holder = try DatabaseQueue(named: name)
    try await holder.write { db in try db.execute(sql: "CREATE TABLE t (a)") }
    let waits = Gate()
    var configuration = Configuration()
    configuration.busyMode = .callback { _ in
      waits.open()
      return true
    }
    let queue = try DatabaseQueue(named: name, configuration: configuration)
    let inside = Gate()
    let leave = Gate()
    let holding = OwnThread {
      try holder.write { db in
        try db.execute(sql: "INSERT INTO t VALUES (1)")
        inside.open()
        leave.wait()
      }
    }
    try await onOwnThread { inside.wait() }
    let write = OwnThread {
      try queue.write { db in try db.execute(sql: "INSERT INTO t VALUES (2)") }
    }
    try await onOwnThread { waits.wait() }
    leave.open()
    try await holding.value
    try await write.value
    #expect(try await queue.read { db in try Self.values(db) } == [1, 2])
  }

  @Test func aNameWithANULIsRefused() {
    #expect(throws: DatabaseError.self) { try DatabaseQueue(named: "a\0b") }
  }
}
