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
    ("SELECT 1", "empty"), ("SELECT name FROM sqlite_schema", "sqlite_master(name)"),
    ("INSERT INTO route SELECT id, name FROM stop", "stop(id,name)"),
    ("CREATE TEMP TABLE x AS SELECT Code FROM stop", "stop(Code)"), ("CREATE TABLE x (a)", "empty"),
    ("SELECT count(*) FROM stop", "stop(*)"), ("SELECT id FROM stop ORDER BY rowid", "stop(id)"),
    ("SELECT (SELECT count(*) FROM stop), stop.id FROM stop, route", "route(*),stop(id)"),
    ("SELECT * FROM STOP WHERE id = 1", "stop(Code,id,name)"),
    ("SELECT r.id FROM route r JOIN stop s ON s.name = r.stop", "route(id,stop),stop(name)"),
    ("SELECT rowid FROM search WHERE search MATCH 'quay'", "search(ROWID,search)"),
    ("SELECT snippet(found) FROM found WHERE name MATCH 'quay'", "found(found,name)"),
  ])
  func aStatementHasTheRegionThatItReads(sql: String, expected: String) throws {
    #expect(try region(sql) == expected)
  }

  /// A request that names keys reads only their rows, in its own words and in an access that is tracked.
  @Test func aRequestHasTheRegionOfItsKeys() throws {
    struct Stop: TableRecord, Identifiable, FetchableRecord {
      var id: Int64
      init(row: Row) throws { id = row["id"] }
    }
    struct Special: TableRecord, FetchableRecord {
      static let databaseTableName = "stop"
      static var databaseSelection: [any SQLSelectable] {
        [AllColumns(), SQL(sql: "(SELECT max(id) FROM stop)")]
      }
      init(row: Row) throws {}
    }
    let (id, name) = (Column("id"), Column("name"))
    let stops = Stop.all()
    let cases: [(any FetchRequest, String)] = [
      (stops, ""), (stops.filter(id: 1), "[1]"), (stops.filter(ids: [2, 1]), "[1,2]"),
      (stops.filter(key: ["ID": 3]), "[3]"), (stops.filter(keys: [["id": 3], ["id": 4]]), "[3,4]"),
      (stops.filter(id == 5 && name == "x"), "[5]"), (stops.filter(5 == id || id == 6), "[5,6]"),
      (stops.filter(id == 5 || name == "x"), ""), (stops.filter(id != 5), ""),
      (stops.filter(id: 1).filter([1, 2].contains(id)).limit(1).reversed(), "[1]"),
      (stops.filter(id == "1"), ""), (stops.filter(name == 1), ""), (stops.filter(id === 7), "[7]"),
      (stops.filter(Column.rowID == 8 || id == 9), "[8,9]"),
      (stops.filter([1, nil].contains(id)), "[1]"),
      (stops.filter(![1].contains(id)), ""), (stops.filter(key: ["code": "x"]), ""),
      (stops.filter(id: 1).select(max(id)), "[1]"),
      (stops.filter(id: 1).adapted { _ in EmptyRowAdapter() }, "[1]"),
      (stops.filter(id: 1).filter(Stop.select(max(id)).contains(id)), ""),
      (stops.filter(id: 1).filter(sql: "id IN part"), ""),
      (stops.filter(id: 1).order(sql: "(select 1)"), ""), (Special.filter(key: 1), ""),
      (Table<Row>("part").filter(key: 1), ""),
    ]
    try Connection.inMemory { db throws in
      try db.execute(
        sql: """
          CREATE TABLE stop (id INTEGER PRIMARY KEY, name TEXT, code TEXT UNIQUE);
          CREATE TABLE part (id INTEGER PRIMARY KEY) WITHOUT ROWID;
          INSERT INTO stop VALUES (1, 'x', 'y');
          """)
      func rows(_ region: DatabaseRegion) -> String {
        String(region.description.drop { $0 != "[" })
      }
      // What has no rows depends on nothing.
      for request in [
        stops.none(), stops.filter(id == nil), stops.filter([String]().contains(name)),
        stops.filter(id == 1 && id == 2), stops.filter(key: 1).filter(key: 2),
        stops.filter(ids: []),
      ] {
        #expect(try request.databaseRegion(db).isEmpty)
        #expect(try db.recordingRegion { try Row.fetchAll(db, request) }.region.isEmpty)
      }
      for (request, expected) in cases {
        #expect(try rows(request.databaseRegion(db)) == expected)
        let sql = try request.makeSQL(db).build(db).sql
        for fetch in [
          { _ = try Row.fetchAll(db, request) }, { _ = try Row.fetchOne(db, request) },
          { _ = try request.fetchCount(db) }, { _ = try request.isEmpty(db) },
          { while try Row.fetchCursor(db, request).next() != nil { break } },
        ] as [() throws -> Void] {
          let region = try db.recordingRegion(fetch).region
          #expect(rows(region) == expected, "\(sql)")
        }
      }
      let lookups: [(() throws -> Void, String)] = [
        ({ _ = try Stop.fetchOne(db, key: 1) }, "[1]"), ({ _ = try Stop.exists(db, id: 2) }, "[2]"),
        ({ _ = try Special.fetchOne(db, key: 1) }, ""),
      ]
      for (lookup, expected) in lookups + lookups {
        #expect(try rows(db.recordingRegion(lookup).region) == expected)
      }
      // One run that reads all rows, or other ones, counts besides others of the same statement.
      let sql = try stops.filter(id: 1).makeSQL(db).build(db).sql
      let both = try db.recordingRegion {
        _ = try stops.filter(id: 1).fetchAll(db)
        _ = try stops.filter(id: 2).fetchAll(db)
      }
      #expect(rows(both.region) == "[1,2]")
      let mixed = try db.recordingRegion {
        _ = try stops.filter(id: 1).fetchAll(db)
        _ = try Row.fetchAll(db, sql: sql, arguments: [2])
      }
      #expect(rows(mixed.region) == "")
      // An adapter that reads something else, and then there is no fetch.
      let adapted = stops.filter(id: 1).adapted { db in
        _ = try Row.fetchAll(db, sql: "SELECT code FROM stop")
        throw CancellationError()
      }
      let reading = db.recordingRegion {
        #expect(throws: CancellationError.self) { try Row.fetchAll(db, adapted) }
      }
      #expect(reading.region.description == "stop(code)")
    }
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

  /// What an access copies into another table is read, too.
  @Test func statementsWithoutColumnsAreRecorded() throws {
    try Connection.inMemory { db throws in
      try db.execute(
        sql: "CREATE TABLE a (x, y); CREATE TABLE b (x); CREATE VIEW v AS SELECT y FROM a")
      let cases: [(String, String)] = [
        ("CREATE TEMP TABLE t AS SELECT x FROM a", "a(x)"),
        ("CREATE TEMP TABLE t (x); INSERT INTO t SELECT y FROM v", "a(y)"),
        ("UPDATE b SET x = (SELECT count(*) FROM a)", "a(*)"),
        ("DELETE FROM b WHERE x = 1", "b(x)"),
        ("CREATE TEMP TABLE t (x); PRAGMA foreign_keys; SAVEPOINT s; RELEASE s", "empty"),
        ("CREATE TEMP TABLE t (x); INSERT INTO t VALUES (1); SELECT x FROM t", "empty"),
        ("CREATE TEMP TABLE b (z); SELECT z FROM b; DROP TABLE b; SELECT x FROM b", "b(x)"),
      ]
      for (sql, expected) in cases {
        let region = try db.recordingRegion { try db.execute(sql: sql) }.region
        #expect(region.intersection(DatabaseRegion(table: "v")).isEmpty == !sql.contains("v"))
        #expect(region.description.hasPrefix(expected), "\(sql) \(region)")
        try db.execute(sql: "DROP TABLE IF EXISTS t")
      }
      // Prepared once, it runs again and again.
      let (create, drop) = (
        try db.makeStatement(sql: "CREATE TEMP TABLE IF NOT EXISTS t AS SELECT x FROM a"),
        try db.makeStatement(sql: "DROP TABLE IF EXISTS t")
      )
      for _ in 0..<3 {
        let region = try db.recordingRegion { () throws in
          try create.execute()
          _ = try Row.fetchAll(db, sql: "SELECT x FROM t")
          try drop.execute()
        }.region
        #expect(region.description == "a(x)")
      }
      // A table that exists is not new, whatever a statement would create.
      let existing = try db.recordingRegion { () throws in
        try db.execute(sql: "CREATE TABLE IF NOT EXISTS b (x)")
        _ = try Row.fetchAll(db, sql: "SELECT x FROM b")
      }.region
      #expect(existing.description == "b(x)")
      // The library's own reads of the schema are none of the access.
      let known = try db.recordingRegion { try db.tableExists("a") && !db.tableExists("z") }
      #expect(known.value && known.region.isEmpty)
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
