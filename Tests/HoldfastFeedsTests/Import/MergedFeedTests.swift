import Foundation
import Holdfast
import HoldfastTestSupport
import HoldfastTransit
import Testing

@testable import HoldfastFeeds

/// Several feeds that share a database.
@Suite struct MergedFeedTests {
  private let feeds: Folder
  private let directory: TemporaryDirectory
  private let output: URL

  init() throws {
    feeds = try Folder()
    directory = try TemporaryDirectory()
    output = directory.file("both.db")
  }

  private func write(_ fixture: FeedFixture, _ name: String) throws -> URL {
    try fixture.writeFolder(in: feeds, under: name)
  }

  @discardableResult
  private func run(_ parts: [(FeedFixture, String)]) throws -> FeedImport {
    let written = try parts.enumerated().map { index, part in
      PrefixedFeed(try write(part.0, "feed\(index)"), prefix: part.1)
    }
    var importer = FeedImporter(feed: written[0].url, output: output)
    importer.prefix = written[0].prefix
    importer.furtherFeeds = Array(written.dropFirst())
    // A test may import twice; a database that may not be replaced is refused before the feeds are.
    importer.replacesOutput = true
    return try importer.run()
  }

  private func texts(_ sql: String) throws -> [String] {
    try Timetable(at: output).reader.read { db in try String.fetchAll(db, sql: sql) }
  }

  /// A feed with one agency that has no identifier, and other columns than the usual fixture.
  private var trams: FeedFixture {
    var fixture = FeedFixture()
    fixture["agency.txt"] =
      "agency_name,agency_timezone,agency_url\r\nTrams,Australia/Perth,https://example.org\r\n"
    fixture["routes.txt"] = "route_type,route_id,route_short_name,route_long_name\n0,F1,T,Tram\n"
    fixture["feed_info.txt"] = """
      feed_publisher_name,feed_publisher_url,feed_lang,feed_start_date,feed_end_date
      Trams,https://example.org,en,20270101,20271231

      """
    fixture["transfers.txt"] = "from_stop_id,to_stop_id,transfer_type\nQ,Q1,2\n"
    fixture["stop_features.txt"] = "stop_id,feature\nQ,\"bench, with\na back\"\nQ1,lamp\n"
    return fixture
  }

