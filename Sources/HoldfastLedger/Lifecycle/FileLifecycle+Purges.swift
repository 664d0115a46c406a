public import Foundation
public import Holdfast
import HoldfastFiles

extension FileLifecycle {
  /// The roots whose files the system may delete.
  private static let purgeableRoots: Set<StorageRoot> = [.caches, .temporary]

  private static let sweepChunk = 2_000

  /// The number of purged files above which the whole table is repaired.
  private static let itemLimit = 64

  /// The number of records that are repaired before the budget is looked at.
  private static let itemChunk = 8

  /// An observation of the purged files that the app has not acknowledged, oldest first.
  ///
  /// ```swift
  /// let purged = ObservedValue(lifecycle.purgedFiles, in: pool, initial: [])
  /// for try await files in lifecycle.purgedFiles.values(in: pool) { … }
  /// ```
  ///
  /// They are kept until ``acknowledge(_:)``, across launches, and are seen by every process.
  public var purgedFiles: ValueObservation<ValueReducers.Fetch<[PurgedFile]>> {
    let ledger = ledger
    return .tracking { db in try Self.purgedFiles(ledger, db) }
  }

  /// Removes purged files from ``purgedFiles``, for example when the user has seen them.
  ///
  /// - Parameter files: The files.
  /// - Throws: ``LedgerError`` with `.notAdopted`, `.unsuitableTable`; `DatabaseError`.
  public func acknowledge(_ files: [PurgedFile]) async throws {
    let ledger = ledger
    try await ledger.writer.write { db in
      let rows = try LedgerRows(ledger, db)
      let source = try ledger.adopted(db).source
      for row in try Row.fetchAll(
        db,
        sql: """
          SELECT id, key, path FROM main.holdfast_ledger_purges WHERE source = ? AND is_certain
          """, arguments: [source])
      {
        let id = try rows.id(row[1], db)
        let path = try RelocatablePath(text: row.decode(atIndex: 2))
        guard files.contains(where: { $0.id == id && $0.path == path }) else { continue }
        try db.execute(
          sql: "DELETE FROM main.holdfast_ledger_purges WHERE id = ?", arguments: [row[0]])
      }
    }
  }

  /// Finds the files that the system has deleted, and clears their records.
  ///
  /// The records of files in the caches and in the temporary folder are examined, each folder once,
  /// starting where the last sweep stopped. A file that is not at its path is looked for as by
  /// ``FileLedger/repair(_:of:dryRun:)``; its record is cleared only when it is proven to be gone, and then
  /// the file is in ``purgedFiles``. Without a limit, every purged file is found by one call.
  ///
  /// - Parameters:
  ///   - budget: The time after which no further records are examined; unlimited by default. Half of
  ///     it is kept for the files that are missing. At least one chunk is examined and one is
  ///     repaired, so that repeated calls reach the end.
  ///   - recordLimit: The number of records, at least one, after which the sweep stops; unlimited by
  ///     default.
  ///   - now: The current time.
  /// - Returns: A report of what was examined and found.
  /// - Throws: ``LedgerError`` with `.notAdopted`, `.unsuitableTable`; `DatabaseError`;
  ///   `CancellationError`, after which the next sweep continues.
  @discardableResult
  public func sweepPurged(
    budget: Duration? = nil, recordLimit: Int? = nil, at now: Date = Date()
  ) async throws -> PurgeReport {
    let ledger = ledger
    let start = ContinuousClock.now
    var (report, suspects) = try await BlockingWork.utility.run { isCancelled in
      var report = PurgeReport()
      var isOver = false
      var hasSuspects = try Self.hasSuspects(ledger)
      repeat {
        if isCancelled() { throw CancellationError() }
        let rest = recordLimit.map { max($0 - report.examined, 1) }
        let limit = min(rest ?? Self.sweepChunk, Self.sweepChunk)
        report.isComplete = try Self.sweepChunk(
          ledger, limit: limit, at: now, &report, &hasSuspects)
        isOver =
          report.isComplete
          || budget.map { ContinuousClock.now - start >= (hasSuspects ? $0 / 2 : $0) } ?? false
          || recordLimit.map { report.examined >= $0 } ?? false
      } while !isOver
      return (report, try Self.suspects(ledger))
    }
    let deadline = budget.map { start + $0 }
    // The last suspect that was judged.
    var settled: Int64?
    if suspects.count > Self.itemLimit, deadline.map({ ContinuousClock.now < $0 }) ?? true {
      // Each repair of an item may search all files; that of the table does so once.
      var isSettled = false
      repeat {
        let rest = deadline.map { max($0 - ContinuousClock.now, .zero) }
        let repair: RepairReport
        do {
          repair = try await ledger.repairAll(budget: rest)
        } catch let error as LedgerError where error.code == .repairRunning {
          // That repair judges them, and the next sweep sees what it has cleared.
          break
        }
        report.repaired += repair.repaired
        report.unknown += repair.unknown
        // One that was continued has not examined the records before its position.
        isSettled = repair.isComplete && !repair.isContinued
      } while !isSettled && (deadline.map { ContinuousClock.now < $0 } ?? true)
      if isSettled {
        settled = suspects.last?.number
        suspects = []
      }
    }
    while let last = suspects.prefix(Self.itemChunk).last {
      let repair = try await ledger.repair(suspects.prefix(Self.itemChunk).map(\.id))
      report.repaired += repair.repaired
      report.unknown += repair.unknown
      settled = last.number
      suspects.removeFirst(min(Self.itemChunk, suspects.count))
      if let deadline, ContinuousClock.now >= deadline { break }
    }
    report.isComplete = report.isComplete && suspects.isEmpty
    let (isComplete, last) = (report.isComplete, suspects.isEmpty ? nil : settled)
    report.purged = try await ledger.writer.write { db in
      try Self.settle(ledger, isComplete: isComplete, upTo: last, at: now, db)
    }
    report.duration = ContinuousClock.now - start
    return report
  }

