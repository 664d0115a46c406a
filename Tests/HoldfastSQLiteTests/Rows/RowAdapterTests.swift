import Foundation
import HoldfastSQLite
import Testing

@Suite struct RowAdapterTests {
  private static let sql = "SELECT 1 AS id, 'Arthur' AS name, 3 AS id, 'Reds' AS name, NULL AS x"

  private static let parts = ScopeAdapter([
    "player": RangeRowAdapter(0..<2),
    "team": RangeRowAdapter(2...3).addingScopes(["inner": SuffixRowAdapter(fromIndex: 4)]),
  ])

  private struct Team: Codable, Hashable, FetchableRecord {
    var id: Int
    var name: String
  }

  /// A record that is decoded in part only.
  private struct Loud: Decodable, FetchableRecord {
    var name: String

    enum CodingKeys: CodingKey { case name }

    init(row: Row) throws {
      self = try FetchableRecordDecoder().decode(Loud.self, from: row)
      name = name.uppercased()
    }
  }

  /// A record of which a scope is a property.
  private struct Membership: Decodable, Hashable, FetchableRecord {
    struct Player: Decodable, Hashable {
      var id: Int
      var name: String
    }
    var x: Int?
    var player: Player
    var team: Team?
    var inner: Team?
    var absent: Team?
  }

  @Test func anAdapterChoosesColumns() throws {
    let cases: [(any RowAdapter, Row)] = [
      (EmptyRowAdapter(), [:]), (RangeRowAdapter(1..<3), ["name": "Arthur", "id": 3]),
      (RangeRowAdapter(0...0), ["id": 1]), (SuffixRowAdapter(fromIndex: 5), [:]),
      (SuffixRowAdapter(fromIndex: 3), ["name": "Reds", "x": nil]),
      (ColumnMapping(["label": "NAME", "a": "x"]), ["label": "Arthur", "a": nil]),
      (
        RenameColumnAdapter { $0 + "!" },
        ["id!": 1, "name!": "Arthur", "id!": 3, "name!": "Reds", "x!": nil]
      ),
      (ScopeAdapter([:]), ["id": 1, "name": "Arthur", "id": 3, "name": "Reds", "x": nil]),
    ]
    try Connection.inMemory { db in
      for (adapter, expected) in cases {
        let row = try #require(try Row.fetchOne(db, sql: Self.sql, adapter: adapter))
        #expect(row == expected)
        #expect(row.unadapted == (try Row.fetchOne(db, sql: Self.sql)))
        #expect(row.scopes.isEmpty)
        let request = SQLRequest<Row>(sql: Self.sql, adapter: adapter, cached: true)
        #expect(try request.fetchAll(db) == [expected])
        let same = request.adapted { _ in SuffixRowAdapter(fromIndex: 0) }
        #expect(try same.fetchSet(db) == [expected])
        #expect(try Row.fetchCursor(db, sql: Self.sql, adapter: adapter).next() == expected)
      }
    }
  }

  /// An app's own adapter, with a position that no row has.
  private struct NegativeAdapter: RowAdapter {
    func layout(of columnNames: [String]) -> AdaptedRowLayout {
      AdaptedRowLayout(columns: [.init(index: 0, name: "a"), .init(index: -1, name: "b")])
    }
  }

  @Test(
    arguments: [
      RangeRowAdapter(4..<6), RangeRowAdapter(-1..<2), SuffixRowAdapter(fromIndex: 6),
      NegativeAdapter(), ScopeAdapter(["a": NegativeAdapter()]),
      ColumnMapping(["a": "missing"]), ScopeAdapter(["a": ColumnMapping(["a": "missing"])]),
    ] as [any RowAdapter])
  func aMissingColumnIsAnErrorBeforeTheFirstRow(_ adapter: any RowAdapter) throws {
    try Connection.inMemory { db in
      let sql = Self.sql + " WHERE 0"
      let error = try databaseError { _ = try Row.fetchAll(db, sql: sql, adapter: adapter) }
      #expect(error.resultCode == .SQLITE_MISUSE && error.sql == sql)
      #expect(throws: DatabaseError.self) { try Row.fetchCursor(db, sql: sql, adapter: adapter) }
    }
  }

