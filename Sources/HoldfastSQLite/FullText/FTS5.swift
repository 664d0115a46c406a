/// SQLite's newest full-text module, for ``Database/create(virtualTable:options:using:_:)``.
///
/// - SeeAlso: <https://www.sqlite.org/fts5.html>
public struct FTS5: Sendable {
  /// Creates the module.
  public init() {}

  /// The handling of diacritics by the `unicode61` tokenizer.
  public enum Diacritics: Int, Sendable {
    /// `é` and `e` are two letters.
    case keep = 0
    /// `é` matches `e`, except for letters with two diacritics.
    case removeLegacy = 1
    /// `é` matches `e`.
    case remove = 2
  }
}

extension FTS5: VirtualTableModule {
  /// The name `fts5`.
  public var moduleName: String { "fts5" }

  /// Returns an empty definition.
  public func makeTableDefinition(
    configuration: VirtualTableConfiguration
  ) -> FTS5TableDefinition {
    FTS5TableDefinition()
  }

  /// Returns the columns, then the options.
  public func moduleArguments(
    for definition: FTS5TableDefinition, in db: Database
  ) throws -> [String] {
    definition.arguments(
      rowIDName: try definition.synchronizedTable.flatMap { try db.primaryKey($0).rowIDName })
  }

  /// Begins the synchronization of the table, if the definition has one.
  public func database(
    _ db: Database, didCreate tableName: String, using definition: FTS5TableDefinition
  ) throws {
    guard let content = definition.synchronizedTable else { return }
    try FullTextSynchronization(
      .fts5, table: tableName, content: content, columns: definition.columns.map(\.name), db
    ).begin(in: db)
  }
}
