/// The order of the folders of a module: a folder knows those before it in the list.
///
/// The sentences of errors name what they are about, so that the folder `Errors` may know all others.
struct FolderOrder {
  let module: String
  let folders: [String]

  /// What folders know of later ones all the same.
  ///
  /// Nothing is added: what needs a further one is in the wrong folder.
  var exceptions: [String: Set<String>] = [:]

  static let all = [
    FolderOrder(
      module: "HoldfastFiles",
      folders: [
        "Errors", "Log", "Digests", "System", "Paths", "Content", "Locks", "Replacing", "Leases",
        "Generations", "Apple",
      ]),
    FolderOrder(
      module: "HoldfastSQLite",
      folders: [
        "Errors", "Values", "Connection", "Schema", "Records", "Transactions", "Observation",
        "Rows", "Functions", "Statements", "Files", "Requests", "QueryInterface", "Dump",
        "Encryption", "TableDefinitions", "FullText",
      ],
      exceptions: [
        "Values": ["QueryInterface"],
        "Connection": [
          "Schema", "Records", "Transactions", "Observation", "Rows", "Functions", "Statements",
          "Files", "Encryption",
        ],
        "Schema": ["Observation", "Rows", "Statements"],
        "Records": ["Rows", "Statements", "QueryInterface"], "Transactions": ["Statements"],
        "Observation": ["Statements", "Requests", "QueryInterface"],
        "Rows": ["Statements", "QueryInterface"], "Statements": ["QueryInterface"],
        "Requests": ["QueryInterface"],
      ]),
    FolderOrder(
      module: "Holdfast",
      folders: [
        "History", "Diagnosis", "Suspension", "Pool", "Databases", "Migration", "Following",
        "Watching", "Observation", "Apple", "Sharing",
      ],
      exceptions: ["Suspension": ["Pool"], "Pool": ["Watching"]]),
    FolderOrder(
      module: "HoldfastDownloads",
      folders: [
        "Errors", "Requests", "Responses", "States", "Journal", "Queue", "Transfer", "Downloading",
        "Apple",
      ]),
    FolderOrder(
      module: "HoldfastLedger",
      folders: [
        "Errors", "Log", "Table", "Records", "Migration", "Repair", "Lifecycle", "Downloads",
        "References",
      ]),
    FolderOrder(
      module: "HoldfastPacks",
      folders: [
        "Errors", "Format", "Leases", "Store", "Cleaning", "Seeded", "Verification", "Building",
        "Installation", "Opening",
      ]),
    FolderOrder(
      module: "HoldfastMaps",
      folders: [
        "Errors", "Styles", "VectorTiles", "Labels", "Tiles", "Grids", "Metadata", "PMTiles",
        "Checks", "Conversion",
      ],
      exceptions: ["Tiles": ["Metadata", "PMTiles", "Checks"]]),
    FolderOrder(
      module: "HoldfastFeeds",
      folders: [
        "CSV", "Report", "Source", "Export", "Reading", "Tables", "Assembly", "Rules", "Import",
      ]),
    FolderOrder(
      module: "HoldfastTransit",
      folders: [
        "Errors", "Log", "Times", "Folder", "Stops", "Database", "Format", "Routes", "Live",
        "Departures", "Services", "Transfers", "Journeys", "Translations", "Realtime", "Search",
        "Shapes", "Identity", "SQL",
      ],
      exceptions: ["Transfers": ["Journeys"]]),
    FolderOrder(
      module: "HoldfastTool",
      folders: [
        "Errors", "Printing", "Drawing", "Frame", "Demo", "Shells", "Doctor", "Packs", "Files",
        "Commands", "Inspection",
      ],
      exceptions: ["Frame": ["Doctor"]]),
    FolderOrder(
      module: "HoldfastInspector", folders: ["Errors", "Messages", "Assets", "Server"]),
  ]

  /// Returns whether a folder may know another one.
  func allows(_ folder: String, toKnow other: String) -> Bool {
    guard folder != other, folder != "Errors", let place = folders.firstIndex(of: folder),
      let otherPlace = folders.firstIndex(of: other)
    else { return true }
    return otherPlace < place || exceptions[folder]?.contains(other) == true
  }
}
