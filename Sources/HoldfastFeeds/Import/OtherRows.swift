import Holdfast
import HoldfastTransit

/// The rows of a table of other columns: values of stops, routes or agencies that the main table has
/// no place for.
struct OtherRows {
  private let table: TimetableSchema.OtherTable
  private let columns: OtherColumns
  /// The names of the columns that only the feed has.
  let ownNames: [String]
  private let sql: String
  /// The position of each column of the record: among GTFS's, or after them.
  private let positions: [Int]

  init(_ file: String, _ columns: OtherColumns) {
    guard let table = TimetableSchema.otherTables.first(where: { $0.file == file }) else {
      preconditionFailure("\(file) has no table of other columns.")
    }
    self.table = table
    self.columns = columns
    let names = columns.names
    let ownNames = names.filter { !table.known.contains($0) }
    positions = names.map { name in
      table.known.firstIndex(of: name)
        ?? table.known.count + (ownNames.firstIndex { $0.hasSameBytes(as: name) } ?? 0)
    }
    self.ownNames = ownNames
    let listed =
      [table.key] + (table.key == "sid" ? ["filled"] : []) + table.known
      + ownNames.indices.map { "c\($0 + 1)" }
    sql = """
      INSERT INTO \(table.name) (\(listed.joined(separator: ", ")))
      VALUES (\(listed.map { _ in "?" }.joined(separator: ", ")))
      """
  }

  /// Inserts a row, unless all its values are blank.
  ///
  /// - Parameters:
  ///   - db: The connection, inside a transaction.
  ///   - key: The key of the row in the main table.
  ///   - record: The number of the record of other columns.
  ///   - known: Values of GTFS's columns that are not in the record, by name.
  ///   - filled: What the feed leaves blank and the main table does not, for stops.
  /// - Throws: `DatabaseError` when the disk is full.
  func insert(
    _ db: Database, _ key: Int64, record: Int32, known: KeyValuePairs<String, String?> = [:],
    filled: Int? = nil
  ) throws {
    // Nearly every stop has none.
    guard record >= 0 || (filled ?? 0) != 0 || known.contains(where: { $0.value != nil }) else {
      return
    }
    var values = table.known.map { name in
      known.first { $0.key == name }?.value?.databaseValue ?? DatabaseValue.null
    }
    values += ownNames.map { _ in DatabaseValue.null }
    for (position, value) in zip(positions, columns.values(record) ?? []) where !value.isEmpty {
      values[position] = value.databaseValue
    }
    let filled = filled == 0 ? nil : filled
    guard filled != nil || values.contains(where: { !$0.isNull }) else { return }
    let head = [key.databaseValue] + (table.key == "sid" ? [filled?.databaseValue ?? .null] : [])
    try db.execute(sql: sql, arguments: StatementArguments(head + values))
  }
}
