import Foundation
import Holdfast
import HoldfastFiles

/// The stored facts about the last repair and the last sweep of a table.
struct LaunchState {
  /// The container's fingerprint when the last complete repair began.
  var fingerprint: ContainerFingerprint?

  /// The container's fingerprint when the repair began that is not complete.
  var running: ContainerFingerprint?

  var sweptAt: Date?

  /// The row before the first one that the sweep has not examined.
  var sweepPosition: DatabaseValue

  init(_ source: Int64, _ db: Database) throws {
    let row = try Row.fetchOne(
      db,
      sql: """
        SELECT fingerprint, running_fingerprint, swept_at, sweep_position
        FROM main.holdfast_ledger_launches WHERE source = ?
        """, arguments: [source])
    func fingerprint(_ index: Int) -> ContainerFingerprint? {
      row.flatMap { String.fromDatabaseValue($0[index]) }.flatMap(ContainerFingerprint.init)
    }
    self.fingerprint = fingerprint(0)
    running = fingerprint(1)
    sweptAt = row.flatMap { Double.fromDatabaseValue($0[2]) }
      .map(Date.init(timeIntervalSince1970:))
    sweepPosition = row?[3] ?? .null
  }

  /// Notes that a repair begins, or that an interrupted one is to be continued.
  ///
  /// The result is whether the container is the one in which the interrupted repair began; without
  /// that, the repair must begin again.
  static func beginRepair(
    of ledger: FileLedger, _ source: Int64, isContinued: Bool, _ db: Database
  ) throws -> Bool {
    try LifecycleTables.create(db)
    // Without a fingerprint the check after this repair says that another one is due.
    let present = try? ContainerFingerprint(of: ledger.container)
    if isContinued, let present, let running = try LaunchState(source, db).running,
      !present.changedRoots(since: running)
        .contains(where: { ledger.dialect.names($0, hasLocation: true) })
    {
      return true
    }
    try db.execute(
      sql: """
        INSERT INTO main.holdfast_ledger_launches (source, running_fingerprint) VALUES (?, ?)
        ON CONFLICT (source) DO UPDATE SET running_fingerprint = excluded.running_fingerprint
        """, arguments: [source, present?.description])
    return false
  }

  /// Notes that the repair is complete; called in the transaction that completes it.
  ///
  /// While a file is neither proven to be there nor proven to be absent, another repair stays due.
  static func completeRepair(_ source: Int64, hasUnknown: Bool, _ db: Database) throws {
    try db.execute(
      sql: """
        UPDATE main.holdfast_ledger_launches
        SET fingerprint = \(hasUnknown ? "fingerprint" : "running_fingerprint"),
          running_fingerprint = NULL
        WHERE source = ? AND running_fingerprint IS NOT NULL
        """, arguments: [source])
  }

  static func noteSweep(
    at position: DatabaseValue, completedAt time: Date?, _ source: Int64, _ db: Database
  ) throws {
    try db.execute(
      sql: """
        INSERT INTO main.holdfast_ledger_launches (source, sweep_position, swept_at)
        VALUES (?, ?, ?)
        ON CONFLICT (source) DO UPDATE SET sweep_position = excluded.sweep_position,
          swept_at = coalesce(excluded.swept_at, swept_at)
        """, arguments: [source, position, time?.timeIntervalSince1970])
  }
}
