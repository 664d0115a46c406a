import Foundation
import Holdfast
import HoldfastTestSupport
import Testing

@testable import HoldfastTool

@Suite(.serialized, .timeLimit(.minutes(3))) struct DatabaseWatchTests {
  let place: Workplace
  let path: String

  init() throws {
    place = try Workplace()
    path = place.directory.file("a.db").path
    let queue = try DatabaseQueue(path: path)
    try queue.write { db in
      try db.execute(sql: "CREATE TABLE a (x); CREATE TABLE b (x)")
    }
    try queue.close()
  }

  /// A running `db watch`.
  private final class Watching: Sendable {
    let process = Process()
    private let output: FileHandle
    private let pipe = Pipe()

    init(_ words: [String], in folder: URL) throws {
      output = pipe.fileHandleForReading
      process.executableURL = ToolProcess.executable
      process.arguments = ["db", "watch"] + words
      process.currentDirectoryURL = folder
      process.standardOutput = pipe
      process.standardError = FileHandle.nullDevice
      try process.run()
      try pipe.fileHandleForWriting.close()
    }

    /// Waits for the next line and returns it.
    func line() throws -> String {
      var line: [UInt8] = []
      while let byte = try output.read(upToCount: 1)?.first, byte != UInt8(ascii: "\n") {
        line.append(byte)
      }
      return String(decoding: line, as: UTF8.self)
    }

    func object() throws -> [String: Any] {
      let line = try line()
      return try #require(
        try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any], "\(line)")
    }

    /// Interrupts the tool and returns its exit status.
    func end() -> Int32 {
      process.terminate()
      process.waitUntilExit()
      return process.terminationStatus
    }
  }

  @Test func aLineIsPrintedAtTheStartAndPerChange() throws {
    let watching = try Watching(["a.db", "--json"], in: place.folder)
    let start = try watching.line()
    #expect(start.hasPrefix(#"{"event":"start","tables":null,"time":""#), "\(start)")
    for program in SQLProcess.Program.allCases {
      try SQLProcess(program, on: path).blockingExecute("INSERT INTO a VALUES (1)")
      let change = try watching.object()
      #expect(change["event"] as? String == "change")
      #expect(change["tables"] is NSNull)
      #expect(change["rows"] == nil)
      let time = try #require(change["time"] as? String)
      #expect(throws: Never.self) {
        try Date.ISO8601FormatStyle(timeZoneSeparator: .colon, includingFractionalSeconds: true)
          .parse(time)
      }
    }
    #expect(watching.end() == 128 + SIGTERM)
    #expect(try place.directory.names == ["a.db", "harbour.db"])
  }

  /// What an app that was killed left: a log, and no file that processes share.
  @Test func anAppOpensADatabaseWhoseLogIsWatched() throws {
    let queue = try DatabaseQueue(path: path)
    try queue.writeWithoutTransaction { db in
      try db.execute(sql: "PRAGMA journal_mode = WAL; INSERT INTO a VALUES (1)")
      for suffix in ["", "-wal"] {
        // In another process: closing a descriptor of the file here would drop SQLite's locks.
        let copied = try ToolProcess.run(
          URL(filePath: "/bin/cp"),
          ["a.db", "b.db"].map { place.directory.file($0 + suffix).path })
        try #require(copied.status == 0, "\(copied.errors)")
      }
    }
    try queue.close()
    let watching = try Watching(["b.db", "--json"], in: place.folder)
    #expect(try watching.object()["event"] as? String == "start")
    try SQLProcess(.tool, on: place.directory.file("b.db").path)
      .blockingExecute("INSERT INTO a VALUES (2)")
    #expect(try watching.object()["event"] as? String == "change")
    _ = watching.end()
  }

  @Test func aHistoryNamesTheTables() throws {
    let queue = try DatabaseQueue(path: path)
    try queue.write { db in try ChangeHistory.install(on: db, tables: ["a"]) }
    try queue.close()
    let objects = try Watching(["a.db", "--json"], in: place.folder)
    let lines = try Watching(["a.db"], in: place.folder)
    #expect(try objects.object()["tables"] is NSNull)
    #expect(try lines.line().hasSuffix("  start"))
    let other = try SQLProcess(.tool, on: path)
    for (table, names) in [("a", ["a", "b"]), ("b", ["b"])] {
      try other.blockingExecute("INSERT INTO \(table) VALUES (1)")
      #expect(try objects.object()["tables"] as? [String] == names)
      #expect(try lines.line().hasSuffix("  change  \(names.joined(separator: ", "))"))
    }
    _ = (objects.end(), lines.end())
  }

  @Test func rowsArePrintedWhenTheyChange() throws {
    let watching = try Watching(
      ["a.db", "--sql", "SELECT count(*) AS n FROM a", "--json"], in: place.folder)
    #expect(try watching.line().contains(#""rows":[{"n":0}],"time":"#))
    let other = try SQLProcess(.tool, on: path)
    try other.blockingExecute("INSERT INTO b VALUES (1)")
    try other.blockingExecute("INSERT INTO a VALUES (1)")
    #expect(try watching.line().contains(#"{"event":"change","tables":null,"rows":[{"n":1}]"#))
    _ = watching.end()
  }

  @Test func onlyTheTablesThatChangedAreNamed() throws {
    let watching = try Watching(["a.db", "--tables", "a, b", "--json"], in: place.folder)
    #expect(try watching.object()["tables"] as? [String] == ["a", "b"])
    let other = try SQLProcess(.tool, on: path)
    try other.blockingExecute("CREATE TABLE c (x)")
    try other.blockingExecute("INSERT INTO b VALUES (1)")
    #expect(try watching.object()["tables"] as? [String] == ["b"])
    try other.blockingExecute("UPDATE b SET x = 2")
    #expect(try watching.object()["tables"] as? [String] == ["b"])
    _ = watching.end()
  }

  @Test(
    arguments: [
      ("x'636166c3a9'", "x'63616665cc81'"), ("x'ff'", "x'fe'"),
      ("zeroblob(200) || x'01'", "zeroblob(200) || x'02'"),
    ], [["--tables", "a"], ["--sql", "SELECT x FROM a"]])
  func aTextThatDiffersOnlyInItsBytesIsAChange(
    texts: (before: String, after: String), selection: [String]
  ) throws {
    let other = try SQLProcess(.tool, on: path)
    try other.blockingExecute("INSERT INTO a VALUES (CAST(\(texts.before) AS TEXT))")
    let watching = try Watching(["a.db", "--json"] + selection, in: place.folder)
    #expect(try watching.object()["event"] as? String == "start")
    try other.blockingExecute("UPDATE a SET x = CAST(\(texts.after) AS TEXT)")
    #expect(try watching.object()["event"] as? String == "change")
    _ = watching.end()
  }

  @Test func tablesWithLookAlikeNamesAreWatchedSeparately() throws {
    let names = ["caf\u{e9}", "cafe\u{301}"]
    let other = try SQLProcess(.tool, on: path)
    for name in names { try other.blockingExecute("CREATE TABLE \"\(name)\" (x)") }
    for name in names {
      let watching = try Watching(
        ["a.db", "--json", "--tables", names.joined(separator: ",")], in: place.folder)
      #expect(try watching.object()["tables"] as? [String] == names)
      try other.blockingExecute("INSERT INTO \"\(name)\" VALUES (1)")
      let changed = try #require(try watching.object()["tables"] as? [String])
      #expect(changed.map { Array($0.utf8) } == [Array(name.utf8)])
      _ = watching.end()
    }
  }

  @Test func textOutputPrintsTheEventAndItsRows() throws {
    let watching = try Watching(["a.db", "--sql", "SELECT x FROM a"], in: place.folder)
    #expect(try watching.line().hasSuffix("  start"))
    try SQLProcess(.tool, on: path).blockingExecute("INSERT INTO a VALUES ('new')")
    #expect(try watching.line().hasSuffix("  change"))
    #expect(try watching.line() == "x")
    #expect(try watching.line() == "new")
    _ = watching.end()
  }

  @Test func aLogInUseIsWatchedAndLeftUnchanged() throws {
    let path = place.directory.file("log.db").path
    let pool = try DatabasePool(path: path)
    try pool.write { db in try db.execute(sql: "CREATE TABLE a (x)") }
    let names = try place.directory.names
    let watching = try Watching(["log.db", "--json"], in: place.folder)
    #expect(try watching.object()["event"] as? String == "start")
    try pool.write { db in try db.execute(sql: "INSERT INTO a VALUES (1)") }
    #expect(try watching.object()["event"] as? String == "change")
    _ = watching.end()
    #expect(try place.directory.names == names)
    try pool.close()
  }

  @Test(arguments: [
    (["nope.db"], 66, "There is no file 'nope.db'."),
    (["a.db", "--tables", "a,nope"], 64, "The database has no table 'nope'."),
    (
      ["a.db", "--sql", "DELETE FROM a"], 64,
      "The SQL may change the database, and this command only reads."
    ),
  ])
  func anUnwatchableFileIsRefused(words: [String], status: Int32, message: String) throws {
    let refused = try ToolProcess.run(words: ["db", "watch"] + words, in: place.folder)
    #expect(refused.status == status)
    #expect(refused.complaint.first == message)
  }
}
