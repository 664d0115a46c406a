/// The triggers that update a full-text table when its content table changes.
///
/// FTS5 removes a row from its index by the words with which it was added, so a deletion must
/// include the old texts. A row that a conflict replaces fires no delete trigger, unless
/// `recursive_triggers` is on. So the rows that a change may replace are stored in a table before
/// the change, and the ones that do not exist after it are removed from the index.
///
/// - SeeAlso: <https://www.sqlite.org/fts5.html#external_content_tables>,
///   <https://www.sqlite.org/lang_conflict.html>
struct FTS5Synchronization {
  /// A column of a unique index, with its collation.
  struct KeyColumn: Hashable {
    let name: String
    let collation: String

    /// The value that a REPLACE writes for NULL; `nil` if NULL is stored or refused.
    let defaultValue: DefaultValue?
  }

  /// The full-text table.
  let table: String
  /// The table whose text it searches.
  let content: String
  /// The column of ``content`` that is the full-text table's rowid.
  let rowID: String
  /// The columns that both have.
  let columns: [String]
  /// The columns of each unique index of ``content``.
  let uniqueKeys: [[KeyColumn]]

  /// The statements that start the synchronization.
  var creation: [String] {
    [
      "CREATE TABLE \(notes) (id INTEGER PRIMARY KEY, \(noteColumns.joined(separator: ", ")))",
      trigger(
        "bi", "BEFORE INSERT",
        """
        DELETE FROM \(notes);
        \(note(where: conflict));
        """),
      trigger(
        "ai", "AFTER INSERT",
        """
        \(removeReplaced(where: "id = new.\(row)"));
        \(add);
        """),
      trigger(
        "bu", "BEFORE UPDATE",
        """
        DELETE FROM \(notes);
        \(note(where: "(\(conflict)) AND \(row) <> old.\(row)"));
        """),
      trigger(
        "au", "AFTER UPDATE",
        """
        \(removeReplaced(where: "id = new.\(row) AND new.\(row) <> old.\(row)"));
        \(removeOld);
        \(add);
        """),
      // With recursive triggers a replaced row fires this trigger, and must not be removed twice.
      trigger(
        "ad", "AFTER DELETE",
        """
        \(removeOld);
        DELETE FROM \(notes) WHERE id = old.\(row);
        """),
    ]
  }

  /// Returns the statements that end the synchronization of a full-text table, including GRDB's.
  static func removal(ofTable table: String) -> [String] {
    ["bi", "ai", "bu", "au", "ad"].map {
      "DROP TRIGGER IF EXISTS \("__\(table)_\($0)".quotedDatabaseIdentifier)"
    } + ["DROP TABLE IF EXISTS \(notesName(table))"]
  }

  // MARK: - Pieces

  private static func notesName(_ table: String) -> String {
    "__\(table)_replaced".quotedDatabaseIdentifier
  }

  private var notes: String { Self.notesName(table) }
  private var noteColumns: [String] { columns.indices.map { "text\($0)" } }
  private var index: String { table.quotedDatabaseIdentifier }
  private var source: String { content.quotedDatabaseIdentifier }
  private var row: String { rowID.quotedDatabaseIdentifier }

  private func list(_ prefix: String) -> String {
    ([row] + columns.map(\.quotedDatabaseIdentifier)).map { prefix + $0 }.joined(separator: ", ")
  }

  private var indexColumns: String {
    (["rowid"] + columns.map(\.quotedDatabaseIdentifier)).joined(separator: ", ")
  }

  private func trigger(_ suffix: String, _ event: String, _ body: String) -> String {
    "CREATE TRIGGER \("__\(table)_\(suffix)".quotedDatabaseIdentifier) \(event) ON \(source) "
      + "BEGIN\n\(body)\nEND"
  }

  private var add: String {
    "INSERT INTO \(index) (\(indexColumns)) VALUES (\(list("new.")))"
  }

  private var removeOld: String {
    "INSERT INTO \(index) (\(index), \(indexColumns)) VALUES ('delete', \(list("old.")))"
  }

  /// The condition for rows that the new row may replace: same rowid or same unique key.
  private var conflict: String {
    let keys = uniqueKeys.map { key in
      let terms = key.map { column in
        let name = column.name.quotedDatabaseIdentifier
        let isEqual = { (value: String) in
          "\(name) = \(value) COLLATE \(column.collation.quotedDatabaseIdentifier)"
        }
        return switch column.defaultValue {
        case .known(let sql): isEqual("ifnull(new.\(name), (\(sql)))")
        // Any row may have the value of the default.
        case .unknown: "(\(isEqual("new.\(name)")) OR new.\(name) IS NULL)"
        case nil: isEqual("new.\(name)")
        }
      }
      return "(" + terms.joined(separator: " AND ") + ")"
    }
    return (["\(row) = new.\(row)"] + keys).joined(separator: " OR ")
  }

  private func note(where condition: String) -> String {
    "INSERT INTO \(notes) SELECT \(list("")) FROM \(source) WHERE \(condition)"
  }

  private func removeReplaced(where isReplaced: String) -> String {
    let values = noteColumns.joined(separator: ", ")
    return """
      INSERT INTO \(index) (\(index), \(indexColumns)) SELECT 'delete', id, \(values) \
      FROM \(notes) WHERE \(isReplaced) \
      OR NOT EXISTS (SELECT 1 FROM \(source) WHERE \(row) = \(notes).id);
      DELETE FROM \(notes)
      """
  }
}
