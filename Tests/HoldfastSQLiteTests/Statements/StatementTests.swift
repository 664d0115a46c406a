import Foundation
import HoldfastSQLite
import HoldfastTestSupport
import Testing

@Suite struct StatementTests {
  // MARK: - Arguments

  @Test func argumentsAreBoundByPositionAndByName() throws {
    try Connection.inMemory { db in
      let byPosition = try Row.fetchOne(db, sql: "SELECT ?, ?", arguments: [1, nil])
      #expect(byPosition?.databaseValues == [1, .null])
      for mark in [":", "@", "$"] {
        let byName = try Row.fetchOne(
          db, sql: "SELECT \(mark)b, \(mark)a, \(mark)b", arguments: ["a": 1, "b": "x"])
        #expect(byName?.databaseValues == ["x", 1, "x"])
      }
      let numbered = try Row.fetchOne(db, sql: "SELECT ?2, ?1", arguments: [1, 2])
      #expect(numbered?.databaseValues == [2, 1])
      // A named parameter has a position too.
      #expect(try Int.fetchOne(db, sql: "SELECT :id", arguments: [7]) == 7)
    }
  }

  @Test func missingAndSurplusValuesAreRefusedBeforeAnythingRuns() throws {
    try Connection.inMemory { db in
      try db.execute(sql: "CREATE TABLE t (a, b)")
      let sql = "INSERT INTO t VALUES (?, ?)"
      for arguments: StatementArguments in [[], [1], [1, 2, 3]] {
        let error = try databaseError { try db.execute(sql: sql, arguments: arguments) }
        #expect(error.resultCode == .SQLITE_MISUSE)
        #expect(error.sql == sql)
        #expect(error.message?.contains("expected") == true)
      }
      let error = try databaseError {
        try db.execute(sql: "INSERT INTO t VALUES (:a, :b)", arguments: ["a": 1])
      }
      #expect(error.message == "missing statement argument: b")
      // A nameless parameter cannot be bound by name.
      _ = try databaseError { try db.execute(sql: sql, arguments: ["a": 1, "b": 2]) }
      // The same for a kept statement.
      let statement = try db.makeStatement(sql: sql)
      _ = try databaseError { try statement.execute() }
      _ = try databaseError { try statement.execute(arguments: [1]) }
      _ = try databaseError { try statement.execute() }
      #expect(try Int.fetchOne(db, sql: "SELECT count(*) FROM t") == 0)
    }
  }

  @Test func namesWithoutAParameterAreIgnored() throws {
    try Connection.inMemory { db throws in
      #expect(try Int.fetchOne(db, sql: "SELECT :a", arguments: ["a": 1, "z": 2]) == 1)
    }
  }

  @Test func aStatementKeepsItsValuesUntilTheyAreReplaced() throws {
    try Connection.inMemory { db in
      let statement = try db.makeStatement(sql: "SELECT ? + 1")
      #expect(statement.parameterCount == 1)
      try statement.setArguments([1])
      #expect(try Int.fetchAll(statement) == [2])
      #expect(try Int.fetchOne(statement) == 2)
      #expect(try Int.fetchOne(statement, arguments: [5]) == 6)
      #expect(try Int.fetchOne(statement) == 6)
    }
  }

  @Test func refusedValuesLeaveTheEarlierOnes() throws {
    try Connection.inMemory { db throws in
      let large = Data(count: 1_000_000_001)
      for sql in ["SELECT ? || ?", "SELECT :a || :b"] {
        let statement = try db.makeStatement(sql: sql)
        let earlier: StatementArguments = sql.contains(":") ? ["a": "x", "b": "y"] : ["x", "y"]
        try statement.setArguments(earlier)
        for refused: StatementArguments in [[], ["z"], ["z", "z", "z"], ["a": "z"], ["z", large]] {
          _ = try databaseError { try statement.setArguments(refused) }
          #expect(statement.arguments == earlier)
          #expect(try String.fetchOne(statement) == "xy")
          _ = try databaseError { _ = try String.fetchOne(statement, arguments: refused) }
          #expect(try String.fetchOne(statement) == "xy")
        }
      }
    }
  }

