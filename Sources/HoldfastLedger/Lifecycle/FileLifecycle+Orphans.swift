import Foundation
import Holdfast
public import HoldfastFiles

extension FileLifecycle {
  /// Lists the files in some folders that belong to no record.
  ///
  /// A file is no orphan while a move of it is stored, while it is a database or lies next to one,
  /// and while this process has it open. Letter case and Unicode normalization do not matter, on any volume: a file
  /// that a record may mean is the record's. A cleared record has its file if it is at the record's
  /// path again; a record whose path cannot be read may have any file of its name. Nothing is deleted.
  ///
  /// - Parameters:
  ///   - folders: The folders, which are searched with everything in them.
  ///   - excluded: Files and folders that are left out, and those whose paths differ from theirs in letter case or
  ///     Unicode normalization only.
  ///   - others: The ledgers of the other tables of the database, and of other databases, whose
  ///     records may have the files.
  /// - Returns: The orphans, and what could not be judged.
  /// - Throws: ``LedgerError`` with `.unknownTables` when the database has an adopted table whose
  ///   ledger was not passed, with `.notAdopted`, `.unsuitableTable`; `DatabaseError`;
  ///   `CancellationError`.
  public func orphans(
    under folders: [RelocatablePath], excluding excluded: Set<RelocatablePath> = [],
    others: [FileLedger] = []
  ) async throws -> OrphanReport {
    let ledger = ledger
    return try await BlockingWork.utility.run { isCancelled in
      try Self.refuseUnknownTables([ledger] + others)
      var walk = OrphanWalk(ledger.container, excluding: excluded)
      var files: [OrphanWalk.File] = []
      var unread: [OrphanReport.Skipped] = []
      // The first ledger has most files, so that few are kept for the others.
      try Self.withOwners(ledger, &unread) { removeOwned in
        for folder in folders {
          try walk.walk(folder) { walk in
            if isCancelled() { throw CancellationError() }
            if walk.files.count >= 500 { files += try removeOwned(walk.takeFiles()) }
          }
        }
        files += try removeOwned(walk.takeFiles())
      }
      for other in others {
        try Self.withOwners(other, &unread) { removeOwned in files = try removeOwned(files) }
      }
      var report = try Self.report(files, walk, [ledger] + others)
      report.skipped += unread
      return report
    }
  }

  /// Deletes an orphan that the user has chosen.
  ///
  /// Immediately before, it is checked again: the file is the one that was listed, unchanged, and no
  /// record or stored move has it. No record can be written in the ledger's database between the
  /// check and the deletion.
  ///
  /// - Parameters:
  ///   - orphan: The orphan.
  ///   - others: The same ledgers as for the list.
  /// - Throws: ``LedgerError`` with `.changed` when it is no orphan by now, with `.unknownTables`,
  ///   `.notAdopted`, `.unsuitableTable`; `FileError` when the system refuses; `DatabaseError`.
  public func delete(_ orphan: Orphan, others: [FileLedger] = []) async throws {
    let ledger = ledger
    try await BlockingWork.utility.run {
      try Self.refuseUnknownTables([ledger] + others)
      let place = try FilePath(of: ledger.container.url(for: orphan.path))
      for other in others where other.writer !== ledger.writer {
        try other.writer.writeWithoutTransaction { db in try Self.refuseOwned(orphan, other, db) }
      }
      try ledger.writer.write { db in
        for candidate in [ledger] + others where candidate.writer === ledger.writer {
          try Self.refuseOwned(orphan, candidate, db)
        }
        guard try Self.isUnchanged(orphan, at: place) else {
          throw LedgerError.changed(orphan.path, because: "it was changed or is gone")
        }
        if let reason = OrphanWalk.refusal(ofContent: place) {
          throw LedgerError.changed(orphan.path, because: "it is \(reason)")
        }
        try FileRemoval.remove(place)
      }
    }
  }

