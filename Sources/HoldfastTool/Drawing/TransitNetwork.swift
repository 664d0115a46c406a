import Holdfast
import HoldfastTransit

/// The network of a timetable as it is drawn: where its routes lead, and its stops.
struct TransitNetwork {
  /// A way of a route.
  struct Way {
    var route: Route
    /// The positions of its stops, without those that have none.
    var stops: [Int64]
    /// The `shape_id` of its path.
    var shapeID: String?
    var tripCount: Int
  }

  /// A stop, or the station of several.
  struct Place {
    var name: String
    var position: MapFrame.Place
    var isStation: Bool
    /// The station to which it belongs.
    var parent: Int64?
  }

  /// The ways, by the number of the pattern.
  var ways: [Way]

  /// The routes of the ways, in the feed's order.
  var routes: [Route]

  /// The part of the earth that is drawn; `nil` when no stop has a position.
  var frame: MapFrame?

  /// The paths between the stops, by `shape_id`, with the points that are seen at this size; none if
  /// the database was imported without shapes.
  var shapes: [String: [MapFrame.Place]]

  /// The stops with positions, by number.
  var places: [Int64: Place]

  /// The names of the agencies whose routes are drawn, the busiest first.
  var agencyNames: [String]

  /// The sources that the feed names.
  var sources: [String]

  /// The first and the last day of the timetable.
  var days: String?

  /// Reads the network of a database.
  ///
  /// - Parameters:
  ///   - db: The connection of the current access.
  ///   - size: The length of the map's longer side, in pixels.
  ///   - isDrawn: Whether a route is drawn.
  /// - Throws: ``TransitError`` when the database has no trips or is damaged; `DatabaseError`.
  init(_ db: Database, size: Int, where isDrawn: (Route) -> Bool) throws {
    let chosen = try Route.fetchAll(db).filter(isDrawn)
    let routes = Dictionary(chosen.map { ($0.rid, $0) }, uniquingKeysWith: { $1 })
    ways = try RoutePath.fetchAll(db).compactMap { path in
      routes[path.rid].map {
        Way(route: $0, stops: path.stops, shapeID: path.shapeID, tripCount: path.tripCount)
      }
    }
    let drawn = Set(ways.map(\.route.rid))
    self.routes = chosen.filter { drawn.contains($0.rid) }
    let stops = try Stop.fetchAll(db)
    let numbers = Dictionary(stops.map { ($0.stopID, $0.sid) }, uniquingKeysWith: { $1 })
    places = [:]
    for stop in stops {
      guard let latitude = stop.stopLat, let longitude = stop.stopLon else { continue }
      places[stop.sid] = Place(
        name: stop.stopName, position: .init(latitude: latitude, longitude: longitude),
        isStation: stop.locationType == 1, parent: stop.parentStation.flatMap { numbers[$0] })
    }
    let places = places
    let stopFrame = MapFrame(
      ways.flatMap(\.stops).compactMap { places[$0]?.position }, size: size)
    shapes = try Self.shapes(db, Set(ways.compactMap(\.shapeID)), stopFrame)
    frame = stopFrame?.including(shapes.values, size: size)
    agencyNames = try Self.agencyNames(db, ways)
    (sources, days) = try Self.attribution(db)
  }

  private static func shapes(
    _ db: Database, _ shapeIDs: Set<String>, _ frame: MapFrame?
  ) throws -> [String: [MapFrame.Place]] {
    guard let frame, try db.tableExists(ShapeTable.name) else { return [:] }
    let table = ShapeTable(db)
    var shapes: [String: [MapFrame.Place]] = [:]
    for shapeID in shapeIDs {
      guard let points = try table.shape(shapeID)?.points, points.count > 1 else { continue }
      // A difference below half a pixel is not seen.
      shapes[shapeID] = ShapeSimplifier.kept(points, tolerance: frame.metersPerPixel / 2).map {
        MapFrame.Place(latitude: points[$0].latitude, longitude: points[$0].longitude)
      }
    }
    return shapes
  }

  private static func agencyNames(_ db: Database, _ ways: [Way]) throws -> [String] {
    let rows = try Row.fetchAll(
      db, sql: "SELECT agency_id, agency_name FROM main.agency ORDER BY aid")
    let names: [(id: String?, name: String?)] = try rows.map {
      (try $0.decode(atIndex: 0), try $0.decode(atIndex: 1))
    }
    var counts: [String?: Int] = [:]
    for way in ways { counts[way.route.agencyID, default: 0] += way.tripCount }
    let busiest = names.enumerated().filter { counts[$1.id] != nil || names.count == 1 }
      .sorted { left, right in
        let (most, other) = (counts[left.element.id] ?? 0, counts[right.element.id] ?? 0)
        return (other, left.offset) < (most, right.offset)
      }
    return busiest.compactMap(\.element.name)
  }

  private static func attribution(_ db: Database) throws -> (sources: [String], days: String?) {
    let metadata = try Row.fetchAll(db, sql: "SELECT key, value FROM metadata")
    var values: [String: String] = [:]
    for row in metadata {
      let (key, value): (String, String?) = (try row.decode(atIndex: 0), try row.decode(atIndex: 1))
      values[key] = value
    }
    var sources = [values["feed_publisher_name"]].compactMap(\.self)
    if try db.tableExists("gtfs_attributions") {
      sources += try String.fetchAll(
        db,
        sql: """
          SELECT DISTINCT organization_name FROM gtfs_attributions
          WHERE organization_name <> '' ORDER BY organization_name LIMIT 4
          """)
    }
    let days = [values["feed_start_date"], values["feed_end_date"]].compactMap(\.self)
    var seen: Set<String> = []
    return (
      sources.filter { seen.insert($0).inserted },
      days.isEmpty ? nil : days.joined(separator: " – ")
    )
  }
}
