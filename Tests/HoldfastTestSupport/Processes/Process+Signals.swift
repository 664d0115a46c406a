public import Foundation
import Synchronization

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

extension Process {
  private static let start = Mutex(())

  /// Runs the process so that signals end it, also if the tests ignore them.
  ///
  /// They do when `nohup` starts them, or a script in its background; a process ignores what its parent ignored.
  ///
  /// - Throws: Whatever `run()` throws.
  public func runObeyingSignals() throws {
    try Self.start.withLock { _ in
      let handlers = [SIGHUP, SIGINT, SIGQUIT, SIGTERM].map { ($0, signal($0, SIG_DFL)) }
      defer { for (number, handler) in handlers { _ = signal(number, handler) } }
      try run()
    }
  }
}
