import Foundation

/// The tracked tables, and the state of their triggers.
enum HistoryTables {
  /// A table that is tracked, or was.
  struct Registration {
    let id: Int64

    /// The table's current name.
    let name: String

    /// The name under which it was registered.
    let registeredName: String
    let isTracked: Bool

    /// Whether another table that takes part has the name now, so that this one was dropped.
    let isReplaced: Bool

    /// The key's columns at the end of its part; `nil` while it takes part.
    let keyColumns: [String]?

    /// The text of its triggers, by name.
    let triggers: [String: String]

    /// Whether no trigger was dropped and created again.
    let isSealed: Bool

    /// Whether its triggers fire before the user's AFTER triggers.
    ///
    /// SQLite fires the trigger first that was created last; if a user's trigger changes the table,
    /// the changes are recorded in their order only if the history's triggers fire first.
    let isFirst: Bool

    /// Whether the table exists.
    func isThere(_ db: Database) throws -> Bool {
      try !isReplaced && db.tableExists(name, in: "main")
    }
  }

  /// Returns all tables that are or were tracked.
  ///
  /// ALTER TABLE RENAME moves the triggers along: they show the table's current name.
  static func registered(_ db: Database) throws -> [Registration] {
    var found: [Int64: [String: String]] = [:]
    var tables: [Int64: String] = [:]
    var places: [Int64: (first: Int64, last: Int64)] = [:]
    var lastOther: [DatabaseIdentifier: Int64] = [:]
    var seal: Int64?
    let rows = try Row.fetchCursor(
      db,
      sql: """
        SELECT rowid, type, name, tbl_name, sql FROM main.sqlite_schema
        WHERE type = 'trigger' OR name = '\(HistorySeal.name)' ORDER BY rowid
        """)
    while let row = try rows.next() {
      let place: Int64 = row[0]
      let (name, table): (String, String) = (row[2], row[3])
      if row[1] as String != "trigger" {
        seal = place
      } else if let id = HistoryTriggers.source(ofTrigger: name), let sql: String = row[4] {
        found[id, default: [:]][name] = sql
        tables[id] = table
        places[id] = (places[id]?.first ?? place, place)
      } else {
        lastOther[table.foldedDatabaseIdentifier] = place
      }
    }
    let sources = try Row.fetchAll(
      db,
      sql: "SELECT id, name, isTracked, keyColumns FROM main.holdfast_history_sources ORDER BY id")
    let followed = Set(
      sources.compactMap { row -> DatabaseIdentifier? in
        row[2] as Bool ? tables[row[0]]?.foldedDatabaseIdentifier : nil
      })
    return try sources.map { row in
      let id: Int64 = row[0]
      let columns = try (row[3] as String?).map {
        try JSONDecoder().decode([String].self, from: Data($0.utf8))
      }
      let name = tables[id] ?? row[1]
      let place = places[id] ?? (first: 0, last: 0)
      return Registration(
        id: id, name: name, registeredName: row[1], isTracked: row[2],
        isReplaced: tables[id] == nil && followed.contains(name.foldedDatabaseIdentifier),
        keyColumns: columns,
        triggers: found[id] ?? [:], isSealed: seal.map { place.last < $0 } ?? false,
        isFirst: lastOther[name.foldedDatabaseIdentifier].map { place.first > $0 } ?? true)
    }
  }

  /// Returns whether each tracked table exists and has the triggers that it needs.
  static func areIntact(_ db: Database) throws -> Bool {
    try registered(db).allSatisfy { try !$0.isTracked || problem(of: $0, db) == nil }
  }

  /// Returns the problems that prevent tables from being tracked, by the tables' names.
  static func problems(_ db: Database) throws -> [String: String] {
    var problems: [String: String] = [:]
    for table in try registered(db) where table.isTracked {
      if let problem = try problem(of: table, db) { problems[table.name] = problem }
    }
    return problems
  }

  private static func problem(of table: Registration, _ db: Database) throws -> String? {
    guard try table.isThere(db) else { return "The table was dropped." }
    do {
      let triggers = try HistoryTriggers(of: HistorySource(table, db))
      guard triggers.all.keys == table.triggers.keys else {
        return "Triggers of the change history are missing: the table was rebuilt."
      }
      guard triggers.areSame(as: table.triggers) else {
        return "The triggers of the change history do not fit the table's columns and indexes."
      }
    } catch let error as DatabaseError where error.concernsOneTable {
      return error.message ?? error.description
    }
    return table.isSealed
      ? nil : "The table was rebuilt, or triggers of the change history were created again."
  }

