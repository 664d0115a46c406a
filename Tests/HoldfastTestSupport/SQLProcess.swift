import Foundation
import Synchronization

/// Another process that runs SQL on a file, statement by statement, until it is ended.
public final class SQLProcess: Sendable {
  /// Which program it is.
  public enum Program: String, CaseIterable, Sendable {
    case tool = "sqlite3"
    case python = "python3"
  }

  /// What Python runs: a line of SQL in, a line out when it is committed.
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

  /// The process has ended before it answered.
  public struct Ended: Error {
    /// What it said before.
    public let lastWords: String
  }

  /// Starts the program.
  ///
  /// - Parameters:
  ///   - program: Which.
  ///   - path: The database's path.
  /// - Throws: A `CocoaError` when it cannot be started.
  public init(_ program: Program, on path: String) throws {
    let input = Pipe()
    let output = Pipe()
    process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments =
      switch program {
      case .tool: [program.rawValue, "-batch", "-bail", "-cmd", ".timeout 30000", path]
      case .python: [program.rawValue, "-u", "-c", Self.script, path]
      }
    process.standardInput = input
    process.standardOutput = output
    // Not the one of the tests: whoever reads that would wait for this process, if they crash.
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

  /// Runs one statement and returns when it was committed; the calling thread is held.
  ///
  /// - Parameter sql: The statement, on one line and without a semicolon.
  /// - Throws: ``Ended`` when the process has ended; a `CocoaError` when it cannot be told.
  public func blockingExecute(_ sql: String) throws {
    try turn.withLock { _ in
      // The tool buffers what it prints; only its own words are there at once.
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

  /// Runs one statement on a thread of its own, and goes on when it was committed.
  ///
  /// - Parameter sql: The statement, on one line and without a semicolon.
  /// - Throws: ``Ended`` when the process has ended; a `CocoaError` when it cannot be told.
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
    // Nothing is thrown there.
    try? LastingThread.run { [process] in process.waitUntilExit() }
  }
}