  /// Gives orphans back to the records of this ledger that have lost them.
  ///
  /// A record gets an orphan of its recorded length and digest when it was cleared, or when its own
  /// file is proven to be absent. A name alone proves nothing.
  ///
  /// - Parameter orphans: The orphans.
  /// - Returns: Those that were given back.
  /// - Throws: ``LedgerError`` with `.notAdopted`, `.unsuitableTable`, `.unwritablePath`;
  ///   `DatabaseError`; `CancellationError`.
  public func associate(_ orphans: [Orphan]) async throws -> [RecoveredOrphan] {
    let ledger = ledger
    return try await BlockingWork.utility.run { isCancelled in
      var recovered: [RecoveredOrphan] = []
      for orphan in orphans {
        if isCancelled() { throw CancellationError() }
        if let id = try Self.associate(orphan, ledger) {
          recovered.append(RecoveredOrphan(id: id, path: orphan.path))
        }
      }
      return recovered
    }
  }

  // MARK: - Listing

  private static func refuseUnknownTables(_ ledgers: [FileLedger]) throws {
    for ledger in ledgers {
      try ledger.writer.read { db in
        _ = try ledger.adopted(db)
        let known = ledgers.filter { $0.writer === ledger.writer }
          .map { DatabaseIdentifier($0.table.name) }
        let unknown = try String.fetchAll(db, sql: "SELECT name FROM main.holdfast_ledger_tables")
          // A table that was dropped has no records.
          .filter { try !known.contains(DatabaseIdentifier($0)) && db.tableExists($0, in: "main") }
        if !unknown.isEmpty { throw LedgerError.otherTables(unknown.sorted()) }
      }
    }
  }

  /// Calls a closure with a function that removes the files that a ledger's records have or may
  /// have.
  private static func withOwners(
    _ ledger: FileLedger, _ unread: inout [OrphanReport.Skipped],
    _ body: (_ removeOwned: ([OrphanWalk.File]) throws -> [OrphanWalk.File]) throws -> Void
  ) throws {
    var owners: FileOwners?
    defer {
      // A connection that is closed by now has no temporary tables left.
      try? ledger.writer.writeWithoutTransaction { db in try owners?.drop(db) }
    }
    try body { files in
      var rest: [OrphanWalk.File] = []
      try ledger.writer.writeWithoutTransaction { db in
        var present =
          try owners ?? FileOwners(LedgerRows(ledger, db), includesCleared: true)
        try present.beginAccess(db)
        for file in files where try !present.owns(file.candidate, except: .null, db) {
          if try present.mayOwn(file.candidate, db) {
            unread.append(OrphanReport.Skipped(path: file.path, reason: .unreadableRecord))
          } else {
            rest.append(file)
          }
        }
        owners = present
      }
      return rest
    }
  }

  private static func report(
    _ files: [OrphanWalk.File], _ walk: OrphanWalk, _ ledgers: [FileLedger]
  ) throws -> OrphanReport {
    let intents = try ledgers.flatMap { ledger in
      try ledger.writer.read { db in try MoveIntent.fetchAll(ledger.adopted(db).source, db) }
    }
    let moving = FoldedPaths(intents.flatMap { [$0.origin, $0.destination] })
    var report = OrphanReport(skipped: walk.skipped)
    for file in files {
      let reason = moving.contains(file.path) ? .unfinished : walk.refusal(of: file)
      if let reason {
        report.skipped.append(OrphanReport.Skipped(path: file.path, reason: reason))
        continue
      }
      report.orphans.append(
        Orphan(
          path: file.path, url: file.place.url, byteCount: file.candidate.status.byteCount,
          itemFolder: file.itemFolder, status: file.candidate.status))
    }
    report.orphans.sort {
      $0.path.description.utf8.lexicographicallyPrecedes($1.path.description.utf8)
    }
    return report
  }

  // MARK: - Deleting

