import Holdfast
import HoldfastFiles

/// What the steps of a repair share: the limits, the report, and the writing of decisions.
final class RepairRun {
  let ledger: FileLedger
  let isDryRun: Bool

  /// Whether the database is a copy, in which a dry run leaves its changes.
  private let isCopy: Bool

  let survey: FolderSurvey

  private(set) var report = RepairReport()

  private let start = ContinuousClock.now
  private let deadline: ContinuousClock.Instant?
  private let isCancelled: () -> Bool

  /// The connection of a dry run, which holds it until its transaction is rolled back.
  private var trial: Database?

  private let onItem: (RepairReport.Item) -> Void

  init(
    _ ledger: FileLedger, budget: Duration? = nil, isDryRun: Bool, isCopy: Bool = false,
    isCancelled: @escaping () -> Bool, onItem: @escaping (RepairReport.Item) -> Void = { _ in }
  ) {
    self.ledger = ledger
    self.isDryRun = isDryRun
    self.isCopy = isCopy
    survey = FolderSurvey(ledger.container)
    let start = start
    deadline = budget.map { start + $0 }
    self.isCancelled = isCancelled
    self.onItem = onItem
    report.isDryRun = isDryRun
  }

  /// Whether the repair has got further, so that its budget may end it.
  ///
  /// Otherwise a budget that is too small for one step would never get anywhere.
  private var hasProgressed = false

  func noteProgress() { hasProgressed = true }

  /// Whether the budget is used up; throws when the task is cancelled.
  func isOver() throws -> Bool {
    if isCancelled() { throw CancellationError() }
    return hasProgressed && isLate
  }

  /// Whether the reading of a file should end, which the next ``isOver()`` explains.
  var isStopped: Bool { isCancelled() || hasProgressed && isLate }

  /// Whether the budget is used up, although nothing may have been done yet.
  var isLate: Bool { deadline.map { ContinuousClock.now >= $0 } ?? false }

  func change(_ body: (inout RepairReport) -> Void) {
    body(&report)
  }

  func finish() -> RepairReport {
    report.duration = ContinuousClock.now - start
    return report
  }

  var elapsed: Duration { ContinuousClock.now - start }

  func add(_ item: RepairReport.Item) {
    report.add(item)
    onItem(item)
  }

  // MARK: - Accesses

  /// Runs the repair; in a dry run, in one transaction that is rolled back.
  ///
  /// So each step of a dry run sees what those before it have changed, as it does in the repair.
  func execute(_ repair: () throws -> RepairReport) throws -> RepairReport {
    guard isDryRun, !isCopy else { return try repair() }
    var result = report
    try ledger.writer.writeWithoutTransaction { db in
      // The app's closures may use the database, as they may between the accesses of a repair.
      db.allowsNestedAccesses = true
      trial = db
      defer {
        trial = nil
        db.allowsNestedAccesses = false
      }
      try db.inTransaction(.immediate) {
        if try SideTable.source(of: ledger.table, db) == nil { try ledger.adopt(db) }
        result = try repair()
        return .rollback
      }
    }
    return result
  }

  /// Uses the writing connection outside of a transaction, in a dry run inside of its own.
  func access(_ body: (Database) throws -> Void) throws {
    try trial.map(body) ?? ledger.writer.writeWithoutTransaction(body)
  }

  /// Changes the database in one transaction, in a dry run in a savepoint of its own.
  func write(_ changes: (Database) throws -> Void) throws {
    guard let trial else { return try ledger.writer.write(changes) }
    try trial.inSavepoint {
      try changes(trial)
      // A savepoint does not check what the commit of a repair would.
      try trial.checkDeferredForeignKeys()
      return .commit
    }
  }

  /// Returns the writer of rows.
  ///
  /// - Throws: ``LedgerError`` with `.unsuitableTable` when the table cannot be written.
  func recordWriter(_ rows: LedgerRows) throws(LedgerError) -> RecordWriter {
    try rows.layout.requireWritable()
    return RecordWriter(layout: rows.layout, source: rows.source ?? 0)
  }

  // MARK: - Decisions

  /// A record whose file is not where it says, as it was examined.
  struct Examined {
    var record: LedgerRecord
    var target: RecordWriter.Target
    var result: FileFinder.Result
  }

