import Foundation
import Holdfast
import HoldfastFiles

/// The second and third phase of a repair: the files that are not at their stored paths are looked
/// for at other paths, and by their content.
final class FindingPhase {
  private let run: RepairRun
  private let progress: RepairProgress
  private let ledger: FileLedger

  /// Smaller than in the first phase, because each of these records may need the status of several
  /// files.
  private var chunk: Int { min(max(ledger.recordsPerTransaction, 1), 500) }

  /// The number of records of one content that may get a file.
  private static let matchLimit = 100

  init(_ run: RepairRun, _ progress: RepairProgress) {
    self.run = run
    self.progress = progress
    ledger = run.ledger
  }

  func execute() throws {
    guard try settleMissing(searched: nil), try !run.isOver() else { return }
    guard try search() else { return }
    let isProven = !progress.isDoubtful
    run.survey.forget()
    guard try settleMissing(searched: isProven) else { return }
    progress.phase = .done
    do {
      try run.write { db in try progress.complete(db) }
    } catch {
      progress.phase = .finding
      throw error
    }
  }

  /// Searches the roots for the files that are still sought.
  ///
  /// Files may have moved since an earlier run into folders that it has passed. These are searched
  /// again; without time for that no absence is proven, so that the repair ends nevertheless.
  ///
  /// - Returns: Whether the search has ended; false when the budget is used up.
  private func search() throws -> Bool {
    let passed = progress.searchedPath
    let sizes = try soughtSizes()
    if sizes.isEmpty { return true }
    let roots = try searchedRoots()
    let outcome = try IdentitySearch.find(sizes, in: roots, after: passed, run) {
      try self.associate($0, movesPosition: true)
    }
    if outcome == .interrupted { return false }
    if outcome == .incomplete { progress.isDoubtful = true }
    guard let passed, !progress.isDoubtful else { return true }
    let left = try soughtSizes()
    if left.isEmpty { return true }
    let again = try IdentitySearch.find(left, in: roots, upTo: passed, run) {
      try self.associate($0, movesPosition: false)
    }
    if again == .complete { return true }
    progress.isDoubtful = true
    try write { db, _ in try progress.store(db) }
    return again == .incomplete
  }

  private func searchedRoots() throws -> [StorageRoot] {
    var roots: [StorageRoot] = []
    try run.access { db in
      let layout = try TableLayout(ledger.table, db)
      roots = FileFinder(run, hasLocation: layout.location != nil).roots
    }
    return roots
  }

  private func soughtSizes() throws -> Set<Int64> {
    var sizes: Set<Int64> = []
    try run.access { db in
      sizes = Set(
        try Int64.fetchAll(
          db,
          sql: """
            SELECT DISTINCT byte_count FROM \(progress.missing)
            WHERE source = ? AND byte_count IS NOT NULL
            """, arguments: [progress.source]))
    }
    return sizes
  }

  // MARK: - Noted records

  /// A noted record, as it was read for its examination.
  private struct Noted {
    var key: DatabaseValue
    var record: LedgerRecord
    var target: RecordWriter.Target
    /// The length and the digest that the search by identity looks for; `nil` before it.
    var sought: FileDigest?
  }

  /// Examines the noted records chunk by chunk.
  ///
  /// - Parameter isProven: `nil` before the search by identity; then whether it has seen all files.
  /// - Returns: Whether all of them were examined.
  /// - Throws: ``LedgerError``; `DatabaseError`; `CancellationError`.
  private func settleMissing(searched isProven: Bool?) throws -> Bool {
    var position: Int64 = 0
    while try !run.isOver() {
      var noted: [Noted] = []
      var dropped: [DatabaseValue] = []
      var hasLocation = false
      var count = 0
      try run.access { db in
        let rows = try LedgerRows(ledger, db)
        hasLocation = rows.layout.location != nil
        let found = try Row.fetchAll(
          db,
          sql: """
            SELECT id, key, byte_count, sha256 FROM \(progress.missing)
            WHERE source = ? AND id > ? AND (? OR byte_count IS NULL) ORDER BY id LIMIT \(chunk)
            """, arguments: [progress.source, position, isProven != nil])
        count = found.count
        for row in found {
          position = row[0]
          guard let examined = try rows.examined(rows.id(row[1], db), db),
            examined.record.state != .withdrawn, !examined.record.standsForNoFile
          else {
            dropped.append(row[1])
            continue
          }
          noted.append(
            Noted(
              key: row[1], record: examined.record, target: examined.target,
              sought: LedgerRows.digest(row[2], row[3])))
        }
      }
      if count == 0 { return true }
      let results = try examine(noted, FileFinder(run, hasLocation: hasLocation))
      try write { db, owners in
        for key in dropped { try self.removeMissing(key, db) }
        for (entry, result) in zip(noted, results) {
          try self.settle(entry, result, searched: isProven, &owners, db)
        }
        try progress.store(db)
      }
      run.noteProgress()
      // What was examined was outside of the transaction that wrote it; the next chunk looks again.
      run.survey.forget()
      if results.count < noted.count { return false }
      if count < chunk { return true }
    }
    return false
  }

  /// Looks for the files of some records, until the budget is used up.
  private func examine(
    _ noted: [Noted], _ finder: FileFinder
  ) throws -> [FileFinder.Result] {
    var results: [FileFinder.Result] = []
    for entry in noted {
      if try run.isOver() { break }
      let result = finder.find(entry.record)
      // The reading of a file may have been cut short.
      if try run.isOver() { break }
      results.append(result)
      run.noteProgress()
    }
    return results
  }