  private static func refuseOwned(
    _ orphan: Orphan, _ ledger: FileLedger, except locator: DatabaseValue = .null,
    includesCleared: Bool = true, _ db: Database
  ) throws {
    var owners = FileOwners(try LedgerRows(ledger, db), includesCleared: includesCleared)
    let candidate = FileFinder.Candidate(
      found: RepairDecision.Found(path: orphan.path, step: .identity), status: orphan.status)
    let isOwned = try owners.owns(candidate, except: locator, db)
    let mayBeOwned = try owners.mayOwn(candidate, db)
    try owners.drop(db)
    if isOwned {
      throw LedgerError.changed(
        orphan.path, because: "a record of the table '\(ledger.table.name)' has it")
    }
    if mayBeOwned {
      throw LedgerError.changed(
        orphan.path,
        because: "a record of the table '\(ledger.table.name)' has a path of this name that cannot "
          + "be read")
    }
    let intents = try MoveIntent.fetchAll(ledger.adopted(db).source, db)
    if FoldedPaths(intents.flatMap { [$0.origin, $0.destination] }).contains(orphan.path) {
      throw LedgerError.changed(orphan.path, because: "it is being moved")
    }
  }

  private static func isUnchanged(_ orphan: Orphan, at place: FilePath) throws -> Bool {
    do throws(Errno) {
      let status = try SystemCalls.linkStatus(of: place.text)
      return status.kind == .regular && status.isSameFile(as: orphan.status)
        && status.byteCount == orphan.status.byteCount
        && status.modified == orphan.status.modified
    } catch {
      if error == .notFound || error == .notDirectory { return false }
      throw FileError.couldNotRead(place, error)
    }
  }

  // MARK: - Recovering

  private static func associate(_ orphan: Orphan, _ ledger: FileLedger) throws -> RecordID? {
    var found: [LedgerRows.Found] = []
    try ledger.writer.read { db in
      let rows = try LedgerRows(ledger, db)
      let source = try ledger.adopted(db).source
      let keys = try DatabaseValue.fetchAll(
        db,
        sql: """
          SELECT key FROM main.holdfast_ledger_files
          WHERE source = ? AND byte_count = ? AND sha256 IS NOT NULL
          """, arguments: [source, orphan.byteCount])
      found = try keys.compactMap { try rows.found(rows.id($0, db), db) }
    }
    let survey = FolderSurvey(ledger.container)
    let lost = found.filter { found in
      switch found.record.state {
      case .cleared: return true
      case .withdrawn: return false
      case .recorded: return found.record.path.map { survey.answer($0).presence } == .absent
      }
    }
    // A path that leads out of its root by now is not examined.
    guard !lost.isEmpty, let place = try? FilePath(of: ledger.container.url(for: orphan.path)),
      try isUnchanged(orphan, at: place),
      case .digest(let digest) = IdentityReader.digest(of: place)
    else { return nil }
    let matches = lost.filter { $0.record.digest == digest }
    let named = matches.first { match in
      match.record.path?.lastComponent.map(ExactText.init) == ExactText(orphan.name)
    }
    guard let match = named ?? matches.first else { return nil }
    var isRecorded = false
    try ledger.writer.write { db in
      // Both were examined outside of this transaction.
      guard let present = try LedgerRows(ledger, db).found(match.record.id, db),
        present.record == match.record
      else { return }
      do {
        // Its own path, if the record was cleared.
        try refuseOwned(
          orphan, ledger, except: present.target.locator, includesCleared: false, db)
      } catch let error as LedgerError where error.code == .changed {
        // Another record has it by now; the other orphans do not depend on it.
        return
      }
      try ledger.record(db, match.record.id, at: orphan.path, digest: digest)
      isRecorded = true
    }
    return isRecorded ? match.record.id : nil
  }
}

/// The durable removal of one file.
enum FileRemoval {
  static func remove(_ place: FilePath) throws {
    do throws(Errno) {
      try SystemCalls.remove(place.text)
    } catch {
      throw FileError.couldNotRemove(place, error)
    }
    // After a power loss the file may be back, and is listed again.
    try? SystemCalls.syncDirectory(place.directory.text)
  }
}
