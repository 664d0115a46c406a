import HoldfastSQLite
import HoldfastTestSupport
import Testing

/// The SQL of requests, without its values.
@Suite struct RequestSQLTests {
  struct Player: TableRecord, Identifiable {
    enum Columns {
      static let name = Column("name")
      static let score = Column("score")
    }
    var id: Int64
  }

  private static let id = Column("id")
  private static let name = Column("name")
  private static let score = Column("score")

  private static let schema = """
    CREATE TABLE player (id INTEGER PRIMARY KEY, name TEXT, score INTEGER);
    CREATE TABLE seat (number INTEGER, letter TEXT, PRIMARY KEY (number, letter)) WITHOUT ROWID;
    CREATE VIRTUAL TABLE note USING fts5(text);
    """

  /// Requests and the SQL that they have; one statement each, which the compiler checks quickly.
  private struct Cases {
    private var cases: [(request: any FetchRequest, sql: String)] = []

    mutating func add(_ request: any FetchRequest, _ sql: String) {
      cases.append((request, sql))
    }

    /// Adds an expression, which stands for `SELECT * FROM "player" WHERE …`.
    mutating func add(_ condition: SQLExpression, _ sql: String) {
      add(Player.filter(condition), "SELECT * FROM \"player\" WHERE \(sql)")
    }

    func check(sourceLocation: SourceLocation = #_sourceLocation) throws {
      try Connection.inMemory { db throws in
        try db.execute(sql: RequestSQLTests.schema)
        for (request, expected) in cases {
          let found = try db.makeStatement(literal: request.makeSQL(db)).sql
          #expect(found == expected, sourceLocation: sourceLocation)
        }
      }
    }
  }

  @Test func anAliasNamesTheRowsOfAnotherRequest() throws {
    let (id, score) = (Self.id, Self.score)
    let (player, other) = (TableAlias(for: Player.self), TableAlias(name: "o\"ther"))
    let better = Player.aliased(other).filter(other["score"] > player.score)
    var cases = Cases()
    cases.add(
      Player.aliased(player).filter(!better.exists()),
      "SELECT * FROM \"player\" AS \"alias 1\" WHERE NOT EXISTS "
        + "(SELECT * FROM \"player\" AS \"o\"\"ther\" WHERE \"o\"\"ther\".\"score\" > \"alias 1\".\"score\")"
    )
    let second = TableAlias<Void>()
    let rank = Player.aliased(second).filter(literal: "\(second[score]) > \(player[score])")
    cases.add(
      Table<Row>("player").aliased(player).select(
        rank.select(count(id)).sqlExpression, player[JSONColumn("name")].asJSON["x"]),
      "SELECT (SELECT COUNT(\"id\") FROM \"player\" AS \"alias 1\" WHERE "
        + "\"alias 1\".\"score\" > \"alias 2\".\"score\"), "
        + "\"alias 2\".\"name\" ->> 'x' FROM \"player\" AS \"alias 2\"")
    cases.add(
      SQLRequest<Row>(
        "SELECT \(columnsOf: Player.self), \(columnsOf: Player.self, tableAlias: "p") FROM player, player p"
      ),
      "SELECT \"player\".*, \"p\".* FROM player, player p")
    try cases.check()
    try Connection.inMemory { db throws in
      try db.execute(sql: Self.schema)
      try db.execute(sql: "INSERT INTO player VALUES (1, 'a', 1), (2, 'b', 3), (3, 'c', 2)")
      let best = Player.all().aliased(player).filter(!better.exists())
      #expect(try best.selectID().fetchAll(db) == [2])
      #expect(try best.fetchCount(db) == 1)
      // A table that is read again while it is changed is read before.
      #expect(try best.limit(1).updateAll(db, score.set(to: 0)) == 1)
      #expect(try Player.aliased(player).filter(player.score < 2).deleteAll(db) == 2)
      #expect(try Player.all().selectID().fetchAll(db) == [3])
    }
  }

