import Foundation
import Holdfast
import HoldfastFiles

/// The repair of a whole table, in three phases.
///
/// 1. Every record is looked for at its stored path, in the order of the folders, so that each
///    folder is read once. Absolute paths are rewritten. Records without a file are noted.
/// 2. For each noted record, the expected paths and the other roots are examined.
/// 3. For the records that are still without a file and have a digest, the roots are searched.
///
/// The files are examined outside of any transaction, and the changes of a chunk are written in one
/// together with the position. So a repair that was interrupted continues where it was.
final class BatchRepair {
  private enum Phase: Int {
    case checking = 1
    case finding = 2
    case done = 3
  }

  /// A place in the order of the rows.
  private struct Position {
    var location: DatabaseValue
    var path: DatabaseValue
  }

  private let run: RepairRun
  private let ledger: FileLedger
  private let places: RootPlaces
  private var writer: any DatabaseWriter { ledger.writer }

  /// The number of the adopted table; 0 in a dry run of one that is not adopted.
  private var source: Int64 = 0
  private var runID: Int64 = 0
  private var phase = Phase.checking
  private var resumed: Position?
  private var owners: FileOwners?

  private var chunk: Int { max(ledger.recordsPerTransaction, 1) }

  /// Smaller, because each of these records may need the status of several files.
  private var findingChunk: Int { min(chunk, 500) }

  private var missing: String {
    run.isDryRun ? "temp.holdfast_ledger_missing" : "main.holdfast_ledger_missing"
  }

  init(_ run: RepairRun) {
    self.run = run
    ledger = run.ledger
    places = RootPlaces(ledger.container)
  }

  func execute() throws -> RepairReport {
    try begin()
    if phase == .checking { try check() }
    if phase == .finding { try find() }
    try end()
    return run.finish()
  }

  // MARK: - Beginning and end

  private func begin() throws {
    if run.isDryRun {
      return try writer.writeWithoutTransaction { db in
        source = try SideTable.source(of: ledger.table, db) ?? 0
        try db.execute(
          sql: "DROP TABLE IF EXISTS temp.holdfast_ledger_missing;" + SideTable.missing(in: "temp"))
      }
    }
    try writer.write { db in
      let source = try ledger.adopted(db).source
      self.source = source
      let interrupted = try Row.fetchOne(
        db,
        sql: """
          SELECT id, phase, location, path FROM main.holdfast_ledger_runs
          WHERE source = ? AND phase < \(Phase.done.rawValue) ORDER BY id DESC LIMIT 1
          """, arguments: [source])
      let isSameContainer = try LaunchState.beginRepair(
        of: ledger.container, source, isContinued: interrupted != nil, db)
      if let interrupted, isSameContainer {
        runID = try interrupted.decode(atIndex: 0)
        phase = Phase(rawValue: try interrupted.decode(atIndex: 1)) ?? .checking
        if !interrupted[2].isNull {
          resumed = Position(location: interrupted[2], path: interrupted[3])
        }
        run.change { $0.isContinued = true }
      } else {
        // What an interrupted repair has found in another container is void.
        try db.execute(
          sql: "UPDATE main.holdfast_ledger_runs SET phase = ? WHERE source = ?",
          arguments: [Phase.done.rawValue, source])
        try db.execute(
          sql: "DELETE FROM main.holdfast_ledger_missing WHERE source = ?", arguments: [source])
        runID = try SideTable.insertRun(source, phase: phase.rawValue, db)
      }
    }
    baseline = run.report
  }

  private func end() throws {
    try writer.writeWithoutTransaction { db in
      try db.execute(
        sql: """
          DROP TABLE IF EXISTS temp.holdfast_ledger_order;
          DROP TABLE IF EXISTS temp.holdfast_ledger_missing;
          """)
      try FileOwners.drop(db)
    }
    run.change { $0.isComplete = phase == .done }
  }

  /// The counts that are already in the history.
  private var baseline = RepairReport()
  private var baselineTime = Duration.zero

