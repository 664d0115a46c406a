import Foundation
import Holdfast
import HoldfastTestSupport
import HoldfastTransit
import Testing

@testable import HoldfastFeeds

/// Feeds that are written differently than most, from the bytes to the answers.
@Suite struct UnusualFeedTests {
  private let feeds: Folder
  private let directory: TemporaryDirectory
  private let output: URL

  init() throws {
    feeds = try Folder()
    directory = try TemporaryDirectory()
    output = directory.file("harbour.db")
  }

  private func importer(of feed: URL) -> FeedImporter {
    var importer = FeedImporter(feed: feed, output: output)
    importer.replacesOutput = true
    return importer
  }

  private func run(_ fixture: FeedFixture) throws -> FeedImport {
    let feed = try fixture.writeFolder(in: feeds, under: UUID().uuidString)
    return try importer(of: feed).run()
  }

  private func run(_ archive: ZipFile) throws -> FeedImport {
    let feed = try feeds.write(archive.bytes, to: "\(UUID().uuidString).zip")
    return try importer(of: feed).run()
  }

  private func read<Value>(_ value: (Database) throws -> Value) throws -> Value {
    try Timetable(at: output).reader.read(value)
  }

  private func trip(_ id: String = "T1") throws -> Trip {
    try #require(try read { db in try Trip.fetchOne(db, tripID: id) })
  }

  /// The departures from a stop on a day in Sydney, and the few hours after it.
  private func departures(_ stopID: String, on day: String) throws -> [String] {
    let start = try Date("\(day)T00:00:00+11:00", strategy: .iso8601)
    return try read { db in
      let stop = try #require(try Stop.fetchOne(db, stopID: stopID))
      return try Departures(at: [stop.sid], from: start, for: .seconds(30 * 3600)).fetchAll(db)
        .map { "\($0.tripID) \(Int($0.departure.timeIntervalSince(start)) / 60)" }
    }
  }

  @Test func `a stop with blank coordinates has its station's, or is found by name only`() throws {
    var fixture = FeedFixture()
    fixture["stops.txt"] = """
      stop_id,stop_name,stop_lat,stop_lon,location_type,parent_station
      Q,Quay,-33.861,151.211,1,
      Q1,Wharf,,,,Q
      N,Nowhere,,,,

      """
    let made = try run(fixture)
    #expect(made.report.counts["stop_without_location"] != nil)
    let stops = try read { db in try Stop.fetchAll(db) }
    #expect(stops.first { $0.stopID == "Q1" }?.stopLat == -33.861)
    #expect(stops.first { $0.stopID == "N" }?.stopLat == nil)
    let found = try read { db in try StopSearch("nowh").fetchAll(db).map(\.stopName) }
    #expect(found == ["Nowhere"])
  }

  @Test func `Latin-1 bytes in names of stops refuse the feed, with the command to convert it`()
    throws
  {
    var fixture = FeedFixture()
    fixture.files["stops.txt"] = fixture["stops.txt"].replacing("Quay", with: "Kai \u{DF}")
      .unicodeScalars.map { UInt8($0.value) }
    let error = #expect(throws: FeedError.self) { try run(fixture) }
    #expect(error?.report?.firstError?.code == "invalid_character")
    #expect(error?.advice?.contains("iconv -f ISO-8859-1") == true)
    #expect(try directory.names == [])
  }

  @Test func `Latin-1 bytes in headsigns become U+FFFD, and refuse nothing`() throws {
    var fixture = FeedFixture()
    fixture.files["trips.txt"] =
      "route_id,service_id,trip_id,trip_headsign\nF1,W,T1,Kai \u{DF}\n"
      .unicodeScalars.map { UInt8($0.value) }
    #expect(try run(fixture).report.counts["invalid_character"] == 1)
    #expect(try trip().tripHeadsign == "Kai \u{FFFD}")
  }

  @Test func `a byte order mark in every file is skipped`() throws {
    var fixture = FeedFixture()
    let plain = try run(fixture)
    for name in fixture.files.keys {
      fixture.files[name]?.insert(contentsOf: [0xEF, 0xBB, 0xBF], at: 0)
    }
    let marked = try run(fixture)
    #expect(marked.feedIdentity == plain.feedIdentity)
    #expect(marked.report.counts == ["byte_order_mark": fixture.files.count])
  }

  @Test func `padded headers and values are read without their spaces`() throws {
    var fixture = FeedFixture()
    let plain = try run(fixture)
    for name in ["stops.txt", "stop_times.txt", "calendar.txt"] {
      // A comma inside quotes is no separator.
      fixture[name] = fixture[name].replacing(",", with: " , ")
        .replacing("\"Quay ,  Wharf 1\"", with: " \"Quay, Wharf 1\"\t")
    }
    let padded = try run(fixture)
    #expect(padded.feedIdentity == plain.feedIdentity)
    #expect(padded.report.counts == ["leading_or_trailing_whitespaces": 3])
  }

