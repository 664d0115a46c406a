import Foundation
import HoldfastTestSupport
import Testing

/// A program that does not use Holdfast and writes its databases.
enum ForeignWriter: String, CaseIterable, Sendable {
  /// SQLite's command-line tool.
  case shell
  /// Python's module.
  case python

  static let areThere = allCases.allSatisfy { writer in
    (try? writer.run("SELECT 1;", on: ":memory:")) != nil
  }

  /// Runs an SQL script in another process and waits until it ends.
  func run(_ sql: String, on path: String) throws {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = words + [path]
    process.environment = ConnectionKeys.environment
    let (input, errors) = (Pipe(), Pipe())
    process.standardInput = input
    process.standardOutput = FileHandle.nullDevice
    process.standardError = errors
    try process.run()
    // The script is read completely before the program prints more errors than a pipe can hold.
    try input.fileHandleForWriting.write(contentsOf: Data(sql.utf8))
    try input.fileHandleForWriting.close()
    let complaint = try errors.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
      throw Refusal(text: String(decoding: complaint, as: UTF8.self))
    }
  }

  struct Refusal: Error {
    var text: String
  }

  private var words: [String] {
    // The tool runs with no other SQLite than its own.
    switch ConnectionKeys.areUsed ? .python : self {
    case .shell: ["sqlite3", "-batch", "-bail"]
    case .python:
      [
        "python3", "-c",
        """
        import sqlite3, sys
        connection = sqlite3.connect(sys.argv[1], isolation_level=None)
        connection.executescript(sys.stdin.read())
        connection.close()
        """,
      ]
    }
  }
}
