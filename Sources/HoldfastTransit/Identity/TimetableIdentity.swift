import Foundation
package import Holdfast
package import HoldfastFiles

/// The digest of a timetable database's content, independent of the numbers of stops, routes and
/// trips.
///
/// Two feeds with the same content have the same identity: the order of rows and columns, blank
/// columns and the quoting of text do not matter.
package struct TimetableIdentity {
  // Each table with its names in the feed, ordered by all columns.
  private static let agencies = """
    SELECT 'agency', agency_id, agency_name, agency_url, agency_timezone, agency_lang,
      agency_phone, agency_fare_url, agency_email
    FROM main.agency ORDER BY 2, 3, 4, 5, 6, 7, 8, 9
    """

  private static let queries = [
    """
    SELECT 'routes', route_id, route_short_name, route_long_name, route_type, route_color,
      route_text_color, (SELECT agency_id FROM main.agency WHERE aid = routes.aid), route_desc,
      route_url, route_sort_order
    FROM main.routes JOIN dict_route USING (rid) ORDER BY route_id
    """,
    """
    SELECT 'metadata', key, value FROM metadata
    WHERE key NOT IN (
      'feed_identity', 'last_trip_number', 'stops_without_service', 'is_without_service')
    ORDER BY key
    """,
  ]

  private let db: Database
  private let trips: TripIdentity

  /// Reads the trips, which are decoded on other threads from then on.
  ///
  /// - Parameter db: The connection to a timetable database, in which stops, routes, trips and texts
  ///   do not change any more.
  /// - Throws: `DatabaseError` when the database cannot be read.
  package init(_ db: Database) throws {
    self.db = db
    trips = try TripIdentity(db)
  }

  /// Computes the identity; called once.
  ///
  /// - Returns: SHA-256 over the rows, each value with its type and its length.
  /// - Throws: `DatabaseError` when the database cannot be read.
  package func digest() throws -> SHA256Digest {
    var hasher = SHA256()
    try Self.update(&hasher, db, sql: Self.agencies)
    try StopIdentity(db, trips.stopIDs).update(&hasher)
    for query in Self.queries { try Self.update(&hasher, db, sql: query) }
    try trips.update(&hasher)
    for table in TimetableSchema.otherTables { try Self.update(&hasher, db, table) }
    for table in try TimetableSchema.plainTables(db) { try Self.update(&hasher, db, table) }
    try Self.updateWithShapes(&hasher, db)
    if let locations = try LocationsTable(db).canonicalContent() {
      hasher.update(Self.framed(LocationsTable.file) + Self.framed(locations))
    }
    return hasher.finalize()
  }

  /// Adds the other columns of stops, routes or agencies to a digest.
  private static func update(
    _ hasher: inout SHA256, _ db: Database, _ table: TimetableSchema.OtherTable
  ) throws {
    guard try db.tableExists(table.name) else { return }
    let columns = try db.columns(in: table.name).map(\.name).filter { $0 != table.key }
    let (main, names) =
      switch table.key {
      case "sid": ("packed_stops", ["stop_id"])
      case "rid": ("dict_route", ["route_id"])
      default: ("agency", ["agency_id", "agency_name"])
      }
    let selected = (names + columns).joined(separator: ", ")
    try update(
      &hasher, db,
      sql: """
        SELECT '\(table.name)', \(selected) FROM \(table.name) JOIN \(main) USING (\(table.key))
        ORDER BY \(selected)
        """)
  }

  /// Adds a plain table, whose rows are in an order that depends on their content only.
  private static func update(_ hasher: inout SHA256, _ db: Database, _ table: String) throws {
    let columns = try db.columns(in: table).map(\.name)
    hasher.update(framed(table) + framed(columns.count) + columns.flatMap { framed($0) })
    try update(
      &hasher, db, sql: "SELECT * FROM \(table.quotedDatabaseIdentifier) NOT INDEXED")
  }

  /// Adds the shapes, whose bytes depend on their points only.
  private static func updateWithShapes(_ hasher: inout SHA256, _ db: Database) throws {
    guard try db.tableExists(ShapeTable.name) else { return }
    let rows = try Row.fetchCursor(
      db, sql: "SELECT shape_id, points FROM \(ShapeTable.name) ORDER BY shape_id")
    while let row = try rows.next() {
      hasher.update(framed(row.databaseValues[0]))
      let points: Data = try row.decode(atIndex: 1)
      hasher.update(Array("\(points.count) ".utf8) + points)
    }
  }

  private static func update(_ hasher: inout SHA256, _ db: Database, sql: String) throws {
    let rows = try FramedRow.fetchCursor(db, sql: sql)
    var bytes: [UInt8] = []
    while let row = try rows.next() {
      bytes += row.bytes
      guard bytes.count > 1 << 16 else { continue }
      hasher.update(bytes)
      bytes.removeAll(keepingCapacity: true)
    }
    hasher.update(bytes)
  }

  /// The bytes that are digested of a row.
  private struct FramedRow: FetchableRecord {
    let bytes: [UInt8]

    init(row: Row) {
      var bytes: [UInt8] = []
      for value in row.databaseValues { append(value, to: &bytes) }
      bytes.append(UInt8(ascii: "\n"))
      self.bytes = bytes
    }
  }

  /// Appends a value with its type and its length, so that different rows have different bytes.
  static func append(_ value: DatabaseValue, to bytes: inout [UInt8]) {
    let text =
      switch value.storage {
      case .string(let text): text
      default: value.description
      }
    // Not joined first: a country has millions of values.
    bytes.append(contentsOf: value.typeName.utf8)
    bytes.append(UInt8(ascii: " "))
    bytes.append(contentsOf: String(text.utf8.count).utf8)
    bytes.append(UInt8(ascii: " "))
    bytes.append(contentsOf: text.utf8)
    bytes.append(UInt8(ascii: " "))
  }

  private static func framed(_ value: some DatabaseValueConvertible) -> [UInt8] {
    var bytes: [UInt8] = []
    append(value.databaseValue, to: &bytes)
    return bytes
  }
}