  /// Examines some records, and stores those without a file and the position.
  ///
  /// - Returns: Whether these were the last ones.
  private static func sweepChunk(
    _ ledger: FileLedger, limit: Int, at now: Date, _ report: inout PurgeReport,
    _ hasSuspects: inout Bool
  ) throws -> Bool {
    var chunk: [LedgerRows.Found] = []
    var source: Int64 = 0
    try ledger.writer.read { db in
      let rows = try LedgerRows(ledger, db)
      source = try ledger.adopted(db).source
      let position =
        try LifecycleTables.exist(db) ? LaunchState(source, db).sweepPosition : .null
      chunk = try rows.recorded(rows.foundSelection, after: position, limit: limit, db)
        .map(rows.found)
    }
    report.examined += chunk.count
    let position = chunk.count < limit ? DatabaseValue.null : chunk.last?.target.locator ?? .null
    let suspects = suspects(chunk, ledger, &report)
    if !suspects.isEmpty { hasSuspects = true }
    try ledger.writer.write { db in
      try LifecycleTables.create(db)
      for (key, path) in suspects {
        try db.execute(
          sql: """
            INSERT OR IGNORE INTO main.holdfast_ledger_purges (source, key, path, found_at)
            VALUES (?, ?, ?, ?)
            """, arguments: [source, key, path.description, now.timeIntervalSince1970])
      }
      try LaunchState.noteSweep(at: position, completedAt: nil, source, db)
    }
    return position.isNull
  }

  /// Returns the records of a chunk whose files are not where they say; no access is open meanwhile.
  private static func suspects(
    _ chunk: [LedgerRows.Found], _ ledger: FileLedger, _ report: inout PurgeReport
  ) -> [(key: DatabaseValue, path: RelocatablePath)] {
    var folders:
      [RelocatablePath: [(found: LedgerRows.Found, name: String, path: RelocatablePath)]] =
        [:]
    for found in chunk where found.record.state == .recorded {
      guard let path = found.record.path, purgeableRoots.contains(path.root),
        let folder = path.parent, let name = path.lastComponent
      else { continue }
      folders[folder, default: []].append((found, name, path))
    }
    let survey = FolderSurvey(ledger.container)
    var suspects: [(DatabaseValue, RelocatablePath)] = []
    for (path, files) in folders {
      let folder = survey.folder(path, isListed: files.count > 3)
      for file in files {
        switch survey.answer(file.name, in: folder, needsStatus: false) {
        case .present: break
        case .absent: suspects.append((file.found.key, file.path))
        case .unknown: report.unknown += 1
        }
      }
    }
    return suspects
  }

