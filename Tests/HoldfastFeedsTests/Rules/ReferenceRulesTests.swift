import Foundation
import HoldfastTestSupport
import HoldfastTransit
import Testing

@testable import HoldfastFeeds

/// What rows of fares, networks, services on demand and booking rules refer to, which a report examines.
@Suite struct ReferenceRulesTests {
  private let folder: Folder

  init() throws { folder = try Folder() }

  /// Noon in Sydney on a day on which the services of the fixture run.
  private static let june = Date(timeIntervalSince1970: 1_780_279_200)

  private func lines(_ fixture: FeedFixture) throws -> [String] {
    let report = try FeedReport.examine(
      try fixture.writeFolder(in: folder, under: UUID().uuidString), at: Self.june)
    return report.problems.map { problem in
      "\(problem.severity) \(problem.file) \(problem.line ?? 0) \(problem.field ?? "-") "
        + "\(problem.code) \(problem.value ?? "-")"
    }
  }

  /// Fares in all files of GTFS-Fares v2 and v1.
  private var fares: FeedFixture {
    var fixture = FeedFixture()
    fixture["routes.txt"] = """
      route_id,agency_id,route_short_name,route_type,network_id
      F1,HF,F1,4,N

      """
    fixture["stops.txt"] = fixture["stops.txt"]
      .replacing("parent_station\n", with: "parent_station,zone_id\n")
      .replacing(",1,\n", with: ",1,,\n").replacing(",,Q\n", with: ",,Q,Z\n")
    fixture["areas.txt"] = "area_id\nA\n"
    fixture["stop_areas.txt"] = "area_id,stop_id\nA,Q1\n"
    fixture["timeframes.txt"] =
      "timeframe_group_id,start_time,end_time,service_id\nT,6:00:00,24:00:00,W\n"
    fixture["rider_categories.txt"] =
      "rider_category_id,rider_category_name,is_default_fare_category\nR,Adult,1\n"
    fixture["fare_media.txt"] = "fare_media_id,fare_media_type\nM,2\n"
    fixture["fare_products.txt"] =
      "fare_product_id,rider_category_id,fare_media_id,amount,currency\nP,R,M,2.00,AUD\nP,,,3.00,AUD\n"
    fixture["fare_leg_rules.txt"] = """
      leg_group_id,network_id,from_area_id,to_area_id,from_timeframe_group_id,fare_product_id,rule_priority
      L,N,A,,T,P,1
      L,,,,,P,

      """
    fixture["fare_transfer_rules.txt"] = """
      from_leg_group_id,to_leg_group_id,transfer_count,duration_limit,duration_limit_type,fare_transfer_type,fare_product_id
      L,L,-1,5400,1,0,P

      """
    fixture["fare_leg_join_rules.txt"] = "from_network_id,to_network_id,from_stop_id\nN,N,Q1\n"
    fixture["fare_attributes.txt"] =
      "fare_id,price,currency_type,payment_method,transfers,transfer_duration\nF,1.50,AUD,0,,3600\n"
    fixture["fare_rules.txt"] = "fare_id,route_id,origin_id,contains_id\nF,F1,Z,\nF,,,Z\n"
    return fixture
  }

