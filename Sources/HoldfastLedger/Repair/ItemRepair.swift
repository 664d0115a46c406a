import Foundation
import Holdfast
import HoldfastFiles

/// The repair of a few records, when their screen opens or before their file is used.
final class ItemRepair {
  private let run: RepairRun
  private let item: String?
  private var ledger: FileLedger { run.ledger }

  /// - Parameters:
  ///   - run: The limits and the report.
  ///   - item: The name of the item in the log; `nil` logs nothing.
  init(_ run: RepairRun, item: String?) {
    self.run = run
    self.item = item
  }

  func execute(_ ids: [RecordID]) throws -> RepairReport {
    try run.execute { try repair(ids) }
  }

  private func repair(_ ids: [RecordID]) throws -> RepairReport {
    // A dry run repairs nothing, and the lines say that something was repaired.
    if let item, !run.isDryRun { DownloadServiceLog.begin(item) }
    let result = Result {
      for id in ids {
        // Half of the records is a complete answer for none.
        _ = try run.isOver()
        try repair(id)
      }
    }
    let report = run.finish()
    if let item, !run.isDryRun { DownloadServiceLog.end(item, repaired: count) }
    try noteHistory(report)
    try result.get()
    return report
  }

  /// The number of records that have another path or are back.
  var count: Int { run.report.rewritten + run.report.repaired + run.report.restored }

  private func repair(_ id: RecordID) throws {
    var found: (record: LedgerRecord, target: RecordWriter.Target)?
    var hasLocation = false
    try run.access { db in
      _ = try ledger.adopted(db)
      let rows = try LedgerRows(ledger, db)
      hasLocation = rows.layout.location != nil
      found = try rows.examined(id, db)
    }
    guard let found else { throw LedgerError.noRecord(id, in: ledger.table.name) }
    let record = found.record
    guard record.state != .withdrawn else { return }
    run.change { $0.examined += 1 }
    if record.standsForNoFile {
      return run.change { $0.withoutFile += 1 }
    }

    run.survey.forget()
    let finder = FileFinder(run, hasLocation: hasLocation)
    var result = finder.find(record)
    let isAbsolute = PathDialect.isAbsolute(record.storedText)
    result.evidence.needsRewriting = isAbsolute
    if result.candidates.isEmpty { try search(for: record, finder.roots, &result) }
    if RepairDecision(result.evidence) == .keep, result.candidates.isEmpty, !record.hasTombstone {
      return
    }

    let examined = RepairRun.Examined(record: record, target: found.target, result: result)
    var item: RepairReport.Item?
    func settle(_ db: Database) throws {
      var owners = FileOwners(try LedgerRows(self.ledger, db), isIndexed: false)
      item = try self.run.settle(examined, &owners, db)
    }
    try run.write(settle)
    guard let item else { return }
    if item.action != .none || item.problem != nil { run.add(item) }
    log(record, item, result)
  }

  /// Searches the roots for a file of the record's length and digest.
  private func search(
    for record: LedgerRecord, _ roots: [StorageRoot], _ result: inout FileFinder.Result
  ) throws {
    let isMissing =
      result.evidence.stored == .absent
      || result.evidence.isOtherFile && result.evidence.isCleared || record.path == nil
    guard isMissing, let digest = record.digest else { return }
    var matches: [FileFinder.Candidate] = []
    var areRead = true
    let outcome = try IdentitySearch.find([digest.byteCount], in: roots, run) { delivery in
      for file in delivery.files {
        let identity = FileIdentity.read(
          file.found.path, in: ledger.container, until: { run.isStopped })
        switch identity {
        case .digest(digest): matches.append(file)
        case .digest: break
        case .unreadable: areRead = false
        }
        _ = try run.isOver()
      }
      return true
    }
    result.candidates += matches
    if outcome != .complete || !areRead {
      result.evidence.isDoubtful = true
      result.problem = result.problem ?? "some folders and files could not be searched"
    }
  }

  // MARK: - Log and history

  private func log(
    _ record: LedgerRecord, _ item: RepairReport.Item, _ result: FileFinder.Result
  ) {
    guard self.item != nil, !run.isDryRun else { return }
    let file = record.path?.lastComponent ?? record.storedText
    switch item.action {
    case .none, .restored: break
    case .rewritten:
      // The file is where the container is now, and no longer where the text said.
      guard let path = record.path, !isThere(record.storedText) else { break }
      DownloadServiceLog.missing(file, storedAt: record.storedText)
      DownloadServiceLog.found(file, at: url(of: path))
      DownloadServiceLog.repaired(file)
    case .repaired:
      let path = item.to.flatMap { text -> RelocatablePath? in
        let reading = ledger.dialect.read(
          text, location: item.location, in: RootPlaces(ledger.container))
        guard case .path(let stored) = reading else { return nil }
        return stored.path
      }
      DownloadServiceLog.missing(file, storedAt: record.storedText)
      DownloadServiceLog.found(file, at: path.map(url(of:)) ?? item.to ?? "")
      DownloadServiceLog.repaired(file)
    case .cleared:
      DownloadServiceLog.missing(file, storedAt: record.storedText)
      // The closure has returned paths for this record before.
      let expected = (try? ledger.expectedPaths(record))?.first ?? record.path
      DownloadServiceLog.cleared(expected.map(url(of:)) ?? record.storedText)
    }
  }

  private func isThere(_ text: String) -> Bool {
    guard let place = PathDialect.place(of: text) else { return false }
    // A path that cannot be examined is not one to log as found.
    return (try? SystemCalls.status(of: place.text)) != nil
  }

  private func url(of path: RelocatablePath) -> String {
    // Its folder was examined before.
    (try? ledger.container.url(for: path))?.absoluteString ?? path.description
  }

  /// Adds the repair to the history, if it has found something.
  private func noteHistory(_ report: RepairReport) throws {
    let changes =
      report.rewritten + report.repaired + report.restored + report.cleared + report.unknown
    guard changes > 0 else { return }
    try run.write { db in
      let source = try self.ledger.adopted(db).source
      let id = try SideTable.insertRun(source, phase: SideTable.finishedPhase, db)
      try SideTable.addToRun(
        id, report, since: RepairReport(), time: report.duration,
        phase: SideTable.finishedPhase, db)
    }
  }
}
