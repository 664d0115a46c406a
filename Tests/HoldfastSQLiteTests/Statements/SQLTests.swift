import Foundation
import HoldfastSQLite
import HoldfastTestSupport
import Testing

@Suite struct SQLTests {
  struct Player: TableRecord {
    static let databaseTableName = "pla\"yer"
    enum CodingKeys: String, CodingKey { case name, order }
  }

  private func build(_ sql: SQL) throws -> (sql: String, arguments: StatementArguments) {
    try Connection.inMemory { db in try sql.build(db) }
  }

  @Test func valuesAreBoundAndNeverInserted() throws {
    let hostile = "'; DROP TABLE t; --"
    try Connection.inMemory { db throws in
      try db.execute(sql: "CREATE TABLE t (a, b)")
      try db.execute(literal: "INSERT INTO t VALUES (\(hostile), \(1.5))")
      #expect(try String.fetchOne(db, literal: "SELECT a FROM t WHERE b = \(1.5)") == hostile)
      let sql = SQL("SELECT \(hostile)")
      #expect(try sql.build(db).sql == "SELECT ?")
      #expect(try sql.build(db).arguments == [hostile])
      let suffix = SQL(hostile.databaseValue)
      let both = SQL(Column("a")) + " || " + suffix + " = " + SQL(Column("a") == hostile)
      let built = try both.build(db)
      #expect(built.sql == "\"a\" || ? = \"a\" = ?" && built.arguments == [hostile, hostile])
    }
  }

  @Test func nilIsNull() throws {
    let none: Int? = nil
    let some: (any DatabaseValueConvertible)? = "x"
    let built = try build("\(none) \(some) \(Data([1, 2]))")
    #expect(built.sql == "? ? ?")
    #expect(built.arguments == [nil, "x", Data([1, 2])])
  }

  @Test func sequencesBecomeLists() throws {
    let none: [Int] = []
    #expect(try build("x IN \([1, 2, 3])").sql == "x IN (?, ?, ?)")
    #expect(try build("x IN \([1, 2, 3])").arguments == [1, 2, 3])
    try Connection.inMemory { db throws in
      #expect(try Bool.fetchOne(db, literal: "SELECT 1 IN \(none)") == false)
      #expect(try Bool.fetchOne(db, literal: "SELECT 1 NOT IN \(none)") == true)
      #expect(try Bool.fetchOne(db, literal: "SELECT 2 IN \(Set([1, 2]))") == true)
    }
  }

  /// Keys that are also columns, as a record declares them.
  enum Named: String, CodingKey, ColumnExpression { case id }

  /// Columns that are not keys.
  enum Columns: String, ColumnExpression { case theOrder = "order" }

  @Test func namesAreQuoted() throws {
    #expect(
      try build("SELECT \(Player.CodingKeys.order) FROM \(Player.self)").sql
        == #"SELECT "order" FROM "pla""yer""#)
    #expect(try build("SELECT \(Column("a\"b"))").sql == #"SELECT "a""b""#)
    #expect(try build("\(Column(Player.CodingKeys.order))").sql == #""order""#)
    #expect(try build("\(Named.id)").sql == #""id""#)
    #expect(try build("\(Columns.theOrder)").sql == #""order""#)
    #expect(try build("\(tableOf: Player())").sql == #""pla""yer""#)
    #expect(try build("\(columnOf: Player.self, "a\"b")").sql == #""pla""yer"."a""b""#)
  }

  @Test func embeddedSQLKeepsItsValues() throws {
    let condition: SQL = "a = \(1) AND b = \(2)"
    let built = try build(
      "SELECT \(0) WHERE \(literal: condition) LIMIT \(sql: "?", arguments: [3])")
    #expect(built.sql == "SELECT ? WHERE a = ? AND b = ? LIMIT ?")
    #expect(built.arguments == [0, 1, 2, 3])
    let request: SQLRequest<Int> = "SELECT \(5)"
    #expect(try build("1 IN (\(request))").sql == "1 IN (SELECT ?)")
  }

  @Test func fragmentsAreJoined() throws {
    var query: SQL = "SELECT 1"
    #expect(!query.isEmpty && SQL("").isEmpty)
    query += " WHERE a = \(1)"
    query.append(literal: " AND b = \(2)")
    query.append(sql: " AND c = ?", arguments: [3])
    #expect(try build(query + " LIMIT \(4)").arguments == [1, 2, 3, 4])
    #expect(try build(["a", "b", "c"].joined(separator: ", ") as SQL).sql == "a, b, c")
    #expect(try build([SQL]().joined(separator: ", ")).sql == "")
  }

  @Test func severalStatementsCanBeExecuted() throws {
    try Connection.inMemory { db throws in
      try db.execute(
        literal: "CREATE TABLE t (a); INSERT INTO t VALUES (\(1)); INSERT INTO t VALUES (\(2))")
      let statement = try db.makeStatement(literal: "SELECT a FROM t WHERE a > \(1)")
      #expect(try Int.fetchAll(statement) == [2])
    }
  }

  @Test func theArgumentsOfALiteralCanBeSetLater() throws {
    try Connection.inMemory { db throws in
      for make: (SQL) throws -> Statement in [db.makeStatement, db.cachedStatement] {
        #expect(try Int.fetchOne(make("SELECT ? + ?"), arguments: [1, 2]) == 3)
        #expect(try Int.fetchOne(make("SELECT :a + :b"), arguments: ["a": 3, "b": 4]) == 7)
        let error = try databaseError { _ = try make("SELECT \(1) + ?") }
        #expect(error.resultCode == .SQLITE_MISUSE)
      }
      for statements in [
        try db.allStatements(literal: "SELECT ?; SELECT :a"),
        try db.allStatements(sql: "SELECT ?; SELECT :a"),
      ] {
        let (first, second) = (try statements.next(), try statements.next())
        #expect(try Int.fetchOne(#require(first), arguments: [1]) == 1)
        #expect(try Int.fetchOne(#require(second), arguments: ["a": 2]) == 2)
        #expect(try statements.next() == nil)
      }
      let few = try db.allStatements(literal: "SELECT \(1); SELECT ?")
      #expect(try databaseError { while try few.next() != nil {} }.resultCode == .SQLITE_MISUSE)
    }
  }

  @Test func namedValuesAreKept() throws {
    try Connection.inMemory { db throws in
      let sql = SQL(sql: "SELECT :a + ", arguments: ["a": 1]) + SQL(sql: ":b", arguments: ["b": 2])
      #expect(try Int.fetchOne(db, literal: sql) == 3)
    }
    #expect((["a": 1] as StatementArguments &+ ["a": 2]) == ["a": 2])
    var arguments: StatementArguments = ["a": 1]
    #expect(arguments.append(contentsOf: ["a": 2, "b": 3]) == ["a": 1])
  }

  @Test func aNameDefinedTwiceTraps() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = SQL(sql: ":a", arguments: ["a": 1]) + SQL(sql: ":a", arguments: ["a": 2])
    }
    expectSentence("already defined statement argument: a", in: result)
  }
}
