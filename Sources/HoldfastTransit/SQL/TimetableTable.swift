package import Holdfast

/// A file of the feed as a table in SQL.
///
/// A blank value is NULL. Times and dates are texts as GTFS writes them; numbers are numbers in the
/// files that answers need, and texts in the others.
package struct TimetableTable: Equatable, Sendable {
  /// The name of the table, `gtfs_` and the name of the file.
  package var name: String
  /// The name of the file in the feed.
  package var file: String
  /// The names of the columns in their order.
  package var columns: [String]

  /// The beginning of the name of each table that is a file of the feed.
  private static let prefix = "gtfs_"

  /// Returns all files of a timetable database, sorted by name.
  ///
  /// - Parameter db: A connection that ``Timetable/prepare(_:)`` has prepared.
  /// - Returns: The tables and views of the file and of the connection.
  /// - Throws: `DatabaseError` when the database cannot be read.
  package static func fetchAll(_ db: Database) throws -> [TimetableTable] {
    let names = try String.fetchAll(
      db,
      sql: """
        SELECT name FROM main.sqlite_schema WHERE type IN ('table', 'view')
        UNION ALL SELECT name FROM sqlite_temp_schema WHERE type = 'view'
        """)
    return try names.filter { DatabaseIdentifier($0).hasPrefix(prefix) }.map { name in
      TimetableTable(
        name: name, file: name.dropFirst(prefix.count) + ".txt",
        columns: try String.fetchAll(
          db, sql: "SELECT name FROM pragma_table_info(?)", arguments: [name]))
    }.sorted { ExactText($0.file) < ExactText($1.file) }
  }
}
