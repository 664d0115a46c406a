import Foundation
import HoldfastSQLite
import HoldfastTestSupport
import Testing

@Suite struct SchemaCacheTests {
  private func columns(_ db: Database) throws -> [String] {
    try db.columns(in: "stop").map(\.name)
  }

  @Test(arguments: [
    "ALTER TABLE stop ADD COLUMN y", "/* a; */ -- b\n alter table stop add column y",
    "DROP TABLE stop; CREATE TABLE stop (x, y)", "BEGIN; ALTER TABLE stop ADD COLUMN y; COMMIT",
    "SAVEPOINT a; ALTER TABLE stop ADD COLUMN y; RELEASE a",
    "CREATE TEMP TABLE stop (x, y)",
  ])
  func ownChangesAreSeen(sql: String) throws {
    try Connection.inMemory { db throws in
      try db.execute(sql: "CREATE TABLE stop (x)")
      for _ in 1...2 { #expect(try columns(db) == ["x"]) }
      try db.execute(sql: sql)
      for _ in 1...2 { #expect(try columns(db) == ["x", "y"]) }
    }
  }

  @Test func aRolledBackChangeIsForgotten() throws {
    try Connection.inMemory { db throws in
      try db.execute(sql: "CREATE TABLE stop (x)")
      try db.inTransaction { () throws in
        try db.execute(sql: "ALTER TABLE stop ADD COLUMN y")
        #expect(try columns(db) == ["x", "y"])
        return .rollback
      }
      // The same number of changes leads to the same version.
      try db.execute(sql: "ALTER TABLE stop ADD COLUMN z")
      #expect(try columns(db) == ["x", "z"])
      try db.inTransaction { () throws in
        try db.inSavepoint { () throws in
          try db.execute(sql: "ALTER TABLE stop ADD COLUMN y")
          #expect(try columns(db) == ["x", "z", "y"])
          return .rollback
        }
        #expect(try columns(db) == ["x", "z"])
        return .commit
      }
    }
  }

  @Test func aChangeRolledBackBySQLiteIsForgotten() throws {
    let folder = try TemporaryDirectory()
    let path = folder.url.appending(path: "a.db").path
    let own = try Connection(path)
    let other = try Connection(path)
    try own.withAccess { db throws in
      try db.execute(sql: "CREATE TABLE stop (x UNIQUE); INSERT INTO stop VALUES (1)")
      _ = try? db.inTransaction { () throws in
        try db.execute(sql: "ALTER TABLE stop ADD COLUMN y")
        #expect(try columns(db) == ["x", "y"])
        try db.execute(sql: "INSERT OR ROLLBACK INTO stop VALUES (1, 1)")
        return .commit
      }
      try other.withAccess { try $0.execute(sql: "ALTER TABLE stop ADD COLUMN z") }
      #expect(try columns(db) == ["x", "z"])
    }
  }

  @Test func changesByOtherConnectionsAreSeen() throws {
    let folder = try TemporaryDirectory()
    let path = folder.url.appending(path: "a.db").path
    let own = try Connection(path)
    let other = try Connection(path)
    try own.withAccess { try $0.execute(sql: "CREATE TABLE stop (x)") }
    try own.withAccess { db throws in #expect(try columns(db) == ["x"]) }
    try other.withAccess { try $0.execute(sql: "ALTER TABLE stop ADD COLUMN y") }
    try own.withAccess { db throws in
      #expect(try columns(db) == ["x", "y"])
      try other.withAccess { try $0.execute(sql: "CREATE INDEX i ON stop (y)") }
      #expect(try db.indexes(on: "stop").map(\.name) == ["i"])
      try db.inTransaction { () throws in
        #expect(try !db.tableExists("line"))
        return .commit
      }
      try other.withAccess { try $0.execute(sql: "CREATE TABLE line (x)") }
      try db.inTransaction { () throws in
        #expect(try db.tableExists("line"))
        return .commit
      }
    }
  }

  @Test func aTransactionReadsTheVersionOnce() throws {
    // A lookup that went to SQLite would fail here: the access is interrupted.
    let own = try Connection()
    try own.withAccess { db throws in
      try db.execute(sql: "CREATE TABLE stop (id INTEGER PRIMARY KEY); BEGIN")
      _ = try db.primaryKey("stop")
      db.interruption()
      defer { db.interruption.reset() }
      #expect(try db.primaryKey("stop").columns == ["id"])
      #expect(throws: DatabaseError.self) { try db.columns(in: "other") }
      db.clearSchemaCache()
      #expect(throws: DatabaseError.self) { try db.primaryKey("stop") }
    }
  }
}
