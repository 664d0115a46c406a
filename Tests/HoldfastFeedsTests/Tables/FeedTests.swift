import Foundation
import HoldfastTestSupport
import Testing

@testable import HoldfastFeeds

@Suite struct FeedTests {
  private let folder: Folder

  init() throws { folder = try Folder() }

  private func read(_ fixture: FeedFixture) throws -> (feed: Feed, report: FeedReport) {
    try Feed.read(from: try fixture.writeFolder(in: folder, under: UUID().uuidString))
  }

  private func refusal(of fixture: FeedFixture) throws -> FeedError {
    let error = #expect(throws: FeedError.self) { try read(fixture) }
    return try #require(error)
  }

  @Test func aValidFeedIsReadWithoutProblems() throws {
    let (feed, report) = try read(FeedFixture())
    #expect(report.problems == [])
    #expect(
      report.rows == [
        "agency.txt": 1, "stops.txt": 2, "routes.txt": 1, "calendar.txt": 1,
      ])
    #expect(feed.agencies.map(\.agencyTimezone) == ["Australia/Sydney"])
    #expect(feed.stops.map(\.stopLat) == [-33.861, -33.8611])
    #expect(feed.stops.map(\.locationType) == [1, 0])
    #expect(feed.stops.map(\.parentStation) == [nil, "Q"])
    #expect(feed.routes.map(\.routeType) == [4])
    #expect(feed.serviceDates?.lowerBound.number == 20_260_105)
    #expect(feed.serviceDates?.upperBound.number == 20_261_231)
  }

  // MARK: Refusals

  @Test(arguments: [
    "agency.txt", "stops.txt", "routes.txt", "trips.txt", "stop_times.txt", "calendar.txt",
  ])
  func aFeedWithoutARequiredFileIsRefused(name: String) throws {
    var fixture = FeedFixture()
    fixture.files[name] = nil
    let error = try refusal(of: fixture)
    #expect(error.code == .badData)
    #expect(error.file == name)
    let code =
      name == "calendar.txt" ? "missing_calendar_and_calendar_date_files" : "missing_required_file"
    #expect(error.report?.counts[code] == 1)
  }

  /// A damaged cell or header and the position at which the feed is refused.
  @Test(
    arguments: [
      ("stops.txt", "stop_lat", "latitude", "missing_required_column", 1, "stop_lat"),
      ("stops.txt", "location_type,", "stop_id,", "duplicated_column", 1, "stop_id"),
      ("stops.txt", "Q1,", "Q,", "duplicate_key", 3, "stop_id"),
      ("stops.txt", "Q1,", ",", "missing_required_field", 3, "stop_id"),
      ("stops.txt", "-33.861,", "91,", "number_out_of_range", 2, "stop_lat"),
      ("stops.txt", "151.211,", "-180.5,", "number_out_of_range", 2, "stop_lon"),
      ("stops.txt", "-33.861,", "north,", "invalid_float", 2, "stop_lat"),
      ("stops.txt", "-33.861,", "\"-33,861\",", "invalid_float", 2, "stop_lat"),
      ("agency.txt", "Harbour F", "Harbour, F", "invalid_row_length", 2, nil),
      ("stops.txt", "\"Quay,", "\"Q\0uay,", "nul_byte", 3, "stop_name"),
      ("stops.txt", "Wharf 1\"", "Wharf 1", "csv_parsing_failed", 3, "stop_name"),
      ("routes.txt", "Harbour,4", "Harbour,ferry", "invalid_integer", 2, "route_type"),
      ("routes.txt", "Harbour,4", "Harbour,", "missing_required_field", 2, "route_type"),
      ("routes.txt", "F1,HF", ",HF", "missing_required_field", 2, "route_id"),
      ("agency.txt", "Australia/Sydney", "Sydney Time", "invalid_timezone", 2, "agency_timezone"),
      ("agency.txt", "Australia/Sydney", "GMT+10", "invalid_timezone", 2, "agency_timezone"),
      ("agency.txt", "Australia/Sydney", "UTC+10", "invalid_timezone", 2, "agency_timezone"),
      // Abbreviations that ICU knows: of Dhaka, Kolkata and Los Angeles.
      ("agency.txt", "Australia/Sydney", "BST", "invalid_timezone", 2, "agency_timezone"),
      ("agency.txt", "Australia/Sydney", "IST", "invalid_timezone", 2, "agency_timezone"),
      ("agency.txt", "Australia/Sydney", "PST", "invalid_timezone", 2, "agency_timezone"),
      ("agency.txt", "Australia/Sydney", "", "missing_required_field", 2, "agency_timezone"),
      ("calendar.txt", "thursday,", "thu,", "missing_required_column", 1, "thursday"),
      ("calendar.txt", "W,1,1", "W,1,yes", "unexpected_enum_value", 2, "tuesday"),
      ("calendar.txt", "20260105", "20260230", "invalid_date", 2, "start_date"),
      ("calendar.txt", "20261231", "", "missing_required_field", 2, "end_date"),
    ] as [(String, String, String, String, Int, String?)])
  func aFeedIsRefusedAtTheInvalidPosition(
    file: String, old: String, new: String, code: String, line: Int, field: String?
  ) throws {
    var fixture = FeedFixture()
    #expect(fixture[file].contains(old))
    fixture[file] = fixture[file].replacing(old, with: new)
    let error = try refusal(of: fixture)
    #expect(error.code == .badData)
    #expect(error.report?.firstError?.code == code)
    #expect(error.file == file)
    #expect(error.line == line)
    #expect(error.field == field)
    #expect(error.message.hasPrefix("\(file), line \(line)"))
    if let field { #expect(error.message.contains("field \(field)")) }
    #expect(error.advice != nil)
  }

  @Test(arguments: ["agency.txt", "stops.txt", "routes.txt"])
  func aFileWithoutRowsIsRefused(name: String) throws {
    var fixture = FeedFixture()
    let header = fixture[name].prefix { $0 != "\n" }
    fixture[name] = header + "\n"
    #expect(try refusal(of: fixture).report?.firstError?.code == "empty_file")
    fixture[name] = ""
    #expect(try refusal(of: fixture).report?.firstError?.code == "empty_file")
  }

  @Test func theAdviceForAnotherEncodingIsACommand() throws {
    var fixture = FeedFixture()
    fixture.files["stops.txt"] = fixture["stops.txt"].replacing("Quay", with: "Kai ß")
      .unicodeScalars.map { UInt8($0.value) }
    let error = try refusal(of: fixture)
    #expect(error.place == "stops.txt 2 stop_name")
    #expect(error.advice?.contains("iconv -f ISO-8859-1 -t UTF-8 stops.txt") == true)

    fixture.files["stops.txt"] = [0xFF, 0xFE] + "stop_id\n".utf8.flatMap { [$0, 0] }
    let wide = try refusal(of: fixture)
    #expect(wide.place == "stops.txt 1 -")
    #expect(wide.message.contains("UTF-16LE"))
    #expect(wide.report?.errorCount == 1)
  }

  // MARK: Accepted deviations

  @Test(
    arguments: [
      ("stops.txt", "-33.861,", ",", "stop_without_location", 2, "stop_lat"),
      ("stops.txt", "Q,Quay", "Q,", "missing_stop_name", 2, "stop_name"),
      ("stops.txt", "1,\n", "7,\n", "unexpected_enum_value", 2, "location_type"),
      ("stops.txt", ",,Q\n", ",,X\n", "foreign_key_violation", 3, "parent_station"),
      ("stops.txt", ",,Q\n", ",,Q1\n", "wrong_parent_location_type", 3, "parent_station"),
      ("stops.txt", ",,Q\n", ",3,\n", "location_without_parent_station", 3, "parent_station"),
      ("stops.txt", "1,\n", "1,Q1\n", "station_with_parent_station", 2, "parent_station"),
      ("stops.txt", ",1,\n", ",1\n", "invalid_row_length", 2, nil),
      ("stops.txt", ",1,\n", ",1,,,\n", "invalid_row_length", 2, nil),
      ("stops.txt", "\nQ1", "\n,,,,,\nQ1", "empty_row", 3, nil),
      ("stops.txt", "Q,Quay", "Q,Qu\"ay", "stray_quote", 2, "stop_name"),
      ("stops.txt", "-33.861,151.211", "0,0.0", "point_near_origin", 2, "stop_lat"),
      ("stops.txt", "stop_lat", "Stop_Lat", "column_name_case", 1, "stop_lat"),
      (
        "routes.txt", "F1,HF,F1,Harbour", "F1,HF,,", "route_both_short_and_long_name_missing", 2,
        "route_short_name"
      ),
      (
        "routes.txt", "route_short_name,route_long_name", "a,b",
        "route_both_short_and_long_name_missing", 2, "route_short_name"
      ),
      ("routes.txt", "F1,HF", "F1,XX", "foreign_key_violation", 2, "agency_id"),
      ("routes.txt", "Harbour,4", "Harbour,42", "unexpected_enum_value", 2, "route_type"),
      ("agency.txt", "Harbour Ferries", "", "missing_required_field", 2, "agency_name"),
      ("agency.txt", "agency_url", "url", "missing_required_column", 1, "agency_url"),
      ("calendar.txt", "20260105", "2026-01-05", "invalid_date", 2, "start_date"),
      ("calendar.txt", "20260105", "20260105.0", "invalid_date", 2, "start_date"),
      ("calendar.txt", "W,1,1", "W,1.0,1", "invalid_integer", 2, "monday"),
      ("stops.txt", "1,\n", "1.0,\n", "invalid_integer", 2, "location_type"),
      ("routes.txt", "Harbour,4", "Harbour,4.0", "invalid_integer", 2, "route_type"),
      ("calendar.txt", "20260105", "20270105", "start_and_end_range_out_of_order", 2, "end_date"),
    ] as [(String, String, String, String, Int, String?)])
  func aHarmlessDeviationIsAWarning(
    file: String, old: String, new: String, code: String, line: Int, field: String?
  ) throws {
    var fixture = FeedFixture()
    #expect(fixture[file].contains(old))
    fixture[file] = fixture[file].replacing(old, with: new)
    let (feed, report) = try read(fixture)
    let problem = try #require(report.problems.first { $0.code == code })
    #expect(problem.severity == .warning)
    #expect(problem.file == file)
    #expect(problem.line == line)
    #expect(problem.field == field)
    #expect(feed.stops.count == 2)
    #expect(feed.routes.count == 1)
  }

  @Test func `whole numbers with a fraction of zeros are what they are without it`() throws {
    let plain = try read(FeedFixture())
    var fixture = FeedFixture()
    for (file, old, new) in [
      ("stops.txt", "1,\n", "1.0,\n"), ("routes.txt", "Harbour,4", "Harbour,4.0"),
      ("calendar.txt", "1,1,1,1,1,0,0,20260105", "1.0,1.0,1.0,1.0,1.0,0.0,0.0,20260105.0"),
    ] {
      #expect(fixture[file].contains(old))
      fixture[file] = fixture[file].replacing(old, with: new)
    }
    let (feed, report) = try read(fixture)
    #expect(feed.stops == plain.feed.stops)
    #expect(feed.routes == plain.feed.routes)
    #expect(feed.serviceDates == plain.feed.serviceDates)
    #expect(report.counts == ["invalid_integer": 9, "invalid_date": 1])
    #expect(
      report.problems.first { $0.file == "routes.txt" }?.message
        == "'4.0' has a fraction; it was read as 4.")
  }

  @Test(arguments: [(";", "semicolons"), ("\t", "tabs"), ("|", "vertical bars")])
  func `a file that something else than commas separates is refused, and the error says what`(
    separator: String, name: String
  ) throws {
    var fixture = FeedFixture()
    fixture["routes.txt"] = fixture["routes.txt"].replacing(",", with: separator)
    let error = try refusal(of: fixture)
    #expect(error.place == "routes.txt 1 route_id")
    #expect(error.message.contains("; \(name) seem to separate the values."))
    #expect(error.advice?.hasPrefix("Separate the values by commas") == true)
    // A file of one column has no separator.
    fixture["routes.txt"] = "route_id\nF1\n"
    #expect(try !refusal(of: fixture).message.contains("separate"))
  }

  @Test(arguments: [100, 401, 700, 714, 900, 1000, 1702, 0, 7, 11, 12])
  func extendedRouteTypesAreKnown(type: Int) throws {
    var fixture = FeedFixture()
    fixture["routes.txt"] = fixture["routes.txt"].replacing("Harbour,4", with: "Harbour,\(type)")
    let (feed, report) = try read(fixture)
    #expect(feed.routes.map(\.routeType) == [type])
    #expect(report.problems == [])
  }

  @Test(
    arguments: [
      ("00AAff", "00AAff", 0), ("#222222", "222222", 1), ("555", nil, 1), ("grün", nil, 1),
      ("", nil, 0),
    ] as [(String, String?, Int)])
  func colorsHaveSixDigits(text: String, read: String?, problems: Int) throws {
    var fixture = FeedFixture()
    fixture["routes.txt"] =
      "route_id,route_short_name,route_type,route_color\nF1,F1,4,\(text)\n"
    let result = try self.read(fixture)
    #expect(result.feed.routes.map(\.routeColor) == [read])
    #expect(result.report.counts["invalid_color", default: 0] == problems)
  }

  @Test func severalAgenciesNeedNames() throws {
    var fixture = FeedFixture()
    fixture["agency.txt"] += "B,Buses,https://example.org,Australia/Perth\n"
    fixture["routes.txt"] = "route_id,route_short_name,route_type\nF1,F1,4\n"
    let report = try read(fixture).report
    #expect(
      report.problems.map(\.code) == ["inconsistent_agency_timezone", "missing_required_field"])
    #expect(
      report.problems.map(\.place) == [
        "agency.txt, line 3, field agency_timezone", "routes.txt, line 2, field agency_id",
      ])
  }

  @Test func serviceDatesComeFromFeedInfoOrTheServices() throws {
    var fixture = FeedFixture()
    fixture["calendar_dates.txt"] = """
      service_id,date,exception_type
      W,20270101,1
      W,20250101,2
      X,20251224,1
      X,soon,1
      """
    let (feed, report) = try read(fixture)
    #expect(feed.serviceDates?.lowerBound.number == 20_251_224)
    #expect(feed.serviceDates?.upperBound.number == 20_270_101)
    #expect(report.problems.map(\.place) == ["calendar_dates.txt, line 5, field date"])
    #expect(report.rows["calendar_dates.txt"] == 4)

    fixture["feed_info.txt"] = """
      feed_publisher_name,feed_publisher_url,feed_lang,feed_start_date,feed_version
      P,https://example.org,en,20260201,v1
      """
    let named = try read(fixture).feed
    #expect(named.info?.feedVersion == "v1")
    #expect(named.serviceDates?.lowerBound.number == 20_260_201)
    #expect(named.serviceDates?.upperBound.number == 20_270_101)
  }

  @Test func aSecondRowOfFeedInfoIsReported() throws {
    var fixture = FeedFixture()
    fixture["feed_info.txt"] = """
      feed_publisher_name,feed_publisher_url,feed_lang
      P,https://example.org,en
      Q,https://example.org,en

      """
    let (feed, report) = try read(fixture)
    #expect(feed.info?.feedPublisherName == "P")
    #expect(report.repairs.map(\.code) == ["more_than_one_entity"])
  }

  // MARK: The report

  @Test func problemsAreCappedAndCountedExactly() throws {
    var fixture = FeedFixture()
    let rows = (0..<500).map { "S\($0),Stop \($0),,\n" }.joined()
    fixture["stops.txt"] = "stop_id,stop_name,stop_lat,stop_lon\n" + rows
    let (feed, report) = try read(fixture)
    #expect(feed.stops.count == 500)
    #expect(report.counts == ["stop_without_location": 1000])
    #expect(report.warningCount == 1000)
    #expect(report.problems.count == FeedReport.problemsKept)
    #expect(try read(fixture).report.problems == report.problems)
  }

  @Test func howFilesWereReadIsReported() throws {
    var fixture = FeedFixture()
    fixture["stops.txt"] =
      "\u{FEFF}"
      + fixture["stops.txt"].replacing("\n", with: "\r\n").replacing("Quay,", with: " Quay ,")
    fixture["notes.txt"] = "Hello\u{1B}[2J"
    fixture["\u{1B}.txt"] = ""
    let report = try read(fixture).report
    let stops = try #require(report.files.first { $0.name == "stops.txt" })
    #expect(stops.hasByteOrderMark)
    #expect(stops.lineEnds == ["CRLF"])
    #expect(stops.rows == 2)
    #expect(
      report.problems.map(\.code) == [
        "unknown_file", "unknown_file", "byte_order_mark", "leading_or_trailing_whitespaces",
      ])
    #expect(report.problems.map(\.file) == ["\u{FFFD}.txt", "notes.txt", "stops.txt", "stops.txt"])
    #expect(report.repairs.map(\.code) == ["byte_order_mark", "leading_or_trailing_whitespaces"])
    let decoded = try JSONDecoder().decode(FeedReport.self, from: JSONEncoder().encode(report))
    #expect(decoded == report)
  }

  /// Days on which nothing runs would be lost without a word.
  @Test(arguments: [
    "calendar_date.txt", "calendardates.txt", "Calendar-Dates.txt", "calendar_dates.csv",
    "calendar_dates.txt.txt",
  ]) func aFileThatIsCalledAlmostLikeOneOfGTFSIsNamed(name: String) throws {
    var fixture = FeedFixture()
    fixture[name] = "service_id,date,exception_type\nS,20260601,2\n"
    let problem = try #require(
      try read(fixture).report.problems.first { $0.code == "unknown_file" })
    #expect(problem.severity == .warning && problem.file == name)
    #expect(problem.message.contains("the feed has no 'calendar_dates.txt', which may be meant"))
    fixture["calendar_dates.txt"] = "service_id,date,exception_type\n"
    let beside = try #require(
      try read(fixture).report.problems.first { $0.code == "unknown_file" })
    #expect(beside.severity == .info)
  }

  @Test func aMissingFileNamesTheOneThatMayBeMeant() throws {
    for (name, other) in [
      ("stop_times.txt", "stoptimes.txt"), ("agency.txt", "agencies.txt"),
      ("calendar.txt", "calendars.txt"),
    ] {
      var fixture = FeedFixture()
      fixture[other] = fixture[name]
      fixture.files[name] = nil
      let error = try refusal(of: fixture)
      #expect(error.message.contains("'\(other)'"), "\(error.message)")
      #expect(error.advice == "Rename '\(other)', if it is that file.")
    }
  }

  @Test func examiningReadsEveryFileAndRefusesNothing() throws {
    var fixture = FeedFixture()
    fixture["stop_times.txt"] += "T1,\"09:00:00\n"
    fixture["shapes.txt"] = "shape_id,shape_pt_lat\nA,1,\nB\0,2\n"
    let url = try fixture.writeFolder(in: folder)
    #expect(try Feed.read(from: url).report.problems == [])
    let june = Date(timeIntervalSince1970: 1_780_300_000)
    let report = try FeedReport.examine(url, at: june)
    #expect(report.errorCount == 0)
    #expect(report.rows["stop_times.txt"] == 3)
    #expect(report.rows["shapes.txt"] == 2)
    #expect(
      Set(report.problems.map { "\($0.file) \($0.line ?? 0) \($0.code)" }) == [
        "shapes.txt 1 missing_required_column", "shapes.txt 2 invalid_row_length",
        "shapes.txt 3 nul_byte", "stop_times.txt 4 csv_parsing_failed",
      ])

    fixture["stops.txt"] = "stop_id\n"
    let broken = try FeedReport.examine(try fixture.writeFolder(in: folder, under: "broken"))
    #expect(broken.errorCount == 4)
  }

  @Test func anObserverReceivesEveryRowAsWritten() throws {
    var fixture = FeedFixture()
    fixture["routes.txt"] = "route_id, route_type ,route_long_name\r\n F1 ,\"4\",\n\n"
    fixture["routes.txt"] += "F2,4,\"a,b\"\n"
    let source = try FeedSource(at: try fixture.writeFolder(in: folder))
    var seen: [String: [String]] = [:]
    var reading = FeedReading(of: source, progress: { _ in }) { file, columns, record in
      let cells = columns.indices.filter { !record.isBlank($0) }
      let pairs = cells.map { "\(columns[$0])=\(record.text($0))" }
      seen[file, default: []].append(pairs.joined(separator: ";"))
    }
    try reading.read(.everything)
    #expect(
      seen["routes.txt"] == [
        "route_id=F1;route_type=4", "route_id=F2;route_type=4;route_long_name=a,b",
      ])
    #expect(seen["trips.txt"] == ["route_id=F1;service_id=W;trip_id=T1"])
    #expect(seen.keys.sorted() == fixture.files.keys.sorted())
  }

  @Test func progressRisesToOneAndCanStopTheReading() throws {
    var fixture = FeedFixture()
    fixture["shapes.txt"] = String(repeating: "a,b\n", count: 100_000)
    let url = try fixture.writeFolder(in: folder)
    for read in [
      { _ = try Feed.read(from: url, progress: $0) },
      { _ = try FeedReport.examine(url, progress: $0) },
    ]
      as [(@escaping (Double) throws -> Void) throws -> Void]
    {
      var fractions: [Double] = []
      try read { fractions.append($0) }
      #expect(fractions == fractions.sorted())
      #expect(fractions.last == 1)
      #expect(throws: CancellationError.self) { try read { _ in throw CancellationError() } }
    }
  }

  // MARK: Any input

  @Test(arguments: 0..<10 as Range<UInt64>)
  func aDamagedFeedIsReadCompletelyOrRefused(seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    for _ in 0..<40 {
      var fixture = FeedFixture()
      for _ in 0...Int.random(in: 0..<3, using: &random) {
        let name = fixture.files.keys.sorted().randomElement(using: &random)!
        var bytes = try #require(fixture.files[name])
        let place = Int.random(in: 0..<bytes.count, using: &random)
        switch Int.random(in: 0..<3, using: &random) {
        case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
        case 1: bytes.remove(at: place)
        default:
          bytes.insert(
            contentsOf: Array(",\"\n\0".utf8).shuffled(using: &random).prefix(1), at: place)
        }
        fixture.files[name] = bytes
      }
      do {
        let (feed, report) = try read(fixture)
        #expect(report.errorCount == 0, "seed \(seed)")
        #expect(feed.agencies.count == report.rows["agency.txt"], "seed \(seed)")
        #expect(feed.stops.count == report.rows["stops.txt"], "seed \(seed)")
        #expect(feed.routes.count == report.rows["routes.txt"], "seed \(seed)")
      } catch let error as FeedError {
        #expect(error.code == .badData, "seed \(seed)")
        #expect(error.file?.isEmpty == false, "seed \(seed)")
      }
    }
  }
}

extension FeedError {
  fileprivate var place: String {
    "\(file ?? "-") \(line.map(String.init) ?? "-") \(field ?? "-")"
  }
}