  @Test func `sound fares have no problem`() throws { #expect(try lines(fares) == []) }

  @Test(arguments: [
    ("fare_leg_rules.txt", "L,X,A,,T,P,1", "2 network_id foreign_key_violation X"),
    ("fare_leg_rules.txt", "L,N,X,,T,P,1", "2 from_area_id foreign_key_violation X"),
    ("fare_leg_rules.txt", "L,N,A,X,T,P,1", "2 to_area_id foreign_key_violation X"),
    ("fare_leg_rules.txt", "L,N,A,,X,P,1", "2 from_timeframe_group_id foreign_key_violation X"),
    ("fare_leg_rules.txt", "L,N,A,,T,X,1", "2 fare_product_id foreign_key_violation X"),
    ("fare_leg_rules.txt", "L,N,A,,T,,1", "2 fare_product_id missing_required_field -"),
    ("fare_leg_rules.txt", "L,N,A,,T,P,-1", "2 rule_priority number_out_of_range -1"),
    ("fare_leg_rules.txt", "L,,,,,P,5", "3 fare_product_id duplicate_key P"),
    ("fare_transfer_rules.txt", "X,L,-1,5400,1,0,P", "2 from_leg_group_id foreign_key_violation X"),
    ("fare_transfer_rules.txt", "L,X,-1,5400,1,0,P", "2 to_leg_group_id foreign_key_violation X"),
    ("fare_transfer_rules.txt", "L,L,-1,5400,1,0,X", "2 fare_product_id foreign_key_violation X"),
    (
      "fare_transfer_rules.txt", "L,L,-1,5400,1,,P", "2 fare_transfer_type missing_required_field -"
    ),
    (
      "fare_transfer_rules.txt", "L,L,-1,5400,1,3,P", "2 fare_transfer_type unexpected_enum_value 3"
    ),
    ("fare_transfer_rules.txt", "L,L,-1,1h,1,0,P", "2 duration_limit invalid_integer 1h"),
    ("fare_leg_join_rules.txt", "X,N,", "2 from_network_id foreign_key_violation X"),
    ("fare_leg_join_rules.txt", "N,,", "2 to_network_id missing_required_field -"),
    ("fare_products.txt", "P,X,M,2.00,AUD", "2 rider_category_id foreign_key_violation X"),
    ("fare_products.txt", "P,R,X,2.00,AUD", "2 fare_media_id foreign_key_violation X"),
    ("fare_attributes.txt", "F,1.50,AUD,0,,1h", "2 transfer_duration invalid_integer 1h"),
    ("fare_rules.txt", "F,F1,X,", "2 origin_id foreign_key_violation X"),
    ("fare_rules.txt", "F,F1,,X", "2 contains_id foreign_key_violation X"),
    ("fare_rules.txt", "F,,,Z", "3 fare_id duplicate_key F, Z"),
    ("rider_categories.txt", "R,Adult,2", "2 is_default_fare_category unexpected_enum_value 2"),
    ("timeframes.txt", "T,6am,24:00:00,W", "2 start_time invalid_time 6am"),
    (
      "timeframes.txt", "T,9:00:00,6:00:00,W", "2 end_time start_and_end_range_out_of_order 6:00:00"
    ),
    ("timeframes.txt", "T,9:00:00,9:00:00,W", "2 end_time start_and_end_range_equal 9:00:00"),
    ("timeframes.txt", "T,6:00:00,24:00:00,X", "2 service_id foreign_key_violation X"),
    ("timeframes.txt", "T,6:00:00,24:00:00,", "2 service_id missing_required_field -"),
  ])
  func `a row of fares with a flaw is reported`(
    file: String, row: String, expected: String
  ) throws {
    var fixture = fares
    var rows = fixture[file].split(separator: "\n").map(String.init)
    rows[1] = row
    fixture[file] = rows.joined(separator: "\n") + "\n"
    #expect(try lines(fixture) == ["warning \(file) \(expected)"])
  }

  /// The file may have the value in another column.
  @Test(arguments: [
    ("fare_rules.txt", "F,F1,Q1,", "'Q1' is not a zone_id in stops.txt."),
    (
      "fare_transfer_rules.txt", "P,L,-1,5400,1,0,P",
      "'P' is not a leg_group_id in fare_leg_rules.txt."
    ),
    ("fare_leg_rules.txt", "L,X,A,,T,P,1", "'X' is not in networks.txt."),
  ])
  func `a value that is not in a column is reported with its name`(
    file: String, row: String, message: String
  ) throws {
    var fixture = fares
    var rows = fixture[file].split(separator: "\n").map(String.init)
    rows[1] = row
    fixture[file] = rows.joined(separator: "\n") + "\n"
    let report = try FeedReport.examine(
      try fixture.writeFolder(in: folder, under: UUID().uuidString), at: Self.june)
    #expect(report.problems.map(\.message) == [message])
  }

  /// GTFS requires it "if multiple agencies are defined in agency.txt".
  @Test(
    arguments: [
      ("fare_id,agency_id", "F,HF", nil),
      ("fare_id,agency_id", "F,", "fare_attributes.txt 2 agency_id missing_required_field -"),
      ("fare_id", "F", "fare_attributes.txt 1 agency_id missing_required_column -"),
    ] as [(String, String, String?)])
  func `fares of several agencies name theirs`(
    header: String, row: String, expected: String?
  ) throws {
    var fixture = fares
    fixture["fare_attributes.txt"] =
      "\(header),price,currency_type,payment_method,transfers\n\(row),1.50,AUD,0,\n"
    // A single agency need not be named.
    #expect(try lines(fixture) == [])
    let agency = String(fixture["agency.txt"].split(separator: "\n")[1])
    fixture["agency.txt"] += agency.replacing("HF", with: "HG") + "\n"
    #expect(try lines(fixture) == (expected.map { ["warning \($0)"] } ?? []))
    // An agency without an identifier may be the one that is meant.
    fixture["agency.txt"] += agency.replacing("HF,", with: ",") + "\n"
    #expect(try lines(fixture) == ["warning agency.txt 4 agency_id missing_required_field -"])
  }

  /// "All provided fields" are the key of these files.
  @Test(arguments: [
    ("fare_rules.txt", "fare_id,route_id,at_night\nF,F1,0\nF,F1,1\n"),
    ("stop_areas.txt", "area_id,stop_id,source\nA,Q1,x\nA,Q1,y\n"),
    (
      "timeframes.txt",
      "timeframe_group_id,start_time,end_time,service_id,day\nT,6:00:00,9:00:00,W,1\nT,6:00:00,9:00:00,W,2\n"
    ),
  ])
  func `rows that differ in a column of another standard are no repetition`(
    file: String, rows: String
  ) throws {
    var fixture = fares
    fixture[file] = rows
    #expect(try !lines(fixture).contains { $0.contains("duplicate_key") })
  }

  @Test(arguments: ["areas.txt", "rider_categories.txt", "fare_media.txt", "fare_products.txt"])
  func `what is defined in a file that the feed lacks is reported`(file: String) throws {
    var fixture = fares
    fixture.files[file] = nil
    let found = try lines(fixture)
    #expect(found.contains { $0.contains("foreign_key_violation") }, "\(found)")
    // A file that cannot be read might define it.
    fixture[file] = "<html>"
    #expect(try !lines(fixture).contains { $0.contains("foreign_key_violation") })
  }

  @Test func `networks are those of routes and of their own file`() throws {
    var fixture = fares
    fixture["routes.txt"] = "route_id,agency_id,route_short_name,route_type\nF1,HF,F1,4\n"
    fixture["networks.txt"] = "network_id\nN\n"
    fixture["route_networks.txt"] = "network_id,route_id\nN,F1\n"
    #expect(try lines(fixture) == [])
    fixture["networks.txt"] = "network_id\nO\n"
    #expect(
      try lines(fixture) == [
        "warning fare_leg_join_rules.txt 2 from_network_id foreign_key_violation N",
        "warning fare_leg_join_rules.txt 2 to_network_id foreign_key_violation N",
        "warning route_networks.txt 2 network_id foreign_key_violation N",
        "warning fare_leg_rules.txt 2 network_id foreign_key_violation N",
      ])
  }