  /// Notes the position and the counts in the transaction of a chunk.
  private func note(_ position: Position?, _ db: Database) throws {
    guard !run.isDryRun else { return }
    let elapsed = run.elapsed
    try SideTable.addToRun(
      runID, run.report, since: baseline, time: elapsed - baselineTime, phase: phase.rawValue,
      location: position?.location ?? .null, path: position?.path ?? .null, db)
    baseline = run.report
    baselineTime = elapsed
  }

  // MARK: - Phase 1

  /// A row, as it is examined.
  ///
  /// A class, because copying so many values for each row takes a tenth of a repair.
  private final class Row1: FetchableRecord {
    let position: Int64
    let target: RecordWriter.Target
    let location: DatabaseValue
    let isRecorded: Bool
    let isCleared: Bool
    let byteCount: Int64?
    let id: RecordID

    init(row: Row) {
      position = row[0]
      target = RecordWriter.Target(locator: row[1], text: row[2])
      location = row[3]
      isRecorded = row[4]
      isCleared = row[5]
      byteCount = row[6]
      id = RecordID((7..<row.count).map { row[$0] })
    }

    var text: String {
      if case .string(let text) = target.text.storage { text } else { "" }
    }
  }

  private enum Check {
    case fine
    case rewrite(PathDialect.Written)
    case missing
    case unknown(String)
    case unwritable
  }

  private func check() throws {
    try writer.writeWithoutTransaction { db in try self.createOrder(db) }
    var last: Int64 = 0
    var unwritten = 0
    while try !run.isOver() {
      var rows: [Row1] = []
      var hasLocation = false
      try writer.writeWithoutTransaction { db in
        rows = try self.fetch(after: &last, &hasLocation, db)
      }
      let checks = check(rows, hasLocation: hasLocation)
      let isLast = rows.count < chunk
      if isLast { phase = .finding }
      let changesNothing = checks.allSatisfy { if case .fine = $0 { true } else { false } }
      unwritten = changesNothing ? unwritten + 1 : 0
      // Positions are only worth a transaction of their own now and then.
      if isLast || !changesNothing || unwritten % 8 == 0 {
        let position = rows.last.map { Position(location: $0.location, path: $0.target.text) }
        try writer.write { db in
          let rowWriter = run.recordWriter(try LedgerRows(ledger, db))
          for (row, check) in zip(rows, checks) {
            try self.apply(check, to: row, rowWriter, db)
          }
          try self.note(isLast ? nil : position, db)
        }
      } else {
        for row in rows where row.isRecorded { run.change { $0.examined += 1 } }
      }
      if isLast { return }
    }
  }

  private func createOrder(_ db: Database) throws {
    let layout = try TableLayout(ledger.table, db)
    let location = layout.location.map { "ifnull(\(layout.column($0)), '')" } ?? "''"
    let path = "\(layout.column(layout.path)) COLLATE BINARY"
    var conditions = ["\(layout.hasIdentifier)"]
    var arguments: [DatabaseValue] = []
    let cleared =
      try SideTable.source(of: ledger.table, db) == nil
      ? ""
      : """
       OR \(layout.key) IN (
        SELECT key FROM main.holdfast_ledger_files
        WHERE source = \(source) AND cleared_at IS NOT NULL)
      """
    conditions.append("(\(layout.isRecorded)\(cleared))")
    if let resumed {
      conditions.append("(\(location), \(path)) >= (?, ?)")
      arguments = [resumed.location, resumed.path]
    }
    try db.execute(
      sql: """
        DROP TABLE IF EXISTS temp.holdfast_ledger_order;
        CREATE TEMP TABLE holdfast_ledger_order (position INTEGER PRIMARY KEY, locator BLOB);
        """)
    try db.execute(
      sql: """
        INSERT INTO temp.holdfast_ledger_order (locator)
        SELECT \(layout.locator) FROM \(layout.aliased)
        WHERE \(conditions.joined(separator: " AND ")) ORDER BY \(location), \(path)
        """, arguments: StatementArguments(arguments))
  }

