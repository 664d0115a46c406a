import Foundation
import HoldfastTransit
import Testing

@testable import HoldfastFeeds

/// What each flaw of trips, times and services costs.
@Suite struct ScheduleFlawTests {
  private let folder: Folder

  init() throws { folder = try Folder() }

  private func read(_ fixture: FeedFixture) throws -> ScheduleLines {
    try ScheduleLines(of: try fixture.writeFolder(in: folder, under: UUID().uuidString))
  }

  private func codes(_ lines: ScheduleLines) -> [String] {
    lines.report.problems.filter { $0.severity != .info }.map {
      "\($0.file) \($0.line ?? 0) \($0.field ?? "-") \($0.code)"
    }
  }

  // MARK: Times

  @Test(arguments: [
    ("08:00:00,08:00:00", "8:00:00, 8:00:00 ", "28800|28800"),
    ("08:00:00,08:00:00", "24:00:00,25:59:59", "86400|93599"),
    ("08:00:00,08:00:00", "121:00:00,1000:00:00", "435600|3600000"),
    ("08:00:00,08:00:00", ",08:00:00", "|28800"), ("08:00:00,08:00:00", "08:00:00,", "28800|"),
  ])
  func `times past 24 hours, with one digit and blank ones are kept`(
    old: String, new: String, times: String
  ) throws {
    var fixture = FeedFixture()
    fixture["stop_times.txt"] = fixture["stop_times.txt"].replacing(old, with: new)
    let lines = try read(fixture)
    #expect(lines.lines(of: "stop_times").contains("stop_times T1|\(times)|Q1|1||||||"))
    #expect(lines.report.counts["invalid_time"] == nil)
  }

  @Test(arguments: [("8:10", 29400), ("08:10", 29400), ("25:05", 90300)])
  func `a time without seconds is read, and reported`(text: String, seconds: Int) throws {
    var fixture = FeedFixture()
    fixture["stop_times.txt"] = fixture["stop_times.txt"].replacing("08:10:00", with: text)
    let lines = try read(fixture)
    #expect(lines.lines(of: "stop_times").contains { $0.hasPrefix("stop_times T1|\(seconds)|") })
    #expect(codes(lines).contains("stop_times.txt 3 arrival_time invalid_time"))
  }

  @Test func `whole numbers with a fraction of zeros are read, and reported`() throws {
    var fixture = FeedFixture()
    fixture["trips.txt"] = "route_id,service_id,trip_id,direction_id\nF1,W,T1,1\n"
    fixture["stop_times.txt"] = """
      trip_id,arrival_time,departure_time,stop_id,stop_sequence,pickup_type,timepoint
      T1,08:00:00,08:00:00,Q1,1,0,1
      T1,08:10:00,08:11:00,Q1,10,1,

      """
    fixture["calendar_dates.txt"] = "service_id,date,exception_type\nW,20260106,2\n"
    fixture["frequencies.txt"] =
      "trip_id,start_time,end_time,headway_secs\nT1,8:00:00,9:00:00,600\n"
    let plain = try read(fixture)
    for (file, old, new) in [
      ("trips.txt", "T1,1", "T1,1.0"), ("stop_times.txt", "Q1,1,0,1", "Q1,1.0,0.0,1.0"),
      ("stop_times.txt", "Q1,10,1", "Q1,10.0,1.0"),
      ("calendar_dates.txt", "20260106,2", "20260106.0,2.0"), ("frequencies.txt", "600", "600.0"),
    ] {
      #expect(fixture[file].contains(old))
      fixture[file] = fixture[file].replacing(old, with: new)
    }
    let lines = try read(fixture)
    for table in ["trips", "stop_times", "calendar_dates", "frequencies"] {
      #expect(lines.lines(of: table) == plain.lines(of: table), "\(table)")
    }
    #expect(lines.report.counts == ["invalid_integer": 8, "invalid_date": 1])
  }

