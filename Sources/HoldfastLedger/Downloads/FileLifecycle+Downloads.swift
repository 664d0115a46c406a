public import HoldfastDownloads
public import HoldfastFiles

extension FileLifecycle {
  /// Lists the files in some folders that belong to no record and to no download.
  ///
  /// - Parameters:
  ///   - folders: The folders, which are searched with everything in them.
  ///   - excluded: Files and folders that are left out, as for ``orphans(under:excluding:others:)``.
  ///   - downloader: The app's downloader: the destinations of its downloads, and of those that it
  ///     could not complete yet, are left out. Exclude its folder if it lies in one of `folders`.
  ///   - others: The ledgers of the other tables of the database, and of other databases, whose
  ///     records may have the files.
  /// - Returns: The orphans, and what could not be judged.
  /// - Throws: As ``orphans(under:excluding:others:)``; `DownloadError` when the downloader's journal
  ///   cannot be read.
  public func orphans(
    under folders: [RelocatablePath], excluding excluded: Set<RelocatablePath> = [],
    downloader: Downloader?, others: [FileLedger] = []
  ) async throws -> OrphanReport {
    let destinations = try await downloader?.destinations() ?? []
    return try await orphans(
      under: folders, excluding: excluded.union(destinations), others: others)
  }

  /// Deletes an orphan that the user has chosen, unless it is being downloaded.
  ///
  /// - Parameters:
  ///   - orphan: The orphan.
  ///   - downloader: The app's downloader.
  ///   - others: The same ledgers as for the list.
  /// - Throws: As ``delete(_:others:)``, and ``LedgerError`` with `.changed` when it is being
  ///   downloaded; `DownloadError` when the downloader's journal cannot be read.
  public func delete(
    _ orphan: Orphan, downloader: Downloader?, others: [FileLedger] = []
  ) async throws {
    // If the journal cannot be read, nothing is deleted.
    if try await FoldedPaths(downloader?.destinations() ?? []).contains(orphan.path) {
      throw LedgerError.changed(orphan.path, because: "it is being downloaded")
    }
    try await delete(orphan, others: others)
  }
}
