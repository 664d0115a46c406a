import Foundation
import Holdfast
import HoldfastTestSupport
import Testing

/// Ctrl-C and `kill` while the tool writes a file.
@Suite(.timeLimit(.minutes(2))) struct InterruptedWritingTests {
  private let place: Workplace

  init() throws { place = try Workplace() }

  /// Runs the tool and sends it a signal once a file is there.
  ///
  /// - Returns: The exit status; `nil` when a signal ended the process without its doing.
  private func run(
    _ words: [String], sending signal: Int32, onceThereIs name: String
  ) throws -> Int32? {
    let process = Process()
    process.executableURL = ToolProcess.executable
    process.arguments = words
    process.currentDirectoryURL = place.folder
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.runObeyingSignals()
    let file = place.directory.file(name).path
    while !FileManager.default.fileExists(atPath: file), process.isRunning {}
    if process.isRunning { kill(process.processIdentifier, signal) }
    process.waitUntilExit()
    return process.terminationReason == .exit ? process.terminationStatus : nil
  }

  @Test(arguments: [SIGINT, SIGTERM], [true, false])
  func anInterruptedBackupLeavesNothing(signal: Int32, isReplacing: Bool) throws {
    let queue = try DatabaseQueue(path: place.directory.file("large.db").path)
    try queue.write { db in
      try db.execute(sql: "CREATE TABLE t (a); INSERT INTO t VALUES (zeroblob(100000000))")
    }
    try queue.close()
    let copy = place.directory.file("copy.db")
    let old = Data("what was there".utf8)
    // If the signal comes too late, the copy is complete and the round does not count.
    var status: Int32? = 0
    for _ in 1...20 where status == 0 {
      if isReplacing {
        try old.write(to: copy)
      } else if FileManager.default.fileExists(atPath: copy.path) {
        try FileManager.default.removeItem(at: copy)
      }
      status = try run(
        ["db", "backup", "large.db", "copy.db"] + (isReplacing ? ["--replace"] : []),
        sending: signal, onceThereIs: ".copy.db.staging")
    }
    #expect(status == 128 + signal)
    #expect(
      try place.directory.names
        == (isReplacing ? ["copy.db"] : []) + ["harbour.db", "large.db"])
    if isReplacing { #expect(try Data(contentsOf: copy) == old) }
  }

  @Test(arguments: [SIGINT, SIGTERM])
  func anImportThatIsInterruptedWhileItInsertsRowsLeavesNothing(signal: Int32) throws {
    let stops = (1...10_000).map { "S\($0),Stop \($0),1,1\n" }.joined()
    try place.writeFeed("long", ["stops.txt": "stop_id,stop_name,stop_lat,stop_lon\n" + stops])
    let database = place.directory.file("harbour.db")
    let old = try Data(contentsOf: database)
    var status: Int32? = 0
    for _ in 1...20 where status == 0 {
      try old.write(to: database)
      status = try run(
        ["transit", "import", "long", "harbour.db", "--replace"], sending: signal,
        onceThereIs: ".harbour.db.staging")
    }
    #expect(status == 128 + signal)
    #expect(try Data(contentsOf: database) == old)
    #expect(try place.directory.names == ["harbour.db", "long"])
  }

  /// A next run does not look at the lock of a file that it does not write.
  @Test(arguments: [
    (["transit", "map", "harbour.db", "out.svg"], "out.svg"),
    (["map", "style", "style.json", "out.json"], "out.json"),
  ])
  func aFileThatIsThereHasNoLockNextToIt(_ words: [String], _ name: String) throws {
    try Data(#"{"version": 8, "sources": {}, "layers": []}"#.utf8)
      .write(to: place.directory.file("style.json"))
    let out = place.directory.file(name)
    for _ in 1...10 {
      let status = try run(words, sending: SIGINT, onceThereIs: name)
      #expect(status == 0 || status == 130)
      #expect(try place.directory.names == ["harbour.db", name, "style.json"])
      try FileManager.default.removeItem(at: out)
    }
  }
}
