/// The triggers that update a full-text table when its content table changes.
///
/// A row that a conflict replaces fires no delete trigger, unless `recursive_triggers` is on, and a
/// row that a conflict ignores fires the triggers before the change. So the rows that a change may
/// replace are noted in a table before it, and the index changes after it: without the old row, and
/// without the noted ones that do not exist any more.
///
/// A trigger of the program that is newer than these fires first, and its own changes then run
/// between a change and its indexing. So FTS4, which can remove a row without its texts, indexes what
/// the content has at that time, and keeps the notes of rows that are gone until it has removed them.
///
/// - SeeAlso: <https://www.sqlite.org/lang_conflict.html>
struct FullTextSynchronization {
  /// The way in which a row is removed from the index after its texts have changed.
  enum Module {
    /// By its rowid: FTS4 reads the words of the stored text. That is a text of its own, because it
    /// would read the changed one in an external content.
    ///
    /// - SeeAlso: <https://www.sqlite.org/fts3.html#_external_content_fts4_tables_>
    case fts4
    /// By its old texts, which the note or the trigger has; the full-text table stores none.
    ///
    /// - SeeAlso: <https://www.sqlite.org/fts5.html#external_content_tables>
    case fts5
  }

  /// A column of a unique index, with its collation.
  struct KeyColumn: Hashable {
    let name: String
    let collation: String

    /// The value that a REPLACE writes for NULL; `nil` if NULL is stored or refused.
    let defaultValue: DefaultValue?
  }

  /// The module of the full-text table.
  let module: Module
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

