import Foundation
import Holdfast
import HoldfastTransit
import Testing

@Suite struct StopAndRouteTests {
  let feed: SmallFeed

  init() throws { feed = try SmallFeed() }

  /// ST-5: a stop is fetched by number and by identifier.
  @Test func stopsAreListedByNameAndByType() throws {
    let timetable = try feed.timetable(of: [
      .init(id: "Z", name: "Zoo", type: 1), .init(id: "Z1", name: "Zoo", parent: "Z"),
      .init(id: "Z2", name: "Entrance", type: 2, parent: "Z"),
      .init(id: "A", name: "Albert Street", code: "77"),
    ])
    try timetable.reader.read { db in
      #expect(try Stop.fetchAll(db).map(\.stopID) == ["A", "Z2", "Z", "Z1"])
      #expect(try Stop.fetchAll(db, locationType: 0).map(\.stopID) == ["A", "Z1"])
      #expect(try Stop.fetchAll(db, locationType: 1).map(\.stopID) == ["Z"])
      #expect(try Stop.fetchAll(db, locationType: 4) == [])
      let part = try #require(try Stop.fetchOne(db, stopID: "Z2"))
      #expect(part.parentStation == "Z" && part.stopName == "Entrance" && part.locationType == 2)
      #expect(part.stopLat == -33.861 && part.stopLon == 151.211)
      #expect(try Stop.fetchOne(db, sid: part.sid) == part)
      #expect(part.id == part.sid)
      #expect(try Stop.fetchOne(db, stopID: "z2") == nil)
      #expect(try Stop.fetchOne(db, sid: 99) == nil)
      #expect(try Stop.fetchOne(db, stopID: "A")?.stopCode == "77")
      #expect(try Stop.fetchOne(db, stopID: "' OR 1 --") == nil)
    }
  }

  /// ST-5: the order was that of the short names as texts.
  @Test func routesAreInTheOrderOfTheFeed() throws {
    let timetable = try feed.timetable(
      of: [.init(id: "Q", name: "Quay")],
      routes: """
        b,HF,B,,3,
        a,HF,A,,700,
        last,HF,Z,,3,2
        first,HF,X,,4,1
        same,HF,A,Again,3,
        """)
    let routes = { (type: RouteType?) in
      try timetable.reader.read { db in try Route.fetchAll(db, routeType: type) }
    }
    #expect(try routes(nil).map(\.routeID) == ["first", "last", "a", "same", "b"])
    #expect(try routes(3).map(\.routeID) == ["last", "same", "b"])
    #expect(try routes(700).map(\.routeShortName) == ["A"])
    #expect(try routes(1) == [])
    #expect(try routes(nil).allSatisfy { $0.agencyID == "HF" && $0.id == $0.rid })
  }
}
