import Holdfast
import HoldfastTestSupport
import Testing

@Suite struct PoolStateTests {
  typealias State = PoolState<Int>

  /// What a slow and obvious machine would do: the promises of `PoolState` in other words.
  struct Model {
    enum Caller: Equatable {
      case idle, waiting(State.Purpose)
      case holding(slot: Int)
    }

    var state: State
    let readerCount: Int
    var callers: [Caller]
    var lines: [State.Purpose: [Int]] = [.write: [], .read: []]
    var isClosed = false

    init(readerCount: Int, callerCount: Int) {
      state = State(readerCount: readerCount)
      self.readerCount = readerCount
      callers = Array(repeating: .idle, count: callerCount)
    }

    /// The lane that a purpose uses.
    func lane(_ purpose: State.Purpose) -> State.Purpose { readerCount == 0 ? .write : purpose }

    func slots(_ lane: State.Purpose) -> Set<Int> {
      lane == .write ? [0] : Set(1..<1 + readerCount)
    }

    func free(_ lane: State.Purpose) -> Set<Int> {
      slots(lane).filter { slot in !callers.contains(.holding(slot: slot)) }
    }

    /// Everything that may happen next.
    var events: [Event] {
      var events: [Event] = [.close]
      for (caller, doing) in callers.enumerated() {
        switch doing {
        case .idle:
          events += [.take(caller, .write), .take(caller, .read)]
          events += [.wait(caller, .write), .wait(caller, .read)]
        case .waiting: events.append(.leave(caller))
        case .holding: events += [.giveBack(caller), .leave(caller)]
        }
      }
      return events
    }

    /// Lets it happen, and returns what is wrong with the answer.
    mutating func apply(_ event: Event) -> String? {
      switch event {
      case .take(let caller, let purpose):
        return check(state.take(for: purpose), to: caller, purpose, nothing: nil)
      case .wait(let caller, let purpose):
        return check(state.wait(caller, for: purpose), to: caller, purpose, nothing: .waiting)
      case .leave(let caller):
        guard case .waiting(let purpose) = callers[caller] else {
          return state.leave(caller) ? "one who does not wait left the line" : nil
        }
        lines[lane(purpose)]?.removeAll { $0 == caller }
        callers[caller] = .idle
        return state.leave(caller) ? nil : "one who waits did not leave the line"
      case .giveBack(let caller):
        guard case .holding(let slot) = callers[caller] else { return "the walk is wrong" }
        callers[caller] = .idle
        let lane = lane(slot == 0 ? .write : .read)
        let expected: State.Return
        if let next = lines[lane]?.first {
          lines[lane]?.removeFirst()
          callers[next] = .holding(slot: slot)
          expected = .handedOver(slot: slot, to: next)
        } else {
          expected = isClosed ? .closing(slot: slot) : .free
        }
        let answer = state.giveBack(slot: slot)
        return answer == expected ? nil : "\(answer) instead of \(expected)"
      case .close:
        let answer = state.close()
        let free = isClosed ? [] : free(.read).subtracting([0]).sorted() + free(.write).sorted()
        let refused = (lines[.write] ?? []) + (lines[.read] ?? [])
        isClosed = true
        lines = [.write: [], .read: []]
        for caller in refused { callers[caller] = .idle }
        return answer.free == free && answer.refused == refused
          ? nil : "\(answer) instead of \((free, refused))"
      }
    }

    private mutating func check(
      _ answer: State.Admission?, to caller: Int, _ purpose: State.Purpose,
      nothing: State.Admission?
    ) -> String? {
      let lane = lane(purpose)
      if isClosed { return answer == .refused ? nil : "\(answer as Any) although closed" }
      let free = free(lane)
      if free.isEmpty {
        guard answer == nothing else { return "\(answer as Any) although nothing is free" }
        if nothing == .waiting {
          callers[caller] = .waiting(purpose)
          lines[lane]?.append(caller)
        }
        return nil
      }
      // A free slot and a line before it would be a slot that is lost to those who wait.
      guard lines[lane] == [] else { return "a slot is free and somebody waits" }
      guard case .granted(let slot)? = answer, free.contains(slot) else {
        return "\(answer as Any) instead of one of \(free)"
      }
      callers[caller] = .holding(slot: slot)
      return nil
    }
  }

  enum Event {
    case take(Int, State.Purpose), wait(Int, State.Purpose)
    case leave(Int), giveBack(Int)
    case close
  }

  /// Walks through every sequence of events up to a length.
  private func walk(_ model: Model, _ length: Int, _ trail: [Event], _ wrong: inout [String]) {
    guard length > 0, wrong.isEmpty else { return }
    for event in model.events {
      var next = model
      if let sentence = next.apply(event) { wrong.append("\(trail + [event]): \(sentence)") }
      walk(next, length - 1, trail + [event], &wrong)
    }
  }

  @Test(arguments: [(0, 2, 6), (0, 3, 5), (1, 2, 6), (1, 3, 5), (2, 3, 5)])
  func everySequenceKeepsThePromises(readerCount: Int, callerCount: Int, length: Int) {
    var wrong: [String] = []
    walk(Model(readerCount: readerCount, callerCount: callerCount), length, [], &wrong)
    #expect(wrong.first == nil)
  }

  @Test func longRandomSequencesKeepThePromises() {
    var random = SeededRandom()
    for _ in 0..<500 {
      var model = Model(readerCount: Int.random(in: 0...3, using: &random), callerCount: 6)
      for _ in 0..<60 {
        // Closing is rare, or there would be little else.
        let events = model.events.dropFirst(Int.random(in: 0..<100, using: &random) == 0 ? 0 : 1)
        guard let event = events.randomElement(using: &random) else { continue }
        #expect(model.apply(event) == nil)
      }
    }
  }

  @Test func thoseWhoWaitAreServedInTheirOrder() {
    var state = State(readerCount: 1)
    #expect(state.take(for: .write) == .granted(slot: 0))
    #expect(state.take(for: .read) == .granted(slot: 1))
    #expect(state.take(for: .write) == nil)
    for waiter in 1...3 { #expect(state.wait(waiter, for: .write) == .waiting) }
    #expect(state.wait(4, for: .read) == .waiting)
    #expect(state.waitingCount == 4)
    let isGone = state.leave(2)
    #expect(isGone)
    #expect(state.giveBack(slot: 0) == .handedOver(slot: 0, to: 1))
    #expect(state.giveBack(slot: 0) == .handedOver(slot: 0, to: 3))
    #expect(state.giveBack(slot: 0) == .free)
    #expect(state.giveBack(slot: 1) == .handedOver(slot: 1, to: 4))
  }

  @Test func aSlotThatNobodyHoldsIsNotGivenBack() async {
    await #expect(processExitsWith: .failure) {
      var state = PoolState<Int>(readerCount: 2)
      _ = state.giveBack(slot: 1)
    }
    await #expect(processExitsWith: .failure) {
      var state = PoolState<Int>(readerCount: 2)
      _ = state.take(for: .write)
      _ = state.giveBack(slot: 0)
      _ = state.giveBack(slot: 0)
    }
    await #expect(processExitsWith: .failure) {
      var state = PoolState<Int>(readerCount: 2)
      _ = state.giveBack(slot: 3)
    }
    await #expect(processExitsWith: .failure) {
      var state = PoolState<Int>(readerCount: 0)
      _ = state.giveBack(slot: -1)
    }
  }
}
