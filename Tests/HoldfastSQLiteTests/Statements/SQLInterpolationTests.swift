import Foundation
import HoldfastSQLite
import HoldfastTestSupport
import Testing

@Suite struct SQLInterpolationTests {
  struct Player: TableRecord {}

  enum Keys: String, CodingKey { case id }

  /// A value that is a sequence too.
  struct Tags: Sequence, DatabaseValueConvertible {
    let names: [String]
    var databaseValue: DatabaseValue { names.joined(separator: ",").databaseValue }
    static func fromDatabaseValue(_ value: DatabaseValue) -> Tags? { nil }
    func makeIterator() -> IndexingIterator<[String]> { names.makeIterator() }
  }

  private func build(_ sql: SQL) throws -> (sql: String, arguments: StatementArguments) {
    try Connection.inMemory { db in try sql.build(db) }
  }

  private func check(
    _ sql: SQL, _ expected: String, _ arguments: StatementArguments = [],
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let built = try build(sql)
    #expect(built.sql == expected, sourceLocation: sourceLocation)
    #expect(built.arguments == arguments, sourceLocation: sourceLocation)
  }

  private func half(_ value: some SQLExpressible) -> SQL { "\(value) / 2" }

  private func third(_ value: any SQLExpressible) -> SQL { "\(value) / 3" }

  @Test func expressionsOfUnknownTypeAreInterpolated() throws {
    try check(half(Column("a")), "\"a\" / 2")
    try check(half(5), "? / 2", [5])
    try check(third(Column("a") + 1), "\"a\" + ? / 3", [1])
    let none: (any SQLExpressible)? = nil
    let noColumn: (any SQLSelectable)? = nil
    let all: any SQLSelectable = AllColumns()
    let order: any SQLOrderingTerm = Column("a").desc
    try check("\(none), \(noColumn)", "?, NULL", [nil])
    try check("SELECT \(all) ORDER BY \(order)", "SELECT * ORDER BY \"a\" DESC")
    try check(
      "\(AllColumns() as any SQLSelectable) \(Column("a") as any SQLOrderingTerm)", "* \"a\"")
    try check("\(Keys.id) \(Keys.id as any CodingKey)", "\"id\" \"id\"")
    try check("\(1.databaseValue.forKey("b")), \("x".databaseValue)", "? AS \"b\", ?", [1, "x"])
    try check("\("baz".dropFirst()) \(SQL("b \(2)"))", "? b ?", ["az", 2])
  }

  @Test func namesOfTablesAndCollationsAreInterpolated() throws {
    try check("FROM \(Table("pla\"yer"))", "FROM \"pla\"\"yer\"")
    try check("INTO \(tableOf: Player() as any TableRecord)", "INTO \"player\"")
    try check(
      "\(sql: "a") COLLATE \(.nocase), b COLLATE \(.unicodeCompare)",
      "a COLLATE \"NOCASE\", b COLLATE \"swiftCompare\"")
  }

  @Test func sequencesOfExpressionsBecomeLists() throws {
    let expressions: [any SQLExpressible] = [Column("a"), Column("b") + 2, 3]
    try check("c IN \(expressions)", "c IN (\"a\", \"b\" + ?, ?)", [2, 3])
    try check("c IN \([Column("a"), Column("b")])", "c IN (\"a\", \"b\")")
    try check("c IN \([] as [SQLExpression])", "c IN (SELECT NULL WHERE NULL)")
    try check("c = \(Tags(names: ["x", "y"]))", "c = ?", ["x,y"])
  }

  @Test func aCommonTableExpressionIsDefinedAndNamed() throws {
    try Connection.inMemory { db throws in
      let named = CommonTableExpression(
        named: "c\"te", columns: ["name", "score"], literal: "SELECT \("O'Brien"), 12")
      let query: SQLRequest<Row> = "WITH \(definitionFor: named) SELECT score, name FROM \(named)"
      #expect(try query.fetchOne(db) == ["score": 12, "name": "O'Brien"])
      let other = CommonTableExpression(named: "other", columns: [], sql: "SELECT 1 AS a")
      #expect(try Int.fetchAll(db, literal: "WITH \(definitionFor: other) \(other.all())") == [1])
      #expect(try other.all().with(other).fetchAll(db) == [["a": 1]])
    }
  }

  /// As in GRDB: a second pair of parentheses would make a list of one value of the rows.
  @Test func aRequestIsInterpolatedWithoutParentheses() throws {
    try Connection.inMemory { db throws in
      try db.execute(
        sql: "CREATE TABLE player (id, score); INSERT INTO player VALUES (1, 5), (2, 7)")
      let ids: SQLRequest<Int> = "SELECT id FROM player WHERE id > \(0)"
      let request = Player.select(Column("score"), as: Int.self)
      #expect(
        try Int.fetchAll(db, literal: "SELECT score FROM player WHERE id IN (\(ids))") == [5, 7])
      #expect(
        try Int.fetchAll(db, literal: "SELECT id FROM player WHERE score IN (\(request))") == [
          1, 2,
        ])
      #expect(try Int.fetchAll(db, literal: "\(ids) ORDER BY id DESC") == [2, 1])
      let best: SQL =
        "SELECT id FROM player WHERE score = \(request.order(Column("score").desc).sqlExpression)"
      #expect(try Int.fetchOne(db, literal: best) == 2)
    }
  }
}
