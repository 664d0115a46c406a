import Testing

@testable import Holdfast

@Suite struct SignalThrottleTests {
  /// Commits this many times in each interval, and returns the intervals.
  private func rests(commits: [Int]) -> [Duration] {
    var pace = SignalThrottle()
    var rests: [Duration] = []
    for count in commits {
      for _ in 0..<count { _ = pace.committed() }
      _ = pace.rested()
      rests.append(pace.rest)
    }
    return rests
  }

  @Test func theFirstCommitIsSignalledAtOnceAndLaterOnesTogether() {
    var pace = SignalThrottle()
    let answers = (0..<5).map { _ in pace.committed() }
    #expect(answers == [true, false, false, false, false])
    let isOwed = [pace.rested(), pace.rested()]
    #expect(isOwed == [true, false])
    #expect(pace == SignalThrottle())
    let isFirst = pace.committed()
    #expect(isFirst)
  }

  @Test func aWriterThatWaitsForItsReadersIsSignalledEachMillisecond() {
    let rests = rests(commits: Array(repeating: SignalThrottle.burstCount - 1, count: 20))
    #expect(rests.allSatisfy { $0 == .milliseconds(1) })
  }

  @Test func theIntervalGrowsToItsLimitDuringABurst() {
    let rests = rests(commits: [9, 16, 32, 64, 64, 1000])
    #expect(rests == [2, 4, 8, 8, 8, 8].map(Duration.milliseconds))
  }

  @Test func theIntervalIsShortAgainAfterABurst() {
    #expect(rests(commits: [9, 16, 15, 3]) == [2, 4, 1, 1].map(Duration.milliseconds))
    #expect(rests(commits: [9, 16, 0, 3]) == [2, 4, 1, 1].map(Duration.milliseconds))
  }

  /// In any case, each commit is followed by a signal within the longest interval.
  @Test func everyCommitIsFollowedByASignal() {
    for pattern in 0..<4096 {
      var pace = SignalThrottle()
      var isOwed = false
      var isResting = false
      for step in 0..<12 {
        if pattern >> step & 1 == 1 {
          let isSent = pace.committed()
          #expect(isSent != isResting)
          isOwed = !isSent
          isResting = true
        } else if isResting {
          let isSent = pace.rested()
          #expect(isSent == isOwed)
          isOwed = false
          isResting = isSent
        }
        #expect(pace.rest <= SignalThrottle.longestRest)
      }
    }
  }
}
