/// The definition of a column of an FTS4 table that is being created.
public final class FTS4ColumnDefinition {
  let name: String
  private var isIndexed = true
  private var isLanguageID = false

  init(name: String) {
    self.name = name
  }

  /// Excludes the column's text from the search.
  @discardableResult public func notIndexed() -> Self {
    isIndexed = false
    return self
  }

  /// Makes it the hidden column with the number of a row's language.
  ///
  /// A search with a condition on it finds the rows of that language, and any other search the rows
  /// of the language 0.
  ///
  /// - SeeAlso: <https://www.sqlite.org/fts3.html#the_languageid_option>
  @discardableResult public func asLanguageId() -> Self {
    isLanguageID = true
    return self
  }

  var arguments: [String] {
    if isLanguageID { return ["languageid=\(name.quotedDatabaseIdentifier)"] }
    let argument = name.moduleArgument
    return isIndexed ? [argument] : [argument, "notindexed=\(argument)"]
  }
}
