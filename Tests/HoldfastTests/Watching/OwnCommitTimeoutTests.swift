import Testing

@testable import Holdfast

@Suite struct OwnCommitTimeoutTests {
  private let limit = Duration.milliseconds(90)

  @Test func withoutARequestNoAnswerIsOverdue() {
    var timeout = OwnCommitTimeout(limit: limit)
    #expect(timeout.deadline == nil)
    let isOverdue = timeout.runsOut(at: .seconds(100))
    #expect(!isOverdue)
    #expect(timeout == OwnCommitTimeout(limit: limit))
    let wasOwed = timeout.end()
    #expect(!wasOwed)
  }

  @Test func anAnswerIsOverdueOnce() {
    var timeout = OwnCommitTimeout(limit: limit)
    timeout.begin(at: .milliseconds(10))
    #expect(timeout.deadline == .milliseconds(100))
    let answers = [99_999, 100_000, 100_001].map { timeout.runsOut(at: .microseconds($0)) }
    #expect(answers == [false, true, false])
    #expect(timeout == OwnCommitTimeout(limit: limit))
  }

  @Test func aLaterCommitDoesNotExtendTheWait() {
    var timeout = OwnCommitTimeout(limit: limit)
    timeout.begin(at: .milliseconds(10))
    timeout.begin(at: .milliseconds(60))
    #expect(timeout.deadline == .milliseconds(100))
  }

  /// No access of the app keeps the writer from answering then, and on a loaded machine the processor does.
  @Test func aWriterThatIsFreeToAnswerHasLonger() {
    var timeout = OwnCommitTimeout(limit: limit)
    timeout.extend(at: .zero)
    #expect(timeout.deadline == nil)
    timeout.begin(at: .milliseconds(10))
    timeout.extend(at: .milliseconds(50))
    #expect(timeout.deadline == .milliseconds(950))
    timeout.begin(at: .milliseconds(60))
    let answers = [949, 950, 951].map { timeout.runsOut(at: .milliseconds($0)) }
    #expect(answers == [false, true, false])
    timeout.extend(at: .seconds(1))
    #expect(timeout == OwnCommitTimeout(limit: limit))
  }

  @Test func anAnswerEndsTheWait() {
    var timeout = OwnCommitTimeout(limit: limit)
    timeout.begin(at: .milliseconds(10))
    let wasOwed = timeout.end()
    #expect(wasOwed)
    let isOverdue = timeout.runsOut(at: .seconds(1))
    #expect(!isOverdue)
    timeout.begin(at: .seconds(2))
    #expect(timeout.deadline == .seconds(2) + limit)
  }
}
