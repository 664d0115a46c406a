import Foundation
import Testing

@testable import HoldfastTool

@Suite struct TransitReportTests {
  let place: Workplace

  /// An instant at which the services run.
  static let instant = "2026-01-01T09:00:00Z"

  private static let dates = "service_id,date,exception_type\nD,20260101,1\nD,20260301,1\n"

  init() throws { place = try Workplace() }

  @Test func aSoundFeedHasNoProblems() throws {
    let people = try place.run("transit", "report", Workplace.sample, "--at", Self.instant)
    #expect((people.status, people.output) == (0, ""))
    #expect(people.errors == "No problems found.\nNo error: the feed can be imported.\n")
    let programs = try place.run(
      "transit", "report", Workplace.sample, "--at", Self.instant, "--json")
    #expect((programs.status, programs.output, programs.errors) == (0, "", ""))
  }

  @Test func problemsAreListedWithTheirPosition() throws {
    try place.writeFeed(
      "feed",
      [
        "stops.txt": "stop_id,stop_name,stop_lat,stop_lon\nS,One,1,999\n",
        "calendar_dates.txt": Self.dates,
      ])
    let people = try place.run("transit", "report", "feed", "--at", Self.instant)
    #expect(people.status == 1)
    #expect(people.output.hasPrefix("severity  file       line  field     message\n"))
    #expect(people.output.contains("error     stops.txt     2  stop_lon  '999' is not within"))
    #expect(people.complaint.last == "1 error: the feed would be refused.")

    let programs = try place.run("transit", "report", "feed", "--at", Self.instant, "--json")
    #expect(programs.status == 1)
    #expect(programs.errors == "")
    #expect(
      programs.keys == [
        "severity", "code", "file", "line", "field", "value", "message", "advice", "total",
      ])
    let error = try #require(try programs.objects.first { $0["severity"] as? String == "error" })
    #expect(error["code"] as? String == "number_out_of_range")
    #expect(error["value"] as? String == "999" && error["total"] as? Int == 1)
    #expect(error["file"] as? String == "stops.txt")
    #expect(error["line"] as? Int == 2)
    #expect(error["field"] as? String == "stop_lon")
  }

  @Test func unlistedProblemsAreCounted() throws {
    let routes = (1...30).map { "R\($0),N,,\($0),3\n" }.joined()
    try place.writeFeed(
      "feed",
      [
        "stops.txt": "stop_id,stop_name,stop_lat,stop_lon\nS1,One,1,1\nS2,Two,1.01,1.01\n",
        "calendar_dates.txt": Self.dates,
        "routes.txt":
          "route_id,agency_id,route_short_name,route_long_name,route_type\nR,,1,One,3\n" + routes,
      ])
    let people = try place.run("transit", "report", "feed", "--at", Self.instant)
    #expect(people.status == 0)
    #expect(people.output.split(separator: "\n").count == 41)
    #expect(
      people.complaint == [
        "20 more of the same kinds are not listed.", "No error: the feed can be imported.",
      ])
  }
}
