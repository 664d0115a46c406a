import Testing

@testable import Holdfast

@Suite struct PollBackoffTests {
  typealias Finding = PollBackoff.Finding

  private static func milliseconds(_ count: Int) -> Duration { .milliseconds(count) }

  /// Returns the times of all probes until `end`, with events and findings by time.
  private func looks(
    _ pace: PollBackoff.Pace = .init(), events: [Duration] = [], until end: Duration,
    finding: (Duration) -> Finding = { _ in .nothing }
  ) -> [Duration] {
    var backoff = PollBackoff(pace, at: .zero)
    var now = Duration.zero
    var events = events
    var looks: [Duration] = []
    while now < end {
      switch backoff.action(at: now) {
      case .look:
        looks.append(now)
        _ = backoff.didLook(finding(now), at: now)
      case .listen(let time):
        #expect(time > now)
        if let event = events.first, event <= time {
          now = max(now, event)
          events.removeFirst()
          backoff.receivedEvent()
        } else {
          now = time
        }
      case .rest(let time):
        #expect(time > now)
        now = time
      case .pause(let time):
        #expect(time > now)
        now = time
        #expect(backoff.action(at: now) == .look)
      case .end:
        return looks
      }
    }
    return looks
  }

  @Test func withoutEventsPollingContinues() {
    #expect(looks(until: .seconds(4)) == (0...3).map(Duration.seconds))
  }

  @Test func anEventIsFollowedByProbesWithBackoff() {
    let times = looks(events: [.milliseconds(500)], until: .seconds(1.5))
    #expect(times.dropFirst() == [500, 501, 505, 521, 585, 835].map(Self.milliseconds)[...])
  }

  @Test func aFoundChangeRestartsTheBackoff() {
    // The next commit may have been written and not be visible yet.
    let pace = PollBackoff.Pace()
    for (found, rest) in [
      (Finding.nothing, nil), (.foreign, pace.rest), (.perhapsOwn, pace.restDuringOwnWrites),
    ] {
      let times = looks(events: [.milliseconds(500)], until: .seconds(1.5)) {
        $0 == .milliseconds(505) ? found : .nothing
      }
      #expect(times.last == (rest.map { .milliseconds(505 + 335) + $0 } ?? .milliseconds(835)))
    }
  }

  @Test func withoutConnectionAFoundChangeDoesNotRestartTheBackoff() {
    var pace = PollBackoff.Pace()
    pace.reportsAgain = true
    for found in [Finding.nothing, .foreign] {
      let times = looks(pace, events: [.milliseconds(500)], until: .seconds(1.5)) {
        $0 == .milliseconds(505) ? found : .nothing
      }
      #expect(times.last == .milliseconds(835))
    }
  }

