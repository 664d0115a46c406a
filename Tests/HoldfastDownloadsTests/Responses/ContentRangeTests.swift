import Testing

@testable import HoldfastDownloads

struct ContentRangeTests {
  @Test(arguments: [
    ("bytes 0-99/1234", ContentRange(bytes: 0..<100, total: 1234)),
    ("bytes 5-5/6", ContentRange(bytes: 5..<6, total: 6)),
    ("Bytes 0-99/*", ContentRange(bytes: 0..<100, total: nil)),
    ("bytes */1234", ContentRange(bytes: nil, total: 1234)),
    ("bytes */0", ContentRange(bytes: nil, total: 0)),
  ])
  func aRangeIsParsed(_ text: String, _ range: ContentRange) {
    #expect(ContentRange(text) == range)
  }

  @Test(arguments: [
    "", "bytes", "bytes */*", "bytes 9-5/10", "bytes 0-10/10", "bytes 0-9/9", "bytes -1-5/10",
    "bytes +1-5/10", "bytes 0-5", "items 0-5/10", "bytes 0-5/10/10", "bytes 0-5/1 0", "bytes 0-/10",
    "bytes 0-99999999999999999999/*", "bytes 0–5/10", "bytes ٠-٥/10",
    "bytes 0-9223372036854775807/*",
  ])
  func anythingElseIsNoRange(_ text: String) {
    #expect(ContentRange(text) == nil)
  }
}
