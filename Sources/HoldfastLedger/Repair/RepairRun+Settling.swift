import Holdfast
import HoldfastFiles

extension RepairRun {
  /// A record whose file is not where it says, as it was examined.
  struct Examined {
    var record: LedgerRecord
    var target: RecordWriter.Target
    var result: FileFinder.Result
  }

  /// Decides about a record, and writes the decision.
  ///
  /// - Returns: The item of the report; `nil` when the row or its file has changed meanwhile, or
  ///   when a stored move decides about it.
  func settle(
    _ examined: Examined, _ owners: inout FileOwners, _ db: Database
  ) throws -> RepairReport.Item? {
    let rows = owners.rows
    if try rows.isMoving(examined.target.locator, db) { return nil }
    let writer = try recordWriter(rows)
    guard try forgetTombstone(ofRecorded: examined, writer, db),
      let evidence = try evidence(about: examined, &owners, db)
    else { return nil }
    let change = RepairChange(
      RepairDecision(evidence), from: evidence, of: examined.record,
      problem: examined.result.problem, in: ledger.dialect,
      hasLocation: rows.layout.location != nil)
    return try write(change, to: examined.target, writer, &owners, db)
  }

  /// Removes the note that a record was cleared, if the app has recorded it again.
  ///
  /// - Returns: False when the row has changed: another repair may have cleared it, and its note stays.
  private func forgetTombstone(
    ofRecorded examined: Examined, _ writer: RecordWriter, _ db: Database
  ) throws -> Bool {
    guard examined.record.hasTombstone, examined.record.state == .recorded else { return true }
    guard try writer.isUnchanged(examined.target, db) else { return false }
    try writer.removeTombstone(of: examined.target, db)
    return true
  }

  /// Returns the evidence about a record's file as it is now; `nil` if the next repair has to examine it.
  private func evidence(
    about examined: Examined, _ owners: inout FileOwners, _ db: Database
  ) throws -> RepairDecision.Evidence? {
    let record = examined.record
    var evidence = examined.result.evidence
    for candidate in examined.result.candidates
    where try !owners.owns(candidate, except: examined.target.locator, db) {
      evidence.found = candidate.found
      break
    }
    if evidence.stored == .absent, let path = record.path {
      // Its file may have come back since it was looked for.
      switch answer(path) {
      case .absent: break
      case .unknown: return nil
      case .present(let status):
        // Another length is examined by the next repair, and so is what a tombstone remembers.
        if let digest = record.digest,
          evidence.isCleared || status?.byteCount != digest.byteCount
        {
          return nil
        }
        evidence.stored = .present
        evidence.found = nil
      }
    }
    if RepairDecision(evidence) == .restore {
      guard let path = record.path, case .present(let status?) = answer(path) else { return nil }
      let candidate = FileFinder.Candidate(
        found: RepairDecision.Found(path: path, step: .expectedPath), status: status)
      evidence.isOwnedByAnother = try owners.owns(
        candidate, except: examined.target.locator, db)
    }
    return evidence
  }

  /// Whether a file is there now, whatever was read before.
  private func answer(_ path: RelocatablePath) -> FolderSurvey.Answer {
    FolderSurvey(ledger.container).answer(path)
  }

  /// Writes a change.
  ///
  /// - Returns: The item of the report; `nil` when the row has changed meanwhile.
  private func write(
    _ change: RepairChange, to target: RecordWriter.Target, _ writer: RecordWriter,
    _ owners: inout FileOwners, _ db: Database
  ) throws -> RepairReport.Item? {
    var item = change.item
    if change.isRefused { self.change { $0.refused += 1 } }
    let outcome: RecordWriter.Outcome =
      switch change.update {
      case .none: .done
      case .path(let written, let state): try writer.write(written, state: state, to: target, db)
      case .recorded: try writer.setState(true, of: target, db)
      case .cleared(let path, let written): try writer.clear(target, of: path, as: written, db)
      }
    switch outcome {
    case .overtaken: return nil
    case .refused(let reason):
      item.action = .none
      item.to = nil
      item.location = nil
      item.problem = "the table refused the change: \(reason)"
      self.change { $0.refused += 1 }
      return item
    case .done: break
    }
    if let path = change.owned {
      try owners.note(path, of: target.locator, db)
      if change.movesDigest {
        try writer.noteDigest(at: path, of: target, db)
        // A file in the documents would be backed up from now on.
        if !isDryRun, path.root == .documents {
          item.backupExclusion = BackupExclusion(covering: path, in: ledger.container)
        }
      }
    }
    if change.removesTombstone { try writer.removeTombstone(of: target, db) }
    return item
  }
}
