/// SQLite's first full-text module, for ``Database/create(virtualTable:options:using:_:)``.
///
/// Use it for tables that exist, and ``FTS5`` for new ones.
///
/// - SeeAlso: <https://www.sqlite.org/fts3.html>
public struct FTS3: Sendable {
  /// Creates the module.
  public init() {}

  /// The handling of diacritics by the `unicode61` tokenizer, which is the same as in FTS5.
  public typealias Diacritics = FTS5.Diacritics

  /// Returns the words of a text, as a tokenizer writes them into an index.
  ///
  /// ```swift
  /// try FTS3.tokenize("Burning Man", withTokenizer: .porter)  // ["burn", "man"]
  /// ```
  ///
  /// It opens an empty database in memory, which takes a fraction of a millisecond.
  ///
  /// - Parameters:
  ///   - text: The text.
  ///   - tokenizer: The tokenizer.
  /// - Returns: The words, in the order of the text.
  /// - Throws: ``DatabaseError`` with `SQLITE_ERROR` when SQLite was built without FTS3.
  /// - SeeAlso: <https://www.sqlite.org/fts3.html#querying_tokenizers>
  public static func tokenize(
    _ text: String, withTokenizer tokenizer: FTS3TokenizerDescriptor = .simple
  ) throws -> [String] {
    try Database.inMemory { db in
      let arguments = tokenizer.arguments.joined(separator: ", ")
      try db.execute(sql: "CREATE VIRTUAL TABLE word USING fts3tokenize (\(arguments))")
      return try String.fetchAll(
        db, sql: "SELECT token FROM word WHERE input = ? ORDER BY position", arguments: [text])
    }
  }
}

extension FTS3: VirtualTableModule {
  /// The name `fts3`.
  public var moduleName: String { "fts3" }

  /// Returns an empty definition.
  public func makeTableDefinition(
    configuration: VirtualTableConfiguration
  ) -> FTS3TableDefinition {
    FTS3TableDefinition()
  }

  /// Returns the columns, then the tokenizer.
  public func moduleArguments(
    for definition: FTS3TableDefinition, in db: Database
  ) -> [String] {
    definition.arguments
  }

  /// Does nothing.
  public func database(
    _ db: Database, didCreate tableName: String, using definition: FTS3TableDefinition
  ) {}
}
