package import Holdfast

/// The places of a tileset whose contents are missing.
///
/// A tileset that stores equal tiles once has the places in one table, and the contents in another. Its view
/// `tiles` leaves out a place without a content, as if no tile were meant to be there.
package struct LostContents: Hashable, Sendable {
  /// The table with the places.
  package let table: String
  /// The table with the contents.
  package let contents: String
  let count: Int
  /// One of the places; `nil` if that is none of a tile.
  let example: TileCoordinate?

  /// The names of both tables and of the column that joins them: TileMill's, and those of later tools.
  private static let arrangements = [
    (table: "map", contents: "images", key: "tile_id"),
    (table: "tiles_shallow", contents: "tiles_data", key: "tile_data_id"),
  ]

  /// Looks for them in the main database; `nil` where there are none, or it is no such tileset.
  ///
  /// Each place is looked up once.
  package init?(_ db: Database) throws {
    for (table, contents, key) in Self.arrangements {
      guard try Self.isJoined(table, contents, db) else { continue }
      do {
        // A UTFGrid may have a place of its own, without an image.
        let isMeant =
          try Self.hasGrids(table, db) ? "place.\(key) IS NOT NULL OR grid_id IS NULL" : "1"
        // A join would read all contents for each place where numbers meet texts, and no index serves.
        let row = try Row.fetchOne(
          db,
          sql: """
            SELECT place.zoom_level, place.tile_column, place.tile_row, count(*)
            FROM main.\(table) AS place
            WHERE (\(isMeant)) AND
              (place.\(key) IN (SELECT content.\(key) FROM main.\(contents) AS content)) IS NOT TRUE
            """)
        guard let values = row?.databaseValues, let count = Int.fromDatabaseValue(values[3]),
          count > 0
        else { continue }
        self.init(
          table: table, contents: contents, count: count,
          example: TileExamination.coordinate(Array(values.prefix(3))))
        return
      } catch ResultCode.SQLITE_ERROR {
        // Tables of these names with other columns.
      }
    }
    return nil
  }

  private init(table: String, contents: String, count: Int, example: TileCoordinate?) {
    (self.table, self.contents) = (table, contents)
    (self.count, self.example) = (count, example)
  }

  /// Whether a table has the places of UTFGrids too.
  private static func hasGrids(_ table: String, _ db: Database) throws -> Bool {
    try Bool.fetchOne(
      db,
      sql: "SELECT count(*) FROM pragma_table_info(?, 'main') WHERE lower(name) = 'grid_id'",
      arguments: [table]) ?? false
  }

  /// Whether the view `tiles` reads both tables.
  private static func isJoined(_ table: String, _ contents: String, _ db: Database) throws -> Bool {
    try Bool.fetchOne(
      db,
      sql: """
        SELECT count(*) = 3 FROM main.sqlite_schema
        WHERE type = 'table' AND lower(name) IN (:table, :contents)
          OR type = 'view' AND lower(name) = 'tiles' AND instr(lower(sql), :table)
            AND instr(lower(sql), :contents)
        """, arguments: ["table": table, "contents": contents]) ?? false
  }

  /// The problem in a report, which counts the places.
  package var problem: TilesetProblem { .lostContent(example, table, contents, count: count) }
}
