/// The course of one download: a pure state machine, with a method for each event.
///
/// At most one attempt runs at a time. A pause and a cancellation stop it, and are in effect when it
/// has ended: until then its files are in use. The owner carries out what a method returns. A download
/// whose state is final ignores all events.
struct DownloadMachine: Equatable {
  /// The end of an attempt.
  enum Outcome: Equatable {
    case finished
    /// It failed for a reason that may pass; `nil` when it is not tried again.
    case failed(retryAfter: Duration?)
    /// It was stopped on demand.
    case stopped
  }

  /// The end of a removal of the part and the journal entry.
  enum RemovalOutcome: Equatable {
    case removed
    /// The file had its name and was recorded instead.
    case recorded
    /// They could not be removed, or the file could not be recorded before.
    case notRemoved
  }

  /// The demand on a download.
  enum Demand: Equatable {
    case pause, cancel, close
  }

  /// The result for what waits for the download; its state is final.
  enum Completion: Equatable {
    case file, error, cancelled, closed
  }

  /// The next event, when no attempt runs.
  enum Next: Equatable {
    /// It waits until it is resumed.
    case pause
    /// It waits in the queue.
    case enqueue
    case retry(after: Duration)
    /// The part and the journal entry are removed.
    case remove
    case complete(Completion)
  }

  /// The answer to a demand.
  enum Answer: Equatable {
    /// It is in effect already, or comes too late.
    case ignored
    /// The running attempt is to be stopped, whose end decides what happens next.
    case stopAttempt
    /// Nothing runs: the download no longer waits where it has waited.
    case effective(leaving: Wait?, next: Next)
  }

  /// The reason a download waits.
  enum Wait: Equatable {
    case queue, retry
  }

  private enum Phase: Equatable {
    case waiting
    case active(Attempt)
    case retrying
    case paused
    /// The part and the journal entry are being removed; the state that was shown stays.
    case removing(DownloadState)
    case ended(DownloadState)
  }

  /// A running attempt.
  private struct Attempt: Equatable {
    /// Whether all bytes are there.
    var isFinishing = false
    var stop: Stop?
  }

  /// The step that follows when an attempt that is being stopped has ended.
  private enum Stop: Equatable {
    case demanded(Demand)
    /// It begins again, because the pause was taken back.
    case resumed
  }

  /// The files at the places of a download.
  private enum Files: Equatable {
    /// They belong to the download that a forced one is to replace.
    case ofAnother
    /// The content that the system has fetched, before the download has begun.
    case handed
    case own
  }

  private var phase = Phase.waiting
  private var files = Files.ofAnother

  var state: DownloadState {
    switch phase {
    case .waiting: .waiting
    case .active(let attempt): attempt.isFinishing ? .finishing : .transferring
    case .retrying: .retrying
    case .paused: .paused
    case .removing(let shown), .ended(let shown): shown
    }
  }

  // MARK: - Beginning

  /// Notes that the system's content is at the places of the download.
  mutating func handFiles() {
    if files == .ofAnother { files = .handed }
  }

  /// The files are its own from now on.
  ///
  /// - Returns: Whether it waits in the queue.
  mutating func start() -> Bool {
    guard files != .own else { return false }
    files = .own
    return phase == .waiting
  }

  /// Its turn in the queue has come.
  ///
  /// - Returns: Whether an attempt begins. Otherwise it leaves the queue: it may have been paused between
  ///   the queue's decision and this call, or the decision was made for the download that it replaces.
  mutating func admit() -> Bool {
    guard files == .own, phase == .waiting else { return false }
    phase = .active(Attempt())
    return true
  }

  // MARK: - Attempts

  /// All bytes are there.
  mutating func completeContent() {
    guard case .active(var attempt) = phase else { return }
    attempt.isFinishing = true
    phase = .active(attempt)
  }

  /// The attempt has ended, and the download leaves the queue.
  ///
  /// - Returns: The next event; `nil` if no attempt runs.
  mutating func endAttempt(_ outcome: Outcome) -> Next? {
    guard case .active(let attempt) = phase else { return nil }
    switch (outcome, attempt.stop) {
    // The last step cannot be undone: a file that is being renamed and recorded is finished.
    case (.finished, _): return end(.finished, .file)
    case (_, .demanded(let demand)?): return follow(demand)
    case (.stopped, .resumed?):
      phase = .waiting
      return .enqueue
    case (.failed(let delay?), .resumed?), (.failed(let delay?), nil):
      phase = .retrying
      return .retry(after: delay)
    case (.failed(nil), .resumed?), (.failed(nil), nil), (.stopped, nil):
      return end(.failed, .error)
    }
  }

  /// The time until the next attempt is over.
  ///
  /// - Returns: Whether it waits in the queue.
  mutating func endRetryDelay() -> Bool {
    guard phase == .retrying else { return false }
    phase = .waiting
    return true
  }

  // MARK: - Demands

  /// Pauses, cancels or closes the download.
  mutating func demand(_ demand: Demand) -> Answer {
    switch phase {
    case .removing, .ended: return .ignored
    case .active(var attempt):
      switch (attempt.stop, demand) {
      case (.demanded?, .pause), (.demanded(.cancel)?, .cancel), (.demanded(.close)?, .close):
        return .ignored
      // A cancellation outlasts a closing.
      case (.demanded(.cancel)?, .close): return .ignored
      default: break
      }
      attempt.stop = .demanded(demand)
      phase = .active(attempt)
      return .stopAttempt
    case .waiting: return .effective(leaving: files == .own ? .queue : nil, next: follow(demand))
    case .retrying: return .effective(leaving: .retry, next: follow(demand))
    case .paused: return .effective(leaving: nil, next: follow(demand))
    }
  }

  private mutating func follow(_ demand: Demand) -> Next {
    switch demand {
    case .pause:
      phase = .paused
      return .pause
    // What is there belongs to the download that it was to replace.
    case .cancel where files == .ofAnother: return end(.cancelled, .cancelled)
    case .cancel:
      phase = .removing(state)
      return .remove
    case .close: return end(.failed, .closed)
    }
  }

  /// Takes a pause back.
  ///
  /// - Returns: Whether it waits in the queue. An attempt that is ending begins again by itself.
  mutating func resume() -> Bool {
    switch phase {
    case .active(var attempt) where attempt.stop == .demanded(.pause):
      attempt.stop = .resumed
      phase = .active(attempt)
      return false
    case .paused:
      phase = .waiting
      return files == .own
    case .waiting, .active, .retrying, .removing, .ended: return false
    }
  }

  // MARK: - End

  /// The removal of the part and the journal entry has ended.
  ///
  /// - Returns: The result; `nil` if nothing was being removed.
  mutating func endRemoval(_ outcome: RemovalOutcome) -> Completion? {
    guard case .removing = phase else { return nil }
    let (state, completion): (DownloadState, Completion) =
      switch outcome {
      case .removed: (.cancelled, .cancelled)
      case .recorded: (.finished, .file)
      case .notRemoved: (.failed, .error)
      }
    phase = .ended(state)
    return completion
  }

  private mutating func end(_ state: DownloadState, _ completion: Completion) -> Next {
    phase = .ended(state)
    return .complete(completion)
  }
}
