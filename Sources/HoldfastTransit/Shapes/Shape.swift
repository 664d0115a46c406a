public import Holdfast

/// The path of a vehicle on the map.
///
/// ```swift
/// let trip = try Trip.fetchOne(db, tripID: "T1-WD-0-0600")
/// let path = try trip?.fetchShape(db)?.points ?? []
/// ```
///
/// - SeeAlso: <https://gtfs.org/documentation/schedule/reference/#shapestxt>
public struct Shape: Hashable, Sendable {
  /// A point of the path.
  public struct Point: Hashable, Sendable {
    /// Where the point is.
    public var position: Position
    /// `shape_pt_sequence`.
    public var sequence: Int
    /// `shape_dist_traveled`, in the feed's unit; `nil` if blank.
    public var distTraveled: Double?
  }

  /// The `shape_id` in the feed.
  public var shapeID: String
  /// The points, in the order of travel.
  public var points: [Point]

  /// Returns the shape with a `shape_id` of the feed.
  ///
  /// - Parameters:
  ///   - db: The connection of the current access.
  ///   - shapeID: The feed's `shape_id`.
  /// - Returns: The shape; `nil` when there is none, also because the database was imported without
  ///   shapes.
  /// - Throws: ``TransitError`` with `.schemaOlder`, `.damaged`; `DatabaseError` when the database
  ///   cannot be read.
  public static func fetchOne(_ db: Database, shapeID: String) throws -> Shape? {
    try db.deferringTemporaryObjects {
      try TimetableSchema.checkForTrips(db)
      guard try db.tableExists(ShapeTable.name) else { return nil }
      return try ShapeTable(db).shape(shapeID).map { Shape(shapeID, $0) }
    }
  }

  private init(_ shapeID: String, _ stored: StoredShape) {
    self.shapeID = shapeID
    points = stored.points.map {
      Point(
        position: Position(validLatitude: $0.latitude, validLongitude: $0.longitude),
        sequence: Int($0.sequence), distTraveled: $0.distance)
    }
  }
}

extension Trip {
  /// Returns the path of the trip.
  ///
  /// - Parameter db: The connection of the current access.
  /// - Returns: The shape; `nil` when the feed has none for the trip, or when the database was imported
  ///   without shapes.
  /// - Throws: ``TransitError`` with `.damaged`; `DatabaseError` when the database cannot be read.
  public func fetchShape(_ db: Database) throws -> Shape? {
    try shapeID.flatMap { try Shape.fetchOne(db, shapeID: $0) }
  }
}
