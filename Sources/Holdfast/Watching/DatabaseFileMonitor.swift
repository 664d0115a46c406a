import HoldfastFiles
import Synchronization

/// Looks at a file whenever somebody may have written it, for all pools of this process that have
/// it open.
final class DatabaseFileMonitor: Sendable {
  private static let watches = Mutex<[FilePath: DatabaseFileMonitor]>([:])

  private let path: FilePath
  private let loop: WatchLoop
  private let members = Mutex<[ExternalCommitMonitor]>([])

  private init(path: FilePath) {
    self.path = path
    loop = WatchLoop(DatabaseFiles(main: path), WatchSettings.current)
  }

  /// Has a pool look at its file from time to time, now at first.
  ///
  /// - Parameters:
  ///   - path: The file's path.
  ///   - pool: Who looks.
  /// - Returns: The watch, which the pool leaves.
  static func join(path: String, _ pool: ExternalCommitMonitor) -> DatabaseFileMonitor {
    let path = FilePath(path).resolved
    let (watch, isFirst) = watches.withLock { watches in
      let known = watches[path]
      let watch = known ?? DatabaseFileMonitor(path: path)
      watches[path] = watch
      watch.members.withLock { $0.append(pool) }
      return (watch, known == nil)
    }
    if isFirst {
      // The thread keeps the closure, and that this, until the last member leaves.
      watch.loop.begin { watch.look() }
    } else {
      watch.nudge()
    }
    return watch
  }

  /// Has a pool look no more; without members the thread ends.
  func leave(_ pool: ExternalCommitMonitor) {
    let isLast = Self.watches.withLock { watches in
      let isLast = members.withLock { members in
        members.removeAll { $0 === pool }
        return members.isEmpty
      }
      if isLast { watches[path] = nil }
      return isLast
    }
    if isLast { loop.end() }
  }

  private func look() -> WatchLoop.Look {
    let looks = members.withLock { $0 }.map { $0.look() }
    let findings = looks.map(\.finding)
    // The one that asks for the most.
    let order = [PollBackoff.Finding.foreign, .perhapsOwn, .unknown]
    return WatchLoop.Look(
      finding: order.first(where: findings.contains) ?? .nothing,
      nextBy: looks.compactMap(\.nextBy).min())
  }

  /// Looks soon.
  func nudge() {
    loop.nudge()
  }

  /// Why the system does not tell of changes, `nil` when it does.
  var systemProblem: String? { loop.systemProblem }

  /// Why writers cannot signal, `nil` when they can.
  var signalProblem: String? { loop.signalProblem }
}
