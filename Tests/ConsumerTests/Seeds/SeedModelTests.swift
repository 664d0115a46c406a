import Foundation
import Holdfast
import HoldfastTestSupport
import Testing

/// The transit app's own models run on a database that Holdfast imported.
@MainActor
@Suite struct SeedModelTests {
  let manager: Seed.DatabaseManager

  init() throws {
    _ = try SeedBundle.made.get()
    manager = .shared
  }

  @Test func everyStopIsFetched() throws {
    let stops = try manager.read { db in
      try Seed.Stop.fetchAll(db, sql: "SELECT * FROM stops ORDER BY sid")
    }
    #expect(stops.count == 62)
    #expect(stops.map(\.id) == Array(1...62))
    #expect(stops.contains { $0.stopName.contains("Łódź") })
  }

  @Test func aStopIsFetchedByItsNumberAndItsName() throws {
    let (byName, byNumber, none) = try manager.read { db in
      let byName = try Seed.Stop.fetchByStopID(db, stopID: "CQ-A")
      let byNumber = try Seed.Stop.fetchByID(db, sid: byName?.sid ?? 0)
      return (byName, byNumber, try Seed.Stop.fetchByStopID(db, stopID: "nowhere"))
    }
    let stop = try #require(byName)
    #expect(stop.stopName == "Circular Quay, Wharf A")
    #expect(stop.stopCode == "1001")
    #expect(stop.stopLat == -43.80446)
    #expect(stop.stopLon == 172.964129)
    #expect(stop.wheelchairBoarding == 1)
    #expect(byNumber?.stopName == stop.stopName)
    #expect(none == nil)
  }

  @Test func aSearchForCircularFindsCircularQuay() throws {
    let stops = try manager.read { db in try Seed.Stop.search(db, query: "circular") }
    #expect(stops.count == 10)
    #expect(stops.contains { $0.stopName == "Circular Quay" })
    #expect(stops.allSatisfy { $0.stopName.hasPrefix("Circular Quay") })
  }

  @Test func everyRouteIsFetched() throws {
    let routes = try manager.read { db in try Seed.Route.fetchAll(db) }
    #expect(routes.count == 12)
    #expect(routes.map(\.routeShortName) == routes.map(\.routeShortName).sorted())
    #expect(routes.first { $0.routeShortName == "R1" }?.type == .rail)
    #expect(routes.first { $0.routeType == 714 }?.type == .unknown)
  }

  @Test func routesAreFetchedByType() throws {
    let ferries = try manager.read { db in try Seed.Route.fetchByType(db, type: .ferry) }
    #expect(ferries.map(\.routeShortName) == ["F1", "F2", "F3"])
    #expect(Set(ferries.map(\.type.displayName)) == ["Ferry"])
    #expect(Set(ferries.map(\.type.color)) == [.green])
    #expect(Seed.RouteType.rail.color == .red)
  }

  @Test func aWriteIsRefused() throws {
    let error = try #require(throws: DatabaseError.self) {
      try manager.read { db in try db.execute(sql: "DELETE FROM stops") }
    }
    #expect(error.resultCode == .SQLITE_READONLY)
    #expect(
      try manager.read { db in try Int.fetchOne(db, sql: "SELECT count(*) FROM stops") } == 62)
  }

  // MARK: - The code is the app's

  private nonisolated static let plan: URL? = {
    let folder = PackageFolder.shared.appending(path: "seeds")
    let names = try? FileManager.default.contentsOfDirectory(atPath: folder.path)
    return names?.first { $0.hasPrefix("003_") }.map { folder.appending(path: $0) }
  }()

  @Test(.enabled(if: plan != nil, "The app's plan, ../shared/seeds/003_…, is not there."))
  func onlyWhatDoesNotCompileDiffers() throws {
    let plan = try String(contentsOf: try #require(Self.plan), encoding: .utf8)
    let wanted = MarkdownBlock.all(in: plan).filter { $0.language == "swift" }
      .map { Self.words($0.lines.joined(separator: "\n")) }
    let code = Self.words(
      try SourceTree.ofThisPackage().text("Tests/ConsumerTests/Seeds/SeedModels.swift"))
    #expect(wanted.count == 3)

    let repairs = [
      // The import.
      ("importGRDB", ""),
      // ST-B8.
      ("config.prepareDatabase{dbindb.busyMode=.timeout(5.0)}", "config.busyMode=.timeout(5.0)"),
      ("case.train:return.red", "case.rail:return.red"),
    ]
    for block in wanted {
      let repaired = repairs.reduce(block) { $0.replacing($1.0, with: $1.1) }
      #expect(code.contains(repaired))
    }
  }

  /// Code without comments and blanks, which the formatter moves.
  private static func words(_ code: String) -> String {
    code.components(separatedBy: "\n")
      .map { $0.trimmingCharacters(in: .whitespaces) }
      .filter { !$0.hasPrefix("//") && $0 != "import Foundation" }
      .joined()
      .filter { !$0.isWhitespace }
  }
}
