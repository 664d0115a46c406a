import Holdfast
import Foundation

extension SideTable {
  /// Adds what a repair has done since the last time.
  static func addToRun(
    _ id: Int64, _ report: RepairReport, since old: RepairReport, time: Duration, phase: Int,
    _ db: Database
  ) throws {
    let milliseconds =
      time.components.seconds * 1000 + time.components.attoseconds / 1_000_000_000_000_000
    try db.execute(
      sql: """
        UPDATE main.holdfast_ledger_runs SET
          milliseconds = milliseconds + ?, phase = ?,
          examined = examined + ?, rewritten = rewritten + ?, repaired = repaired + ?,
          restored = restored + ?, cleared = cleared + ?, unknown = unknown + ?
        WHERE id = ?
        """,
      arguments: [
        milliseconds, phase,
        report.examined - old.examined, report.rewritten - old.rewritten,
        report.repaired - old.repaired, report.restored - old.restored,
        report.cleared - old.cleared, report.unknown - old.unknown, id,
      ])
  }
}
