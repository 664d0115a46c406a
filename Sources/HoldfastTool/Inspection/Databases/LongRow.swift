import Holdfast

/// The values of a row, of which one may be longer than what is read.
struct LongRow {
  /// The values; `nil` for one that is too long.
  var values: [DatabaseValue?]
  /// The parts of the values that are shown.
  var cells: [Cell]

  /// Reads a row by its key, value after value where one is too long; `nil` when there is none.
  ///
  /// - Parameters:
  ///   - table: The table.
  ///   - key: The key of the row.
  ///   - db: A connection.
  /// - Throws: ``InspectionError`` when the key is none of the table; `DatabaseError`.
  init?(of table: InspectedTable, _ key: [DatabaseValue], _ db: Database) throws {
    let place = "FROM \(table.quotedName) WHERE \(try table.place(of: key))"
    let names = table.shownColumns.map(\.quotedDatabaseIdentifier)
    let arguments = StatementArguments(key)
    do {
      guard
        let row = try Row.fetchOne(
          db, sql: "SELECT \(names.joined(separator: ", ")) \(place)", arguments: arguments)
      else { return nil }
      values = row.databaseValues
      cells = row.databaseValues.map(Cell.preview)
    } catch let error as DatabaseError where error.resultCode == .SQLITE_TOOBIG {
      (values, cells) = ([], [])
      for name in names {
        let (value, cell) = try Self.read(name, place, arguments, db)
        values.append(value)
        cells.append(cell)
      }
    }
  }

  private static func read(
    _ name: String, _ place: String, _ arguments: StatementArguments, _ db: Database
  ) throws -> (DatabaseValue?, Cell) {
    do {
      let value =
        try Row.fetchOne(db, sql: "SELECT \(name) \(place)", arguments: arguments)?
        .databaseValues.first ?? .null
      return (value, .preview(value))
    } catch let error as DatabaseError where error.resultCode == .SQLITE_TOOBIG {
      // SQLite knows a value's type, and the length of a blob, without reading it.
      let row = try Row.fetchOne(
        db,
        sql: "SELECT typeof(\(name)), "
          + "CASE typeof(\(name)) WHEN 'blob' THEN length(\(name)) END \(place)",
        arguments: arguments)
      return (
        nil,
        .tooLong(
          try row?.decode(String.self, atIndex: 0) ?? "blob",
          try row?.decode(Int?.self, atIndex: 1) ?? nil)
      )
    }
  }
}
