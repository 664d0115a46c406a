/// Decides when a watched database is looked at: a pure state machine.
///
/// An event comes before its commit is visible, so every event is followed by looks on a ladder of
/// pauses, whatever the earlier ones found. Beside them a slow poll goes on for ever, for what
/// makes no event. Times are counted from any moment.
struct PollBackoff: Equatable, Sendable {
  /// What a look found.
  enum Finding: Equatable, Sendable, CaseIterable {
    /// Nothing was committed.
    case nothing
    /// Somebody else committed.
    case foreign
    /// Something was committed, perhaps by this process alone.
    case perhapsOwn
    /// The database could not be asked.
    case unknown
  }

  /// What the caller does next.
  enum Action: Equatable, Sendable {
    /// Looks at the database.
    case look
    /// Waits for an event until a time.
    case listen(until: Duration)
    /// Waits until a time; what happens meanwhile is heard afterwards.
    case rest(until: Duration)
    /// Waits until it looks, which finds what happens meanwhile.
    case pause(until: Duration)
    /// Ends.
    case end
  }

  /// How often is looked.
  struct Pace: Equatable, Sendable {
    /// The pauses after an event, one after the other.
    var rungs: [Duration] = [1, 4, 16, 64, 250].map(Duration.milliseconds)

    /// The pause where nothing happens.
    var poll = Duration.seconds(1)

    /// The least time between two looks.
    var rest = Duration.microseconds(400)

    /// The least time between two looks while this process writes, which must not be slowed down.
    var restBesideOwnWrites = Duration.milliseconds(5)

    /// Whether a change is told again on each rung, for those who cannot see whether it is visible.
    var tellsAgain = false
  }

  private var pace: Pace
  private var due: Duration
  private var restsUntil: Duration
  /// The next rung, `nil` when nothing has happened lately.
  private var rung: Int?
  private var wasTold = false
  private var isEnded = false

  /// Begins with a look.
  init(_ pace: Pace, at now: Duration) {
    self.pace = pace
    due = now
    restsUntil = now
  }

  /// Something happened to the files, or a writer signalled.
  mutating func heard() {
    rung = 0
    due = restsUntil
  }

  /// A look has ended.
  ///
  /// - Parameters:
  ///   - finding: What it found.
  ///   - now: When it ended.
  ///   - deadline: When the next look is due at the latest, whatever was found.
  /// - Returns: Whether an earlier finding is told again.
  mutating func looked(
    _ finding: Finding, at now: Duration, nextBy deadline: Duration? = nil
  ) -> Bool {
    defer { if let deadline { due = min(due, max(deadline, restsUntil)) } }
    restsUntil = now + (finding == .perhapsOwn ? pace.restBesideOwnWrites : pace.rest)
    if finding == .foreign || finding == .perhapsOwn, !pace.tellsAgain {
      // Who wrote mostly writes on: it is looked in any case, so that nobody need tell of it.
      rung = 0
      due = restsUntil
      return false
    }
    switch finding {
    case .foreign where rung == nil: rung = 0
    case .foreign, .nothing, .perhapsOwn: break
    case .unknown: rung = min(rung ?? 0, pace.rungs.count - 1)
    }
    let isToldAgain = pace.tellsAgain && wasTold && finding != .foreign
    if finding == .foreign { wasTold = true }
    if let rung, rung < pace.rungs.count {
      due = max(now + pace.rungs[rung], restsUntil)
      self.rung = rung + 1
    } else {
      rung = nil
      wasTold = false
      due = max(now + pace.poll, restsUntil)
    }
    return isToldAgain
  }

  /// Looks at another pace from the next look on.
  mutating func change(to pace: Pace) {
    self.pace = pace
  }

  /// Nobody watches any more.
  mutating func end() {
    isEnded = true
  }

  /// What to do at a time.
  func action(at now: Duration) -> Action {
    if isEnded { return .end }
    if now >= due { return .look }
    if due <= restsUntil { return .pause(until: due) }
    return now < restsUntil ? .rest(until: restsUntil) : .listen(until: due)
  }
}
