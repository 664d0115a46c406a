import Holdfast

/// The names of the areas and groups of stops that trips serve in place of stops.
struct AreaNames {
  private var areas: [ExactText: String] = [:]
  private var groups: [ExactText: String] = [:]

  /// Reads the names that calls need, in one pass over each file that they name.
  init(of calls: [Trip.Call], _ db: Database) throws {
    let wanted = Set(calls.compactMap { $0.locationID.map(ExactText.init) })
    if !wanted.isEmpty, try db.tableExists(LocationsTable.name, in: "main") {
      try Self.read(
        "SELECT location_id, CAST(stop_name AS TEXT) FROM (\(LocationsTable.rows))", wanted,
        into: &areas, db)
    }
    let wantedGroups = Set(calls.compactMap { $0.locationGroupID.map(ExactText.init) })
    if !wantedGroups.isEmpty, let table = try FileTable("location_groups", db) {
      try Self.read(
        """
        SELECT \(table.column("location_group_id")), \(table.column("location_group_name"))
        FROM main.gtfs_location_groups AS file
        """, wantedGroups, into: &groups, db)
    }
  }

  private static func read(
    _ sql: String, _ wanted: Set<ExactText>, into names: inout [ExactText: String], _ db: Database
  ) throws {
    let rows = try Row.fetchCursor(db, sql: sql)
    while let row = try rows.next() {
      guard let id = try row.decode(String?.self, atIndex: 0).map(ExactText.init),
        wanted.contains(id), names[id] == nil
      else { continue }
      names[id] = try row.decode(String?.self, atIndex: 1)
    }
  }

  /// Returns the name of the area or the group of a call; `nil` if the feed has none.
  func name(of call: Trip.Call) -> String? {
    call.locationID.flatMap { areas[ExactText($0)] }
      ?? call.locationGroupID.flatMap { groups[ExactText($0)] }
  }
}
