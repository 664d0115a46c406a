import Testing

@testable import HoldfastDownloads

struct DownloadMachineTests {
  private typealias Event = DownloadMachine.Event
  private typealias Action = DownloadMachine.Action

  private func after(_ events: Event...) -> DownloadMachine {
    var machine = DownloadMachine()
    for event in events { _ = machine.handle(event) }
    return machine
  }

  @Test func aCancelledDownloadWithHandedFilesRemovesThemBeforeItHasBegun() {
    var machine = DownloadMachine()
    machine.hasHandedFiles = true
    #expect(machine.handle(.cancel).contains(.remove))
    #expect(machine.handle(.removed).contains(.complete(.cancelled)))
    #expect(machine.state == .cancelled)
  }

  @Test func aDownloadFinishes() {
    var machine = DownloadMachine()
    #expect(machine.handle(.started) == [.enqueue])
    #expect(machine.handle(.admitted) == [.beginAttempt])
    #expect(machine.state == .transferring)
    #expect(machine.handle(.contentComplete) == [])
    #expect(machine.state == .finishing)
    #expect(machine.handle(.attemptEnded(.finished)) == [.leaveQueue, .complete(.file)])
    #expect(machine.state == .finished)
  }

  @Test func aFailureIsRetriedOrFinal() {
    var machine = after(.started, .admitted)
    #expect(
      machine.handle(.attemptEnded(.failed(retryAfter: .seconds(2))))
        == [.leaveQueue, .scheduleRetry(.seconds(2))])
    #expect(machine.state == .retrying)
    #expect(machine.handle(.retryDue) == [.enqueue])
    #expect(machine.handle(.admitted) == [.beginAttempt])
    #expect(
      machine.handle(.attemptEnded(.failed(retryAfter: nil))) == [.leaveQueue, .complete(.error)])
    #expect(machine.state == .failed)
  }

  @Test func aRemovalEndsAsItDoes() {
    for (event, state, completion) in [
      (.removed, .cancelled, .cancelled), (.recorded, .finished, .file),
      (.notRemoved, .failed, .error),
    ] as [(Event, DownloadState, DownloadMachine.Completion)] {
      var machine = after(.started, .admitted, .cancel)
      #expect(machine.handle(event) == [])
      #expect(machine.handle(.attemptEnded(.stopped)) == [.leaveQueue, .remove])
      #expect(machine.handle(event) == [.complete(completion)])
      #expect(machine.state == state)
    }
  }

  @Test func aPauseKeepsThePartAndIsTakenBack() {
    var machine = after(.started, .admitted)
    #expect(machine.handle(.pause) == [.stopAttempt])
    #expect(machine.handle(.pause) == [])
    #expect(machine.handle(.attemptEnded(.stopped)) == [.leaveQueue])
    #expect(machine.state == .paused)
    #expect(machine.handle(.resume) == [.enqueue])
    #expect(machine.state == .waiting)
  }

  @Test func aPauseThatIsTakenBackAtOnceBeginsAgain() {
    var machine = after(.started, .admitted, .pause)
    #expect(machine.handle(.resume) == [])
    #expect(machine.handle(.attemptEnded(.stopped)) == [.leaveQueue, .enqueue])
    #expect(machine.handle(.admitted) == [.beginAttempt])
  }

  @Test func aPausedDownloadThatWaitsLeavesTheQueue() {
    var machine = after(.started)
    #expect(machine.handle(.pause) == [.leaveQueue])
    // The queue had decided before.
    #expect(machine.handle(.admitted) == [.leaveQueue])
    #expect(machine.state == .paused)
    machine = after(.started, .admitted, .attemptEnded(.failed(retryAfter: .seconds(1))))
    #expect(machine.handle(.pause) == [.cancelRetry])
    #expect(machine.handle(.retryDue) == [])
  }

  @Test func aCancellationRemovesThePartFirst() {
    var machine = after(.started, .admitted)
    #expect(machine.handle(.cancel) == [.stopAttempt])
    #expect(machine.handle(.attemptEnded(.stopped)) == [.leaveQueue, .remove])
    #expect(!machine.state.isFinal)
    #expect(machine.handle(.cancel) == [])
    #expect(machine.handle(.removed) == [.complete(.cancelled)])
    #expect(machine.state == .cancelled)
    machine = after(.started, .admitted, .pause, .attemptEnded(.stopped))
    #expect(machine.handle(.cancel) == [.remove])
  }

  @Test func aCancellationOutlastsAPauseAndAClosing() {
    var machine = after(.started, .admitted, .cancel, .pause, .close, .resume)
    #expect(machine.handle(.attemptEnded(.stopped)) == [.leaveQueue, .remove])
  }

  @Test func aDownloadThatIsNotStartedTouchesNothing() {
    var machine = DownloadMachine()
    // Meant for the download that it replaces.
    #expect(machine.handle(.admitted) == [.leaveQueue])
    #expect(machine.handle(.pause) == [])
    #expect(machine.handle(.started) == [])
    #expect(machine.handle(.resume) == [.enqueue])
    #expect(machine.handle(.started) == [])
    machine = after(.pause, .resume)
    #expect(machine.handle(.started) == [.enqueue])
    machine = DownloadMachine()
    #expect(machine.handle(.cancel) == [.complete(.cancelled)])
    #expect(machine.handle(.started) == [])
  }

  @Test func aFileThatIsFinishedCannotBeCancelled() {
    var machine = after(.started, .admitted, .contentComplete, .cancel)
    #expect(machine.handle(.attemptEnded(.finished)) == [.leaveQueue, .complete(.file)])
    #expect(machine.state == .finished)
  }

  /// Any five events in any order keep what the downloader relies on.
  @Test func noOrderOfEventsBreaksTheRules() {
    let events: [Event] = [
      .started, .admitted, .contentComplete, .attemptEnded(.finished), .attemptEnded(.stopped),
      .attemptEnded(.failed(retryAfter: nil)), .attemptEnded(.failed(retryAfter: .seconds(1))),
      .retryDue, .pause, .resume, .cancel, .close, .removed,
    ]
    var count = 0
    func explore(_ machine: DownloadMachine, depth: Int, isActive: Bool, completions: Int) {
      count += 1
      guard depth > 0 else { return }
      for event in events {
        // Only a running attempt ends or completes its content.
        switch event {
        case .attemptEnded, .contentComplete: if !isActive { continue }
        default: break
        }
        var next = machine
        let actions = next.handle(event)
        var active = isActive
        if case .attemptEnded = event { active = false }
        if actions.contains(.beginAttempt) {
          #expect(!active, "two attempts")
          active = true
        }
        if actions.contains(.stopAttempt) { #expect(active) }
        if actions.contains(.remove) { #expect(!active, "removed in use") }
        let all = completions + actions.count { if case .complete = $0 { true } else { false } }
        #expect(all <= 1)
        #expect(next.state.isFinal == (all == 1))
        if machine.state.isFinal { #expect(actions.isEmpty) }
        explore(next, depth: depth - 1, isActive: active, completions: all)
      }
    }
    explore(after(.started), depth: 5, isActive: false, completions: 0)
    explore(DownloadMachine(), depth: 4, isActive: false, completions: 0)
    #expect(count > 10_000)
  }
}
