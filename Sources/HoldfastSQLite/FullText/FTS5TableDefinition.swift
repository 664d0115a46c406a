/// What a full-text table is made of, while it is created.
public final class FTS5TableDefinition {
  /// A column of a full-text table.
  public final class Column {
    let name: String
    fileprivate var isIndexed = true

    fileprivate init(name: String) {
      self.name = name
    }

    /// Keeps the column's text out of the search.
    ///
    /// - Returns: The column.
    @discardableResult public func notIndexed() -> Self {
      isIndexed = false
      return self
    }

    var sql: String {
      name.quotedDatabaseIdentifier + (isIndexed ? "" : " UNINDEXED")
    }
  }

  /// What texts are split into words by; FTS5's own default when `nil`.
  public var tokenizer: FTS5TokenizerDescriptor?

  /// The table whose text is searched, instead of a copy of it; empty for a table without text.
  ///
  /// SQLite does not keep the index right when that table changes; ``synchronize(withTable:)``
  /// does.
  public var content: String?

  /// The column of ``content`` that is the full-text table's rowid.
  public var contentRowID: String?

  /// The lengths, in characters, of the prefixes that have an index of their own.
  public var prefixes: Set<Int>?

  /// Whether the number of words of each text is stored, 1 or 0, which ranking needs.
  public var columnSize: Int?

  /// How much of a word's places is stored; all when `nil`.
  public var detail: FTS5.Detail?

  private(set) var columns: [Column] = []
  private(set) var synchronizedTable: String?

  init() {}

  /// Adds a column.
  ///
  /// - Parameter name: The column's name; the one of the content's column where there is such.
  /// - Returns: The column, for ``Column/notIndexed()``.
  @discardableResult public func column(_ name: String) -> Column {
    let column = Column(name: name)
    columns.append(column)
    return column
  }

  /// Searches the text of another table, and keeps the index right whoever changes it.
  ///
  /// The rows that are there are indexed at once. From then on triggers of the other table carry
  /// every change over, also those of other programs: insertions, updates, deletions, and rows that
  /// a conflict replaces (`INSERT OR REPLACE`, `UPDATE OR REPLACE`), which fire no delete trigger.
  /// `Database.dropFTS5SynchronizationTriggers(forTable:)` ends it.
  ///
  /// - Important: Give the other table an INTEGER PRIMARY KEY. Without one SQLite may number its
  ///   rows anew in a `VACUUM`; then call `Database.rebuildFTS5Index(inTable:)` after each. A
  ///   unique index that is created later is not looked at for replaced rows: synchronize again
  ///   after that.
  ///
  /// - Parameter tableName: The other table. It has a column for each of this one's.
  /// - SeeAlso: <https://www.sqlite.org/fts5.html#external_content_tables>
  public func synchronize(withTable tableName: String) {
    synchronizedTable = tableName
    content = tableName
  }

  /// The module's arguments: columns first, options then.
  var arguments: [String] {
    var options: [String] = []
    func add(_ name: String, _ value: String?) {
      if let value { options.append("\(name)=\(value)") }
    }
    add("tokenize", tokenizer?.sql)
    add("content", content.map { $0.quoted(by: "'") })
    add("content_rowid", contentRowID.map { $0.quoted(by: "'") })
    let prefixes = prefixes.map { $0.sorted().map(String.init).joined(separator: " ") }
    add("prefix", prefixes?.quoted(by: "'"))
    add("columnsize", columnSize.map(String.init))
    add("detail", detail?.rawValue)
    return columns.map(\.sql) + options
  }
}
