import Foundation
public import Holdfast
import HoldfastFiles

extension FileLedger {
  /// Imports the rows of an older table, in one transaction.
  ///
  /// Absolute paths of any older container become relative, also when the container has moved
  /// before. A row that cannot be imported is in the report, and does not stop the others; a row
  /// that is already recorded is not changed, so that the import may run twice.
  ///
  /// It runs before or after the migration that creates the ledger's table. Before it, the rows are
  /// kept aside; the next call imports them, even if the older table is gone by then.
  ///
  /// - Parameter source: The older table.
  /// - Returns: The numbers of rows, of which each found one is in exactly one.
  /// - Throws: ``LedgerError`` with `.unsuitableTable`, `.absolutePaths`; `DatabaseError`, after
  ///   which nothing is imported.
  public func importRecords(from source: LegacySource) async throws -> ImportReport {
    let ledger = self
    return try await writer.write { db in try ledger.importRecords(db, from: source) }
  }

  /// Imports the rows of an older table inside a write, for example in a migration.
  ///
  /// - Parameters:
  ///   - db: A connection in a write.
  ///   - source: The older table.
  /// - Returns: The numbers of rows, of which each found one is in exactly one.
  /// - Throws: The errors of ``importRecords(from:)``.
  public func importRecords(_ db: Database, from source: LegacySource) throws -> ImportReport {
    var report = ImportReport()
    try keep(source, db)
    let table = keptTable(for: source)
    let ready = try self.table.isOwn || db.tableExists(self.table.name, in: "main")
    guard ready else {
      guard try db.tableExists(table, in: "main") else { return report }
      report.kept =
        try Int.fetchOne(db, sql: "SELECT count(*) FROM main.\(table.quotedDatabaseIdentifier)")
        ?? 0
      report.found = report.kept
      return report
    }
    try adopt(db)
    guard try db.tableExists(table, in: "main") else { return report }
    let layout = try TableLayout(self.table, db)
    let before = try count(layout, db)
    let places = RootPlaces(container)
    var last: Int64 = 0
    while case let rows = try keptRows(in: table, after: last, db), !rows.isEmpty {
      for row in rows { try importKept(row, from: source, layout, places, &report, db) }
      last = rows.last.map { $0[0] } ?? last
    }
    let after = try count(layout, db)
    guard after - before == report.imported else {
      throw LedgerError.wrongImportCount(
        expected: report.imported, found: after - before, in: self.table.name)
    }
    // What failed stays, so that another call can import it.
    if report.failures.isEmpty {
      try db.execute(sql: "DROP TABLE main.\(table.quotedDatabaseIdentifier)")
    }
    return report
  }

  /// Returns the next rows: few at a time, because the old table may be long.
  private func keptRows(in table: String, after last: Int64, _ db: Database) throws -> [Row] {
    try Row.fetchAll(
      db,
      sql: """
        SELECT rowid, * FROM main.\(table.quotedDatabaseIdentifier)
        WHERE rowid > ? ORDER BY rowid LIMIT 1000
        """, arguments: [last])
  }

  private func importKept(
    _ row: Row, from source: LegacySource, _ layout: TableLayout, _ places: RootPlaces,
    _ report: inout ImportReport, _ db: Database
  ) throws {
    report.found += 1
    let text = String.fromDatabaseValue(row[1]) ?? ""
    let id = RecordID((3..<row.count).map { row[$0] })
    func fail(_ reason: String) {
      report.failures.append(ImportReport.Failure(id: id, storedText: text, reason: reason))
    }
    do {
      // Such a row would be imported each time.
      guard !id.hasNull else { throw LedgerError.nullIdentifier(in: source.table) }
      guard try record(db, id) == nil else {
        report.alreadyRecorded += 1
        return
      }
      try importRow(text, id, time: row[2], layout, places, db)
      report.imported += 1
    } catch let error as FileError {
      fail(error.message)
    } catch let error as LedgerError {
      fail(error.message)
    } catch let error as DatabaseError
      where error.resultCode.primaryResultCode == .SQLITE_CONSTRAINT && db.isInsideTransaction
    {
      fail(error.message ?? "\(error.resultCode)")
    }
  }

  private func count(_ layout: TableLayout, _ db: Database) throws -> Int {
    try Int.fetchOne(db, sql: "SELECT count(*) FROM \(layout.table)") ?? 0
  }

  private func importRow(
    _ text: String, _ id: RecordID, time: DatabaseValue, _ layout: TableLayout,
    _ places: RootPlaces, _ db: Database
  ) throws {
    let path: RelocatablePath
    switch dialect.read(text, location: nil, in: places) {
    case .path(let stored): path = stored.path
    case .noFile: throw LedgerError.noFile(inText: text)
    case .unreadable(let error): throw error
    }
    try db.inSavepoint {
      try record(db, id, at: path)
      guard !time.isNull, let column = layout.insertionTimes.first else { return .commit }
      try db.execute(
        sql: "UPDATE \(layout.table) SET \(column) = ? WHERE \(layout.hasID)",
        arguments: StatementArguments([time] + TableLayout.idArguments(id)))
      return .commit
    }
  }

  /// The name of the table that keeps the rows of an older table until they are imported.
  private func keptTable(for source: LegacySource) -> String {
    "holdfast_ledger_import_\(table.name)_\(source.table)"
  }

  /// Copies the rows of the older table, unless it is gone.
  ///
  /// Rows that were kept before and are not in it any more stay: a refresh of the app's data may
  /// have emptied it. A row that is in both is copied again.
  private func keep(_ source: LegacySource, _ db: Database) throws {
    guard try db.tableExists(source.table, in: "main") else { return }
    let columns = try db.columns(in: source.table, in: "main").map(\.name.foldedDatabaseIdentifier)
    // After the migration the older table may remain without the columns.
    let needed = source.idColumns + [source.pathColumn, source.stateColumn].compactMap(\.self)
    guard needed.allSatisfy({ columns.contains($0.foldedDatabaseIdentifier) }) else { return }
    let name = keptTable(for: source)
    let kept = "main." + name.quotedDatabaseIdentifier
    let old = "main." + source.table.quotedDatabaseIdentifier
    let ids = source.idColumns.map(\.quotedDatabaseIdentifier)
    let path = source.pathColumn.quotedDatabaseIdentifier
    let time = source.timeColumn.map(\.quotedDatabaseIdentifier) ?? "NULL"
    let state = source.stateColumn.map { "old.\($0.quotedDatabaseIdentifier) = 1 AND " } ?? ""
    let rows = "FROM \(old) AS old WHERE \(state)old.\(path) IS NOT NULL"
    let values = "\(path) AS path, \(time) AS time, \(ids.joined(separator: ", "))"
    guard try db.tableExists(name, in: "main") else {
      return try db.execute(sql: "CREATE TABLE \(kept) AS SELECT \(values) \(rows)")
    }
    let isSame = ids.map { "old.\($0) IS kept.\($0)" }.joined(separator: " AND ")
    try db.execute(
      sql: """
        DELETE FROM \(kept) AS kept WHERE EXISTS (SELECT 1 \(rows) AND \(isSame));
        INSERT INTO \(kept) SELECT \(values) \(rows)
        """)
  }
}
