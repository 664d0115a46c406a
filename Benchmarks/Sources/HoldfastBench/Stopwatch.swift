import Foundation

/// Takes the time of work: what passed, or what the processor spent on this thread.
///
/// On a machine that is busy with other things only the second means something, and only for work
/// of one thread.
enum Stopwatch {
  static let countsProcessorTime = CommandLine.arguments.contains("--processor-time")

  /// A time in nanoseconds since some moment.
  static var now: Double {
    var time = timespec()
    let clock = countsProcessorTime ? CLOCK_THREAD_CPUTIME_ID : CLOCK_MONOTONIC
    unsafe clock_gettime(clock, &time)
    return Double(time.tv_sec) * 1e9 + Double(time.tv_nsec)
  }
}
