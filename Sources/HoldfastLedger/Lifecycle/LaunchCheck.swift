public import Foundation
public import Holdfast
public import HoldfastFiles

/// What a launch should do, decided without reading a folder or the table.
///
/// ```swift
/// let check = try await ledger.launchCheck()
/// if check.hasUnfinishedMoves { try await lifecycle.recoverMoves() }
/// if check.isRepairDue { try await ledger.repairAll() }
/// ```
///
/// A cold start is the only moment at which the container of a running app can have moved. The check
/// sees moves of the container, not files that the system has purged: ``FileLifecycle/sweepPurged(budget:recordLimit:at:)``
/// finds those.
public struct LaunchCheck: Hashable, Sendable {
  /// The roots that are not the folder at the path of the last complete repair; only those that the
  /// table's dialect can name.
  public var changedRoots: [StorageRoot] = []

  /// Whether no repair of the table has been completed yet.
  public var isFirst = false

  /// Whether a move between roots was interrupted; see ``FileLifecycle/recoverMoves()``.
  public var hasUnfinishedMoves = false

  /// Whether the last complete sweep for purged files is longer ago than the interval.
  public var isSweepDue = false

  /// Why the container could not be examined, as while the device is locked; `nil` when it could.
  ///
  /// A repair could not prove anything either; check again later.
  public var problem: String?

  /// Whether the paths of the table should be repaired.
  public var isRepairDue: Bool { isFirst || !changedRoots.isEmpty }
}

extension FileLedger {
  /// Checks whether the container has moved since the last complete repair, and what else is due.
  ///
  /// It costs one row and one call of the system per root, whatever the number of records.
  ///
  /// - Parameters:
  ///   - sweepInterval: The time after which the caches are swept again; one day by default.
  ///   - now: The current time.
  /// - Returns: What is due.
  /// - Throws: `DatabaseError`.
  public func launchCheck(
    sweepInterval: Duration = .seconds(86_400), now: Date = Date()
  ) async throws -> LaunchCheck {
    let ledger = self
    return try await writer.read { db in
      try ledger.launchCheck(db, sweepInterval: sweepInterval, now: now)
    }
  }

  /// Checks inside an access whether the container has moved, and what else is due.
  ///
  /// - Parameters:
  ///   - db: The connection of the access.
  ///   - sweepInterval: The time after which the caches are swept again; one day by default.
  ///   - now: The current time.
  /// - Returns: What is due.
  /// - Throws: `DatabaseError`.
  public func launchCheck(
    _ db: Database, sweepInterval: Duration = .seconds(86_400), now: Date = Date()
  ) throws -> LaunchCheck {
    var check = LaunchCheck()
    var stored: LaunchState?
    if let source = try SideTable.source(of: table, db), try LifecycleTables.exist(db) {
      stored = try LaunchState(source, db)
      check.hasUnfinishedMoves =
        try Bool.fetchOne(
          db, sql: "SELECT EXISTS (SELECT * FROM main.holdfast_ledger_moves WHERE source = ?)",
          arguments: [source]) ?? false
    }
    check.isSweepDue =
      stored?.sweptAt.map { swept in
        // A clock that was set back must not postpone sweeps for ever.
        abs(now.timeIntervalSince(swept)) >= sweepInterval / .seconds(1)
      } ?? true
    guard let known = stored?.fingerprint else {
      check.isFirst = true
      return check
    }
    do throws(FileError) {
      check.changedRoots = try ContainerFingerprint(of: container).changedRoots(since: known)
        .filter { dialect.names($0, hasLocation: true) }
    } catch {
      check.problem = error.message
    }
    return check
  }
}

/// What is stored of the last repair and the last sweep of a table.
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
