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

  /// The columns of a record: identifier, path, location, state, and those of the side table.
  func columns(withSide: Bool) -> String {
    let own =
      (layout.ids + [layout.path]).map(layout.column)
      + [layout.location, layout.state].map { $0.map(layout.column) ?? "NULL" }
    let side =
      withSide
      ? [
        "holdfast_side.cleared_at IS NOT NULL", "holdfast_side.byte_count", "holdfast_side.sha256",
      ] : ["0", "NULL", "NULL"]
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
    let isCleared = row[next + 3] as Bool
    // NULL counts as recorded, as the default of such columns does.
    let isRecorded =
      layout.state == nil ? !isCleared : Bool.fromDatabaseValue(row[next + 2]) ?? true
    return LedgerRecord(
      id: id, storedText: text, path: path,
      state: isRecorded ? .recorded : isCleared ? .cleared : .withdrawn,
      digest: Self.digest(row[next + 4], row[next + 5]), location: location)
  }

  static func digest(_ byteCount: DatabaseValue, _ sha256: DatabaseValue) -> FileDigest? {
    guard let byteCount = Int64.fromDatabaseValue(byteCount),
      let bytes = Data.fromDatabaseValue(sha256), let digest = SHA256Digest(bytes: Array(bytes))
    else { return nil }
    return FileDigest(byteCount: byteCount, sha256: digest)
  }
}
