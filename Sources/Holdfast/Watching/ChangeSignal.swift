import Dispatch
import HoldfastFiles
import Synchronization

/// Tells those who watch a file that this process has committed, at most once per millisecond.
///
/// The writer's thread only notes it, and ``SignalPace`` says when it is sent. Files get no signal
/// unless somebody who watches made the place for it; see ``WatchLoop``.
final class ChangeSignal: Sendable {
  private static let queue = DispatchQueue(label: "holdfast.signal", qos: .userInitiated)

  private let path: String
  private let pace = Mutex(SignalPace())
  private let target = Mutex<FilePath?>(nil)

  /// - Parameter database: The absolute path of the database.
  init(database: String) {
    path = database
  }

  /// Notes that something may have been committed, and is visible.
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
    Self.queue.asyncAfter(deadline: .now() + rest / .seconds(1)) { self.goOn() }
  }

  /// The path by which those who watch know the file, which is there once something was written.
  private var resolved: FilePath {
    target.withLock { target in
      let found = target ?? FilePath(path).resolved
      target = found
      return found
    }
  }

  private func goOn() {
    if pace.withLock({ $0.rested() }) { send() }
  }
}
