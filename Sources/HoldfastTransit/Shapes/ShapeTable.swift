import Foundation
package import Holdfast

/// The table of shapes, one in each row.
package struct ShapeTable {
  package static let name = "polylines"

  private let db: Database

  /// Creates the reader and writer of the table.
  ///
  /// - Parameter db: The connection of the current access.
  package init(_ db: Database) {
    self.db = db
  }

  /// Writes a shape, in the place of an older one with the same identifier.
  ///
  /// - Parameters:
  ///   - shape: The points.
  ///   - shapeID: The `shape_id`.
  /// - Throws: `DatabaseError` when the disk is full.
  package func write(_ shape: StoredShape, _ shapeID: String) throws {
    try db.execute(
      sql: "INSERT OR REPLACE INTO \(Self.name) (shape_id, points) VALUES (?, ?)",
      arguments: [shapeID, Data(shape.bytes)])
  }

  /// Returns a shape.
  ///
  /// - Parameter shapeID: The `shape_id`.
  /// - Returns: The points; `nil` when there is no such shape.
  /// - Throws: ``TransitError`` with `.damaged`; `DatabaseError` when the database cannot be read.
  package func shape(_ shapeID: String) throws -> StoredShape? {
    try Data.fetchOne(
      db, sql: "SELECT points FROM \(Self.name) WHERE shape_id = ?", arguments: [shapeID]
    ).map { try decoded($0, shapeID) }
  }

  /// Calls a closure with each shape, in the order of the bytes of their identifiers.
  ///
  /// - Parameter body: A closure that is called with the `shape_id` and the points; an error that it
  ///   throws ends the reading.
  /// - Throws: ``TransitError`` with `.damaged`; `DatabaseError` when the database cannot be read;
  ///   whatever `body` throws.
  package func forEach(_ body: (String, StoredShape) throws -> Void) throws {
    let rows = try Row.fetchCursor(
      db, sql: "SELECT shape_id, points FROM \(Self.name) ORDER BY shape_id")
    while let row = try rows.next() {
      let shapeID: String = try row.decode(atIndex: 0)
      try body(shapeID, try decoded(try row.decode(atIndex: 1), shapeID))
    }
  }

  /// Returns the identifiers, in the order of their bytes.
  ///
  /// - Returns: The `shape_id`s.
  /// - Throws: `DatabaseError` when the database cannot be read.
  package func shapeIDs() throws -> [String] {
    try String.fetchAll(db, sql: "SELECT shape_id FROM \(Self.name) ORDER BY shape_id")
  }

  private func decoded(_ data: Data, _ shapeID: String) throws -> StoredShape {
    do {
      return try StoredShape(Array(data))
    } catch is DamagedBytes {
      throw TransitError.damaged(path: db.path, shapeID: shapeID)
    }
  }
}
