import HoldfastFiles
import Synchronization

/// A monitor of the changes to a database, which it never opens.
final class FileWatch: Sendable {
  private let loop: WatchLoop

  /// Starts watching.
  ///
  /// - Parameters:
  ///   - path: The path of the database, which need not exist yet.
  ///   - report: Called after each change, and again after growing pauses.
  init(_ path: FilePath, report: @escaping @Sendable () -> Void) {
    var settings = WatchSettings.current
    settings.pace.reportsAgain = true
    let files = DatabaseFiles(main: path.resolved)
    let fingerprint = Mutex(CommitFingerprint(files))
    loop = WatchLoop(files, settings)
    loop.begin {
      let hasChanged = fingerprint.withLock { $0.update() }
      if hasChanged { report() }
      return WatchLoop.Look(finding: hasChanged ? .foreign : .nothing)
    } reportAgain: {
      report()
    }
  }

  /// Stops watching.
  func end() {
    loop.end()
  }
}

extension FilePath {
  /// The path without symbolic links; the path itself if no file exists there.
  var resolved: FilePath {
    do throws(Errno) {
      return FilePath(try SystemCalls.realPath(text))
    } catch _ {
      // A path that does not exist yet stays as it is.
      return self
    }
  }
}
