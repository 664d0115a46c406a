import Foundation
import Holdfast
import HoldfastTestSupport
import HoldfastTransit
import Testing

/// How riders reach platforms: through entrances, by pathways, or directly.
@Suite struct StationAccessTests {
  let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  private static let arePresent = FileManager.default.fileExists(
    atPath: ImportedFeed.folder(ofCase: "entrance-and-stop-access").path)

  /// A station with two platforms, of which pathways lead from the first to the second, and from the
  /// entrance only to the second.
  private func feed(
    access: String = "0", hasEntrance: Bool = true, hasPathways: Bool = true,
    end: String = "p2", more: String = "", calls: String = "", fraction: String = ""
  ) throws -> ImportedFeed {
    var stops = """
      stop_id,stop_name,stop_lat,stop_lon,location_type,parent_station,stop_access,wheelchair_boarding
      st,Station,52.0,13.0,1,,,1
      p1,Station,52.0,13.0,0,st,\(access),
      p2,Station,52.0002,13.0,0,st,\(access),
      n1,Node,52.0,13.0,3,st,,
      a,Alpha,52.1,13.0,0,,,
      b,Beta,52.2,13.0,0,,,1
      c,Gamma,52.3,13,0,,,

      """
    if hasEntrance { stops += "e1,Entrance,52.0030,13.0,2,st,,\n" }
    stops += more
    var files: [String: String] = [:]
    if hasPathways {
      files["pathways.txt"] = """
        pathway_id,from_stop_id,to_stop_id,pathway_mode,is_bidirectional,traversal_time
        q1,p1,n1,1\(fraction),0\(fraction),300\(fraction)
        q2,n1,\(end),4\(fraction),0\(fraction),240\(fraction)
        \(hasEntrance ? "q3,e1,n1,6\(fraction),1\(fraction),120\(fraction)" : "")

        """
    }
    let all = """
      x,07:30:00,07:30:00,a,1
      x,08:00:00,08:00:00,p1,2
      y1,08:05:00,08:05:00,p2,1
      y1,08:30:00,08:30:00,b,2
      y2,08:12:00,08:12:00,p2,1
      y2,08:40:00,08:40:00,b,2
      z,07:40:00,07:40:00,c,1
      z,08:00:00,08:00:00,p2,2
      w,08:20:00,08:20:00,p1,1
      w,08:50:00,08:50:00,b,2
      \(calls)
      """
    return try ImportedFeed(stops: stops, calls: all, files: files, in: directory)
  }

  private static let street = "52.0031,13.0"

  private func check(
    _ feed: ImportedFeed, _ from: String, _ to: String, _ expected: [String],
    _ line: SourceLocation = #_sourceLocation
  ) throws {
    let found = feed.summary(try feed.journeys(from, to, at: "2026-06-10T07:30"))
    // The next day's are the same.
    #expect(found.filter { $0.hasPrefix("10") } == expected, sourceLocation: line)
  }

  @Test(.enabled(if: arePresent, "the shared cases (../shared/cases) are absent"))
  func `A position reaches a platform through the entrance`() throws {
    let folder = ImportedFeed.folder(ofCase: "entrance-and-stop-access")
    let shared = try ImportedFeed(folder, in: directory)
    let found = try shared.journeys(Self.street, "b", at: "2026-06-10T08:00")
    #expect(shared.summary(found) == ["10T08:05:48 y2 10T08:40"])
    guard case .walk(let walk)? = found.first?.legs.first else {
      Issue.record("no walk")
      return
    }
    #expect(walk.entrance?.stopID == "e1")
    #expect(walk.duration == .seconds(372))
    #expect(walk.arrival <= (try shared.instant("2026-06-10T08:12")))
  }

  @Test func `Pathways decide, also from a station, its entrance and its other platform`() throws {
    for access in ["0", ""] {
      let feed = try feed(access: access)
      try check(feed, Self.street, "b", ["10T07:58:48 y1 10T08:30"])
      try check(feed, "st", "b", ["10T07:59 y1 10T08:30"])
      try check(feed, "e1", "b", ["10T07:59 y1 10T08:30"])
      try check(feed, "p1", "b", ["10T07:56 y1 10T08:30"])
      try check(feed, "n1", "b", ["10T08:01 y1 10T08:30"])
      // Out of the station, which pathways allow from one platform only.
      try check(feed, "a", Self.street, ["10T07:30 x 10T08:07:12"])
      try check(feed, "a", "st", ["10T07:30 x 10T08:07"])
      #expect(try feed.journeys("c", Self.street, at: "2026-06-10T07:30").isEmpty)
      // Pathways are all ways that there are, so that nobody comes back to the first platform.
      try check(feed, "c", "b", ["10T07:40 z+y1 10T08:30"])
      let back = try feed.journeys(Self.street, "b", by: "2026-06-10T08:45")
      #expect(feed.summary(back) == ["10T08:05:48 y2 10T08:40"])
    }
  }

