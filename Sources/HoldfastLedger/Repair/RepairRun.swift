import Holdfast
import HoldfastFiles

/// The state that the steps of a repair share: the limits, the report, and the writing of
/// decisions.
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
}
