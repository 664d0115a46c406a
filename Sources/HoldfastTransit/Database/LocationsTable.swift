package import Holdfast

/// The table with `locations.geojson`, the zones of services on demand, which a feed has or not.
///
/// The file is kept as it is written, because its numbers and its members have no other form that is
/// the same for every reader of JSON.
///
/// - SeeAlso: <https://gtfs.org/documentation/schedule/reference/#locationsgeojson>
package struct LocationsTable {
  /// The name of the file in a feed.
  package static let file = "locations.geojson"
  /// The name of the table; without `gtfs_`, because its rows are none of the feed's.
  static let name = "locations_geojson"

  /// A query of the zones, one in a row.
  static let rows = """
    SELECT CAST(json_extract(value, '$.id') AS TEXT) AS location_id,
      json_extract(value, '$.properties.stop_name') AS stop_name,
      json_extract(value, '$.properties.stop_desc') AS stop_desc,
      json_extract(value, '$.geometry.type') AS geometry_type,
      json_extract(value, '$.geometry') AS geometry, value AS feature
    FROM main.\(name), json_each(content, '$.features') AS features WHERE features.type = 'object'
    """

  private let db: Database

  /// Names the table of a database.
  package init(_ db: Database) {
    self.db = db
  }

  /// Returns the file as it was written; `nil` if the feed has none.
  ///
  /// - Throws: `DatabaseError` when the database cannot be read.
  package func content() throws -> String? {
    guard try db.tableExists(Self.name, in: "main") else { return nil }
    return try String.fetchOne(db, sql: "SELECT content FROM main.\(Self.name)")
  }

  /// Returns the file without what does not matter in JSON: spaces and line ends.
  ///
  /// - Throws: `DatabaseError` when the database cannot be read.
  func canonicalContent() throws -> String? {
    guard try db.tableExists(Self.name, in: "main") else { return nil }
    return try String.fetchOne(db, sql: "SELECT json(content) FROM main.\(Self.name)")
  }

  /// Returns the number of zones.
  ///
  /// - Throws: `DatabaseError` when the database cannot be read.
  package func count() throws -> Int {
    try Int.fetchOne(
      db, sql: "SELECT count(*) FROM main.\(Self.name), json_each(content, '$.features')") ?? 0
  }

  /// Creates the table with a file.
  ///
  /// - Parameter content: The text of the file, which is JSON.
  /// - Throws: `DatabaseError` when the disk is full.
  package func create(_ content: String) throws {
    try db.execute(sql: "CREATE TABLE main.\(Self.name) (content TEXT NOT NULL)")
    try db.execute(sql: "INSERT INTO main.\(Self.name) VALUES (?)", arguments: [content])
  }
}
