// Creating, synchronizing and checking full-text tables.

/// Options for creating a virtual table.
public struct VirtualTableOptions: OptionSet, Sendable {
  /// The options as bits.
  public let rawValue: Int

  /// Creates options from their bits.
  public init(rawValue: Int) {
    self.rawValue = rawValue
  }

  /// Does nothing if a table of that name exists.
  public static let ifNotExists = VirtualTableOptions(rawValue: 1 << 0)
}

extension Database {
  /// Creates a full-text table.
  ///
  /// ```swift
  /// try db.create(virtualTable: "book_ft", using: FTS5()) { t in
  ///   t.synchronize(withTable: "book")
  ///   t.tokenizer = .unicode61()
  ///   t.column("title")
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - name: The table's name.
  ///   - options: The options for creating it.
  ///   - module: SQLite's full-text module.
  ///   - body: Defines the table.
  /// - Throws: `DatabaseError` with SQLite's code, with `SQLITE_MISUSE` when the table that it is
  ///   synchronized with has no rowid; whatever `body` throws. No table is created then.
  /// - SeeAlso: <https://www.sqlite.org/fts5.html>
  public func create(
    virtualTable name: String, options: VirtualTableOptions = [], using module: FTS5,
    _ body: (FTS5TableDefinition) throws -> Void
  ) throws {
    if options.contains(.ifNotExists), try tableExists(name, in: "main") { return }
    let definition = FTS5TableDefinition()
    try body(definition)
    let synchronization = try definition.synchronizedTable.map { content in
      try FTS5Synchronization(table: name, content: content, definition, self)
    }
    if let synchronization {
      definition.contentRowID = synchronization.rowID
    }
    try inSavepoint {
      let arguments = definition.arguments.joined(separator: ", ")
      try execute(
        sql: "CREATE VIRTUAL TABLE \(name.quotedDatabaseIdentifier) USING fts5 (\(arguments))")
      if let synchronization {
        for sql in synchronization.creation { try execute(sql: sql) }
        try rebuildFTS5Index(inTable: name)
      }
      return .commit
    }
  }

  /// Ends the synchronization of a full-text table, including one that GRDB created.
  ///
  /// The table stays, but is no longer updated when the other table changes. Do this before the
  /// full-text table is dropped, because the triggers would make every change fail.
  ///
  /// - Parameter tableName: The name of the full-text table.
  /// - Throws: `DatabaseError` with SQLite's code.
  public func dropFTS5SynchronizationTriggers(forTable tableName: String) throws {
    try inSavepoint {
      for sql in FTS5Synchronization.removal(ofTable: tableName) { try execute(sql: sql) }
      return .commit
    }
  }

  /// Throws an error if a full-text table's index does not match its texts.
  ///
  /// It reads the whole index and all texts. It needs write access, although it does not write.
  ///
  /// - Parameter tableName: The name of the full-text table.
  /// - Throws: `DatabaseError` with `SQLITE_CORRUPT_VTAB` when they do not match; then recreate the
  ///   index with ``rebuildFTS5Index(inTable:)``.
  /// - SeeAlso: <https://www.sqlite.org/fts5.html#the_integrity_check_command>
  public func checkFTS5Integrity(inTable tableName: String) throws {
    let table = tableName.quotedDatabaseIdentifier
    // With 1 the index is compared with the content table's texts too.
    try execute(sql: "INSERT INTO \(table) (\(table), rank) VALUES ('integrity-check', 1)")
  }

  /// Recreates a full-text table's index from its texts.
  ///
  /// - Parameter tableName: The name of the full-text table.
  /// - Throws: `DatabaseError` with SQLite's code.
  /// - SeeAlso: <https://www.sqlite.org/fts5.html#the_rebuild_command>
  public func rebuildFTS5Index(inTable tableName: String) throws {
    let table = tableName.quotedDatabaseIdentifier
    try execute(sql: "INSERT INTO \(table) (\(table)) VALUES ('rebuild')")
  }
}

extension FTS5Synchronization {
  fileprivate init(
    table: String, content: String, _ definition: FTS5TableDefinition, _ db: Database
  ) throws {
    self.table = table
    self.content = content
    columns = definition.columns.map(\.name)
    let primaryKey = try db.primaryKey(content)
    let infos = try db.columns(in: content)
    let names = Set(infos.map(\.name.foldedDatabaseIdentifier))
    // A declared column may be named `rowid`, and then hides the rowid.
    let hidden = ["rowid", "_rowid_", "oid"].first { !names.contains(DatabaseIdentifier($0)) }
    guard primaryKey.tableHasRowID, let rowID = primaryKey.rowIDColumn ?? hidden else {
      throw DatabaseError.cannotSynchronize(
        table, with: content, because: "its rows have no rowid", path: db.path)
    }
    self.rowID = rowID
    uniqueKeys = try db.indexes(on: content).filter(\.isUnique).map { index in
      guard index.isOnColumns else {
        throw DatabaseError.cannotSynchronize(
          table, with: content,
          because: "its unique index '\(index.name)' is on an expression", path: db.path)
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
}
