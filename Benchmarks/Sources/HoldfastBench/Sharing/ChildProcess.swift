import Foundation

/// This program once more, in a process of its own, with one piece of work.
final class ChildProcess {
  private let process = Process()
  private let output = Pipe()

  /// Starts the process.
  ///
  /// - Parameters:
  ///   - work: What it does; see `ChildWork`.
  ///   - path: The database.
  /// - Throws: When the process cannot be started.
  init(_ work: ChildWork, _ path: String) throws {
    process.executableURL = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
    process.arguments = ["--child", work.rawValue, path]
    process.standardOutput = output
    try process.run()
  }

  /// What it prints, up to some bytes; empty at its end.
  func read(upToCount count: Int) throws -> Data {
    try output.fileHandleForReading.read(upToCount: count) ?? Data()
  }

  func readToEnd() throws -> Data {
    try output.fileHandleForReading.readToEnd() ?? Data()
  }

  func send(_ signal: Int32) {
    kill(process.processIdentifier, signal)
  }

  /// Kills it and waits for its end.
  func end() {
    send(SIGKILL)
    process.waitUntilExit()
  }
}
