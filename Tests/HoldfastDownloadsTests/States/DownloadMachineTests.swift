import Testing

@testable import HoldfastDownloads

struct DownloadMachineTests {
  private typealias Answer = DownloadMachine.Answer

  /// What can happen to a download.
  private enum Event: Hashable {
    case start, admit, completeContent, finish, stop, fail, failForNow, endRetryDelay
    case pause, resume, cancel, close, removed
  }

  /// What the downloader relies on in the answers, whatever the event.
  private struct Effect {
    var begins = false
    var stops = false
    var removes = false
    var completions = 0

    mutating func add(_ next: DownloadMachine.Next?) {
      switch next {
      case .remove?: removes = true
      case .complete?: completions += 1
      case .pause?, .enqueue?, .retry?, nil: break
      }
    }

    mutating func add(_ answer: Answer) {
      switch answer {
      case .ignored: break
      case .stopAttempt: stops = true
      case .effective(_, let next): add(next)
      }
    }
  }

  @discardableResult
  private static func perform(_ event: Event, on machine: inout DownloadMachine) -> Effect {
    var effect = Effect()
    switch event {
    case .start: _ = machine.start()
    case .admit: effect.begins = machine.admit()
    case .completeContent: machine.completeContent()
    case .finish: effect.add(machine.endAttempt(.finished))
    case .stop: effect.add(machine.endAttempt(.stopped))
    case .fail: effect.add(machine.endAttempt(.failed(retryAfter: nil)))
    case .failForNow: effect.add(machine.endAttempt(.failed(retryAfter: .seconds(1))))
    case .endRetryDelay: _ = machine.endRetryDelay()
    case .pause: effect.add(machine.demand(.pause))
    case .resume: _ = machine.resume()
    case .cancel: effect.add(machine.demand(.cancel))
    case .close: effect.add(machine.demand(.close))
    case .removed: effect.completions += machine.endRemoval(.removed) == nil ? 0 : 1
    }
    return effect
  }

  private static func after(_ events: Event...) -> DownloadMachine {
    var machine = DownloadMachine()
    for event in events { perform(event, on: &machine) }
    return machine
  }

  @Test func `A cancelled download with handed files removes them before it has begun`() {
    var machine = DownloadMachine()
    machine.handFiles()
    #expect(machine.demand(.cancel) == .effective(leaving: nil, next: .remove))
    #expect(machine.endRemoval(.removed) == .cancelled)
    #expect(machine.state == .cancelled)
  }

  @Test func `A download finishes`() {
    var machine = DownloadMachine()
    #expect(machine.start() == true)
    #expect(machine.admit() == true)
    #expect(machine.state == .transferring)
    machine.completeContent()
    #expect(machine.state == .finishing)
    #expect(machine.endAttempt(.finished) == .complete(.file))
    #expect(machine.state == .finished)
    #expect(machine.endAttempt(.finished) == nil)
  }

  @Test func `A failure is retried or final`() {
    var machine = Self.after(.start, .admit)
    #expect(machine.endAttempt(.failed(retryAfter: .seconds(2))) == .retry(after: .seconds(2)))
    #expect(machine.state == .retrying)
    #expect(machine.endRetryDelay() == true)
    #expect(machine.admit() == true)
    #expect(machine.endAttempt(.failed(retryAfter: nil)) == .complete(.error))
    #expect(machine.state == .failed)
  }

  @Test func `A removal ends as it does`() {
    for (outcome, state, completion) in [
      (.removed, .cancelled, .cancelled), (.recorded, .finished, .file),
      (.notRemoved, .failed, .error),
    ] as [(DownloadMachine.RemovalOutcome, DownloadState, DownloadMachine.Completion)] {
      var machine = Self.after(.start, .admit, .cancel)
      #expect(machine.endRemoval(outcome) == nil)
      #expect(machine.endAttempt(.stopped) == .remove)
      #expect(machine.endRemoval(outcome) == completion)
      #expect(machine.state == state)
    }
  }

  @Test func `A pause keeps the part and is taken back`() {
    var machine = Self.after(.start, .admit)
    #expect(machine.demand(.pause) == .stopAttempt)
    #expect(machine.demand(.pause) == .ignored)
    #expect(machine.endAttempt(.stopped) == .pause)
    #expect(machine.state == .paused)
    #expect(machine.resume() == true)
    #expect(machine.state == .waiting)
  }

