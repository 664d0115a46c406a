/// A group of benchmarks, by the part of the library that they measure.
enum Group: String, CaseIterable {
  case access, sharing, files, packs, transit, inspector

  /// A description of the work that the cases are compared with.
  var floor: String {
    switch self {
    case .access: "the same work in C against SQLite's own interface, in turns with ours"
    case .sharing: "what the system or another process does without the library, where there is it"
    case .files: "the least that plain C, or curl and sha256sum, must do, in turns with ours"
    case .packs:
      "copying, SHA-256 and fsync in C, or tiles by SQLite's own interface, in turns with ours"
    case .transit:
      "`unzip -p` of the archive to nowhere, DuckDB, or a search in memory in C, in turns with ours"
    case .inspector: "the same app that nobody watches, in turns with one that is watched"
    }
  }

  /// The number of pairs of runs from which a median is taken.
  var runs: Int {
    switch self {
    case .sharing: 10
    case .access, .files, .packs, .transit, .inspector: 9
    }
  }

  func cases(isShort: Bool) throws -> [Case] {
    switch self {
    case .access:
      try AccessCases(isShort: isShort).all + ObservationCases(isShort: isShort).all
        + SizeCase().all
    case .sharing:
      SuspensionCases(isShort: isShort).all + CheckpointCases(isShort: isShort).all
        + WatchCases(isShort: isShort).all
        + HistoryCases(isShort: isShort).all
    case .files:
      RepairCases(isShort: isShort).all + ContainerCases(isShort: isShort).all
        + FileKillCases(isShort: isShort).all + DownloadCases(isShort: isShort).all
    case .packs:
      FairInstallCases(isShort: isShort).all + FairLaunchCases().all
        + TileCases(isShort: isShort).all + ArchiveTileCases(isShort: isShort).all
        + TilesetWorkCases(isShort: isShort).all
        + PackCampaignCases(isShort: isShort).all
        + SwitchCases(isShort: isShort).all + TilesetCampaignCases(isShort: isShort).all
    case .transit:
      try ReadingCases(isShort: isShort).all + ImportCases(isShort: isShort).all
        + StopSearchCases(isShort: isShort).all + NearbyCases(isShort: isShort).all
        + DepartureCases(isShort: isShort).all + JourneyCases(isShort: isShort).all
        + FeedShapeCases(isShort: isShort).all + MessageShapeCases(isShort: isShort).all
    case .inspector: InspectorCases(isShort: isShort).all
    }
  }
}
