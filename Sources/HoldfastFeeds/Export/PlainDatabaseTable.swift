import Holdfast
import HoldfastTransit

/// A table of a plain database: a file of the feed with its types, its key and its indexes.
struct PlainDatabaseTable {
  /// The name of the table.
  let name: String
  /// The name of the file in the feed.
  let file: String
  /// The number of rows.
  let rowCount: Int
  /// The name of the table or view in the timetable.
  private let source: String
  private let columns: [String]
  /// The columns of the primary key; none if rows repeat them.
  let key: [String]

  /// The keys of files, whether or not a feed keeps to them.
  private static let keys: [String: [String]] = [
    "agency.txt": ["agency_id"], "areas.txt": ["area_id"],
    "attributions.txt": ["attribution_id"], "booking_rules.txt": ["booking_rule_id"],
    "calendar.txt": ["service_id"], "calendar_dates.txt": ["service_id", "date"],
    "fare_attributes.txt": ["fare_id"], "fare_media.txt": ["fare_media_id"],
    "frequencies.txt": ["trip_id", "start_time"], "levels.txt": ["level_id"],
    "location_group_stops.txt": ["location_group_id", "stop_id"],
    "location_groups.txt": ["location_group_id"], LocationsTable.file: ["location_id"],
    "networks.txt": ["network_id"], "pathways.txt": ["pathway_id"],
    "rider_categories.txt": ["rider_category_id"], "route_networks.txt": ["route_id"],
    "routes.txt": ["route_id"], "shapes.txt": ["shape_id", "shape_pt_sequence"],
    "stop_areas.txt": ["area_id", "stop_id"], "stop_times.txt": ["trip_id", "stop_sequence"],
    "stops.txt": ["stop_id"], "trips.txt": ["trip_id"],
  ]

  /// References that hold in each timetable, to the key of another table.
  private static let references: [String: [(column: String, table: String, key: String)]] = [
    "routes.txt": [("agency_id", "agency", "agency_id")],
    "stop_times.txt": [("trip_id", "trips", "trip_id"), ("stop_id", "stops", "stop_id")],
    "stops.txt": [("parent_station", "stops", "stop_id")],
    "trips.txt": [("route_id", "routes", "route_id")],
  ]

  /// Returns the tables of a timetable.
  ///
  /// - Parameter db: A connection to a timetable with all files as tables.
  /// - Returns: The tables, sorted by the names of their files; the zones are last.
  /// - Throws: `DatabaseError` when the database cannot be read.
  static func all(_ db: Database) throws -> [PlainDatabaseTable] {
    let files = try TimetableTable.fetchAll(db)
    var names: Set<DatabaseIdentifier> = []
    var tables = try files.map { file in
      let plain = String(file.name.dropFirst("gtfs_".count))
      // SQLite has tables of its own with such names.
      let isOwn = plain.lowercased().hasPrefix("sqlite_") || plain.isEmpty
      let name = isOwn ? file.name : plain
      names.insert(DatabaseIdentifier(name))
      return try PlainDatabaseTable(name, file.file, of: file.name, file.columns, db)
    }
    if try LocationsTable(db).content() != nil, names.insert("locations").inserted {
      let columns = try String.fetchAll(
        db, sql: "SELECT name FROM pragma_table_info('locations', 'temp')")
      tables.append(
        try PlainDatabaseTable("locations", LocationsTable.file, of: "temp.locations", columns, db))
    }
    return tables
  }

  private init(
    _ name: String, _ file: String, of source: String, _ columns: [String], _ db: Database
  ) throws {
    (self.name, self.file, self.columns) = (name, file, columns)
    self.source =
      source.split(separator: ".").count == 2 && source.hasPrefix("temp.")
      ? source : source.quotedDatabaseIdentifier
    rowCount = try Int.fetchOne(db, sql: "SELECT count(*) FROM \(self.source)") ?? 0
    let key = Self.keys[file] ?? []
    guard !key.isEmpty, key.allSatisfy(columns.contains) else {
      self.key = []
      return
    }
    let isBlank = key.map { "\($0) IS NULL" }.joined(separator: " OR ")
    let names = key.joined(separator: ", ")
    // The import has made trips and their stops unique.
    let isKey =
      try ["trips.txt", "stop_times.txt"].contains(file)
      || Bool.fetchOne(
        db,
        sql: """
          SELECT NOT EXISTS (SELECT 1 FROM \(self.source) WHERE \(isBlank))
            AND NOT EXISTS (SELECT 1 FROM \(self.source) GROUP BY \(names) HAVING count(*) > 1)
          """) == true
    self.key = isKey ? key : []
  }

  /// Creates the table and writes the rows, in the order of the timetable.
  ///
  /// - Parameters:
  ///   - source: The connection to the timetable.
  ///   - db: The connection to the plain database, inside a transaction.
  ///   - keys: The keys of all tables, by their names.
  ///   - progress: Called with the number of rows, now and then.
  /// - Throws: `DatabaseError` with SQLite's code; whatever `progress` throws.
  func write(
    from source: Database, to db: Database, referringTo keys: [String: [String]],
    _ progress: (Int) throws -> Void
  ) throws {
    try db.execute(sql: definition(keys))
    let names = columns.map(\.quotedDatabaseIdentifier).joined(separator: ", ")
    let values = columns.map { _ in "?" }.joined(separator: ", ")
    let insertion = try db.makeStatement(
      sql: "INSERT INTO \(name.quotedDatabaseIdentifier) (\(names)) VALUES (\(values))")
    let rows = try Row.fetchCursor(source, sql: "SELECT \(names) FROM \(self.source)")
    var count = 0
    while let row = try rows.next() {
      try insertion.execute(arguments: StatementArguments(stored: row.databaseValues))
      count += 1
      if count.isMultiple(of: 10_000) { try progress(count) }
    }
  }

  private func definition(_ keys: [String: [String]]) -> String {
    // What is no number there, which only a file that is kept as text can have, stays a text in SQLite.
    let types = TimetableSchema.numericTypes[file] ?? [:]
    var parts = columns.map { column in
      "\(column.quotedDatabaseIdentifier) \(types[column] ?? "TEXT")"
    }
    if !key.isEmpty { parts.append("PRIMARY KEY (\(key.joined(separator: ", ")))") }
    for reference in Self.references[file] ?? []
    where columns.contains(reference.column) && keys[reference.table] == [reference.key] {
      parts.append(
        "FOREIGN KEY (\(reference.column)) REFERENCES \(reference.table) (\(reference.key))")
    }
    return
      "CREATE TABLE \(name.quotedDatabaseIdentifier) (\n  \(parts.joined(separator: ",\n  ")))"
  }

  /// Creates an index for each column with identifiers that has a value and does not begin the key.
  ///
  /// - Parameters:
  ///   - db: The connection to the plain database, inside a transaction.
  ///   - names: The names of all tables, which no index can have.
  /// - Throws: `DatabaseError` with SQLite's code.
  func createIndexes(_ db: Database, besides names: Set<DatabaseIdentifier>) throws {
    let table = name.quotedDatabaseIdentifier
    for column in columns where MergedFeed.identifiers.contains(column) && column != key.first {
      let isUsed = try Bool.fetchOne(
        db, sql: "SELECT EXISTS (SELECT 1 FROM \(table) WHERE \(column) IS NOT NULL)")
      var index = "\(name)_\(column)"
      while names.contains(DatabaseIdentifier(index)) { index += "_index" }
      guard isUsed == true else { continue }
      try db.execute(sql: "CREATE INDEX \(index.quotedDatabaseIdentifier) ON \(table) (\(column))")
    }
  }
}