  /// Repairs the triggers after changes of the schema.
  ///
  /// A table whose triggers cannot be repaired does not affect the others.
  ///
  /// - Parameter db: A connection in a transaction.
  /// - Returns: The reasons tables could not be made right, by their numbers.
  /// - Throws: `DatabaseError` when that has to do with more than one table.
  static func repair(_ db: Database) throws -> [Int64: DatabaseError] {
    // Where only the open transaction has changed the schema, no other has written since.
    let mayHaveMissedChanges = try !HistoryStore(db).wasRightBeforeChanges(db)
    var isGap = false
    var isRemade = false
    var failures: [Int64: DatabaseError] = [:]
    for table in try registered(db) where table.isTracked {
      guard try table.isThere(db) else {
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
      // The seal is renewed for all tables, so what it shows for this one must be recorded now.
      isGap = isGap || !table.isSealed
      isRemade = isRemade || !table.isSealed
      do {
        let triggers = try HistoryTriggers(of: HistorySource(table, db))
        let areRight = triggers.areSame(as: table.triggers)
        guard !areRight || !table.isSealed || !table.isFirst else { continue }
        try db.inSavepoint {
          try triggers.remake(insteadOf: table.triggers.keys, db)
          return .commit
        }
        isRemade = true
        // Missing triggers were dropped with their table, which was rebuilt row by row.
        let isGone = { table.triggers[$0] == nil && !HistoryTriggers.isForSomeIndexes($0) }
        isGap = isGap || triggers.all.keys.contains(where: isGone)
        isGap = isGap || (!areRight && mayHaveMissedChanges)
      } catch let error as DatabaseError where error.concernsOneTable {
        failures[table.id] = error
      }
    }
    if isRemade { try HistorySeal.renew(db) }
    if isGap { try HistoryStore.expireTokens(db) }
    return failures
  }

  /// Notes that the triggers are right, where they were before the open transaction changed the
  /// schema and still are.
  static func confirm(_ db: Database) throws {
    guard try HistoryStore.isReadable(db), try HistoryStore(db).wasRightBeforeChanges(db),
      try areIntact(db)
    else { return }
    try HistoryStore.noteSchemaVersion(db)
  }

  /// The registrations of a name, first those whose tables take part.
  private static func registered(as name: String, _ db: Database) throws -> [Registration] {
    let found = try registered(db).filter {
      $0.name.foldedDatabaseIdentifier == name.foldedDatabaseIdentifier
    }
    return found.filter(\.isTracked) + found.filter { !$0.isTracked }
  }

  /// Lets a table take part, if it does not yet.
  ///
  /// - Parameters:
  ///   - name: The table's name.
  ///   - failures: The errors of the repair just before; this table's error is thrown.
  ///   - db: A connection in a transaction.
  /// - Throws: `DatabaseError` when the table cannot be tracked.
  static func track(
    _ name: String, _ failures: [Int64: DatabaseError], _ db: Database
  ) throws {
    let name = try HistorySource.plainTable(name, db)
    let known = try registered(as: name, db).first
    if let known, known.isTracked {
      if let error = failures[known.id] { throw error }
      return
    }
    if known == nil {
      try db.execute(
        sql: "INSERT INTO main.holdfast_history_sources (name, isTracked) VALUES (?, 1)",
        arguments: [name])
    }
    let id = known?.id ?? db.lastInsertedRowID
    let source = try HistorySource(id: id, table: name, db)
    try HistoryTriggers(of: source).remake(insteadOf: (known?.triggers ?? [:]).keys, db)
    try HistorySeal.renew(db)
    if known != nil {
      try db.execute(
        sql: """
          UPDATE main.holdfast_history_sources SET name = ?, isTracked = 1, keyColumns = NULL
          WHERE id = ?
          """, arguments: [name, id])
      try HistoryStore.expireTokens(db)
    }
  }

  /// Stops tracking a table.
  static func release(_ name: String, deletingChanges: Bool, _ db: Database) throws {
    for table in try registered(as: name, db) {
      try release(table, deletingChanges: deletingChanges, db)
    }
  }

  private static func release(
    _ table: Registration, deletingChanges: Bool, _ db: Database
  ) throws {
    if table.isTracked {
      try HistoryTriggers.drop(table.triggers.keys, db)
      let columns = try JSONEncoder().encode(keyColumns(of: table, db))
      try db.execute(
        sql: """
          UPDATE main.holdfast_history_sources SET name = ?, isTracked = 0, keyColumns = ?
          WHERE id = ?
          """, arguments: [table.name, String(decoding: columns, as: UTF8.self), table.id])
    }
    if deletingChanges {
      // The newest row of all stays, because its number must not be used again.
      try db.execute(
        sql: """
          DELETE FROM main.holdfast_history WHERE source = ?
            AND token < (SELECT max(token) FROM main.holdfast_history);
          UPDATE main.holdfast_history SET source = 0, kind = 0 WHERE source = ?;
          """, arguments: [table.id, table.id])
    }
  }

  private static func keyColumns(of table: Registration, _ db: Database) throws -> [String] {
    do {
      return try HistorySource(table, db).keyColumns
    } catch let error as DatabaseError where error.concernsOneTable {
      // Tracking ends even if the table can no longer be tracked.
      return []
    }
  }
}

extension DatabaseError {
  /// Whether the error concerns a single table, so that the others can be processed.
  fileprivate var concernsOneTable: Bool {
    let codes: [ResultCode] = [.SQLITE_ERROR, .SQLITE_TOOBIG, .SQLITE_AUTH]
    return codes.contains(resultCode) && !isDatabaseSuspensionError
  }
}
