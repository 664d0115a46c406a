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
    // At once, so that a database whose tables cannot be made is refused when it is opened.
    guard let tables = try db.deferringTemporaryObjects({ try VirtualTables(addingTo: db) }) else {
      return
    }
    try db.addTemporaryObjects { db in
      try tables.views(db, hidingStoredTables: hidingStoredTables).joined(separator: "\n")
    }
  }

  /// The virtual tables of a connection.
  private struct VirtualTables {
    let connection: TimetableConnection
    /// The names of all that the file stores.
    let stored: [String]
    /// The files of the feed that are virtual tables.
    let files: [String]
    /// The names of the columns that only the feed has, by file.
    let others: [String: [String]]

    /// Adds the tables; `nil` if the database is no timetable with trips.
    init?(addingTo db: Database) throws {
      guard try db.headerNumber(.applicationID) == TimetableSchema.applicationID,
        (TimetableSchema.firstVersionWithTrips...TimetableSchema.version)
          .contains(try db.headerNumber(.userVersion))
      else { return nil }
      stored = try String.fetchAll(db, sql: "SELECT name FROM main.sqlite_schema")
      guard Set(stored.map { DatabaseIdentifier($0) }).isSuperset(of: needed) else { return nil }
      connection = TimetableConnection(db)
      others = Dictionary(
        grouping: try TripTables(checked: db).otherColumns(), by: \.file
      ).mapValues { $0.map(\.name) }
      // A database of an earlier import has no table of shapes.
      let hasShapes = stored.contains(ShapeTable.name)
      let tables = compact + (hasShapes ? [CompactFile(ShapeRows.self)] : [])
      for table in tables {
        try table.add(db, connection, others[table.name] ?? [])
      }
      files = tables.map(\.name)
    }

    /// Returns the columns of the tables that are stored as texts and have numbers, by the name of the table.
    private func textColumns(_ db: Database) throws -> [String: [String]] {
      let files = TimetableSchema.numericTypes.keys.filter { TimetableSchema.plainFiles[$0] != nil }
      var columns: [String: [String]] = [:]
      for table in files.map(TimetableSchema.table(ofFile:)) where stored.contains(table) {
        columns[table] = try String.fetchAll(
          db, sql: "SELECT name FROM pragma_table_info(?, 'main') ORDER BY cid", arguments: [table])
      }
      return columns
    }

    /// Returns the statements that make the views.
    func views(_ db: Database, hidingStoredTables: Bool) throws -> [String] {
      var views = TemporaryViews(
        stored: stored, files: files, columns: others, texts: try textColumns(db)
      ).views.map(\.sql)
      if stored.contains(LocationsTable.name), !stored.contains("locations") {
        views.append("CREATE TEMP VIEW IF NOT EXISTS locations AS \(LocationsTable.rows);")
      }
      if hidingStoredTables {
        views += try StoredNameViews.definitions(db, connection, others: others)
      }
      return views
    }
  }
}
