import Dispatch
import HoldfastFiles
import Synchronization

/// The signal of this process's commits to monitors of the file, sent at most once per millisecond.
///
/// The writer's thread only records a commit, and ``SignalThrottle`` decides when it is signaled. A
/// file gets no signal unless a monitor has created the means for it; see ``WatchLoop``.
final class ChangeSignal: Sendable {
  private static let queue = DispatchQueue(label: "holdfast.signal", qos: .userInitiated)

  private let path: String
  private let pace = Mutex(SignalThrottle())
  private let target = Mutex<FilePath?>(nil)

  /// - Parameter database: The absolute path of the database.
  init(database: String) {
    path = database
  }

  /// Records that there may be a new visible commit.
  func committed() {
    if pace.withLock({ $0.committed() }) { Self.queue.async { self.send() } }
  }

  private func send() {
    let database = resolved
    #if canImport(Darwin)
      DarwinSignal.post(database: database.text)
    #else
      SignalFile(DatabaseFiles(main: database)).touch()
    #endif
    let rest = pace.withLock { $0.rest }
    Self.queue.asyncAfter(deadline: .now() + rest / .seconds(1)) { self.endRest() }
  }

  /// The resolved path, by which monitors know the file; it exists once something was written.
  private var resolved: FilePath {
    target.withLock { target in
      let found = target ?? FilePath(path).resolved
      target = found
      return found
    }
  }

  private func endRest() {
    if pace.withLock({ $0.rested() }) { send() }
  }
}
