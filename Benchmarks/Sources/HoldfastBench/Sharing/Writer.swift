import Foundation
import Holdfast

/// Another process that increments the counter in a file for each line that it reads.
final class Writer {
  enum Kind: String, CaseIterable {
    case holdfast, tool, python
    /// Writes nothing, and observes the database.
    case watcher

    static var allCases: [Kind] { [.holdfast, .tool, .python] }
  }

  /// The first argument of a writer process.
  static let word = "--writer"

  private let process = Process()
  private let input: FileHandle
  private let output: FileHandle
  private let kind: Kind

  private static let script = """
    import sqlite3, sys
    db = sqlite3.connect(sys.argv[1], timeout=30, isolation_level=None)
    db.execute("PRAGMA synchronous = NORMAL")
    for line in sys.stdin:
        db.execute("UPDATE counter SET n = n + 1")
        print("done", flush=True)
    """

  static var configuration: Configuration {
    var configuration = Configuration()
    configuration.busyMode = .timeout(30)
    configuration.prepareDatabase { db in try db.execute(sql: "PRAGMA synchronous = NORMAL") }
    return configuration
  }

  init(_ kind: Kind, on path: String) throws {
    self.kind = kind
    let (input, output) = (Pipe(), Pipe())
    switch kind {
    case .holdfast, .watcher:
      process.executableURL = URL(filePath: CommandLine.arguments[0])
      process.arguments = [Self.word, kind.rawValue, path]
    case .tool:
      process.executableURL = URL(filePath: "/usr/bin/env")
      process.arguments = [
        "sqlite3", "-batch", "-bail", "-cmd", ".timeout 30000", "-cmd",
        "PRAGMA synchronous = NORMAL", path,
      ]
    case .python:
      process.executableURL = URL(filePath: "/usr/bin/env")
      process.arguments = ["python3", "-u", "-c", Self.script, path]
    }
    process.standardInput = input
    process.standardOutput = output
    try process.run()
    self.input = input.fileHandleForWriting
    self.output = output.fileHandleForReading
  }

  deinit {
    try? input.close()
    process.waitUntilExit()
  }

  /// Makes the process commit once, and returns after the commit.
  func write() throws {
    try ask()
    try answer()
  }

  /// Requests one commit; `answer()` must be called once for it.
  func ask() throws {
    // Only output of the tool's own subprocesses arrives at once; the rest is buffered.
    let line = kind == .tool ? "UPDATE counter SET n = n + 1;\n.shell echo done\n" : "write\n"
    try input.write(contentsOf: Data(line.utf8))
  }

  func answer() throws {
    var last: UInt8 = 0
    while last != UInt8(ascii: "\n") {
      guard let byte = try output.read(upToCount: 1)?.first else {
        throw BenchmarkError.writerEnded(kind.rawValue)
      }
      last = byte
    }
  }

  /// Runs as a writer process, until its standard input ends.
  static func run(_ kind: Kind, on path: String) throws {
    let pool = try DatabasePool(path: path, configuration: configuration)
    var observation: AnyDatabaseCancellable?
    if kind == .watcher {
      let count = ValueObservation.tracking { db in
        try Int.fetchOne(db, sql: "SELECT count(*) FROM counter")
      }
      observation = count.start(in: pool, scheduling: .async(onQueue: .main)) {
        fatalError("\($0)")
      } onChange: { _ in
      }
    }
    while readLine() != nil {
      if kind != .watcher {
        try pool.write { db in
          try db.execute(
            sql: "UPDATE counter SET n = n + 1, at = ?", arguments: [Stopwatch.wallTime])
        }
      }
      print("done")
      fflush(nil)
    }
    withExtendedLifetime(observation) {}
    try pool.close()
  }
}
