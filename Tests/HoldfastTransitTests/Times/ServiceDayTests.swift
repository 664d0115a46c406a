import Foundation
import HoldfastTestSupport
import Testing

@testable import HoldfastTransit

/// Service days are those of the Gregorian calendar, and begin twelve hours before noon.
@Suite struct ServiceDayTests {
  @Test func `Each day has its number, its weekday and a successor`() throws {
    var calendar = Calendar(identifier: .iso8601)
    calendar.timeZone = .gmt
    var random = SeededRandom()
    // Foundation counts by the Julian calendar before 1582.
    for _ in 0..<3000 {
      let days = Int.random(in: -140_000...2_932_896, using: &random)
      let day = ServiceDay(daysSince1970: days)
      let parts = calendar.dateComponents(
        [.year, .month, .day, .weekday], from: Date(timeIntervalSince1970: Double(days) * 86400))
      let (year, month) = (try #require(parts.year), try #require(parts.month))
      #expect(day.number == year * 10000 + month * 100 + (parts.day ?? 0))
      #expect((day.weekday + 1) % 7 == (parts.weekday ?? 0) - 1)
      #expect(ServiceDay(number: day.number) == day)
      #expect(ServiceDay(day.description) == day)
    }
  }

  @Test(arguments: [0, -1, 20260229, 20261301, 20260100, 20260432, 21000229, 99991232, 10])
  func `Days that the calendar does not have are refused`(number: Int) {
    #expect(ServiceDay(number: number) == nil)
  }

  @Test(arguments: [
    "", "2026-7-01", "2026-02-30", "20260230", "2026/01/01", "٢٠٢٦-01-01", "2026-01-011",
  ])
  func `Texts that are not days are refused`(text: String) {
    #expect(ServiceDay(text) == nil)
  }

  @Test func `The first and last days of the calendar are known`() {
    #expect(ServiceDay(number: 10101)?.daysSince1970 == -719_162)
    #expect(ServiceDay(number: 20240229)?.description == "2024-02-29")
    #expect(ServiceDay(number: 99991231)?.daysSince1970 == 2_932_896)
    #expect(ServiceDay("20260705") == ServiceDay("2026-07-05"))
  }

  /// "Times are measured from noon minus 12h of the service day": GTFS reference, "Time".
  @Test(
    arguments: [
      ("Australia/Sydney", "2026-04-05", "2026-04-04T14:00:00Z"),
      ("Australia/Sydney", "2026-10-04", "2026-10-03T13:00:00Z"),
      ("Australia/Sydney", "2026-07-05", "2026-07-04T14:00:00Z"),
      ("America/New_York", "2026-03-08", "2026-03-08T04:00:00Z"),
      ("America/New_York", "2026-11-01", "2026-11-01T05:00:00Z"),
      ("Asia/Kathmandu", "2026-11-01", "2026-10-31T18:15:00Z"),
      ("Pacific/Kiritimati", "2026-01-01", "2025-12-31T10:00:00Z"),
    ])
  func `A service day begins at noon minus twelve hours`(
    zone: String, day: String, start: String
  ) throws {
    let zone = try #require(TimeZone(identifier: zone))
    let day = try #require(ServiceDay(day))
    #expect(day.start(in: zone) == (try Date(start, strategy: .iso8601)))
  }

  @Test func `Times go past midnight`() {
    #expect(ServiceTime(seconds: 90_600).description == "25:10:00")
    #expect(ServiceTime(seconds: 5).description == "00:00:05")
    #expect(ServiceTime(seconds: -60).description == "-00:01:00")
    #expect(ServiceTime(seconds: 360_000).description == "100:00:00")
  }
}
