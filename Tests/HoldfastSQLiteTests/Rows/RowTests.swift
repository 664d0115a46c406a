import HoldfastSQLite
import HoldfastTestSupport
import Testing

@Suite struct RowTests {
  /// A record that keeps its row and the row's number at its creation.
  struct Keeper: FetchableRecord {
    var row: Row
    var number: Int

    init(row: Row) throws {
      self.row = row
      number = try row.decode(forColumn: "i")
    }
  }

  static let numbers = """
    WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 3)
    SELECT i, 'text ' || i AS t, CASE i WHEN 2 THEN NULL ELSE zeroblob(i) END AS b FROM n
    """

  @Test func columnsAreReadByTheirExpression() throws {
    let row = try #require(
      try Connection.inMemory { db in try Row.fetchOne(db, sql: "SELECT 1 AS i, NULL AS t") })
    #expect(row[Column("I")] as Int == 1)
    #expect((row[Column("t")] as DatabaseValue).isNull)
    #expect(row[Column("absent")] as Int? == nil)
  }

  @Test func keptRowsDoNotChange() throws {
    let (keepers, rows) = try Connection.inMemory { db in
      (try Keeper.fetchAll(db, sql: Self.numbers), try Row.fetchAll(db, sql: Self.numbers))
    }
    #expect(keepers.map(\.number) == [1, 2, 3])
    #expect(keepers.map { $0.row["i"] as Int } == [1, 2, 3])
    #expect(keepers.map { $0.row["t"] as String } == ["text 1", "text 2", "text 3"])
    #expect(keepers.map { ($0.row["b"] as DatabaseValue).isNull } == [false, true, false])
    #expect(keepers.map(\.row) == rows)
  }

  @Test func aKeptRowDoesNotChangeWhenTheStatementRunsAgain() throws {
    try Connection.inMemory { db in
      let statement = try db.makeStatement(sql: "SELECT ? AS i")
      let first = try #require(try Keeper.fetchOne(statement, arguments: [1]))
      let second = try #require(try Keeper.fetchOne(statement, arguments: [2]))
      #expect(first.row["i"] == 1)
      #expect(second.row["i"] == 2)
      // Abandoned while the row is still the statement's current row.
      try statement.start(arguments: [3])
      let third = try #require(try statement.step())
      #expect(third["i"] == 3)
      statement.reset()
      #expect(third["i"] == 3)
      #expect(try Int.fetchOne(statement, arguments: [4]) == 4)
      #expect(third["i"] == 3)
    }
  }

  @Test func anUnkeptRowIsReusedForTheNextStep() throws {
    try Connection.inMemory { db in
      let statement = try db.makeStatement(sql: Self.numbers)
      try statement.start(arguments: nil)
      var identities: Set<ObjectIdentifier> = []
      for _ in 1...3 {
        let row = try #require(try statement.step())
        identities.insert(ObjectIdentifier(row))
      }
      #expect(identities.count == 1)
    }
  }

  @Test func aKeptRowDoesNotChangeWhenTheStatementFails() throws {
    try Connection.inMemory { db in
      let statement = try db.makeStatement(
        sql: "SELECT abs(v) AS i FROM (SELECT 1 AS v UNION ALL SELECT -9223372036854775808)")
      try statement.start(arguments: nil)
      let row = try #require(try statement.step())
      let error = try databaseError { _ = try statement.step() }
      #expect(error.message == "integer overflow")
      #expect(row["i"] == 1)
      #expect(throws: error) { try statement.step() }
      #expect(row["i"] == 1)
    }
  }

  @Test func aCurrentRowOutlivesItsAccess() throws {
    let connection = try Connection()
    var row: Row?
    try connection.withAccess { db in
      let statement = try db.makeStatement(sql: Self.numbers)
      try statement.start(arguments: nil)
      row = try statement.step()
    }
    connection.database.close()
    #expect(row?["t"] == "text 1")
  }

  @Test func columnNamesAreCaseInsensitive() throws {
    let row = Row(["a": 1, "A": 2, "Name": "x", "a": 3, "": 4])
    #expect(row["a"] == 1)
    #expect(row["A"] == 1)
    #expect(row["NAME"] == "x")
    let pair = Row(["name": "left", "NAME": nil, "n": 2])
    #expect(pair["NAME"] == "left" && pair["name"] == "left", "the leftmost")
    let untyped = pair["NAME"]
    #expect(untyped as? String == "left" && pair["n"] as? Int64 == 2)
    #expect(pair[1] == nil && pair["absent"] == nil && pair[2] as? Int64 == 2)
    #expect(row[""] == 4)
    #expect(row.hasColumn("nAmE"))
    #expect(!row.hasColumn("other"))
    #expect(row.count == 5)
    #expect(row.columnNames == ["a", "A", "Name", "a", ""])
    #expect(row[3] == 3)
  }

  @Test func anAbsentColumnIsNil() throws {
    let row = Row(["a": 1, "n": nil])
    #expect(row["b"] == DatabaseValue.null)
    let absent: Int? = row["b"]
    let null: Int? = row["n"]
    let present: Int? = row["a"]
    #expect(absent == nil)
    #expect(null == nil)
    #expect(present == 1)
  }

  @Test func aConversionErrorNamesTheColumn() throws {
    let row = try #require(
      try Connection.inMemory { db in try Row.fetchOne(db, sql: "SELECT 'secret' AS a, NULL AS n") }
    )
    let error = #expect(throws: RowDecodingError.self) { try row.decode(Int.self, forColumn: "a") }
    #expect(
      error?.description
        == "could not decode Int from column 'a': it holds text - in the row [a: text, n: null] "
        + "- while reading the rows of `SELECT 'secret' AS a, NULL AS n`")
    #expect(throws: RowDecodingError.self) { try row.decode(Int.self, forColumn: "n") }
    #expect(throws: RowDecodingError.self) { try row.decode(Int.self, atIndex: 2) }
    #expect(throws: RowDecodingError.self) { try row.decode(Int.self, atIndex: -1) }
    let absent = #expect(throws: RowDecodingError.self) { try row.decode(Int.self, forColumn: "b") }
    #expect(absent?.storedType == nil)
    #expect(absent?.message == "could not decode Int from column 'b': there is no such column")
  }

  /// From the row of a statement as from a kept one.
  @Test func subscriptsConvertWithoutLoss() throws {
    try Connection.inMemory { db throws in
      let cursor = try Row.fetchCursor(
        db, sql: "SELECT '12' AS text, 1 AS integer, '1.5' AS fraction, 2.0 AS real")
      let row = try #require(try cursor.next())
      for row in [row, row.copy()] {
        #expect(row["text"] as Int == 12 && row[0] as Int64? == 12)
        #expect(row["integer"] as String == "1" && row[Column("integer")] as String? == "1")
        #expect(row["fraction"] as Double == 1.5 && row[2] as Double? == 1.5)
        #expect(row["real"] as Int == 2 && row[3] as String == "2.0")
      }
    }
  }

  @Test func subscriptsTrapWithAMessage() async {
    let wrongType = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = Row(["a": "x"])["a"] as Int
    }
    expectSentence("could not decode Int from column 'a': it holds text", in: wrongType)
    let wrongOptional = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      _ = Row(["a": "x"])["a"] as Int?
    }
    expectSentence("could not decode", in: wrongOptional)
    let noColumn = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = Row(["a": "x"])["b"] as String
    }
    expectSentence("there is no such column", in: noColumn)
    let noIndex = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = Row(["a": "x"])[1] as DatabaseValue
    }
    expectSentence("from column '1': there is no such column", in: noIndex)
  }

  @Test func rowsAreEqualByNamesAndValues() {
    #expect(Row(["a": 1]) == Row(["a": 1]))
    #expect(Row(["a": 1]) != Row(["b": 1]))
    #expect(Row(["a": 1]) != Row(["a": 2]))
    #expect("\(Row(["a": 1, "b": "x"]))" == "[a: 1, b: 'x']")
  }
}
