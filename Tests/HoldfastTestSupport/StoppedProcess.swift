import Foundation

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// A process that stops itself, as the system stops an app in the background.
public enum StoppedProcess {
  /// Stops this process until somebody sends `SIGCONT`.
  ///
  /// A signal to the whole process may be taken by a thread that does not run yet, and until then the
  /// caller would go on.
  public static func stopHere() {
    raise(SIGSTOP)
  }

  /// Holds the thread until a process is stopped; what is continued before stays stopped for ever.
  ///
  /// - Parameter process: Its number.
  /// - Throws: A `CocoaError` when there is no such process.
  public static func waitUntilStopped(_ process: Int32) throws {
    #if os(Linux)
      // 4711 (name) T 1 4711 …
      while try !String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8).contains(") T ") {
        sched_yield()
      }
    #endif
  }
}
