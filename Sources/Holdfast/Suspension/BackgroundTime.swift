/// Somebody who gives the process time in the background, as an app's `UIApplication` does.
@MainActor protocol BackgroundTimeGiver: AnyObject {
  associatedtype BackgroundTask

  /// Asks for time.
  ///
  /// - Parameter expire: Called when the time is nearly over; the task must have ended when it
  ///   returns.
  /// - Returns: What the time is given back with; `nil` when there is none.
  func beginTask(_ expire: @escaping @MainActor @Sendable () -> Void) -> BackgroundTask?

  /// Gives the time back.
  func endTask(_ task: BackgroundTask)
}

/// Has databases suspended when an app's time in the background ends, and not before.
@MainActor final class BackgroundTime<Giver: BackgroundTimeGiver> {
  private enum State {
    case unneeded
    case running(Giver, Giver.BackgroundTask)
    /// It ended, or there was none, and the databases are suspended.
    case over
  }

  private var state = State.unneeded
  private let suspend: @MainActor () -> Void
  private let resume: @MainActor () -> Void

  /// Prepares for an app that is in front.
  ///
  /// - Parameters:
  ///   - suspend: Ends the databases' locks before it returns.
  ///   - resume: Lets the databases be used again.
  init(suspend: @escaping @MainActor () -> Void, resume: @escaping @MainActor () -> Void) {
    self.suspend = suspend
    self.resume = resume
  }

  /// The app is in the background and may use its databases; without time for it they are suspended.
  func begin(in giver: Giver) {
    if case .running = state { return }
    if let task = giver.beginTask({ [weak self] in self?.expire() }) {
      state = .running(giver, task)
    } else {
      state = .over
      suspend()
    }
  }

  /// The app is in front again, where nobody stops it.
  func end() {
    let before = state
    state = .unneeded
    switch before {
    case .unneeded: break
    case .running(let giver, let task): giver.endTask(task)
    // Whoever forgot to resume has no reason to be refused.
    case .over: resume()
    }
  }

  private func expire() {
    guard case .running(let giver, let task) = state else { return }
    state = .over
    // Whoever ends the task may be stopped at once.
    suspend()
    giver.endTask(task)
  }
}
