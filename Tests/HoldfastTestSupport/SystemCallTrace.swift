public import Foundation

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Writes down which files a process opens, as the kernel sees it: strace's.
public final class SystemCallTrace {
  private let process = Process()

  /// Whether this machine and this user can trace a process that runs already.
  public static let isPossible: Bool = {
    // "1" and above: only parents and root may.
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

  /// Begins; holds the calling thread until the process is traced with all of its threads.
  ///
  /// - Parameters:
  ///   - identifier: The number of the process.
  ///   - file: Where the calls are written, one per line.
  /// - Throws: An error when there is no strace, or it may not trace the process.
  public init(of identifier: Int32, to file: URL) throws {
    let said = Pipe()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = [
      "strace", "-f", "-e", "trace=open,openat,openat2,creat", "-e", "signal=none", "-o", file.path,
      "-p", "\(identifier)",
    ]
    process.standardError = said
    try process.run()
    var text = ""
    while !text.contains("attached") {
      let more = said.fileHandleForReading.availableData
      guard !more.isEmpty else { throw NotTraced(said: text) }
      text += String(decoding: more, as: UTF8.self)
    }
  }

  /// Ends; every call until now is written, line by line.
  public func end() {
    // A thread of Dispatch blocks other signals, and so does what it starts.
    #if canImport(Darwin)
      _ = Darwin.kill(process.processIdentifier, SIGKILL)
    #else
      _ = Glibc.kill(process.processIdentifier, SIGKILL)
    #endif
    process.waitUntilExit()
  }

  /// The calls that opened something, in their order.
  ///
  /// - Parameter file: What was written.
  /// - Returns: A line for each.
  /// - Throws: A `CocoaError` when there is none.
  public static func openings(in file: URL) throws -> [String] {
    try String(contentsOf: file, encoding: .utf8).split(separator: "\n").map(String.init)
      // A call during which another thread was heard stands in two lines; the first has the name.
      .filter { $0.contains("open") && $0.contains("\"") }
  }
}
