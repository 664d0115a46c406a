import HoldfastSQLite
import Testing

@Suite struct StatementRegionTests {
  private func region(_ sql: String) throws -> String {
    try Connection.inMemory { db throws in
      try db.execute(
        sql: """
          CREATE TABLE stop (id INTEGER PRIMARY KEY, name TEXT, Code TEXT);
          CREATE TABLE route (id INTEGER PRIMARY KEY, stop INTEGER REFERENCES stop);
          CREATE VIEW named AS SELECT id FROM stop WHERE name IS NOT NULL;
          CREATE VIRTUAL TABLE search USING fts5(name); CREATE VIRTUAL TABLE found USING fts4(name);
          """)
      return try db.makeStatement(sql: sql).databaseRegion.description
    }
  }

  @Test(arguments: [
    ("SELECT name, Code FROM stop", "stop(Code,name)"),
    ("SELECT 1", "empty"), ("SELECT name FROM sqlite_schema", "empty"),
    ("SELECT count(*) FROM stop", "stop(*)"),
    ("SELECT * FROM STOP WHERE id = 1", "stop(Code,id,name)"),
    ("SELECT r.id FROM route r JOIN stop s ON s.name = r.stop", "route(id,stop),stop(name)"),
    ("SELECT rowid FROM search WHERE search MATCH 'quay'", "search(ROWID,search)"),
    ("SELECT snippet(found) FROM found WHERE name MATCH 'quay'", "found(found,name)"),
  ])
  func aStatementHasTheRegionThatItReads(sql: String, expected: String) throws {
    #expect(try region(sql) == expected)
  }

  @Test func theTablesOfAViewAreInTheRegion() throws {
    let region = try region("SELECT * FROM named")
    #expect(region.contains("stop(id,name)"))
    // Including the view itself, because it may be dropped and recreated.
    #expect(region.contains("named("))
    #expect(try self.region("SELECT (SELECT count(*) FROM named)").contains("named("))
  }

  @Test func theRegionFollowsTheSchema() throws {
    try Connection.inMemory { db throws in
      try db.execute(
        sql: "CREATE TABLE a (x); CREATE TABLE b (x); CREATE VIEW v AS SELECT x FROM a")
      let statement = try db.makeStatement(sql: "SELECT * FROM v")
      #expect(statement.databaseRegion.description.contains("a(x)"))
      try db.execute(sql: "DROP VIEW v; CREATE VIEW v AS SELECT x FROM b")
      try statement.execute()
      #expect(statement.databaseRegion.description.contains("b(x)"))
    }
  }

  @Test func theRegionThatAnAccessReadsIsRecorded() throws {
    try Connection.inMemory { db throws in
      try db.execute(
        sql: """
          CREATE TABLE a (x, y); CREATE TABLE b (x); CREATE TABLE c (x); CREATE TABLE d (z);
          """)
      let (value, region) = try db.recordingRegion {
        try db.registerAccess(to: DatabaseRegion(table: "c", rowIDs: [7]))
        _ = try Int.fetchAll(db, sql: "SELECT x FROM b")
        let inner = try db.recordingRegion { try Int.fetchOne(db, sql: "SELECT max(y) FROM a") }
        #expect(inner.region.description == "a(y)")
        _ = try Int.fetchAll(db, sql: "SELECT z FROM d")
        return 5
      }
      #expect(value == 5)
      #expect(region.description == "a(y),b(x),c(*)[7],d(z)")
    }
  }
}
