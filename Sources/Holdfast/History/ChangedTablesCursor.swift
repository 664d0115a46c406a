import HoldfastSQLite

/// A cursor over the change history that finds the tables changed since its last query.
///
/// It queries after SQLite has reported a commit, so that it reads nothing older. What is committed
/// between the two is in this answer and not in the next one, which comes nevertheless: nothing is
/// lost as long as each answer is delivered, or queried again on another connection.
struct ChangedTablesCursor {
  private var checkpoint: HistoryCheckpoint?

  /// Starts at the state that the connection sees now.
  mutating func begin(_ db: Database) {
    checkpoint = nil
    _ = query(db)
  }

  /// Discards the position: the next answer is that any table may have changed.
  mutating func forget() {
    checkpoint = nil
  }

  /// Returns the tables that may have changed since the last answer, or since the start.
  ///
  /// - Parameter db: Any connection to the database, outside of a transaction: uncommitted changes
  ///   may be rolled back.
  /// - Returns: The tables; `nil`, for any table, when there is no history or it does not know.
  mutating func query(_ db: Database) -> Set<String>? {
    do {
      guard !db.isInsideTransaction else { return nil }
      if var known = checkpoint,
        case .tables(let names) = known.advance(to: try Self.find(after: known.position, db))
      {
        checkpoint = known
        return names
      }
      checkpoint = try HistoryStore.exists(db) ? Self.readCheckpoint(db) : nil
    } catch _ {
      // If the history cannot be read, any table may have changed.
      checkpoint = nil
    }
    return nil
  }

  /// Reads the history in one statement, and so in one snapshot.
  private static func find(
    after position: HistoryCheckpoint.Position, _ db: Database
  ) throws -> HistoryCheckpoint.Finding {
    let found = try Row.fetchOne(
      db,
      sql: """
        SELECT store.id, version.schema_version,
          store.schemaVersion = version.schema_version, store.start,
          ifnull(last.token, store.start), last.time, place.time,
          (SELECT group_concat(source) FROM (
            SELECT DISTINCT source FROM main.holdfast_history WHERE token > ?1))
        FROM pragma_schema_version AS version, main.holdfast_history_store AS store
        LEFT JOIN (
          SELECT token, time FROM main.holdfast_history ORDER BY token DESC LIMIT 1) AS last
        LEFT JOIN main.holdfast_history AS place ON place.token = ?1
        """, arguments: [position.number])
    guard let row = found else { throw DatabaseError.noHistory(path: db.path) }
    let sources = (row[7] as String?) ?? ""
    return HistoryCheckpoint.Finding(
      basis: HistoryCheckpoint.Basis(store: row[0], schemaVersion: row[1]),
      isRecordedAsIntact: row[2],
      start: row[3], last: HistoryCheckpoint.Position(number: row[4], time: row[5]),
      timeOfPosition: row[6],
      sources: Set(sources.split(separator: ",").compactMap { Int64($0) }))
  }

  /// Reads the tables and the position of the history.
  private static func readCheckpoint(_ db: Database) throws -> HistoryCheckpoint {
    // Read-only, so that the connection's transaction observers are not notified of this one.
    try db.readOnly {
      try db.transaction(.deferred) { db in
        let store = try HistoryStore(db)
        let version = try HistoryStore.schemaVersion(db)
        let isIntact = try version == store.schemaVersion || HistoryTables.areIntact(db)
        // An empty history ends where it begins.
        let time = store.last.time == 0 ? nil : store.last.time
        return HistoryCheckpoint(
          HistoryCheckpoint.Basis(store: store.id, schemaVersion: version),
          isIntact ? try tables(db) : nil,
          at: HistoryCheckpoint.Position(number: store.last.number, time: time))
      }
    }
  }

  private static func tables(_ db: Database) throws -> HistoryCheckpoint.Tables {
    let names = try String.fetchAll(
      db, sql: "SELECT name FROM main.sqlite_schema WHERE type = 'table'")
    let noted = try HistoryTables.registered(db).filter(\.isTracked)
    let left = Set(noted.map(\.name.foldedDatabaseIdentifier)).union(HistoryStore.tableNames)
    return HistoryCheckpoint.Tables(
      noted: Dictionary(uniqueKeysWithValues: noted.map { ($0.id, $0.name) }),
      others: Set(
        names.filter { name in
          let folded = name.foldedDatabaseIdentifier
          return !left.contains(folded) && !folded.hasPrefix("sqlite_")
        }))
  }
}
