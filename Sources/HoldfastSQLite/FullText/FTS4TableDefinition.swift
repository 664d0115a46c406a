/// The definition of an FTS4 table that is being created.
public final class FTS4TableDefinition {
  /// The tokenizer; ``FTS3TokenizerDescriptor/simple`` if `nil`.
  public var tokenizer: FTS3TokenizerDescriptor?

  /// The table that contains the text, instead of a copy; empty for a table that stores no text.
  ///
  /// SQLite does not update the index when that table changes. The program removes a row from the
  /// index before it changes there, and adds it afterwards. Setting it ends
  /// ``synchronize(withTable:)``, which does not have this difficulty.
  ///
  /// - SeeAlso: <https://www.sqlite.org/fts3.html#the_content_option>
  public var content: String? {
    didSet { synchronizedTable = nil }
  }

  /// The SQL function that compresses the stored texts; needs ``uncompress``.
  ///
  /// - SeeAlso: <https://www.sqlite.org/fts3.html#the_compress_and_uncompress_options>
  public var compress: String?

  /// The SQL function that reverses ``compress``.
  public var uncompress: String?

  /// The value `fts3`, which saves space where the numbers of words in texts are not needed.
  ///
  /// - SeeAlso: <https://www.sqlite.org/fts3.html#the_matchinfo_option>
  public var matchinfo: String?

  /// The lengths, in bytes, of the prefixes that have their own index.
  ///
  /// - SeeAlso: <https://www.sqlite.org/fts3.html#the_prefix_option>
  public var prefixes: Set<Int>?

  private(set) var columns: [FTS4ColumnDefinition] = []
  private(set) var synchronizedTable: String?

  init() {}

  /// Adds a column.
  ///
  /// - Parameter name: The column's name; with a content table, the name of its column. A table
  ///   without any has one that is named `content`.
  /// - Returns: The column, for ``FTS4ColumnDefinition/notIndexed()`` and
  ///   ``FTS4ColumnDefinition/asLanguageId()``.
  @discardableResult public func column(_ name: String) -> FTS4ColumnDefinition {
    let column = FTS4ColumnDefinition(name: name)
    columns.append(column)
    return column
  }

  /// Copies the text of another table, and updates the copy when that table changes.
  ///
  /// Existing rows are indexed at once. Afterwards triggers on the other table update the index for
  /// every change, including changes by other programs: insertions, updates, deletions, and rows
  /// that a conflict replaces (`INSERT OR REPLACE`) or ignores (`UPDATE OR IGNORE`).
  /// `Database.dropFTS4SynchronizationTriggers(forTable:)` ends the synchronization. Call it before
  /// `ALTER TABLE … RENAME` of this table too, with the old name, which the triggers keep.
  ///
  /// An insertion that a conflict ignores counts as a change of the other table for observations.
  ///
  /// A trigger of the other table may change that table again. When it is newer than synchronization
  /// and fails under `OR FAIL` or calls `RAISE(IGNORE)`, SQLite skips the update of the index; when it
  /// is older and fires BEFORE, it must not change the rows that a conflict is about to replace.
  ///
  /// The texts are stored twice, where ``FTS5TableDefinition/synchronize(withTable:)`` stores them
  /// once: FTS4 removes a row by reading its old text, and a trigger knows only after a change
  /// whether a conflict prevented it, when the other table does not have the old text any more.
  ///
  /// - Important: Give the other table an INTEGER PRIMARY KEY. Without one, a `VACUUM` may renumber
  ///   its rows; then create the full-text table again. A unique index that is created later is not
  ///   considered for replaced rows: synchronize again after creating it.
  ///
  /// - Parameter tableName: The other table. It has a column for each column of this table.
  public func synchronize(withTable tableName: String) {
    content = nil
    synchronizedTable = tableName
  }

  /// The module's arguments: columns, then options.
  var arguments: [String] {
    let options = [
      ("content", content), ("compress", compress), ("uncompress", uncompress),
      ("matchinfo", matchinfo),
      ("prefix", prefixes?.sorted().map(String.init).joined(separator: ",")),
    ]
    return columns.flatMap(\.arguments) + (tokenizer.map { [$0.option] } ?? [])
      + options.compactMap { name, value in value.map { "\(name)=\($0.quoted(by: "\""))" } }
  }
}