  @Test(arguments: [
    "8", "8:0", "8:60", "a8:00", "008:00", "08:60:00", "08:00:60", "08-00-00", "-8:00:00",
    "a8:00:00", "00008:00:00",
    "08:0a:00", "NA",
  ])
  func `a time that cannot be read counts as blank`(text: String) throws {
    var fixture = FeedFixture()
    fixture["stop_times.txt"] = fixture["stop_times.txt"].replacing("08:10:00", with: text)
    let lines = try read(fixture)
    #expect(lines.lines(of: "stop_times").contains("stop_times T1||29460|Q1|2||||||"))
    #expect(codes(lines) == ["stop_times.txt 3 arrival_time invalid_time"])
  }

  @Test func `a time before an earlier one of the trip is kept and reported`() throws {
    var fixture = FeedFixture()
    fixture["stop_times.txt"] = fixture["stop_times.txt"].replacing("08:10:00", with: "07:10:00")
    let lines = try read(fixture)
    #expect(lines.lines(of: "stop_times").contains("stop_times T1|25800|29460|Q1|2||||||"))
    #expect(
      codes(lines) == [
        "stop_times.txt 3 arrival_time stop_time_with_arrival_before_previous_departure_time"
      ])
    let message = lines.report.problems.first?.message
    #expect(
      message
        == "07:10:00 is before 08:00:00, an earlier time of the trip; journeys do not use such stops."
    )
  }

  @Test func `a trip without a time at its end is kept and reported`() throws {
    var fixture = FeedFixture()
    fixture["stop_times.txt"] =
      fixture["stop_times.txt"].replacing("08:10:00,08:11:00", with: ",")
    let lines = try read(fixture)
    #expect(lines.lines(of: "stop_times").contains("stop_times T1|||Q1|2||||||"))
    #expect(codes(lines) == ["stop_times.txt 3 arrival_time missing_trip_edge"])
  }

  @Test func `a trip without any time starts at 0`() throws {
    var fixture = FeedFixture()
    fixture["stop_times.txt"] = "trip_id,stop_id,stop_sequence\nT1,Q1,1\nT1,Q1,2\n"
    let lines = try read(fixture)
    #expect(lines.content.runs.map(\.start) == [0])
    let blank = TimetableContent.Timing.blank
    #expect(
      lines.content.patterns.map(\.timings)
        == [[.init(arrivals: [blank, blank], departures: [blank, blank])]])
    #expect(lines.report.counts["missing_required_column"] == 2)
  }

  @Test func `a trip whose rows are scattered is judged by all of them`() throws {
    var fixture = FeedFixture()
    fixture["trips.txt"] += "F1,W,T2\n"
    let other = "T2,08:00:00,08:00:00,Q1,1\nT2,08:10:00,08:10:00,Q1,2\n"
    let header = "trip_id,arrival_time,departure_time,stop_id,stop_sequence\n"
    // The first rows end without a time, and the trip does not.
    fixture["stop_times.txt"] =
      header + "T1,08:00:00,08:00:00,Q1,1\nT1,,,Q1,2\n\(other)T1,08:20:00,08:20:00,Q1,3\n"
    #expect(codes(try read(fixture)) == [])
    // The first rows have a flaw that the trip has too, which is counted once.
    fixture["stop_times.txt"] =
      header + "T1,08:00:00,08:00:00,Q1,1\nT1,07:50:00,,Q1,2\n\(other)T1,08:20:00,,Q1,3\n"
    let decreasing = "stop_time_with_arrival_before_previous_departure_time"
    #expect(try read(fixture).report.counts == [decreasing: 1])
    // Of two trips with a flaw, one is whole when it is found.
    fixture["stop_times.txt"] += "T2,07:00:00,07:00:00,Q,3\nT1,,08:20:00,Q1,3\n"
    #expect(try read(fixture).report.counts == [decreasing: 2, "duplicate_key": 1])
  }

  // MARK: Rows of times

  /// One quote too many costs its row, in whatever part of a file of any size it is.
  @Test(arguments: [0, 1, 20_000, 60_000, 60_001])
  func `a quote that is never closed costs its row`(row: Int) throws {
    var fixture = FeedFixture()
    var rows = (0..<60_002).map { "T1,08:00:00,08:00:00,Q1,\($0)\n" }
    let header = "trip_id,arrival_time,departure_time,stop_id,stop_sequence\n"
    fixture["stop_times.txt"] = header + rows.joined()
    #expect(fixture["stop_times.txt"].utf8.count > 3 << 19)
    rows[row] = "T1,\"08:00:00,08:00:00,Q1,\(row)\n"
    fixture["stop_times.txt"] = header + rows.joined()
    let lines = try read(fixture)
    #expect(codes(lines) == ["stop_times.txt \(row + 2) arrival_time csv_parsing_failed"])
    let sequences = try #require(lines.content.patterns.first).calls.map { Int($0.sequence) }
    #expect(sequences == Array(0..<60_002).filter { $0 != row })
  }

  @Test(arguments: [
    ("T9,09:00:00,09:00:00,Q1,3", "trip_id foreign_key_violation"),
    (",09:00:00,09:00:00,Q1,3", "trip_id missing_required_field"),
    ("T1,09:00:00,09:00:00,X,3", "stop_id foreign_key_violation"),
    ("T1,09:00:00,09:00:00,,3", "stop_id missing_required_field"),
    ("T1,09:00:00,09:00:00,Q1,", "stop_sequence missing_required_field"),
    ("T1,09:00:00,09:00:00,Q1,-3", "stop_sequence number_out_of_range"),
    ("T1,09:00:00,09:00:00,Q1,3.5", "stop_sequence invalid_integer"),
    ("T1,09:00:00,09:00:00,Q1,2147483648", "stop_sequence number_out_of_range"),
    ("T1,09:00:00,09:00:00,Q1,3,4", "- invalid_row_length"),
  ])
  func `a row of times without its trip, stop or sequence is left out`(
    row: String, problem: String
  ) throws {
    var fixture = FeedFixture()
    let whole = try read(fixture)
    fixture["stop_times.txt"] += row + "\n"
    let lines = try read(fixture)
    #expect(lines.lines == whole.lines)
    #expect(codes(lines) == ["stop_times.txt 4 \(problem)"])
  }

  @Test func `one damaged byte among the times refuses no feed`() throws {
    var fixture = FeedFixture()
    fixture["stop_times.txt"] += "T1,08:20:00,08:20:00,Q1,3\n"
    let bytes = fixture.files["stop_times.txt"] ?? []
    let start = try #require(bytes.firstIndex(of: 0x0A)) + 1
    let damages: [UInt8] = [0x00, 0xE9, 0xFF, 0x0D, 0x2C, 0x21, 0x0A]
    for position in start..<bytes.count {
      let byte = damages[position % damages.count]
      fixture.files["stop_times.txt"] = bytes
      fixture.files["stop_times.txt"]?[position] = byte
      let lines = try read(fixture)
      #expect(lines.lines(of: "stop_times").count >= 1, "byte \(position) is \(byte)")
    }
  }

  @Test func `bytes that are not UTF-8 in a headsign become replacement characters`() throws {
    var fixture = FeedFixture()
    fixture["trips.txt"] = "route_id,service_id,trip_id,trip_headsign\nF1,W,T1,K\n"
    fixture.files["trips.txt"]?.insert(contentsOf: [0xFC, 0x00], at: 50)
    let lines = try read(fixture)
    #expect(lines.content.texts == ["\u{FFFD}\u{FFFD}K"])
    #expect(
      codes(lines) == [
        "trips.txt 2 trip_headsign nul_byte", "trips.txt 2 trip_headsign invalid_character",
      ])
  }

  @Test func `of two calls with one sequence the earlier is kept in any order`() throws {
    var fixture = FeedFixture()
    let rows = [
      "T1,08:20:00,08:20:00,Q,2\n", "T1,08:10:00,08:11:00,Q1,2\n", "T1,08:00:00,,Q1,1\n",
      // A time is kept before none, and one that is only an arrival.
      "T1,,,Q,3\n", "T1,,08:40:00,Q1,3\n", "T1,08:30:00,,Q,3\n",
    ]
    var found: Set<[String]> = []
    for order in [rows, rows.reversed(), [1, 4, 2, 3, 0, 5].map { rows[$0] }] {
      fixture["stop_times.txt"] =
        "trip_id,arrival_time,departure_time,stop_id,stop_sequence\n" + order.joined()
      let lines = try read(fixture)
      found.insert(lines.lines)
      #expect(lines.report.counts["duplicate_key"] == 3)
      #expect(lines.content.rows["stop_times.txt"] == 3)
      #expect(lines.lines.contains("stop_times T1|29400|29460|Q1|2||||||"))
      #expect(lines.lines.contains("stop_times T1|30600||Q|3||||||"))
    }
    #expect(found.count == 1)
  }

  @Test func `an unknown pickup type is left out and the row kept`() throws {
    var fixture = FeedFixture()
    fixture["stop_times.txt"] =
      "trip_id,arrival_time,departure_time,stop_id,stop_sequence,pickup_type,timepoint\n"
      + "T1,08:00:00,08:00:00,Q1,1,4,1\nT1,08:10:00,08:11:00,Q1,2,3,2\n"
    let lines = try read(fixture)
    #expect(
      lines.lines(of: "stop_times") == [
        "stop_times T1|28800|28800|Q1|1|||||1|",
        "stop_times T1|29400|29460|Q1|2||3||||",
      ])
    #expect(
      codes(lines) == [
        "stop_times.txt 2 pickup_type unexpected_enum_value",
        "stop_times.txt 3 timepoint unexpected_enum_value",
      ])
  }

  @Test func `a flexible stop keeps its area as text`() throws {
    var fixture = FeedFixture()
    fixture["stop_times.txt"] =
      "trip_id,stop_id,location_id,stop_sequence,start_pickup_drop_off_window\n"
      + "T1,,area 1,1,08:00:00\nT1,Q1,,2,\nT1,,,3,\n"
    let lines = try read(fixture)
    #expect(lines.content.stopTimeColumns == ["location_id", "start_pickup_drop_off_window"])
    #expect(
      lines.lines(of: "stop_times") == [
        "stop_times T1|||Q1|2||||||", "stop_times T1||||1||||||area 1,08:00:00",
      ])
  }

  // MARK: Trips

  @Test func `a trip of an unknown route is left out with its times`() throws {
    var fixture = FeedFixture()
    let whole = try read(fixture)
    fixture["trips.txt"] += "X,W,T2\n"
    fixture["stop_times.txt"] += "T2,08:00:00,08:00:00,Q1,1\nT2,08:10:00,08:10:00,Q1,2\n"
    fixture["frequencies.txt"] =
      "trip_id,start_time,end_time,headway_secs\nT2,08:00:00,09:00:00,600\n"
    let lines = try read(fixture)
    #expect(lines.lines == whole.lines)
    #expect(
      codes(lines) == [
        "trips.txt 3 route_id foreign_key_violation",
        "frequencies.txt 2 trip_id foreign_key_violation",
        "stop_times.txt 0 trip_id dropped_trip",
      ])
  }

  @Test func `a trip of an unknown service is kept and never runs`() throws {
    var fixture = FeedFixture()
    fixture["trips.txt"] += "F1,V,T2\n"
    let lines = try read(fixture)
    #expect(lines.content.services.map(\.serviceID) == ["W", "V"])
    #expect(lines.content.services.last?.week == nil)
    #expect(
      codes(lines) == [
        "trips.txt 3 service_id foreign_key_violation", "trips.txt 3 trip_id unused_trip",
      ])
  }

  @Test func `a trip without times is kept`() throws {
    var fixture = FeedFixture()
    fixture["stop_times.txt"] = "trip_id,arrival_time,departure_time,stop_id,stop_sequence\n"
    let lines = try read(fixture)
    #expect(lines.lines(of: "trips") == ["trips T1|F1|W||||||||"])
    #expect(lines.content.patterns.map(\.calls.count) == [0])
    #expect(codes(lines) == ["trips.txt 2 trip_id unused_trip"])
  }

  @Test func `of two trips with one identifier the same is kept in any order`() throws {
    let rows = ["F1,W,T1,North,0\n", "F1,W,T1,South,0\n", "X,W,T1,Aa,0\n"]
    var found: Set<[String]> = []
    for order in [rows, rows.reversed(), [rows[1], rows[2], rows[0]]] {
      var fixture = FeedFixture()
      fixture["trips.txt"] =
        "route_id,service_id,trip_id,trip_headsign,direction_id\n" + order.joined()
      let lines = try read(fixture)
      found.insert(lines.lines)
      #expect(lines.report.counts["duplicate_key"] == 2)
      // The rows that are said to be left out are those that were.
      let left = lines.report.problems.filter { $0.code == "duplicate_key" }.compactMap(\.line)
      #expect(Set(left) == Set(order.indices.filter { order[$0] != rows[0] }.map { $0 + 2 }))
      #expect(lines.lines(of: "trips") == ["trips T1|F1|W|North||0|||||"])
    }
    #expect(found.count == 1)
  }

  @Test(arguments: [",W,T2", "F1,,T2", "F1,W,"])
  func `a trip without a key is left out`(row: String) throws {
    var fixture = FeedFixture()
    let whole = try read(fixture)
    fixture["trips.txt"] += row + "\n"
    let lines = try read(fixture)
    #expect(lines.lines == whole.lines)
    #expect(lines.report.counts == ["missing_required_field": 1])
  }

  // MARK: Services

  @Test func `a service that is repeated is taken once`() throws {
    var fixture = FeedFixture()
    let whole = try read(fixture)
    fixture["calendar.txt"] += "W,1,1,1,1,1,0,0,20260105,20261231\n"
    let lines = try read(fixture)
    #expect(lines.lines == whole.lines)
    #expect(codes(lines) == ["calendar.txt 3 service_id duplicate_key"])
  }

  @Test func `a service with two different weeks refuses the feed`() throws {
    var fixture = FeedFixture()
    fixture["calendar.txt"] += "W,1,1,1,1,1,1,0,20260105,20261231\n"
    let error = #expect(throws: FeedError.self) { try read(fixture) }
    #expect(error?.code == .badData)
    #expect(error?.file == "calendar.txt" && error?.line == 3 && error?.field == "service_id")
  }

  @Test func `of two exceptions for one day the removal is kept`() throws {
    for rows in [["1", "2"], ["2", "1"], ["2", "2"]] {
      var fixture = FeedFixture()
      fixture["calendar_dates.txt"] =
        "service_id,date,exception_type\n" + rows.map { "W,20260601,\($0)\n" }.joined()
      let lines = try read(fixture)
      #expect(lines.lines(of: "calendar_dates") == ["calendar_dates W|20260601|2|"])
      #expect(lines.report.counts == ["duplicate_key": 1])
    }
  }

  @Test func `a service without a day is kept and reported`() throws {
    var fixture = FeedFixture()
    fixture["calendar.txt"] += "N,0,0,0,0,0,0,0,20260105,20261231\n"
    fixture["calendar.txt"] += "E,0,0,0,0,0,0,0,20260105,20261231\n"
    fixture["calendar_dates.txt"] = "service_id,date,exception_type\nE,20260601,1\n"
    let lines = try read(fixture)
    #expect(lines.lines(of: "calendar").contains("calendar N|0|20260105|20261231|"))
    #expect(codes(lines) == ["calendar.txt 3 service_id service_has_no_active_day_of_the_week"])
  }

  // MARK: Frequencies

  @Test(arguments: [
    ("T9,08:00:00,09:00:00,600,0", "trip_id foreign_key_violation"),
    ("T1,8 o'clock,09:00:00,600,0", "start_time invalid_time"),
    ("T1,08:00:00,,600,0", "end_time missing_required_field"),
    ("T1,08:00:00,08:00:00,600,0", "end_time start_and_end_range_equal"),
    ("T1,08:00:00,07:00:00,600,0", "end_time start_and_end_range_out_of_order"),
    ("T1,08:00:00,09:00:00,0,0", "headway_secs number_out_of_range"),
    ("T1,08:00:00,09:00:00,-60,0", "headway_secs number_out_of_range"),
    ("T1,08:00:00,09:00:00,often,0", "headway_secs invalid_integer"),
  ])
  func `a frequency that says no departures is left out`(row: String, problem: String) throws {
    var fixture = FeedFixture()
    fixture["frequencies.txt"] = "trip_id,start_time,end_time,headway_secs,exact_times\n\(row)\n"
    let lines = try read(fixture)
    #expect(lines.content.frequencies.isEmpty)
    #expect(codes(lines) == ["frequencies.txt 2 \(problem)"])
  }

  @Test(arguments: [
    ("23:00:00,00:00:00", "82800|86400"), ("20:00:00,08:00:00", "72000|115200"),
    ("20:00:00,08:00:01", nil), ("25:00:00,2:00:00", "90000|93600"),
    ("25:00:00,1:00:00", nil), ("50:00:00,1:00:00", nil),
  ])
  func `an end that counts from midnight is read so`(span: String, times: String?) throws {
    var fixture = FeedFixture()
    fixture["frequencies.txt"] = "trip_id,start_time,end_time,headway_secs\nT1,\(span),600\n"
    let lines = try read(fixture)
    #expect(lines.lines(of: "frequencies") == (times.map { ["frequencies T1|\($0)|600||"] } ?? []))
    #expect(codes(lines) == ["frequencies.txt 2 end_time start_and_end_range_out_of_order"])
  }

  @Test func `of two frequencies with one start the same is kept in any order`() throws {
    let rows = ["T1,08:00:00,09:00:00,600,0\n", "T1,08:00:00,09:00:00,300,7\n"]
    for order in [rows, rows.reversed()] {
      var fixture = FeedFixture()
      fixture["frequencies.txt"] =
        "trip_id,start_time,end_time,headway_secs,exact_times\n" + order.joined()
      let lines = try read(fixture)
      #expect(lines.lines(of: "frequencies") == ["frequencies T1|28800|32400|300||"])
      #expect(lines.report.counts == ["duplicate_key": 1, "unexpected_enum_value": 1])
    }
  }

  // MARK: Columns

  @Test(arguments: [
    ("stop_times.txt", "stop_sequence"), ("stop_times.txt", "trip_id"),
    ("stop_times.txt", "stop_id"),
    ("trips.txt", "route_id"), ("trips.txt", "service_id"), ("trips.txt", "trip_id"),
  ])
  func `a feed is refused without a column that departures need`(file: String, name: String) throws
  {
    var fixture = FeedFixture()
    fixture[file] = fixture[file].replacing(name, with: "other")
    let error = #expect(throws: FeedError.self) { try read(fixture) }
    #expect(error?.file == file && error?.line == 1 && error?.field == name)
  }

  @Test func `a column that only rows have that are left out is not kept`() throws {
    var fixture = FeedFixture()
    fixture["trips.txt"] = "route_id,service_id,trip_id,apple\nF1,W,T1,\nX,W,T2,red\n"
    fixture["stop_times.txt"] =
      "trip_id,arrival_time,departure_time,stop_id,stop_sequence,pear,plum\n"
      + "T1,08:00:00,08:00:00,Q1,1,,ripe\nT1,08:10:00,08:10:00,Q1,2,,\nT2,08:10:00,,Q1,2,green,\n"
    let lines = try read(fixture)
    #expect(lines.content.tripColumns == [])
    #expect(lines.content.stopTimeColumns == ["plum"])
    #expect(lines.lines(of: "stop_times").first == "stop_times T1|28800|28800|Q1|1||||||ripe")
  }

  @Test func `unknown columns are kept as text in the order of their names`() throws {
    var fixture = FeedFixture()
    fixture["trips.txt"] =
      "zebra,route_id,service_id,trip_id,empty,apple\n\"a, \"\"b\"\"\",F1,W,T1,,\n"
      + ",F1,W,T2,,red\n"
    let lines = try read(fixture)
    #expect(lines.content.tripColumns == ["apple", "zebra"])
    #expect(
      lines.lines(of: "trips") == [
        "trips T1|F1|W||||||||,\"a, \"\"b\"\"\"", "trips T2|F1|W||||||||red,",
      ])
    #expect(lines.report.counts["unknown_column"] == 3)
  }

  @Test func `of two exceptions that contradict each other the one that removes the day counts`()
    throws
  {
    for rows in ["W,20260106,1\nW,20260106,2\n", "W,20260106,2\nW,20260106,1\n"] {
      var fixture = FeedFixture()
      fixture["calendar_dates.txt"] = "service_id,date,exception_type\n" + rows
      let lines = try read(fixture)
      let messages = lines.report.problems.map(\.message)
      #expect(
        messages.contains(
          "one row adds 20260106 to the service 'W' and another one removes it; it does not run then."
        ))
      #expect(!messages.contains { $0.contains("more than one row for") })
      let exceptions = lines.content.services.flatMap(\.exceptions)
      #expect(exceptions.map(\.isAdded) == [false])
    }
  }
}
