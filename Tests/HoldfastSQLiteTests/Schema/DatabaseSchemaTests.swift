import Foundation
import HoldfastSQLite
import HoldfastTestSupport
import Testing

@Suite struct DatabaseSchemaTests {
  @Test func tablesViewsAndTriggersAreDistinguished() throws {
    try Connection.inMemory { db throws in
      try db.execute(
        sql: """
          CREATE TABLE Stop (id INTEGER PRIMARY KEY);
          CREATE VIEW station AS SELECT * FROM Stop;
          CREATE TRIGGER noted AFTER INSERT ON Stop BEGIN SELECT 1; END;
          CREATE TEMP TABLE scratch (x);
          CREATE VIRTUAL TABLE words USING fts5 (w);
          ATTACH DATABASE ':memory:' AS other;
          CREATE TABLE other.far (x);
          """)
      #expect(try db.tableExists("stop"))
      #expect(try db.tableExists("scratch"))
      #expect(try db.tableExists("words"))
      #expect(try db.tableExists("far"))
      #expect(try !db.tableExists("station"))
      #expect(try !db.tableExists("noted"))
      #expect(try db.viewExists("STATION"))
      #expect(try !db.viewExists("stop"))
      #expect(try db.triggerExists("NOTED"))
      #expect(try !db.triggerExists("stop"))
      #expect(try db.tableExists("far", in: "other"))
      #expect(try !db.tableExists("far", in: "main"))
      #expect(try db.tableExists("scratch", in: "temp"))
      #expect(try !db.tableExists("stop", in: "temp"))
      #expect(try !db.tableExists("stop' OR '1'='1"))
      #expect(try !db.tableExists("\"stop\""))
    }
  }

