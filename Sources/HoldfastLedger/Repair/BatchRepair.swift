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
///
/// A dry run is one transaction, in which it holds the writing connection, and which is rolled back.
///
/// One repair of a table runs at a time: in this process the second one waits, and a repair of
/// another process takes over the one that is stored.
final class BatchRepair {
  private let run: RepairRun

  init(_ run: RepairRun) {
    self.run = run
  }

  func execute() throws -> RepairReport {
    guard !run.isDryRun else { return try run.execute(repair) }
    return try RepairGate.pass(run) { try repair() }
  }

  private func repair() throws -> RepairReport {
    let progress = try RepairProgress.begin(run)
    defer {
      // A connection that is closed by now has no temporary tables left.
      try? run.access { db in try progress.drop(db) }
    }
    if progress.phase == .checking { try CheckingPhase(run, progress).execute() }
    if progress.phase == .finding { try FindingPhase(run, progress).execute() }
    run.change { $0.isComplete = progress.phase == .done }
    return run.finish()
  }
}
