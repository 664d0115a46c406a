import Holdfast
import Testing

/// The accesses that are allowed to a database after each event.
@Suite struct SuspensionStateTests {
  private typealias State = SuspensionState<String, Int>

  /// All possible events of a database with one lease and one connection.
  private enum Event: CaseIterable {
    case suspend, resume, beginLease, endLease, open, openForReading, openInLease, close, wait
    case leave
  }

  /// The rules in a second implementation: a list of words in place of the sets.
  private struct Rules {
    var isResumed = true
    var lease: Int?
    var hasConnection = false
    var isWaiting = false
  }

  @Test(arguments: [false, true])
  func everySequenceOfFiveEventsFollowsTheRules(allowsReading: Bool) {
    func check(_ state: State, _ rules: Rules, depth: Int) {
      let others: State.Admission =
        rules.isResumed ? .granted : allowsReading ? .reading : .refused
      #expect(state.isResumed == rules.isResumed)
      #expect(state.admission(in: nil) == others)
      #expect(state.admission(in: rules.lease) == (rules.lease == nil ? others : .granted))
      #expect(state.connectionCount == (rules.hasConnection ? 1 : 0))
      #expect(state.waitingCount == (rules.isWaiting ? 1 : 0))
      guard depth > 0 else { return }
      for event in Event.allCases {
        var state = state
        var rules = rules
        happen(event, &state, &rules, allowsReading)
        check(state, rules, depth: depth - 1)
      }
    }
    check(State(allowsReading: allowsReading), Rules(), depth: 5)
  }

  private func happen(
    _ event: Event, _ state: inout State, _ rules: inout Rules, _ allowsReading: Bool
  ) {
    let connections = rules.hasConnection ? ["connection"] : []
    switch event {
    case .suspend:
      state.suspend()
      #expect(state.connectionsToEnd == connections)
      (rules.isResumed, rules.lease) = (false, nil)
    case .resume:
      let waiters = state.resume()
      #expect(waiters == (rules.isResumed ? nil : rules.isWaiting ? [1] : []))
      #expect(state.connectionsToEnd == [])
      (rules.isResumed, rules.isWaiting) = (true, false)
    case .beginLease where rules.lease == nil:
      rules.lease = state.beginLease()
    case .endLease:
      let isLast = rules.lease != nil
      let ended = state.endLease(rules.lease ?? -1)
      #expect(ended == (isLast && !rules.isResumed ? connections : []))
      rules.lease = nil
    case .open, .openForReading, .openInLease:
      let lease = event == .openInLease ? rules.lease : nil
      let isForReading = event == .openForReading
      let isOpened = state.open("connection", in: lease, isForReading: isForReading)
      // A writer admitted before the suspension comes too late.
      let isReader = isForReading && allowsReading
      #expect(isOpened == (rules.isResumed || lease != nil || isReader))
      rules.hasConnection = rules.hasConnection || isOpened
    case .close:
      state.close("connection")
      rules.hasConnection = false
    case .wait where !rules.isWaiting:
      rules.isWaiting = state.wait(1)
      #expect(rules.isWaiting == !rules.isResumed)
    case .leave:
      let answer2 = state.leave(1)
      #expect(answer2 == rules.isWaiting)
      rules.isWaiting = false
    case .beginLease, .wait:
      break
    }
  }

  @Test func theConnectionsEndOnlyWithTheLastLease() {
    var state = State()
    state.suspend()
    let first = state.beginLease()
    let second = state.beginLease()
    let answer3 = state.open("connection", in: first)
    #expect(answer3)
    let answer4 = state.endLease(first)
    #expect(answer4 == [])
    #expect(state.admission(in: first) == .refused)
    #expect(state.admission(in: second) == .granted)
    let answer5 = state.endLease(second)
    #expect(answer5 == ["connection"])
    // Twice has the effect of once.
    let answer6 = state.endLease(second)
    #expect(answer6 == [])
  }

  @Test func waitersContinueInOrder() {
    var state = State()
    state.suspend()
    for waiter in 1...4 {
      let isWaiting = state.wait(waiter)
      #expect(isWaiting)
    }
    let answer7 = state.leave(2)
    #expect(answer7)
    let answer8 = state.resume()
    #expect(answer8 == [1, 3, 4])
    let isWaiting = state.wait(5)
    #expect(!isWaiting)
  }
}
