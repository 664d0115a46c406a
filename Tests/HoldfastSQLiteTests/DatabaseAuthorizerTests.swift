import HoldfastSQLite
import HoldfastTestSupport
import Testing

@Suite struct DatabaseAuthorizerTests {
  private final class Log {
    var actions: [Database.Action] = []
  }

  private func withTable(_ body: (Database) throws -> Void) throws {
    try Connection.inMemory { db in
      try db.execute(
        sql: """
          CREATE TABLE t (a, b);
          CREATE TABLE log (x);
          CREATE TRIGGER noted AFTER INSERT ON t BEGIN INSERT INTO log VALUES (new.a); END;
          INSERT INTO t VALUES (1, 2);
          """)
      try body(db)
    }
  }

  @Test func whatAStatementWillDoIsTold() throws {
    try withTable { db throws in
      let log = Log()
      db.authorize { action in
        log.actions.append(action)
        return .allow
      }
      _ = try Row.fetchAll(db, sql: "SELECT a FROM t")
      #expect(log.actions.map(\.kind) == [.select, .read])
      let read = try #require(log.actions.last)
      #expect(read.first == "t" && read.second == "a")
      #expect(read.schema == "main" && read.trigger == nil)
      log.actions = []
      try db.execute(sql: "INSERT INTO t VALUES (3, 4)")
      #expect(log.actions.contains { $0.kind == .insert && $0.first == "t" && $0.trigger == nil })
      #expect(
        log.actions.contains { $0.kind == .insert && $0.first == "log" && $0.trigger == "noted" })
    }
  }

  @Test func whatIsRefusedIsAnError() throws {
    try withTable { db throws in
      // A statement that lies in the cache is asked for again.
      #expect(try Int.fetchOne(db, sql: "SELECT b FROM t") == 2)
      db.authorize { $0.kind == .read && $0.second == "b" ? .deny : .allow }
      let error = try databaseError { _ = try Int.fetchOne(db, sql: "SELECT b FROM t") }
      #expect(error.resultCode == .SQLITE_AUTH)
      #expect(error.message == "access to t.b is prohibited")
      #expect(try Int.fetchOne(db, sql: "SELECT a FROM t") == 1)
    }
  }

  @Test func whatIsIgnoredReadsAsNull() throws {
    try withTable { db throws in
      db.authorize { $0.second == "b" ? .ignore : .allow }
      let row = try #require(try Row.fetchOne(db, sql: "SELECT a, b FROM t"))
      #expect(row.databaseValues == [1, nil])
    }
  }

  @Test func everythingIsAllowedAgain() throws {
    try withTable { db throws in
      db.authorize { _ in .deny }
      #expect(throws: DatabaseError.self) { try db.execute(sql: "SELECT a FROM t") }
      db.authorize(nil)
      #expect(try Int.fetchOne(db, sql: "SELECT a FROM t") == 1)
    }
  }
}
