import Foundation
import Holdfast

/// A second process of this tool, which writes a note on request.
final class SecondWriter {
  // Not a command-line option, because it is of no use elsewhere.
  private static let variable = "HOLDFAST_DEMO_NOTES"

  private let child = Process()
  private let requests = Pipe()
  private let answers = Pipe()

  /// The number of the process.
  var process: Int32 { child.processIdentifier }

  /// Starts the process, which opens the database for its first write.
  init(of database: URL) throws {
    guard let executable = Bundle.main.executableURL else { throw ToolError.noExecutable() }
    child.executableURL = executable
    child.arguments = ["demo"]
    child.environment = ProcessInfo.processInfo.environment.merging(
      [Self.variable: database.path(percentEncoded: false)], uniquingKeysWith: { $1 })
    child.standardInput = requests
    child.standardOutput = answers
    try child.run()
  }

  /// Makes the process write a note.
  ///
  /// - Returns: The duration of the write, in milliseconds.
  func write(_ note: String) throws -> Int {
    try requests.fileHandleForWriting.write(contentsOf: Data((note + "\n").utf8))
    // One short line, which arrives in one piece.
    let answer = String(decoding: answers.fileHandleForReading.availableData, as: UTF8.self)
    guard let time = Int(answer.trimmingCharacters(in: .newlines)) else {
      child.waitUntilExit()
      throw ToolError.secondProcessFailed(status: child.terminationStatus)
    }
    return time
  }

  /// Ends the process, after it has closed the database.
  func end() {
    do {
      try requests.fileHandleForWriting.close()
      child.waitUntilExit()
    } catch {
      child.terminate()
    }
  }

  // MARK: - In the process

  /// The database to write, in a process that was started as a second writer.
  static var databaseOfThisProcess: String? { ProcessInfo.processInfo.environment[variable] }

  /// Writes each line of standard input as a note, and prints how many milliseconds it took.
  static func run(on database: String, output: Output) async throws {
    let pool = try DatabasePool(path: database)
    defer { pool.closeIgnoringErrors() }
    while let note = readLine() {
      let start = ContinuousClock.now
      try await pool.write { db in
        try db.execute(sql: "INSERT INTO note VALUES (?)", arguments: [note])
      }
      try output.line("\(Int(start.duration(to: .now) / .milliseconds(1)))")
      try output.console.flush()
    }
  }
}
