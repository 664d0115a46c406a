import HoldfastFiles
import Synchronization

/// Sees that a database may have changed without ever opening it.
final class FileWatch: Sendable {
  private let loop: WatchLoop

  /// Begins to watch.
  ///
  /// - Parameters:
  ///   - path: The database, which may come later.
  ///   - tell: Called after each change, and again on a ladder of pauses.
  init(_ path: FilePath, tell: @escaping @Sendable () -> Void) {
    var settings = WatchSettings.current
    settings.pace.tellsAgain = true
    let files = DatabaseFiles(main: path.resolved)
    let fingerprint = Mutex(CommitFingerprint(files))
    loop = WatchLoop(files, settings)
    loop.begin {
      let hasChanged = fingerprint.withLock { $0.update() }
      if hasChanged { tell() }
      return WatchLoop.Look(finding: hasChanged ? .foreign : .nothing)
    } tellAgain: {
      tell()
    }
  }

  /// Watches no longer.
  func end() {
    loop.end()
  }
}

extension FilePath {
  /// The path without symbolic links; the same where nothing lies there yet.
  var resolved: FilePath {
    do throws(Errno) {
      return FilePath(try SystemCalls.realPath(text))
    } catch _ {
      // A path that does not exist yet stays as it is.
      return self
    }
  }
}
