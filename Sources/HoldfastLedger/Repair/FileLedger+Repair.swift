import Dispatch
import Holdfast
import HoldfastFiles
import Synchronization

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
  /// budget, a cancellation or the end of the process, continues where it was; the search among all
  /// files begins again.
  ///
  /// - Parameters:
  ///   - budget: The time after which no further chunk begins; unlimited by default.
  ///   - dryRun: Whether nothing is written; the table need not be adopted then.
  ///   - onItem: Receives each item of the report, also those beyond its limit, on another thread
  ///     and before its transaction is committed.
  /// - Returns: What was found and changed.
  /// - Throws: ``LedgerError`` with `.notAdopted`, `.unsuitableTable`; `DatabaseError`;
  ///   `CancellationError`, after which a later repair continues.
  public func repairAll(
    budget: Duration? = nil, dryRun: Bool = false,
    onItem: @escaping @Sendable (RepairReport.Item) -> Void = { _ in }
  ) async throws -> RepairReport {
    let ledger = self
    return try await BlockingWork.run { isCancelled in
      try BatchRepair(
        RepairRun(
          ledger, budget: budget, isDryRun: dryRun, isCancelled: isCancelled, onItem: onItem)
      ).execute()
    }
  }

  /// Examines all records on the caller's thread, which blocks meanwhile.
  ///
  /// - Parameters:
  ///   - budget: The time after which no further chunk begins; unlimited by default.
  ///   - dryRun: Whether nothing is written.
  ///   - onItem: Receives each item of the report.
  /// - Returns: What was found and changed.
  /// - Throws: The errors of the awaited form.
  @available(*, noasync, message: "Write `try await repairAll(…)`, which blocks no thread.")
  public func repairAll(
    budget: Duration? = nil, dryRun: Bool = false,
    onItem: @escaping (RepairReport.Item) -> Void = { _ in }
  ) throws -> RepairReport {
    try BatchRepair(
      RepairRun(self, budget: budget, isDryRun: dryRun, isCancelled: { false }, onItem: onItem)
    ).execute()
  }
}

/// Work that blocks its thread, off the threads of Swift's tasks.
enum BlockingWork {
  static func run<Value: Sendable>(
    _ body: @escaping @Sendable (_ isCancelled: @escaping () -> Bool) throws -> Value
  ) async throws -> Value {
    let cancellation = Cancellation()
    // Values of the task are not seen on other threads.
    let fault = SystemCalls.fault
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        DispatchQueue.global(qos: .utility).async {
          let result = Result {
            try SystemCalls.$fault.withValue(fault) {
              try body { cancellation.isCancelled.load(ordering: .relaxed) }
            }
          }
          continuation.resume(with: result)
        }
      }
    } onCancel: {
      cancellation.isCancelled.store(true, ordering: .relaxed)
    }
  }

  private final class Cancellation: Sendable {
    let isCancelled = Atomic(false)
  }
}
