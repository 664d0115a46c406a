import Foundation
import Holdfast
import HoldfastFiles

extension FileLedger {
  /// Records the lengths and digests of the files that have none, by which repairs find them
  /// under any name.
  ///
  /// A table that was adopted has none, unless the app has recorded them. Only files at their stored
  /// paths are read, each once; databases and files that this process has open are not. The rows of
  /// the table stay as they are. Files whose digests were recorded before are passed over, so that a
  /// call continues the one before.
  ///
  /// - Parameters:
  ///   - budget: The time after which no further file is read; unlimited by default. One file is
  ///     always read.
  ///   - onFile: Receives the identifier of each record before its file is read, on another thread.
  /// - Returns: A report of the files that were read.
  /// - Throws: ``LedgerError`` with `.notAdopted`, `.unsuitableTable`; `DatabaseError`;
  ///   `CancellationError`, after the digests of the files that were read are recorded.
  public func recordDigests(
    budget: Duration? = nil, onFile: @escaping @Sendable (RecordID) -> Void = { _ in }
  ) async throws -> DigestReport {
    let ledger = self
    return try await BlockingWork.utility.run { isCancelled in
      try DigestRecording(ledger, budget: budget, isCancelled, onFile: onFile).execute()
    }
  }

  /// Records the lengths and digests of files on the caller's thread, which blocks meanwhile, as
  /// the awaited form does.
  ///
  /// - Throws: The errors of the awaited form; whatever `onFile` throws, which ends the recording.
  @available(
    *, noasync,
    message:
      "Write `try await recordDigests(…)`, which blocks no thread; at the top level of main.swift, in a function."
  )
  public func recordDigests(
    budget: Duration? = nil, onFile: @escaping (RecordID) throws -> Void = { _ in }
  ) throws -> DigestReport {
    try DigestRecording(self, budget: budget, { false }, onFile: onFile).execute()
  }
}
