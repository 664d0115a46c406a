import Foundation
import Testing

@testable import HoldfastTool

@Suite struct TransitValidityTests {
  let place: Workplace

  init() throws { place = try Workplace() }

  private func validity(at instant: String, _ words: String...) throws -> ToolProcess.Result {
    try ToolProcess.run(
      words: ["transit", "validity", "harbour.db", "--at", instant] + words, in: place.folder)
  }

  @Test func `A valid timetable ends with 0`() throws {
    let valid = try validity(at: "2026-07-01T12:30:00Z")
    #expect((valid.status, valid.errors) == (0, ""))
    #expect(
      valid.output == """
        status                 valid
        at                     2026-07-02T00:30:00.000+12:00
        date                   2026-07-02
        feed_start_date        2026-01-01
        feed_end_date          2027-12-31
        first_service_date     2026-01-01
        last_service_date      2027-12-31
        agency_timezone        Pacific/Auckland
        has_service            yes
        stops_without_service  0

        """)
  }

  @Test func `An expired timetable and one to come end with 1 and a sentence`() throws {
    let expired = try validity(at: "2028-01-05T00:00:00+13:00")
    #expect(expired.status == 1)
    #expect(expired.output.hasPrefix("status                 expired\n"))
    #expect(expired.errors == "The timetable ended on 2027-12-31; import a newer feed.\n")
    let upcoming = try validity(at: "2025-12-31T23:59:59+13:00")
    #expect(upcoming.status == 1)
    #expect(upcoming.errors == "The timetable begins on 2026-01-01.\n")
  }

  @Test func `The last trips of a timetable are named`() throws {
    try place.writeFeed(
      "feed",
      [
        "stop_times.txt": """
        trip_id,arrival_time,departure_time,stop_id,stop_sequence
        T,23:30:00,23:30:00,S1,1
        T,25:00:00,25:00:00,S2,2

        """
      ])
    #expect(try place.run("transit", "import", "feed", "late.db").status == 0)
    let running = try place.run("transit", "validity", "late.db", "--at", "2026-01-02T00:30")
    #expect(running.status == 0)
    #expect(running.errors == "The last trips of 2026-01-01 still run; import a newer feed.\n")
    let over = try place.run("transit", "validity", "late.db", "--at", "2026-01-02T01:00")
    #expect(over.status == 1 && over.errors.contains("The timetable ended on 2026-01-01"))
  }

  @Test func `JSON has every key`() throws {
    let expired = try validity(at: "2028-01-05T00:00:00+13:00", "--json")
    #expect(expired.status == 1)
    #expect(expired.errors == "")
    #expect(
      expired.keys == [
        "status", "at", "date", "feed_start_date", "feed_end_date", "first_service_date",
        "last_service_date", "agency_timezone", "has_service", "stops_without_service",
      ])
    let answer = try #require(try expired.objects.first)
    #expect(answer["status"] as? String == "expired")
    #expect(answer["date"] as? String == "2028-01-05")
  }

  @Test func `Without an instant the current one is asked for`() throws {
    let answer = try place.run("transit", "validity", "harbour.db", "--json")
    let date = try #require(try answer.objects.first?["at"] as? String)
    let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
    #expect(abs(try style.parse(date).timeIntervalSinceNow) < 600)
  }

  @Test func `A feed without dates is unknown`() throws {
    try place.writeFeed(
      "feed", ["calendar_dates.txt": "service_id,date,exception_type\nD,20260101,2\n"])
    #expect(try place.run("transit", "import", "feed", "new.db").status == 0)
    let unknown = try place.run("transit", "validity", "new.db", "--json")
    #expect(unknown.status == 1)
    #expect(try unknown.objects.first?["status"] as? String == "unknown")
    #expect(try unknown.objects.first?["feed_end_date"] is NSNull)
    let people = try place.run("transit", "validity", "new.db")
    #expect(people.errors == "The feed does not say on which days it applies.\n")
  }

  @Test(arguments: [
    "now", "", "2026-07-01T", "12.30", "2026-07-01T12:30:00.Z", "2026-02-30T00:00:00Z",
    "2026-13-01T00:00:00Z", "2026-07-01T25:00:00Z", "2026-07-01T12:30:00+99:00", "20260701T123000Z",
  ])
  func `A text that is no instant is refused`(text: String) throws {
    let refused = try validity(at: text)
    #expect(refused.status == 64)
    #expect(refused.complaint.first?.hasPrefix("--at is a day, a time of day or both") == true)
  }

  @Test(arguments: [
    "2026-07-01T12:30:00.000Z", "2026-07-01T12:30Z", "2026-07-02T00:30:00+12:00",
    "2026-07-02T00:30", "2026-07-02 00:30:00.9",
    "2026-07-01 12:30:00Z", "2026-07-01T07:00:00-05:30",
  ])
  func `The forms of an instant are equal`(text: String) throws {
    #expect(try validity(at: text).output == (try validity(at: "2026-07-01T12:30:00Z")).output)
  }
}
