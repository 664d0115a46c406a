/// The definition of a column of a full-text table that is being created.
public final class FTS5ColumnDefinition {
  let name: String
  private var isIndexed = true

  init(name: String) {
    self.name = name
  }

  /// Excludes the column's text from the search.
  @discardableResult public func notIndexed() -> Self {
    isIndexed = false
    return self
  }

  var sql: String {
    name.moduleArgument + (isIndexed ? "" : " UNINDEXED")
  }
}
