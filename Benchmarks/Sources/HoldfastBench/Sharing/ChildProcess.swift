import Foundation

/// A child process of this program that does one kind of work.
final class ChildProcess {
  private let process = Process()
  private let output = Pipe()

  /// Starts the process.
  ///
  /// - Parameters:
  ///   - work: The work of the process; see `ChildWork`.
  ///   - path: The database.
  /// - Throws: When the process cannot be started.
  init(_ work: ChildWork, _ path: String) throws {
    process.executableURL = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
    process.arguments = ["--child", work.rawValue, path]
    process.standardOutput = output
    try process.run()
  }

  /// Reads the process's output, up to a number of bytes; empty at the end.
  func read(upToCount count: Int) throws -> Data {
    try output.fileHandleForReading.read(upToCount: count) ?? Data()
  }

  func readToEnd() throws -> Data {
    try output.fileHandleForReading.readToEnd() ?? Data()
  }

  /// Returns the words that the process prints, after its end.
  ///
  /// - Throws: ``BenchmarkError`` when the process fails.
  func words() throws -> [String] {
    let text = String(decoding: try readToEnd(), as: UTF8.self)
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { throw BenchmarkError.childFailed(text) }
    return text.split(whereSeparator: \.isWhitespace).map(String.init)
  }

  func send(_ signal: Int32) {
    kill(process.processIdentifier, signal)
  }

  /// Kills the process and waits for its end.
  func end() {
    send(SIGKILL)
    process.waitUntilExit()
  }
}
