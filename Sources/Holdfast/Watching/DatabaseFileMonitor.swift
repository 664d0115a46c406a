import HoldfastFiles
import Synchronization

/// A monitor of one database file, shared by all pools of this process that have the file open.
final class DatabaseFileMonitor: Sendable {
  private static let monitors = Mutex<[FilePath: DatabaseFileMonitor]>([:])

  private let path: FilePath
  private let loop: WatchLoop
  private let pools = Mutex<[ExternalCommitMonitor]>([])

  private init(path: FilePath) {
    self.path = path
    loop = WatchLoop(DatabaseFiles(main: path), WatchSettings.current)
  }

  /// Makes a pool look at its file now, and whenever the file may have been written.
  ///
  /// - Parameters:
  ///   - pool: The monitor of the pool.
  ///   - path: The file's path.
  /// - Returns: The monitor of the file, from which the pool is removed later.
  static func add(_ pool: ExternalCommitMonitor, path: String) -> DatabaseFileMonitor {
    let path = FilePath(path).resolved
    let (monitor, isFirst) = monitors.withLock { monitors in
      let known = monitors[path]
      let monitor = known ?? DatabaseFileMonitor(path: path)
      monitors[path] = monitor
      monitor.pools.withLock { $0.append(pool) }
      return (monitor, known == nil)
    }
    if isFirst {
      // The thread retains the closure, and thereby the monitor, until the last pool is removed.
      monitor.loop.begin { monitor.look() }
    } else {
      monitor.nudge()
    }
    return monitor
  }

  /// Removes a pool; the thread ends with the last one.
  func remove(_ pool: ExternalCommitMonitor) {
    let isLast = Self.monitors.withLock { monitors in
      let isLast = pools.withLock { pools in
        pools.removeAll { $0 === pool }
        return pools.isEmpty
      }
      if isLast { monitors[path] = nil }
      return isLast
    }
    if isLast { loop.end() }
  }

  private func look() -> WatchLoop.Look {
    let looks = pools.withLock { $0 }.map { $0.look() }
    let findings = looks.map(\.finding)
    let order = [PollBackoff.Finding.foreign, .perhapsOwn, .unknown]
    return WatchLoop.Look(
      finding: order.first(where: findings.contains) ?? .nothing,
      nextBy: looks.compactMap(\.nextBy).min())
  }

  /// Schedules a look.
  func nudge() {
    loop.nudge()
  }

  /// The reason the system does not report changes; `nil` if it does.
  var systemProblem: String? { loop.systemProblem }

  /// The reason writers cannot signal; `nil` if they can.
  var signalProblem: String? { loop.signalProblem }
}