  /// A record that was found without a file, and is not judged yet.
  private struct Suspect: Sendable {
    var number: Int64
    var id: RecordID
  }

  private static func hasSuspects(_ ledger: FileLedger) throws -> Bool {
    var hasSuspects = false
    try ledger.writer.read { db in
      guard try LifecycleTables.exist(db) else { return }
      hasSuspects =
        try Bool.fetchOne(
          db,
          sql: """
            SELECT EXISTS (
              SELECT 1 FROM main.holdfast_ledger_purges WHERE source = ? AND NOT is_certain)
            """, arguments: [ledger.adopted(db).source]) ?? false
    }
    return hasSuspects
  }

  /// The records that this sweep, or one that was interrupted, has found without a file; the oldest
  /// first.
  private static func suspects(_ ledger: FileLedger) throws -> [Suspect] {
    var suspects: [Suspect] = []
    try ledger.writer.read { db in
      let rows = try LedgerRows(ledger, db)
      suspects = try Row.fetchAll(
        db,
        sql: """
          SELECT id, key FROM main.holdfast_ledger_purges
          WHERE source = ? AND NOT is_certain ORDER BY id
          """,
        arguments: [ledger.adopted(db).source]
      ).map { Suspect(number: $0[0], id: try rows.id($0[1], db)) }
        // A row that was deleted meanwhile has no file to lose.
        .filter { try rows.found($0.id, db) != nil }
    }
    return suspects
  }

  /// Keeps the suspects whose records were cleared as purged files.
  ///
  /// The others are dropped up to the last one that was judged, because they are not purged; all
  /// were judged when there is no last one.
  private static func settle(
    _ ledger: FileLedger, isComplete: Bool, upTo last: Int64?, at now: Date, _ db: Database
  ) throws -> [PurgedFile] {
    let source = try ledger.adopted(db).source
    let isNew = "source = \(source) AND NOT is_certain"
    let isCleared = """
      key IN (SELECT key FROM main.holdfast_ledger_files
        WHERE source = \(source) AND cleared_at IS NOT NULL)
      """
    try db.execute(
      sql: "DELETE FROM main.holdfast_ledger_purges WHERE \(isNew) AND NOT \(isCleared)"
        + (last.map { " AND id <= \($0)" } ?? ""))
    let purged = try purgedFiles(ledger, db, where: "\(isNew) AND \(isCleared)")
    try db.execute(
      // A notice of an earlier purge of the same record is replaced.
      sql: "UPDATE OR REPLACE main.holdfast_ledger_purges SET is_certain = 1 "
        + "WHERE \(isNew) AND \(isCleared)")
    if isComplete { try LaunchState.noteSweep(at: .null, completedAt: now, source, db) }
    return purged
  }

  private static func purgedFiles(_ ledger: FileLedger, _ db: Database) throws -> [PurgedFile] {
    guard let source = try SideTable.source(of: ledger.table, db), try LifecycleTables.exist(db)
    else { return [] }
    return try purgedFiles(ledger, db, where: "source = \(source) AND is_certain")
  }

  private static func purgedFiles(
    _ ledger: FileLedger, _ db: Database, where condition: String
  ) throws -> [PurgedFile] {
    let rows = try LedgerRows(ledger, db)
    return try Row.fetchAll(
      db,
      sql: """
        SELECT key, path, found_at FROM main.holdfast_ledger_purges
        WHERE \(condition) ORDER BY id
        """
    ).map { row in
      PurgedFile(
        id: try rows.id(row[0], db), path: try RelocatablePath(text: row.decode(atIndex: 1)),
        foundAt: Date(timeIntervalSince1970: try row.decode(atIndex: 2)))
    }
  }
}