  @Test func expressions() throws {
    let (id, name, score) = (Self.id, Self.name, Self.score)
    let nobody: String? = nil
    var cases = Cases()
    cases.add(name == "x", "\"name\" = ?")
    cases.add("x" == name, "\"name\" = ?")
    cases.add(name != "x", "\"name\" <> ?")
    cases.add(name == nil, "\"name\" IS NULL")
    cases.add(name != nil, "\"name\" IS NOT NULL")
    cases.add(name == nobody, "\"name\" IS NULL")
    cases.add(nobody != name, "\"name\" IS NOT NULL")
    cases.add(name === nil, "\"name\" IS NULL")
    cases.add(name !== "x", "\"name\" IS NOT ?")
    cases.add(name == true, "\"name\" = ?")
    cases.add(name != false, "\"name\" <> ?")
    cases.add(name === true, "\"name\" IS ?")
    cases.add(score < 1, "\"score\" < ?")
    cases.add(1 <= score, "? <= \"score\"")
    cases.add(score > id, "\"score\" > \"id\"")
    cases.add(score >= score + 1, "\"score\" >= (\"score\" + ?)")
    cases.add(score + 1 + id == 0, "(\"score\" + ? + \"id\") = ?")
    cases.add(score - (id - 1) == 0, "(\"score\" - (\"id\" - ?)) = ?")
    cases.add(score * 2 / id == 1, "((\"score\" * ?) / \"id\") = ?")
    cases.add(-score == ~id, "(-\"score\") = (~\"id\")")
    cases.add(score & 1 | 2 == 3, "((\"score\" & ?) | ?) = ?")
    cases.add(score << 1 == id >> 1, "(\"score\" << ?) = (\"id\" >> ?)")
    cases.add(
      score > 1 && score < 5 && name != nil,
      "(\"score\" > ?) AND (\"score\" < ?) AND (\"name\" IS NOT NULL)")
    cases.add(
      score > 1 || score < 5 && id == 1, "(\"score\" > ?) OR ((\"score\" < ?) AND (\"id\" = ?))")
    cases.add(!(score == 1), "\"score\" <> ?")
    cases.add(!(name == nil), "\"name\" IS NOT NULL")
    cases.add(!(score < 1), "NOT (\"score\" < ?)")
    cases.add(!(score == 1 && id == 2), "NOT ((\"score\" = ?) AND (\"id\" = ?))")
    cases.add([1, 2].contains(id), "\"id\" IN (?, ?)")
    cases.add(![1, 2].contains(id), "\"id\" NOT IN (?, ?)")
    cases.add([1].contains(id), "\"id\" = ?")
    cases.add([Int]().contains(id), "1 = 0")
    cases.add(![Int]().contains(id), "1 = 1")
    cases.add((1...5).contains(id), "\"id\" BETWEEN ? AND ?")
    cases.add(!(1...5).contains(id), "\"id\" NOT BETWEEN ? AND ?")
    cases.add((1..<5).contains(id), "(\"id\" >= ?) AND (\"id\" < ?)")
    cases.add(name.like("a%"), "\"name\" LIKE ?")
    cases.add(!name.like("a%", escape: "\\"), "\"name\" NOT LIKE ? ESCAPE ?")
    cases.add(name.collating(.nocase) == "x", "\"name\" COLLATE \"NOCASE\" = ?")
    cases.add((name ?? "x") == "y", "IFNULL(\"name\", ?) = ?")
    cases.add(coalesce([name, "x", nil as String?]) == "y", "COALESCE(\"name\", ?, ?) = ?")
    cases.add(abs(score) == length(name), "ABS(\"score\") = LENGTH(\"name\")")
    cases.add(min(score, 1) == max(score, id, 3), "MIN(\"score\", ?) = MAX(\"score\", \"id\", ?)")
    cases.add(cast(score, as: .text) == "1", "CAST(\"score\" AS TEXT) = ?")
    cases.add(name.uppercased == "X", "\"swiftUppercaseString\"(\"name\") = ?")
    cases.add(
      dateTime(name, .day(1)) > julianDay(name), "DATETIME(\"name\", ?) > JULIANDAY(\"name\")")
    let joined = [name.sqlExpression, "x".sqlExpression].joined(operator: .concat)
    cases.add(joined == "y", "(\"name\" || ?) = ?")
    cases.add([SQLExpression]().joined(operator: .and), "?")
    cases.add(Column.rowID == 1, "\"rowid\" = ?")
    cases.add(
      SQL("score > 1 OR \(name) = \("x")").sqlExpression && id == 1,
      "(score > 1 OR \"name\" = ?) AND (\"id\" = ?)")
    try cases.check()
  }

