// The Swift of TheLifeOfFiles.md, compiled: TheLifeOfFilesTests finds each block of it here, and runs
// every function.

import Foundation
import Holdfast
import HoldfastDownloads
import HoldfastFiles
import HoldfastLedger

func launch(_ lifecycle: FileLifecycle) async throws -> LaunchCheck {
  let check = try await lifecycle.ledger.launchCheck()
  if check.hasUnfinishedMoves { try await lifecycle.recoverMoves() }
  if check.isRepairDue { _ = try await lifecycle.ledger.repairAll() }
  for folder in await lifecycle.excludeFromBackup() where !folder.isExcluded {
    print(folder.path, folder.problem ?? "")
  }
  return check
}

func play(_ id: String, with lifecycle: FileLifecycle) async throws -> URL {
  let file = try await lifecycle.prepareForUse(RecordID(id))
  try await lifecycle.recordUse(RecordID(id), for: .seconds(130))
  return file.url
}

func tidyUp(_ lifecycle: FileLifecycle) async throws -> [PurgedFile] {
  _ = try await lifecycle.apply(budget: .seconds(2))
  let report = try await lifecycle.sweepPurged(budget: .seconds(2))
  try await lifecycle.acknowledge(report.purged)
  return report.purged
}

func reclaim(_ lifecycle: FileLifecycle, _ downloader: Downloader?) async throws -> [Orphan] {
  let folders = [try RelocatablePath(.documents, "downloads")]
  let report = try await lifecycle.orphans(under: folders, downloader: downloader)
  let associated = try await lifecycle.associate(report.orphans).map(\.path)
  return report.orphans.filter { !associated.contains($0.path) }
}

@MainActor
func restorePlayer(_ cover: LiveReference, show: (URL?) -> Void) async {
  show(await cover.refreshed())
  await cover.appMovedToForeground(after: .seconds(120)) { url in show(url) }
}
