import Holdfast
import HoldfastTransit

/// A file of the feed as it is exported: its table, and the columns that are written.
struct ExportedFile {
  let table: TimetableTable
  /// The number of rows.
  let rowCount: Int
  /// The columns.
  let columns: [String]

  /// The columns of the files that an import reads into tables of its own, which GTFS requires.
  ///
  /// The other columns of these files are written if any row has a value.
  private static let required = [
    "agency.txt": ["agency_name", "agency_url", "agency_timezone"],
    "calendar.txt": [
      "service_id", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday",
      "start_date", "end_date",
    ],
    "calendar_dates.txt": ["service_id", "date", "exception_type"],
    "frequencies.txt": ["trip_id", "start_time", "end_time", "headway_secs"],
    "routes.txt": ["route_id", "route_short_name", "route_long_name", "route_type"],
    "shapes.txt": ["shape_id", "shape_pt_lat", "shape_pt_lon", "shape_pt_sequence"],
    "stop_times.txt": ["trip_id", "arrival_time", "departure_time", "stop_id", "stop_sequence"],
    "stops.txt": ["stop_id", "stop_name", "stop_lat", "stop_lon"],
    "trips.txt": ["route_id", "service_id", "trip_id"],
  ]

  /// Returns the files to write, sorted by name.
  static func files(_ db: Database) throws -> [ExportedFile] {
    let files = try TimetableTable.fetchAll(db).map { try ExportedFile($0, db) }
    let hasService = files.contains {
      FeedCatalog.calendars.contains($0.table.file) && $0.rowCount > 0
    }
    return files.filter { file in
      let name = file.table.file
      return file.rowCount > 0 || required[name] == nil || FeedCatalog.required.contains(name)
        || name == FeedCatalog.calendars[0] && !hasService
    }
  }

  private init(_ table: TimetableTable, _ db: Database) throws {
    self.table = table
    let name = table.name.quotedDatabaseIdentifier
    // A file that GTFS does not define keeps its columns.
    let isDefined =
      Self.required[table.file] != nil || TimetableSchema.plainFiles[table.file] != nil
    let required = Self.required[table.file] ?? []
    // The names of required columns are ASCII constants.
    let optional = isDefined ? table.columns.filter { !required.contains($0) } : []
    let counts = optional.map { "count(\($0.quotedDatabaseIdentifier))" }
    let row = try Row.fetchOne(
      db, sql: "SELECT \((["count(*)"] + counts).joined(separator: ", ")) FROM \(name)")
    rowCount = try row?.decode(atIndex: 0) ?? 0
    var blank: Set<DatabaseIdentifier> = []
    for (position, column) in optional.enumerated()
    where try row?.decode(Int.self, atIndex: position + 1) == 0 {
      blank.insert(DatabaseIdentifier(column))
    }
    let used = table.columns.filter { !blank.contains(DatabaseIdentifier($0)) }
    // A file without rows has a header nevertheless.
    columns = used.isEmpty ? table.columns : used
  }

  /// Writes the rows in the order of the table.
  func write(
    _ db: Database, to writer: inout CSVWriter, progress: (Int) throws -> Void
  ) throws {
    for column in columns { try writer.write(column) }
    try writer.endRow()
    let names = columns.map(\.quotedDatabaseIdentifier)
    let rows = try Row.fetchCursor(
      db,
      sql: "SELECT \(names.joined(separator: ", ")) FROM \(table.name.quotedDatabaseIdentifier)")
    var count = 0
    while let row = try rows.next() {
      for index in columns.indices { try writer.write(row[index] as DatabaseValue) }
      try writer.endRow()
      count += 1
      if count.isMultiple(of: 10_000) { try progress(count) }
    }
  }
}
