import Dispatch
import HoldfastFiles
import Synchronization

/// Tells those who watch a file that this process has committed, at most once per millisecond.
///
/// The writer's thread only notes it. Files get no signal unless somebody who watches made the
/// place for it; see ``WatchLoop``.
final class ChangeSignal: Sendable {
  private enum State {
    /// Nothing is to be told.
    case idle
    /// Something was told less than a millisecond ago.
    case resting
    /// And something else is to be told.
    case owing
  }

  private static let queue = DispatchQueue(label: "holdfast.signal", qos: .userInitiated)
  private static let rest = DispatchTimeInterval.milliseconds(1)

  private let path: String
  private let state = Mutex(State.idle)

  /// - Parameter database: The absolute path of the database.
  init(database: String) {
    path = database
  }

  /// Notes that something may have been committed, and is visible.
  func committed() {
    let isFirst = state.withLock { state in
      defer { state = state == .idle ? .resting : .owing }
      return state == .idle
    }
    if isFirst { Self.queue.async { self.send() } }
  }

  private func send() {
    // Now, because the file may not have been there before: who watches knows it by its own name.
    let database = FilePath(path).resolved
    #if canImport(Darwin)
      DarwinSignal.post(database: database.text)
    #else
      SignalFile(DatabaseFiles(main: database)).touch()
    #endif
    Self.queue.asyncAfter(deadline: .now() + Self.rest) { self.goOn() }
  }

  private func goOn() {
    let isOwing = state.withLock { state in
      let isOwing = state == .owing
      state = isOwing ? .resting : .idle
      return isOwing
    }
    if isOwing { send() }
  }
}
