import Holdfast

/// The tables that a connection to a timetable database adds to the tables of the file.
enum TimetableTables {
  /// A file of the feed that the compact form holds.
  struct CompactFile: Sendable {
    let name: String
    let add: @Sendable (Database, TimetableConnection, [String]) throws -> Void

    init<Rows: CompactRows>(_ rows: Rows.Type) {
      name = Rows.file
      add = { db, connection, others in
        try db.add(virtualTable: CompactTable<Rows>(connection, others))
      }
    }
  }

  static let compact = [
    CompactFile(CalendarRows.self), CompactFile(CalendarDateRows.self),
    CompactFile(FrequencyRows.self), CompactFile(StopTimeRows.self), CompactFile(TripRows.self),
  ]

  /// The tables of the file that the virtual ones read.
  private static let needed: [DatabaseIdentifier] = [
    "patterns", "stop_patterns", "dict_trip", "packed_stops", "dict_stop", "dict_route", "services",
    "headways", "texts", "other_columns",
  ]

  /// Adds the tables, if the database is a timetable with trips.
  static func add(to db: Database, hidingStoredTables: Bool) throws {
    try db.addTemporaryObjects { db in
      try definitions(db, hidingStoredTables: hidingStoredTables).joined(separator: "\n")
    }
  }

  /// Adds the virtual tables, and returns the statements that make the views.
  private static func definitions(
    _ db: Database, hidingStoredTables: Bool
  ) throws -> [String] {
    guard try db.headerNumber(.applicationID) == TimetableSchema.applicationID,
      (TimetableSchema.firstVersionWithTrips...TimetableSchema.version)
        .contains(try db.headerNumber(.userVersion))
    else { return [] }
    let stored = try String.fetchAll(db, sql: "SELECT name FROM main.sqlite_schema")
    guard Set(stored.map { DatabaseIdentifier($0) }).isSuperset(of: needed) else { return [] }
    let connection = TimetableConnection(db)
    let others = Dictionary(
      grouping: try TripTables(checked: db).otherColumns(), by: \.file
    ).mapValues { $0.map(\.name) }
    // A database of an earlier import has no table of shapes.
    let hasShapes = stored.contains(ShapeTable.name)
    let files = compact + (hasShapes ? [CompactFile(ShapeRows.self)] : [])
    for file in files {
      try file.add(db, connection, others[file.name] ?? [])
    }
    let views = TemporaryViews(stored: stored, files: files.map(\.name), columns: others).views
    var definitions = views.map(\.sql)
    if stored.contains(LocationsTable.name), !stored.contains("locations") {
      definitions.append("CREATE TEMP VIEW IF NOT EXISTS locations AS \(LocationsTable.rows);")
    }
    if hidingStoredTables {
      definitions += try StoredNameViews.definitions(db, connection, others: others)
    }
    return definitions
  }
}