  @Test func `ragged rows lack blank values, and have none too many`() throws {
    var fixture = FeedFixture()
    fixture["stops.txt"] = fixture["stops.txt"].replacing(",1,\n", with: ",1\n")
    fixture["stop_times.txt"] += "T1,08:20:00,08:20:00,Q1,3,,,\nT1,08:30:00,08:30:00,Q1,4,x\n"
    let made = try run(fixture)
    #expect(made.report.counts == ["invalid_row_length": 3])
    #expect(made.rows["stop_times.txt"] == 3)
    #expect(try trip().calls.map(\.stopSequence) == [1, 2, 3])
  }

  @Test func `a feed in nested folders is found`() throws {
    let plain = try run(FeedFixture())
    let files = FeedFixture().files.sorted { $0.key < $1.key }
    let nested = try run(
      ZipFile(
        files.map { ZipFile.Entry("city/2026/\($0.key)", $0.value) }
          + [ZipFile.Entry("__MACOSX/city/._stops.txt", [0, 5, 22, 7])]))
    #expect(nested.feedIdentity == plain.feedIdentity)
    #expect(nested.report.directory == "city/2026")
  }

  @Test func `two feeds in one archive are refused, and both are named`() throws {
    let files = FeedFixture().files.sorted { $0.key < $1.key }
    let error = #expect(throws: FeedError.self) {
      try run(
        ZipFile(
          ["bus", "rail"].flatMap { folder in
            files.map { ZipFile.Entry("\(folder)/\($0.key)", $0.value) }
          }))
    }
    #expect(error?.code == .notAFeed)
    #expect(error?.message.contains("'bus' and 'rail'") == true)
    #expect(
      error?.advice
        == "Extract the directories, and import the one that is meant, or all of them together "
        + "with prefixes.")
    #expect(try directory.names == [])
  }

  @Test func `calendar_dates alone are the days of services`() throws {
    var fixture = FeedFixture()
    fixture.files["calendar.txt"] = nil
    fixture["calendar_dates.txt"] =
      "service_id,date,exception_type\nW,20260110,1\nW,20260112,1\nW,20260113,2\n"
    let made = try run(fixture)
    #expect(made.report.problems == [])
    #expect(try departures("Q1", on: "2026-01-10").first == "T1 480")
    for day in ["2026-01-11", "2026-01-13"] {
      #expect(try departures("Q1", on: day).filter { $0 == "T1 480" }.isEmpty)
    }
    #expect(try Timetable(at: output).metadata.feedStartDate == "2026-01-10")
    #expect(try Timetable(at: output).metadata.feedEndDate == "2026-01-12")
  }

  @Test func `frequencies repeat a trip, which does not run at its own times`() throws {
    var fixture = FeedFixture()
    fixture["frequencies.txt"] =
      "trip_id,start_time,end_time,headway_secs,exact_times\nT1,09:00:00,09:30:00,600,1\n"
    let made = try run(fixture)
    #expect(made.rows["frequencies.txt"] == 1)
    #expect(try trip().frequencies.map(\.headway) == [.seconds(600)])
    #expect(try departures("Q1", on: "2026-01-06").filter { $0.hasPrefix("T1") }.first == "T1 540")
    #expect(
      try departures("Q1", on: "2026-01-06") == ["T1 540", "T1 550", "T1 560"])
  }

  @Test func `times past 24 hours belong to the service day before`() throws {
    var fixture = FeedFixture()
    fixture["stop_times.txt"] = """
      trip_id,arrival_time,departure_time,stop_id,stop_sequence
      T1,25:10:00,25:10:00,Q1,1
      T1,100:00:00,100:00:00,Q,2

      """
    #expect(try run(fixture).report.problems == [])
    // A Saturday: the service of Friday runs on, that of Saturday does not run.
    #expect(try departures("Q1", on: "2026-01-10") == ["T1 70"])
    #expect(try trip().calls.map(\.arrivalTime?.description) == ["25:10:00", "100:00:00"])
  }

  @Test func `blank times are interpolated, and marked`() throws {
    var fixture = FeedFixture()
    fixture["stop_times.txt"] = """
      trip_id,arrival_time,departure_time,stop_id,stop_sequence
      T1,08:00:00,08:00:00,Q1,1
      T1,,,Q,2
      T1,NA,,Q1,5
      T1,08:30:00,08:30:00,Q,9

      """
    #expect(try run(fixture).report.counts == ["invalid_time": 1])
    let calls = try trip().calls
    #expect(
      calls.map(\.departureTime?.description) == ["08:00:00", "08:10:00", "08:20:00", "08:30:00"])
    #expect(calls.map(\.isInterpolated) == [false, true, true, false])
  }
}