  private func fetch(
    after last: inout Int64, _ hasLocation: inout Bool, _ db: Database
  ) throws -> [Row1] {
    let rows = try LedgerRows(ledger, db)
    let layout = rows.layout
    hasLocation = layout.location != nil
    var hasSide = false
    if rows.source != nil {
      hasSide =
        try Bool.fetchOne(
          db, sql: "SELECT EXISTS (SELECT 1 FROM main.holdfast_ledger_files WHERE source = ?)",
          arguments: [source]) ?? false
    }
    let location = layout.location.map(layout.column) ?? "NULL"
    let side =
      hasSide ? "holdfast_side.cleared_at IS NOT NULL, holdfast_side.byte_count" : "0, NULL"
    let cursor = try Row1.fetchCursor(
      db,
      sql: """
        SELECT holdfast_order.position, holdfast_order.locator,
          \(layout.column(layout.path)), \(location), \(layout.isRecorded), \(side),
          \(layout.ids.map(layout.column).joined(separator: ", "))
        FROM temp.holdfast_ledger_order AS holdfast_order
        CROSS JOIN \(layout.aliased) ON \(layout.locator) = holdfast_order.locator
        \(hasSide ? rows.sideJoin : "")
        WHERE holdfast_order.position > ? ORDER BY holdfast_order.position LIMIT \(chunk)
        """, arguments: [last])
    var found: [Row1] = []
    found.reserveCapacity(chunk)
    while let row = try cursor.next() { found.append(row) }
    if let row = found.last { last = row.position }
    return found
  }

  /// Looks for the files of a chunk; no access is open meanwhile.
  private func check(_ rows: [Row1], hasLocation: Bool) -> [Check] {
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
    _ file: PathReader.File, _ row: Row1, _ answer: FolderSurvey.Answer
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
    _ check: Check, to row: Row1, _ writer: RecordWriter?, _ db: Database
  ) throws {
    // The records that a repair has cleared before are not the app's any more.
    if row.isRecorded { run.change { $0.examined += 1 } }
    if case .fine = check { return }
    var item = RepairReport.Item(
      id: row.id, answer: .present, action: .none,
      from: row.text)
    switch check {
    case .fine: return
    case .missing:
      return try db.execute(
        sql: """
          INSERT OR REPLACE INTO \(missing) (source, location, path, locator) VALUES (?, ?, ?, ?)
          """,
        arguments: [
          source, String.fromDatabaseValue(row.location) ?? "", row.target.text, row.target.locator,
        ])
    case .unknown(let reason):
      item.answer = .unknown
      item.problem = reason
    case .unwritable:
      item.problem = "the table's dialect has no text for its path"
      run.change { $0.refused += 1 }
    case .rewrite(let written):
      item.action = .rewritten
      item.to = written.text
      item.location = written.location
      switch try writer?.write(written, to: row.target, db) ?? .done {
      case .done: break
      case .overtaken: return
      case .refused(let reason):
        item.action = .none
        item.to = nil
        item.problem = "the table refused the change: \(reason)"
        run.change { $0.refused += 1 }
      }
    }
    run.add(item)
  }

  // MARK: - Phases 2 and 3

  private func find() throws {
    try settleMissing(searched: nil)
    guard try !run.isOver() else { return }
    let sizes = try soughtSizes()
    var isProven = true
    if !sizes.isEmpty {
      let outcome = try IdentitySearch.find(sizes, in: searchedRoots(), run) { files in
        if try !self.associate(files) { isProven = false }
      }
      guard outcome != .interrupted else { return }
      isProven = isProven && outcome == .complete
    }
    run.survey.forget()
    try settleMissing(searched: isProven)
    guard try !run.isOver() || isSettled() else { return }
    phase = .done
    if run.isDryRun { return }
    try writer.write { db in
      try self.note(nil, db)
      try LaunchState.completeRepair(self.source, db)
    }
  }

  private func searchedRoots() throws -> [StorageRoot] {
    var roots: [StorageRoot] = []
    try writer.writeWithoutTransaction { db in
      let layout = try TableLayout(ledger.table, db)
      roots = FileFinder(ledger, run.survey, hasLocation: layout.location != nil).roots
    }
    return roots
  }