  /// A service on demand in a zone, whose rows have booking rules.
  private var demand: FeedFixture {
    var fixture = FeedFixture()
    fixture["locations.geojson"] = """
      {"type": "FeatureCollection", "features": [{"id": "Z", "type": "Feature", "properties": {}, "geometry":
        {"type": "Polygon", "coordinates": [[[151, -33], [151.1, -33], [151.1, -33.1], [151, -33]]]}}]}
      """
    fixture["location_groups.txt"] = "location_group_id\nG\n"
    fixture["location_group_stops.txt"] = "location_group_id,stop_id\nG,Q1\n"
    fixture["booking_rules.txt"] = """
      booking_rule_id,booking_type,prior_notice_last_day,prior_notice_last_time,prior_notice_service_id
      B,2,1,17:00:00,W

      """
    fixture["trips.txt"] += "F1,W,T9\n"
    fixture["stop_times.txt"] = """
      trip_id,arrival_time,departure_time,stop_id,location_id,location_group_id,stop_sequence,start_pickup_drop_off_window,end_pickup_drop_off_window,pickup_booking_rule_id,drop_off_booking_rule_id
      T1,08:00:00,08:00:00,Q1,,,1,,,,
      T1,08:10:00,08:10:00,Q1,,,2,,,,
      T9,,,,Z,,1,08:00:00,18:00:00,B,
      T9,,,,,G,2,08:00:00,18:00:00,,B

      """
    return fixture
  }

  @Test func `a sound service on demand has no problem`() throws {
    #expect(try lines(demand) == [])
  }