  @Test func requests() throws {
    let (id, name, score) = (Self.id, Self.name, Self.score)
    let best = Player.select(max(score))
    let cte = CommonTableExpression(named: "top", columns: ["key"], request: Player.select(id))
    let star = "SELECT * FROM \"player\""
    var cases = Cases()
    cases.add(Player.all(), star)
    cases.add(Player.none(), "\(star) WHERE 0")
    cases.add(Table("player").all(), star)
    cases.add(
      Player.filter(score > 1).filter(name == "x"),
      "\(star) WHERE (\"score\" > ?) AND (\"name\" = ?)")
    cases.add(Player.filter { $0.score > 1 }, "\(star) WHERE \"score\" > ?")
    cases.add(Player.filter(sql: "score > ?", arguments: [1]), "\(star) WHERE score > ?")
    cases.add(Player.filter(key: 1), "\(star) WHERE \"id\" = ?")
    cases.add(Player.filter(ids: [1, 2]), "\(star) WHERE \"id\" IN (?, ?)")
    cases.add(Player.filter(key: ["id": 1]), "\(star) WHERE \"id\" = ?")
    cases.add(
      Table("seat").filter(keys: [["number": 1, "letter": "A"], ["letter": nil, "number": 2]]),
      "SELECT * FROM \"seat\" WHERE ((\"letter\" = ?) AND (\"number\" = ?)) OR ((\"letter\" IS NULL) AND (\"number\" = ?))"
    )
    cases.add(Player.order(score.desc, name), "\(star) ORDER BY \"score\" DESC, \"name\"")
    cases.add(Player.order(\.score.desc, \.name), "\(star) ORDER BY \"score\" DESC, \"name\"")
    cases.add(
      Player.order(score.ascNullsLast, name.desc).reversed(),
      "\(star) ORDER BY \"score\" DESC NULLS FIRST, \"name\" ASC")
    cases.add(Player.order(sql: "score").reversed(), "\(star) ORDER BY score DESC")
    cases.add(Player.all().reversed(), star)
    let column: Column? = name
    let noColumn: Column? = nil
    cases.add(
      Player.order(column, noColumn).select(noColumn, column),
      "SELECT NULL, \"name\" FROM \"player\" ORDER BY \"name\", NULL")
    cases.add(Player.order(name).unordered(), star)
    cases.add(Player.order(name).order(score), "\(star) ORDER BY \"score\"")
    cases.add(Player.order(name).withStableOrder(), "\(star) ORDER BY \"name\", \"id\"")
    cases.add(
      Table("seat").orderByPrimaryKey().reversed(),
      "SELECT * FROM \"seat\" ORDER BY \"number\" DESC, \"letter\" DESC")
    cases.add(
      Player.order(name.collating(.nocase).desc),
      "\(star) ORDER BY \"name\" COLLATE \"NOCASE\" DESC")
    cases.add(Player.limit(5), "\(star) LIMIT ?")
    cases.add(Player.limit(5, offset: 2), "\(star) LIMIT ? OFFSET ?")
    cases.add(Player.select(name, score + 1), "SELECT \"name\", \"score\" + ? FROM \"player\"")
    cases.add(
      Player.select { [$0.name, $0.score] }.distinct(),
      "SELECT DISTINCT \"name\", \"score\" FROM \"player\"")
    cases.add(
      Player.select(.allColumns(excluding: ["NAME"]), name.forKey("n")),
      "SELECT \"id\", \"score\", \"name\" AS \"n\" FROM \"player\"")
    cases.add(
      Player.annotated(with: (score * 2).forKey("double")),
      "SELECT *, \"score\" * ? AS \"double\" FROM \"player\"")
    cases.add(Player.selectID(), "SELECT \"id\" FROM \"player\"")
    cases.add(
      Table("seat").selectPrimaryKey(as: Row.self), "SELECT \"number\", \"letter\" FROM \"seat\"")
    cases.add(
      Player.select(name, count(.allColumns), average(score, filter: score > 0)).group(name)
        .having(count(distinct: score) > 1),
      "SELECT \"name\", COUNT(*), AVG(\"score\") FILTER (WHERE \"score\" > ?) FROM \"player\" GROUP BY \"name\" HAVING COUNT(DISTINCT \"score\") > ?"
    )
    cases.add(Player.all().groupByPrimaryKey(), "\(star) GROUP BY \"id\"")
    cases.add(
      Player.filter(score == best),
      "\(star) WHERE \"score\" = (SELECT MAX(\"score\") FROM \"player\")")
    cases.add(
      Player.filter(!best.contains(score)),
      "\(star) WHERE \"score\" NOT IN (SELECT MAX(\"score\") FROM \"player\")")
    cases.add(
      Player.filter(!Player.filter(score > 1).exists()),
      "\(star) WHERE NOT EXISTS (SELECT * FROM \"player\" WHERE \"score\" > ?)")
    cases.add(
      Player.filter(SQLRequest<Int>("SELECT 1").contains(id)),
      "\(star) WHERE \"id\" IN (SELECT 1)")
    cases.add(
      Player.with(cte).filter(cte.contains(id)),
      "WITH \"top\"(\"key\") AS (SELECT \"id\" FROM \"player\") \(star) WHERE \"id\" IN (SELECT * FROM \"top\")"
    )
    cases.add(
      Table("note").matching(FTS5Pattern(matchingAllTokensIn: "a")),
      "SELECT * FROM \"note\" WHERE \"note\" MATCH ?")
    cases.add(
      SQLRequest<Row>(
        "SELECT * FROM (\(sql: "SELECT 1 AS id")) WHERE \(id + 1 > 1) AND id IN (\(best)) ORDER BY \(id.desc)"
      ),
      "SELECT * FROM (SELECT 1 AS id) WHERE (\"id\" + ?) > ? AND id IN (SELECT MAX(\"score\") FROM \"player\") ORDER BY \"id\" DESC"
    )
    try cases.check()
  }

