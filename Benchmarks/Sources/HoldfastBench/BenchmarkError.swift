import Foundation

/// An error for a benchmark that could not be run, or whose result is invalid.
struct BenchmarkError: Error {
  let message: String
  let advice: String
  let exitCode: Int32

  static func usage(_ message: String) -> BenchmarkError {
    let groups = Group.allCases.map(\.rawValue).joined(separator: " ")
    return BenchmarkError(
      message: message,
      advice: "Write holdfast-bench [--only GROUP] [--case NAME] [--short] [--processor-time]; "
        + "the groups are: \(groups).",
      exitCode: EX_USAGE)
  }

  static func differentWork(_ name: String, ours: UInt64, floor: UInt64) -> BenchmarkError {
    BenchmarkError(
      message: "\(name): the two sides did different work, their digests are \(ours) and \(floor).",
      advice: "Do not use its times; make both bodies read or write the same rows.",
      exitCode: EX_SOFTWARE)
  }

  static func notBuilt(_ path: String) -> BenchmarkError {
    BenchmarkError(
      message: "\(path) cannot be read, or there is no `strip`.",
      advice: "Run `make bench`, which builds all programs of the benchmarks.",
      exitCode: EX_UNAVAILABLE)
  }

  static func writerEnded(_ name: String) -> BenchmarkError {
    BenchmarkError(
      message: "The process that writes (\(name)) has ended.",
      advice: "Install sqlite3 and python3, and look at what it said.",
      exitCode: EX_UNAVAILABLE)
  }

  static func childFailed(_ output: String) -> BenchmarkError {
    BenchmarkError(
      message: "A child process of the benchmark failed: \(output)",
      advice: "Look at what it said above.",
      exitCode: EX_SOFTWARE)
  }

  static func notTraced() -> BenchmarkError {
    BenchmarkError(
      message: "Processes cannot be traced here, so that none can be killed at a certain call.",
      advice: "Run the benchmark on Linux, and allow ptrace in its container.",
      exitCode: EX_UNAVAILABLE)
  }

  static func wrongRepair(_ found: String) -> BenchmarkError {
    BenchmarkError(
      message: "The repair did not do what was measured: \(found).",
      advice: "Do not use its times; run the suite RepairTests.",
      exitCode: EX_SOFTWARE)
  }

  static func program(_ command: String) -> BenchmarkError {
    BenchmarkError(
      message: "`\(command)` failed.",
      advice: "Run `Scripts/setup test`, which installs the programs that the benchmarks use.",
      exitCode: EX_UNAVAILABLE)
  }

  static func floor(_ step: String, message: String) -> BenchmarkError {
    BenchmarkError(
      message: "The C side could not \(step): \(message).",
      advice: "Check the free space and the rights of the temporary folder.",
      exitCode: EX_IOERR)
  }
}
