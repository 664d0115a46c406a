public import Foundation
public import Holdfast
public import HoldfastFiles

/// The work that is due at a launch, decided without reading a folder or the table.
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

  /// The reason the container could not be examined, as while the device is locked; `nil` when it
  /// could.
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
  /// - Returns: The work that is due.
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
  /// - Returns: The work that is due.
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
