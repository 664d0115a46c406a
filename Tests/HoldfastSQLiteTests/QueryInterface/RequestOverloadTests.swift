import Foundation
import HoldfastSQLite
import HoldfastTestSupport
import Testing

/// The same request by each of its forms: closures, lists, expressions of values, types of rows.
@Suite struct RequestOverloadTests {
  struct Player: Codable, Hashable, FetchableRecord, PersistableRecord {
    enum Columns {
      static let id = Column("id")
      static let name = Column("name")
      static let score = Column("score")
      static let double = Column("score") * 2
      static let byName = Column("name").desc
      static let all = AllColumns()
      static let json = JSONColumn("score")
    }
    var id: Int64
    var name: String?
    var score: Int
  }

  /// Calls the closure with the table of players Ann, Bob and Cid, who has Ann's score.
  private func withPlayers(_ body: (Database) throws -> Void) throws {
    try Connection.inMemory { db throws in
      try db.execute(
        sql: """
          CREATE TABLE player (id INTEGER PRIMARY KEY, name TEXT UNIQUE, score INTEGER);
          INSERT INTO player VALUES (1, 'Ann', 5), (2, 'Bob', 7), (3, 'Cid', 5);
          """)
      try body(db)
    }
  }

  /// A closure that escapes would have to name `self`.
  private final class Screen {
    private let factor = 10

    private func scaled(_ value: some SQLSpecificExpressible) -> SQLExpression { value * factor }

    func requests() -> [QueryInterfaceRequest<Player>] {
      [
        Player.select { scaled($0.score) }.order { scaled($0.id) },
        Player.all().select { scaled($0.score) }.order { [scaled($0.id)] },
        Player.order { scaled($0.id) }.select { [scaled($0.score)] },
      ]
    }
  }

  @Test func closuresOfRequestsDoNotEscape() throws {
    try withPlayers { db throws in
      for request in Screen().requests() {
        #expect(try Int.fetchAll(db, request) == [50, 70, 50])
      }
    }
  }