  private func settle(
    _ noted: Noted, _ result: FileFinder.Result, searched isProven: Bool?,
    _ owners: inout FileOwners, _ db: Database
  ) throws {
    let key = noted.key
    var examined = RepairRun.Examined(record: noted.record, target: noted.target, result: result)
    let evidence = examined.result.evidence
    let isMissing =
      evidence.stored == .absent || evidence.isOtherFile && evidence.isCleared
      || examined.record.path == nil
    if isMissing, let digest = examined.record.digest {
      let hasCandidate = try examined.result.candidates.contains {
        try !owners.owns($0, except: examined.target.locator, db)
      }
      if !hasCandidate {
        guard let isProven else {
          return try db.execute(
            sql: """
              UPDATE \(progress.missing) SET byte_count = ?, sha256 = ?
              WHERE source = ? AND key = ?
              """,
            arguments: [
              digest.byteCount, Data(digest.sha256.bytes), progress.source, key,
            ])
        }
        // The app may have recorded another digest since.
        if !isProven || digest != noted.sought {
          examined.result.evidence.isDoubtful = true
          examined.result.problem =
            examined.result.problem
            ?? "some folders and files could not be searched, or not without an interruption"
        }
      }
    }
    examined.result.evidence.needsRewriting =
      ledger.dialect.form(of: examined.record.storedText) == .absolute
    if let item = try run.settle(examined, &owners, db), item.action != .none || item.problem != nil
    {
      run.add(item)
    }
    try removeMissing(key, db)
  }

  private func removeMissing(_ key: DatabaseValue, _ db: Database) throws {
    try db.execute(
      sql: "DELETE FROM \(progress.missing) WHERE source = ? AND key = ?",
      arguments: [progress.source, key])
  }

  /// Writes in a transaction with the index of the files' owners.
  private func write(_ body: (Database, inout FileOwners) throws -> Void) throws {
    func change(_ db: Database) throws {
      var owners = try progress.owners ?? FileOwners(LedgerRows(self.ledger, db))
      defer { progress.owners = owners }
      try owners.beginAccess(db)
      try body(db, &owners)
      try owners.refreshStamp(db)
    }
    do {
      try run.write(change)
    } catch {
      // A rollback has undone what the index reflects.
      progress.owners?.invalidate()
      throw error
    }
  }

  // MARK: - Files of a sought length

  /// Gives files that were found by their length to the records with their digests.
  ///
  /// - Parameters:
  ///   - delivery: The files.
  ///   - movesPosition: Whether it is stored how far the search has got.
  /// - Returns: Whether all of them were read; false when the budget is used up.
  /// - Throws: ``LedgerError``; `DatabaseError`; `CancellationError`.
  private func associate(
    _ delivery: IdentitySearch.Delivery, movesPosition: Bool
  ) throws -> Bool {
    var free: [FileFinder.Candidate] = []
    try write { db, owners in
      for file in delivery.files where try !owners.owns(file, except: .null, db) {
        free.append(file)
      }
    }
    var identities: [FileIdentity] = []
    for file in free {
      if try run.isOver() { break }
      let identity = FileIdentity.read(
        file.found.path, in: ledger.container, until: { run.isStopped })
      if try run.isOver() { break }
      identities.append(identity)
    }
    let isFinished = identities.count == free.count
    let isProgress = !delivery.files.isEmpty || delivery.position != progress.searchedPath
    try write { db, owners in
      for (file, identity) in zip(free, identities) {
        switch identity {
        case .digest(let digest): try self.associate(file, digest, &owners, db)
        case .unreadable: progress.isDoubtful = true
        }
      }
      if isFinished, movesPosition { progress.searchedPath = delivery.position }
      if !delivery.isComplete { progress.isDoubtful = true }
      try progress.store(db)
    }
    // The end of a search that had come to its end before leaves time for what follows.
    if isProgress { run.noteProgress() }
    return isFinished
  }

  private func associate(
    _ file: FileFinder.Candidate, _ digest: FileDigest, _ owners: inout FileOwners, _ db: Database
  ) throws {
    let rows = owners.rows
    let keys = try DatabaseValue.fetchAll(
      db,
      sql: """
        SELECT key FROM \(progress.missing)
        WHERE source = ? AND byte_count = ? AND sha256 = ? ORDER BY id LIMIT \(Self.matchLimit)
        """, arguments: [progress.source, digest.byteCount, Data(digest.sha256.bytes)])
    var matches: [Noted] = []
    for key in keys {
      guard let (record, target) = try rows.examined(rows.id(key, db), db),
        record.digest == digest, record.state != .withdrawn, !record.standsForNoFile
      else { continue }
      matches.append(Noted(key: key, record: record, target: target))
      // Of several records with this content, the one with the file's name comes first.
      if record.path?.lastComponent.map(ExactText.init)
        == file.found.path.lastComponent.map(ExactText.init)
      {
        matches.swapAt(0, matches.count - 1)
        break
      }
    }
    guard let match = matches.first,
      try !owners.owns(file, except: match.target.locator, db)
    else { return }
    var evidence = RepairDecision.Evidence(stored: .absent)
    evidence.isCleared = match.record.state == .cleared
    // Another file may be at the path of a record that was cleared.
    evidence.isOtherFile = evidence.isCleared
    if evidence.isOtherFile { evidence.stored = .present }
    let examined = RepairRun.Examined(
      record: match.record, target: match.target,
      result: FileFinder.Result(evidence: evidence, candidates: [file]))
    if let item = try run.settle(examined, &owners, db), item.action != .none || item.problem != nil
    {
      run.add(item)
      try removeMissing(match.key, db)
    }
  }
}
