import HoldfastLedger

// The tables of the audiobook app, described as an app describes its own.

extension LedgerTable {
  /// The table `local_audio_file_downloads`.
  static let audioFileDownloads = downloads("local_audio_file_downloads", id: "audio_file_id")

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

extension LegacySource {
  /// The table `audio_files`, in which the app recorded its downloads before.
  static let audioFiles = LegacySource(
    table: "audio_files", idColumns: ["id"], pathColumn: "download_path",
    stateColumn: "is_downloaded", timeColumn: "downloaded_at")
}
