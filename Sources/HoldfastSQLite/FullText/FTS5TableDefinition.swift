/// The definition of a full-text table that is being created.
public final class FTS5TableDefinition {
  /// The tokenizer; FTS5's default if `nil`.
  ///
  /// A custom tokenizer needs to be added to the connection first.
  public var tokenizer: FTS5TokenizerDescriptor?

  /// The table that contains the text, instead of a copy; empty for a table that stores no text.
  ///
  /// SQLite does not update the index when that table changes; ``synchronize(withTable:)`` does, which
  /// setting it ends.
  public var content: String? {
    didSet { synchronizedTable = nil }
  }

  /// The column of ``content`` that is the full-text table's rowid.
  ///
  /// Setting it ends ``synchronize(withTable:)``, which finds the column itself.
  public var contentRowID: String? {
    didSet {
      if synchronizedTable != nil { content = nil }
    }
  }

  /// The lengths, in characters, of the prefixes that have their own index.
  public var prefixes: Set<Int>?

  /// Whether the number of words of each text is stored (1 or 0), which ranking needs.
  public var columnSize: Int?

  /// The detail with which the positions of words are stored: `"full"`, which is the default;
  /// `"column"`, without phrases; `"none"`, without phrases and column filters.
  ///
  /// - SeeAlso: <https://www.sqlite.org/fts5.html#the_detail_option>
  public var detail: String?

  private(set) var columns: [FTS5ColumnDefinition] = []
  private(set) var synchronizedTable: String?

  init() {}

  /// Adds a column.
  ///
  /// - Parameter name: The column's name; with a content table, the name of its column.
  /// - Returns: The column, for ``FTS5ColumnDefinition/notIndexed()``.
  @discardableResult public func column(_ name: String) -> FTS5ColumnDefinition {
    let column = FTS5ColumnDefinition(name: name)
    columns.append(column)
    return column
  }

  /// Searches the text of another table, and updates the index when that table changes.
  ///
  /// Existing rows are indexed at once. Afterwards triggers on the other table update the index for
  /// every change, including changes by other programs: insertions, updates, deletions, and rows
  /// that a conflict replaces (`INSERT OR REPLACE`, `UPDATE OR REPLACE`), which fire no delete
  /// trigger. `Database.dropFTS5SynchronizationTriggers(forTable:)` ends the synchronization. Call
  /// it before `ALTER TABLE … RENAME` of this table too, with the old name, which the triggers
  /// keep.
  ///
  /// An insertion that a conflict ignores counts as a change of the other table for observations.
  ///
  /// An AFTER trigger of the other table that changes that table again must be older than the
  /// synchronization, since SQLite fires the newest first: synchronize again after creating one. A
  /// BEFORE trigger that is older must not change the rows that a conflict is about to replace.
  ///
  /// - Important: Give the other table an INTEGER PRIMARY KEY. Without one, a `VACUUM` may renumber
  ///   its rows; then call `Database.rebuildFTS5Index(inTable:)` after each. A unique index that is
  ///   created later is not considered for replaced rows: synchronize again after creating it.
  ///
  /// - Parameter tableName: The other table. It has a column for each column of this table.
  /// - SeeAlso: <https://www.sqlite.org/fts5.html#external_content_tables>
  public func synchronize(withTable tableName: String) {
    contentRowID = nil
    content = tableName
    synchronizedTable = tableName
  }

  /// Returns the module's arguments: columns, then options.
  ///
  /// - Parameter rowIDName: The column that is the rowid of the table that is synchronized.
  /// - Returns: Each as SQL, for the parentheses of `CREATE VIRTUAL TABLE`.
  func arguments(rowIDName: String?) -> [String] {
    var options: [String] = []
    func add(_ name: String, _ value: String?) {
      if let value { options.append("\(name)=\(value)") }
    }
    add("tokenize", tokenizer?.sql)
    add("content", content.map { $0.quoted(by: "'") })
    add("content_rowid", (rowIDName ?? contentRowID).map { $0.quoted(by: "'") })
    let prefixes = prefixes.map { $0.sorted().map(String.init).joined(separator: " ") }
    add("prefix", prefixes?.quoted(by: "'"))
    add("columnSize", columnSize.map(String.init))
    add("detail", detail)
    return columns.map(\.sql) + options
  }
}
