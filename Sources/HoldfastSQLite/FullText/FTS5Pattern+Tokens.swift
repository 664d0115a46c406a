// Patterns for whole words, for phrases, and in FTS5's own syntax.

extension FTS5Pattern {
  /// Creates a pattern for the rows that contain every word of the text, in any order.
  ///
  /// ```swift
  /// FTS5Pattern(matchingAllTokensIn: "man burn")  // finds "burn the man", not "Burning Man"
  /// ```
  ///
  /// - Parameter text: Any text; the result is `nil` when it has no letters and no digits.
  public init?(matchingAllTokensIn text: String) {
    guard let words = FullTextWords(text) else { return nil }
    self.init(unchecked: words.quoted())
  }

  /// Creates a pattern for the rows that contain at least one word of the text, or `nil` if it has
  /// none.
  public init?(matchingAnyTokenIn text: String) {
    guard let words = FullTextWords(text) else { return nil }
    self.init(unchecked: words.quoted(separator: " OR "))
  }

  /// Creates a pattern for the rows that contain the words of the text as a phrase, or `nil` if it
  /// has none.
  public init?(matchingPhrase text: String) {
    guard let words = FullTextWords(text) else { return nil }
    self.init(unchecked: words.all.joined(separator: " ").quoted(by: "\""))
  }

  /// Creates a pattern for the rows in which a column begins with the words of the text, in order,
  /// or `nil` if it has none.
  public init?(matchingPrefixPhrase text: String) {
    self.init(matchingBeginning: text, isComplete: true)
  }

  /// Creates a pattern from FTS5's own syntax, with its operators, prefixes and column filters.
  ///
  /// Use it for patterns that the program writes, and the other initializers, which accept any
  /// text, for text that a user typed.
  ///
  /// ```swift
  /// try FTS5Pattern(rawPattern: "name : (quay OR wharf) NOT ferry*", allowedColumns: ["name"])
  /// ```
  ///
  /// The pattern is validated on an empty table in memory, which takes a fraction of a millisecond.
  ///
  /// - Parameters:
  ///   - rawPattern: The pattern.
  ///   - allowedColumns: The columns that its column filters may name.
  /// - Throws: `DatabaseError` with `SQLITE_ERROR` when the syntax is wrong or a column is not
  ///   allowed.
  /// - SeeAlso: <https://www.sqlite.org/fts5.html#full_text_query_syntax>
  public init(rawPattern: String, allowedColumns: [String] = []) throws {
    // A table needs a column, and no filter can name this one.
    let columns = allowedColumns.isEmpty ? ["\u{1}"] : allowedColumns
    let list = columns.map(\.quotedDatabaseIdentifier).joined(separator: ", ")
    try Database.validate(rawPattern, onTableUsing: "fts5 (\(list))")
    self.init(unchecked: rawPattern)
  }
}

extension Database {
  /// Creates a pattern from FTS5's own syntax, for a table of this database.
  ///
  /// - Parameters:
  ///   - rawPattern: The pattern.
  ///   - table: The name of the full-text table, whose columns its column filters may name.
  /// - Returns: A pattern that SQLite has parsed for this table.
  /// - Throws: `DatabaseError` with `SQLITE_ERROR` when the syntax is wrong, or there is no such
  ///   table or column.
  public func makeFTS5Pattern(rawPattern: String, forTable table: String) throws -> FTS5Pattern {
    try FTS5Pattern(
      rawPattern: rawPattern, allowedColumns: columns(in: table).map(\.name))
  }
}