  /// Decides about a record, and writes the decision.
  ///
  /// - Returns: The item of the report; `nil` when the row or its file has changed meanwhile, or
  ///   when a stored move decides about it.
  func settle(
    _ examined: Examined, _ owners: inout FileOwners, _ db: Database
  ) throws -> RepairReport.Item? {
    let rows = owners.rows
    let hasLocation = rows.layout.location != nil
    let record = examined.record
    let form = ledger.dialect.form(of: record.storedText)
    if try rows.isMoving(examined.target.locator, db) { return nil }
    var evidence = examined.result.evidence
    for candidate in examined.result.candidates
    where try !owners.owns(candidate, except: examined.target.locator, db) {
      evidence.found = candidate.found
      break
    }
    var item = RepairReport.Item(
      id: record.id, answer: evidence.stored, action: .none, from: record.storedText)
    let writer = try recordWriter(rows)
    var outcome = RecordWriter.Outcome.done
    if record.hasTombstone, record.state == .recorded {
      // Another repair may have cleared it again, and that tombstone stays.
      guard try writer.isUnchanged(examined.target, db) else { return nil }
      // The app has recorded it again.
      try writer.removeTombstone(of: examined.target, db)
    }
    if evidence.stored == .absent, let path = record.path {
      // Its file may have come back since it was looked for.
      switch answer(path) {
      case .absent: break
      case .unknown: return nil
      case .present(let status):
        // Another length is examined by the next repair, and so is what a tombstone remembers.
        if let digest = record.digest,
          evidence.isCleared || status?.byteCount != digest.byteCount
        {
          return nil
        }
        evidence.stored = .present
        evidence.found = nil
        item.answer = .present
      }
    }
    let decision = RepairDecision(evidence)
    switch decision {
    case .restore:
      guard let path = record.path, case .present(let status?) = answer(path) else { return nil }
      let candidate = FileFinder.Candidate(
        found: RepairDecision.Found(path: path, step: .expectedPath), status: status)
      if try owners.owns(candidate, except: examined.target.locator, db) { return item }
    case .keep, .rewrite, .leaveUnknown, .point, .clear: break
    }
    switch decision {
    case .keep: return item
    case .leaveUnknown:
      item.answer = .unknown
      item.problem = examined.result.problem ?? "places where it may be could not be examined"
      return item
    case .rewrite, .restore:
      item.answer = .present
      item.action = evidence.isCleared ? .restored : .rewritten
      if evidence.needsRewriting, let path = record.path {
        let written = ledger.dialect.write(path, as: form, hasLocation: hasLocation)
        guard let written else { return refused(item, path) }
        item.to = written.text
        item.location = written.location
        outcome =
          try writer.write(
            written, state: evidence.isCleared ? true : nil, to: examined.target, db)
      } else {
        outcome = try writer.setState(true, of: examined.target, db)
      }
      if outcome == .done, evidence.isCleared {
        try writer.removeTombstone(of: examined.target, db)
        if let path = record.path {
          try owners.note(path, of: examined.target.locator, db)
        }
      }
    case .point(let found):
      guard
        let written = ledger.dialect.write(found.path, as: form, hasLocation: hasLocation)
      else { return refused(item, found.path) }
      item.answer = .present
      item.action = .repaired(found.step)
      item.to = written.text
      item.location = written.location
      outcome =
        try writer.write(
          written, state: evidence.isCleared ? true : nil, to: examined.target, db)
      if outcome == .done {
        try owners.note(found.path, of: examined.target.locator, db)
        try writer.noteDigest(at: found.path, of: examined.target, db)
        if evidence.isCleared { try writer.removeTombstone(of: examined.target, db) }
        // A file in the documents would be backed up from now on.
        if !isDryRun, found.path.root == .documents {
          item.backupExclusion = BackupExclusion(found.path, in: ledger.container)
        }
      }
    case .clear:
      item.action = .cleared
      guard let path = record.path else { return nil }
      let written =
        form == .absolute
        ? ledger.dialect.write(path, as: form, hasLocation: hasLocation) : nil
      item.to = written?.text
      item.location = written?.location
      outcome = try writer.clear(examined.target, of: path, as: written, db)
    }
    switch outcome {
    case .done: return item
    case .overtaken: return nil
    case .refused(let reason):
      item.action = .none
      item.to = nil
      item.location = nil
      item.problem = "the table refused the change: \(reason)"
      report.refused += 1
      return item
    }
  }

  /// Whether a file is there now, whatever was read before.
  private func answer(_ path: RelocatablePath) -> FolderSurvey.Answer {
    FolderSurvey(ledger.container).answer(path)
  }

  private func refused(
    _ item: RepairReport.Item, _ path: RelocatablePath
  ) -> RepairReport.Item {
    var item = item
    item.answer = .present
    item.problem = "the table's dialect has no text for '\(path)'"
    report.refused += 1
    return item
  }
}