  @Test func `A pause that is taken back at once begins again`() {
    var machine = Self.after(.start, .admit, .pause)
    #expect(machine.resume() == false)
    #expect(machine.endAttempt(.stopped) == .enqueue)
    #expect(machine.admit() == true)
  }

  @Test func `A pause after one that was taken back is in effect`() {
    var machine = Self.after(.start, .admit, .pause, .resume)
    #expect(machine.demand(.pause) == .stopAttempt)
    #expect(machine.endAttempt(.stopped) == .pause)
    #expect(machine.resume() == true)
    #expect(machine.admit() == true)
    // Nothing is left of the pause that was taken back.
    #expect(machine.endAttempt(.stopped) == .complete(.error))
  }

  @Test func `A paused download that waits leaves the queue`() {
    var machine = Self.after(.start)
    #expect(machine.demand(.pause) == .effective(leaving: .queue, next: .pause))
    // The queue had decided before.
    #expect(machine.admit() == false)
    #expect(machine.state == .paused)
    machine = Self.after(.start, .admit, .failForNow)
    #expect(machine.demand(.pause) == .effective(leaving: .retry, next: .pause))
    #expect(machine.endRetryDelay() == false)
  }

  @Test func `A cancellation removes the part first`() {
    var machine = Self.after(.start, .admit)
    #expect(machine.demand(.cancel) == .stopAttempt)
    #expect(machine.endAttempt(.stopped) == .remove)
    #expect(!machine.state.isFinal)
    #expect(machine.demand(.cancel) == .ignored)
    #expect(machine.endRemoval(.removed) == .cancelled)
    #expect(machine.state == .cancelled)
    machine = Self.after(.start, .admit, .pause, .stop)
    #expect(machine.demand(.cancel) == .effective(leaving: nil, next: .remove))
  }

  @Test func `A cancellation outlasts a pause and a closing`() {
    var machine = Self.after(.start, .admit, .cancel, .pause, .close, .resume)
    #expect(machine.endAttempt(.stopped) == .remove)
    machine = Self.after(.start, .admit, .close, .cancel)
    #expect(machine.endAttempt(.stopped) == .remove)
  }

  @Test func `A download that is not started touches nothing`() {
    var machine = DownloadMachine()
    // Meant for the download that it replaces.
    #expect(machine.admit() == false)
    #expect(machine.demand(.pause) == .effective(leaving: nil, next: .pause))
    #expect(machine.start() == false)
    #expect(machine.resume() == true)
    #expect(machine.start() == false)
    machine = Self.after(.pause, .resume)
    #expect(machine.start() == true)
    machine = DownloadMachine()
    #expect(machine.demand(.cancel) == .effective(leaving: nil, next: .complete(.cancelled)))
    #expect(machine.start() == false)
  }

  @Test func `A file that is finished cannot be cancelled`() {
    var machine = Self.after(.start, .admit, .completeContent, .cancel)
    #expect(machine.endAttempt(.finished) == .complete(.file))
    #expect(machine.state == .finished)
  }

  /// Any five events in any order keep what the downloader relies on.
  @Test func `No order of events breaks the rules`() {
    let events: [Event] = [
      .start, .admit, .completeContent, .finish, .stop, .fail, .failForNow, .endRetryDelay, .pause,
      .resume, .cancel, .close, .removed,
    ]
    var count = 0
    func explore(_ machine: DownloadMachine, depth: Int, isActive: Bool, completions: Int) {
      count += 1
      guard depth > 0 else { return }
      for event in events {
        var next = machine
        let effect = Self.perform(event, on: &next)
        var isNextActive = isActive
        if [.finish, .stop, .fail, .failForNow].contains(event) { isNextActive = false }
        if effect.begins {
          #expect(!isNextActive, "two attempts")
          isNextActive = true
        }
        if effect.stops { #expect(isNextActive) }
        if effect.removes { #expect(!isNextActive, "removed in use") }
        let all = completions + effect.completions
        #expect(all <= 1)
        #expect(next.state.isFinal == (all == 1))
        if machine.state.isFinal { #expect(next == machine || event == .start) }
        explore(next, depth: depth - 1, isActive: isNextActive, completions: all)
      }
    }
    explore(Self.after(.start), depth: 5, isActive: false, completions: 0)
    explore(DownloadMachine(), depth: 4, isActive: false, completions: 0)
    #expect(count > 10_000)
  }
}
