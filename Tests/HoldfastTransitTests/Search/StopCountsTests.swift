import Testing

@testable import HoldfastTransit

@Suite struct StopCountsTests {
  @Test func `stops with small and great numbers have the counts that were set`() {
    var counts = StopCounts(below: 4)
    for sid: Int64 in [0, 3, 4, 1 << 50] { counts[sid] += Int(sid) + 1 }
    #expect([0, 1, 3, 4, 5, 1 << 50].map { counts[$0] } == [1, 0, 4, 5, 0, (1 << 50) + 1])
  }
}