  @Test func `each feed has its identifiers under its prefix`() throws {
    var ferries = FeedFixture()
    ferries["translations.txt"] =
      "table_name,field_name,language,translation,record_id,field_value\n"
      + "stops,stop_name,fr,Quai,Q,\nstops,stop_name,fr,Quai,,Quay\n"
    let made = try run([(ferries, ""), (trams, "tram:")])
    try ImportedDatabase(url: output).expectSound("both")
    #expect(made.rows["stops.txt"] == 4 && made.rows["stop_times.txt"] == 4)
    #expect(
      try texts("SELECT stop_id FROM gtfs_stops ORDER BY 1") == ["Q", "Q1", "tram:Q", "tram:Q1"])
    #expect(
      try texts("SELECT parent_station FROM gtfs_stops WHERE stop_id = 'tram:Q1'") == ["tram:Q"])
    #expect(
      try texts("SELECT route_id || ' ' || agency_id FROM gtfs_routes ORDER BY 1")
        == ["F1 HF", "tram:F1 tram:"])
    #expect(try texts("SELECT agency_id FROM gtfs_agency ORDER BY 1") == ["HF", "tram:"])
    #expect(try texts("SELECT from_stop_id FROM gtfs_transfers") == ["tram:Q"])
    #expect(
      try texts("SELECT record_id FROM gtfs_translations WHERE record_id IS NOT NULL") == ["Q"])
    #expect(
      try texts("SELECT stop_id || feature FROM gtfs_stop_features")
        == ["tram:Qbench, with\na back", "tram:Q1lamp"])
    let (trip, zone) = try Timetable(at: output).reader.read { db in
      let trip = try Trip.fetchOne(db, tripID: "tram:T1")
      return (trip, try Trip.fetchOne(db, tripID: "T1")?.timeZone)
    }
    #expect(trip?.serviceID == "tram:W")
    #expect(trip?.calls.map(\.stop?.stopID) == ["tram:Q1", "tram:Q1"])
    #expect(trip?.timeZone.identifier == "Australia/Perth")
    #expect(zone?.identifier == "Australia/Sydney")
    // The days of both: the ferries' services begin, the trams' description ends later.
    let metadata = try Timetable(at: output).metadata
    #expect(metadata.feedStartDate == "2026-01-05" && metadata.feedEndDate == "2027-12-31")
  }

  @Test func `three feeds and the numbers of an older database fit together`() throws {
    try run([(FeedFixture(), "a"), (trams, "b"), (FeedFixture(), "c")])
    #expect(try texts("SELECT stop_id FROM dict_stop ORDER BY sid").count == 6)
    let older = directory.file("older.db")
    try FileManager.default.moveItem(at: output, to: older)
    var importer = FeedImporter(
      feed: feeds.url.appending(path: "feed2"), output: output, previous: older)
    importer.prefix = "c"
    try importer.run()
    #expect(try texts("SELECT stop_id FROM dict_stop ORDER BY sid").count == 6)
    #expect(
      try texts(
        "SELECT sid || d.stop_id FROM stops JOIN dict_stop d USING (sid) ORDER BY sid")
        == ["5cQ", "6cQ1"])
  }

  @Test func `problems name the feed and the line in it`() throws {
    var trams = trams
    trams["stop_times.txt"] =
      "trip_id,stop_id,stop_sequence,arrival_time,departure_time\n\nT1,Q,1,08:00:00,08:00:00\n"
      + "T1,Q,2,NA,\nT1,X,3,08:30:00,08:30:00\nT1,Q,4,08:40:00,08:40:00,surplus\n"
    let made = try run([(FeedFixture(), ""), (trams, "t")])
    let places = made.report.problems.filter { $0.severity == .warning }.map { problem in
      "\(problem.file) \(problem.line ?? 0) \(problem.code)"
    }
    #expect(places.contains("feed1/stop_times.txt 4 invalid_time"))
    #expect(places.contains("feed1/stop_times.txt 6 invalid_row_length"))
    #expect(places.contains { $0.hasPrefix("feed1/stop_times.txt 5 ") })
    trams["stops.txt"] =
      "stop_id,stop_name,stop_lat,stop_lon\nQ,\"Quay\n2\",1,1\nQ1,Wharf,north,1\n"
    let error = #expect(throws: FeedError.self) { try run([(FeedFixture(), ""), (trams, "t")]) }
    #expect(error?.file == "feed1/stops.txt" && error?.line == 4)
  }

  @Test func `each feed may have one row that describes it`() throws {
    var ferries = FeedFixture()
    ferries["feed_info.txt"] =
      "feed_publisher_name,feed_publisher_url,feed_lang\nFerries,https://example.org,en\n"
    var trams = trams
    let sound = try run([(ferries, ""), (trams, "tram:")])
    #expect(sound.report.counts["more_than_one_entity"] == nil)
    trams["feed_info.txt"] += ",,,,\nOthers,https://example.org,en,20270101,20271231\n"
    let made = try run([(ferries, ""), (trams, "tram:")])
    let problems = made.report.problems.filter { $0.code == "more_than_one_entity" }
    #expect(problems.map(\.file) == ["feed1/feed_info.txt"])
    #expect(problems.first?.message.contains("has 2 rows") == true)
    #expect(
      try texts("SELECT feed_publisher_name FROM gtfs_feed_info ORDER BY rowid")
        == ["Ferries", "Trams", "Others"])
  }

  /// As the days of one feed, which count before those of its services.
  @Test func `where all feeds have days, those of their services do not count`() throws {
    let header = "feed_publisher_name,feed_publisher_url,feed_lang,feed_start_date,feed_end_date"
    func feed(_ start: String, _ end: String) -> FeedFixture {
      var fixture = FeedFixture()
      fixture["feed_info.txt"] = "\(header)\nFerries,https://example.org,en,\(start),\(end)\n"
      return fixture
    }
    try run([(FeedFixture(), "a"), (FeedFixture(), "b")])
    let services = try Timetable(at: output).metadata
    let (first, last) = (services.feedStartDate, services.feedEndDate)
    try run([(feed("20260301", "20260401"), "a"), (FeedFixture(), "b")])
    let one = try Timetable(at: output).metadata
    #expect(one.feedStartDate == first && one.feedEndDate == max(last ?? "", "2026-04-01"))
    try run([(feed("20260301", "20260401"), "a"), (feed("20260201", "20260331"), "b")])
    let all = try Timetable(at: output).metadata
    #expect(all.feedStartDate == "2026-02-01" && all.feedEndDate == "2026-04-01")
    try run([(feed("20260301", ""), "a"), (feed("20260201", "20990331"), "b")])
    let partly = try Timetable(at: output).metadata
    #expect(partly.feedStartDate == "2026-02-01" && partly.feedEndDate == "2099-03-31")
  }

  /// The stops of the second feed are not in the language of the first one.
  @Test func `names of feeds in different languages are translated`() throws {
    var ferries = FeedFixture()
    ferries["feed_info.txt"] =
      "feed_publisher_name,feed_publisher_url,feed_lang\nFerries,https://example.org,en\n"
    ferries["translations.txt"] =
      "table_name,field_name,language,translation,record_id\nstops,stop_name,de,Kai,Q\n"
    var trams = trams
    trams["feed_info.txt"] = trams["feed_info.txt"].replacing(",en,", with: ",fr,")
    try run([(trams, "tram:"), (ferries, "")])
    let names = try Timetable(at: output).reader.read { db in
      try ["Q", "tram:Q"].map { id in
        let stop = try #require(try Stop.fetchOne(db, stopID: id))
        return try Translations(["fr", "de"]).translating(stop, db).stopName
      }
    }
    #expect(names == ["Kai", "Quay"])
  }

  @Test(arguments: [
    ("", ""), ("a", "a"), ("a", "ab"), ("ab", "a"), ("a b", "c"), ("", "a,b"), ("", "\""),
    ("", "Q"),
  ])
  func `feeds whose identifiers could be equal are refused`(one: String, other: String) throws {
    let error = #expect(throws: FeedError.self) {
      try run([(FeedFixture(), one), (FeedFixture(), other)])
    }
    #expect(error?.code == .unusablePrefix)
    #expect(error?.advice != nil)
    #expect(try directory.names == [])
  }

  @Test func `each feed is complete by itself`() throws {
    var trams = trams
    trams.files["trips.txt"] = nil
    let missing = #expect(throws: FeedError.self) { try run([(FeedFixture(), ""), (trams, "t")]) }
    #expect(missing?.file == "feed1/trips.txt")
    var cut = self.trams
    cut["stop_features.txt"] += "Q,\"open\n"
    let open = #expect(throws: FeedError.self) { try run([(cut, "t"), (FeedFixture(), "")]) }
    #expect(open?.file == "stop_features.txt" && open?.line == 5)
  }

  @Test func `what lies in place of a file is no part of another feed`() throws {
    var ferries = FeedFixture()
    ferries["levels.txt"] = "version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 9\n"
    var trams = trams
    trams["levels.txt"] = "level_id,level_index\nL,0\n"
    let error = #expect(throws: FeedError.self) { try run([(trams, "t-"), (ferries, "f-")]) }
    #expect(error?.file == "levels.txt" && error?.line == 1)
    #expect(error?.message.contains("levels.txt of 'feed1' cannot be read") ?? false)
  }

  /// Merging with nothing changes neither a value nor a line.
  @Test func `a feed by itself keeps its values and lines`() throws {
    var fixture = FeedFixture()
    fixture["notes.txt"] =
      "\u{FEFF}a, b ,\"c\"\"d\"\r\n\r\n1,\"x\r\ny\",\" z \"\r\n,,\n\n\n\"q\"\"\",2\n3,\"\n\n\",\"4\",5\n"
    let folders = [try write(fixture, "notes"), FeedFixture.portMerrow]
    for folder in folders {
      let plain = try FeedSource(at: folder)
      let merged = FeedSource(
        try MergedFeed([MergedFeed.Part(try FeedSource(at: folder), prefix: "")]))
      for file in plain.files + plain.otherFiles {
        let again = try #require(
          (merged.files + merged.otherFiles).first { $0.name == file.name })
        #expect(try rows(again, in: merged) == rows(file, in: plain), "\(file.name)")
      }
    }
  }

  private func rows(_ file: FeedSource.File, in source: FeedSource) throws -> [String] {
    var splitter = CSVSplitter(try source.open(file))
    var parser = CSVParser()
    var found: [String] = []
    while var block = try splitter.next() {
      let rows = parser.parse(&block)
      for row in 0..<rows.count {
        var values = (0..<rows.fieldCount(of: row)).map { rows[row].text($0) }
        // Whether a missing value is written does not matter.
        while values.last == "" { values.removeLast() }
        found.append("\(rows.line(of: row)) \(values)")
      }
    }
    return found
  }
}