  /// A source of keys, which writes down for which views it is asked.
  private struct Keys: DatabaseSchemaSource {
    let columns: [String: [String]]
    func columnsForPrimaryKey(_ db: Database, inView view: DatabaseObjectID) throws -> [String]? {
      // Asked again by the source itself, the view has no key.
      #expect(throws: DatabaseError.self) {
        try db.primaryKey(view.name, in: view.schemaID.name)
      }
      let schema = view.schemaID.name + "." + view.schemaID.schemaTableName
      #expect(
        try Bool.fetchOne(
          db,
          literal: "SELECT count(*) FROM \(sql: schema) WHERE name = \(view.name) COLLATE NOCASE")
          == true)
      return columns[view.name]
    }
  }

  @Test func aSourceNamesThePrimaryKeyOfAView() throws {
    struct Person: Codable, Identifiable, FetchableRecord, MutablePersistableRecord, Equatable {
      static let databaseTableName = "detail"
      var id: String
      var name: String
      var inserted = false
      enum CodingKeys: CodingKey { case id, name }
      mutating func didInsert(_ success: InsertionSuccess) { inserted = success.rowIDColumn == nil }
    }
    struct Silent: DatabaseSchemaSource {}
    var configuration = Configuration()
    configuration.schemaSource = Silent().then(Keys(columns: ["detail": ["ID"], "gone": []])).then(
      Keys(columns: ["scratch": ["x"], "gone": ["id"], "wrong": ["nothing"]]))
    try Connection(nil, configuration).withAccess { db throws in
      try db.execute(
        sql: """
          CREATE TABLE person (key TEXT PRIMARY KEY, name TEXT);
          CREATE VIEW detail AS SELECT key AS id, name FROM person;
          CREATE TRIGGER i INSTEAD OF INSERT ON detail BEGIN
            INSERT INTO person VALUES (new.id, new.name); END;
          CREATE TRIGGER u INSTEAD OF UPDATE ON detail BEGIN
            UPDATE person SET name = new.name WHERE key = old.id; END;
          CREATE TRIGGER d INSTEAD OF DELETE ON detail BEGIN
            DELETE FROM person WHERE key = old.id; END;
          CREATE VIEW gone AS SELECT 1 AS id;
          CREATE VIEW wrong AS SELECT 1 AS id;
          CREATE TEMP VIEW scratch AS SELECT 1 AS x;
          ATTACH ':memory:' AS other;
          CREATE VIEW other.far AS SELECT 1 AS id;
          """)
      let key = try db.primaryKey("detail")
      #expect(key.columns == ["id"] && !key.isRowID && !key.tableHasRowID)
      #expect(try db.table("detail", hasUniqueKey: ["id", "name"]))
      for view in ["gone", "far"] {
        let error = try databaseError { _ = try db.primaryKey(view) }
        #expect(error.message == "database view \(view) has no primary key")
        #expect(try !db.table(view, hasUniqueKey: ["rowid"]))
        #expect(try Table(view).databaseRegion(db).description.contains("\(view)("))
      }
      #expect(try db.primaryKey("scratch").columns == ["x"])
      let error = try databaseError { _ = try db.primaryKey("wrong") }
      #expect(error.message == "no such column: nothing in table wrong")
      // A record of the view is stored and found as one of a table is.
      var ann = Person(id: "a", name: "Ann")
      try ann.insert(db)
      #expect(ann.inserted)
      ann.name = "Anne"
      try ann.update(db)
      #expect(try Person.find(db, id: "a").name == "Anne")
      #expect(try ann.exists(db))
      #expect(throws: RecordError.self) { try Person(id: "b", name: "").update(db) }
      #expect(try Person.filter(id: "a").databaseRegion(db).description.contains("[") == false)
      #expect(try Person.order(Column("name")).limit(1).selectID().fetchAll(db) == ["a"])
      try db.withSchemaSource(nil) { () throws in
        #expect(db.schemaSource == nil)
        for body: () throws -> Void in [
          { _ = try db.primaryKey("detail") }, { _ = try Person.find(db, id: "a") },
          { try Person(id: "a", name: "b").update(db) },
          { _ = try Person(id: "a", name: "b").delete(db) },
        ] {
          #expect(try databaseError(body).message == "database view detail has no primary key")
        }
      }
      #expect(try db.primaryKey("detail").columns == ["id"])
      #expect(try ann.delete(db))
      #expect(try !ann.delete(db))
      // SQLite counts no changes of a view; those of its triggers are counted.
      for id in ["b", "c", "d", "e"] {
        _ = try Person(id: id, name: id).inserted(db)
      }
      #expect(try Person.filter(id: "b").updateAll(db, Column("name").set(to: "x")) == 1)
      #expect(try Person.updateAll(db, Column("name").set(to: "y")) == 4)
      #expect(try Person.deleteOne(db, id: "b"))
      #expect(try !Person.deleteOne(db, id: "b"))
      #expect(try Person.deleteAll(db, ids: ["b", "c"]) == 1)
      #expect(try Table("detail").deleteAll(db) == 2)
      #expect(try Person.deleteAll(db) == 0)
    }
  }

  @Test func onlyASCIILettersAreCaseInsensitive() throws {
    try Connection.inMemory { db throws in
      try db.execute(sql: "CREATE TABLE ÉTÉ (x)")
      #expect(try db.tableExists("ÉTÉ"))
      #expect(try !db.tableExists("été"))
      #expect(try db.columns(in: "ÉTÉ").count == 1)
    }
  }

  @Test func theErrorNamesAMissingTableOrSchema() throws {
    try Connection.inMemory { db throws in
      for body: () throws -> Void in [
        { _ = try db.columns(in: "stop") }, { _ = try db.indexes(on: "stop") },
        { _ = try db.primaryKey("stop") }, { _ = try db.foreignKeys(on: "stop") },
        { try db.checkForeignKeys(in: "stop") },
        { _ = try db.table("stop", hasUniqueKey: ["id"]) },
      ] {
        let error = try databaseError(body)
        #expect(error.message == "no such table: stop")
        #expect(error.resultCode == .SQLITE_ERROR)
      }
      for body: () throws -> Void in [
        { _ = try db.tableExists("stop", in: "elsewhere") },
        { _ = try db.columns(in: "stop", in: "elsewhere") },
        { _ = try db.primaryKey("stop", in: "elsewhere") },
        { _ = try db.indexes(on: "stop", in: "elsewhere") },
        { _ = try db.foreignKeys(on: "stop", in: "elsewhere") },
      ] {
        #expect(try databaseError(body).message == "no such schema: elsewhere")
      }
    }
  }

  @Test func columnsAreDescribed() throws {
    try Connection.inMemory { db throws in
      try db.execute(
        sql: """
          CREATE TABLE "a ""stop" (
            id INTEGER PRIMARY KEY, name TEXT NOT NULL DEFAULT 'quay', raw,
            long INTEGER GENERATED ALWAYS AS (length(name)) VIRTUAL);
          CREATE VIEW v AS SELECT name AS n FROM "a ""stop"
          """)
      let columns = try db.columns(in: "a \"stop")
      #expect(columns.map(\.name) == ["id", "name", "raw", "long"])
      #expect(columns.map(\.type) == ["INTEGER", "TEXT", "", "INTEGER"])
      #expect(columns.map(\.isNotNull) == [false, true, false, false])
      #expect(columns.map(\.defaultValueSQL) == [nil, "'quay'", nil, nil])
      #expect(columns.map(\.primaryKeyIndex) == [1, 0, 0, 0])
      #expect(columns.map(\.isGenerated) == [false, false, false, true])
      #expect(try db.columns(in: "v").map(\.name) == ["n"])
    }
  }

  @Test func hiddenColumnsOfVirtualTablesAreOmitted() throws {
    try Connection.inMemory { db throws in
      try db.execute(sql: "CREATE VIRTUAL TABLE words USING fts5 (a, b)")
      #expect(try db.columns(in: "words").map(\.name) == ["a", "b"])
    }
  }

  @Test func indexesAreDescribed() throws {
    try Connection.inMemory { db throws in
      try db.execute(
        sql: """
          CREATE TABLE stop (id TEXT PRIMARY KEY, a, b, UNIQUE (b, a));
          CREATE UNIQUE INDEX half ON stop (a) WHERE b IS NULL;
          CREATE INDEX folded ON stop (lower(a), b);
          """)
      let indexes = try Dictionary(
        uniqueKeysWithValues: db.indexes(on: "stop").map { ($0.name, $0) })
      #expect(indexes.count == 4)
      let half = try #require(indexes["half"])
      #expect(half.isUnique && half.isPartial && half.columns == ["a"])
      #expect(half.origin == .createIndex)
      let folded = try #require(indexes["folded"])
      #expect(!folded.isUnique && !folded.isOnColumns && folded.columns == ["b"])
      let unique = try #require(indexes.values.first { $0.origin == .uniqueConstraint })
      #expect(unique.columns == ["b", "a"] && unique.isUnique && unique.isOnColumns)
      let primary = try #require(indexes.values.first { $0.origin == .primaryKeyConstraint })
      #expect(primary.columns == ["id"])
    }
  }

  @Test func anIndexIsReadFromTheSchemaOfItsTable() throws {
    try Connection.inMemory { db throws in
      try db.execute(
        sql: """
          CREATE TABLE a (x, y); CREATE INDEX i ON a (x);
          CREATE TEMP TABLE b (z); CREATE INDEX temp.i ON b (z);
          """)
      #expect(try db.indexes(on: "a").map(\.columns) == [["x"]])
      #expect(try db.indexes(on: "b").map(\.columns) == [["z"]])
    }
  }

  @Test func theKindsOfPrimaryKeysAreDistinguished() throws {
    try Connection.inMemory { db throws in
      try db.execute(
        sql: """
          CREATE TABLE alias (id INTEGER PRIMARY KEY, x);
          CREATE TABLE text (id TEXT PRIMARY KEY, x);
          CREATE TABLE int (id INT PRIMARY KEY);
          CREATE TABLE down (id INTEGER PRIMARY KEY DESC);
          CREATE TABLE none (x);
          CREATE TABLE hiding (ROWID, oid);
          CREATE TABLE pair (a, b, c, PRIMARY KEY (c, a));
          CREATE TABLE bare (id INTEGER PRIMARY KEY) WITHOUT ROWID;
          CREATE VIEW look AS SELECT * FROM alias;
          """)
      let alias = try db.primaryKey("alias")
      #expect(alias.columns == ["id"] && alias.rowIDColumn == "id" && alias.isRowID)
      #expect(alias.columnInfos?.map(\.type) == ["INTEGER"])
      for name in ["text", "int", "down"] {
        let key = try db.primaryKey(name)
        #expect(key.columns == ["id"] && key.rowIDColumn == nil && !key.isRowID, "\(name)")
        #expect(key.tableHasRowID, "\(name)")
      }
      let none = try db.primaryKey("none")
      #expect(none.columns == ["rowid"] && none.isRowID && none.columnInfos == nil)
      let hidden = try db.primaryKey("hiding")
      #expect(hidden.columns == ["_rowid_"] && hidden.isRowID && hidden.columnInfos == nil)
      try db.execute(sql: "INSERT INTO hiding VALUES (7, 7), (7, 7)")
      #expect(try Table("hiding").deleteOne(db, key: 1))
      #expect(try Int.fetchAll(db, sql: "SELECT _rowid_ FROM hiding") == [2])
      #expect(try db.primaryKey("pair").columns == ["c", "a"])
      let bare = try db.primaryKey("bare")
      #expect(!bare.tableHasRowID && bare.rowIDColumn == nil && !bare.isRowID)
    }
  }

  @Test func uniqueKeysAreFoundInAnyOrder() throws {
    try Connection.inMemory { db throws in
      try db.execute(
        sql: """
          CREATE TABLE stop (id INTEGER PRIMARY KEY, a, b, c, UNIQUE (a, b));
          CREATE INDEX plain ON stop (c);
          CREATE UNIQUE INDEX half ON stop (c) WHERE a IS NULL;
          CREATE UNIQUE INDEX folded ON stop (lower(a), c);
          CREATE TABLE bare (x PRIMARY KEY) WITHOUT ROWID;
          CREATE TABLE hiding (id INTEGER PRIMARY KEY, RowID);
          """)
      for (name, isKey) in [("rowid", false), ("_ROWID_", true), ("oid", true), ("id", true)] {
        #expect(try db.table("hiding", hasUniqueKey: [name]) == isKey, "\(name)")
      }
      for (columns, isKey) in [
        (["id"], true), (["ID"], true), (["rowid"], true), (["b", "A"], true), (["a"], false),
        (["c"], false), (["a", "b", "c"], true), (["id", "c"], true), (["c", "rowid"], true),
        ([], false),
      ] {
        #expect(try db.table("stop", hasUniqueKey: columns) == isKey, "\(columns)")
      }
      #expect(try !db.table("bare", hasUniqueKey: ["rowid"]))
    }
  }

  @Test func foreignKeysAreDescribed() throws {
    try Connection.inMemory { db throws in
      try db.execute(
        sql: """
          CREATE TABLE team (id INTEGER PRIMARY KEY);
          CREATE TABLE pair (a, b, PRIMARY KEY (b, a));
          CREATE TABLE player (
            teamId REFERENCES team, other REFERENCES Team (id), x, y,
            FOREIGN KEY (x, y) REFERENCES pair);
          """)
      let keys = try db.foreignKeys(on: "player")
      #expect(keys.map(\.id) == [0, 1, 2])
      let pair = try #require(keys.first { $0.destinationTable == "pair" })
      #expect(pair.originColumns == ["x", "y"] && pair.destinationColumns == ["b", "a"])
      #expect(keys.filter { $0.destinationColumns == ["id"] }.count == 2)
      #expect(try db.foreignKeys(on: "team").isEmpty)
    }
  }

  private func withViolation(
    _ configuration: Configuration = Configuration(), _ body: (Database) throws -> Void
  ) throws {
    var configuration = configuration
    configuration.foreignKeysEnabled = false
    try Connection(nil, configuration).withAccess { db in
      try db.execute(
        sql: """
          CREATE TABLE team (id INTEGER PRIMARY KEY);
          CREATE TABLE player (id INTEGER PRIMARY KEY, teamId REFERENCES team (id));
          CREATE TABLE fan (teamId PRIMARY KEY REFERENCES team) WITHOUT ROWID;
          INSERT INTO player VALUES (1, 42), (2, NULL);
          """)
      try body(db)
    }
  }

  @Test func foreignKeyViolationsAreFound() throws {
    try withViolation { db throws in
      let violations = try db.foreignKeyViolations()
      let violation = try #require(try violations.next())
      #expect(violation.originTable == "player" && violation.originRowID == 1)
      #expect(violation.destinationTable == "team")
      #expect(try violations.next() == nil)
      #expect(try db.foreignKeyViolations(in: "fan").next() == nil)
      try db.checkForeignKeys(in: "fan")
      #expect(
        try violation.failureDescription(db)
          == "FOREIGN KEY constraint violation - from player(teamId) to team(id), "
          + "in [id: 1, teamId: 42]")
      try db.execute(
        sql: """
          DELETE FROM player; CREATE TABLE guest (rowid, teamId REFERENCES team);
          INSERT INTO guest VALUES (2, 42), (1, NULL);
          """)
      let hidden = try #require(try db.foreignKeyViolations().next())
      #expect(try hidden.failureDescription(db).hasSuffix("in [rowid: 2, teamId: 42]"))
    }
  }

  @Test func aViolationErrorHidesTheValues() throws {
    try withViolation { db throws in
      for body in [{ try db.checkForeignKeys() }, { try db.checkForeignKeys(in: "PLAYER") }] {
        let error = try databaseError(body)
        #expect(error.extendedResultCode == .SQLITE_CONSTRAINT_FOREIGNKEY)
        #expect(
          error.message == "FOREIGN KEY constraint violation - from player(teamId) to team(id), "
            + "in row 1")
      }
      try db.execute(sql: "INSERT INTO fan VALUES (7); DELETE FROM player")
      let error = try databaseError { try db.checkForeignKeys() }
      #expect(
        error.message == "FOREIGN KEY constraint violation - from fan(teamId) to team(id)")
    }
  }

  @Test func aViolationErrorShowsTheValuesWhenAllowed() throws {
    var configuration = Configuration()
    configuration.publicStatementArguments = true
    try withViolation(configuration) { db throws in
      let error = try databaseError { try db.checkForeignKeys() }
      #expect(error.message?.hasSuffix("in [id: 1, teamId: 42]") == true)
    }
  }
}
