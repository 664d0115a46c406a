import Testing

@testable import Holdfast

@Suite struct OwnCommitTimeoutTests {
  private let limit = Duration.milliseconds(90)

  @Test func withoutARequestNoAnswerIsOverdue() {
    var patience = OwnCommitTimeout(limit: limit)
    #expect(patience.deadline == nil)
    let isOverdue = patience.runsOut(at: .seconds(100))
    #expect(!isOverdue)
    #expect(patience == OwnCommitTimeout(limit: limit))
    let wasOwed = patience.end()
    #expect(!wasOwed)
  }

  @Test func anAnswerIsOverdueOnce() {
    var patience = OwnCommitTimeout(limit: limit)
    patience.begin(at: .milliseconds(10))
    #expect(patience.deadline == .milliseconds(100))
    let answers = [99_999, 100_000, 100_001].map { patience.runsOut(at: .microseconds($0)) }
    #expect(answers == [false, true, false])
    #expect(patience == OwnCommitTimeout(limit: limit))
  }

  @Test func aLaterCommitDoesNotExtendTheWait() {
    var patience = OwnCommitTimeout(limit: limit)
    patience.begin(at: .milliseconds(10))
    patience.begin(at: .milliseconds(60))
    #expect(patience.deadline == .milliseconds(100))
  }

  @Test func anAnswerEndsTheWait() {
    var patience = OwnCommitTimeout(limit: limit)
    patience.begin(at: .milliseconds(10))
    let wasOwed = patience.end()
    #expect(wasOwed)
    let isOverdue = patience.runsOut(at: .seconds(1))
    #expect(!isOverdue)
    patience.begin(at: .seconds(2))
    #expect(patience.deadline == .seconds(2) + limit)
  }
}
