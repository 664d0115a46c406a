/// The course of one download: events in, actions out.
///
/// At most one attempt runs at a time. A pause and a cancellation stop it, and are in effect when it
/// has ended: until then its files are in use.
struct DownloadMachine: Equatable {
  enum Event: Equatable {
    case started
    /// The queue lets it begin.
    case admitted
    /// All bytes are there.
    case contentComplete
    case attemptEnded(Outcome)
    case retryDue
    case pause, resume, cancel, close
    /// The part and its journal entry are removed.
    case removed
    /// The file had its name and was recorded instead.
    case recorded
    /// They could not be removed, or the file could not be recorded before.
    case notRemoved
  }

  /// How an attempt ended.
  enum Outcome: Equatable {
    case finished
    /// It failed for a reason that may pass; `nil` when it is not tried again.
    case failed(retryAfter: Duration?)
    /// It was stopped on demand.
    case stopped
  }

  enum Action: Equatable {
    case enqueue, leaveQueue
    case beginAttempt
    case stopAttempt
    case scheduleRetry(Duration), cancelRetry
    /// Removes the part and the journal entry.
    case remove
    /// The state is final, and what waits for the result gets it.
    case complete(Completion)
  }

  enum Completion: Equatable {
    case file, error, cancelled, closed
  }

  /// What is done when the running attempt has ended.
  private enum Wish: Equatable {
    case pause, cancel, close
  }

  private(set) var state = DownloadState.waiting
  private var wish: Wish?
  /// Whether its files are its own; a forced download waits for the one that it replaces.
  private var isStarted = false
  /// Whether its files are there before it has begun: content that the system has fetched.
  var hasHandedFiles = false
  /// Whether an attempt runs.
  private var isActive = false
  private var isRemoving = false
  /// Whether a stopped attempt begins again, because the pause was taken back.
  private var resumesAfterStop = false

  /// Performs an event.
  ///
  /// - Returns: What is to be done, in this order.
  mutating func handle(_ event: Event) -> [Action] {
    guard !state.isFinal else { return [] }
    switch event {
    case .started:
      guard !isStarted else { return [] }
      isStarted = true
      return state == .waiting ? [.enqueue] : []
    case .admitted: return admitted()
    case .contentComplete:
      if isActive { state = .finishing }
      return []
    case .attemptEnded(let outcome): return ended(outcome)
    case .retryDue:
      guard state == .retrying else { return [] }
      state = .waiting
      return [.enqueue]
    case .pause: return demand(.pause)
    case .resume: return resume()
    case .cancel: return demand(.cancel)
    case .close: return demand(.close)
    case .removed: return removalEnded(.cancelled, .cancelled)
    case .recorded: return removalEnded(.finished, .file)
    case .notRemoved: return removalEnded(.failed, .error)
    }
  }

  private mutating func admitted() -> [Action] {
    // It may have been paused between the queue's decision and this event, or the decision was made
    // for the download that it replaces.
    guard isStarted, state == .waiting, !isRemoving else { return [.leaveQueue] }
    state = .transferring
    isActive = true
    return [.beginAttempt]
  }

  private mutating func ended(_ outcome: Outcome) -> [Action] {
    isActive = false
    switch (outcome, wish) {
    case (.finished, _):
      state = .finished
      return [.leaveQueue, .complete(.file)]
    case (_, .cancel?): return [.leaveQueue] + remove()
    case (_, .close?): return [.leaveQueue] + closed()
    case (_, .pause?):
      wish = nil
      state = .paused
      return [.leaveQueue]
    case (.stopped, nil) where resumesAfterStop:
      resumesAfterStop = false
      state = .waiting
      return [.leaveQueue, .enqueue]
    case (.failed(let delay?), nil):
      state = .retrying
      return [.leaveQueue, .scheduleRetry(delay)]
    case (.failed(nil), nil), (.stopped, nil):
      state = .failed
      return [.leaveQueue, .complete(.error)]
    }
  }

  private mutating func demand(_ demanded: Wish) -> [Action] {
    guard !isRemoving else { return [] }
    if isActive {
      // The last step cannot be undone: a file that is being renamed and recorded is finished.
      // A cancellation outlasts a pause.
      guard demanded != .pause || wish == nil, wish != demanded else { return [] }
      wish = wish == .cancel ? .cancel : demanded
      return [.stopAttempt]
    }
    let leaving: [Action] =
      switch state {
      case .waiting where isStarted: [.leaveQueue]
      case .retrying: [.cancelRetry]
      default: []
      }
    switch demanded {
    case .pause:
      state = .paused
      return leaving
    case .cancel: return leaving + remove()
    case .close: return leaving + closed()
    }
  }

  private mutating func resume() -> [Action] {
    if isActive, wish == .pause {
      // The attempt is ending and begins again afterwards.
      wish = nil
      resumesAfterStop = true
      return []
    }
    guard state == .paused else { return [] }
    state = .waiting
    return isStarted ? [.enqueue] : []
  }

  private mutating func remove() -> [Action] {
    guard isStarted || hasHandedFiles else {
      // What is there belongs to the download that it was to replace.
      state = .cancelled
      return [.complete(.cancelled)]
    }
    isRemoving = true
    return [.remove]
  }

  private mutating func removalEnded(
    _ end: DownloadState, _ completion: Completion
  ) -> [Action] {
    guard isRemoving else { return [] }
    state = end
    return [.complete(completion)]
  }

  private mutating func closed() -> [Action] {
    state = .failed
    return [.complete(.closed)]
  }
}
