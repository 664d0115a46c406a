// FTS5's functions on the rows of a search.

extension FTS5 {
  /// Returns the rank of a row by the BM25 algorithm: the better the match, the smaller the number.
  ///
  /// ```swift
  /// let best = try Table("book_ft").matching(pattern)
  ///   .order(FTS5.bm25(in: "book_ft", weights: ["title": 10]))
  ///   .fetchAll(db)
  /// ```
  ///
  /// To order by it with equal weights, ``Column/rank`` is faster.
  ///
  /// - Parameters:
  ///   - table: The name of the full-text table, on which the request has a pattern.
  ///   - weights: The weights of its columns by their names; 1 for the others.
  /// - Returns: The SQL `bm25`. A request with it fails with `SQLITE_ERROR` when the table has no such
  ///   column.
  /// - SeeAlso: <https://www.sqlite.org/fts5.html#the_bm25_function>
  public static func bm25(in table: String, weights: [String: Double] = [:]) -> SQLExpression {
    function("bm25", of: table) { columns in
      var values = [Double](repeating: 1, count: weights.isEmpty ? 0 : columns.names.count)
      for (name, weight) in weights { values[try columns.position(of: name)] = weight }
      return values
    }
  }

  /// Returns the text of a column in which each part that matches the pattern is marked.
  ///
  /// ```swift
  /// let titles = try Table("book_ft").matching(pattern)
  ///   .select(FTS5.highlight("title", in: "book_ft", opening: "<b>", closing: "</b>"))
  /// ```
  ///
  /// The text itself is not changed: if it is shown as HTML, it needs to be HTML.
  ///
  /// - Parameters:
  ///   - column: The name of the column.
  ///   - table: The name of the full-text table, on which the request has a pattern.
  ///   - opening: The text before each part.
  ///   - closing: The text after each part.
  /// - Returns: The SQL `highlight`. A request with it fails with `SQLITE_ERROR` when the table has no
  ///   such column.
  /// - SeeAlso: <https://www.sqlite.org/fts5.html#the_highlight_function>
  public static func highlight(
    _ column: String, in table: String, opening: String, closing: String
  ) -> SQLExpression {
    function("highlight", of: table) { columns in
      [try columns.position(of: column), opening, closing]
    }
  }

  /// Returns the part of a text with the most matches, in which they are marked.
  ///
  /// - Parameters:
  ///   - column: The name of the column; the one with the best part if `nil`.
  ///   - table: The name of the full-text table, on which the request has a pattern.
  ///   - opening: The text before each part that matches.
  ///   - closing: The text after each part that matches.
  ///   - ellipsis: The text in the place of what is left out before and after.
  ///   - tokenCount: The largest number of tokens, 1 to 64.
  /// - Returns: The SQL `snippet`. A request with it fails with `SQLITE_ERROR` when the table has no
  ///   such column.
  /// - SeeAlso: <https://www.sqlite.org/fts5.html#the_snippet_function>
  public static func snippet(
    _ column: String? = nil, in table: String, opening: String, closing: String,
    ellipsis: String = "…", tokenCount: Int = 16
  ) -> SQLExpression {
    function("snippet", of: table) { columns in
      [try column.map(columns.position(of:)) ?? -1, opening, closing, ellipsis, tokenCount]
    }
  }

  /// The columns of a full-text table, which its functions know by their positions.
  private struct Columns {
    let names: [String]
    let missing: @Sendable (String) -> DatabaseError

    func position(of name: String) throws -> Int {
      let folded = name.foldedDatabaseIdentifier
      guard let position = names.firstIndex(where: { $0.foldedDatabaseIdentifier == folded })
      else { throw missing(name) }
      return position
    }
  }

  private static func function(
    _ name: String, of table: String,
    arguments: @escaping @Sendable (Columns) throws -> [any DatabaseValueConvertible]
  ) -> SQLExpression {
    SQLExpression(
      .resolved { db in
        let path = db.path
        let columns = Columns(names: try db.columns(in: table).map(\.name)) {
          .noSuchColumn($0, in: table, path: path)
        }
        let values = try arguments(columns).map(\.databaseValue.sqlExpression)
        // The first argument is the hidden column with the table's name.
        return SQLExpression(.function(name, [SQLExpression(.column(table))] + values))
      })
  }
}

extension Column {
  /// The column `rank`, which orders the rows of a full-text search by relevance, the best first.
  ///
  /// - SeeAlso: <https://www.sqlite.org/fts5.html#sorting_by_auxiliary_function_results>
  public static let rank = Column("rank")
}
