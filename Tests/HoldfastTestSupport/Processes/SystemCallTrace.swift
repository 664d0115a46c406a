public import Foundation

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// A trace of what a process does with files, written by strace.
public final class SystemCallTrace {
  /// The calls that are written.
  public enum Calls: Sendable {
    /// Those that open a file.
    case openings
    /// Those that open, close, change, rename or remove a file, with their time and with the paths
    /// of their descriptors.
    case files

    var options: [String] {
      switch self {
      case .openings: ["-e", "trace=open,openat,openat2,creat"]
      case .files:
        // Not each of them exists on each kind of machine.
        [
          "-y", "-ttt", "-e",
          """
          trace=?open,?openat,?openat2,?creat,?close,?dup,?dup2,?dup3,?write,?pwrite64,?writev,?pwritev,\
          ?pwritev2,?truncate,?ftruncate,?fallocate,?copy_file_range,?sendfile,?ioctl,?rename,?renameat,\
          ?renameat2,?unlink,?unlinkat
          """,
        ]
      }
    }
  }

  private let process = Process()

  /// Whether this machine and user can trace a running process.
  public static let isPossible: Bool = {
    // "1" and above: only parent processes and root can.
    let scope = try? String(contentsOfFile: "/proc/sys/kernel/yama/ptrace_scope", encoding: .utf8)
    guard scope?.hasPrefix("0") != false || NSUserName() == "root" else { return false }
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = ["strace", "-qq", "-o", "/dev/null", "true"]
    process.standardError = FileHandle.nullDevice
    do { try process.run() } catch { return false }
    process.waitUntilExit()
    return process.terminationStatus == 0
  }()

  struct NotTraced: Error { var said: String }

  /// Starts tracing; blocks the calling thread until all threads of the process are traced.
  ///
  /// - Parameters:
  ///   - identifier: The process identifier.
  ///   - file: The file to which the calls are written, one per line.
  ///   - calls: The calls that are written.
  /// - Throws: An error when strace is absent or cannot trace the process.
  public init(of identifier: Int32, to file: URL, calls: Calls = .openings) throws {
    let said = Pipe()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments =
      ["strace", "-f"] + calls.options
      + ["-e", "signal=none", "-o", file.path, "-p", "\(identifier)"]
    process.standardError = said
    try process.run()
    var text = ""
    while !text.contains("attached") {
      let more = said.fileHandleForReading.availableData
      guard !more.isEmpty else { throw NotTraced(said: text) }
      text += String(decoding: more, as: UTF8.self)
    }
  }

  /// Ends the trace; all calls so far are written.
  public func end() {
    // A thread of Dispatch blocks other signals, and so do its child processes.
    #if canImport(Darwin)
      _ = Darwin.kill(process.processIdentifier, SIGKILL)
    #else
      _ = Glibc.kill(process.processIdentifier, SIGKILL)
    #endif
    process.waitUntilExit()
  }

  /// Returns the calls that opened something, in order.
  ///
  /// - Parameter file: The file of a trace.
  /// - Returns: A line for each call.
  /// - Throws: A `CocoaError` when there is no such file.
  public static func openings(in file: URL) throws -> [String] {
    try String(contentsOf: file, encoding: .utf8).split(separator: "\n").map(String.init)
      // A call interrupted by that of another thread is printed in two lines; the first has the
      // name.
      .filter { $0.contains("open") && $0.contains("\"") }
  }
}
