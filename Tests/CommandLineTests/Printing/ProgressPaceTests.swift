import Testing

@testable import HoldfastTool

@Suite struct ProgressPaceTests {
  private static let times: [(Double, Double, String?)] = [
    (0.5, 0.9, nil), (0.5, 1, "1 s left"), (0.019, 60, nil), (0.02, 1, "49 s left"),
    (0.4, 8, "12 s left"), (0.99, 1, "1 s left"), (0.5, 59, "59 s left"), (0.5, 59.5, "1 min left"),
    (0.5, 89, "1 min left"), (0.25, 60, "3 min left"), (0.5, 3600, "1 h left"),
    (0.02, 3600, "49 h left"), (1, 60, nil), (0, 60, nil), (.nan, 60, nil),
  ]

  @Test(arguments: times)
  func `The remaining time follows from the elapsed one`(
    fraction: Double, seconds: Double, text: String?
  ) {
    let pace = ProgressPace(fraction: fraction, elapsed: .seconds(seconds))
    #expect(pace.remainingText == text)
  }

  private static let rates: [(Double?, Double, String?)] = [
    (34_000_000, 1, "34 MB/s"), (6_400_000, 2, "3.2 MB/s"), (9_960_000, 1, "10 MB/s"),
    (3_000_000, 1, "3.0 MB/s"), (40_000, 1, nil), (0, 5, nil), (nil, 5, nil),
    (34_000_000, 0.5, nil), (1e22, 1, "10000000000000000 MB/s"),
  ]

  @Test(arguments: rates)
  func `The rate is that of all bytes so far`(byteCount: Double?, seconds: Double, text: String?) {
    let pace = ProgressPace(fraction: 0.5, elapsed: .seconds(seconds), byteCount: byteCount)
    #expect(pace.rateText == text)
  }

  @Test func `Work that is done has no rate`() {
    #expect(ProgressPace(fraction: 1, elapsed: .seconds(5), byteCount: 1e9).rateText == nil)
  }
}
