import Holdfast
import HoldfastFiles

extension FileLedger {
  // MARK: - The whole table

  /// Examines all records, and finds the files that moved.
  ///
  /// A file is looked for at its stored path, at the app's expected paths, at the same path in each
  /// root that the dialect can name, and, where its digest is recorded, among all files under these
  /// roots. A record is cleared when its file is proven to be absent; cleared records are examined
  /// again.
  ///
  /// Changes are written in chunks, each in one transaction. A repair that was interrupted, by its
  /// budget, a cancellation or the end of the process, continues where it was. A second repair of
  /// the table waits for the one that runs in this process, and takes over one of another process.
  /// The folders that an interrupted search has passed are searched again before a record is
  /// cleared; without time for that, its file is unknown and another repair is due.
  ///
  /// - Parameters:
  ///   - budget: The time after which no further chunk begins; unlimited by default. One chunk is
  ///     always examined.
  ///   - dryRun: Whether everything is taken back at the end, so that nothing is written; the table need
  ///     not be adopted then. The whole repair is one write, for which other writes wait.
  ///   - onItem: Receives each item of the report, also those beyond its limit, on another thread
  ///     and before its transaction is committed.
  /// - Returns: A report of what was found and changed.
  /// - Throws: ``LedgerError`` with `.notAdopted`, in a dry run with the codes of ``adopt()``;
  ///   with `.unsuitableTable`, with `.repairRunning` when
  ///   the budget ends while another repair of the table runs, or when another process has taken it
  ///   over; `DatabaseError`; `CancellationError`, after which a later repair continues.
  public func repairAll(
    budget: Duration? = nil, dryRun: Bool = false,
    onItem: @escaping @Sendable (RepairReport.Item) -> Void = { _ in }
  ) async throws -> RepairReport {
    let ledger = self
    return try await BlockingWork.utility.run { isCancelled in
      try BatchRepair(
        RepairRun(
          ledger, budget: budget, isDryRun: dryRun, isCancelled: isCancelled, onItem: onItem)
      ).execute()
    }
  }

  /// Examines all records on the caller's thread, which blocks meanwhile, as the awaited form does.
  @available(
    *, noasync,
    message:
      "Write `try await repairAll(…)`, which blocks no thread; at the top level of main.swift, in a function."
  )
  public func repairAll(
    budget: Duration? = nil, dryRun: Bool = false,
    onItem: @escaping (RepairReport.Item) -> Void = { _ in }
  ) throws -> RepairReport {
    try BatchRepair(
      RepairRun(self, budget: budget, isDryRun: dryRun, isCancelled: { false }, onItem: onItem)
    ).execute()
  }

  /// Makes a dry run in a copy of the database, which has the changes afterwards.
  ///
  /// So the dry run of another table sees them, as its repair does.
  ///
  /// - Parameter onItem: Receives each item of the report.
  /// - Returns: A report of what was found and changed.
  /// - Throws: The errors of a repair.
  package func rehearseRepairInCopy(
    onItem: @escaping (RepairReport.Item) -> Void
  ) throws -> RepairReport {
    try BatchRepair(
      RepairRun(self, isDryRun: true, isCopy: true, isCancelled: { false }, onItem: onItem)
    ).execute()
  }

  // MARK: - Single records

  /// Examines one record, and finds its file if it moved.
  ///
  /// - Parameters:
  ///   - id: The identifier.
  ///   - dryRun: Whether everything is taken back at the end, so that nothing is written.
  /// - Returns: A report of what was found and changed.
  /// - Throws: ``LedgerError`` with `.noRecord`, `.notAdopted`, `.unsuitableTable`;
  ///   `DatabaseError`; `CancellationError`.
  public func repair(_ id: RecordID, dryRun: Bool = false) async throws -> RepairReport {
    try await repair([id], dryRun: dryRun)
  }

  /// Examines several records, and finds the files that moved.
  ///
  /// - Parameters:
  ///   - ids: The identifiers.
  ///   - item: The name of the item that the files belong to, for the log; `nil` logs nothing.
  ///   - dryRun: Whether everything is taken back at the end, so that nothing is written.
  /// - Returns: A report of what was found and changed.
  /// - Throws: ``LedgerError`` with `.noRecord`, `.notAdopted`, `.unsuitableTable`;
  ///   `DatabaseError`; `CancellationError`. Records before the failing one are repaired.
  public func repair(
    _ ids: [RecordID], of item: String? = nil, dryRun: Bool = false
  ) async throws -> RepairReport {
    let ledger = self
    return try await BlockingWork.utility.run { isCancelled in
      try ItemRepair(
        RepairRun(ledger, isDryRun: dryRun, isCancelled: isCancelled), item: item
      ).execute(ids)
    }
  }

  /// Repairs the files of an item when its screen opens, and writes the lines of the log.
  ///
  /// It never throws: a repair that fails has repaired the records before the failing one. Use
  /// ``repair(_:of:dryRun:)`` to learn why.
  ///
  /// - Parameters:
  ///   - item: The name of the item, such as its identifier.
  ///   - ids: The records of its files.
  /// - Returns: The number of records that have another path now, or were restored; the log's last
  ///   line has the same number.
  @discardableResult
  public func repairDownloadStatus(of item: String, _ ids: [RecordID]) async -> Int {
    let ledger = self
    do {
      return try await BlockingWork.utility.run { isCancelled in
        let repair = ItemRepair(
          RepairRun(ledger, isDryRun: false, isCancelled: isCancelled), item: item)
        do {
          _ = try repair.execute(ids)
        } catch {
          // The records before the failing one are repaired.
          Log.report(.error, .ledger, "The repair of '\(item)' failed: \(Log.kind(of: error)).")
        }
        return repair.count
      }
    } catch {
      Log.report(.error, .ledger, "The repair of '\(item)' failed: \(Log.kind(of: error)).")
      return 0
    }
  }

  /// Returns whether the file of a record is at its stored path; nothing else is examined.
  ///
  /// - Parameter record: The record.
  /// - Returns: The answer; `.unknown` for a path that cannot be read.
  public func presence(of record: LedgerRecord) -> Presence {
    record.path.map { FolderSurvey(container).answer($0).presence } ?? .unknown
  }

  /// Returns the sums of the table's repairs.
  ///
  /// - Returns: The sums of the latest 1000 repairs.
  /// - Throws: ``LedgerError`` with `.notAdopted`; `DatabaseError`.
  public func metrics() async throws -> RepairMetrics {
    let ledger = self
    return try await writer.read { db in try RepairMetrics(of: ledger.adopted(db).source, db) }
  }
}
