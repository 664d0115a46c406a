import Foundation

/// Which tables take part in the history, and whether their triggers are right.
enum HistoryTables {
  /// A table that takes part, or did.
  struct Registration {
    let id: Int64

    /// The table's name as it is now.
    let name: String

    /// The name under which it was registered.
    let registeredName: String
    let isTracked: Bool

    /// The key's columns at the end of its part; `nil` while it takes part.
    let keyColumns: [String]?

    /// The triggers it has, by name.
    let triggers: [String: String]
  }

  /// All tables that are, or were, in the history.
  ///
  /// ALTER TABLE RENAME takes the triggers along: they tell what the table is called now.
  static func registered(_ db: Database) throws -> [Registration] {
    var found: [Int64: [String: String]] = [:]
    var names: [Int64: String] = [:]
    let rows = try Row.fetchCursor(
      db,
      sql: """
        SELECT name, tbl_name, sql FROM main.sqlite_schema
        WHERE type = 'trigger' AND name LIKE 'holdfast\\_history\\_%' ESCAPE '\\'
        """)
    while let row = try rows.next() {
      let name: String = row[0]
      guard let id = HistoryTriggers.source(ofTrigger: name) else { continue }
      found[id, default: [:]][name] = row[2] as String
      names[id] = row[1] as String
    }
    return try Row.fetchAll(
      db,
      sql: "SELECT id, name, isTracked, keyColumns FROM main.holdfast_history_sources ORDER BY id"
    ).map { row in
      let id: Int64 = row[0]
      let columns = try (row[3] as String?).map {
        try JSONDecoder().decode([String].self, from: Data($0.utf8))
      }
      return Registration(
        id: id, name: names[id] ?? row[1], registeredName: row[1], isTracked: row[2],
        keyColumns: columns, triggers: found[id] ?? [:])
    }
  }

  /// Whether each table that takes part is there and has the triggers that it needs.
  static func areIntact(_ db: Database) throws -> Bool {
    try registered(db).allSatisfy { table in
      guard table.isTracked else { return true }
      guard try db.tableExists(table.name, in: "main") else { return false }
      return try HistoryTriggers(of: HistorySource(table, db)).areSame(as: table.triggers)
    }
  }

  /// Makes right what changes of the schema left wrong.
  ///
  /// `mayHaveMissedChanges` says whether somebody may have written since the schema was changed.
  static func repair(_ db: Database, mayHaveMissedChanges: Bool) throws {
    var isGap = false
    for table in try registered(db) where table.isTracked {
      guard try db.tableExists(table.name, in: "main") else {
        // DROP TABLE fires no trigger.
        try db.execute(
          sql: "UPDATE main.holdfast_history_sources SET isTracked = 0 WHERE id = ?",
          arguments: [table.id])
        isGap = true
        continue
      }
      if !table.name.hasSameBytes(as: table.registeredName) {
        try db.execute(
          sql: "UPDATE main.holdfast_history_sources SET name = ? WHERE id = ?",
          arguments: [table.name, table.id])
      }
      let source = try HistorySource(table, db)
      let triggers = HistoryTriggers(of: source)
      guard !triggers.areSame(as: table.triggers) else { continue }
      // Triggers that are gone went with their table, which was rebuilt row by row.
      let wasRebuilt = triggers.all.keys != table.triggers.keys
      isGap = isGap || wasRebuilt || mayHaveMissedChanges
      try triggers.remake(insteadOf: table.triggers.keys, db)
    }
    if isGap { try HistoryStore.expireTokens(db) }
  }

  /// Lets a table take part, if it does not yet.
  static func track(_ name: String, _ db: Database) throws {
    let name = try HistorySource.plainTable(name, db)
    let known = try registered(db).first {
      $0.name.foldedDatabaseIdentifier == name.foldedDatabaseIdentifier
    }
    if known?.isTracked == true { return }
    if known == nil {
      try db.execute(
        sql: "INSERT INTO main.holdfast_history_sources (name, isTracked) VALUES (?, 1)",
        arguments: [name])
    }
    let id = known?.id ?? db.lastInsertedRowID
    let source = try HistorySource(id: id, table: name, db)
    try HistoryTriggers(of: source).remake(insteadOf: (known?.triggers ?? [:]).keys, db)
    if known != nil {
      try db.execute(
        sql: """
          UPDATE main.holdfast_history_sources SET name = ?, isTracked = 1, keyColumns = NULL
          WHERE id = ?
          """, arguments: [name, id])
      try HistoryStore.expireTokens(db)
    }
  }

  /// Ends the part of a table.
  static func release(_ name: String, deletingChanges: Bool, _ db: Database) throws {
    let table = try registered(db).first {
      $0.name.foldedDatabaseIdentifier == name.foldedDatabaseIdentifier
    }
    guard let table else { return }
    if table.isTracked {
      let source = try HistorySource(table, db)
      try HistoryTriggers.drop(table.triggers.keys, db)
      let columns = try JSONEncoder().encode(source.keyColumns)
      try db.execute(
        sql: """
          UPDATE main.holdfast_history_sources SET name = ?, isTracked = 0, keyColumns = ?
          WHERE id = ?
          """, arguments: [table.name, String(decoding: columns, as: UTF8.self), table.id])
    }
    if deletingChanges {
      // The newest row of all stays, because its number must not be given again.
      try db.execute(
        sql: """
          DELETE FROM main.holdfast_history WHERE source = ?
            AND token < (SELECT max(token) FROM main.holdfast_history);
          UPDATE main.holdfast_history SET source = 0, kind = 0 WHERE source = ?;
          """, arguments: [table.id, table.id])
    }
  }
}
