import Foundation
import Holdfast
import HoldfastFeeds
import HoldfastTestSupport
import HoldfastTransit
import Testing

/// ST-B14: nearby stops regardless of distance, at the poles and across the antimeridian.
@Suite struct NearbyStopsTests {
  let feed: SmallFeed
  let quay: Position

  init() throws {
    feed = try SmallFeed()
    quay = try Position(latitude: -33.861, longitude: 151.211)
  }

  private static let harbour: [SmallFeed.Place] = [
    .init(id: "Q", name: "Quay", type: 1, position: "-33.861,151.211"),
    .init(id: "Q1", name: "Quay 1", parent: "Q", position: "-33.8611,151.211"),
    .init(id: "QE", name: "Stairs", type: 2, parent: "Q", position: "-33.8612,151.211"),
    .init(id: "P", name: "Pier", position: "-33.87,151.211"),
    .init(id: "L", name: "Lodge", position: "64.15,-21.95"),
  ]

  private func ids(
    _ query: NearbyStops, in timetable: Timetable
  ) throws -> [String] {
    try timetable.reader.read { db in try query.fetchAll(db).map(\.stop.stopID) }
  }

  @Test func `The nearest stops come first, with their distances`() throws {
    let timetable = try feed.timetable(of: Self.harbour)
    let found = try timetable.reader.read { db in try NearbyStops(to: quay).fetchAll(db) }
    #expect(found.map(\.stop.stopID) == ["Q", "Q1", "P", "L"])
    #expect(found.map { $0.distance.meters.rounded() } == [0, 11, 1001, 16_614_725])
    #expect(found.map(\.id) == found.map(\.stop.sid))
    let stops = try timetable.reader.read { db in try Stop.fetchAll(db) }
    #expect(found.allSatisfy { stops.contains($0.stop) })
  }

