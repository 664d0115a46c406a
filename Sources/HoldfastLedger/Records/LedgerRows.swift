import Foundation
import Holdfast
import HoldfastFiles

/// The rows of a ledger's table with their side table, as SQL and as records.
struct LedgerRows {
  let ledger: FileLedger
  let layout: TableLayout

  /// The number of the table in the side tables; `nil` when it is not adopted.
  let source: Int64?

  let places: RootPlaces

  init(_ ledger: FileLedger, _ db: Database) throws {
    self.ledger = ledger
    layout = try TableLayout(ledger.table, db)
    places = RootPlaces(ledger.container)
    source = try SideTable.source(of: ledger.table, db)
  }

  /// The selection that ``record(_:)`` decodes, without a condition.
  var selection: String {
    "SELECT " + columns(withSide: source != nil) + " FROM \(layout.aliased)" + sideJoin
  }

  /// The join with the side table, if there is one.
  var sideJoin: String {
    guard let source else { return "" }
    return """
       LEFT JOIN main.holdfast_ledger_files AS holdfast_side
      ON holdfast_side.source = \(source) AND holdfast_side.key = \(layout.key)
      """
  }

  /// The columns of a record: identifier, path, location, state, and the side table's columns.
  func columns(withSide: Bool) -> String {
    let own =
      (layout.ids + [layout.path]).map(layout.column)
      + [layout.location, layout.state].map { $0.map(layout.column) ?? "NULL" }
    let side =
      withSide
      ? [
        "holdfast_side.cleared_at IS NOT NULL", "holdfast_side.byte_count", "holdfast_side.sha256",
        "holdfast_side.cleared_path", "holdfast_side.digest_path",
      ] : ["0", "NULL", "NULL", "NULL", "NULL"]
    return (own + side).joined(separator: ", ")
  }

  func record(_ row: Row) throws -> LedgerRecord {
    try record(row, from: 0)
  }

  /// Returns the record whose columns begin at an index.
  func record(_ row: Row, from start: Int) throws -> LedgerRecord {
    let count = layout.ids.count
    let id = RecordID((0..<count).map { row[start + $0] })
    let next = start + count
    let text = String.fromDatabaseValue(row[next]) ?? ""
    let location = String.fromDatabaseValue(row[next + 1])
    let reading = ledger.dialect.read(text, location: location, in: places)
    var path: RelocatablePath?
    if case .path(let stored) = reading { path = stored.path }
    let hasTombstone = row[next + 3] as Bool
    // A tombstone is that of a path: under another one, the record is the app's again.
    let isCleared =
      hasTombstone
      && String.fromDatabaseValue(row[next + 6]).map { known in
        path.map { known.hasSameBytes(as: $0.description) } ?? false
      } ?? true
    // NULL counts as recorded, as the default of such columns does.
    let isRecorded =
      layout.state == nil ? !isCleared : Bool.fromDatabaseValue(row[next + 2]) ?? true
    return LedgerRecord(
      id: id, storedText: text, path: path,
      state: isRecorded ? .recorded : isCleared ? .cleared : .withdrawn,
      digest: Self.isDigest(row[next + 7], of: path)
        ? Self.digest(row[next + 4], row[next + 5]) : nil, location: location,
      hasTombstone: hasTombstone)
  }

  /// Returns whether a digest that was recorded for a path, or for none, belongs to another one.
  ///
  /// The root does not matter, because a file keeps its content when it is moved to another one.
  private static func isDigest(_ known: DatabaseValue, of path: RelocatablePath?) -> Bool {
    guard let known = String.fromDatabaseValue(known), let path else { return true }
    return known.hasSameBytes(as: path.identityText)
  }

  // MARK: - Rows to be changed

  /// The selection that ``examined(_:)`` decodes, without a condition.
  var examinedSelection: String {
    "SELECT \(layout.locator), " + columns(withSide: source != nil)
      + " FROM \(layout.aliased)" + sideJoin
  }

  /// Returns a record, and the row as it was read.
  func examined(_ row: Row) throws -> (record: LedgerRecord, target: RecordWriter.Target) {
    let next = 1 + layout.ids.count
    var target = RecordWriter.Target(locator: row[0], text: row[next])
    // A NULL in the column is a value that is compared.
    if layout.location != nil { target.location = .some(row[next + 1] as DatabaseValue) }
    if layout.state != nil { target.state = .some(row[next + 2] as DatabaseValue) }
    return (try record(row, from: 1), target)
  }

  /// Returns the row with an identifier; `nil` when there is none.
  func examined(
    _ id: RecordID, _ db: Database
  ) throws -> (record: LedgerRecord, target: RecordWriter.Target)? {
    guard id.values.count == layout.ids.count else { return nil }
    return try Row.fetchOne(
      db, sql: examinedSelection + " WHERE " + layout.hasAliasedID,
      arguments: StatementArguments(TableLayout.idArguments(id))
    ).map(examined)
  }

  /// Returns whether any move of the table's files is stored.
  func hasMoves(_ db: Database) throws -> Bool {
    guard let source, try LifecycleTables.exist(db) else { return false }
    return try Bool.fetchOne(
      db, sql: "SELECT EXISTS (SELECT 1 FROM main.holdfast_ledger_moves WHERE source = ?)",
      arguments: [source]) ?? false
  }

  /// Returns whether a move of the row's file is stored, which decides about its path.
  func isMoving(_ locator: DatabaseValue, _ db: Database) throws -> Bool {
    guard let source, try hasMoves(db) else { return false }
    return try Bool.fetchOne(
      db,
      sql: """
        SELECT EXISTS (
          SELECT 1 FROM main.holdfast_ledger_moves WHERE source = ? AND key = (
            SELECT \(layout.key) FROM \(layout.aliased) WHERE \(layout.isAtAliasedLocator)))
        """,
      arguments: StatementArguments(
        [source.databaseValue] + (try layout.locatorValues(locator, db)))) ?? false
  }

  /// Returns rows that are recorded and have an identifier, in the order of their locators.
  ///
  /// - Parameters:
  ///   - selection: The selection, without a condition.
  ///   - position: The locator of the row before the first one; NULL begins with the first row of
  ///     the table.
  ///   - limit: The largest number of rows.
  ///   - db: The connection.
  /// - Returns: Up to `limit` rows; fewer only at the end of the table.
  /// - Throws: `DatabaseError`.
  func recorded(
    _ selection: String, after position: DatabaseValue, limit: Int, _ db: Database
  ) throws -> [Row] {
    let columns = layout.locators.map(layout.column).joined(separator: ", ")
    let marks = layout.locators.map { _ in "?" }.joined(separator: ", ")
    let start = try position.isNull ? [] : layout.locatorValues(position, db)
    return try Row.fetchAll(
      db,
      sql: selection + " WHERE \(layout.isRecorded) AND \(layout.hasIdentifier)"
        + (start.isEmpty ? "" : " AND (\(columns)) > (\(marks))")
        + " ORDER BY \(columns) LIMIT \(limit)", arguments: StatementArguments(start))
  }

  static func digest(_ byteCount: DatabaseValue, _ sha256: DatabaseValue) -> FileDigest? {
    guard let byteCount = Int64.fromDatabaseValue(byteCount),
      let bytes = Data.fromDatabaseValue(sha256), let digest = SHA256Digest(bytes: Array(bytes))
    else { return nil }
    return FileDigest(byteCount: byteCount, sha256: digest)
  }
}

extension RelocatablePath {
  /// The text by which a digest knows its path: the names below the root.
  var identityText: String { components.joined(separator: "/") }
}
