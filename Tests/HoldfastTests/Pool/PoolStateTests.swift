import Holdfast
import HoldfastTestSupport
import Testing

@Suite struct PoolStateTests {
  typealias State = PoolState<Int>

  /// A simple reference model of `PoolState`.
  struct Model {
    enum Caller: Equatable {
      case idle, waiting
      case holding(slot: Int, State.Purpose)
    }

    struct QueuedCaller: Equatable {
      var caller: Int
      var purpose: State.Purpose
    }

    var state: State
    let readerCount: Int
    var callers: [Caller]
    /// The caller inside of whose access each caller's own is.
    var outer: [Int: Int] = [:]
    var writeQueue: [QueuedCaller] = []
    var readQueue: [Int] = []
    var isClosed = false

    init(readerCount: Int, callerCount: Int) {
      state = State(readerCount: readerCount)
      self.readerCount = readerCount
      callers = Array(repeating: .idle, count: callerCount)
    }

    func isHeld(_ slot: Int) -> Bool {
      callers.contains { if case .holding(slot, _) = $0 { true } else { false } }
    }

    var freeReaders: [Int] { (1..<1 + readerCount).filter { !isHeld($0) } }

    /// Whether a barrier holds the writer, or is next and waits for the readers.
    var excludesReaders: Bool {
      callers.contains(.holding(slot: 0, .barrier))
        || (!isHeld(0) && writeQueue.first?.purpose == .barrier)
    }

    func usesReaders(_ purpose: State.Purpose) -> Bool { purpose == .read && readerCount > 0 }

    /// Returns the slots available to a new caller; none if it must wait.
    func open(to purpose: State.Purpose) -> [Int] {
      if usesReaders(purpose) { return excludesReaders ? [] : freeReaders }
      guard !isHeld(0), writeQueue.isEmpty else { return [] }
      return purpose == .barrier && freeReaders.count < readerCount ? [] : [0]
    }

    /// Returns the callers that continue now, in order, with the slots available to each.
    mutating func admitWaiting(readersFirst: Bool) -> [(caller: Int, slots: [Int])] {
      var going: [(caller: Int, slots: [Int])] = []
      func admitReaders(_ model: inout Model) {
        // Any of the free slots is allowed.
        let open = model.freeReaders
        while let next = model.readQueue.first, let slot = model.freeReaders.first {
          model.readQueue.removeFirst()
          going.append((next, open))
          model.callers[next] = .holding(slot: slot, .read)
        }
      }
      if readersFirst { admitReaders(&self) }
      if !isHeld(0), let next = writeQueue.first,
        next.purpose != .barrier || freeReaders.count == readerCount
      {
        writeQueue.removeFirst()
        going.append((next.caller, [0]))
        callers[next.caller] = .holding(slot: 0, next.purpose)
      }
      if !excludesReaders { admitReaders(&self) }
      return going
    }

    /// Compares the resumed callers with the expected ones and adopts their slots.
    mutating func check(
      _ grants: [State.Grant], _ expected: [(caller: Int, slots: [Int])]
    ) -> String? {
      guard grants.map(\.waiter) == expected.map(\.caller),
        zip(grants, expected).allSatisfy({ $1.slots.contains($0.slot) }),
        Set(grants.map(\.slot)).count == grants.count
      else { return "\(grants) instead of \(expected)" }
      for grant in grants {
        guard case .holding(_, let purpose) = callers[grant.waiter] else { continue }
        callers[grant.waiter] = .holding(slot: grant.slot, purpose)
      }
      return nil
    }

    /// Whether an access inside of the caller's has not ended.
    func isOuter(_ caller: Int) -> Bool {
      outer.contains { $0.value == caller && callers[$0.key] != .idle }
    }

    /// What the thread of a caller's access holds.
    func held(by caller: Int?) -> State.Held {
      guard let caller, case .holding(let slot, _) = callers[caller] else { return [] }
      return held(by: outer[caller]).union(slot == 0 ? .writer : .reader)
    }

