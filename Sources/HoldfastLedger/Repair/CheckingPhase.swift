import Holdfast
import HoldfastFiles

/// The first phase of a repair: every record is looked for at its stored path.
final class CheckingPhase {
  private let run: RepairRun
  private let progress: RepairProgress
  private let ledger: FileLedger
  private let places: RootPlaces
  private var chunk: Int { max(ledger.recordsPerTransaction, 1) }

  /// The last row that was examined and still has an absolute path.
  private var lastAbsolute: DatabaseValue?

  init(_ run: RepairRun, _ progress: RepairProgress) {
    self.run = run
    self.progress = progress
    ledger = run.ledger
    places = RootPlaces(run.ledger.container)
  }

  /// A row, as it is examined.
  ///
  /// A class, because copying so many values for each row takes a tenth of a repair.
  private final class CheckedRow: FetchableRecord {
    let position: Int64
    var target: RecordWriter.Target
    let location: DatabaseValue
    let state: DatabaseValue
    let isRecorded: Bool
    let isCleared: Bool
    let byteCount: Int64?
    let id: RecordID

    init(row: Row) {
      position = row[0]
      target = RecordWriter.Target(locator: row[1], text: row[2])
      location = row[3]
      state = row[4]
      isRecorded = row[5]
      isCleared = row[6]
      byteCount = row[7]
      id = RecordID((8..<row.count).map { row[$0] })
    }

    var text: String { String.fromDatabaseValue(target.text) ?? "" }
  }

  private enum Check {
    case fine
    case rewrite(PathDialect.Written)
    case missing
    case unknown(String)
    case unwritable
  }

  func execute() throws {
    try run.access { db in try self.createOrder(db) }
    var last: Int64 = 0
    var unwritten = 0
    while try !run.isOver() {
      var rows: [CheckedRow] = []
      var hasLocation = false
      try run.access { db in
        rows = try self.fetch(after: &last, &hasLocation, db)
      }
      let checks = check(rows, hasLocation: hasLocation)
      let isLast = rows.count < chunk
      if isLast { progress.phase = .finding }
      let changesNothing = checks.allSatisfy { if case .fine = $0 { true } else { false } }
      unwritten = changesNothing ? unwritten + 1 : 0
      // Positions are only worth a transaction of their own now and then.
      if isLast || !changesNothing || unwritten % 8 == 0 {
        try run.write { db in
          let ledgerRows = try LedgerRows(ledger, db)
          let rowWriter = try run.recordWriter(ledgerRows)
          let hasMoves = try ledgerRows.hasMoves(db)
          for (row, check) in zip(rows, checks) {
            try self.apply(check, to: row, ledgerRows, rowWriter, hasMoves: hasMoves, db)
          }
          if let row = rows.last { try self.advance(to: row, ledgerRows, db) }
          try progress.store(db)
        }
      } else {
        for row in rows where row.isRecorded { run.change { $0.examined += 1 } }
        lastAbsolute = rows.last { PathDialect.isAbsolute($0.text) }?.target.locator ?? lastAbsolute
      }
      run.noteProgress()
      if isLast { return }
    }
  }

