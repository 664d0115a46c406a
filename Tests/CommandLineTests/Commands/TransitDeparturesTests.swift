import Foundation
import Testing

@testable import HoldfastTool

/// `transit departures` and `transit trip`, against the sample feed.
@Suite struct TransitDeparturesTests {
  let place: Workplace

  init() throws { place = try Workplace() }

  @Test func departuresAreATableInTheOrderOfTime() throws {
    let found = try place.run(
      "transit", "departures", "harbour.db", "2001", "--at", "2026-07-24T06:00", "--limit", "2")
    #expect(found.errors == "")
    #expect(found.status == 0)
    let lines = found.output.split(separator: "\n")
    #expect(lines.count == 3)
    #expect(lines[0].hasPrefix("departure "))
    #expect(lines[1].hasPrefix("2026-07-24T06:00:00+12:00 "))
    #expect(lines[1].contains("T1-WD-0-0600"))
  }

  @Test func aDepartureInJSONHasTheFeedsNames() throws {
    let found = try place.run(
      "transit", "departures", "harbour.db", "2001", "--at", "2026-07-23T18:00:00Z", "--limit", "1",
      "--json")
    let departure = try #require(try found.objects.first)
    #expect(departure["trip_id"] as? String == "T1-WD-0-0600")
    #expect(departure["stop_id"] as? String == "2001")
    #expect(departure["route_id"] as? String == "T1")
    #expect(departure["service_date"] as? String == "2026-07-24")
    #expect(departure["departure"] as? String == "2026-07-24T06:00:00+12:00")
    #expect(departure["departure_time"] as? String == "06:00:00")
    #expect(departure["trip_headsign"] as? String == "Pūkeko Road")
    #expect(departure["headway_secs"] is NSNull)
  }

  @Test func aTripIsListedWithItsTimes() throws {
    let usual = try place.run("transit", "trip", "harbour.db", "T1-WD-0-0600", "--json")
    let first = try #require(try usual.objects.first)
    #expect(first["departure_time"] as? String == "06:00:00")
    #expect(first["stop_id"] as? String == "2001")
    #expect(first["departure"] is NSNull)
    let dated = try place.run(
      "transit", "trip", "harbour.db", "T1-WD-0-0600", "--date", "2026-07-24", "--json")
    #expect(try dated.objects.count == usual.objects.count)
    #expect(try dated.objects.first?["departure"] as? String == "2026-07-24T06:00:00+12:00")
  }

  @Test(
    arguments: [
      (["departures", "harbour.db", "nowhere"], "has no stop with the stop_id 'nowhere'"),
      (["trip", "harbour.db", "T0"], "has no trip with the trip_id 'T0'"),
      (
        ["trip", "harbour.db", "T1-WD-0-0600", "--date", "2026-07-25"], "does not run on 2026-07-25"
      ),
    ])
  func whatTheFeedDoesNotHaveIsAnError(words: [String], sentence: String) throws {
    let found = try ToolProcess.run(words: ["transit"] + words, in: place.folder)
    #expect(found.status == ExitCode.noInput.rawValue)
    #expect(found.output == "")
    #expect(found.errors.contains(sentence))
  }

  @Test(arguments: [
    "2026-07-24", "2026-07-24T24:00", "2026-02-30T08:00", "08:00", "now", "2026-07-24T08:00+1",
  ])
  func aTimeThatIsNotOneIsRefused(time: String) throws {
    let found = try place.run("transit", "departures", "harbour.db", "2001", "--at", time)
    #expect(found.status == ExitCode.usage.rawValue)
    #expect(found.errors.contains("2026-07-24T08:00"))
  }

  @Test(
    arguments: [
      ("2026-07-24T08:00", "2026-07-23T20:00:00Z"), ("2026-07-24 08:00:30", "2026-07-23T20:00:30Z"),
      ("2026-07-24T08:00Z", "2026-07-24T08:00:00Z"),
      ("2026-07-24T08:00:00-03:30", "2026-07-24T11:30:00Z"),
      ("2026-07-24T08:00+0200", "2026-07-24T06:00:00Z"),
      ("2026-01-24T08:00", "2026-01-23T19:00:00Z"),
    ])
  func anInstantIsReadWithOrWithoutItsOffset(text: String, instant: String) throws {
    let zone = try #require(TimeZone(identifier: "Pacific/Auckland"))
    let expected = try Date(instant, strategy: .iso8601)
    #expect(try #require(InstantText(text)).date(in: zone) == expected)
  }

  @Test(
    arguments: [
      ("America/New_York", "2026-03-08T02:30", "2026-03-08T03:30:00-04:00"),
      ("America/New_York", "2026-03-08T03:30", "2026-03-08T03:30:00-04:00"),
      ("America/New_York", "2026-11-01T01:30", "2026-11-01T01:30:00-04:00"),
      ("America/New_York", "2026-11-01T02:30", "2026-11-01T02:30:00-05:00"),
      ("Europe/Berlin", "2026-03-29T02:30", "2026-03-29T03:30:00+02:00"),
      ("Europe/Berlin", "2026-10-25T02:30", "2026-10-25T02:30:00+02:00"),
      ("Europe/Berlin", "2026-10-25T03:30", "2026-10-25T03:30:00+01:00"),
      ("Australia/Sydney", "2026-10-04T02:30", "2026-10-04T03:30:00+11:00"),
      ("Australia/Sydney", "2026-04-05T02:30", "2026-04-05T02:30:00+11:00"),
      ("Australia/Sydney", "2026-04-05T01:30", "2026-04-05T01:30:00+11:00"),
    ])
  func aRepeatedTimeIsTheFirstAndASkippedOneIsLater(
    zone: String, text: String, instant: String
  ) throws {
    let zone = try #require(TimeZone(identifier: zone))
    let expected = try Date(instant, strategy: .iso8601)
    #expect(try #require(InstantText(text)).date(in: zone) == expected)
  }
}
