import Foundation
import HoldfastTestSupport
import Testing

@testable import HoldfastDownloads

struct HTTPDateTests {
  @Test(arguments: [
    "Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994",
  ])
  func eachFormIsParsed(_ text: String) {
    #expect(HTTPDate.date(text) == Date(timeIntervalSince1970: 784_111_777))
  }

  @Test(arguments: [
    "", "yesterday", "Sun, 06 Nov 1994 08:49:37 CET", "Sun, 06 Now 1994 08:49:37 GMT",
    "a b c d e f", "Sun, 06 Nov 1994 24:49:37 GMT",
    "Sunday, 06-Nov-9223372036854775807 08:49:37 GMT", "Sunday, 06-Nov--94 08:49:37 GMT",
    "Sunday, 06-Nov-094 08:49:37 GMT", "Sun, 06 Nov 99994 08:49:37 GMT",
    "Sun, 06 Nov +994 08:49:37 GMT", "Sun, 6 Nov 1994 08:49:37 GMT",
    "Sun, 06 Nov 1994 -9223372036854775808:49:37 GMT", "Sun, 06 Nov 1994 08:-9:37 GMT",
    "Sun, 06 Nov 1994 8:49:37 GMT", "Sun, 06 Nov 1994 08:49:37:00 GMT",
    "Sun, 06 Nov 1994 08:49:x:37 GMT", "Sun Nov  66 08:49:37 1994",
  ])
  func anythingElseIsNoDate(_ text: String) {
    #expect(HTTPDate.date(text) == nil)
  }

  @Test func aDelayIsANumberOfSecondsOrAnInstant() throws {
    let now = try #require(HTTPDate.date("Sun, 06 Nov 1994 08:49:37 GMT"))
    #expect(RetryAfter.delay(" 120 ") == .seconds(120))
    #expect(RetryAfter.delay("Sun, 06 Nov 1994 08:50:00 GMT", now: now) == .seconds(23))
    #expect(RetryAfter.delay("Sun, 06 Nov 1994 08:00:00 GMT", now: now) == .zero)
    #expect(RetryAfter.delay("-5") == nil)
    #expect(RetryAfter.delay("soon") == nil)
  }

  @Test func noTextTraps() {
    var random = SeededRandom()
    let dates = [
      "Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994",
    ].map { Array($0.utf8) }
    let numbers = ["9223372036854775807", "-9223372036854775808", "99", "-1", "+1", "", "٣"]
    for round in 0..<20_000 {
      var bytes = dates[round % dates.count]
      switch round % 4 {
      case 0:
        bytes = (0..<Int.random(in: 0...40, using: &random)).map { _ in
          UInt8.random(in: 0...255, using: &random)
        }
      case 1:
        let place = Int.random(in: 0..<bytes.count, using: &random)
        let number = numbers[Int.random(in: 0..<numbers.count, using: &random)]
        let end = min(place + Int.random(in: 0...4, using: &random), bytes.count)
        bytes.replaceSubrange(place..<end, with: number.utf8)
      default:
        for _ in 0..<3 {
          let place = Int.random(in: 0..<bytes.count, using: &random)
          bytes[place] = UInt8.random(in: 32...126, using: &random)
        }
      }
      let text = String(decoding: bytes, as: UTF8.self)
      // No date of these forms is before the year 0 or after 9999.
      if let date = HTTPDate.date(text) {
        #expect(abs(date.timeIntervalSince1970) < 260_000_000_000, "\(text)")
      }
      if let delay = RetryAfter.delay(text) { #expect(delay >= .zero, "\(text)") }
    }
  }
}
