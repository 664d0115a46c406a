/// SQLite's full-text module before FTS5, for ``Database/create(virtualTable:options:using:_:)``.
///
/// ```swift
/// try db.create(virtualTable: "book_ft", using: FTS4()) { t in
///   t.synchronize(withTable: "book")
///   t.tokenizer = .unicode61()
///   t.column("title")
/// }
/// ```
///
/// Searches have an ``FTS3Pattern``; SQLite's functions `snippet`, `offsets` and `matchinfo` are
/// called in SQL.
///
/// - SeeAlso: <https://www.sqlite.org/fts3.html>
public struct FTS4: Sendable {
  /// Creates the module.
  public init() {}
}

extension FTS4: VirtualTableModule {
  /// The name `fts4`.
  public var moduleName: String { "fts4" }

  /// Returns an empty definition.
  public func makeTableDefinition(
    configuration: VirtualTableConfiguration
  ) -> FTS4TableDefinition {
    FTS4TableDefinition()
  }

  /// Returns the columns, then the options.
  public func moduleArguments(
    for definition: FTS4TableDefinition, in db: Database
  ) -> [String] {
    definition.arguments
  }

  /// Begins the synchronization of the table, if the definition has one.
  public func database(
    _ db: Database, didCreate tableName: String, using definition: FTS4TableDefinition
  ) throws {
    guard let content = definition.synchronizedTable else { return }
    try FullTextSynchronization(
      .fts4, table: tableName, content: content, columns: definition.columns.map(\.name), db
    ).begin(in: db)
  }
}