  /// The parameters of a text are those that SQLite finds in it, wherever the text stands.
  @Test func parametersOfRandomTextsKeepTheirValues() throws {
    var random = SeededRandom()
    let operands = [
      "?", "?", "?1", "?2", "?3", ":a", ":a", ":a::b", "@x", "$y", "$y(?)", "#a", "':?'",
      "'a@b''?'",
      "1", "/*?*/2", "--:a?\n3", "[?]",
    ]
    let operators = ["AND ", " OR ", "||", "+", "-", ",", " IS ", "=", "IN(0)+", "<>"]
    try Connection.inMemory { db throws in
      try db.execute(sql: "CREATE TABLE t ([?]); INSERT INTO t VALUES (4)")
      var count = 0
      for _ in 0..<1000 {
        var text = operands.randomElement(using: &random) ?? ""
        for _ in 0..<Int.random(in: 0...5, using: &random) {
          text += operators.randomElement(using: &random) ?? ""
          text += operands.randomElement(using: &random) ?? ""
        }
        let columns = "SELECT 0, \(text) FROM t"
        guard let statement = try? db.makeStatement(sql: columns) else { continue }
        count += statement.parameterCount > 0 ? 1 : 0
        let values = (0..<statement.parameterCount).map { Int64($0 + 10).databaseValue }
        let arguments = StatementArguments(values)
        let expected = try Row.fetchOne(statement, arguments: arguments)?.databaseValues
        let request = Table("t").select(
          [0.databaseValue.sqlExpression, SQL(sql: text, arguments: arguments)]
            as [any SQLSelectable])
        #expect(try Row.fetchOne(db, request)?.databaseValues == expected, "\(text)")
      }
      #expect(count > 300)
    }
  }

