/// The row that an upsert could not insert, because it conflicts with a stored one.
///
/// ```swift
/// let player = try player.upsertAndFetch(db, onConflict: ["name"]) { excluded in
///   [Column("score").set(to: Column("score") + excluded[Column("score")])]
/// }
/// ```
///
/// - SeeAlso: <https://www.sqlite.org/lang_upsert.html>
public struct ExcludedRow: Sendable {
  init() {}

  /// The value of a column that would have been inserted.
  public subscript(_ column: some ColumnExpression) -> SQLExpression {
    self[column.name]
  }

  /// The value of a column that would have been inserted.
  public subscript(_ name: String) -> SQLExpression {
    SQLExpression(.literal(SQL(sql: "excluded." + name.quotedDatabaseIdentifier)))
  }
}
