import HoldfastTransit

/// A row of `trips.txt`: a journey of a vehicle along a route.
///
/// - SeeAlso: <https://gtfs.org/documentation/schedule/reference/#tripstxt>
struct FeedTrip {
  /// `trip_id`.
  var tripID: String
  /// `route_id`.
  var routeID: String
  /// `service_id`.
  var serviceID: String
  /// `trip_headsign`.
  var tripHeadsign: String?
  /// `trip_short_name`.
  var tripShortName: String?
  /// `direction_id`: 0 or 1.
  var directionID: Int?
  /// `block_id`.
  var blockID: String?
  /// `shape_id`.
  var shapeID: String?
  /// `wheelchair_accessible`: 0 or `nil` unknown, 1 possible, 2 not possible.
  var wheelchairAccessible: Int?
  /// `bikes_allowed`: 0 or `nil` unknown, 1 allowed, 2 not allowed.
  var bikesAllowed: Int?
  /// The number of the record of other columns, -1 if all are blank.
  var others: Int32
}

struct TripTable: FeedTable {
  static let file = "trips.txt"
  static let depth = FeedRows.Depth.rows

  let id, route, service: FeedColumn
  private let headsign, shortName, direction, block, shape, wheelchair, bikes: FeedColumn
  private(set) var others: OtherColumns

  init(_ header: inout FeedHeader) {
    route = header.column("route_id", .required)
    service = header.column("service_id", .required)
    id = header.column("trip_id", .required)
    headsign = header.column("trip_headsign")
    shortName = header.column("trip_short_name")
    direction = header.column("direction_id")
    block = header.column("block_id")
    shape = header.column("shape_id")
    wheelchair = header.column("wheelchair_accessible")
    bikes = header.column("bikes_allowed")
    others = OtherColumns(header.others(known: TimetableSchema.rareColumns[Self.file] ?? []))
  }

  mutating func row(_ parser: RowParser) -> FeedTrip? {
    guard let id = parser.text(id, orNote: .blankKeyOfRow),
      let route = parser.text(route, orNote: .blankKeyOfRow),
      let service = parser.text(service, orNote: .blankKeyOfRow)
    else { return nil }
    return FeedTrip(
      tripID: id, routeID: route, serviceID: service,
      tripHeadsign: parser.text(headsign),
      tripShortName: parser.text(shortName),
      directionID: parser.choice(direction, 0...1),
      blockID: parser.text(block),
      shapeID: parser.text(shape),
      wheelchairAccessible: parser.choice(wheelchair, 0...2),
      bikesAllowed: parser.choice(bikes, 0...2),
      others: others.number(parser))
  }
}