  /// A named or numbered parameter keeps its value wherever its text goes.
  @Test func parametersOfLiteralsKeepTheirValues() throws {
    let request = Table("player").select(sql: "? || :a || ?", arguments: ["<", ">"] + ["a": "x"])
      .filter(Column("id") == 1)
      .filter(
        sql: "name = ?2 AND ?1 = '?1' AND name = $n", arguments: ["?1", "b"] + ["n": "b"]
      )
      .order(literal: "\(Column("id") + 1) + \(sql: "@b", arguments: ["b": 7])")
      .asRequest(of: String.self)
    try Connection.inMemory { db throws in
      try db.execute(sql: Self.schema + "INSERT INTO player VALUES (1, 'b', 0)")
      #expect(try request.fetchAll(db) == ["<x>"])
      // As in a statement, a name takes what is left by position, and the same name the same value.
      let names = Player.select(sql: ":a || ?2 || :b || :a", arguments: ["1", "2", "3"])
        .filter(sql: "score < :a", arguments: [1]).filter(sql: "id = :a", arguments: [1])
        .asRequest(of: String.self)
      #expect(try names.fetchAll(db) == ["1231"])
      for (sql, arguments) in [
        ("? = :a", [1] + ["b": 1]), ("?3 = 3", [1, 2]), ("?0", [1]), ("?99999999999999999999", [1]),
        (":a = ?", [1, 2, 3]), ("?1 = ?1", [1, 2]),
      ] as [(String, StatementArguments)] {
        let error = try databaseError {
          _ = try Player.filter(sql: sql, arguments: arguments).fetchCount(db)
        }
        #expect(error.resultCode == .SQLITE_MISUSE, "\(sql)")
      }
      let missing = try databaseError {
        _ = try Player.filter(sql: ":a = 1", arguments: ["b": 1]).fetchCount(db)
      }
      #expect(
        missing.description.contains(":a") || missing.description.contains("'a'"), "\(missing)")
    }
  }

  @Test func changedRowsAreReturned() throws {
    struct Score: FetchableRecord, TableRecord, Identifiable, Hashable {
      static let databaseTableName = "player"
      static var databaseSelection: [any SQLSelectable] { [Column("id"), Column("score")] }
      typealias Columns = Player.Columns
      var (id, score): (Int64, Int)

      init(row: Row) throws { (id, score) = try (row.decode(atIndex: 0), row.decode(atIndex: 1)) }
    }
    try Connection.inMemory { db throws in
      try db.execute(sql: Self.schema)
      try db.execute(
        sql: "INSERT INTO player VALUES (1, 'a', 1), (2, 'b', 2), (3, 'c', 3), (4, 'd', 4)")
      let low = Score.filter(Self.score <= 2)
      #expect(try low.updateAndFetchAll(db) { [$0.score += 10] }.map(\.score).sorted() == [11, 12])
      #expect(try Score.all().updateAndFetchSet(db, [Self.score += 1]).map(\.score).max() == 13)
      let best = Score.order(Self.score.desc).limit(1)
      let statement = try best.deleteAndFetchStatement(db) { [$0.name] }
      #expect(try String.fetchAll(db, sql: "SELECT name FROM player").count == 4)
      #expect(try Row.fetchOne(statement)?.count == 1)
      // The first row of a cursor is returned after all of them were deleted.
      let cursor = try Score.filter(Self.score < 13).deleteAndFetchCursor(db)
      #expect(try cursor.next() != nil)
      #expect(try Score.fetchCount(db) == 0)
      try db.execute(sql: "INSERT INTO player VALUES (5, 'a', 1), (6, 'b', 2)")
      #expect(try Score.all().deleteAndFetchIds(db) == [5, 6])
      #expect(try Score.all().group(Self.name).having(sql: "0").deleteAndFetchAll(db).isEmpty)
    }
  }

  @Test func changes() throws {
    let (name, score) = (Self.name, Self.score)
    try Connection.inMemory { db throws in
      try db.execute(sql: Self.schema)
      try db.execute(sql: "INSERT INTO player VALUES (1, 'a', 1), (2, 'b', 2), (3, 'c', 3)")
      try db.execute(sql: "INSERT INTO seat VALUES (1, 'A'), (1, 'B'), (2, 'A')")
      #expect(try Player.filter(score >= 2).updateAll(db, score += 10, name.set(to: nil)) == 2)
      #expect(try Player.updateAll(db) { [$0.score *= 2, $0.score -= 1] } == 3)
      // One after the other, a column would be multiplied first; SQLite takes the last assignment.
      #expect(try Int.fetchAll(db, Player.select(score).order(score)) == [0, 11, 12])
      #expect(try Player.order(score.desc).limit(1).deleteAll(db) == 1)
      #expect(try Player.selectID().fetchSet(db) == [1, 2])
      #expect(try Player.updateAll(db, []) == 0)
      #expect(try Table("seat").order(Column("letter").desc).limit(1, offset: 0).deleteAll(db) == 1)
      #expect(try Table("seat").deleteOne(db, key: ["number": 1, "letter": "A"]))
      #expect(try Table("seat").fetchCount(db) == 1)
      #expect(
        try Player.with(CommonTableExpression(named: "t", literal: "SELECT 1")).filter(
          literal: "id IN (SELECT * FROM t)"
        ).deleteAll(db) == 1)
      #expect(try Player.updateAll(db, onConflict: .ignore, Column("id").set(to: 2)) == 1)
    }
  }

  /// SQLite may evaluate a subquery of a DELETE or UPDATE after the first rows were changed.
  @Test func rowsAreChosenBeforeTheFirstOneIsChanged() throws {
    let others = Table("player").filter(Self.score == 1)
    let conditions: [SQLExpression] = [
      Self.score == 1 || others.exists(),
      SQL("score = 1 OR EXISTS (SELECT * FROM player WHERE score = 1)").sqlExpression,
      SQL("score = 1 OR EXISTS (\(others))").sqlExpression,
    ]
    try Connection.inMemory { db throws in
      try db.execute(sql: Self.schema)
      for condition in conditions {
        try db.execute(
          sql: "REPLACE INTO player VALUES (1, 'a', 1), (2, 'b', 2), (3, 'c', 3)")
        #expect(try Player.filter(condition).updateAll(db, Self.name.set(to: "x")) == 3)
        #expect(try Player.filter(condition).deleteAll(db) == 3)
      }
      try db.execute(sql: "REPLACE INTO player VALUES (1, 'a', 1), (2, 'b', 2), (3, 'c', 3)")
      let best = CommonTableExpression(
        named: "best", literal: "SELECT id FROM player WHERE score = 1")
      #expect(
        try Player.with(best).filter(literal: "score = 1 OR 1 IN best").deleteAll(db) == 3)
    }
  }

  /// SQLite 3.51.0 and 3.51.1 count the rows of the subquery.
  @Test func anOffsetSkipsRowsAndNoneOfASubquery() throws {
    try Connection.inMemory { db throws in
      try db.execute(sql: Self.schema)
      try db.execute(sql: "REPLACE INTO player VALUES (1, 'a', 1), (2, 'b', 2), (3, 'c', 3)")
      let request = Player.filter(Table("player").filter(Self.score > 1).exists())
        .order(Self.id).limit(2, offset: 2)
      #expect(try request.select(Self.id, as: Int.self).fetchAll(db) == [3])
      #expect(try request.deleteAll(db) == 1)
      #expect(try Player.select(Self.id, as: Int.self).fetchAll(db) == [1, 2])
    }
  }

  @Test func oneRowOfEachGroupIsChanged() throws {
    try Connection.inMemory { db throws in
      try db.execute(sql: Self.schema)
      try db.execute(sql: "INSERT INTO player VALUES (1, 'a', 1), (2, 'a', 2), (3, 'b', 3)")
      let groups = Player.all().groupByPrimaryKey()
      #expect(try groups.having(max(Self.score) > 1).updateAll(db, Self.score += 1) == 2)
      #expect(try Int.fetchAll(db, Player.select(Self.score)) == [1, 3, 4])
      #expect(try Player.all().group(Self.name).having(count(.allColumns) > 1).deleteAll(db) == 1)
      #expect(try groups.deleteAll(db) == 2)
    }
  }

  @Test func anUpdateHasTheConflictPolicyOfItsRows() throws {
    struct Name: Codable, FetchableRecord, PersistableRecord {
      static let databaseTableName = "name"
      static let persistenceConflictPolicy = PersistenceConflictPolicy(update: .ignore)
      enum Columns { static let text = Column("text") }
      var text: String
    }
    try Connection.inMemory { db throws in
      try db.execute(sql: "CREATE TABLE name (text UNIQUE); INSERT INTO name VALUES ('a'), ('b')")
      let (table, change) = (Table<Name>("name"), Column("text").set(to: "c"))
      let updates: [() throws -> Int] = [
        { try Name.updateAll(db, change) }, { try table.updateAll(db, change) },
        { try table.updateAll(db, [change]) }, { try table.updateAll(db) { $0.text.set(to: "c") } },
        { try table.filter(Column("text") > "").updateAll(db) { [$0.text.set(to: "c")] } },
        { try table.all().updateAndFetchAll(db, [change]).count },
      ]
      for update in updates {
        try db.inSavepoint { () throws in
          #expect(try update() == 1)
          return .rollback
        }
      }
      // As in GRDB, the rows' type decides, not the table's.
      for request in [Table<Row>("name").all(), Name.all().asRequest(of: Row.self)] {
        let error = try databaseError { _ = try request.updateAll(db, change) }
        #expect(error.resultCode == .SQLITE_CONSTRAINT)
      }
    }
  }

  @Test func anEmptyListOrdersNothing() throws {
    try Connection.inMemory { db throws in
      try db.execute(sql: Self.schema)
      try db.execute(sql: "INSERT INTO player VALUES (1, 'b', 1), (2, 'a', 2)")
      let nobody = [Int]().contains(Self.id)
      for order in [nobody.desc, (!nobody).asc] {
        #expect(
          try Player.order(order, Self.name).select(Self.id, as: Int.self).fetchAll(db) == [2, 1])
      }
    }
  }

  @Test func aSurplusValueOfALiteralIsAnError() throws {
    try Connection.inMemory { db throws in
      try db.execute(sql: Self.schema)
      let error = #expect(throws: DatabaseError.self) {
        try Player.filter(sql: "id = ?1", arguments: [1, 2]).fetchCount(db)
      }
      #expect(error?.message == "wrong number of statement arguments: 2 given, 1 expected")
    }
  }
}
