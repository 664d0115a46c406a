public import Holdfast
public import HoldfastDownloads
import HoldfastFiles

extension FileLedger {
  /// Records a completed download: the closure that a `Downloader` calls before it forgets one.
  ///
  /// ```swift
  /// let downloader = try Downloader(in: folder) { file in
  ///   try await ledger.record(file, as: RecordID(file.id))
  /// }
  /// ```
  ///
  /// A second call with the same file changes nothing, so it may be repeated after a crash. The
  /// identifier is never read out of a name: ids may contain any character.
  ///
  /// - Parameters:
  ///   - file: The file.
  ///   - id: The identifier; by default the id of the request, for tables with one identifying
  ///     column.
  /// - Returns: Whether the record was changed.
  /// - Throws: ``LedgerError`` with `.notAdopted`, `.unsuitableTable`, `.unwritablePath`;
  ///   `DatabaseError`.
  @discardableResult
  public func record(_ file: DownloadedFile, as id: RecordID? = nil) async throws -> Bool {
    let ledger = self
    return try await writer.write { db in try ledger.record(db, file, as: id) }
  }

  /// Records a completed download inside a write, as the awaited form does.
  @discardableResult
  public func record(
    _ db: Database, _ file: DownloadedFile, as id: RecordID? = nil
  ) throws -> Bool {
    let id = id ?? RecordID(file.id)
    let old = try record(db, id)
    // A file that was taken without reading it keeps what is known of it.
    let digest =
      file.sha256.map { FileDigest(byteCount: file.byteCount, sha256: $0) }
      ?? (old?.digest?.byteCount == file.byteCount ? old?.digest : nil)
    if let old, old.state == .recorded, old.path == file.destination, old.digest == digest {
      return false
    }
    try record(db, id, at: file.destination, digest: digest)
    return true
  }
}
