import Foundation
import Holdfast
import HoldfastFiles

/// The progress of a repair of a whole table, stored in its row of the history.
final class RepairProgress {
  enum Phase: Int {
    case checking = 1
    case finding = 2
    case done = 3
  }

  /// A place in the order of the rows: relative paths first, then absolute ones, which leave the
  /// order when they are rewritten.
  struct Position {
    var isAbsolute = false
    var location: DatabaseValue
    var path: DatabaseValue
  }

  /// The place that is stored.
  struct Mark {
    var isAbsolute: Bool
    var location = DatabaseValue.null
    /// A relative path.
    var path = DatabaseValue.null
    /// The side table's key of the last row that was examined and still has an absolute path.
    var key = DatabaseValue.null
  }

  /// The number of the adopted table.
  let source: Int64

  var phase = Phase.checking

  /// The place where the first phase continues.
  private(set) var resumed: Position?

  /// The last folder of the search by identity.
  var searchedPath: RelocatablePath?

  /// Whether the search by identity could not examine a folder or a file.
  var isDoubtful = false

  /// The names of the tables of the rows in their order, and of those whose files were not found.
  let order: String
  let missing = "main.holdfast_ledger_missing"

  var owners: FileOwners?

  private let run: RepairRun
  private let runID: Int64
  private let owner = UUID().uuidString
  private var mark = Mark(isAbsolute: false)
  private var baseline = RepairReport()
  private var baselineTime = Duration.zero

  private init(_ run: RepairRun, source: Int64, runID: Int64) {
    self.run = run
    self.source = source
    self.runID = runID
    order = "temp." + TemporaryName.next("order")
  }

  static func begin(_ run: RepairRun) throws -> RepairProgress {
    var progress: RepairProgress?
    try run.write { db in progress = try stored(run, db) }
    guard let progress else { throw LedgerError.notAdopted(run.ledger.table.name) }
    progress.baseline = run.report
    return progress
  }

  private static func stored(_ run: RepairRun, _ db: Database) throws -> RepairProgress {
    let (layout, source) = try run.ledger.adopted(db)
    let interrupted = try Row.fetchOne(
      db,
      sql: """
        SELECT id, phase, is_absolute, location, path, key, searched_path, is_doubtful
        FROM main.holdfast_ledger_runs
        WHERE source = ? AND phase < \(Phase.done.rawValue) ORDER BY id DESC LIMIT 1
        """, arguments: [source])
    let isSameContainer = try LaunchState.beginRepair(
      of: run.ledger, source, isContinued: interrupted != nil, db)
    let progress: RepairProgress
    if let interrupted, isSameContainer {
      progress = RepairProgress(
        run, source: source, runID: try interrupted.decode(atIndex: 0))
      progress.phase = Phase(rawValue: try interrupted.decode(atIndex: 1)) ?? .checking
      progress.searchedPath = try String.fromDatabaseValue(interrupted[6])
        .map { try RelocatablePath(text: $0) }
      progress.isDoubtful = try interrupted.decode(atIndex: 7)
      if let isAbsolute = Bool.fromDatabaseValue(interrupted[2]) {
        progress.mark = Mark(
          isAbsolute: isAbsolute, location: interrupted[3], path: interrupted[4],
          key: interrupted[5])
        progress.resumed = try position(progress.mark, run.ledger, layout, db)
      }
      run.change { $0.isContinued = true }
    } else {
      // What an interrupted repair has found in another container is void.
      try db.execute(
        sql: "UPDATE main.holdfast_ledger_runs SET phase = ? WHERE source = ?",
        arguments: [Phase.done.rawValue, source])
      try db.execute(
        sql: "DELETE FROM main.holdfast_ledger_missing WHERE source = ?", arguments: [source])
      progress = RepairProgress(
        run, source: source,
        runID: try SideTable.insertRun(source, phase: Phase.checking.rawValue, db))
    }
    try db.execute(
      sql: "UPDATE main.holdfast_ledger_runs SET owner = ? WHERE id = ?",
      arguments: [progress.owner, progress.runID])
    return progress
  }

  private static func position(
    _ mark: Mark, _ ledger: FileLedger, _ layout: TableLayout, _ db: Database
  ) throws -> Position {
    guard mark.isAbsolute else { return Position(location: mark.location, path: mark.path) }
    // Where that row is gone, the absolute paths that are left are examined again.
    let start = Position(
      isAbsolute: true, location: "".databaseValue, path: "".databaseValue)
    guard !mark.key.isNull else { return start }
    let rows = try LedgerRows(ledger, db)
    guard let last = try rows.examined(rows.id(mark.key, db), db),
      PathDialect.isAbsolute(last.record.storedText)
    else { return start }
    return Position(
      isAbsolute: true, location: (last.record.location ?? "").databaseValue,
      path: last.target.text)
  }

  /// Notes how far the first phase has got.
  func advance(to mark: Mark) {
    self.mark = mark
  }

  /// Stores the position and the counts in the transaction of a chunk.
  ///
  /// - Throws: ``LedgerError`` with `.repairRunning` when another process has taken over, so that
  ///   the transaction is rolled back; `DatabaseError`.
  func store(_ db: Database) throws {
    let isOurs =
      try Bool.fetchOne(
        db,
        sql: "SELECT EXISTS (SELECT 1 FROM main.holdfast_ledger_runs WHERE id = ? AND owner = ?)",
        arguments: [runID, owner]) ?? false
    guard isOurs else { throw LedgerError.repairTakenOver(in: run.ledger.table.name) }
    let elapsed = run.elapsed
    try SideTable.addToRun(
      runID, run.report, since: baseline, time: elapsed - baselineTime, phase: phase.rawValue, db)
    try db.execute(
      sql: """
        UPDATE main.holdfast_ledger_runs
        SET is_absolute = ?, location = ?, path = ?, key = ?, searched_path = ?, is_doubtful = ?
        WHERE id = ?
        """,
      arguments: [
        mark.isAbsolute, mark.location, mark.path, mark.key, searchedPath?.description,
        isDoubtful, runID,
      ])
    baseline = run.report
    baselineTime = elapsed
  }

  /// Stores that the repair is complete.
  func complete(_ db: Database) throws {
    try store(db)
    let unknown =
      try Int.fetchOne(
        db, sql: "SELECT unknown FROM main.holdfast_ledger_runs WHERE id = ?", arguments: [runID])
    try LaunchState.completeRepair(source, hasUnknown: unknown != 0, db)
  }

  /// Removes the temporary tables of this repair.
  func drop(_ db: Database) throws {
    try db.execute(sql: "DROP TABLE IF EXISTS \(order)")
    try owners?.drop(db)
  }
}
