import Foundation
import HoldfastSQLite
import HoldfastTestSupport
import Testing

/// Texts that look alike but differ in their bytes: SQLite treats them as different, and so do we.
@Suite struct UnicodeTests {
  static let composed = "caf\u{e9}"
  static let decomposed = "cafe\u{301}"

  /// A table for each name, and one with a column for each name.
  private static let tables = """
    CREATE TABLE "\(composed)" (a INTEGER PRIMARY KEY);
    CREATE TABLE "\(decomposed)" (b TEXT PRIMARY KEY, c);
    CREATE TABLE t (id INTEGER PRIMARY KEY, "\(composed)", "\(decomposed)");
    """

  // MARK: - Values

  @Test func textsWithDifferentBytesAreDifferentValues() throws {
    let values = [Self.composed, Self.decomposed].map(\.databaseValue)
    #expect(Self.composed == Self.decomposed)
    #expect(values[0] != values[1])
    #expect(Set(values).count == 2)
    #expect(Set(values).contains(values[1]))
    #expect(StatementArguments([values[0]]) != StatementArguments([values[1]]))
    try Connection.inMemory { db in
      let rows = try Row.fetchAll(
        db, sql: "SELECT column1 AS v FROM (VALUES (?), (?))",
        arguments: [
          values[0], values[1],
        ])
      #expect(rows[0] != rows[1])
      #expect(
        try DatabaseValue.fetchSet(db, sql: "VALUES (?), (?)", arguments: [values[0], values[1]])
          .count == 2)
    }
  }

  @Test func invalidUTF8IsComparedAndStoredByItsBytes() throws {
    try Connection.inMemory { db in
      let values = try DatabaseValue.fetchAll(
        db, sql: "VALUES (CAST(x'61ff' AS TEXT)), (CAST(x'61fe' AS TEXT)), (CAST(x'61ff' AS TEXT))")
      #expect(values[0] != values[1])
      #expect(values[0] == values[2])
      #expect(Set(values).count == 2)
      #expect(values.map(String.fromDatabaseValue) == ["a\u{FFFD}", "a\u{FFFD}", "a\u{FFFD}"])
      #expect(Data.fromDatabaseValue(values[1]) == Data([0x61, 0xfe]))
      #expect(values[1].description == "CAST(x'61fe' AS TEXT)")
      #expect(values[0] != "a\u{FFFD}")

      db.add(function: DatabaseFunction("same", argumentCount: 1) { $0[0] })
      let stored = "SELECT hex(v), typeof(v) FROM (SELECT $1 AS v)"
      let arguments: [StatementArguments] = [
        [values[1]], StatementArguments([values[1]]), ["1": values[1]],
      ]
      for arguments in arguments {
        let row = try Row.fetchOne(db, sql: stored, arguments: arguments)
        #expect(row?.databaseValues == ["61FE", "text"])
      }
      let row = try Row.fetchOne(
        db, sql: "SELECT hex(same(?1)), typeof(same(?1))", arguments: [values[1]])
      #expect(row?.databaseValues == ["61FE", "text"])

      try db.execute(sql: "CREATE TABLE raw (id INTEGER PRIMARY KEY, text)")
      try Raw(id: 1, text: values[1]).insert(db)
      #expect(
        try String.fetchOne(db, sql: "SELECT hex(text) || typeof(text) FROM raw") == "61FEtext")
      #expect(try Raw(id: 1, text: values[0]).updateChanges(db, from: Raw(id: 1, text: values[1])))
      #expect(try String.fetchOne(db, sql: "SELECT hex(text) FROM raw") == "61FF")
    }
  }

  private struct Raw: PersistableRecord {
    static let databaseTableName = "raw"
    var id: Int64
    var text: DatabaseValue

    func encode(to container: inout PersistenceContainer) {
      container["id"] = id
      container["text"] = text
    }
  }

  @Test func blobsThatDifferAtTheirEndsHashDifferently() {
    func hash(_ last: UInt8) -> Int {
      (Data(repeating: 0, count: 200) + [last]).databaseValue.hashValue
    }
    #expect(hash(1) != hash(2))
  }

  // MARK: - Schema

  @Test func aTableIsFoundOnlyByItsExactName() throws {
    try Connection.inMemory { db in
      try db.execute(sql: "CREATE TABLE \"\(Self.composed)\" (a)")
      #expect(try db.tableExists(Self.composed))
      #expect(try !db.tableExists(Self.decomposed))
      #expect(throws: DatabaseError.self) { try db.columns(in: Self.decomposed) }
    }
  }

  @Test func tablesWithLookAlikeNamesHaveTheirOwnColumns() throws {
    try Connection.inMemory { db in
      try db.execute(sql: Self.tables)
      for _ in 0..<2 {
        #expect(try db.columns(in: Self.composed).map(\.name) == ["a"])
        #expect(try db.columns(in: Self.decomposed).map(\.name) == ["b", "c"])
        #expect(try db.primaryKey(Self.composed).rowIDColumn == "a")
        #expect(try db.primaryKey(Self.decomposed).rowIDColumn == nil)
        #expect(try db.indexes(on: Self.decomposed).count == 1)
        #expect(try db.indexes(on: Self.composed).isEmpty)
      }
      try db.execute(sql: "CREATE UNIQUE INDEX u ON t (\"\(Self.composed)\")")
      #expect(try db.table("t", hasUniqueKey: [Self.composed]))
      #expect(try !db.table("t", hasUniqueKey: [Self.decomposed]))
    }
  }

  // MARK: - Rows and arguments

  @Test func columnsWithLookAlikeNamesAreReadSeparately() throws {
    try Connection.inMemory { db in
      let sql =
        "SELECT column1 AS '\(Self.composed)', column2 AS '\(Self.decomposed)' FROM (VALUES (1, 2), (1, 2))"
      let rows = try Row.fetchAll(db, sql: sql)
      #expect(rows.map { $0[Self.composed] as Int } == [1, 1])
      #expect(rows.map { $0[Self.decomposed] as Int } == [2, 2])
      // The second row is read in a different order from the first.
      var names = [Self.composed, Self.decomposed, Self.decomposed, Self.composed][...]
      let cursor = try Row.fetchCursor(db, sql: sql)
      var values: [Int] = []
      while let row = try cursor.next() {
        for name in names.prefix(2) { values.append(row[name]) }
        names = names.dropFirst(2)
      }
      #expect(values == [1, 2, 2, 1])
      let kelvin = try Row.fetchCursor(db, sql: "SELECT 1 AS k UNION ALL SELECT 1")
      #expect(try kelvin.next()?["k"] == 1)
      #expect(try kelvin.next()?.hasColumn("\u{212A}") == false)
    }
  }

  @Test func aRecordStoresColumnsWithLookAlikeNames() throws {
    try Connection.inMemory { db in
      try db.execute(sql: Self.tables)
      try Both(id: 1, composed: 1, decomposed: 2).insert(db)
      try Both(id: 2, composed: nil, decomposed: 3).insert(db)
      #expect(
        try Row.fetchAll(db, sql: "SELECT * FROM t").map(\.databaseValues) == [
          [1, 1, 2], [2, nil, 3],
        ])
      let before = Both(id: 1, composed: 1, decomposed: 2)
      #expect(try Both(id: 1, composed: 4, decomposed: 5).updateChanges(db, from: before))
      #expect(try Row.fetchOne(db, sql: "SELECT * FROM t")?.databaseValues == [1, 4, 5])
    }
  }

  /// A record whose columns have look-alike names; a `nil` one is omitted.
  private struct Both: PersistableRecord {
    static let databaseTableName = "t"
    var id: Int64
    var composed: Int?
    var decomposed: Int

    func encode(to container: inout PersistenceContainer) {
      container["id"] = id
      if let composed { container[UnicodeTests.composed] = composed }
      container[UnicodeTests.decomposed] = decomposed
    }
  }

  @Test func updateChangesWritesAnotherNormalization() throws {
    try Connection.inMemory { db in
      try db.execute(sql: "CREATE TABLE raw (id INTEGER PRIMARY KEY, text)")
      let before = Raw(id: 1, text: Self.composed.databaseValue)
      try before.insert(db)
      #expect(try Raw(id: 1, text: Self.decomposed.databaseValue).updateChanges(db, from: before))
      #expect(
        try Data.fetchOne(db, sql: "SELECT CAST(text AS BLOB) FROM raw")
          == Data(Self.decomposed.utf8))
    }
  }

  @Test func parametersWithLookAlikeNamesHaveTheirOwnValues() throws {
    try Connection.inMemory { db in
      let row = try Row.fetchOne(
        db, sql: "SELECT :\(Self.composed), :\(Self.decomposed)",
        arguments: [Self.composed: 1, Self.decomposed: 2])
      #expect(row?.databaseValues == [1, 2])
      #expect(throws: DatabaseError.self) {
        try Row.fetchOne(db, sql: "SELECT :\(Self.composed)", arguments: [Self.decomposed: 1])
      }
    }
  }

  @Test func functionsWithLookAlikeNamesAreDistinct() {
    let functions = [Self.composed, Self.decomposed].map { DatabaseFunction($0) { _ in 1 } }
    #expect(functions[0].id != functions[1].id)
    #expect(functions[0].id == DatabaseFunction("CAF\u{e9}") { _ in 2 }.id)
  }

  // MARK: - Changes

  @Test func regionsOfTablesWithLookAlikeNamesAreDistinct() {
    let composed = DatabaseRegion(table: Self.composed)
    let decomposed = DatabaseRegion(table: Self.decomposed)
    #expect(composed != decomposed)
    #expect(composed.intersection(decomposed).isEmpty)
    #expect(!composed.isModified(byEventsOfKind: .insert(tableName: Self.decomposed)))
    #expect(
      composed.union(decomposed).isModified(byEventsOfKind: .insert(tableName: Self.decomposed)))
    #expect(
      DatabaseEventKind.insert(tableName: Self.composed) != .insert(tableName: Self.decomposed))
  }

  @Test func anObserverIsNotifiedOfEachTableWithALookAlikeName() throws {
    try Connection.inMemory { db in
      try db.execute(sql: Self.tables)
      let diary = TransactionDiary()
      diary.observed = { kind in
        DatabaseRegion(table: Self.decomposed).isModified(byEventsOfKind: kind)
      }
      db.add(transactionObserver: diary)
      try db.execute(
        sql: """
          CREATE TEMP TRIGGER copies AFTER INSERT ON t BEGIN
            INSERT INTO "\(Self.composed)" VALUES (NEW.id);
            INSERT INTO "\(Self.decomposed)" VALUES (NEW.id, 0);
          END
          """)
      _ = diary.take()
      try db.execute(sql: "INSERT INTO t (id) VALUES (7)")
      let events = diary.take().filter { $0.utf8.starts(with: "insert".utf8) }
      #expect(events.count == 1)
      #expect(events.first?.utf8.elementsEqual("insert \(Self.decomposed) 1".utf8) == true)
    }
  }

  @Test func anUpdateOfColumnsWithLookAlikeNamesReportsBoth() throws {
    try Connection.inMemory { db in
      try db.execute(sql: Self.tables)
      try db.execute(sql: "INSERT INTO t VALUES (1, 1, 1)")
      for column in [Self.composed, Self.decomposed] {
        let diary = TransactionDiary()
        let region = DatabaseRegion(table: "t", columns: [column])
        diary.observed = { region.isModified(byEventsOfKind: $0) }
        db.add(transactionObserver: diary, extent: .observerLifetime)
        try db.execute(
          sql: "UPDATE t SET \"\(Self.composed)\" = 2, \"\(Self.decomposed)\" = 2")
        #expect(diary.take().contains("update t 1"), "\(Array(column.utf8))")
        let other = column.utf8.elementsEqual(Self.composed.utf8) ? Self.decomposed : Self.composed
        try db.execute(sql: "UPDATE t SET \"\(other)\" = 3")
        #expect(!diary.take().contains("update t 1"), "\(Array(column.utf8))")
        db.remove(transactionObserver: diary)
      }
    }
  }

  @Test func savepointsWithLookAlikeNamesAreDistinct() throws {
    try Connection.inMemory { db in
      try db.execute(sql: "CREATE TABLE u (a INTEGER PRIMARY KEY)")
      let diary = TransactionDiary()
      db.add(transactionObserver: diary)
      try db.execute(
        sql: """
          BEGIN;
          SAVEPOINT "\(Self.composed)";
          INSERT INTO u VALUES (1);
          SAVEPOINT "\(Self.decomposed)";
          INSERT INTO u VALUES (2);
          ROLLBACK TO "\(Self.composed)";
          INSERT INTO u VALUES (3);
          RELEASE "\(Self.composed)";
          COMMIT
          """)
      #expect(diary.take().filter { $0.hasPrefix("insert") } == ["insert u 3"])
    }
  }
}
