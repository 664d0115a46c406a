import Foundation
import HoldfastTestSupport
import Testing

/// An import by the tool that is killed while it runs.
@Suite struct KilledImportTests {
  private let place: Workplace
  private let old: Data
  private let new: Data

  init() throws {
    place = try Workplace()
    new = try Data(contentsOf: place.directory.file("harbour.db"))
    try place.writeFeed("older")
    try #require(try place.run("transit", "import", "older", "harbour.db", "--replace").status == 0)
    old = try Data(contentsOf: place.directory.file("harbour.db"))
  }

  private var staging: Int {
    let path = place.directory.file(".harbour.db.staging").path
    let attributes = try? FileManager.default.attributesOfItem(atPath: path)
    return attributes?[.size] as? Int ?? 0
  }

  /// Starts an import and kills it once its file has the size, unless it ends before.
  private func killImport(at size: Int) throws -> Bool {
    let process = Process()
    process.executableURL = ToolProcess.executable
    process.arguments = ["transit", "import", Workplace.sample, "harbour.db", "--replace"]
    process.currentDirectoryURL = place.folder
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
    while staging < size, process.isRunning {}
    if process.isRunning { kill(process.processIdentifier, SIGKILL) }
    process.waitUntilExit()
    return process.terminationReason == .uncaughtSignal
  }

  @Test(.timeLimit(.minutes(5)))
  func aKilledImportLeavesTheOldOrTheNewDatabase() throws {
    let database = place.directory.file("harbour.db")
    var random = SeededRandom()
    var kills = 0
    var strays: Set<String> = []
    // If the kill comes too late, the import is complete and the round does not count.
    for _ in 1...50 where kills < 5 {
      let wasKilled = try killImport(at: Int.random(in: 1...new.count, using: &random))
      strays.formUnion(try place.directory.names)
      let found = try Data(contentsOf: database)
      #expect(wasKilled ? found == old || found == new : found == new)
      if wasKilled { kills += 1 }

      let next = try place.run("transit", "import", Workplace.sample, "harbour.db", "--replace")
      #expect(next.status == 0, "\(next.errors)")
      #expect(try Data(contentsOf: database) == new)
      #expect(try place.directory.names == ["harbour.db", "older"])
      try old.write(to: database)
    }
    #expect(kills == 5)
    #expect(strays.contains(".harbour.db.staging"), "some were killed while they wrote")
  }

  /// A lock file and half a database used to stay.
  @Test(.timeLimit(.minutes(2)), arguments: [SIGINT, SIGTERM])
  func anImportThatIsInterruptedLeavesNothing(signal: Int32) throws {
    let stops = (1...60_000).map { "S\($0),Stop \($0),1,1\n" }.joined()
    try place.writeFeed("long", ["stops.txt": "stop_id,stop_name,stop_lat,stop_lon\n" + stops])
    let process = Process()
    process.executableURL = ToolProcess.executable
    process.arguments = ["transit", "import", "long", "long.db"]
    process.currentDirectoryURL = place.folder
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.runObeyingSignals()
    let lock = place.directory.file(".long.db.lock").path
    while !FileManager.default.fileExists(atPath: lock), process.isRunning {}
    kill(process.processIdentifier, signal)
    process.waitUntilExit()
    #expect(process.terminationReason == .exit)
    #expect(process.terminationStatus == 128 + signal)
    #expect(try place.directory.names == ["harbour.db", "long", "older"])
  }
}