  @Test func `The radius, the limit and the kinds restrict the answer`() throws {
    let timetable = try feed.timetable(of: Self.harbour)
    #expect(
      try ids(NearbyStops(to: quay, within: Distance(meters: 1000)), in: timetable) == ["Q", "Q1"])
    #expect(try ids(NearbyStops(to: quay, limit: 1), in: timetable) == ["Q"])
    #expect(try ids(NearbyStops(to: quay, limit: .max), in: timetable).count == 4)
    for limit in [0, -1, .min] {
      #expect(try ids(NearbyStops(to: quay, limit: limit), in: timetable).isEmpty)
    }
    #expect(try ids(NearbyStops(to: quay, locationTypes: [2]), in: timetable) == ["QE"])
    #expect(try ids(NearbyStops(to: quay, locationTypes: nil), in: timetable).count == 5)
    #expect(try ids(NearbyStops(to: quay, locationTypes: []), in: timetable).isEmpty)
    #expect(try ids(NearbyStops(to: quay, locationTypes: [.max, .min]), in: timetable).isEmpty)
  }

  @Test func `Stops in an area are found from its center outward`() throws {
    let timetable = try feed.timetable(of: Self.harbour)
    let area = try BoundingBox(center: quay, latitudeDelta: 0.1, longitudeDelta: 0.1)
    let find = { (query: StopsInRegion) in
      try timetable.reader.read { db in try query.fetchAll(db).map(\.stopID) }
    }
    #expect(try find(StopsInRegion(area)) == ["Q", "Q1", "P"])
    #expect(try find(StopsInRegion(area, limit: 2)) == ["Q", "Q1"])
    #expect(try find(StopsInRegion(area, limit: 0)).isEmpty)
    #expect(try find(StopsInRegion(area, locationTypes: nil)) == ["Q", "Q1", "QE", "P"])
    let world = try BoundingBox(south: -90, west: -180, north: 90, east: 180)
    #expect(try find(StopsInRegion(world)).count == 4)
  }

  @Test func `ST-B13: No query needs SQLite's math functions, which some systems lack`() throws {
    let queue = try DatabaseQueue(path: feed.database(of: Self.harbour).path)
    try queue.read { db in
      for name in ["acos", "asin", "atan2", "cos", "pow", "radians", "sin", "sqrt"] {
        db.add(function: DatabaseFunction(name) { _ in throw DatabaseError(message: "no \(name)") })
      }
      #expect(throws: DatabaseError.self) { try Row.fetchAll(db, sql: "SELECT cos(1)") }
      #expect(try NearbyStops(to: quay).fetchAll(db).count == 4)
      let area = try BoundingBox(center: quay, latitudeDelta: 0.1, longitudeDelta: 0.1)
      #expect(try StopsInRegion(area).fetchAll(db).count == 3)
      #expect(try StopSearch("pier", near: quay).fetchAll(db).count == 1)
    }
    try queue.close()
  }

  // MARK: - Coordinates that are none

  @Test func `A part without coordinates is where its station is`() throws {
    var places = Self.harbour
    places.append(.init(id: "QN", name: "Node", type: 3, parent: "Q", position: ","))
    let timetable = try feed.timetable(of: places)
    #expect(try ids(NearbyStops(to: quay, locationTypes: [3]), in: timetable) == ["QN"])
  }

  @Test(arguments: [
    "NULL", "'north'", "x'00'", "9e999", "-9e999", "90.0001", "-90.0001", "1e300", "''",
  ])
  func `A stop without valid coordinates is never found`(value: String) throws {
    let file = try feed.database(of: Self.harbour)
    let queue = try DatabaseQueue(path: file.path)
    try queue.write { db in
      try db.execute(
        sql: """
          UPDATE packed_stops SET lat = \(value)
            WHERE sid IN (SELECT sid FROM stops WHERE stop_name = 'Quay');
          UPDATE packed_stops SET lon = 2 * \(value)
            WHERE sid IN (SELECT sid FROM stops WHERE stop_name = 'Pier');
          """)
    }
    // Twice a text is the number 0, as long as it is one.
    let expected = value.hasPrefix("'") || value.hasPrefix("x") ? ["Q1", "P", "L"] : ["Q1", "L"]
    #expect(Set(try ids(NearbyStops(to: quay), in: Timetable(queue))) == Set(expected))
    let world = try BoundingBox(south: -90, west: -180, north: 90, east: 180)
    let inWorld = try queue.read { db in try StopsInRegion(world).fetchAll(db).map(\.stopID) }
    #expect(Set(inWorld) == Set(expected))
    try queue.close()
  }

  @Test func `A timetable without stops has none nearby`() throws {
    let file = try feed.database(of: Self.harbour)
    let queue = try DatabaseQueue(path: file.path)
    try queue.write { db in try db.execute(sql: "DELETE FROM stops") }
    #expect(try ids(NearbyStops(to: quay), in: Timetable(queue)).isEmpty)
  }

  // MARK: - What the connection keeps

  @Test func `A change of the database is seen by the next query`() throws {
    let file = try feed.database(of: Self.harbour)
    let queue = try DatabaseQueue(path: file.path)
    let other = try DatabaseQueue(path: file.path)
    let timetable = try Timetable(queue)
    let nearest = NearbyStops(to: quay, limit: 1)
    #expect(try ids(nearest, in: timetable) == ["Q"])
    let move = { (id: String, latitude: Double, queue: DatabaseQueue) in
      try queue.write { db in
        try db.execute(
          sql: """
            UPDATE packed_stops SET lat = CAST(?2 AS REAL)
            WHERE sid = (SELECT sid FROM dict_stop WHERE stop_id = ?1)
            """,
          arguments: [id, latitude])
      }
    }
    try move("Q", -40, queue)
    #expect(try ids(nearest, in: timetable) == ["Q1"])
    try move("Q1", -40, other)
    #expect(try ids(nearest, in: timetable) == ["P"])
    try queue.write { db in
      try db.inSavepoint {
        try db.execute(
          sql: """
            UPDATE packed_stops SET lat = 0
            WHERE sid IN (SELECT sid FROM stops WHERE stop_name = 'Pier')
            """)
        #expect(try nearest.fetchAll(db).map(\.stop.stopID) == ["Q"])
        return .rollback
      }
      #expect(try nearest.fetchAll(db).map(\.stop.stopID) == ["P"])
    }
    #expect(try ids(nearest, in: timetable) == ["P"])
  }

  // MARK: - Other databases

  /// Compares the answers with a look at every stop.
  private func expectNearest(_ timetable: Timetable, around positions: [Position]) throws {
    try timetable.reader.read { db in
      let stops = try Stop.fetchAll(db).filter { [0, 1].contains($0.locationType) }
      for position in positions {
        let expected = stops.compactMap { stop in
          stop.position.map { (position.distance(to: $0), stop.sid) }
        }.sorted { $0 < $1 }.prefix(20).map(\.1)
        #expect(try NearbyStops(to: position).fetchAll(db).map(\.stop.sid) == expected)
        #expect(!expected.isEmpty)
      }
    }
  }

  @Test func `A database of version 1 is answered from`() throws {
    let file = feed.directory.file("museum.db")
    try FileManager.default.copyItem(
      at: PackageFolder.root.appending(path: "Tests/Museum/timetable-1.db"), to: file)
    let timetable = try Timetable(at: file)
    try expectNearest(
      timetable,
      around: [
        Position(latitude: -43.805, longitude: 172.965), Position(latitude: 90, longitude: 0),
        Position(latitude: 43.8, longitude: -7),
      ])
    let names = try timetable.reader.read { db in
      try NearbyStops(to: Position(latitude: -43.805, longitude: 172.965), limit: 1).fetchAll(db)
        .map(\.stop.stopName)
    }
    #expect(names == ["Circular Quay"])
  }

  @Test(
    .enabled(if: SharedFiji.isPresent, "the shared feeds (../shared/data) are absent"))
  func `Stops on both sides of the antimeridian are neighbors`() throws {
    let file = feed.directory.file("fiji.db")
    try FeedImporter(feed: SharedFiji.url, output: file).run()
    let timetable = try Timetable(at: file)
    let positions = try [179.9, 180, -180, -179.9, 178].map {
      try Position(latitude: -16.8, longitude: $0)
    }
    try expectNearest(timetable, around: positions)
    try timetable.reader.read { db in
      let stops = try Stop.fetchAll(db).compactMap(\.position)
      let east = stops.filter { $0.longitude > 0 }
      let west = stops.filter { $0.longitude < 0 }
      #expect(!east.isEmpty && !west.isEmpty)
      // The same answer, whatever the meridian is called.
      let answers = try positions[1...2].map { position in
        try NearbyStops(to: position, limit: 1000).fetchAll(db)
      }
      #expect(answers[0].map(\.stop) == answers[1].map(\.stop))
      #expect(answers[0].count == min(1000, stops.count))
      let area = try BoundingBox(south: -21, west: 176, north: -12, east: -178)
      let inside = try StopsInRegion(area, limit: .max, locationTypes: nil).fetchAll(db)
      #expect(inside.count == stops.filter(area.contains).count)
      #expect(
        inside.contains { ($0.stopLon ?? 0) > 0 } && inside.contains { ($0.stopLon ?? 0) < 0 })
    }
  }

  @Test func `A followed timetable answers from its current database`() async throws {
    let source = try LinkSource()
    for (name, position) in [("Ash", "1,1"), ("Birch", "2,2")] {
      let file = try feed.database(of: [.init(id: name, name: name, position: position)])
      try FileManager.default.moveItem(at: file, to: source.directory.file(name))
    }
    try source.point(to: "Ash")
    let timetable = try await Timetable(following: source)
    for name in ["Ash", "Birch", "Ash"] {
      try source.point(to: name)
      let found = try await timetable.reader.read { [quay] db in
        try NearbyStops(to: quay).fetchAll(db).map(\.stop.stopID)
      }
      #expect(found == [name])
    }
  }
}

private enum SharedFiji {
  static let url = PackageFolder.shared.appending(path: "data/feeds/fiji-antimeridian.zip")
  static let isPresent = FileManager.default.fileExists(atPath: url.path)
}
