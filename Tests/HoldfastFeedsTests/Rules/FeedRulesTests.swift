import Foundation
import HoldfastTestSupport
import Testing

@testable import HoldfastFeeds

/// What a report on a feed examines, and an import does not need.
@Suite struct FeedRulesTests {
  private let folder: Folder

  init() throws { folder = try Folder() }

  /// Noon in Sydney on a day on which the services of the fixture run.
  private static let june = Date(timeIntervalSince1970: 1_780_279_200)

  private func report(
    _ fixture: FeedFixture, at instant: Date = june
  ) throws -> FeedReport {
    try FeedReport.examine(
      try fixture.writeFolder(in: folder, under: UUID().uuidString), at: instant)
  }

  private func lines(_ report: FeedReport) -> [String] {
    report.problems.map { problem in
      "\(problem.severity) \(problem.file) \(problem.line ?? 0) \(problem.field ?? "-") "
        + "\(problem.code) \(problem.value ?? "-")"
    }
  }

  /// A fixture whose trip stops at three stops on a meridian, about 11 km from each other.
  private func spread(_ rows: String, routeType: Int = 3) -> FeedFixture {
    var fixture = FeedFixture()
    fixture["stops.txt"] =
      "stop_id,stop_name,stop_lat,stop_lon\nA,A,10.0,20\nB,B,10.1,20\nC,C,10.2,20\n"
    fixture["routes.txt"] =
      "route_id,agency_id,route_short_name,route_long_name,route_type\nF1,HF,1,,\(routeType)\n"
    fixture["stop_times.txt"] =
      "trip_id,arrival_time,departure_time,stop_id,stop_sequence\n" + rows
    return fixture
  }

  @Test func `a sound feed has no problem`() throws {
    #expect(try lines(report(FeedFixture())) == [])
  }

  // MARK: Stop times

  /// 11.1 km in 4 minutes, and a minute more for rounded times, are 133 km/h.
  @Test(
    arguments: [
      ("08:04:00", 3, nil), ("08:03:00", 3, "167 km/h"), ("08:03:30", 3, "190 km/h"),
      ("08:04:00", 0, "133 km/h"), ("08:01:00", 2, nil), ("08:00:00", 1100, nil),
    ] as [(String, Int, String?)])
  func `a trip that is too fast for its kind of vehicle is reported`(
    arrival: String, routeType: Int, speed: String?
  ) throws {
    let fixture = spread(
      "T1,08:00:00,08:00:00,A,1\nT1,\(arrival),\(arrival),B,2\nT1,09:00:00,09:00:00,C,3\n",
      routeType: routeType)
    let found = try lines(report(fixture))
    let expected = speed.map {
      ["warning stop_times.txt 3 arrival_time fast_travel_between_consecutive_stops \($0)"]
    }
    #expect(found == expected ?? [])
  }

  @Test func `a way of less than a kilometer is said in meters`() throws {
    for (degrees, expected) in [(0.0027, "covers 300 m at 1081 km/h"), (0.1, "covers 11 km at")] {
      let problem = FeedProblem.fastTravel(.fastTravel, meters: degrees * 111_195, seconds: 1)
      #expect(problem.message.contains(expected))
    }
  }

