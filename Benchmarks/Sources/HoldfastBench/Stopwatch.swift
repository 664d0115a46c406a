import Foundation

/// A clock for elapsed time, or for the processor time of this thread.
///
/// On a machine with other load only the processor time is meaningful, and only for work on one
/// thread.
enum Stopwatch {
  static let countsProcessorTime = CommandLine.arguments.contains("--processor-time")

  /// The current time, in nanoseconds since an arbitrary moment.
  static var now: Double {
    countsProcessorTime ? read(CLOCK_THREAD_CPUTIME_ID) : wallTime
  }

  /// The monotonic time, the same on all threads, in nanoseconds since an arbitrary moment.
  static var wallTime: Double { read(CLOCK_MONOTONIC) }

  /// The processor time of all threads of this process, in nanoseconds.
  static var processTime: Double { read(CLOCK_PROCESS_CPUTIME_ID) }

  private static func read(_ clock: clockid_t) -> Double {
    var time = timespec()
    unsafe clock_gettime(clock, &time)
    return Double(time.tv_sec) * 1e9 + Double(time.tv_nsec)
  }
}