  private func createOrder(_ db: Database) throws {
    let layout = try TableLayout(ledger.table, db)
    let location =
      layout.location.map { "ifnull(\(layout.column($0)), '') COLLATE BINARY" } ?? "''"
    let path = "ifnull(\(layout.column(layout.path)), '') COLLATE BINARY"
    // Comparisons, because a function call for each row costs more: '0' follows '/', ';' follows ':'.
    // The plus takes the column's affinity away: one that is declared as STRING compares numbers.
    let column = "+" + layout.column(layout.path)
    let isAbsolute = """
      (ifnull(\(column) COLLATE BINARY >= '/' AND \(column) COLLATE BINARY < '0'
        OR \(column) COLLATE NOCASE >= 'file:' AND \(column) COLLATE NOCASE < 'file;', 0))
      """
    var conditions = ["\(layout.hasIdentifier)"]
    var arguments: [DatabaseValue] = []
    let cleared =
      try SideTable.source(of: ledger.table, db) == nil
      ? ""
      : """
       OR \(layout.key) IN (
        SELECT key FROM main.holdfast_ledger_files
        WHERE source = \(progress.source) AND cleared_at IS NOT NULL)
      """
    conditions.append("(\(layout.isRecorded)\(cleared))")
    if let resumed = progress.resumed {
      conditions.append("(\(isAbsolute), \(location), \(path)) >= (?, ?, ?)")
      arguments = [resumed.isAbsolute.databaseValue, resumed.location, resumed.path]
    }
    try db.execute(
      sql: "CREATE TEMP TABLE \(progress.order.dropFirst("temp.".count)) ("
        + "position INTEGER PRIMARY KEY, locator BLOB)")
    try db.execute(
      sql: """
        INSERT INTO \(progress.order) (locator)
        SELECT \(layout.locator) FROM \(layout.aliased)
        WHERE \(conditions.joined(separator: " AND "))
        ORDER BY \(isAbsolute), \(location), \(path)
        """, arguments: StatementArguments(arguments))
  }

  private func fetch(
    after last: inout Int64, _ hasLocation: inout Bool, _ db: Database
  ) throws -> [CheckedRow] {
    let rows = try LedgerRows(ledger, db)
    let layout = rows.layout
    hasLocation = layout.location != nil
    var hasSide = false
    if rows.source != nil {
      hasSide =
        try Bool.fetchOne(
          db, sql: "SELECT EXISTS (SELECT 1 FROM main.holdfast_ledger_files WHERE source = ?)",
          arguments: [progress.source]) ?? false
    }
    let location = layout.location.map(layout.column) ?? "NULL"
    let state = layout.state.map(layout.column) ?? "NULL"
    let side =
      hasSide ? "holdfast_side.cleared_at IS NOT NULL, holdfast_side.byte_count" : "0, NULL"
    let cursor = try CheckedRow.fetchCursor(
      db,
      sql: """
        SELECT holdfast_order.position, holdfast_order.locator,
          \(layout.column(layout.path)), \(location), \(state), \(layout.isRecorded), \(side),
          \(layout.ids.map(layout.column).joined(separator: ", "))
        FROM \(progress.order) AS holdfast_order
        CROSS JOIN \(layout.aliased) ON \(layout.locator) = holdfast_order.locator
        \(hasSide ? rows.sideJoin : "")
        WHERE holdfast_order.position > ? ORDER BY holdfast_order.position LIMIT \(chunk)
        """, arguments: [last])
    var found: [CheckedRow] = []
    found.reserveCapacity(chunk)
    while let row = try cursor.next() {
      if hasLocation { row.target.location = row.location }
      if layout.state != nil { row.target.state = row.state }
      found.append(row)
    }
    if let row = found.last { last = row.position }
    return found
  }

  /// Looks for the files of a chunk; no access is open meanwhile.
  private func check(_ rows: [CheckedRow], hasLocation: Bool) -> [Check] {
    var reader = PathReader(ledger, places, hasLocation: hasLocation)
    let readings = rows.map { row in
      reader.read(row.text, location: String.fromDatabaseValue(row.location))
    }
    var checks: [Check] = []
    checks.reserveCapacity(rows.count)
    var folder: FolderSurvey.Folder?
    var group = 0
    for index in rows.indices {
      switch readings[index] {
      case .noFile:
        run.change { $0.withoutFile += 1 }
        checks.append(.fine)
      // A text that is damaged may still have a file where the app expects it.
      case .unreadable: checks.append(.missing)
      case .file(let file):
        if folder == nil || group != file.group {
          let isListed = Self.count(of: file.group, in: readings, from: index, upTo: 4) == 4
          folder = run.survey.folder(file.folder, isListed: isListed)
          group = file.group
        }
        guard let folder else { continue }
        let row = rows[index]
        let answer = run.survey.answer(file.name, in: folder, needsStatus: row.byteCount != nil)
        checks.append(Self.check(file, row, answer))
      }
    }
    // What is not there now may be there in the next chunk.
    run.survey.forget()
    return checks
  }