  @Test func `a trip that is too fast over stops without times is reported`() throws {
    let fixture = spread(
      "T1,08:00:00,08:00:00,A,1\nT1,,,B,2\nT1,08:05:00,08:05:00,C,3\n")
    #expect(
      try lines(report(fixture)) == [
        "warning stop_times.txt 4 arrival_time fast_travel_between_far_stops 222 km/h"
      ])
  }

  @Test func `one of many equal trips is reported`() throws {
    var fixture = spread("")
    fixture["trips.txt"] =
      "route_id,service_id,trip_id\n" + (0..<100).map { "F1,W,T\($0)\n" }.joined()
    fixture["stop_times.txt"] +=
      (0..<100).map { "T\($0),08:\($0 % 50 + 10):00,,A,1\nT\($0),,08:\($0 % 50 + 10):00,C,2\n" }
      .joined()
    let report = try report(fixture)
    #expect(report.counts["fast_travel_between_consecutive_stops"] == 1)
    #expect(report.counts["stop_time_with_only_arrival_or_departure_time"] == 1)
    #expect(report.counts["stop_without_stop_time"] == 1)
  }

  @Test func `times that are missing where they are needed are reported`() throws {
    var fixture = spread("")
    fixture["stop_times.txt"] =
      "trip_id,arrival_time,departure_time,stop_id,stop_sequence,timepoint,shape_dist_traveled\n"
      + "T1,08:00:00,08:00:00,A,1,1,0\nT1,,,B,2,1,5\nT1,09:00:00,,C,3,0,5\n"
    #expect(
      try lines(report(fixture)) == [
        "warning stop_times.txt 4 shape_dist_traveled decreasing_or_equal_stop_time_distance 5.0",
        "warning stop_times.txt 4 departure_time stop_time_with_only_arrival_or_departure_time -",
        "warning stop_times.txt 3 arrival_time stop_time_timepoint_without_times -",
      ])
  }

  // MARK: Stops and routes

  @Test func `stops, stations, routes and platforms that lack something are reported`() throws {
    var fixture = FeedFixture()
    fixture["stops.txt"] = """
      stop_id,stop_name,stop_lat,stop_lon,location_type,parent_station,platform_code
      Q,Quay,-33.861,151.211,1,,
      Q1,Wharf,-33.8611,151.2111,,Q,1
      N,Never,-33.86,151.21,,,2
      E,Entrance,-33.86,151.21,2,Q,
      S,Station,-89.5,151.21,1,,

      """
    fixture["routes.txt"] += "F2,HF,F1,Harbour,4\nF3,HF,F1,Harbour,3\n"
    fixture["stop_times.txt"] += "T1,08:20:00,08:20:00,E,3\n"
    #expect(
      try lines(report(fixture)) == [
        "warning stops.txt 6 stop_lat point_near_pole -89.5",
        "info stops.txt 4 parent_station platform_without_parent_station 2",
        "info stops.txt 6 stop_id unused_parent_station S",
        "warning routes.txt 3 route_short_name duplicate_route_name F1 Harbour",
        "warning stop_times.txt 4 stop_id location_with_unexpected_stop_time E",
        "warning stops.txt 4 stop_id stop_without_stop_time N",
        "warning routes.txt 3 route_id route_without_trip F2",
        "warning routes.txt 4 route_id route_without_trip F3",
      ])
  }

  @Test func `a stop is served through its location group`() throws {
    var fixture = FeedFixture()
    fixture["stops.txt"] += "G,Group,-33.86,151.21\nN,Never,-33.86,151.21\n"
    fixture["location_groups.txt"] = "location_group_id,location_group_name\nL,Loop\n"
    fixture["location_group_stops.txt"] = "location_group_id,stop_id\nL,G\n"
    let found = try lines(report(fixture)).filter { $0.contains("stop_without_stop_time") }
    #expect(found.count == 1 && found.first?.hasSuffix(" N") == true, "\(found)")
  }

  @Test func `a level that does not exist is reported`() throws {
    var fixture = FeedFixture()
    fixture["stops.txt"] = """
      stop_id,stop_name,stop_lat,stop_lon,location_type,parent_station,level_id
      Q,Quay,-33.861,151.211,1,,
      Q1,Wharf,-33.8611,151.2111,,Q,L0
      E,Entrance,-33.86,151.21,2,Q,L1

      """
    fixture["levels.txt"] = "level_id,level_index\nL0,0\n"
    #expect(
      try lines(report(fixture)) == ["warning stops.txt 4 level_id foreign_key_violation L1"])
    fixture.files["levels.txt"] = nil
    #expect(
      try lines(report(fixture)) == [
        "warning stops.txt 3 level_id foreign_key_violation L0",
        "warning stops.txt 4 level_id foreign_key_violation L1",
      ])
  }

  @Test func `headways that overlap are reported`() throws {
    var fixture = FeedFixture()
    fixture["frequencies.txt"] =
      "trip_id,start_time,end_time,headway_secs\nT1,09:00:00,10:00:00,600\n"
      + "T1,08:00:00,09:00:01,600\nT1,10:00:00,11:00:00,600\n"
    #expect(
      try lines(report(fixture)) == [
        "warning frequencies.txt 0 start_time overlapping_frequency T1"
      ])
  }

  // MARK: Days

  /// The service runs on weekdays from Monday 5 January to Thursday 31 December 2026.
  @Test(arguments: [
    ("2026-01-04T12:00:00Z", ["calendar.txt 0 start_date feed_not_yet_valid 2026-01-05"]),
    ("2026-01-04T13:00:00Z", []),
    ("2026-12-01T12:00:00Z", []),
    ("2026-12-02T12:00:00Z", ["calendar.txt 0 end_date feed_expiration_date30_days 2026-12-31"]),
    ("2026-12-25T12:00:00Z", ["calendar.txt 0 end_date feed_expiration_date7_days 2026-12-31"]),
    ("2026-12-31T12:00:00Z", ["calendar.txt 0 end_date feed_expiration_date7_days 2026-12-31"]),
    (
      "2026-12-31T13:00:00Z",
      [
        "calendar.txt 0 end_date expired_feed 2026-12-31",
        "calendar.txt 2 service_id expired_calendar W",
      ]
    ),
  ])
  func `a feed that is over, ends soon or is still to come is reported`(
    instant: String, expected: [String]
  ) throws {
    let found = try lines(report(FeedFixture(), at: Date(instant, strategy: .iso8601)))
    #expect(found == expected.map { "warning \($0)" })
  }

  @Test func `the dates of feed_info count before those of the services`() throws {
    var fixture = FeedFixture()
    fixture["feed_info.txt"] = """
      feed_publisher_name,feed_publisher_url,feed_lang,feed_end_date
      P,https://example.org,en,20260602
      """
    #expect(
      try lines(report(fixture)) == [
        "warning feed_info.txt 0 feed_start_date missing_feed_info_date -",
        "warning feed_info.txt 0 feed_end_date feed_expiration_date7_days 2026-06-02",
      ])
  }

  @Test func `exceptions decide on which days a service is over`() throws {
    var fixture = FeedFixture()
    fixture["calendar.txt"] = fixture["calendar.txt"].replacing("20261231", with: "20260529")
    fixture["calendar_dates.txt"] = """
      service_id,date,exception_type
      W,20260529,2
      X,20260101,1
      X,20260801,1
      Y,20260801,1
      """
    fixture["trips.txt"] += "F1,X,T2\n"
    fixture["stop_times.txt"] += "T2,08:00:00,08:00:00,Q1,1\nT2,08:10:00,08:11:00,Q1,2\n"
    #expect(
      try lines(report(fixture)) == [
        "warning calendar.txt 2 service_id expired_calendar W",
        "warning calendar.txt 0 service_id trip_coverage_not_active_for_next7_days -",
      ])
    fixture["calendar_dates.txt"] += "\nX,20260607,1\n"
    #expect(
      try lines(report(fixture)) == ["warning calendar.txt 2 service_id expired_calendar W"])
  }

  @Test func `a service that is only removed is reported, with and without a calendar`() throws {
    var fixture = FeedFixture()
    fixture["calendar_dates.txt"] = "service_id,date,exception_type\nX,20260601,2\n"
    fixture["trips.txt"] += "F1,X,T2\n"
    fixture["stop_times.txt"] += "T2,08:00:00,08:00:00,Q1,1\nT2,08:10:00,08:11:00,Q1,2\n"
    let found = try lines(report(fixture)).filter { $0.contains("service_days_all_removed") }
    #expect(found == ["warning calendar_dates.txt 0 service_id service_days_all_removed X"])
  }

  // MARK: Other files

  @Test func `transfers, pathways and attributions are examined`() throws {
    var fixture = spread(
      "T1,08:00:00,08:00:00,A,1\nT1,08:30:00,08:30:00,B,2\nT1,09:00:00,09:00:00,C,3\n")
    fixture["transfers.txt"] = """
      from_stop_id,to_stop_id,from_trip_id,transfer_type,min_transfer_time
      A,B,T1,2,120
      A,X,T2,6,-1
      ,,,,soon
      A,B,,2.0,120.0
      """
    fixture["pathways.txt"] = """
      pathway_id,from_stop_id,to_stop_id,pathway_mode,is_bidirectional
      P,A,A,1,1
      P,A,B,8,
      """
    fixture["attributions.txt"] = "organization_name,is_producer\nO,0\nP,1\n,1\n"
    fixture["areas.txt"] = "area_name\nN\n"
    #expect(
      try lines(report(fixture)) == [
        "warning areas.txt 1 area_id missing_required_column -",
        "warning attributions.txt 2 is_producer attribution_without_role -",
        "warning attributions.txt 4 organization_name missing_required_field -",
        "warning pathways.txt 2 to_stop_id pathway_loop A",
        "warning pathways.txt 3 is_bidirectional missing_required_field -",
        "warning pathways.txt 3 pathway_mode unexpected_enum_value 8",
        "warning pathways.txt 3 pathway_id duplicate_key P",
        "warning transfers.txt 2 to_stop_id transfer_distance_too_large 11.1 km",
        "warning transfers.txt 3 to_stop_id foreign_key_violation X",
        "warning transfers.txt 3 from_trip_id foreign_key_violation T2",
        "warning transfers.txt 3 transfer_type unexpected_enum_value 6",
        "warning transfers.txt 3 min_transfer_time number_out_of_range -1",
        "warning transfers.txt 4 min_transfer_time invalid_integer soon",
        "warning transfers.txt 5 transfer_type invalid_integer 2.0",
        "warning transfers.txt 5 min_transfer_time invalid_integer 120.0",
        "warning transfers.txt 5 to_stop_id transfer_distance_too_large 11.1 km",
        "warning transfers.txt 4 from_stop_id missing_required_field -",
        "warning transfers.txt 4 to_stop_id missing_required_field -",
      ])
  }

  @Test func `rows with the same key of several columns are reported`() throws {
    var fixture = spread(
      "T1,08:00:00,08:00:00,A,1\nT1,08:30:00,08:30:00,B,2\nT1,09:00:00,09:00:00,C,3\n")
    // Trips and routes tell rules apart, and blank fields are values of a key.
    fixture["transfers.txt"] = """
      from_stop_id,to_stop_id,from_trip_id,to_route_id,transfer_type
      A,A,,,1
      A,A,T1,,1
      A,A,,F1,1
      A,A,,,3
      """
    fixture["translations.txt"] = """
      table_name,field_name,language,translation,record_id,field_value
      stops,stop_name,fr,Un,A,
      stops,stop_name,de,Eins,A,
      stops,stop_name,fr,Une,A,
      stops,stop_name,fr,Un,,A
      """
    fixture["attributions.txt"] =
      "attribution_id,organization_name,is_producer\n1,O,1\n1,P,1\n,Q,1\n,R,1\n"
    fixture["networks.txt"] = "network_id\nN\nM\n"
    fixture["route_networks.txt"] = "network_id,route_id\nN,F1\nM,F1\n"
    fixture["fare_products.txt"] =
      "fare_product_id,fare_media_id,amount,currency\nD,,1,EUR\nD,card,1,EUR\nD,,2,EUR\n"
    let found = try report(fixture).problems.filter { $0.code == "duplicate_key" }
    #expect(
      found.map { "\($0.file) \($0.line ?? 0) \($0.field ?? "-") \($0.value ?? "-")" } == [
        "attributions.txt 3 attribution_id 1",
        "transfers.txt 5 from_stop_id A, A",
        "translations.txt 4 table_name stops, stop_name, fr, A",
        "fare_products.txt 4 fare_product_id D",
        "route_networks.txt 3 route_id F1",
      ])
    #expect(found.allSatisfy { $0.severity == .warning })
  }

  @Test func `shapes are examined across blocks`() throws {
    var fixture = FeedFixture()
    fixture["trips.txt"] = "route_id,service_id,trip_id,shape_id\nF1,W,T1,L\nF1,W,T2,M\nF1,W,T3,M\n"
    for trip in ["T2", "T3"] {
      fixture["stop_times.txt"] +=
        "\(trip),08:00:00,08:00:00,Q1,1\n\(trip),08:10:00,08:11:00,Q1,2\n"
    }
    let points = (0..<30_000).map { "L,-33.8611,151.2111,\($0),\($0)\n" }.joined()
    fixture["shapes.txt"] =
      "shape_id,shape_pt_lat,shape_pt_lon,shape_pt_sequence,shape_dist_traveled\n" + points
      + "L,-90.5,180.0,30000,29990\nU,1,1e1,1,\nV,north,,1,x\n,1,1,1,\nV,1,1,2,\n"
    #expect(
      try lines(report(fixture)) == [
        "warning shapes.txt 30002 shape_pt_lat number_out_of_range -90.5",
        "warning shapes.txt 30002 shape_dist_traveled decreasing_shape_distance 29990.0",
        "warning shapes.txt 30004 shape_pt_lat invalid_float north",
        "warning shapes.txt 30004 shape_pt_lon missing_required_field -",
        "warning shapes.txt 30004 shape_dist_traveled invalid_float x",
        "warning shapes.txt 30005 shape_id missing_required_field -",
        "warning trips.txt 3 shape_id foreign_key_violation M",
        "warning shapes.txt 30003 shape_id unused_shape U",
        "warning shapes.txt 30003 shape_id single_shape_point U",
        "warning shapes.txt 30004 shape_id unused_shape V",
      ])
  }

  @Test func `problems of one kind are counted exactly and listed up to a limit`() throws {
    var fixture = FeedFixture()
    fixture["transfers.txt"] =
      "from_stop_id,to_stop_id\n" + (0..<50_000).map { "X\($0),Q\n" }.joined()
    let report = try report(fixture)
    #expect(report.counts == ["foreign_key_violation": 50_000])
    #expect(report.problems.map(\.line) == Array(2..<(2 + FeedReport.problemsKept)))
  }
}
