/// The schedule of looks at a monitored database: a pure state machine.
///
/// An event precedes the visibility of its commit, so every event is followed by looks with growing
/// pauses, whatever the earlier ones found. In addition, a slow poll never stops, for changes that
/// cause no event. Times are counted from an arbitrary moment.
struct PollBackoff: Equatable, Sendable {
  /// The result of a look.
  enum Finding: Equatable, Sendable, CaseIterable {
    /// No commit was found.
    case nothing
    /// Another connection committed.
    case foreign
    /// A commit was found, possibly by this process alone.
    case perhapsOwn
    /// The database could not be queried.
    case unknown
  }

  /// The next action of the caller.
  enum Action: Equatable, Sendable {
    /// Look at the database.
    case look
    /// Wait for an event, until a time.
    case listen(until: Duration)
    /// Wait until a time; events that occur meanwhile are received afterwards.
    case rest(until: Duration)
    /// Wait until the next look, which finds changes that occur meanwhile.
    case pause(until: Duration)
    /// End.
    case end
  }

  /// The frequency of looks.
  struct Pace: Equatable, Sendable {
    /// The successive pauses after an event.
    var pauses: [Duration] = [1, 4, 16, 64, 250].map(Duration.milliseconds)

    /// The pause while there are no events.
    var poll = Duration.seconds(1)

    /// The minimum time between two looks.
    var rest = Duration.microseconds(400)

    /// The minimum time between two looks while this process writes, which they must not slow down.
    var restDuringOwnWrites = Duration.milliseconds(5)

    /// The minimum time between two looks while another connection commits all the time, which they
    /// must not slow down; `nil` for ``rest``.
    var restUnderLoad: Duration?

    /// The number of looks in a row that find a commit, from which on one commits all the time.
    var findingsUnderLoad = 10

    /// The number of looks in a row without a commit after which that is over.
    ///
    /// A connection that commits all the time rests while its log is copied into the database.
    var looksAfterLoad = 4

    /// Whether a change is reported again at each look, to observers that cannot check visibility.
    var reportsAgain = false
  }

  private var pace: Pace
  private var due: Duration
  private var restsUntil: Duration
  /// The index of the next pause; `nil` when there was no recent event.
  private var pauseIndex: Int?
  private var hasReported = false
  /// The number of the last looks that found a commit, without one in between that did not.
  private var findingCount = 0
  /// The number of the last looks that found none, while a connection committed all the time.
  private var restingCount = 0
  private var isEnded = false

  /// Creates a schedule whose first action is a look.
  init(_ pace: Pace, at now: Duration) {
    self.pace = pace
    due = now
    restsUntil = now
  }

  /// Records an event of the files or a signal of a writer.
  mutating func receivedEvent() {
    pauseIndex = 0
    due = restsUntil
  }

  /// Records the end of a look.
  ///
  /// - Parameters:
  ///   - finding: The result of the look.
  ///   - now: The time at which it ended.
  ///   - deadline: The latest time of the next look, whatever was found.
  /// - Returns: Whether an earlier finding is reported again.
  mutating func didLook(
    _ finding: Finding, at now: Duration, nextBy deadline: Duration? = nil
  ) -> Bool {
    defer { if let deadline { due = min(due, max(deadline, restsUntil)) } }
    count(finding)
    restsUntil = now + rest(after: finding)
    if finding == .foreign || finding == .perhapsOwn, !pace.reportsAgain {
      // A writer usually writes again: the next look is scheduled even without an event.
      pauseIndex = 0
      due = restsUntil
      return false
    }
    switch finding {
    case .foreign where pauseIndex == nil: pauseIndex = 0
    case .foreign, .nothing, .perhapsOwn: break
    case .unknown: pauseIndex = min(pauseIndex ?? 0, pace.pauses.count - 1)
    }
    let isRepeated = pace.reportsAgain && hasReported && finding != .foreign
    if finding == .foreign { hasReported = true }
    if let pauseIndex, pauseIndex < pace.pauses.count {
      due = max(now + pace.pauses[pauseIndex], restsUntil)
      self.pauseIndex = pauseIndex + 1
    } else {
      pauseIndex = nil
      hasReported = false
      due = max(now + pace.poll, restsUntil)
    }
    return isRepeated
  }

  private mutating func count(_ finding: Finding) {
    switch finding {
    case .foreign:
      findingCount = min(findingCount + 1, pace.findingsUnderLoad)
      restingCount = 0
    case .nothing where isUnderLoad && restingCount + 1 < pace.looksAfterLoad: restingCount += 1
    case .nothing, .perhapsOwn, .unknown: (findingCount, restingCount) = (0, 0)
    }
  }

  private var isUnderLoad: Bool { findingCount >= pace.findingsUnderLoad }

  private func rest(after finding: Finding) -> Duration {
    if finding == .perhapsOwn { return pace.restDuringOwnWrites }
    return isUnderLoad ? pace.restUnderLoad ?? pace.rest : pace.rest
  }

  /// Changes the pace, from the next look on.
  mutating func change(to pace: Pace) {
    self.pace = pace
  }

  /// Ends the schedule, because there are no observers left.
  mutating func end() {
    isEnded = true
  }

  /// Returns the action at a time.
  func action(at now: Duration) -> Action {
    if isEnded { return .end }
    if now >= due { return .look }
    if due <= restsUntil { return .pause(until: due) }
    return now < restsUntil ? .rest(until: restsUntil) : .listen(until: due)
  }
}
