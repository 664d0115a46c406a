import Foundation
import HoldfastFeeds
import HoldfastTestSupport
import Testing

/// A transit app's own models run on a database that Holdfast imported.
@Suite(
  .enabled(if: Seed.isThere("003"), "../shared/seeds/003_… is absent"),
  .enabled(if: SwiftProgram.canBeCompiled, "there is no swiftc, or no build of the tool"),
  .timeLimit(.minutes(2)))
struct SeedModelTests {
  /// What the program prints, by the word before the colon.
  private static let facts = Result {
    let folder = try TemporaryDirectory()
    let database = folder.file("gtfs.db")
    _ = try FeedImporter(feed: PackageFolder.portMerrow, output: database).run()
    let lines = try program().run(folder.url.path(percentEncoded: false)).split(separator: "\n")
    return try Dictionary(
      lines.map { line in
        let parts = line.split(separator: ": ", maxSplits: 1).map(String.init)
        try #require(parts.count == 2, "\(line)")
        return (parts[0], parts[1])
      }
    ) { "\($0)\n\($1)" }
  }

  let facts: [String: String]

  init() throws {
    facts = try Self.facts.get()
  }

  @Test func theDatabaseIsOpenedAndCounted() {
    #expect(facts["database_loaded"]?.hasSuffix("/gtfs.db") == true)
    #expect(facts["database_validated"] == "62")
  }

  @Test func everyStopIsFetched() {
    #expect(facts["stops"] == "62")
    #expect(facts["stops in order"] == "true")
    #expect(facts["named"] == "Łódź Street")
  }

  @Test func aStopIsFetchedByItsNumberAndItsName() {
    #expect(facts["by name"] == "1001 Circular Quay, Wharf A -43.80446 172.964129 1")
    #expect(facts["by number"] == facts["by name"])
    #expect(facts["unknown"] == "nil")
  }

  @Test func aSearchForCircularFindsCircularQuay() {
    let found = facts["found"]?.split(separator: "\n") ?? []
    #expect(found.count == 10)
    #expect(found.contains("Circular Quay"))
    #expect(found.allSatisfy { $0.hasPrefix("Circular Quay") })
    #expect(facts["found by nothing"] == "0")
  }

  @Test func everyRouteIsFetched() {
    #expect(facts["routes"] == "12")
    #expect(facts["routes in order"] == "true")
    #expect(facts["R1"] == "rail Train red")
    #expect(facts["type 714"] == "unknown")
  }

  @Test func routesAreFetchedByType() {
    #expect(facts["ferry"] == "F1 Ferry green\nF2 Ferry green\nF3 Ferry green")
  }

  @Test func aWriteIsRefused() {
    #expect(facts["refused"]?.hasPrefix("8 (") == true)
    #expect(facts["stops after it"] == "62")
  }

  // MARK: - The program

  private static func program() throws -> SwiftProgram {
    let plan = try Seed("003")
    let exchange = ("import GRDB", "import Holdfast")
    #expect(plan.blocks.count == 3)
    return try SwiftProgram([
      "DatabaseManager.swift": plan.block(
        0, exchange,
        // ST-B8: the busy mode belongs to the configuration; a Database has none.
        ("config.prepareDatabase { db in", "do {"), ("db.busyMode", "config.busyMode")),
      "Stop.swift": plan.block(1, exchange),
      // ST-B8: the case is called `rail`.
      "Route.swift": plan.block(2, exchange, ("case .train:", "case .rail:")),
      "Surroundings.swift": surroundings, "main.swift": main,
    ])
  }

  /// What the app has around its models.
  private static let surroundings = """
    enum Color { case red, purple, blue, green, orange, gray }

    struct Bundle {
      static let main = Bundle()

      func path(forResource name: String, ofType type: String) -> String? {
        CommandLine.arguments[1] + "/\\(name).\\(type)"
      }
    }

    struct Logger {
      static let app = Logger()

      func info(_ event: String, path: String) { print("\\(event): \\(path)") }
      func info(_ event: String, stops_count: Int) { print("\\(event): \\(stops_count)") }
      func error(_ event: String, error: String) { print("\\(event): \\(error)") }
    }
    """

  private static let main = """
    import Holdfast

    let manager = DatabaseManager.shared
    try manager.read { db in
      let stops = try Stop.fetchAll(db, sql: "SELECT * FROM stops ORDER BY sid")
      print("stops: \\(stops.count)")
      print("stops in order: \\(stops.map(\\.id) == Array(1...62))")
      for stop in stops where stop.stopName.contains("Łódź") { print("named: \\(stop.stopName)") }

      func line(_ stop: Stop?) -> String {
        guard let stop else { return "nil" }
        return "\\(stop.stopCode ?? "") \\(stop.stopName) \\(stop.stopLat) \\(stop.stopLon) "
          + "\\(stop.wheelchairBoarding ?? -1)"
      }
      let wharf = try Stop.fetchByStopID(db, stopID: "CQ-A")
      print("by name: \\(line(wharf))")
      print("by number: \\(line(try Stop.fetchByID(db, sid: wharf?.sid ?? 0)))")
      print("unknown: \\(line(try Stop.fetchByStopID(db, stopID: "nowhere")))")
      for stop in try Stop.search(db, query: "circular") { print("found: \\(stop.stopName)") }
      print("found by nothing: \\(try Stop.search(db, query: " *").count)")

      let routes = try Route.fetchAll(db)
      let names = routes.map(\\.routeShortName)
      print("routes: \\(routes.count)")
      print("routes in order: \\(names == names.sorted())")
      for route in routes where route.routeShortName == "R1" {
        print("R1: \\(route.type) \\(route.type.displayName) \\(route.type.color)")
      }
      for route in routes where route.routeType == 714 { print("type 714: \\(route.type)") }
      for route in try Route.fetchByType(db, type: .ferry) {
        print("ferry: \\(route.routeShortName) \\(route.type.displayName) \\(route.type.color)")
      }
    }
    do {
      try manager.read { db in try db.execute(sql: "DELETE FROM stops") }
    } catch let error as DatabaseError {
      print("refused: \\(error.resultCode)")
    }
    try manager.read { db in
      print("stops after it: \\(try Int.fetchOne(db, sql: "SELECT count(*) FROM stops") ?? 0)")
    }
    """
}

/// What a repair does that does not fit.
@Suite(.enabled(if: Seed.isThere("003"), "../shared/seeds/003_… is absent"))
struct SeedTests {
  @Test(arguments: ["no such text", "import"])
  func aTextThatIsNotThereOnceIsNotRepaired(text: String) throws {
    let error = #expect(throws: Seed.Misfit.self) {
      try Seed("003").block(0, (text, "something else"))
    }
    #expect(error?.description.contains("'\(text)'") == true)
  }
}
