import Holdfast

/// The primary keys of the views under stored names, so that requests by key work as on what they hide.
struct StoredNameKeys: DatabaseSchemaSource {
  private static let keys: [DatabaseIdentifier: String] = [
    "stops": "sid", "routes": "rid", "agency": "aid",
  ].reduce(into: [:]) { $0[DatabaseIdentifier($1.key)] = $1.value }

  /// The source that is asked about other views.
  let next: (any DatabaseSchemaSource)?

  func columnsForPrimaryKey(_ db: Database, inView view: DatabaseObjectID) throws -> [String]? {
    // Another database may have a view of that name, and other columns.
    if view.schemaID == .temp, let key = Self.keys[DatabaseIdentifier(view.name)],
      try db.columns(in: view.name, in: "temp").contains(where: { $0.name == key })
    {
      return [key]
    }
    return try next?.columnsForPrimaryKey(db, inView: view)
  }
}
