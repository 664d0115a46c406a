public import Foundation
import Holdfast
public import HoldfastFiles

extension FileLifecycle {
  /// Moves a record's file to the same path in another root.
  ///
  /// The move is stored in the database first. A crash at any moment leaves the record with its file,
  /// or the file with its stored move, which ``recoverMoves()`` ends. A suspension of the database
  /// releases the lock of the move, which begins again after the resume.
  ///
  /// - Parameters:
  ///   - id: The identifier.
  ///   - root: The root.
  /// - Returns: The move; `nil` when the file is in that root already.
  /// - Throws: ``LedgerError`` with `.notAdopted`, `.unsuitableTable`, `.noRecord`, `.noFile`,
  ///   `.unwritablePath`, `.occupied` when something exists at the new path, `.noSpace`, `.changed`
  ///   when the record got another path meanwhile; `FileError` with `.database` for a database,
  ///   with `.busy` when another process moves files for a minute, and as the system refuses;
  ///   `DatabaseError`. After each of these, the record has its file, or, after a suspension of the
  ///   database, its stored move.
  @discardableResult
  public func move(_ id: RecordID, to root: StorageRoot) async throws -> MovedFile? {
    let mover = FileMover(ledger: ledger, policy: policy)
    return try await BlockingWork.utility.run { try mover.move(id, to: root) }
  }

  /// Ends the moves that were interrupted; call it at launch.
  ///
  /// A move of another process that is under way is waited for.
  ///
  /// - Returns: Each move, and what became of it.
  /// - Throws: ``LedgerError`` with `.notAdopted`, `.unsuitableTable`; `FileError` with `.busy`;
  ///   `DatabaseError`.
  @discardableResult
  public func recoverMoves() async throws -> [RecoveredMove] {
    let mover = FileMover(ledger: ledger, policy: policy)
    return try await BlockingWork.utility.run { try mover.recover() }
  }

  /// Moves a record's file to the documents before it is used, and returns where it is.
  ///
  /// Where the documents have no space, the file is used in the caches, and the result says why.
  ///
  /// - Parameter id: The identifier.
  /// - Returns: Where the file is now, and whether it was moved.
  /// - Throws: ``LedgerError`` with `.noRecord`, `.noFile`, `.notAdopted`, `.unsuitableTable`;
  ///   `FileError`; `DatabaseError`.
  public func prepareForUse(_ id: RecordID) async throws -> PreparedFile {
    let (ledger, mover) = (ledger, FileMover(ledger: ledger, policy: policy))
    return try await BlockingWork.userInitiated.run {
      var moved: MovedFile?
      var problem: String?
      func record() throws -> LedgerRecord? {
        try ledger.writer.read { db in try ledger.record(db, id) }
      }
      if try record()?.path?.root == .caches {
        do {
          moved = try mover.move(id, to: .documents)
        } catch let error as LedgerError where error.code != .noFile && error.code != .noRecord {
          problem = error.message
        } catch let error as FileError {
          problem = error.message
        } catch let error as DatabaseError
          where error.resultCode.primaryResultCode == .SQLITE_CONSTRAINT
        {
          // The table refuses the new path; the file is as good at the old one.
          problem = error.message ?? "\(error.resultCode)"
        }
      }
      guard let record = try record() else {
        throw LedgerError.noRecord(id, in: ledger.table.name)
      }
      guard let path = record.path, record.state == .recorded,
        FolderSurvey(ledger.container).answer(path).presence != .absent
      else { throw LedgerError.noFile(id, in: ledger.table.name) }
      return PreparedFile(
        url: try ledger.container.url(for: path), moved: moved, problem: problem)
    }
  }

  /// Moves files by the rules of ``policy``.
  ///
  /// - Parameters:
  ///   - budget: The time after which no further file is moved; unlimited by default.
  ///   - now: The current time.
  ///   - active: The records whose files are in use, which stay where they are.
  /// - Returns: A report of the files that were moved, and of those that could not be.
  /// - Throws: ``LedgerError`` with `.notAdopted`, `.unsuitableTable`; `DatabaseError`;
  ///   `CancellationError`.
  public func apply(
    budget: Duration? = nil, at now: Date = Date(), excluding active: Set<RecordID> = []
  ) async throws -> LifecycleReport {
    let (ledger, policy) = (ledger, policy)
    let deadline = budget.map { ContinuousClock.now + $0 }
    return try await BlockingWork.utility.run { isCancelled in
      let mover = FileMover(ledger: ledger, policy: policy)
      var report = LifecycleReport()
      for (id, root) in try Self.moves(ledger, policy, now) where !active.contains(id) {
        if isCancelled() { throw CancellationError() }
        if let deadline, ContinuousClock.now >= deadline {
          report.isComplete = false
          break
        }
        do {
          if let moved = try mover.move(id, to: root) { report.moved.append(moved) }
        } catch let error as DatabaseError
          where error.resultCode.primaryResultCode != .SQLITE_CONSTRAINT
        {
          throw error
        } catch {
          // A constraint or a trigger of the app's table refuses one row, not the others.
          report.refused.append(LifecycleReport.Refusal(id: id, problem: "\(error)"))
        }
      }
      return report
    }
  }

  /// The files that should move, from the records that were accessed or pinned.
  private static func moves(
    _ ledger: FileLedger, _ policy: LifecyclePolicy, _ now: Date
  ) throws -> [(RecordID, StorageRoot)] {
    var moves: [(RecordID, StorageRoot)] = []
    try ledger.writer.read { db in
      let uses = try FileUses(ledger, db)
      let layout = uses.rows.layout
      let isUsed =
        [
          layout.lastAccess.map { "\(layout.column($0)) IS NOT NULL" },
          try LifecycleTables.exist(db) ? "holdfast_use.key IS NOT NULL" : nil,
        ].compactMap(\.self).joined(separator: " OR ")
      guard !isUsed.isEmpty else { return }
      let cursor = try Row.fetchCursor(
        db,
        sql: try uses.selection(db)
          + " WHERE (\(isUsed)) AND \(layout.isRecorded) AND \(layout.hasIdentifier)")
      while let row = try cursor.next() {
        let entry = try uses.entry(row)
        guard entry.found.record.state == .recorded, let use = entry.use,
          let root = policy.move(for: use, at: now)
        else { continue }
        moves.append((entry.found.record.id, root))
      }
    }
    return moves
  }
}
