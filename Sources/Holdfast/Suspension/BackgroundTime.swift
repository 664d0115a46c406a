/// A source of time for the process in the background, such as an app's `UIApplication`.
@MainActor protocol BackgroundTimeGiver: AnyObject {
  associatedtype BackgroundTask

  /// Requests time.
  ///
  /// - Parameter expire: Called when the time is nearly over; the task must have ended when it
  ///   returns.
  /// - Returns: The task that ends the time; `nil` when none is granted.
  func beginTask(_ expire: @escaping @MainActor @Sendable () -> Void) -> BackgroundTask?

  /// Ends the task.
  func endTask(_ task: BackgroundTask)
}

/// An app's time in the background, at the end of which databases are suspended.
@MainActor final class BackgroundTime<Giver: BackgroundTimeGiver> {
  private enum State {
    case unneeded
    case running(Giver, Giver.BackgroundTask)
    /// The time expired, or none was granted, and the databases are suspended.
    case over
  }

  private var state = State.unneeded
  private let suspend: @MainActor () -> Void
  private let resume: @MainActor () -> Void

  /// Creates the state of an app in the foreground.
  ///
  /// - Parameters:
  ///   - suspend: Suspends the databases, whose locks have ended when it returns.
  ///   - resume: Resumes the databases.
  init(suspend: @escaping @MainActor () -> Void, resume: @escaping @MainActor () -> Void) {
    self.suspend = suspend
    self.resume = resume
  }

  /// Requests time when the app enters the background; suspends the databases if there is none.
  func begin(in giver: Giver) {
    if case .running = state { return }
    if let task = giver.beginTask({ [weak self] in self?.expire() }) {
      state = .running(giver, task)
    } else {
      state = .over
      suspend()
    }
  }

  /// Ends the time when the app is in the foreground again, where it is not suspended.
  func end() {
    let before = state
    state = .unneeded
    switch before {
    case .unneeded: break
    case .running(let giver, let task): giver.endTask(task)
    // An app in the foreground that forgot to resume should not be refused.
    case .over: resume()
    }
  }

  private func expire() {
    guard case .running(let giver, let task) = state else { return }
    state = .over
    // The process may be stopped as soon as the task has ended.
    suspend()
    giver.endTask(task)
  }
}
