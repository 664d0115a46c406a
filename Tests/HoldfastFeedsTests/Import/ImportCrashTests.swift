import Foundation
import HoldfastFeeds
import HoldfastFiles
import HoldfastTestSupport
import Synchronization
import Testing

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Imports that end at any moment: they leave the complete old or new database.
@Suite struct ImportCrashTests {
  private let directory: TemporaryDirectory
  private let container: URL
  private let database: URL
  private let old: Data
  private let new: Data

  init() throws {
    directory = try TemporaryDirectory()
    container = directory.url.appending(path: "container")
    database = container.appending(path: "harbour.db")
    try FileManager.default.createDirectory(at: container, withIntermediateDirectories: true)
    let feeds = try Folder()
    try FeedImporter.replacing(feed: FeedFixture().writeFolder(in: feeds), output: database).run()
    old = try Data(contentsOf: database)
    try FeedImporter.replacing(feed: FeedFixture.portMerrow, output: database).run()
    new = try Data(contentsOf: database)
    try ImportedDatabase(url: database).expectSound("the new one")
    try reset()
  }

  private func reset() throws {
    try FileManager.default.removeItem(at: container)
    try FileManager.default.createDirectory(at: container, withIntermediateDirectories: true)
    try old.write(to: database)
  }

  private var names: [String] {
    get throws { try FileManager.default.contentsOfDirectory(atPath: container.path).sorted() }
  }

  /// Both databases are valid, so comparing bytes is enough.
  private func expectWhole(_ comment: Comment) throws -> Data {
    let found = try Data(contentsOf: database)
    #expect(found == old || found == new, comment)
    return found
  }

  private func expectNextRunCleansUp(_ comment: Comment) throws {
    try FeedImporter.replacing(feed: FeedFixture.portMerrow, output: database).run()
    #expect(try Data(contentsOf: database) == new, comment)
    #expect(try names == ["harbour.db"], comment)
    try reset()
  }

  /// ST-B17: the generator deleted the good file first, and built in its place.
  @Test func aCrashAtAnyStepLeavesTheOldOrTheNewDatabase() async throws {
    let trace = SystemFault(atCall: .max, .fail(.inputOutput))
    try SystemCalls.$fault.withValue(trace) {
      _ = try FeedImporter.replacing(feed: FeedFixture.portMerrow, output: database).run()
    }
    try reset()
    let count = trace.callsSeen.count
    #expect(count > 15)
    var outcomes: Set<Data> = []
    for ordinal in 1...count {
      await #expect(processExitsWith: .exitCode(77)) {
        [ordinal = ordinal as Int, database = database as URL] in
        let fault = SystemFault(atCall: ordinal, .exit(status: 77))
        try SystemCalls.$fault.withValue(fault) {
          _ = try FeedImporter.replacing(feed: FeedFixture.portMerrow, output: database).run()
        }
      }
      let comment: Comment = "crash at \(trace.callsSeen[ordinal - 1]), call \(ordinal)"
      outcomes.insert(try expectWhole(comment))
      try expectNextRunCleansUp(comment)
    }
    #expect(outcomes == [old, new], "crashes before and after the switch were met")
  }

  /// The child reports its progress through a pipe, and the parent kills it after one of the
  /// reports, in half of the rounds once the new database has grown to some size.
  @Test(.timeLimit(.minutes(5)))
  func aProcessKilledAtAnyTimeLeavesTheOldOrTheNewDatabase() async throws {
    var random = SeededRandom()
    var signals = 0
    try FeedImporter.replacing(feed: FeedFixture.portMerrow, output: database).run { _ in
      signals += 1
    }
    try reset()
    var strays: Set<String> = []
    for round in 1...50 {
      let pipe = directory.file("pipe-\(round)").path
      let made = unsafe mkfifo(pipe, 0o600)
      #expect(made == 0)
      let killer = Killer(
        pipe: pipe, signals: Int.random(in: 1...signals, using: &random),
        database: database,
        size: round.isMultiple(of: 2) ? 0 : Int.random(in: 1...new.count, using: &random))
      killer.lieInWait()
      await #expect(processExitsWith: .signal(SIGKILL)) {
        [pipe = pipe as String, database = database as URL] in
        let parent = try #require(FileHandle(forWritingAtPath: pipe))
        try parent.write(contentsOf: Data("\(getpid())\n".utf8))
        try FeedImporter.replacing(feed: FeedFixture.portMerrow, output: database).run { _ in
          try parent.write(contentsOf: Data(".".utf8))
        }
        // The process is killed in any case.
        while true { pause() }
      }
      let comment: Comment = "round \(round), \(killer)"
      strays.formUnion(try names)
      _ = try expectWhole(comment)
      try expectNextRunCleansUp(comment)
    }
    #expect(strays.contains(".harbour.db.staging"), "some were killed while they wrote")
  }

  @Test(.timeLimit(.minutes(1)))
  func whileAnotherProcessImportsTheDatabaseIsBusy() async throws {
    let pipe = directory.file("pipe").path
    let made = unsafe mkfifo(pipe, 0o600)
    #expect(made == 0)
    let rival = Rival(pipe: pipe, database: database)
    rival.lieInWait()
    await #expect(processExitsWith: .signal(SIGKILL)) {
      [pipe = pipe as String, database = database as URL] in
      let parent = try #require(FileHandle(forWritingAtPath: pipe))
      try parent.write(contentsOf: Data("\(getpid())\n".utf8))
      try FeedImporter.replacing(feed: FeedFixture.portMerrow, output: database).run { _ in
        try parent.write(contentsOf: Data(".".utf8))
        while true { pause() }
      }
    }
    #expect(rival.refusal?.code == .busy)
    #expect(try Data(contentsOf: database) == old)
    try expectNextRunCleansUp("after a rival")
  }
}

