import Foundation
import HoldfastTestSupport
import Testing

@testable import HoldfastTool

/// `holdfast transit live` on the sample message.
@Suite struct TransitLiveTests {
  private let directory: TemporaryDirectory

  private static let sample = PackageFolder.root.appending(
    path: "Samples/port-merrow-live/trip-updates.pb")

  init() throws {
    directory = try TemporaryDirectory()
    try FileManager.default.copyItem(at: Self.sample, to: directory.file("live.pb"))
  }

  private func run(_ words: String...) throws -> ToolProcess.Result {
    try ToolProcess.run(words: ["transit", "live"] + words, in: directory.url)
  }

  @Test func `a table has a row for each stop with an update`() throws {
    let result = try run("live.pb")
    #expect(result.status == 0)
    let lines = result.output.split(separator: "\n").map(String.init)
    #expect(lines.count == 13)
    #expect(lines[0] == "Sunday 2026-01-04, UTC")
    #expect(
      lines[1].split(separator: " ").map(String.init) == [
        "trip_id", "route_id", "start_date", "start_time", "sequence", "stop_id", "arrival",
        "departure", "delay", "relationship",
      ])
    #expect(lines[2].hasPrefix("T1-WD-0-0600"))
    #expect(lines[2].contains("+2 min") && lines[2].hasSuffix("SCHEDULED"))
    #expect(lines[3].hasSuffix("SKIPPED"))
    #expect(lines[4].contains("  17:21  "))
    #expect(lines[5].hasPrefix("T1-WD-1-0615") && lines[5].hasSuffix("CANCELED"))
    #expect(lines[6].contains("CQ-B") && lines[6].hasSuffix("NO_DATA"))
    #expect(lines[7].contains("06:10:00") && lines[7].hasSuffix("UNSCHEDULED"))
    #expect(lines[11].contains("WH-W1") && lines[11].hasSuffix("NEW"))
    #expect(
      result.errors == "GTFS-Realtime 2.0, made at 2026-01-04T17:06:30.000Z: 5 trip updates, "
        + "1 vehicle position.\n")
    #expect(lines[12] == "Vehicle 6: trip T1-WD-0-0600, at -43.82,172.96")
  }

  @Test func `JSON has an object for each update, with the names of GTFS-Realtime`() throws {
    let result = try run("live.pb", "--json")
    #expect(result.status == 0 && result.errors == "")
    let objects = try result.objects
    #expect(objects.count == 6)
    #expect(objects[5].keys.sorted() == ["trip", "vehicle_position"])
    let first = try #require(objects.first)
    #expect(
      Set(first.keys) == [
        "header", "id", "trip", "vehicle", "stop_time_update", "timestamp", "delay",
        "trip_properties",
      ])
    let header = try #require(first["header"] as? [String: Any])
    #expect(header["gtfs_realtime_version"] as? String == "2.0")
    #expect(header["timestamp"] as? String == "2026-01-04T17:06:30.000Z")
    #expect(header["feed_version"] as? String == "port-merrow-2026.1")
    let trip = try #require(first["trip"] as? [String: Any])
    #expect(
      Set(trip.keys) == [
        "trip_id", "route_id", "direction_id", "start_time", "start_date", "schedule_relationship",
        "modified_trip",
      ])
    #expect(trip["trip_id"] as? String == "T1-WD-0-0600" && trip["direction_id"] is NSNull)
    #expect((first["vehicle"] as? [String: Any])?["label"] as? String == "17")
    let stops = try #require(first["stop_time_update"] as? [[String: Any]])
    #expect(stops.map { $0["stop_sequence"] as? Int } == [3, 6, 13])
    #expect(stops[1]["schedule_relationship"] as? String == "SKIPPED")
    #expect((stops[0]["departure"] as? [String: Any])?["delay"] as? Int == 120)
    #expect(stops[0]["arrival"] is NSNull)
    let arrival = try #require(stops[2]["arrival"] as? [String: Any])
    #expect(arrival["time"] as? String == "2026-01-04T17:21:00.000Z")
    #expect(arrival["uncertainty"] as? Int == 60 && arrival["delay"] is NSNull)
    #expect(Set(arrival.keys) == ["delay", "time", "uncertainty", "scheduled_time"])
    let platform = (objects[2]["stop_time_update"] as? [[String: Any]])?.first
    let properties = platform?["stop_time_properties"] as? [String: Any]
    #expect(properties?["assigned_stop_id"] as? String == "CQ-B")
    let extra = objects[4]["trip_properties"] as? [String: Any]
    #expect(extra?["trip_headsign"] as? String == "Westhaven")
  }

  @Test func `a detour is listed with its trips, days and stops`() throws {
    let parts = [
      Wire.message(
        4, Wire.bytes(1, Wire.text(2, "B")), Wire.bytes(2, Wire.number(1, 3)), Wire.number(3, 120),
        Wire.message(4, Wire.number(1, 90), Wire.text(2, "X")), Wire.message(4, Wire.text(2, "Y")),
        Wire.text(5, "a"), Wire.number(6, 1_767_600_000)),
      Wire.message(
        4, Wire.bytes(1, Wire.number(1, 7)), Wire.message(4, Wire.text(2, "Z"))),
      Wire.message(4, Wire.bytes(1, Wire.text(2, "C")), Wire.bytes(2, Wire.text(2, "C"))),
    ]
    let entity = Wire.message(
      8, Wire.message(1, Wire.text(1, "T1"), Wire.text(1, "T2"), Wire.text(2, "P")),
      Wire.text(3, "20260105"), Wire.text(3, "20260106"), parts.flatMap(\.self))
    try Data(Wire.header + Wire.message(2, Wire.text(1, "m"), entity))
      .write(to: directory.file("detour.pb"))
    let result = try run("detour.pb")
    #expect(
      result.output
        == "Modification m: trip T1, trip T2 on 20260105, 20260106: without B to 3, but X, "
        + "Y, then +2 min; at 7 also Z; without C\n")
    #expect(result.errors.contains("0 trip updates, 1 trip modification."))
    let listed = try run("detour.pb", "--json").objects
    let record = try #require(listed.first?["trip_modifications"] as? [String: Any])
    #expect(listed.count == 1 && record["service_dates"] as? [String] == ["20260105", "20260106"])
    let modifications = try #require(record["modifications"] as? [[String: Any]])
    let stops = try #require(modifications[0]["replacement_stops"] as? [[String: Any]])
    #expect(stops.map { $0["travel_time_to_stop"] as? Int } == [90, nil])
    #expect(modifications[0]["service_alert_id"] as? String == "a")
    #expect(modifications[1]["end_stop_selector"] is NSNull)
  }

  @Test func `a pipe is read like a file`() throws {
    let piped = try ToolProcess.shell(
      #"cat live.pb | "$HOLDFAST" transit live /dev/stdin --json"#, in: directory.url)
    let read = try run("live.pb", "--json")
    #expect(piped.status == 0 && piped.output == read.output)
  }

  @Test func `what is no feed message is refused, and says where and what to do`() throws {
    try Data("<!DOCTYPE html><p>Log in".utf8).write(to: directory.file("page.pb"))
    let refused = try run("page.pb")
    #expect(refused.status == 65 && refused.output == "")
    #expect(
      refused.complaint == [
        "'page.pb' is no GTFS-Realtime feed message: it is a page in HTML, as servers send it in "
          + "place of a file.",
        "Look at what the page says, and fetch the file again.",
      ])
    try Data([0x3C, 0x01]).write(to: directory.file("damaged.pb"))
    #expect(
      try run("damaged.pb").complaint == [
        "'damaged.pb' is not a GTFS-Realtime feed message: group 7 ends where no such group is "
          + "open, at offset 0.",
        "Fetch it again, and check the URL: a feed message is binary (application/x-protobuf), "
          + "neither HTML nor JSON, nor compressed.",
      ])
    let json = try run("page.pb", "--json")
    #expect(json.errors.contains(#""error":"bad_data""#))
    #expect(json.errors.contains(#""file":"page.pb""#))
  }

  @Test func `a missing file and a folder are no input`() throws {
    let missing = try run("missing.pb")
    #expect(missing.status == 66 && missing.complaint.first == "There is no file 'missing.pb'.")
    let folder = try run(".")
    #expect(folder.status == 66 && folder.complaint.count == 2)
  }

  @Test func `a message without updates has none to list`() throws {
    try Data([0x0A, 0x05, 0x0A, 0x03] + Array("2.0".utf8)).write(to: directory.file("empty.pb"))
    let result = try run("empty.pb")
    #expect(result.status == 0 && result.output == "")
    #expect(result.errors == "No trip updates found.\nGTFS-Realtime 2.0: 0 trip updates.\n")
  }

  @Test func `what a timetable is answered without has a sentence of its own`() throws {
    let shape = Wire.message(2, Wire.text(1, "s"), Wire.message(6, Wire.text(1, "S")))
    for (count, words) in [(1, "1 entity of another kind"), (2, "2 entities of other kinds")] {
      let message = Wire.header + (0..<count).flatMap { _ in shape }
      try Data(message).write(to: directory.file("shapes.pb"))
      #expect(
        try run("shapes.pb").errors.hasSuffix(
          "GTFS-Realtime 2.0: 0 trip updates, and \(words), not listed.\n"
            + "Departures and journeys are answered without: \(count) × shape.\n"))
    }
  }

  /// It has no table, and "No trip updates found." above its alerts would be read as an answer.
  @Test func `a message of alerts or vehicles alone lists them alone`() throws {
    let alert = Wire.message(
      2, Wire.text(1, "a"),
      Wire.message(
        5, Wire.message(5, Wire.text(2, "R")),
        Wire.message(10, Wire.message(1, Wire.text(1, "Closed")))))
    let vehicle = Wire.message(
      2, Wire.text(1, "v"), Wire.message(4, Wire.message(8, Wire.text(1, "7"))))
    for (entity, line) in [(alert, "Closed"), (vehicle, "Vehicle 7")] {
      try Data(Wire.header + entity).write(to: directory.file("other.pb"))
      let result = try run("other.pb")
      #expect(result.output.contains(line) && result.output.split(separator: "\n").count == 1)
      #expect(result.errors.hasPrefix("GTFS-Realtime 2.0: 0 trip updates, 1 "))
    }
  }

  /// "Elevator unavailable" says nothing without the stop.
  @Test func `an alert says what it is about`() throws {
    func selector(_ fields: [UInt8]...) -> [UInt8] { Wire.bytes(5, fields.flatMap(\.self)) }
    func alert(_ text: String, _ selectors: [UInt8]...) -> [UInt8] {
      Wire.message(
        2, Wire.text(1, text),
        Wire.message(
          5, selectors.flatMap(\.self),
          Wire.message(10, Wire.message(1, Wire.text(1, "Closed")))))
    }
    let message = [
      alert("a", selector(Wire.text(1, "A"), Wire.text(2, "R"), Wire.text(5, "S"))),
      alert(
        "b", selector(Wire.text(1, "A")), selector(Wire.number(3, 3), Wire.number(6, 1)),
        selector(Wire.message(4, Wire.text(1, "T"), Wire.text(3, "20260104"))),
        selector(Wire.message(4, Wire.text(5, "R"), Wire.number(6, 0))), selector(Wire.text(5, "S"))
      ),
      alert("c", selector()), alert("d"),
    ]
    try Data(Wire.header + message.flatMap(\.self)).write(to: directory.file("alerts.pb"))
    #expect(
      try run("alerts.pb").output.split(separator: "\n") == [
        "Alert about route R at stop S: Closed",
        "Alert about agency A, route_type 3 direction_id 1, trip T on 20260104 and 2 more: Closed",
        "Alert: Closed", "Alert: Closed",
      ])
    let alerts = try run("alerts.pb", "--json").objects.compactMap { $0["alert"] as? [String: Any] }
    let entities = alerts.map { $0["informed_entity"] as? [[String: Any]] ?? [] }
    #expect(entities.map(\.count) == [1, 5, 1, 0])
    #expect(entities[0][0]["stop_id"] as? String == "S" && entities[0][0]["trip"] is NSNull)
    #expect((entities[1][2]["trip"] as? [String: Any])?["trip_id"] as? String == "T")
    #expect(entities[1][1]["route_type"] as? Int == 3)
  }
}