    /// Whether a waiting caller proceeds if every access ends that does not wait.
    func proceeds(_ caller: Int) -> Bool {
      var model = self
      func ending() -> Int? {
        model.callers.indices.first {
          model.callers[$0] != .idle && model.callers[$0] != .waiting && !model.isOuter($0)
        }
      }
      while model.callers[caller] == .waiting, let next = ending() {
        let wasBarrier = model.callers[next] == .holding(slot: 0, .barrier)
        model.callers[next] = .idle
        _ = model.admitWaiting(readersFirst: wasBarrier)
      }
      return model.callers[caller] != .waiting
    }

    /// All events that are possible next.
    var events: [Event] {
      var events: [Event] = [.close]
      let inner = callers.firstIndex(of: .idle)
      for (caller, doing) in callers.enumerated() {
        switch doing {
        case .holding(_, let purpose) where readerCount > 0 && purpose != .barrier:
          guard let inner, !isOuter(caller) else { break }
          if purpose == .write { events.append(.come(inner, .read, inside: caller)) }
          if held(by: caller) == .reader { events.append(.come(inner, .write, inside: caller)) }
        default: break
        }
        switch doing {
        case .idle:
          events += [.come(caller, .write), .come(caller, .read), .come(caller, .barrier)]
        case .waiting: events.append(.leave(caller))
        case .holding: events += isOuter(caller) ? [] : [.release(caller), .leave(caller)]
        }
      }
      return events
    }

    /// Applies an event and returns what is wrong with the result.
    mutating func apply(_ event: Event) -> String? {
      switch event {
      case .come(let caller, let purpose, let outer): come(caller, purpose, inside: outer)
      case .leave(let caller): leave(caller)
      case .release(let caller): release(caller)
      case .close: close()
      }
    }

    private mutating func come(
      _ caller: Int, _ purpose: State.Purpose, inside outer: Int?
    ) -> String? {
      // A mere request gets the same result, and changes nothing when it is refused.
      var probe = state
      let answer = probe.acquire(for: purpose)
      let before = state
      let admission = state.wait(caller, for: purpose, holding: held(by: outer))
      let isDeadlock = if case .deadlock = admission { true } else { false }
      guard answer == (isDeadlock ? nil : admission) else {
        return "\(answer as Any) to a mere request, \(admission as Any) to a waiter"
      }
      if answer == nil, probe.waitingCount != before.waitingCount {
        return "a refused request changes the state"
      }
      if isClosed { return admission == .refused ? nil : "\(admission as Any) although closed" }
      let open = open(to: purpose)
      self.outer[caller] = outer
      switch admission {
      case .granted(let slot) where open.contains(slot):
        callers[caller] = .holding(slot: slot, purpose)
      case nil where open.isEmpty, .deadlock where open.isEmpty:
        var waiting = self
        waiting.callers[caller] = .waiting
        if usesReaders(purpose) {
          waiting.readQueue.append(caller)
        } else {
          waiting.writeQueue.append(QueuedCaller(caller: caller, purpose: purpose))
        }
        // A wait that would never end is refused, and no other.
        guard waiting.proceeds(caller) != isDeadlock else { return "\(admission as Any)" }
        if !isDeadlock { self = waiting }
      default: return "\(admission as Any) although \(open) is open"
      }
      let isAlone = callers.contains { if case .holding(0, .barrier) = $0 { true } else { false } }
      guard state.isBarrierHeld == isAlone else { return "isBarrierHeld is wrong" }
      return state.waitingCount == writeQueue.count + readQueue.count ? nil : "a wrong count"
    }

    private mutating func leave(_ caller: Int) -> String? {
      let answer = state.leave(caller)
      guard callers[caller] == .waiting else {
        return answer == nil ? nil : "a caller that does not wait left the queue"
      }
      guard let answer else { return "a waiting caller did not leave the queue" }
      let isNextBarrier = !isHeld(0) && writeQueue.first?.caller == caller
      writeQueue.removeAll { $0.caller == caller }
      readQueue.removeAll { $0 == caller }
      callers[caller] = .idle
      return check(answer, admitWaiting(readersFirst: isNextBarrier))
    }

