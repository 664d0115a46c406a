import Foundation

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// A process that stops itself, as the system stops an app in the background.
public enum StoppedProcess {
  /// Stops this process until it receives `SIGCONT`.
  ///
  /// A signal to the whole process could be delivered to a thread that is not running yet, and
  /// until then the caller would continue.
  public static func stopHere() {
    raise(SIGSTOP)
  }

  /// Blocks the thread until a process is stopped; a `SIGCONT` sent before would be lost.
  ///
  /// - Parameter process: The process identifier.
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