  private func isSettled() throws -> Bool {
    var count = 0
    try writer.writeWithoutTransaction { db in
      count =
        try Int.fetchOne(
          db, sql: "SELECT count(*) FROM \(missing) WHERE source = ?", arguments: [source]) ?? 0
    }
    return count == 0
  }

  private func soughtSizes() throws -> Set<Int64> {
    var sizes: Set<Int64> = []
    try writer.writeWithoutTransaction { db in
      sizes = Set(
        try Int64.fetchAll(
          db,
          sql: """
            SELECT DISTINCT byte_count FROM \(missing)
            WHERE source = ? AND byte_count IS NOT NULL
            """, arguments: [source]))
    }
    return sizes
  }

  /// Examines the noted records chunk by chunk.
  ///
  /// - Parameter isProven: `nil` before the search by identity; then whether it has seen all files.
  /// - Throws: `DatabaseError`; `CancellationError`.
  private func settleMissing(searched isProven: Bool?) throws {
    var position: [DatabaseValue] = ["", "", .null].map { $0 }
    while try !run.isOver() {
      var chunk: [(record: LedgerRecord, target: RecordWriter.Target)] = []
      var finder: FileFinder?
      var count = 0
      var dropped: [[DatabaseValue]] = []
      var keys: [[DatabaseValue]] = []
      try writer.writeWithoutTransaction { db in
        let rows = try LedgerRows(ledger, db)
        finder = FileFinder(ledger, run.survey, hasLocation: rows.layout.location != nil)
        let noted = try Row.fetchAll(
          db,
          sql: """
            SELECT location, path, locator FROM \(missing)
            WHERE source = ? AND (location, path, locator) > (?, ?, ?)
              AND (? OR byte_count IS NULL)
            ORDER BY location, path, locator LIMIT \(findingChunk)
            """,
          arguments: StatementArguments(
            [source.databaseValue] + position + [(isProven != nil).databaseValue]))
        count = noted.count
        for row in noted {
          let key = row.databaseValues
          position = key
          let locator = try rows.layout.locatorValues(key[2], db)
          let found = try Row.fetchOne(
            db, sql: rows.selection + " WHERE " + rows.layout.isAtAliasedLocator,
            arguments: StatementArguments(locator))
          guard let found, found[rows.layout.ids.count] == key[1] else {
            dropped.append(key)
            continue
          }
          let record = try rows.record(found)
          guard record.state != .withdrawn else {
            dropped.append(key)
            continue
          }
          chunk.append((record, RecordWriter.Target(locator: key[2], text: key[1])))
          keys.append(key)
        }
      }
      guard let finder, count > 0 else { return }
      let results = chunk.map { finder.find($0.record) }
      try write { db, owners in
        for key in dropped { try self.removeMissing(key, db) }
        for (index, entry) in chunk.enumerated() {
          try self.settle(
            RepairRun.Examined(
              record: entry.record, target: entry.target, result: results[index]),
            keys[index], searched: isProven, &owners, db)
        }
        try self.note(nil, db)
      }
      // What was examined was outside of the transaction that wrote it; the next chunk looks again.
      run.survey.forget()
      if count < findingChunk { return }
    }
  }

  private func settle(
    _ examined: RepairRun.Examined, _ key: [DatabaseValue], searched isProven: Bool?,
    _ owners: inout FileOwners, _ db: Database
  ) throws {
    var examined = examined
    let evidence = examined.result.evidence
    let isMissing =
      evidence.stored == .absent || evidence.isOtherFile || examined.record.path == nil
    if isMissing, let digest = examined.record.digest {
      let hasCandidate = try examined.result.candidates.contains {
        try !owners.owns($0, except: examined.target.locator, db)
      }
      if !hasCandidate {
        guard let isProven else {
          return try db.execute(
            sql: """
              UPDATE \(missing) SET byte_count = ?
              WHERE source = ? AND location = ? AND path = ? AND locator = ?
              """,
            arguments: StatementArguments(
              [digest.byteCount.databaseValue, source.databaseValue] + key))
        }
        if !isProven {
          examined.result.evidence.isDoubtful = true
          examined.result.problem =
            examined.result.problem ?? "some folders and files could not be searched"
        }
      }
    }
    examined.result.evidence.needsRewriting =
      ledger.dialect.form(of: examined.record.storedText) == .absolute
    if let item = try run.settle(examined, &owners, db), item.action != .none || item.problem != nil
    {
      run.add(item)
    }
    try removeMissing(key, db)
  }