    private mutating func release(_ caller: Int) -> String? {
      guard case .holding(let slot, let purpose) = callers[caller] else {
        return "the walk is wrong"
      }
      callers[caller] = .idle
      let answer = state.release(slot: slot)
      if isClosed { return answer == .closing ? nil : "\(answer) although closed" }
      let expected = admitWaiting(readersFirst: purpose == .barrier)
      switch answer {
      case .free: return check([], expected)
      case .barrierEnded(let grants) where purpose == .barrier: return check(grants, expected)
      case .granted(let slot, let waiter):
        return check([State.Grant(slot: slot, waiter: waiter)], expected)
      default: return "\(answer) instead of \(expected)"
      }
    }

    private mutating func close() -> String? {
      let answer = state.close()
      let held = callers.count { if case .holding = $0 { true } else { false } }
      let refused = writeQueue.map(\.caller) + readQueue
      let isRight = answer.heldCount == (isClosed ? 0 : held) && answer.refused == refused
      isClosed = true
      writeQueue = []
      readQueue = []
      for caller in refused { callers[caller] = .idle }
      return isRight && state.isClosed ? nil : "\(answer) instead of \((held, refused))"
    }
  }

  enum Event {
    case come(Int, State.Purpose, inside: Int? = nil)
    case leave(Int), release(Int)
    case close
  }

  /// Walks through all sequences of events up to a length.
  private func walk(_ model: Model, _ length: Int, _ trail: [Event], _ wrong: inout [String]) {
    guard length > 0, wrong.isEmpty else { return }
    for event in model.events {
      var next = model
      if let sentence = next.apply(event) { wrong.append("\(trail + [event]): \(sentence)") }
      walk(next, length - 1, trail + [event], &wrong)
    }
  }

  @Test(arguments: [(0, 2, 6), (0, 3, 5), (1, 2, 6), (1, 3, 5), (1, 4, 4), (2, 3, 5), (2, 4, 4)])
  func everySequenceFollowsTheModel(readerCount: Int, callerCount: Int, length: Int) {
    var wrong: [String] = []
    walk(Model(readerCount: readerCount, callerCount: callerCount), length, [], &wrong)
    #expect(wrong.first == nil)
  }

  @Test func longRandomSequencesFollowTheModel() {
    var random = SeededRandom()
    for _ in 0..<500 {
      var model = Model(readerCount: Int.random(in: 0...3, using: &random), callerCount: 6)
      for _ in 0..<60 {
        // Closing is rare; otherwise few other events would follow.
        let events = model.events.dropFirst(Int.random(in: 0..<100, using: &random) == 0 ? 0 : 1)
        guard let event = events.randomElement(using: &random) else { continue }
        #expect(model.apply(event) == nil)
      }
    }
  }