  @Test func anotherEventRestartsTheBackoff() {
    let times = looks(events: [500, 510].map(Self.milliseconds), until: .seconds(1.2))
    #expect(
      times.dropFirst()
        == [500, 501, 505, 510, 511, 515, 531, 595, 845].map(Self.milliseconds)[...])
  }

  @Test func manyEventsCauseOneProbe() {
    let events = (0..<1000).map { Duration.milliseconds(500) + .microseconds($0) }
    let times = looks(events: events, until: .milliseconds(502))
    #expect(times.count <= 22)
    #expect(zip(times, times.dropFirst()).allSatisfy { $1 - $0 >= .microseconds(100) })
  }

  @Test func ownWritesMakeProbesRare() {
    let events = (0..<1000).map { Duration.milliseconds(500 + $0) }
    let times = looks(events: events, until: .milliseconds(1500)) {
      $0 >= .milliseconds(500) ? .perhapsOwn : .nothing
    }
    #expect(times.count <= 202)
    #expect(times.count >= 150)
  }

  @Test func aChangeWithoutAnEventStartsTheBackoff() {
    let times = looks(until: .seconds(2.5)) { $0 == .seconds(1) ? .foreign : .nothing }
    let afterLastEvent = [0, 1, 5, 21, 85, 335, 1335].map {
      .milliseconds(1000 + $0) + PollBackoff.Pace().rest
    }
    #expect(times == [.zero, .seconds(1)] + afterLastEvent)
  }

  @Test func aFailedProbeIsRetriedUntilItSucceeds() {
    let times = looks(until: .seconds(3)) { $0 < .seconds(2) ? .unknown : .nothing }
    let pauses = zip(times, times.dropFirst()).map { $1 - $0 }
    #expect(pauses.prefix(9).allSatisfy { $0 <= .milliseconds(250) })
    #expect(pauses.last == .seconds(1) || times.last! > .seconds(2))
  }

  @Test func aChangeIsReportedAgainOnEachRungOnlyWithoutConnection() {
    for reportsAgain in [true, false] {
      var pace = PollBackoff.Pace()
      pace.reportsAgain = reportsAgain
      var backoff = PollBackoff(pace, at: .zero)
      var received = 0
      for finding in [Finding.nothing, .foreign] {
        backoff.receivedEvent()
        if backoff.didLook(finding, at: .milliseconds(1)) { received += 1 }
      }
      #expect(received == 0)
      for time in 3...10 {
        if backoff.didLook(.nothing, at: .milliseconds(time)) { received += 1 }
      }
      #expect(received == (reportsAgain ? 5 : 0))
    }
  }

  @Test func aProbeHappensByTheRequestedTime() {
    for finding in Finding.allCases {
      var backoff = PollBackoff(.init(), at: .zero)
      // After the last pause, where the pauses are longest.
      for time in 1...6 { _ = backoff.didLook(.nothing, at: .milliseconds(time)) }
      _ = backoff.didLook(finding, at: .milliseconds(10), nextBy: .milliseconds(14))
      var due = Duration.milliseconds(14)
      if finding == .foreign { due = .milliseconds(10) + PollBackoff.Pace().rest }
      if finding == .unknown { due = .milliseconds(11) }
      let isDue =
        switch backoff.action(at: .milliseconds(10)) {
        case .look, .end: false
        // A probe during own writes is not scheduled sooner than they allow.
        case .pause(let time): time == (finding == .perhapsOwn ? .milliseconds(15) : due)
        case .rest(let time): time < due
        case .listen(let time): time == due
        }
      #expect(isDue, "\(finding): \(backoff.action(at: .milliseconds(10)))")
      #expect(backoff.action(at: .milliseconds(15)) == .look)
    }
  }

  @Test func aRequestedTimeInThePastDoesNotSkipThePause() {
    var backoff = PollBackoff(.init(), at: .zero)
    _ = backoff.didLook(.nothing, at: .milliseconds(10), nextBy: .milliseconds(3))
    #expect(backoff.action(at: .milliseconds(10)) == .pause(until: .microseconds(10_400)))
  }

  /// The limit of a tenth of a second, for a commit at any time during an own access that holds the
  /// writer forever.
  @Test func aCommitThatOnlyTheWriterCanConfirmIsReportedWithinATenthOfASecond() {
    let settings = WatchSettings()
    for commit in stride(from: 0, through: 700_000, by: 611).map(Duration.microseconds) {
      for earlier in [nil, commit - .milliseconds(3), commit - .milliseconds(95)] {
        // The file is written before the commit is visible, and not after it.
        var events = [earlier, commit - .microseconds(200)].compactMap { $0 }.filter { $0 > .zero }
        var commits = [earlier, commit].compactMap { $0 }.filter { $0 >= .zero }
        var backoff = PollBackoff(settings.pace, at: .zero)
        var timeout = OwnCommitTimeout(limit: settings.ownCommitTimeout)
        var now = Duration.zero
        var received: [Duration] = []
        while now < commit + .seconds(1) {
          switch backoff.action(at: now) {
          case .look:
            if timeout.runsOut(at: now) { received.append(now) }
            let hasMoved = commits.contains { $0 <= now }
            commits.removeAll { $0 <= now }
            if hasMoved { timeout.begin(at: now) }
            _ = backoff.didLook(
              hasMoved ? .perhapsOwn : .nothing, at: now, nextBy: timeout.deadline)
          case .listen(let time):
            if let event = events.first, event <= time {
              now = max(now, event)
              events.removeFirst()
              backoff.receivedEvent()
            } else {
              now = time
            }
          case .rest(let time), .pause(let time): now = time
          case .end: return
          }
        }
        let limit = commit + .milliseconds(100)
        #expect(received.contains { $0 >= commit && $0 <= limit }, "\(commit), \(received)")
      }
    }
  }

  @Test func anEndedBackoffDoesNothing() {
    var backoff = PollBackoff(.init(), at: .zero)
    backoff.end()
    backoff.receivedEvent()
    #expect(backoff.action(at: .zero) == .end)
    #expect(backoff.action(at: .seconds(10)) == .end)
  }

  /// All short sequences of events: after each there is a probe in time.
  @Test func everyShortSequenceOfEventsIsFollowedByATimelyProbe() {
    enum Step: CaseIterable { case event, pass, nothing, foreign, perhapsOwn, unknown }
    let pace = PollBackoff.Pace()
    var histories: [[Step]] = [[]]
    for _ in 1...6 { histories = histories.flatMap { h in Step.allCases.map { h + [$0] } } }
    for history in histories {
      var backoff = PollBackoff(pace, at: .zero)
      var now = Duration.zero
      for step in history {
        switch step {
        case .event: backoff.receivedEvent()
        case .pass: now += .milliseconds(3)
        case .nothing: _ = backoff.didLook(.nothing, at: now)
        case .foreign: _ = backoff.didLook(.foreign, at: now)
        case .perhapsOwn: _ = backoff.didLook(.perhapsOwn, at: now)
        case .unknown: _ = backoff.didLook(.unknown, at: now)
        }
        let wait: Duration
        switch backoff.action(at: now) {
        case .look: wait = .zero
        case .listen(let time): wait = time - now
        case .rest(let time), .pause(let time): wait = time - now
        case .end: wait = .seconds(100)
        }
        let limit: Duration =
          switch step {
          case .event: pace.restDuringOwnWrites
          case .unknown: .milliseconds(250)
          default: pace.poll
          }
        if wait > limit { Issue.record("\(history) waits \(wait)") }
      }
    }
  }

  @Test func whileAnotherConnectionCommitsAllTheTimeLooksAreRare() {
    var pace = PollBackoff.Pace()
    pace.rest = .milliseconds(2)
    pace.restUnderLoad = .milliseconds(50)
    let busyUntil = Self.milliseconds(400)
    let times = looks(pace, until: .milliseconds(700)) { $0 < busyUntil ? .foreign : .nothing }
    let quick = (0..<pace.findingsUnderLoad).map { Self.milliseconds(2 * $0) }
    #expect(Array(times.prefix(quick.count)) == quick)
    let rare = times.dropFirst(quick.count).prefix { $0 < busyUntil }
    #expect(rare.first == quick.last.map { $0 + .milliseconds(50) })
    #expect(zip(rare, rare.dropFirst()).allSatisfy { $0 + .milliseconds(50) == $1 })
    // Some looks that find nothing end that: until the next one, events are received.
    let quiet = times.filter { $0 >= busyUntil }
    let resting = quiet.prefix(pace.looksAfterLoad)
    #expect(zip(resting, resting.dropFirst()).allSatisfy { $0 + .milliseconds(50) == $1 })
    #expect(quiet.dropFirst(resting.count).first == resting.last.map { $0 + pace.pauses[3] })
  }

  @Test func aConnectionThatCommitsAllTheTimeMayRest() {
    var pace = PollBackoff.Pace()
    pace.rest = .milliseconds(2)
    pace.restUnderLoad = .milliseconds(50)
    let rest = Self.milliseconds(300)..<Self.milliseconds(420)
    let times = looks(pace, until: .milliseconds(1000)) { rest.contains($0) ? .nothing : .foreign }
    let rare = times.dropFirst(pace.findingsUnderLoad)
    #expect(rare.contains { rest.contains($0) })
    #expect(zip(rare, rare.dropFirst()).allSatisfy { $0 + .milliseconds(50) == $1 })
  }
}