  private func removeMissing(_ key: [DatabaseValue], _ db: Database) throws {
    try db.execute(
      sql: "DELETE FROM \(missing) WHERE source = ? AND location = ? AND path = ? AND locator = ?",
      arguments: StatementArguments([source.databaseValue] + key))
  }

  /// Writes in a transaction with the index of the files' owners.
  private func write(_ body: (Database, inout FileOwners) throws -> Void) throws {
    func change(_ db: Database) throws {
      var owners = try self.owners ?? FileOwners(LedgerRows(self.ledger, db))
      try body(db, &owners)
      try owners.refreshStamp(db)
      self.owners = owners
    }
    do {
      if run.isDryRun {
        try writer.writeWithoutTransaction { db in try change(db) }
      } else {
        try writer.write { db in try change(db) }
      }
    } catch {
      // A rollback has undone what the index reflects.
      owners = nil
      throw error
    }
  }

  /// Gives files that were found by their length to the records with their digests.
  ///
  /// - Returns: Whether all of them could be read.
  private func associate(_ files: [FileFinder.Candidate]) throws -> Bool {
    var free: [FileFinder.Candidate] = []
    try write { db, owners in
      for file in files where try !owners.owns(file, except: .null, db) { free.append(file) }
    }
    let identities = free.map { FileIdentity.read($0.found.path, in: ledger.container) }
    var areRead = true
    try write { db, owners in
      for (file, identity) in zip(free, identities) {
        switch identity {
        case .digest(let digest): try self.associate(file, digest, &owners, db)
        case .unreadable: areRead = false
        }
      }
      try self.note(nil, db)
    }
    return areRead
  }

  private func associate(
    _ file: FileFinder.Candidate, _ digest: FileDigest, _ owners: inout FileOwners, _ db: Database
  ) throws {
    let rows = owners.rows
    let keys = try Row.fetchAll(
      db,
      sql: """
        SELECT location, path, locator FROM \(missing) WHERE source = ? AND byte_count = ?
        """, arguments: [source, digest.byteCount]
    ).map(\.databaseValues)
    var matches: [(key: [DatabaseValue], record: LedgerRecord)] = []
    for key in keys {
      let row = try Row.fetchOne(
        db, sql: rows.selection + " WHERE " + rows.layout.isAtAliasedLocator,
        arguments: StatementArguments(try rows.layout.locatorValues(key[2], db)))
      guard let row, row[rows.layout.ids.count] == key[1] else { continue }
      let record = try rows.record(row)
      guard record.digest == digest, record.state != .withdrawn else { continue }
      matches.append((key, record))
      // Of several records with this content, the one with the file's name comes first.
      if record.path?.lastComponent.map(ExactText.init)
        == file.found.path.lastComponent.map(ExactText.init)
      {
        matches.swapAt(0, matches.count - 1)
        break
      }
    }
    guard let match = matches.first,
      try !owners.owns(file, except: match.key[2], db)
    else { return }
    var evidence = RepairDecision.Evidence(stored: .absent)
    evidence.isCleared = match.record.state == .cleared
    let examined = RepairRun.Examined(
      record: match.record,
      target: RecordWriter.Target(locator: match.key[2], text: match.key[1]),
      result: FileFinder.Result(evidence: evidence, candidates: [file]))
    if let item = try run.settle(examined, &owners, db) {
      run.add(item)
      try removeMissing(match.key, db)
    }
  }
}