  @Test func closuresReturnOneColumnOrSeveral() throws {
    try withPlayers { db throws in
      let names = Player.order(\.id).select({ $0.name }, as: String.self)
      #expect(try names.fetchAll(db) == ["Ann", "Bob", "Cid"])
      #expect(try Player.select({ $0.name }, as: String.self).fetchOne(db) == "Ann")
      let scores: QueryInterfaceRequest<Int> = Player.select { max($0.score) }
      #expect(try scores.fetchOne(db) == 7)
      let groups: [QueryInterfaceRequest<Player>] = [
        Player.all().group { $0.score }.having { count($0.id) > 1 },
        Player.all().group { [$0.score, $0.score + 1] }.having { count($0.id) > 1 },
        Player.all().group { $0.score }.having { _ in true }.having(count(Player.Columns.id) > 1),
        Player.all().group(Player.Columns.score, Player.Columns.score + 1)
          .having(count(Player.Columns.id) > 1),
      ]
      for request in groups { #expect(try request.fetchAll(db).map(\.score) == [5]) }
      let annotated: [QueryInterfaceRequest<Player>] = [
        Player.annotated { $0.score * 2 }, Player.all().annotated { $0.score * 2 },
        Player.annotated { [$0.score * 2] }, Player.all().annotated { [$0.score * 2] },
      ]
      for request in annotated {
        let row = try #require(try Row.fetchOne(db, request))
        #expect(row.count == 4 && row[3] == 10)
      }
    }
  }

  @Test func aSelectionHasTheTypeThatItIsGiven() throws {
    try withPlayers { db throws in
      let (id, name, score) = (Player.Columns.id, Player.Columns.name, Player.Columns.score)
      let names: [QueryInterfaceRequest<String>] = [
        Player.select(name, as: String.self), Player.all().select(name, as: String.self),
        Player.select([name], as: String.self), Player.all().select([name], as: String.self),
        Player.select(sql: "name", as: String.self),
        Player.all().select(sql: "name", as: String.self),
        Player.select(literal: "\(name)", as: String.self),
        Player.all().select(literal: "\(name)", as: String.self),
      ]
      for request in names { #expect(try request.filter(id == 2).fetchAll(db) == ["Bob"]) }
      let rows: [QueryInterfaceRequest<Row>] = [
        Player.select(name, score, as: Row.self), Player.all().select(name, score, as: Row.self),
        Player.select([name, score], as: Row.self),
        Player.select(sql: "name, :points AS score", arguments: ["points": 7], as: Row.self),
        Player.all().select(sql: "name, ? AS score", arguments: [7], as: Row.self),
        Player.select(literal: SQL(sql: "name, ? AS score", arguments: [7]), as: Row.self),
        Player.all().select(literal: "\(name), \(7) AS score", as: Row.self),
      ]
      for request in rows {
        #expect(try request.filter(id == 2).fetchAll(db) == [["name": "Bob", "score": 7]])
      }
      let loud = Player.select(literal: "\(name) || \("'s")").filter(id == 2)
      #expect(try String.fetchAll(db, loud) == ["Bob's"])
    }
  }

  @Test func aStoredValueIsAConditionAColumnAndAnOrder() throws {
    try withPlayers { db throws in
      let (yes, no) = (true.databaseValue, false.databaseValue)
      #expect(try Player.filter(yes).fetchCount(db) == 3)
      #expect(try Player.filter(yes).filter(no).fetchCount(db) == 0)
      #expect(try Player.filter { yes && $0.id == 1.databaseValue }.fetchCount(db) == 1)
      let row = try Row.fetchOne(db, Player.select(7.databaseValue.forKey("seven")).order(yes))
      #expect(row == ["seven": 7])
      #expect(1.databaseValue == yes && yes != no)
    }
  }

  @Test func anAliasNamesTheColumnsOfAnExpression() throws {
    try withPlayers { db throws in
      let (player, other) = (TableAlias(for: Player.self), TableAlias<Void>(name: "other"))
      let (id, score) = (Player.Columns.id, Player.Columns.score)
      let two: SQL = "\(2.databaseValue) + 0 * \(score)"
      let literal = SQL("\(score) * (\(literal: two)) + \(1)")
      let same = Player.aliased(other).filter(other[score + 1] == player[score + 1])
        .filter(other[id] != player.id)
      #expect(try Player.aliased(player).filter(same.exists()).fetchCount(db) == 2)
      let better = Player.aliased(other).filter(other[literal] > player[literal])
        .filter(other[JSONColumn("score")] > player.double / 2)
        .filter(player.json["$"] < 8 && player[JSONColumn("score")]["$"] > 4)
      let best = Player.aliased(player).filter(!better.exists())
      #expect(try best.fetchAll(db).map(\.name) == ["Bob"])
      let selected = best.select(player[.allColumns], player[score.forKey("points")], player.all)
        .order(player[Player.Columns.byName], player.byName)
      let sql = try selected.makeSQL(db).build(db).sql
      let start = #"SELECT "alias 1".*, "alias 1"."score" AS "points", "alias 1".* FROM "player""#
      let end = #"ORDER BY "alias 1"."name" DESC, "alias 1"."name" DESC"#
      #expect(sql.hasPrefix(start) && sql.hasSuffix(end))
      let inner = Player.select(max(score))
      let outer = Player.aliased(player).filter(player[score == inner && literal > 0])
      let condition = try outer.makeSQL(db).build(db).sql.components(separatedBy: " WHERE ").last
      let highest = #"("alias 1"."score" = (SELECT MAX("score") FROM "player"))"#
      #expect(
        condition == highest + #" AND (("alias 1"."score" * (? + 0 * "alias 1"."score") + ?) > ?)"#)
      #expect(try outer.fetchAll(db).map(\.name) == ["Bob"])
    }
  }

  @Test func aTableOfValuesIsFetched() throws {
    try withPlayers { db throws in
      let ids = Table<Int64>("player")
      #expect(try ids.fetchAll(db) == [1, 2, 3] && ids.fetchOne(db) == 1)
      #expect(try ids.fetchSet(db) == [1, 2, 3] && Array(ids.fetchCursor(db)) == [1, 2, 3])
      let optional = Table<String?>("player")
      #expect(try optional.fetchAll(db) == ["1", "2", "3"])
      let keys: [[String: (any DatabaseValueConvertible)?]] = [["id": 1], ["name": "Bob"]]
      let key: [String: (any DatabaseValueConvertible)?]? = nil
      #expect(try Player.fetchOne(db, key: key) == nil && Player.filter(key: key).isEmpty(db))
      #expect(
        try ids.filter(key: key).isEmpty(db) && ids.filter(key: keys.last).fetchCount(db) == 1)
      #expect(try Table("player").deleteAll(db, keys: keys) == 2)
    }
  }

  @Test func aRequestOfTextWithoutATypeHasRows() throws {
    try withPlayers { db throws in
      let (sql, literal) = ("SELECT name FROM player WHERE id = ?", SQL("SELECT name FROM player"))
      let request = SQLRequest(sql: sql, arguments: [2])
      #expect(try request.fetchOne(db) == ["name": "Bob"])
      #expect(try SQLRequest(literal: literal, cached: true).fetchAll(db).count == 3)
      #expect(
        try String.fetchAll(db, SQLRequest(sql: sql, arguments: [1], cached: true)) == ["Ann"])
      let text = "SELECT name, score FROM player ORDER BY id"
      let all = SQLRequest(sql: text, cached: true)
      let scores = SuffixRowAdapter(fromIndex: 1)
      #expect(try String.fetchSet(db, all) == ["Ann", "Bob", "Cid"])
      #expect(try String?.fetchSet(db, all) == ["Ann", "Bob", "Cid"])
      #expect(try Row.fetchSet(db, all).contains(["name": "Bob", "score": 7]))
      let score = SQLRequest(sql: "\(text) LIMIT ?", arguments: [1], adapter: scores)
      #expect(try score.fetchAll(db) == [["score": 5]] && Int.fetchOne(db, score) == 5)
    }
  }

  @Test func anUpdateReturnsTheColumnsThatItIsAskedFor() throws {
    try withPlayers { db throws in
      let ann = Player(id: 1, name: "Anna", score: 9)
      let columns: [Column] = [Player.Columns.score]
      let names: Set<String> = ["name"]
      let stored = try ann.updateAndFetch(db, columns: columns, selection: [AllColumns()]) {
        try Player.fetchOne($0)
      }
      #expect(stored == Player(id: 1, name: "Ann", score: 9))
      let name = try ann.updateAndFetch(db, columns: names, selection: [Player.Columns.name]) {
        try String.fetchOne($0)
      }
      #expect(name == "Anna")
    }
  }
}
