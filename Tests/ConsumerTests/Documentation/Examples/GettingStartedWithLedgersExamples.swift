// The Swift of GettingStartedWithLedgers.md, compiled: GettingStartedWithLedgersTests finds each block
// of it here, and runs every function.

import Foundation
import Holdfast
import HoldfastFiles
import HoldfastLedger

func openRecordings(on queue: DatabaseQueue, in container: Container) async throws -> FileLedger {
  try await queue.write { db in
    try db.execute(
      sql: "CREATE TABLE IF NOT EXISTS recording (id TEXT PRIMARY KEY, title TEXT, path TEXT)")
  }
  let table = LedgerTable(
    name: "recording", idColumns: ["id"], pathColumn: "path", dialect: .text)
  let ledger = FileLedger(queue, container: container, table: table)
  try await ledger.adopt()
  return ledger
}

func save(_ sound: Data, as id: String, in ledger: FileLedger) async throws {
  let folder = try RelocatablePath(.documents, "recordings")
  try ledger.container.createDirectory(at: folder)
  let path = try folder.appending("\(id).m4a")
  try sound.write(to: ledger.container.url(for: path), options: .atomic)
  try await ledger.record(RecordID(id), at: path)
}

func url(ofRecording id: String, in ledger: FileLedger) async throws -> URL? {
  guard let path = try await ledger.record(RecordID(id))?.path else { return nil }
  return try ledger.container.url(for: path)
}

func openLedger(on queue: DatabaseQueue, in container: Container) async throws -> FileLedger {
  let table = LedgerTable(
    name: "download", idColumns: ["id"], pathColumn: "path",
    dialect: .tagged(["D:": .documents, "C:": .caches], bareRoot: .caches),
    stateColumn: "is_downloaded")
  let ledger = FileLedger(queue, container: container, table: table) { record in
    [try RelocatablePath(.documents, "downloads", "\(record.id).m4b")]
  }
  try await ledger.adopt()
  return ledger
}

func recordDigests(_ ledger: FileLedger) async throws -> Int {
  let report = try await ledger.recordDigests(budget: .seconds(10))
  for problem in report.problems { print(problem.id, problem.reason) }
  return report.recorded
}

func repairAtLaunch(_ ledger: FileLedger) async throws -> Int {
  let report = try await ledger.repairAll(budget: .seconds(2))
  for item in report.items where item.answer == .unknown {
    print(item.id, item.problem ?? "")
  }
  return report.rewritten + report.repaired
}

func repairBeforePlaying(_ id: String, with ledger: FileLedger) async throws -> RelocatablePath? {
  _ = try await ledger.repair(RecordID(id))
  return try await ledger.record(RecordID(id))?.path
}

func restore(_ id: String, with ledger: FileLedger) async throws {
  if try await ledger.record(RecordID(id))?.state == .cleared {
    try await ledger.restore(RecordID(id))
  }
}

func importDownloads(into ledger: FileLedger) async throws -> ImportReport {
  try await ledger.importRecords(
    from: LegacySource(
      table: "old_download", idColumns: ["id"], pathColumn: "file", stateColumn: "is_downloaded"))
}
