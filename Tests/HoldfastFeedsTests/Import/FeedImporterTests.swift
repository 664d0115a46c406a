import Foundation
import Holdfast
import HoldfastFiles
import HoldfastTestSupport
import HoldfastTransit
import Testing

@testable import HoldfastFeeds

@Suite struct FeedImporterTests {
  private let feeds: Folder
  private let directory: TemporaryDirectory
  private let output: URL

  init() throws {
    feeds = try Folder()
    directory = try TemporaryDirectory()
    output = directory.file("harbour.db")
  }

  private func run(
    _ fixture: FeedFixture, to output: URL? = nil, previous: URL? = nil
  ) throws -> FeedImport {
    let feed = try fixture.writeFolder(in: feeds, under: UUID().uuidString)
    return try FeedImporter.replacing(feed: feed, output: output ?? self.output, previous: previous)
      .run()
  }

  private func rows(_ sql: String) throws -> [[String]] {
    try Timetable(at: output).reader.read { db in
      try Row.fetchAll(db, sql: sql).map { $0.databaseValues.map(\.description) }
    }
  }

  // MARK: Result

  /// ST-7: what the generator was to check of its database.
  @Test func theDatabaseHasTheContentOfTheFeed() throws {
    var fixture = FeedFixture()
    fixture["feed_info.txt"] = """
      feed_publisher_name,feed_publisher_url,feed_lang,feed_version
      Harbour,https://example.org,en,v7

      """
    let made = try run(fixture)
    #expect(
      made.rows == [
        "agency.txt": 1, "stops.txt": 2, "routes.txt": 1, "trips.txt": 1, "stop_times.txt": 2,
        "calendar.txt": 1, "feed_info.txt": 1,
      ])
    #expect(made.report.problems == [])
    let metadata = try Timetable(at: output).metadata
    #expect(metadata.feedIdentity == made.feedIdentity)
    #expect(metadata.feedVersion == "v7")
    #expect(metadata.feedPublisherName == "Harbour")
    #expect(metadata.feedPublisherURL == "https://example.org")
    #expect(metadata.feedLang == "en")
    #expect(metadata.feedStartDate == "2026-01-05")
    #expect(metadata.feedEndDate == "2026-12-31")
    let stops = try Timetable(at: output).reader.read { db in try Stop.fetchAll(db) }
    #expect(stops.map(\.stopName) == ["Quay", "Quay, Wharf 1"])
    #expect(stops.map(\.stopID) == ["Q", "Q1"])
    #expect(stops.map(\.parentStation) == [nil, "Q"])
    #expect(stops.map(\.stopLat) == [-33.861, -33.8611])
    let routes = try Timetable(at: output).reader.read { db in try Route.fetchAll(db) }
    #expect(routes.map(\.routeID) == ["F1"])
    #expect(routes.map(\.agencyID) == ["HF"])
  }

  @Test func aPlatformCanPrecedeItsStation() throws {
    var fixture = FeedFixture()
    fixture["stops.txt"] = """
      stop_id,stop_name,stop_lat,stop_lon,location_type,parent_station
      A1,Wharf,-33.861,151.211,0,Z
      Z,Zoo,-33.861,151.211,1,

      """
    _ = try run(fixture)
    let names = try rows(
      "SELECT station.stop_name FROM stops JOIN stops AS station ON station.sid = stops.parent_sid")
    #expect(names == [["'Zoo'"]])
    try ImportedDatabase(url: output).expectSound("a part before its station")
  }

  @Test func theFileDoesNotDependOnTheMachine() throws {
    var fixture = FeedFixture()
    fixture["calendar.txt"] = fixture["calendar.txt"].replacing(",2026", with: ",1999")
    let made = try run(fixture)
    let bytes = try Data(contentsOf: output)
    let year = Calendar(identifier: .gregorian).component(.year, from: .now)
    let text = String(decoding: bytes, as: UTF8.self)
    for trace in [directory.url, feeds.url, output].map(\.lastPathComponent) + [
      "staging", "/tmp", "\(year)-",
    ] {
      #expect(!text.contains(trace), "\(trace)")
    }
    #expect(made.bytes == Int64(bytes.count))
  }

  // MARK: Fallbacks

  @Test func everyFallbackIsReported() throws {
    var fixture = FeedFixture()
    fixture["stops.txt"] = """
      stop_id,stop_code,stop_name,stop_lat,stop_lon,location_type,parent_station
      Q,,Quay,-33.861,151.211,1,
      Q1,,,-33.861,151.211,0,Q
      Q2,,,,,4,Q1
      C,77,,-33.861,151.211,0,
      I,,,-33.861,151.211,0,
      N,,Nowhere,,,0,
      U,,Unknown,-33.861,151.211,0,X

      """
    fixture["routes.txt"] = """
      route_id,agency_id,route_short_name,route_long_name,route_type
      F1,HF,F1,,4
      F2,XX,,Long,4
      F3,HF,,,4

      """
    let made = try run(fixture)
    #expect(
      try rows(
        "SELECT stop_name, stop_lat IS NULL FROM stops ORDER BY stop_id")
        == [
          ["'77'", "0"], ["'I'", "0"], ["'Nowhere'", "1"], ["'Quay'", "0"], ["'Quay'", "0"],
          ["'Quay'", "0"], ["'Unknown'", "0"],
        ])
    #expect(
      try rows("SELECT route_short_name, route_long_name, aid FROM routes ORDER BY rid") == [
        ["'F1'", "''", "1"], ["''", "'Long'", "1"], ["''", "''", "1"],
      ])
    let repairs = made.report.repairs.map { "\($0.place): \($0.message)" }
    #expect(
      repairs == [
        "stops.txt, line 8, field parent_station: 'X' is not in stops.txt; "
          + "a database that is imported from the feed omits it.",
        "routes.txt, line 3, field agency_id: 'XX' is not in agency.txt; "
          + "a database that is imported from the feed omits it.",
        "stops.txt, field stop_name: 2 stops without a name took the name of the place they "
          + "belong to.",
        "stops.txt, field stop_name: 1 stop without a name took their stop_code as name.",
        "stops.txt, field stop_name: 1 stop without a name took their stop_id as name.",
        "stops.txt, field stop_lat: 1 stop without a coordinate took the coordinate of "
          + "their place.",
        "routes.txt, field route_short_name: 2 routes without this name took an empty text for it.",
        "routes.txt, field route_long_name: 2 routes without this name took an empty text for it.",
      ])
    #expect(made.report.counts["name_of_station"] == 2)
    #expect(made.report.counts["no_coordinate"] == 1)
    #expect(made.report.counts["empty_route_name"] == 4)
    #expect(made.report.problems.contains { $0.code == "no_coordinate" && !$0.isRepair })
  }

  @Test func aCycleOfParentsIsBroken() throws {
    var fixture = FeedFixture()
    fixture["stops.txt"] = """
      stop_id,stop_name,stop_lat,stop_lon,location_type,parent_station
      A,,,,0,B
      B,,,,0,A
      C,,,,0,C

      """
    _ = try run(fixture)
    #expect(try rows("SELECT stop_name FROM stops") == [["'A'"], ["'B'"], ["'C'"]])
    try ImportedDatabase(url: output).expectSound("a circle")
  }

  @Test func lookAlikeNamesAreDistinct() throws {
    var fixture = FeedFixture()
    fixture["stops.txt"] = """
      stop_id,stop_name,stop_lat,stop_lon
      \u{E9},Composed,-33.861,151.211
      e\u{301},Decomposed,-33.861,151.211

      """
    _ = try run(fixture)
    let found = try Timetable(at: output).reader.read { db in
      try ["\u{E9}", "e\u{301}"].map { try Stop.fetchOne(db, stopID: $0)?.stopName }
    }
    #expect(found == ["Composed", "Decomposed"])
    // A newer feed that spells the name differently has a new stop.
    let newer = directory.file("newer.db")
    fixture["stops.txt"] = "stop_id,stop_name,stop_lat,stop_lon\ne\u{301},Late,1,1\n"
    _ = try run(fixture, to: newer, previous: output)
    let late = try Timetable(at: newer).reader.read { db in
      (
        try Stop.fetchOne(db, stopID: "e\u{301}")?.stopName,
        try Stop.fetchOne(db, stopID: "\u{E9}")
      )
    }
    #expect(late.0 == "Late" && late.1 == nil)
  }

  // MARK: Refused outputs

  private func expectRefusal(_ bytes: Data) throws {
    try bytes.write(to: output)
    let before = try directory.names
    let error = #expect(throws: FeedError.self) { try run(FeedFixture()) }
    #expect(error?.code == .foreignOutput)
    #expect(error?.message.contains("'harbour.db'") == true)
    #expect(error?.advice != nil)
    #expect(try Data(contentsOf: output) == bytes)
    #expect(try directory.names == before)
  }

  @Test(arguments: ["My diary", "SQLite format 3\0 and then something else", ""])
  func aForeignFileIsNotReplaced(text: String) throws {
    try expectRefusal(Data(text.utf8))
  }

  @Test(arguments: ["DELETE", "WAL"])
  func aForeignDatabaseIsNotReplaced(journal: String) throws {
    let other = try DatabaseQueue(path: output.path)
    try other.writeWithoutTransaction { db in
      try db.execute(sql: "PRAGMA journal_mode = \(journal)")
      try db.execute(sql: "CREATE TABLE diary (day TEXT); INSERT INTO diary VALUES ('today')")
    }
    try other.close()
    try expectRefusal(Data(contentsOf: output))
    #expect(try directory.names == ["harbour.db"])
  }

  @Test func aDamagedDatabaseIsNotReplaced() throws {
    _ = try run(FeedFixture())
    try expectRefusal(Data(contentsOf: output).prefix(5000))
  }

  @Test func aFolderIsNotReplaced() throws {
    try FileManager.default.createDirectory(at: output, withIntermediateDirectories: true)
    let error = #expect(throws: FileError.self) { try run(FeedFixture()) }
    #expect(error?.code == .notRegularFile)
    #expect(try directory.names == ["harbour.db"])
  }

  @Test(arguments: ["-wal", "-journal"])
  func aDatabaseInUseIsNotReplaced(suffix: String) throws {
    _ = try run(FeedFixture())
    let bytes = try Data(contentsOf: output)
    let log = directory.file("harbour.db" + suffix)
    try Data("changes".utf8).write(to: log)
    let error = #expect(throws: FileError.self) { try run(FeedFixture()) }
    #expect(error?.code == .sidecarPresent)
    #expect(try Data(contentsOf: output) == bytes)
    #expect(try Data(contentsOf: log) == Data("changes".utf8))
    #expect(try directory.names == ["harbour.db", "harbour.db" + suffix])
  }

  @Test func aMissingFolderIsNamed() throws {
    let error = #expect(throws: FileError.self) {
      try run(FeedFixture(), to: directory.file("nowhere/harbour.db"))
    }
    #expect(error?.code == .notFound)
    #expect(try directory.names == [])
  }

  @Test func aSecondImportOfTheSameDatabaseIsBusy() throws {
    let fixture = FeedFixture()
    let feed = try fixture.writeFolder(in: feeds)
    var second: FileError?
    try FeedImporter.replacing(feed: feed, output: output).run { fraction in
      // The first import has only begun to read.
      guard second == nil, fraction < 0.8 else { return }
      do {
        try FeedImporter.replacing(feed: feed, output: output).run()
      } catch let error as FileError {
        second = error
      }
    }
    #expect(second?.code == .busy)
    #expect(second?.message.contains("harbour.db") == true)
    #expect(try directory.names == ["harbour.db"])
    try ImportedDatabase(url: output).expectSound("after a busy one")
  }

  // MARK: Progress

  @Test func progressRisesToOne() throws {
    let feed = try FeedFixture().writeFolder(in: feeds)
    var fractions: [Double] = []
    try FeedImporter.replacing(feed: feed, output: output).run { fractions.append($0) }
    #expect(fractions == fractions.sorted())
    #expect(fractions.last == 1)
    #expect(fractions.first.map { $0 < 1 } == true)
  }

  private func longFeed(stops: Int) throws -> URL {
    var fixture = FeedFixture()
    fixture["stops.txt"] =
      "stop_id,stop_name,stop_lat,stop_lon\n"
      + (1...stops).map { "S\($0),Stop \($0),1,1\n" }.joined()
    return try fixture.writeFolder(in: feeds)
  }

  @Test func theBytesReadRiseToTheSizeOfTheFeed() throws {
    var shown: [FeedImporter.Progress] = []
    _ = try FeedImporter.replacing(feed: FeedFixture().writeFolder(in: feeds), output: output)
      .runMeasured { shown.append($0) }
    #expect(shown.map(\.byteCount) == shown.map(\.byteCount).sorted())
    let last = try #require(shown.last)
    #expect(last.totalByteCount > 0 && last.byteCount == last.totalByteCount)
  }

  @Test func progressIsReportedWhileRowsAreInserted() throws {
    var fractions: [Double] = []
    try FeedImporter.replacing(feed: try longFeed(stops: 5000), output: output).run {
      fractions.append($0)
    }
    #expect(fractions == fractions.sorted())
    // Each stop is two rows.
    #expect(fractions.count { $0 > 0.8 && $0 < 0.87 } >= 10)
  }

  /// An interruption used to be noticed when the database was complete.
  @Test func anImportEndsBetweenTwoInsertedRows() throws {
    var ends: [Double] = []
    var names: [String] = []
    #expect(throws: CancellationError.self) {
      try FeedImporter.replacing(feed: try longFeed(stops: 5000), output: output).run { fraction in
        guard fraction > 0.8 else { return }
        ends.append(fraction)
        names = try directory.names
        throw CancellationError()
      }
    }
    #expect(ends.count == 1)
    #expect(ends.first.map { $0 < 0.81 } == true, "\(ends)")
    #expect(names.contains(".harbour.db.staging"))
    #expect(try directory.names == [])
  }

  @Test func stoppingAnImportChangesNothing() throws {
    _ = try run(FeedFixture())
    let bytes = try Data(contentsOf: output)
    let feed = FeedFixture.portMerrow
    var count = 0
    try FeedImporter.replacing(feed: feed, output: directory.file("other.db")).run { _ in count += 1
    }
    try FileManager.default.removeItem(at: directory.file("other.db"))
    for stop in 1...count {
      var calls = 0
      #expect(throws: CancellationError.self) {
        try FeedImporter.replacing(feed: feed, output: output).run { _ in
          calls += 1
          if calls == stop { throw CancellationError() }
        }
      }
      #expect(try Data(contentsOf: output) == bytes)
      #expect(try directory.names == ["harbour.db"])
    }
  }
}
