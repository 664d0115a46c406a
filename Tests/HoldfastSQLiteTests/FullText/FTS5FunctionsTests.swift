import HoldfastSQLite
import Testing

@Suite struct FTS5FunctionsTests {
  struct Book: FetchableRecord, TableRecord, Decodable {
    static let databaseTableName = "a \"book"
    var rowid: Int
    static let databaseSelection: [any SQLSelectable] = [Column("rowid")]
  }

  private func withBooks(_ body: (Database) throws -> Void) throws {
    try Connection.inMemory { db throws in
      try db.create(virtualTable: Book.databaseTableName, using: FTS5()) { t in
        t.column("isbn").notIndexed()
        t.column("Title")
        t.column("body")
      }
      for (title, body) in [
        ("Quay", "a long text about the harbour"), ("Harbour", "a wharf, a jetty and a quay"),
        ("Pier", "nothing"),
      ] {
        try db.execute(
          sql: "INSERT INTO \"a \"\"book\" VALUES ('quay', ?, ?)", arguments: [title, body])
      }
      try body(db)
    }
  }

  @Test func rowsAreRankedByWeights() throws {
    try withBooks { db throws in
      let table = Book.databaseTableName
      let quay = FTS5Pattern(matchingAllTokensIn: "quay")
      for (term, expected) in [
        (FTS5.bm25(in: table, weights: ["TITLE": 10]), [1, 2]),
        (FTS5.bm25(in: table, weights: ["title": 0, "body": 10]), [2, 1]),
        (FTS5.bm25(in: table), [1, 2]), (Column.rank.sqlExpression, [1, 2]),
      ] {
        #expect(try Book.matching(quay).order(term).fetchAll(db).map(\.rowid) == expected)
      }
      let ranks = Book.matching(quay).select(FTS5.bm25(in: table) == Column.rank, as: Bool.self)
      #expect(try ranks.fetchAll(db) == [true, true])
      // In one column.
      #expect(try Book.filter(Column("title").match(quay)).fetchAll(db).map(\.rowid) == [1])
      #expect(try Book.filter(Column("title").match(nil as FTS5Pattern?)).fetchCount(db) == 0)
    }
  }

  @Test func matchesAreMarked() throws {
    try withBooks { db throws in
      let table = Book.databaseTableName
      let request = Book.matching(FTS5Pattern(matchingAllTokensIn: "quay")).order(Column.rowID)
      for (text, expected) in [
        (FTS5.highlight("title", in: table, opening: "<", closing: "'>"), ["<Quay'>", "Harbour"]),
        (
          FTS5.snippet("body", in: table, opening: "[", closing: "]", tokenCount: 3),
          ["a long text…", "…and a [quay]"]
        ),
        (
          FTS5.snippet(in: table, opening: "[", closing: "]", ellipsis: "~", tokenCount: 2),
          ["[Quay]", "~a [quay]"]
        ),
      ] {
        #expect(try request.select(text, as: String.self).fetchAll(db) == expected)
      }
      for missing in [
        FTS5.highlight("author", in: table, opening: "", closing: ""),
        FTS5.bm25(in: table, weights: ["author": 2]),
      ] {
        let error = try databaseError { _ = try request.select(missing, as: Row.self).fetchAll(db) }
        #expect(error.message == "no such column: author in table a \"book")
      }
    }
  }
}
