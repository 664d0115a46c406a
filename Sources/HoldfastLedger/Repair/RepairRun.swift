import Holdfast
import HoldfastFiles

/// What the steps of a repair share: the limits, the report, and the writing of decisions.
final class RepairRun {
  let ledger: FileLedger
  let isDryRun: Bool
  let survey: FolderSurvey

  private(set) var report = RepairReport()

  private let start = ContinuousClock.now
  private let deadline: ContinuousClock.Instant?
  private let isCancelled: () -> Bool
  private let onItem: (RepairReport.Item) -> Void

  init(
    _ ledger: FileLedger, budget: Duration? = nil, isDryRun: Bool,
    isCancelled: @escaping () -> Bool, onItem: @escaping (RepairReport.Item) -> Void = { _ in }
  ) {
    self.ledger = ledger
    self.isDryRun = isDryRun
    survey = FolderSurvey(ledger.container)
    let start = start
    deadline = budget.map { start + $0 }
    self.isCancelled = isCancelled
    self.onItem = onItem
    report.isDryRun = isDryRun
  }

  /// Whether the budget is used up; throws when the task is cancelled.
  func isOver() throws -> Bool {
    if isCancelled() { throw CancellationError() }
    return deadline.map { ContinuousClock.now >= $0 } ?? false
  }

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

  /// The writer of rows; `nil` in a dry run.
  func recordWriter(_ rows: LedgerRows) -> RecordWriter? {
    guard !isDryRun, let source = rows.source else { return nil }
    return RecordWriter(layout: rows.layout, source: source)
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
  /// - Returns: The item of the report; `nil` when the row has changed meanwhile.
  func settle(
    _ examined: Examined, _ owners: inout FileOwners, _ db: Database
  ) throws -> RepairReport.Item? {
    let rows = owners.rows
    let hasLocation = rows.layout.location != nil
    let record = examined.record
    let form = ledger.dialect.form(of: record.storedText)
    var evidence = examined.result.evidence
    for candidate in examined.result.candidates
    where try !owners.owns(candidate, except: examined.target.locator, db) {
      evidence.found = candidate.found
      break
    }
    var item = RepairReport.Item(
      id: record.id, answer: evidence.stored, action: .none, from: record.storedText)
    let writer = recordWriter(rows)
    var outcome = RecordWriter.Outcome.done
    switch RepairDecision(evidence) {
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
          try writer?.write(written, setsState: evidence.isCleared, to: examined.target, db)
          ?? .done
      } else {
        outcome = try writer?.setState(true, of: examined.target, db) ?? .done
      }
      if outcome == .done, evidence.isCleared {
        try removeTombstone(of: examined, item.to, writer, db)
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
        try writer?.write(written, setsState: evidence.isCleared, to: examined.target, db) ?? .done
      if outcome == .done {
        try owners.note(found.path, of: examined.target.locator, db)
        if evidence.isCleared { try removeTombstone(of: examined, item.to, writer, db) }
      }
    case .clear:
      item.action = .cleared
      outcome = try writer?.setState(false, of: examined.target, db) ?? .done
      if outcome == .done { try writer?.noteCleared(examined.target, db) }
    }
    switch outcome {
    case .done: return item
    case .overtaken: return nil
    case .refused(let reason):
      item.action = .none
      item.to = nil
      item.problem = "the table refused the change: \(reason)"
      report.refused += 1
      return item
    }
  }

  /// The tombstone of a row that has another path now.
  private func removeTombstone(
    of examined: Examined, _ newText: String?, _ writer: RecordWriter?, _ db: Database
  ) throws {
    var target = examined.target
    if let newText { target.text = newText.databaseValue }
    try writer?.removeTombstone(of: target, db)
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