  @Test func waitersAreServedInOrder() {
    var state = State(readerCount: 1)
    #expect(state.acquire(for: .write) == .granted(slot: 0))
    #expect(state.acquire(for: .read) == .granted(slot: 1))
    #expect(state.acquire(for: .write) == nil)
    for waiter in 1...3 { #expect(state.wait(waiter, for: .write) == nil) }
    #expect(state.wait(4, for: .read) == nil)
    #expect(state.waitingCount == 4)
    #expect(state.leave(2) == [])
    #expect(state.release(slot: 0) == .granted(slot: 0, to: 1))
    #expect(state.release(slot: 0) == .granted(slot: 0, to: 3))
    #expect(state.release(slot: 0) == .free)
    #expect(state.release(slot: 1) == .granted(slot: 1, to: 4))
  }

  @Test(arguments: 1...3, [true, false])
  func theRequestThatCompletesACycleIsRefused(readerCount: Int, writerIsLast: Bool) {
    var state = State(readerCount: readerCount)
    #expect(state.acquire(for: .write) == .granted(slot: 0))
    for slot in 1...readerCount { #expect(state.acquire(for: .read) == .granted(slot: slot)) }
    // Waits that end: another thread reads, and is the next to write.
    #expect(state.wait(0, for: .read) == nil)
    #expect(state.wait(1, for: .write) == nil)
    for waiter in 2..<1 + readerCount {
      #expect(state.wait(waiter, for: .write, holding: .reader) == nil)
    }
    let waits: [(State.Purpose, State.Held)] = [(.read, .writer), (.write, .reader)]
    let (first, last) = writerIsLast ? (waits[1], waits[0]) : (waits[0], waits[1])
    #expect(state.wait(8, for: first.0, holding: first.1) == nil)
    #expect(state.wait(9, for: last.0, holding: last.1) == .deadlock(.readersAndWriter))
    #expect(state.wait(9, for: last.0) == nil)
  }

  @Test func aThreadThatHoldsTheOnlyReaderAndTheWriterCannotReadAgain() {
    var state = State(readerCount: 1)
    #expect(state.acquire(for: .read) == .granted(slot: 1))
    #expect(state.acquire(for: .write) == .granted(slot: 0))
    #expect(
      state.wait(1, for: .read, holding: [.reader, .writer]) == .deadlock(.readersAndWriter))
  }

  @Test func aWriteInsideOfAReadIsRefusedBehindABarrierOnly() {
    var state = State(readerCount: 2)
    #expect(state.acquire(for: .read) == .granted(slot: 1))
    #expect(state.acquire(for: .write) == .granted(slot: 0))
    #expect(state.wait(1, for: .write, holding: .reader) == nil)
    #expect(state.wait(2, for: .barrier) == nil)
    #expect(state.wait(3, for: .write) == nil)
    #expect(state.acquire(for: .read) == .granted(slot: 2))
    #expect(state.wait(4, for: .write, holding: .reader) == .deadlock(.barrier))
    #expect(state.leave(2) == [])
    #expect(state.wait(4, for: .write, holding: .reader) == nil)
  }

  @Test func aReadInsideOfABarrierIsRefused() {
    var state = State(readerCount: 2)
    #expect(state.acquire(for: .barrier) == .granted(slot: 0))
    #expect(state.wait(1, for: .read, holding: .writer) == .deadlock(.insideBarrier))
    #expect(state.wait(1, for: .read) == nil)
  }

  @Test func readersThatWaitedForABarrierPrecedeTheNextOne() {
    var state = State(readerCount: 2)
    #expect(state.wait(1, for: .barrier) == .granted(slot: 0))
    #expect(state.wait(2, for: .barrier) == nil)
    for waiter in 3...5 { #expect(state.wait(waiter, for: .read) == nil) }
    let first = [State.Grant(slot: 1, waiter: 3), State.Grant(slot: 2, waiter: 4)]
    #expect(state.release(slot: 0) == .barrierEnded(first))
    // The third reader came too late: the barrier waits only for the current readers.
    #expect(state.release(slot: 1) == .free)
    #expect(state.release(slot: 2) == .granted(slot: 0, to: 2))
    #expect(state.release(slot: 0) == .barrierEnded([State.Grant(slot: 2, waiter: 5)]))
  }

  @Test func aBarrierThatLeavesTheQueueAdmitsTheOthers() {
    var state = State(readerCount: 2)
    #expect(state.wait(1, for: .read) == .granted(slot: 1))
    #expect(state.wait(2, for: .barrier) == nil)
    #expect(state.wait(3, for: .read) == nil)
    #expect(state.wait(4, for: .write) == nil)
    let going = [State.Grant(slot: 2, waiter: 3), State.Grant(slot: 0, waiter: 4)]
    #expect(state.leave(2) == going)
  }

  @Test func returningAnUnheldSlotTraps() async {
    await #expect(processExitsWith: .failure) {
      var state = PoolState<Int>(readerCount: 2)
      _ = state.release(slot: 1)
    }
    await #expect(processExitsWith: .failure) {
      var state = PoolState<Int>(readerCount: 2)
      _ = state.acquire(for: .write)
      _ = state.release(slot: 0)
      _ = state.release(slot: 0)
    }
    await #expect(processExitsWith: .failure) {
      var state = PoolState<Int>(readerCount: 2)
      _ = state.release(slot: 3)
    }
    await #expect(processExitsWith: .failure) {
      var state = PoolState<Int>(readerCount: 0)
      _ = state.release(slot: -1)
    }
    // The slot is reserved for the waiting barrier, which does not hold it yet.
    await #expect(processExitsWith: .failure) {
      var state = PoolState<Int>(readerCount: 1)
      _ = state.acquire(for: .read)
      _ = state.wait(1, for: .barrier)
      _ = state.release(slot: 0)
    }
  }
}
