import HoldfastLedger

// The tables of an audiobook app, by which a database is recognized without further description.

extension LedgerTable {
  /// The tables that are recognized, besides a ledger's own.
  static let known: [LedgerTable] = [.audioFileDownloads, .coverCache, .libraryFileDownloads]

  /// The table `local_audio_file_downloads`.
  static let audioFileDownloads = downloads("local_audio_file_downloads", id: "audio_file_id")

  /// The table `local_library_file_downloads`.
  static let libraryFileDownloads = downloads("local_library_file_downloads", id: "library_file_id")

  /// The table `local_cover_cache`.
  static let coverCache: LedgerTable = {
    var table = LedgerTable(
      name: "local_cover_cache", idColumns: ["media_id"], pathColumn: "local_cover_url",
      dialect: .documentsAndCaches, locationColumn: "storage_location")
    table.lastAccessColumn = "last_accessed_at"
    table.insertionTimeColumns = ["cached_at", "updated_at"]
    table.updateTimeColumn = "updated_at"
    table.ignoresMissingColumns = true
    return table
  }()

  private static func downloads(_ name: String, id: String) -> LedgerTable {
    var table = LedgerTable(
      name: name, idColumns: [id], pathColumn: "download_path", dialect: .documentsAndCaches,
      stateColumn: "is_downloaded", locationColumn: "storage_location")
    table.lastAccessColumn = "last_accessed_at"
    table.movedToCacheColumn = "moved_to_cache_at"
    table.insertionTimeColumns = ["downloaded_at", "updated_at"]
    table.updateTimeColumn = "updated_at"
    table.ignoresMissingColumns = true
    return table
  }
}
