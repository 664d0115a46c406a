import Foundation
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
}