  @Test func aValueOverTheLimitIsRefused() throws {
    try Connection.inMemory { db in
      // One byte more than SQLITE_MAX_LENGTH, in pages that are never written.
      let blob = Data(count: 1_000_000_001)
      let error = try databaseError {
        _ = try Int.fetchOne(db, sql: "SELECT length(?)", arguments: [blob])
      }
      #expect(error.resultCode == .SQLITE_TOOBIG)
      // The first run without values says why there are none.
      for arguments: StatementArguments in [[blob], ["a": blob]] {
        let statement = try db.makeStatement(sql: "SELECT length(:a)")
        statement.setUncheckedArguments(arguments)
        let refusal = try databaseError { _ = try Int.fetchOne(statement) }
        #expect(refusal.resultCode == .SQLITE_TOOBIG && refusal.sql == statement.sql)
        #expect(statement.arguments.isEmpty)
        #expect(try Int.fetchOne(statement, arguments: ["abc"]) == 3)
        #expect(try Int.fetchOne(statement) == 3)
      }
    }
  }

  // MARK: - SQL texts

  @Test func severalStatementsUseTheValuesThatTheyNeed() throws {
    try Connection.inMemory { db in
      try db.execute(
        sql: """
          CREATE TABLE t (a, b); -- the table of the next statement
          INSERT INTO t VALUES (?, ?);
          INSERT INTO t VALUES (?, 'x');
          /* the end */
          """, arguments: [1, 2, 3])
      #expect(
        try Row.fetchAll(db, sql: "SELECT * FROM t").map(\.databaseValues) == [[1, 2], [3, "x"]])
      try db.execute(
        sql: "DELETE FROM t WHERE a = :a; UPDATE t SET b = :b WHERE a = :c;",
        arguments: ["a": 1, "b": "y", "c": 3])
      #expect(try Row.fetchAll(db, sql: "SELECT * FROM t").map(\.databaseValues) == [[3, "y"]])
    }
  }

  @Test func aSurplusValuePreventsTheLastStatementFromRunning() throws {
    try Connection.inMemory { db in
      let error = try databaseError {
        try db.execute(
          sql: "CREATE TABLE t (a); INSERT INTO t VALUES (?); -- end", arguments: [1, 2])
      }
      #expect(error.message == "wrong number of statement arguments: 2 given, 1 expected")
      #expect(try Int.fetchOne(db, sql: "SELECT count(*) FROM t") == 0)
    }
  }

  @Test func statementsBeforeAFailingOneHaveRun() throws {
    try Connection.inMemory { db in
      _ = try databaseError { try db.execute(sql: "CREATE TABLE t (a); SELECT nothing;") }
      #expect(try db.tableExists("t"))
    }
  }

  @Test(arguments: ["", " \n\t", "-- nothing", "/* nothing */", ";;;", ";-- a\n;", "/* open"])
  func aTextWithoutAStatementDoesNothing(sql: String) throws {
    try Connection.inMemory { db in
      try db.execute(sql: sql)
      let error = try databaseError { _ = try Int.fetchOne(db, sql: sql) }
      #expect(error.message == "No SQL statement found")
      _ = try databaseError { try db.execute(sql: sql, arguments: [1]) }
    }
  }

  @Test func severalStatementsAreRefusedWhereOneIsExpected() throws {
    try Connection.inMemory { db in
      #expect(try Int.fetchOne(db, sql: "SELECT 1; -- and a comment") == 1)
      // Whatever the second one is.
      let other = try databaseError { _ = try db.makeStatement(sql: "SELECT 1; x") }
      #expect(other.resultCode == .SQLITE_MISUSE)
      let error = try databaseError { _ = try db.makeStatement(sql: "SELECT 1; SELECT 2") }
      #expect(error.resultCode == .SQLITE_MISUSE)
      #expect(error.message?.contains("Multiple statements") == true)
    }
  }

  @Test func aNULInTheSQLIsRefusedAndNothingRuns() throws {
    try Connection.inMemory { db in
      let error = try databaseError { try db.execute(sql: "CREATE TABLE t (a);\0 DROP TABLE u") }
      #expect(error.message?.contains("NUL") == true)
      #expect(try !db.tableExists("t"))
    }
  }

  @Test func aStatementReportsItsColumnsAndWhetherItWrites() throws {
    try Connection.inMemory { db in
      try db.execute(sql: "CREATE TABLE t (a, b)")
      let select = try db.makeStatement(sql: "SELECT a, b AS other FROM t;")
      #expect(select.isReadonly)
      #expect(select.columnNames == ["a", "other"])
      #expect(select.columnCount == 2)
      let delete = try db.makeStatement(sql: "DELETE FROM t")
      #expect(!delete.isReadonly)
      #expect(delete.columnNames == [])
    }
  }

  @Test func insertedAndChangedRowsAreCounted() throws {
    try Connection.inMemory { db in
      #expect(db.lastInsertedRowID == 0)
      try db.execute(sql: "CREATE TABLE t (id INTEGER PRIMARY KEY, a)")
      try db.execute(sql: "INSERT INTO t VALUES (5, 1), (6, 1), (9, 2)")
      #expect(db.lastInsertedRowID == 9)
      #expect(db.changesCount == 3)
      try db.execute(sql: "DELETE FROM t WHERE a = 1")
      #expect(db.changesCount == 2)
      #expect(db.totalChangesCount == 5)
    }
  }

  // MARK: - Lifetime

  @Test func aStatementCanOutliveItsConnection() throws {
    var kept: Statement?
    var row: Row?
    try Connection().withAccess { db in
      let statement = try db.makeStatement(sql: "SELECT 1 AS a")
      row = try Row.fetchOne(statement)
      kept = statement
    }
    #expect(kept?.sql == "SELECT 1 AS a")
    try Connection.inMemory { db throws in
      #expect(try db.makeStatement(sql: "\n ;SELECT ';' ; \t").sql == "SELECT ';'")
      let arguments: StatementArguments = [1, 2] + ["foo": 3]
      #expect(
        try Int.fetchOne(db, sql: "SELECT ? * 100 + ? * 10 + :foo", arguments: arguments) == 123)
    }
    #expect(kept?.parameterCount == 0)
    kept = nil
    #expect(row?["a"] == 1)

    let connection = try Connection()
    kept = try connection.withAccess { db in
      let statement = try db.makeStatement(sql: "SELECT 1 UNION SELECT 2")
      try statement.start(arguments: nil)
      row = try statement.step()
      return statement
    }
    connection.database.close()
    kept = nil
    #expect(row?[0] == 1)
  }

  // MARK: - Misuse

  @Test func aStatementThatReturnsRowsCannotBeRestarted() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      try Connection.inMemory { db in
        let statement = try db.makeStatement(sql: "SELECT 1 UNION SELECT 2")
        try statement.start(arguments: nil)
        _ = try statement.step()
        try statement.execute()
      }
    }
    expectSentence("still giving rows", in: result)
  }

  @Test func aStatementThatReturnsRowsKeepsItsValues() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      try Connection.inMemory { db in
        let statement = try db.makeStatement(sql: "SELECT ?")
        try statement.start(arguments: [1])
        try statement.setArguments([2])
      }
    }
    expectSentence("still giving rows", in: result)
  }

  @Test func argumentsThatDoNotFitTrap() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      try Connection.inMemory { db in
        try db.makeStatement(sql: "SELECT ?").arguments = [1, 2]
      }
    }
    expectSentence("Values that do not fit were set as `arguments` of a statement: ", in: result)
  }

  @Test func aStatementOutsideItsAccessTraps() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let connection = try Connection()
      let statement = try connection.withAccess { db in try db.makeStatement(sql: "SELECT 1") }
      try statement.execute()
    }
    expectSentence("outside of its access", in: result)
  }

  @Test func aStatementWithoutItsConnectionTraps() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let statement = try Connection.inMemory { db in try db.makeStatement(sql: "SELECT 1") }
      try statement.execute()
    }
    expectSentence("outside of its access", in: result)
  }

  @Test func aCursorOutsideItsAccessTraps() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let connection = try Connection()
      let cursor = try connection.withAccess { db in try Int.fetchCursor(db, sql: "SELECT 1") }
      _ = try cursor.next()
    }
    expectSentence("outside of its access", in: result)
  }

  @Test func valuesAreValidatedAndSetWithoutACheck() throws {
    try Connection.inMemory { db in
      let statement = try db.makeStatement(sql: "SELECT ?, :a, :b")
      let cases: [(StatementArguments, isValid: Bool, [DatabaseValue])] = [
        ([1, 2, 3], true, [1, 2, 3]), ([], false, [nil, nil, nil]),
        ([1, 2], false, [1, 2, nil]), ([1, 2, 3, 4], false, [1, 2, 3]),
        ([1] &+ ["a": 2, "b": 3], true, [1, 2, 3]), ([1] &+ ["b": 3], false, [1, nil, 3]),
        (["a": 2, "b": 3], false, [nil, 2, 3]), ([1, 3] &+ ["a": 2], true, [1, 2, 3]),
        ([1, 2, 3] &+ ["a": 5], false, [1, 5, 2]),
      ]
      for (arguments, isValid, values) in cases {
        if isValid {
          try statement.validateArguments(arguments)
          try statement.setArguments(arguments)
          #expect(statement.arguments == arguments)
          statement.setUncheckedArguments([])
          statement.arguments = arguments
          #expect(try Row.fetchOne(statement)?.databaseValues == values)
        } else {
          let error = try databaseError { try statement.validateArguments(arguments) }
          #expect(error.resultCode == .SQLITE_MISUSE)
          #expect(try error == databaseError { try statement.setArguments(arguments) })
        }
        statement.setUncheckedArguments(arguments)
        let cursor = try statement.makeCursor()
        #expect(try cursor.next()?.databaseValues == values, "\(arguments)")
        #expect(try cursor.next() == nil)
        #expect(cursor.sql == statement.sql && cursor.columnCount == 3)
        #expect(cursor.arguments == arguments && statement.arguments == arguments)
      }
      #expect(try db.makeStatement(sql: "SELECT 1").arguments.isEmpty)
    }
  }

  /// A name goes first, whatever stands before it.
  @Test func valuesByPositionFillWhatNamesLeave() throws {
    try Connection.inMemory { db throws in
      let row = try Row.fetchOne(
        db, sql: "SELECT ?2, :city, ?1, :city, :zone", arguments: [1, 2, 3] + ["city": 4])
      #expect(row?.databaseValues == [2, 4, 1, 4, 3])
      try db.execute(sql: "CREATE TABLE t (a, b)")
      try db.execute(
        sql: "INSERT INTO t VALUES (:a, ?); INSERT INTO t VALUES (?, :a);",
        arguments: [1, 2] + ["a": 0])
      #expect(
        try Row.fetchAll(db, sql: "SELECT * FROM t").map(\.databaseValues) == [[0, 1], [2, 0]])
      try db.execute(sql: "UPDATE t SET b = :b WHERE a = :a", arguments: [2] + ["b": 7])
      #expect(try Int.fetchOne(db, sql: "SELECT b FROM t WHERE a = 2") == 7)
    }
  }

  @Test func aCachedStatementIsTheSameUnlessItRuns() throws {
    try Connection.inMemory { db in
      let statement = try db.cachedStatement(sql: "SELECT ?")
      #expect(try Int.fetchOne(statement, arguments: [1]) == 1)
      #expect(try db.cachedStatement(literal: "SELECT \(2)") === statement)
      #expect(try Int.fetchOne(statement) == 2)
      let cursor = try statement.makeCursor()
      _ = try cursor.next()
      #expect(try db.cachedStatement(sql: "SELECT ?") !== statement)
      _ = try cursor.next()
      #expect(try db.cachedStatement(sql: "SELECT ?") === statement)
      db.releaseMemory()
      #expect(try db.cachedStatement(sql: "SELECT ?") !== statement)
    }
  }
}
