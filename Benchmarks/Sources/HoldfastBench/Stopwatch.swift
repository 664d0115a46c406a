import Foundation

/// Takes the time of work: what passed, or what the processor spent on this thread.
///
/// On a machine that is busy with other things only the second means something, and only for work
/// of one thread.
enum Stopwatch {
  static let countsProcessorTime = CommandLine.arguments.contains("--processor-time")

  /// A time in nanoseconds since some moment.
  static var now: Double {
    countsProcessorTime ? read(CLOCK_THREAD_CPUTIME_ID) : wallTime
  }

  /// A time that passes on all threads alike, in nanoseconds since some moment.
  static var wallTime: Double { read(CLOCK_MONOTONIC) }

  /// The processor time of all threads of this process, in nanoseconds.
  static var processTime: Double { read(CLOCK_PROCESS_CPUTIME_ID) }

  private static func read(_ clock: clockid_t) -> Double {
    var time = timespec()
    unsafe clock_gettime(clock, &time)
    return Double(time.tv_sec) * 1e9 + Double(time.tv_nsec)
  }
}