  @Test(arguments: [
    (",Z,,1", ",X,,1", "0 location_id foreign_key_violation X"),
    (",G,2", ",X,2", "0 location_group_id foreign_key_violation X"),
    (",B,\n", ",X,\n", "0 pickup_booking_rule_id foreign_key_violation X"),
    (",,B\n", ",,X\n", "0 drop_off_booking_rule_id foreign_key_violation X"),
    (",1,08:00:00", ",1,8am", "0 start_pickup_drop_off_window invalid_time 8am"),
    ("18:00:00,B", "6pm,B", "0 end_pickup_drop_off_window invalid_time 6pm"),
  ])
  func `a zone, a group, a booking rule or a window that is none is reported once`(
    part: String, wrong: String, expected: String
  ) throws {
    var fixture = demand
    fixture["stop_times.txt"] = fixture["stop_times.txt"].replacing(part, with: wrong)
    #expect(try lines(fixture) == ["warning stop_times.txt \(expected)"])
  }

  @Test func `numbers of stops, routes, trips, shapes and levels are examined`() throws {
    var fixture = FeedFixture()
    fixture["agency.txt"] =
      "agency_id,agency_name,agency_url,agency_timezone,cemv_support\nHF,H,,Australia/Sydney,3\n"
    fixture["routes.txt"] =
      "route_id,agency_id,route_short_name,route_type,route_sort_order\nF1,HF,F1,4,-1\n"
    fixture["trips.txt"] = "route_id,service_id,trip_id,shape_id,cars_allowed\nF1,W,T1,S,7\n"
    fixture["stops.txt"] = fixture["stops.txt"]
      .replacing("parent_station\n", with: "parent_station,stop_access,level_id\n")
      .replacing(",1,\n", with: ",1,,,\n").replacing(",,Q\n", with: ",,Q,4,L\n")
    fixture["stop_times.txt"] = """
      trip_id,arrival_time,departure_time,stop_id,stop_sequence,shape_dist_traveled
      T1,08:00:00,08:00:00,Q1,1,-1
      T1,08:10:00,08:10:00,Q1,2,0

      """
    fixture["shapes.txt"] = """
      shape_id,shape_pt_lat,shape_pt_lon,shape_pt_sequence,shape_dist_traveled
      S,-33.8611,151.2111,0,-1
      S,-33.8611,151.2111,1,0
      S,-33.8611,151.2111,,
      S,-33.8611,151.2111,x,
      S,-33.8611,151.2111,-1,

      """
    fixture["levels.txt"] = "level_id,level_index\nL,ground\n"
    let found = try lines(fixture).filter { !$0.contains("agency_url") }
    #expect(
      found == [
        "warning routes.txt 2 route_sort_order number_out_of_range -1",
        "warning stop_times.txt 2 shape_dist_traveled number_out_of_range -1.0",
        "warning levels.txt 2 level_index invalid_float ground",
        "warning shapes.txt 2 shape_dist_traveled number_out_of_range -1",
        "warning shapes.txt 4 shape_pt_sequence missing_required_field -",
        "warning shapes.txt 5 shape_pt_sequence invalid_integer x",
        "warning shapes.txt 6 shape_pt_sequence number_out_of_range -1",
        "warning agency.txt 0 cemv_support unexpected_enum_value 3",
        "warning stops.txt 0 stop_access unexpected_enum_value 4",
        "warning trips.txt 0 cars_allowed unexpected_enum_value 7",
      ])
  }

  @Test func `groups of stops and booking rules refer to rows`() throws {
    var fixture = demand
    fixture["location_group_stops.txt"] = "location_group_id,stop_id\nG,Q1\nX,Q1\nG,X\nG,\nG,Q1\n"
    fixture["booking_rules.txt"] = fixture["booking_rules.txt"].replacing(
      "17:00:00,W", with: "5pm,X")
    #expect(
      try lines(fixture) == [
        "warning booking_rules.txt 2 prior_notice_service_id foreign_key_violation X",
        "warning booking_rules.txt 2 prior_notice_last_time invalid_time 5pm",
        "warning location_group_stops.txt 3 location_group_id foreign_key_violation X",
        "warning location_group_stops.txt 4 stop_id foreign_key_violation X",
        "warning location_group_stops.txt 5 stop_id missing_required_field -",
        "warning location_group_stops.txt 6 location_group_id duplicate_key G, Q1",
      ])
  }
}