  private static func check(
    _ file: PathReader.File, _ row: CheckedRow, _ answer: FolderSurvey.Answer
  ) -> Check {
    switch answer {
    case .unknown(let reason): return .unknown(reason)
    case .absent: return .missing
    case .present(let status):
      if let known = row.byteCount, let status, status.byteCount != known { return .missing }
      if file.isUnwritable { return .unwritable }
      // Settled with the others that need more than a new text.
      if row.isCleared || !row.isRecorded { return .missing }
      return file.rewritten.map(Check.rewrite) ?? .fine
    }
  }

  /// The number of the next rows with files in one folder, up to a limit.
  private static func count(
    of group: Int, in readings: [PathReader.Reading], from start: Int, upTo limit: Int
  ) -> Int {
    var count = 0
    for reading in readings[start...].prefix(limit) {
      guard case .file(let file) = reading, file.group == group else { break }
      count += 1
    }
    return count
  }

  private func apply(
    _ check: Check, to row: CheckedRow, _ rows: LedgerRows, _ writer: RecordWriter,
    hasMoves: Bool, _ db: Database
  ) throws {
    // The records that a repair has cleared before are not the app's any more.
    if row.isRecorded { run.change { $0.examined += 1 } }
    var stays = true
    defer { if stays, PathDialect.isAbsolute(row.text) { lastAbsolute = row.target.locator } }
    if case .fine = check { return }
    var item = RepairReport.Item(
      id: row.id, answer: .present, action: .none,
      from: row.text)
    switch check {
    case .fine: return
    case .missing: return try noteMissing(row, rows.layout, db)
    case .unknown(let reason):
      item.answer = .unknown
      item.problem = reason
    case .unwritable:
      item.problem = "the table's dialect has no text for its path"
      run.change { $0.refused += 1 }
    case .rewrite(let written):
      if hasMoves, try rows.isMoving(row.target.locator, db) { return }
      item.action = .rewritten
      item.to = written.text
      item.location = written.location
      switch try writer.write(written, to: row.target, db) {
      case .done: stays = false
      case .overtaken: return
      case .refused(let reason):
        item.action = .none
        item.to = nil
        item.location = nil
        item.problem = "the table refused the change: \(reason)"
        run.change { $0.refused += 1 }
      }
    }
    run.add(item)
  }

  private func noteMissing(_ row: CheckedRow, _ layout: TableLayout, _ db: Database) throws {
    try db.execute(
      sql: """
        INSERT OR IGNORE INTO \(progress.missing) (source, key)
        SELECT ?, \(layout.key) FROM \(layout.aliased) WHERE \(layout.isAtAliasedLocator)
        """,
      arguments: StatementArguments(
        [progress.source.databaseValue] + (try layout.locatorValues(row.target.locator, db))))
  }

  private func advance(to row: CheckedRow, _ rows: LedgerRows, _ db: Database) throws {
    guard PathDialect.isAbsolute(row.text) else {
      let location = row.location.isNull ? "".databaseValue : row.location
      let path = row.target.text.isNull ? "".databaseValue : row.target.text
      return progress.advance(
        to: RepairProgress.Mark(isAbsolute: false, location: location, path: path))
    }
    var mark = RepairProgress.Mark(isAbsolute: true)
    if let lastAbsolute {
      let layout = rows.layout
      mark.key =
        try DatabaseValue.fetchOne(
          db,
          sql: "SELECT \(layout.key) FROM \(layout.aliased) WHERE \(layout.isAtAliasedLocator)",
          arguments: StatementArguments(try layout.locatorValues(lastAbsolute, db))) ?? .null
    }
    progress.advance(to: mark)
  }
}
