import Foundation
import Holdfast
import HoldfastFiles

/// The reading of the files whose records have no digest.
final class DigestRecording {
  private let ledger: FileLedger
  private let deadline: ContinuousClock.Instant?
  private let isCancelled: () -> Bool
  private let onFile: (RecordID) throws -> Void

  private var report = DigestReport()
  private var position = DatabaseValue.null

  /// The number of rows that are fetched at a time; a process that is killed loses the digests of so
  /// many files at most.
  private static let chunk = 50

  init(
    _ ledger: FileLedger, budget: Duration?, _ isCancelled: @escaping () -> Bool,
    onFile: @escaping (RecordID) throws -> Void
  ) {
    self.ledger = ledger
    deadline = budget.map { ContinuousClock.now + $0 }
    self.isCancelled = isCancelled
    self.onFile = onFile
  }

  /// The digest of a file that was read, and the record for which it was.
  private struct Reading {
    var id: RecordID
    var path: RelocatablePath
    var digest: FileDigest
  }

  private var isLate: Bool { deadline.map { ContinuousClock.now >= $0 } ?? false }

  func execute() throws -> DigestReport {
    while true {
      let rows = try fetch()
      var readings: [Reading] = []
      let result = Result { try read(rows.map { $0.record }, into: &readings) }
      // Also before a cancellation, so that calls that are always cancelled come to an end.
      if !readings.isEmpty {
        report.recorded += try ledger.writer.write { db in try write(readings, db) }
      }
      try result.get()
      guard report.isComplete, let last = rows.last else { return report }
      position = last.target.locator
    }
  }

  private func fetch() throws -> [(record: LedgerRecord, target: RecordWriter.Target)] {
    var examined: [(record: LedgerRecord, target: RecordWriter.Target)] = []
    try ledger.writer.read { db in
      _ = try ledger.adopted(db)
      let rows = try LedgerRows(ledger, db)
      examined = try rows.recorded(
        rows.examinedSelection, after: position, limit: Self.chunk, db
      ).map(rows.examined)
    }
    return examined
  }

  /// Reads the files of the records that have no digest, until the time is over.
  private func read(_ records: [LedgerRecord], into readings: inout [Reading]) throws {
    for record in records {
      guard record.state == .recorded, record.digest == nil, let path = record.path else {
        continue
      }
      if isCancelled() { throw CancellationError() }
      if isLate, report.recorded + readings.count > 0 {
        report.isComplete = false
        return
      }
      if let digest = try read(record, path) {
        readings.append(Reading(id: record.id, path: path, digest: digest))
      }
    }
  }

  /// Reads a file; `nil` when it has no digest, which the report says.
  private func read(_ record: LedgerRecord, _ path: RelocatablePath) throws -> FileDigest? {
    switch ledger.presence(of: record) {
    case .present: break
    case .absent:
      report.absent += 1
      return nil
    case .unknown:
      report.addUnread(record.id, because: "it cannot be examined")
      return nil
    }
    try onFile(record.id)
    let identity = FileIdentity.read(path, in: ledger.container, until: isCancelled)
    if isCancelled() { throw CancellationError() }
    switch identity {
    case .digest(let digest):
      report.byteCount += digest.byteCount
      return digest
    case .unreadable(let reason):
      report.addUnread(record.id, because: reason)
      return nil
    }
  }

  /// Writes the digests of records that still need them, and returns their number.
  private func write(_ readings: [Reading], _ db: Database) throws -> Int {
    let (layout, source) = try ledger.adopted(db)
    let rows = try LedgerRows(ledger, db)
    var count = 0
    for reading in readings {
      // The app may have recorded another file meanwhile.
      guard let (record, target) = try rows.examined(reading.id, db), record.state == .recorded,
        record.path == reading.path, record.digest == nil,
        try !rows.isMoving(target.locator, db)
      else { continue }
      try db.execute(
        sql: """
          INSERT INTO main.holdfast_ledger_files (source, key, byte_count, sha256, digest_path)
          SELECT ?, \(layout.key), ?, ?, ? FROM \(layout.aliased) WHERE \(layout.hasAliasedID)
          ON CONFLICT (source, key) DO UPDATE SET byte_count = excluded.byte_count,
            sha256 = excluded.sha256, digest_path = excluded.digest_path
          """,
        arguments: StatementArguments(
          [
            source.databaseValue, reading.digest.byteCount.databaseValue,
            Data(reading.digest.sha256.bytes).databaseValue,
            reading.path.identityText.databaseValue,
          ] + TableLayout.idArguments(reading.id)))
      count += 1
    }
    return count
  }
}
