import Holdfast

/// The rows of `packed_stops`, found by their numbers, their identifiers and their stations.
///
/// The file has no index of identifiers, so that a join by `stop_id` would compare every identifier.
struct PackedStopRows: CompactRows {
  static let file = "packed_stops"
  static let columns = [
    VirtualTableColumn("sid", .integer), VirtualTableColumn("stop_id", .text),
    VirtualTableColumn("parent_sid", .integer), VirtualTableColumn("kind", .integer),
    VirtualTableColumn("code", .text), VirtualTableColumn("lat", .real),
    VirtualTableColumn("lon", .real),
  ]
  static let keys = [
    CompactKey(column: 0, rowCount: 1, cost: 1, isUnique: true, isNumber: true),
    CompactKey(column: 1, rowCount: 1, cost: 2, isUnique: true),
    CompactKey(column: 2, rowCount: 10, cost: 20, isNumber: true),
  ]
  static let rowCount: Int64 = 100_000

  /// The number of rows that are read at a time.
  private static let batch = 1_000

  private var rows: [[DatabaseValue]] = []
  private var index = -1
  /// The greatest number that was read; `nil` if nothing follows.
  private var last: Int64?

  mutating func start(
    _ key: (index: Int, value: String)?, _ content: CompactContent, _ db: Database
  ) throws {
    (rows, index, last) = ([], -1, nil)
    switch key {
    case nil: last = .min
    case (0, let number)?: rows = try Self.rows(db, "sid = ?", [Int64(number)])
    case (1, let stopID)?:
      // The condition of the view finds the identifier by the numbers that it can have.
      rows = try content.stopRows(stopID) {
        try Self.rows(db, "sid = (SELECT sid FROM main.dict_stop WHERE stop_id = ?)", [stopID])
      }
    case (_, let number)?: rows = try Self.rows(db, "parent_sid = ?", [Int64(number)])
    }
  }

  mutating func next(_ content: CompactContent, _ db: Database) throws -> Bool {
    index += 1
    if index < rows.count { return true }
    guard let last else { return false }
    rows = try Self.rows(db, "sid > ? ORDER BY sid LIMIT \(Self.batch)", [last])
    index = 0
    // Those after the last one are read later.
    if rows.count == Self.batch, case .int64(let sid)? = rows.last?[0].storage {
      self.last = sid
    } else {
      self.last = nil
    }
    return !rows.isEmpty
  }

  private static func rows(
    _ db: Database, _ condition: String, _ arguments: StatementArguments
  ) throws -> [[DatabaseValue]] {
    let names = columns.map(\.name).joined(separator: ", ")
    let statement = try db.cachedStatement(
      sql: "SELECT \(names) FROM main.packed_stops WHERE \(condition)")
    return try Row.fetchAll(statement, arguments: arguments).map(\.databaseValues)
  }

  func write(
    _ column: Int, to cell: borrowing VirtualTableCell, _ content: CompactContent,
    _ db: @autoclosure () throws -> Database
  ) {
    guard rows.indices.contains(index) else { return }
    switch rows[index][column].storage {
    case .int64(let number): cell.write(number)
    case .double(let number): cell.write(number)
    case .string(let text): cell.write(text)
    case .null, .blob: cell.writeNull()
    }
  }

  var others: Int32 { 0 }

  var rowID: Int64 {
    guard rows.indices.contains(index), case .int64(let sid) = rows[index][0].storage else {
      return 0
    }
    return sid
  }
}
