import Foundation
import Holdfast
import HoldfastTestSupport
import HoldfastTransit
import Testing

@testable import HoldfastFeeds

/// How the parts of a feed fit together, which a report examines.
@Suite struct NetworkRulesTests {
  private let folder: Folder

  init() throws { folder = try Folder() }

  /// Noon in Sydney on a day on which the services of the fixture run.
  private static let june = Date(timeIntervalSince1970: 1_780_279_200)

  private func lines(_ fixture: FeedFixture) throws -> [String] {
    let report = try FeedReport.examine(
      try fixture.writeFolder(in: folder, under: UUID().uuidString), at: Self.june)
    return report.problems.map { problem in
      "\(problem.file) \(problem.line ?? 0) \(problem.field ?? "-") \(problem.code) "
        + "\(problem.value ?? "-")"
    }
  }

  /// Three stops on a meridian, about 1.1 km from each other, and a trip with a shape along them.
  private func line(
    _ stops: String = "A,B,C", points: [(Double, Double)] = [(0, 0), (0.01, 0), (0.02, 0)],
    distances: [Double?] = [], ends: [Double?] = []
  ) -> FeedFixture {
    var fixture = FeedFixture()
    fixture["stops.txt"] =
      "stop_id,stop_name,stop_lat,stop_lon\nA,A,10.0,20\nB,B,10.01,20\nC,C,10.02,20\n"
    fixture["routes.txt"] =
      "route_id,agency_id,route_short_name,route_long_name,route_type\nF1,HF,1,,3\n"
    fixture["trips.txt"] = "route_id,service_id,trip_id,shape_id\nF1,W,T1,S\n"
    fixture["stop_times.txt"] =
      "trip_id,arrival_time,departure_time,stop_id,stop_sequence,shape_dist_traveled\n"
    for (index, stop) in stops.split(separator: ",").enumerated() {
      let distance = index < distances.count ? distances[index].map { "\($0)" } ?? "" : ""
      fixture["stop_times.txt"] +=
        "T1,08:\(10 + 5 * index):00,08:\(10 + 5 * index):00,\(stop),\(index),\(distance)\n"
    }
    fixture["shapes.txt"] =
      "shape_id,shape_pt_lat,shape_pt_lon,shape_pt_sequence,shape_dist_traveled\n"
    for (index, point) in points.enumerated() {
      let distance = index < ends.count ? ends[index].map { "\($0)" } ?? "" : ""
      fixture["shapes.txt"] += "S,\(10 + point.0),\(20 + point.1),\(index),\(distance)\n"
    }
    return fixture
  }

  // MARK: Shapes