/// A child process that reports its identity and its progress through a pipe.
private struct Child {
  let process: pid_t
  private let pipe: FileHandle

  /// Waits for the first line of the child.
  init?(at path: String) {
    // Opened for both directions, because opening a pipe only for reading waits for a writer.
    guard let pipe = FileHandle(forUpdatingAtPath: path) else { return nil }
    var line = ""
    while let byte = try? pipe.read(upToCount: 1), byte != Data("\n".utf8) {
      line += String(decoding: byte, as: UTF8.self)
    }
    guard let process = pid_t(line) else { return nil }
    (self.pipe, self.process) = (pipe, process)
  }

  func awaitSignals(_ count: Int) {
    for _ in 0..<count { _ = try? pipe.read(upToCount: 1) }
  }
}

/// Kills a child after a number of signals, once the file that it writes has some size.
private struct Killer: Sendable {
  let pipe: String
  let signals: Int
  let database: URL
  let size: Int

  private var hasGrown: Bool {
    let staging = database.deletingLastPathComponent()
      .appending(path: ".\(database.lastPathComponent).staging")
    let attributes = try? FileManager.default.attributesOfItem(atPath: staging.path)
    return (attributes?[.size] as? Int ?? 0) >= size
  }

  /// The identity of the file with the database's name, which changes when the child replaces it.
  private var identity: Int? {
    (try? FileManager.default.attributesOfItem(atPath: database.path))?[.systemFileNumber] as? Int
  }

  func lieInWait() {
    // Taken before the child is released by the other end of the pipe.
    let old = identity
    Thread.detachNewThread {
      guard let child = Child(at: pipe) else { return }
      child.awaitSignals(signals)
      while !hasGrown, identity == old, kill(child.process, 0) == 0 {}
      kill(child.process, SIGKILL)
    }
  }
}

/// An import that competes with a child's import of the same database and then kills the child.
private final class Rival: Sendable {
  private let pipe: String
  private let database: URL
  private let error = Mutex<FileError?>(nil)

  var refusal: FileError? { error.withLock { $0 } }

  init(pipe: String, database: URL) {
    (self.pipe, self.database) = (pipe, database)
  }

  func lieInWait() {
    Thread.detachNewThread { [self] in
      guard let child = Child(at: pipe) else { return }
      child.awaitSignals(1)
      do {
        try FeedImporter.replacing(feed: FeedFixture.portMerrow, output: database).run()
      } catch {
        self.error.withLock { $0 = error as? FileError }
      }
      kill(child.process, SIGKILL)
    }
  }
}
