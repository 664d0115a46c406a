import Foundation

/// A program that a benchmark runs, found in the search path.
enum Command {
  /// Runs a program and returns what it prints.
  ///
  /// - Parameter words: The name of the program and its arguments.
  /// - Returns: Its standard output.
  /// - Throws: ``BenchmarkError`` when it fails or is missing.
  @discardableResult
  static func run(_ words: [String]) throws -> String {
    let process = Process()
    let output = Pipe()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = words
    process.standardOutput = output
    try process.run()
    let text = try output.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
      throw BenchmarkError.program(words.joined(separator: " "))
    }
    return String(decoding: text, as: UTF8.self)
  }
}