  @Test func `a trip along its shape has no problem`() throws {
    #expect(try lines(line()) == [])
    // The points may be in any order, and the line may be walked twice.
    var fixture = line()
    let rows = fixture["shapes.txt"].split(separator: "\n")
    fixture["shapes.txt"] = ([rows[0]] + rows.dropFirst().reversed()).joined(separator: "\n") + "\n"
    #expect(try lines(fixture) == [])
    #expect(
      try lines(line("A,B,A,B,C", points: [(0, 0), (0.01, 0), (0, 0), (0.01, 0), (0.02, 0)])) == [])
  }

  @Test func `distances that decrease are reported in rows of any order`() throws {
    var fixture = line(ends: [0, 1.1, 2.2])
    let rows = fixture["shapes.txt"].split(separator: "\n")
    func write(_ order: [Int]) {
      fixture["shapes.txt"] =
        (["\(rows[0])"] + order.map { "\(rows[$0])" }).joined(separator: "\n") + "\n"
    }
    write([3, 1, 2])
    #expect(try lines(fixture) == [])
    fixture = line(ends: [0, 2.2, 1.1])
    let wrong = fixture["shapes.txt"].split(separator: "\n")
    fixture["shapes.txt"] = [wrong[0], wrong[3], wrong[1], wrong[2]].joined(separator: "\n") + "\n"
    #expect(
      try lines(fixture) == [
        "shapes.txt 2 shape_dist_traveled decreasing_shape_distance 1.1"
      ])
  }

  @Test func `points with the sequence of another one are counted`() throws {
    var fixture = line()
    fixture["shapes.txt"] += "S,10.02,20,0,\nR,10,20,5,\nR,10.01,20,5,\n"
    let report = try FeedReport.examine(
      fixture.writeFolder(in: folder, under: "twice"), at: Self.june)
    let found = report.problems.filter { $0.code == "duplicate_key" }
    #expect(found.map(\.field) == ["shape_pt_sequence"])
    #expect(found.first?.message.hasPrefix("2 points of shapes") == true)
  }

  @Test func `a stop far from the shape is reported once`() throws {
    // 0.002 degrees to the east are 219 m at this latitude.
    let points = [(0, 0), (0.005, 0), (0.01, 0.002), (0.015, 0), (0.02, 0)]
    let fixture = line("A,B,C,B", points: points)
    let found = try lines(fixture)
    #expect(found == ["trips.txt 2 shape_id stop_too_far_from_shape B"])
    let report = try FeedReport.examine(
      fixture.writeFolder(in: folder, under: "far"), at: Self.june)
    // The nearest place is on the way to the point, and not the point itself.
    #expect(report.problems.first?.message.contains(" 204 m ") == true, "\(report.problems)")
    // A railway has long stations.
    var railway = line(points: points)
    railway["routes.txt"] =
      "route_id,agency_id,route_short_name,route_long_name,route_type\nF1,HF,1,,2\n"
    #expect(try lines(railway) == [])
    // 50 m are near.
    #expect(try lines(line(points: [(0, 0.00045), (0.02, 0.00045)])) == [])
  }

  /// It is looked at in parts, of which only those near a stop matter.
  @Test func `a shape of many points is one line`() throws {
    func points(apart east: Double) -> [(Double, Double)] {
      (0...1000).map { ((Double($0) * 0.00002), (400...600).contains($0) ? east : 0) }
    }
    #expect(try lines(line("A,B,C,B", points: points(apart: 0.0005) + [(0, 0.0005)])) == [])
    let far = line("A,B,C,B", points: points(apart: 0.002))
    #expect(try lines(far) == ["trips.txt 2 shape_id stop_too_far_from_shape B"])
    let report = try FeedReport.examine(far.writeFolder(in: folder, under: "long"), at: Self.june)
    #expect(report.problems.first?.message.contains(" 219 m ") == true, "\(report.problems)")
    #expect(
      try lines(line(points: points(apart: 0).reversed()))
        == ["trips.txt 2 shape_id stops_match_shape_out_of_order B"])
  }

  @Test(arguments: [[(0.02, 0), (0.01, 0), (0, 0)], [(0.02, 0), (0, 0)]] as [[(Double, Double)]])
  func `stops against the direction of the shape are reported`(
    points: [(Double, Double)]
  ) throws {
    #expect(
      try lines(line(points: points)) == ["trips.txt 2 shape_id stops_match_shape_out_of_order B"])
  }

  @Test func `a shape over the antimeridian is one line`() throws {
    var fixture = line()
    fixture["stops.txt"] =
      "stop_id,stop_name,stop_lat,stop_lon\nA,A,10,179.99\nB,B,10,180\nC,C,10,-179.99\n"
    fixture["shapes.txt"] =
      "shape_id,shape_pt_lat,shape_pt_lon,shape_pt_sequence\nS,10,179.99,0\nS,10,-179.99,1\n"
    #expect(try lines(fixture) == [])
    let many = (0...200).map { number in
      let longitude = 179.99 + Double(number) * 0.0001
      return "S,10,\(longitude > 180 ? longitude - 360 : longitude),\(number)\n"
    }
    fixture["shapes.txt"] =
      "shape_id,shape_pt_lat,shape_pt_lon,shape_pt_sequence\n" + many.joined()
    #expect(try lines(fixture) == [])
  }

  @Test func `a trip with distances beyond the end of its shape is reported`() throws {
    let ends = [0.0, 1.1, 2.2]
    #expect(try lines(line(distances: [0, 1.1, 2.2], ends: ends)) == [])
    // It ends 56 m before the last stop.
    let short = [(0.0, 0.0), (0.01, 0.0), (0.0195, 0.0)]
    #expect(
      try lines(line(points: short, distances: [0, 1100, 2200], ends: ends)) == [
        "trips.txt 2 shape_id trip_distance_exceeds_shape_distance 2200.0"
      ])
    // The last stop is at the end of the shape, so that only the distance is rounded.
    #expect(try lines(line(distances: [0, 1.1, 2.3], ends: ends)) == [])
    // Without distances in one of the files there is nothing to compare.
    #expect(try lines(line(distances: [0, 1100, 2200])) == [])
  }

  // MARK: Blocks and services

  @Test(arguments: [
    ("08:20:00", "W", true), ("08:21:00", "W", false), ("08:20:00", "X", false),
    ("08:20:00", "Y", true),
  ])
  func `trips of one block at the same time are reported`(
    start: String, service: String, isReported: Bool
  ) throws {
    var fixture = FeedFixture()
    fixture["calendar.txt"] +=
      "X,0,0,0,0,0,1,1,20260105,20261231\nY,0,0,0,0,0,1,1,20260105,20261231\n"
    fixture["calendar_dates.txt"] = "service_id,date,exception_type\nY,20260601,1\n"
    fixture["trips.txt"] =
      "route_id,service_id,trip_id,block_id\nF1,W,T1,b\nF1,\(service),T2,b\nF1,W,T3,c\n"
    fixture["stop_times.txt"] = "trip_id,arrival_time,departure_time,stop_id,stop_sequence\n"
    for (trip, first, last) in [
      ("T1", "08:00:00", "08:21:00"), ("T2", start, "08:40:00"), ("T3", start, "08:40:00"),
    ] {
      fixture["stop_times.txt"] += "\(trip),\(first),\(first),Q1,1\n\(trip),\(last),\(last),Q1,2\n"
    }
    let found = try lines(fixture).filter { $0.contains("block") }
    #expect(
      found
        == (isReported ? ["trips.txt 2 block_id block_trips_with_overlapping_stop_times T1"] : []))
  }

  @Test func `a service whose days are all removed is reported`() throws {
    var fixture = FeedFixture()
    fixture["calendar.txt"] += "X,1,0,0,0,0,0,0,20260601,20260608\n"
    fixture["trips.txt"] += "F1,X,T2\n"
    fixture["stop_times.txt"] += "T2,08:00:00,08:00:00,Q1,1\nT2,08:10:00,08:10:00,Q1,2\n"
    fixture["calendar_dates.txt"] = "service_id,date,exception_type\nX,20260601,2\n"
    #expect(try lines(fixture) == [])
    fixture["calendar_dates.txt"] += "X,20260608,2\n"
    #expect(try lines(fixture) == ["calendar.txt 3 service_id service_days_all_removed X"])
  }

  // MARK: Routes and stops

  @Test(arguments: [
    ("FF0000,FF0000", true), ("FFFFFF,EEEEEE", true), ("000000,", true), (",FFFF00", true),
    ("FFFFFF,000000", false), (",", false), ("00FF00,", false), ("0000FF,FFFFFF", false),
  ])
  func `colors that cannot be read on each other are reported`(
    colors: String, isReported: Bool
  ) throws {
    var fixture = FeedFixture()
    fixture["routes.txt"] =
      "route_id,agency_id,route_short_name,route_long_name,route_type,route_color,route_text_color\n"
      + "F1,HF,F1,Harbour,4,\(colors)\n"
    let found = try lines(fixture)
    #expect(found.count == (isReported ? 1 : 0))
    #expect(found.allSatisfy { $0.contains("routes.txt 2 route_text_color route_color_contrast") })
  }

  @Test func `access to a stop outside a station is reported`() throws {
    var fixture = FeedFixture()
    fixture["stops.txt"] = """
      stop_id,stop_name,stop_lat,stop_lon,location_type,parent_station,stop_access
      Q,Quay,-33.861,151.211,1,,1
      Q1,Wharf,-33.8611,151.2111,,Q,1
      Q2,Alone,-33.8611,151.2111,,,0

      """
    fixture["stop_times.txt"] += "T1,08:20:00,08:20:00,Q2,3\n"
    #expect(
      try lines(fixture) == [
        "stops.txt 2 stop_access stop_access_specified_for_incorrect_location Q",
        "stops.txt 4 stop_access stop_access_specified_for_stop_with_no_parent_station Q2",
      ])
  }

  @Test func `parts of a station that no pathway reaches are reported`() throws {
    var fixture = FeedFixture()
    fixture["stops.txt"] = """
      stop_id,stop_name,stop_lat,stop_lon,location_type,parent_station
      Q,Quay,-33.861,151.211,1,
      Q1,One,-33.8611,151.2111,,Q
      Q2,Two,-33.8611,151.2111,,Q
      Q3,Three,-33.8611,151.2111,,Q
      E,Entrance,-33.8611,151.2111,2,Q
      B,,,,4,Q3

      """
    fixture["stop_times.txt"] += "T1,08:20:00,08:20:00,Q2,3\nT1,08:30:00,08:30:00,Q3,4\n"
    let header = "pathway_id,from_stop_id,to_stop_id,pathway_mode,is_bidirectional\n"
    fixture["pathways.txt"] = header + "a,E,Q1,1,1\nb,E,Q2,1,0\nc,E,B,1,1\n"
    #expect(try lines(fixture) == ["stops.txt 4 stop_id pathway_unreachable_location Q2"])
    fixture["pathways.txt"] = header + "a,E,Q1,1,1\nb,Q2,Q1,1,1\nd,Q,Q1,1,1\n"
    #expect(
      try lines(fixture) == [
        "pathways.txt 0 from_stop_id pathway_to_wrong_location_type Q",
        "stops.txt 7 stop_id pathway_unreachable_location B",
      ])
  }

  @Test func `a time zone that was removed is read under its new name`() throws {
    var fixture = FeedFixture()
    fixture["agency.txt"] =
      "agency_id,agency_name,agency_url,agency_timezone\nHF,Ferries,https://a.example,US/Pacific-New\n"
    let feed = try fixture.writeFolder(in: folder)
    #expect(
      try lines(fixture) == ["agency.txt 2 agency_timezone removed_timezone US/Pacific-New"])
    let directory = try TemporaryDirectory()
    try FeedImporter(feed: feed, output: directory.file("a.db")).run()
    let timetable = try Timetable(at: directory.file("a.db"))
    defer { timetable.reader.closeIgnoringErrors() }
    let zone = try timetable.reader.read { db in
      try String.fetchOne(db, sql: "SELECT agency_timezone FROM agency")
    }
    #expect(zone == "America/Los_Angeles")
  }

  // MARK: Other files

  @Test func `rows of transfers need the fields of their type, also in an import`() throws {
    var fixture = FeedFixture()
    fixture["transfers.txt"] = """
      from_stop_id,to_stop_id,from_trip_id,to_trip_id,transfer_type
      Q1,Q,,,2
      Q1,,,,0
      ,,T1,T1,4
      Q1,Q,T1,,5
      ,Q,,,

      """
    let expected = [
      "transfers.txt 3 to_stop_id missing_required_field -",
      "transfers.txt 5 to_trip_id missing_required_field -",
      "transfers.txt 6 from_stop_id missing_required_field -",
    ]
    #expect(try lines(fixture) == expected)
    let directory = try TemporaryDirectory()
    let made = try FeedImporter(
      feed: fixture.writeFolder(in: folder), output: directory.file("a.db")
    ).run()
    #expect(
      made.report.problems.filter { $0.file == "transfers.txt" }.map {
        "\($0.file) \($0.line ?? 0) \($0.field ?? "-") \($0.code) -"
      } == expected)
  }

  @Test func `translations of what the feed lacks are reported`() throws {
    var fixture = FeedFixture()
    fixture["translations.txt"] = """
      table_name,field_name,language,translation,record_id,record_sub_id,field_value
      stops,stop_name,en,Quay,Q,,
      stops,stop_name,en,Quay,nope,,
      routes,route_long_name,en,Harbour,,,Harbour
      stops,stop_name,en,Quay,Q,,Quay
      stop_times,stop_headsign,en,x,T1,1,
      stop_times,stop_headsign,en,x,T9,1,
      halts,stop_name,en,x,Q,,
      feed_info,feed_publisher_name,en,x,,,
      trips,trip_headsign,en,x,,,
      stop_times,stop_headsign,en,x,T1,9,
      stop_times,stop_headsign,en,x,T1,1x,
      stop_times,stop_headsign,en,x,T1,,
      stops,stop_name,en,Quay,Q,1,
      feed_info,feed_publisher_name,en,x,,1,

      """
    #expect(
      try lines(fixture) == [
        "translations.txt 3 record_id translation_foreign_key_violation nope",
        "translations.txt 5 record_id translation_unexpected_value Q",
        "translations.txt 7 record_id translation_foreign_key_violation T9",
        "translations.txt 8 table_name translation_unknown_table_name halts",
        "translations.txt 10 record_id missing_required_field -",
        "translations.txt 11 record_sub_id translation_foreign_key_violation 9",
        "translations.txt 12 record_sub_id translation_foreign_key_violation 1x",
        "translations.txt 13 record_sub_id missing_required_field -",
        "translations.txt 14 record_sub_id translation_unexpected_value 1",
        "translations.txt 15 record_sub_id translation_unexpected_value 1",
      ])
  }

  /// The `stop_sequence` of a call is a number, however a file writes it.
  @Test(arguments: ["01", "001", "+1", "1"])
  func `translations name a call by its number`(sequence: String) throws {
    var fixture = FeedFixture()
    fixture["stop_times.txt"].replace(",1\n", with: ",01\n")
    fixture["translations.txt"] = """
      table_name,field_name,language,translation,record_id,record_sub_id,field_value
      stop_times,stop_headsign,en,x,T1,\(sequence),

      """
    #expect(try lines(fixture) == [])
  }

  @Test(arguments: [
    "agency.txt", "stops.txt", "routes.txt", "trips.txt", "stop_times.txt", "calendar.txt",
    "feed_info.txt", "translations.txt", "shapes.txt", "notes.txt",
  ])
  func `values in a column without a name are reported in every file`(file: String) throws {
    var fixture = FeedFixture()
    fixture["feed_info.txt"] =
      "feed_publisher_name,feed_publisher_url,feed_lang\nA,https://a.example.org,en\n"
    fixture["translations.txt"] =
      "table_name,field_name,language,translation,field_value\nroutes,route_long_name,en,Port,Harbour\n"
    fixture["shapes.txt"] =
      "shape_id,shape_pt_lat,shape_pt_lon,shape_pt_sequence\ns,0,0,1\ns,0,0.1,2\n"
    fixture["notes.txt"] = "note\nlate\n"
    var rows = fixture[file].split(separator: "\n").map { "\($0)," }
    fixture[file] = rows.joined(separator: "\n") + "\n"
    #expect(try lines(fixture).filter { $0.contains("empty_column_name") } == [])
    rows[1] += "lost"
    fixture[file] = rows.joined(separator: "\n") + "\n"
    let expected = ["\(file) 2 - empty_column_name -"]
    #expect(try lines(fixture).filter { $0.contains("empty_column_name") } == expected)
    let directory = try TemporaryDirectory()
    let made = try FeedImporter(
      feed: fixture.writeFolder(in: folder), output: directory.file("a.db")
    ).run()
    #expect(made.report.counts["empty_column_name"] == 1)
  }

  @Test func `times next to windows, and windows that are not whole, are reported`() throws {
    var fixture = FeedFixture()
    let header =
      "trip_id,arrival_time,departure_time,stop_id,location_id,stop_sequence,start_pickup_drop_off_window,end_pickup_drop_off_window\n"
    fixture["trips.txt"] += "F1,W,T2\nF1,W,T3\nF1,W,T4\n"
    fixture["stop_times.txt"] =
      header + "T1,08:00:00,08:00:00,Q1,,1,,\nT1,08:10:00,08:10:00,Q1,,2,,\n"
      + "T2,,,,z,1,08:00:00,10:00:00\nT2,,09:00:00,,z,2,08:00:00,10:00:00\n"
      + "T3,,,,z,1,08:00:00,\nT3,,,,z,2,,\n"
      + "T4,,,,z,1,10:00:00,08:00:00\nT4,,,,z,2,08:9223372036854775807:00,10:00:00\n"
    let found = try lines(fixture).filter { $0.contains("window") }
    #expect(
      found == [
        "stop_times.txt 0 start_pickup_drop_off_window forbidden_arrival_or_departure_time T2",
        "stop_times.txt 0 end_pickup_drop_off_window missing_pickup_or_drop_off_window T3",
        "stop_times.txt 0 start_pickup_drop_off_window missing_pickup_or_drop_off_window T3",
        "stop_times.txt 0 start_pickup_drop_off_window invalid_pickup_drop_off_window 10:00:00 – 08:00:00",
        "stop_times.txt 0 start_pickup_drop_off_window invalid_time 08:9223372036854775807:00",
      ])
  }
}
