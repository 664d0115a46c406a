import Foundation
import Testing

/// A program that knows nothing of Holdfast and writes its databases.
enum ForeignWriter: String, CaseIterable, Sendable {
  /// The command-line tool of SQLite's own makers.
  case shell
  /// Python's module.
  case python

  static let areThere = allCases.allSatisfy { writer in
    (try? writer.run("SELECT 1;", on: ":memory:")) != nil
  }

  /// Runs a script of SQL in a process of its own, and waits for its end.
  func run(_ sql: String, on path: String) throws {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = words + [path]
    let (input, errors) = (Pipe(), Pipe())
    process.standardInput = input
    process.standardOutput = FileHandle.nullDevice
    process.standardError = errors
    try process.run()
    // The whole script is read before a program complains more than a pipe holds.
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
    switch self {
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
