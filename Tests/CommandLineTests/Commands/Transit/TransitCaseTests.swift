import Foundation
import HoldfastTestSupport
import Testing

@testable import HoldfastTool

/// Small feeds and messages at the edges of the specification, with the answers that are right.
@Suite(.enabled(if: SharedCases.arePresent, "the shared cases (../shared/cases) are absent"))
struct TransitCaseTests {
  private let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  private func run(_ words: String...) throws -> ToolProcess.Result {
    try ToolProcess.run(words: ["transit"] + words, in: directory.url)
  }

  private func path(_ name: String) -> String {
    SharedCases.root.appending(path: name).path(percentEncoded: false)
  }

  private func importCase(_ name: String) throws {
    let made = try run("import", path("\(name)/feed"), "t.db")
    #expect(made.status == 0, "\(made.errors)")
  }

  @Test func `nothing is computed across the window of a stop`() throws {
    try importCase("flex-window-interpolated")
    let departures = try run(
      "departures", "t.db", "s2", "--at", "2026-06-10T08:00", "--json")
    #expect(departures.output == "")
    let trip = try run("trip", "t.db", "w2", "--json").objects
    #expect(trip.map { $0["departure_time"] as? String } == ["12:00:00", nil, "12:40:00"])
    #expect(trip[1]["start_pickup_drop_off_window"] as? String == "12:05:00")
    let rule = trip[1]["pickup_booking_rule"] as? [String: Any]
    #expect(rule?["phone_number"] as? String == "+49 30 000")
    #expect(rule?["prior_notice_duration_min"] as? Int == 60)
    let journey = try run(
      "journey", "t.db", "s2", "s3", "--at", "2026-06-10T08:00", "--walk", "0", "--json")
    #expect(!journey.output.contains("12:20:00"))
    let report = try run("report", path("flex-window-interpolated/feed"), "--json")
    #expect(!report.output.contains("missing_trip_edge"))
  }

  @Test func `an approximate time is marked`() throws {
    try importCase("timepoint-0")
    let all = try run("departures", "t.db", "s2", "--at", "2026-06-10T07:00", "--json").objects
    #expect(all.map { $0["timepoint"] as? Int } == [0])
    let table = try run("departures", "t.db", "s2", "--at", "2026-06-10T07:00")
    #expect(table.output.contains("timepoint"))
    let exact = try run("departures", "t.db", "s1", "--at", "2026-06-10T07:00")
    #expect(!exact.output.contains("timepoint"))
  }

  @Test(arguments: ["time.pb", "delay.pb", "with-date.pb"])
  func `a long trip is found without its day`(message: String) throws {
    let name = "rt-long-trip-without-start-date"
    try importCase(name)
    let found = try run(
      "departures", "t.db", "s3", "--at", "2026-06-13T23:00", "--live", path("\(name)/\(message)"),
      "--json"
    ).objects
    #expect(found.first?["departure"] as? String == "2026-06-14T00:40:00+02:00")
    #expect(found.first?["status"] as? String == "live")
    #expect(found.first?["delay"] as? Int == 1800)
  }

  @Test func `a message has the prefix of its feed`() throws {
    let name = "rt-prefixed-feeds"
    let made = try run(
      "import", path("\(name)/feed-x"), path("\(name)/feed-y"), "t.db", "--prefix", "x:",
      "--prefix", "y:")
    #expect(made.status == 0, "\(made.errors)")
    let message = path("\(name)/x-trip-updates.pb")
    let words = ["departures", "t.db", "x:s1", "--at", "2026-06-10T08:30", "--limit", "1"]
    func departures(_ more: String...) throws -> ToolProcess.Result {
      try ToolProcess.run(words: ["transit"] + words + more + ["--json"], in: directory.url)
    }
    let without = try departures("--live", message)
    #expect(try without.objects.first?["status"] as? String == "scheduled")
    #expect(without.errors.contains("The trip of"))
    #expect(without.errors.contains("--prefix"))
    let with = try departures("--live", message, "--prefix", "x:")
    #expect(try with.objects.first?["departure"] as? String == "2026-06-10T09:05:00+02:00")
    #expect(try with.objects.first?["delay"] as? Int == 300)
    #expect(with.errors == "")
    // Of two messages only the second one is about the other feed.
    let both = try departures("--live", message, "--live", message, "--prefix", "x:")
    #expect(try both.objects.first?["status"] as? String == "live")
    #expect(both.errors.contains("is not in the timetable"))
    let many = try departures("--live", message, "--prefix", "x:", "--prefix", "y:")
    #expect(many.status == 64 && many.errors.contains("once for each --live"))
  }

  @Test func `an update of a modified trip is named where its modifications are missing`() throws {
    let name = "rt-trip-modifications"
    try importCase(name)
    let message = path("\(name)/modified.pb")
    let departures = try run(
      "departures", "t.db", "st", "--at", "2026-06-10T09:00", "--limit", "1", "--live", message)
    #expect(departures.errors.contains("1 × update of a modified trip"), "\(departures.errors)")
    let live = try run("live", message)
    #expect(live.output.contains("MODIFIED") && live.output.contains("20260610"))
    #expect(live.errors.contains("1 × update of a modified trip"))
    let trip = try run("live", message, "--json").objects.first?["trip"] as? [String: Any]
    let selector = trip?["modified_trip"] as? [String: Any]
    #expect(selector?["affected_trip_id"] as? String == "t")
    // They may be in another message. The other platform is served 12 minutes after the start.
    let part = Wire.message(
      4, Wire.bytes(1, Wire.number(1, 20)), Wire.bytes(2, Wire.number(1, 30)),
      Wire.message(4, Wire.number(1, 720), Wire.text(2, "p2")))
    let trips = Wire.message(1, Wire.text(1, "t"), Wire.text(1, "gone"))
    let detour = Wire.message(8, trips, Wire.text(3, "20260610"), part)
    try Data(Wire.header + Wire.message(2, Wire.text(1, "m"), detour))
      .write(to: directory.file("detour.pb"))
    let words = [
      "transit", "departures", "t.db", "p2", "--at", "2026-06-10T09:00", "--live", "detour.pb",
      "--live", message,
    ]
    let both = try ToolProcess.run(words: words, in: directory.url)
    #expect(both.output.contains("10:13") && both.output.contains("+1 min"), "\(both.output)")
    #expect(both.errors.contains("'detour.pb': not applied: 1 × modified trip that the timetable"))
    #expect(!both.errors.contains("update of a modified trip"), "\(both.errors)")
  }

  @Test func `a season without service belongs to the feed that says so`() throws {
    try importCase("seasonal-feed-expired")
    let validity = try run("validity", "t.db", "--at", "2026-06-01T10:00", "--json")
    #expect(validity.status == 0)
    #expect(try validity.objects.first?["status"] as? String == "valid")
    #expect(try validity.objects.first?["has_service"] as? Bool == false)
    let words = try run("validity", "t.db", "--at", "2026-06-01T10:00")
    #expect(words.errors.contains("Nothing runs after 2026-04-15"), "\(words.errors)")
    #expect(try run("validity", "t.db", "--at", "2026-11-02T10:00").status == 1)
  }
}

/// The cases next to the package, which are not part of it.
private enum SharedCases {
  static let root = PackageFolder.shared.appending(path: "cases/transit")

  static let arePresent = FileManager.default.fileExists(
    atPath: root.appending(path: "timepoint-0").path(percentEncoded: false))
}