  /// The statements that begin the synchronization.
  var creation: [String] {
    [
      "CREATE TABLE \(notes) (\((["id INTEGER PRIMARY KEY"] + noteColumns).joined(separator: ", ")))",
      trigger(
        "bi", "BEFORE INSERT",
        """
        \(forgetNotes);
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
        \(forgetNotes);
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
      addAll,
    ]
  }

  /// Returns the statements that end the synchronization of a full-text table, including GRDB's.
  static func removal(ofTable table: String) -> [String] {
    ["bi", "ai", "bu", "au", "bd", "ad"].map {
      "DROP TRIGGER IF EXISTS \("__\(table)_\($0)".quotedDatabaseIdentifier)"
    } + ["DROP TABLE IF EXISTS \(notesName(table))"]
  }

  // MARK: - Pieces

  private static func notesName(_ table: String) -> String {
    "__\(table)_replaced".quotedDatabaseIdentifier
  }

  private var notes: String { Self.notesName(table) }
  private var index: String { table.quotedDatabaseIdentifier }
  private var source: String { content.quotedDatabaseIdentifier }
  private var row: String { rowID.quotedDatabaseIdentifier }

  /// The texts of a note.
  private var noteColumns: [String] {
    module == .fts5 ? columns.indices.map { "text\($0)" } : []
  }

  private func list(_ prefix: String) -> String {
    ([row] + columns.map(\.quotedDatabaseIdentifier)).map { prefix + $0 }.joined(separator: ", ")
  }

  private var indexColumns: String {
    let key = module == .fts5 ? "rowid" : "docid"
    return ([key] + columns.map(\.quotedDatabaseIdentifier)).joined(separator: ", ")
  }

  private func trigger(_ suffix: String, _ event: String, _ body: String) -> String {
    "CREATE TRIGGER \("__\(table)_\(suffix)".quotedDatabaseIdentifier) \(event) ON \(source) "
      + "BEGIN\n\(body)\nEND"
  }

  private var add: String {
    switch module {
    case .fts4:
      """
      DELETE FROM \(index) WHERE docid = new.\(row);
      INSERT INTO \(index) (\(indexColumns)) \
      SELECT \(list("")) FROM \(source) WHERE \(row) = new.\(row)
      """
    case .fts5: "INSERT INTO \(index) (\(indexColumns)) VALUES (\(list("new.")))"
    }
  }

  private var addAll: String {
    switch module {
    case .fts4: "INSERT INTO \(index) (\(indexColumns)) SELECT \(list("")) FROM \(source)"
    case .fts5: "INSERT INTO \(index) (\(index)) VALUES ('rebuild')"
    }
  }

  private var removeOld: String {
    switch module {
    case .fts4:
      """
      DELETE FROM \(index) WHERE docid = old.\(row) \
      AND NOT EXISTS (SELECT 1 FROM \(source) WHERE \(row) = old.\(row))
      """
    case .fts5:
      "INSERT INTO \(index) (\(index), \(indexColumns)) VALUES ('delete', \(list("old.")))"
    }
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
    let values = module == .fts5 ? list("") : row
    return "INSERT INTO \(notes) SELECT \(values) FROM \(source) WHERE \(condition)"
  }

  /// Deletes the notes that an ignored conflict has left, or that are of no use any more.
  private var forgetNotes: String {
    switch module {
    case .fts4:
      "DELETE FROM \(notes) WHERE EXISTS (SELECT 1 FROM \(source) WHERE \(row) = \(notes).id)"
    case .fts5: "DELETE FROM \(notes)"
    }
  }

  /// Removes the noted rows that are gone, and with FTS5 also those whose texts were replaced.
  private func removeReplaced(where isReplaced: String) -> String {
    let isGone = "NOT EXISTS (SELECT 1 FROM \(source) WHERE \(row) = \(notes).id)"
    return switch module {
    case .fts4:
      """
      DELETE FROM \(index) WHERE docid IN (SELECT id FROM \(notes) WHERE \(isGone));
      DELETE FROM \(notes) WHERE \(isGone)
      """
    case .fts5:
      """
      INSERT INTO \(index) (\(index), \(indexColumns)) \
      SELECT \((["'delete'", "id"] + noteColumns).joined(separator: ", ")) \
      FROM \(notes) WHERE \(isReplaced) OR \(isGone);
      DELETE FROM \(notes)
      """
    }
  }
}

extension FullTextSynchronization {
  /// Examines the content table; throws `SQLITE_MISUSE` when it cannot be synchronized.
  init(
    _ module: Module, table: String, content: String, columns: [String], _ db: Database
  ) throws {
    func refused(because reason: String) -> DatabaseError {
      .cannotSynchronize(table, with: content, because: reason, path: db.path)
    }
    guard try !db.tableExists(table, in: "temp") else {
      throw refused(because: "its name is that of a temporary table")
    }
    // The triggers would be those of the other table, and the texts those of this one.
    guard try !db.tableExists(content, in: "temp") && !db.viewExists(content, in: "temp") else {
      throw refused(because: "the name of '\(content)' is that of a temporary table or view")
    }
    guard let rowID = try db.primaryKey(content).rowIDName else {
      throw refused(because: "its rows have no rowid")
    }
    let infos = try db.columns(in: content)
    (self.module, self.table, self.content) = (module, table, content)
    (self.rowID, self.columns) = (rowID, columns)
    uniqueKeys = try db.indexes(on: content).filter(\.isUnique).map { index in
      guard index.isOnColumns else {
        throw refused(because: "its unique index '\(index.name)' is on an expression")
      }
      return try Row.fetchAll(
        db, sql: "PRAGMA index_xinfo(\(index.name.quotedDatabaseIdentifier))"
      ).compactMap { row in
        guard row["key"] as Bool else { return nil }
        let name = try row.decode(String.self, forColumn: "name")
        let folded = name.foldedDatabaseIdentifier
        let info = infos.first { $0.name.foldedDatabaseIdentifier == folded && $0.isNotNull }
        let isRowID = folded == rowID.foldedDatabaseIdentifier
        return try KeyColumn(
          name: name, collation: row.decode(forColumn: "coll"),
          defaultValue: isRowID ? nil : DefaultValue(info?.defaultValueSQL))
      }
    }
  }

  /// Creates the triggers, and indexes the existing rows.
  func begin(in db: Database) throws {
    for sql in creation { try db.execute(sql: sql) }
  }

  /// Drops the triggers of a full-text table.
  static func end(forTable table: String, in db: Database) throws {
    try db.inSavepoint {
      for sql in removal(ofTable: table) { try db.execute(sql: sql) }
      return .commit
    }
  }
}