  /// Other tools write whole numbers of columns with blank values so.
  @Test func `Numbers with a fraction of zeros are read`() throws {
    let pathways = try feed(access: "0.0", fraction: ".0")
    try check(pathways, Self.street, "b", ["10T07:58:48 y1 10T08:30"])
    try check(pathways, "a", Self.street, ["10T07:30 x 10T08:07:12"])
    try check(feed(access: "1.0"), Self.street, "b", ["10T07:59:37 y1 10T08:30"])
    let entrance = try feed(access: "0.0", hasPathways: false)
    try check(entrance, Self.street, "b", ["10T07:59:36 y1 10T08:30"])
  }

  @Test func `A platform that is open to the street is reached directly`() throws {
    let open = try feed(access: "1")
    try check(open, Self.street, "b", ["10T07:59:37 y1 10T08:30"])
    let plain = try feed(access: "", hasPathways: false)
    try check(plain, Self.street, "b", ["10T07:59:37 y1 10T08:30"])
    try check(plain, "st", "b", ["10T08:05 y1 10T08:30"])
  }

  @Test func `Without pathways riders walk from the entrance, and without one from the station`()
    throws
  {
    let entrance = try feed(hasPathways: false)
    try check(entrance, Self.street, "b", ["10T07:59:36 y1 10T08:30"])
    try check(entrance, "st", "b", ["10T08:05 y1 10T08:30"])
    let station = try feed(hasEntrance: false, hasPathways: false)
    try check(station, Self.street, "b", ["10T07:58:52 y1 10T08:30"])
  }

  @Test func `Pathways may lead to the boarding area of a platform`() throws {
    let feed = try feed(end: "area", more: "area,Area,52.0002,13.0,4,p2,,\n")
    try check(feed, Self.street, "b", ["10T07:58:48 y1 10T08:30"])
    try check(feed, "p1", "b", ["10T07:56 y1 10T08:30"])
  }

  @Test func `Riders of wheelchairs use no escalator to the platform`() throws {
    let feed = try feed()
    try feed.queue.write { db in
      try db.execute(sql: "UPDATE stop_kinds SET wheelchair_boarding = 1")
    }
    for from in [Self.street, "st", "e1"] {
      #expect(
        try feed.journeys(from, "p2", at: "2026-06-10T08:00") { $0.needsWheelchairAccess = true }
          .isEmpty, "\(from)")
    }
  }

  @Test func `Changes to another stop leave and enter stations through their entrances`() throws {
    let feed = try feed(
      more: "d,Street,52.0032,13.0,0,,,\nd2,Suburb,51.9,13.0,0,,,\n",
      calls: """
        early,07:35:00,07:35:00,d2,1
        early,07:57:00,07:57:00,d,2
        bus,07:50:00,07:50:00,d2,1
        bus,07:58:00,07:58:00,d,2
        on,08:08:00,08:08:00,d,1
        on,08:10:00,08:10:00,c,2
        on2,08:09:00,08:09:00,d,1
        on2,08:11:00,08:11:00,c,2

        """)
    // 23 seconds to the entrance, 360 to the platform, and a minute for a change.
    try check(feed, "d", "b", ["10T07:58:37 y1 10T08:30"])
    let bus = try feed.journeys("d2", "b", at: "2026-06-10T07:30")
    #expect(feed.summary(bus) == ["10T07:35 early+y1 10T08:30"])
    let missed = try feed.journeys("d2", "b", at: "2026-06-10T07:36")
    #expect(feed.summary(missed) == ["10T07:50 bus+y2 10T08:40"])
    // 420 seconds out, 23 on the street, and a minute.
    let out = try feed.journeys("a", "c", at: "2026-06-10T07:30")
    #expect(
      feed.summary(out).filter { $0.hasPrefix("10") } == ["10T07:30 x+on2 10T08:11"])
    func entrances(_ journey: Journey?) throws -> [String?] {
      var found: [String?] = []
      for case .walk(let walk) in try #require(journey).legs { found.append(walk.entrance?.stopID) }
      return found
    }
    #expect(try entrances(bus.first) == ["e1"] && entrances(out.first) == ["e1"])
  }
}
