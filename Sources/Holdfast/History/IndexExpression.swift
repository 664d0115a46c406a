/// An expression or a condition of an index, rewritten for use in another context.
///
/// - SeeAlso: <https://www.sqlite.org/expridx.html>, <https://www.sqlite.org/quirks.html#dblquote>
struct IndexExpression {
  /// SQL in which unqualified names refer to the columns of any row.
  let sql: String

  /// The folded names of the columns that it may name.
  let columns: Set<DatabaseIdentifier>

  /// Parses an expression of an index.
  ///
  /// - Parameters:
  ///   - text: The text in the index's definition.
  ///   - columns: The folded names of all columns of the table, and of the rowid where it may be
  ///     named.
  ///   - table: The name of the table, by which the text may qualify its columns.
  init(_ text: Substring, columns: Set<DatabaseIdentifier>, table: String) {
    let tokens = Array(SQLTokens(text))
    let tableName = table.foldedDatabaseIdentifier
    var sql = ""
    var end = text.startIndex
    var named: Set<DatabaseIdentifier> = []
    for (index, token) in tokens.enumerated() {
      let next = index + 1 < tokens.count ? tokens[index + 1] : ""
      let previous = index > 0 ? tokens[index - 1] : ""
      let isQualified = previous == "."
      let name = token.unquotedName
      defer { end = max(end, token.endIndex) }
      if columns.contains(name), next != "." { named.insert(name) }
      if next == ".", token.isName, name == tableName || name == "main" {
        // The column's name alone means the same in every context, even after ALTER TABLE RENAME.
        sql += text[end..<token.startIndex]
        end = next.endIndex
      } else if token.unicodeScalars.first == "\"", !columns.contains(name), next != "(",
        next != ".", !isQualified,
        !["as", "collate"].contains(previous.lowercased())
      {
        // A name of no column is a string here, which not every connection accepts in such quotes.
        sql += text[end..<token.startIndex] + token.asString
      } else {
        sql += text[end..<token.endIndex]
      }
    }
    self.sql = sql
    self.columns = named
  }
}
