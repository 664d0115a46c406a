import Foundation
import Synchronization

/// Another process that runs SQL statements on a file until it is ended.
public final class SQLProcess: Sendable {
  /// A program that runs SQL.
  public enum Program: String, CaseIterable, Sendable {
    case tool = "sqlite3"
    case python = "python3"
  }

  /// Python's program: it reads a line of SQL and prints a line when the statement is committed.
  private static let script = """
    import sqlite3, sys
    db = sqlite3.connect(sys.argv[1], timeout=30, isolation_level=None)
    for line in sys.stdin:
        db.execute(line).fetchall()
        print("done", flush=True)
    """

  private let process: Process
  private let input: FileHandle
  private let output: FileHandle
  private let turn = Mutex(())

  /// An error: the process ended before it answered.
  public struct Ended: Error {
    /// The last output of the process.
    public let lastWords: String
  }

  /// Starts the program.
  ///
  /// - Parameters:
  ///   - program: The program.
  ///   - path: The database's path.
  /// - Throws: A `CocoaError` when it cannot be started.
  public init(_ program: Program, on path: String) throws {
    let input = Pipe()
    let output = Pipe()
    process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    let program = ConnectionKeys.program(program)
    process.arguments =
      switch program {
      case .tool: [program.rawValue, "-batch", "-bail", "-cmd", ".timeout 30000", path]
      case .python: [program.rawValue, "-u", "-c", Self.script, path]
      }
    process.environment = ConnectionKeys.environment
    process.standardInput = input
    process.standardOutput = output
    // Not that of the tests: a process that reads it would wait for this one if the tests crash.
    process.standardError = output
    try LastingThread.run { [process] in try process.run() }
    self.input = input.fileHandleForWriting
    self.output = output.fileHandleForReading
    isTool = program == .tool
  }

  private let isTool: Bool

  deinit {
    end()
  }

  /// Runs one statement and blocks the calling thread until it is committed.
  ///
  /// - Parameter sql: The statement, on one line and without a semicolon.
  /// - Throws: ``Ended`` when the process has ended; a `CocoaError` when writing to it fails.
  public func blockingExecute(_ sql: String) throws {
    try turn.withLock { _ in
      // The tool buffers its results; only the output of `.shell` appears immediately.
      let line = isTool ? sql + ";\n.shell echo done\n" : sql + "\n"
      try input.write(contentsOf: Data(line.utf8))
      var answer = ""
      while !answer.hasSuffix("done\n") {
        let bytes = output.availableData
        guard !bytes.isEmpty else { throw Ended(lastWords: answer) }
        answer += String(decoding: bytes, as: UTF8.self)
      }
    }
  }

  /// Runs one statement on another thread and returns when it is committed.
  ///
  /// - Parameter sql: The statement, on one line and without a semicolon.
  /// - Throws: ``Ended`` when the process has ended; a `CocoaError` when writing to it fails.
  public func execute(_ sql: String) async throws {
    try await onOwnThread { [self] in try blockingExecute(sql) }
  }

  /// Closes the database and ends the process.
  public func end() {
    guard process.isRunning else { return }
    do {
      try input.close()
    } catch {
      process.terminate()
    }
    // The closure throws nothing.
    try? LastingThread.run { [process] in process.waitUntilExit() }
  }
}