  @Test func scopesArePartsOfTheStatementsRow() throws {
    try Connection.inMemory { db in
      let row = try #require(try Row.fetchOne(db, sql: Self.sql, adapter: Self.parts))
      #expect(row.count == 5)
      #expect(row.scopes.names == ["player", "team"])
      #expect(row.scopes.map(\.name) == ["player", "team"])
      #expect(row.scopes["player"] == ["id": 1, "name": "Arthur"])
      let team = try #require(row.scopes["team"])
      #expect(team.unscoped == ["id": 3, "name": "Reds"])
      #expect(team != team.unscoped && row != row.unadapted)
      #expect(team.unadapted == row.unadapted)
      #expect(team.scopes["inner"] == ["x": nil])
      #expect(row.scopes["inner"] == nil && row.scopes["Player"] == nil)
      #expect(row.scopesTree.names == ["player", "team", "inner"])
      #expect(row.scopesTree["inner"]?.containsNonNullValue == false)
      #expect(team.containsNonNullValue)
      let empty = EmptyRowAdapter()
      #expect(
        try Row.fetchOne(
          db, sql: Self.sql, adapter: empty.addingScopes(["a": RangeRowAdapter(0..<1)]))?
          .containsNonNullValue == true)
      let rows = try [0..<1, 1..<2].map { range in
        let scope = empty.addingScopes(["a": RangeRowAdapter(range)])
        return try Row.fetchOne(db, sql: Self.sql, adapter: scope)
      }
      #expect(rows[0] != rows[1])
      // A kept row stays the same.
      #expect(row.copy() == row && Row(row: row) == row)
      // An adapter after an adapter counts the columns of the first one.
      let chained = SQLRequest<Row>(sql: Self.sql, adapter: SuffixRowAdapter(fromIndex: 2))
        .adapted { _ in
          ScopeAdapter(base: RangeRowAdapter(1..<2), scopes: ["id": RangeRowAdapter(0..<1)])
        }
      let last = try #require(try chained.fetchOne(db))
      #expect(last.unscoped == ["name": "Reds"] && last.scopes["id"] == ["id": 3])
      #expect(try chained.fetchCount(db) == 1)
      let adapters = splittingRowAdapters(columnCounts: [1, 2])
      let split = try adapters.map { try Row.fetchOne(db, sql: Self.sql, adapter: $0)?.count }
      #expect(split == [1, 2, 2])
    }
  }

  @Test func valuesAndRecordsAreAdapted() throws {
    try Connection.inMemory { db in
      let id = RangeRowAdapter(2..<3)
      let team = Team(id: 3, name: "Reds")
      #expect(try Int.fetchAll(db, sql: Self.sql, adapter: id) == [3])
      #expect(try Int.fetchOne(db, sql: Self.sql, adapter: id) == 3)
      #expect(try Int.fetchOne(db, sql: Self.sql, adapter: SuffixRowAdapter(fromIndex: 4)) == nil)
      #expect(try Int.fetchSet(db, sql: Self.sql, adapter: id) == [3])
      #expect(try Int.fetchCursor(db, sql: Self.sql, adapter: id).next() == 3)
      #expect(try SQLRequest<Int>(sql: Self.sql, adapter: id).fetchOne(db) == 3)
      let part = RangeRowAdapter(2..<4)
      #expect(try Team.fetchAll(db, sql: Self.sql, adapter: part) == [team])
      #expect(try Team.fetchSet(db, sql: Self.sql, adapter: part) == [team])
      #expect(try Team.fetchOne(db.makeStatement(sql: Self.sql), adapter: part) == team)
      #expect(try Team.fetchCursor(db, sql: Self.sql, adapter: part).next() == team)
      #expect(try SQLRequest<Team>(literal: SQL(sql: Self.sql), adapter: part).fetchOne(db) == team)
      let row = try #require(try Row.fetchOne(db, sql: Self.sql, adapter: Self.parts))
      let (a, b, c): (Team, Team?, Team?) = (row["team"], row["team"], row["inner"])
      #expect(a == team && b == team && c == nil)
      #expect(throws: RowDecodingError.self) { try row.decode(Team.self, forKey: "inner") }
      #expect(throws: RowDecodingError.self) { try row.decode(Team.self, forKey: "missing") }
      #expect(try row.decodeIfPresent(Team.self, forKey: "missing") == nil)
    }
  }

  @Test func aPropertyIsDecodedFromAScope() throws {
    try Connection.inMemory { db in
      let found = try Membership.fetchOne(db, sql: Self.sql, adapter: Self.parts)
      #expect(
        found
          == Membership(
            x: nil, player: .init(id: 1, name: "Arthur"), team: Team(id: 3, name: "Reds"),
            inner: nil, absent: nil))
      let row: Row = ["id": 3, "name": "Reds"]
      #expect(try FetchableRecordDecoder().decode(Loud.self, from: row).name == "Reds")
      #expect(try Loud(row: row).name == "REDS")
      // The player's columns are NULL.
      #expect(throws: RowDecodingError.self) {
        try Membership.fetchOne(
          db, sql: "SELECT NULL, NULL, 3, 'Reds', NULL", adapter: Self.parts)
      }
    }
  }

  @Test func columnsAreChosenAgainWhenTheSchemaChanges() throws {
    try Connection.inMemory { db in
      try db.execute(sql: "CREATE TABLE t (a, b); INSERT INTO t VALUES (1, 2)")
      let statement = try db.makeStatement(sql: "SELECT * FROM t")
      let adapter = SuffixRowAdapter(fromIndex: 1)
      #expect(try Row.fetchAll(statement, adapter: adapter) == [["b": 2]])
      try db.execute(sql: "ALTER TABLE t ADD COLUMN c DEFAULT 3")
      #expect(try Row.fetchAll(statement, adapter: adapter) == [["b": 2, "c": 3]])
    }
  }
}
