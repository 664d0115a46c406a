import Foundation
import Holdfast
import HoldfastTestSupport
import Testing

/// The verbs that take long, each ended by a signal at random moments.
///
/// `HOLDFAST_CASES=1000` sends a thousand signals, and `HOLDFAST_SEED` repeats their moments.
@Suite(.timeLimit(.minutes(60))) struct InterruptedVerbsTests {
  /// A verb with its input, and what it makes of it.
  struct Work: Sendable, CustomTestStringConvertible {
    let name: String
    let words: [String]
    let prepare: @Sendable (URL) throws -> Void

    var testDescription: String { name }

    init(_ words: String..., prepare: @escaping @Sendable (URL) throws -> Void) {
      (self.words, self.prepare) = (words, prepare)
      name = words.prefix(3).joined(separator: " ")
    }
  }

  private static let signals = [SIGHUP, SIGQUIT, SIGINT, SIGTERM]

  private static let works = [
    Work("transit", "import", "feed", "old.db", "--replace", prepare: feed),
    Work("transit", "import", "feed", "--into", "timetables", prepare: feed),
    Work("transit", "export", "old.db", "feed.zip", prepare: feed),
    Work("transit", "export", "old.db", "texts", prepare: feed),
    Work("transit", "map", "harbour.db", "harbour.svg", prepare: feed),
    Work("db", "backup", "large.db", "copy.db", prepare: large),
    Work("db", "backup", "logged.db", "copy.db", prepare: large),
    Work("db", "check", "large.db", prepare: large),
    Work("db", "check", "logged.db", prepare: large),
    Work("db", "dump", "logged.db", prepare: large),
    Work("db", "query", "logged.db", "SELECT a, hex(b) FROM t ORDER BY b", prepare: large),
    Work("pack", "build", "source", "pack", "--name", "map", "--version", "1", prepare: source),
    Work("pack", "install", "pack", "Festival.xcappdata", prepare: packs),
    Work("pack", "install", "pack.zip", "Festival.xcappdata", prepare: packs),
    Work("pack", "verify", "pack.zip", prepare: packs),
    Work("doctor", "Copy", prepare: container),
    Work("files", "repair", "Copy", "--dry-run", prepare: container),
    Work("files", "adopt", "Copy", prepare: container),
    Work("files", "repair", "Copy", prepare: adopted),
  ]

  /// The paths of all files in a folder.
  private static func names(in folder: URL) throws -> Set<String> {
    Set(try FileManager.default.subpathsOfDirectory(atPath: folder.path))
  }

  @Test(arguments: works) func whatASignalLeavesTheNextRunRemoves(_ work: Work) throws {
    let all = ProcessInfo.processInfo.environment["HOLDFAST_CASES"].flatMap(Int.init) ?? 36
    let count = (all + Self.works.count - 1) / Self.works.count
    var random = SeededRandom(for: "\(#function) \(work.name)")

    let template = try TemporaryDirectory()
    try work.prepare(template.url)
    let before = try Self.names(in: template.url)
    let whole = try Round(work, template.url)
    try #require(try whole.run(nil).isComplete)
    let after = try Self.names(in: whole.folder)
    #expect(try Self.names(in: whole.temporary) == [])

    var (ended, left) = (0, 0)
    for _ in 0..<count {
      let round = try Round(work, template.url)
      let moment = whole.duration * Double.random(in: 0...1.05, using: &random)
      let signal = Self.signals.randomElement(using: &random) ?? SIGTERM
      let end = try round.run((signal, moment))
      let context = "signal \(signal) after \(moment): \(end)"
      if !end.isComplete {
        ended += 1
        #expect(end.status == 128 + signal || end.signal == signal, "\(context)")
      }
      // A signal may also meet the end of a run, which then removes its files at the same time.
      let isTemporaryEmpty = try Self.names(in: round.temporary).isEmpty
      let expected = end.isComplete ? [after] : [before, after]
      if isTemporaryEmpty, expected.contains(try Self.names(in: round.folder)) { continue }
      left += 1
      let next = try round.run(nil)
      #expect(next.isComplete, "the next run: \(next), \(context)")
      let stays = try Self.names(in: round.folder).symmetricDifference(after)
        .union(Self.names(in: round.temporary))
      #expect(stays.isEmpty, "\(stays), \(context)")
    }
    print(
      "\(work.name): of \(count) signals \(ended) ended it, after \(left) the next run removed files"
    )
  }

  // MARK: - One run

  private final class Round {
    struct End {
      var status: Int32?
      var signal: Int32?

      // Findings and a repair that leaves something are no failures.
      var isComplete: Bool { status.map { $0 < 64 } ?? false }
    }

    let folder: URL
    let temporary: URL
    private(set) var duration = Duration.zero

    private let work: Work
    private let directory: TemporaryDirectory

    init(_ work: Work, _ template: URL) throws {
      self.work = work
      directory = try TemporaryDirectory()
      (folder, temporary) = (directory.file("work"), directory.file("temporary"))
      try FileManager.default.copyItem(at: template, to: folder)
      try FileManager.default.createDirectory(at: temporary, withIntermediateDirectories: true)
    }

    /// Runs the tool, and sends it a signal unless it ends before its moment.
    func run(_ interruption: (signal: Int32, moment: Duration)?) throws -> End {
      let process = Process()
      process.executableURL = ToolProcess.executable
      process.arguments = work.words
      process.currentDirectoryURL = folder
      process.environment = ProcessInfo.processInfo.environment.merging(
        ["TMPDIR": temporary.path(percentEncoded: false)]) { $1 }
      process.standardInput = FileHandle.nullDevice
      process.standardOutput = FileHandle.nullDevice
      process.standardError = FileHandle.nullDevice
      let hasEnded = DispatchSemaphore(value: 0)
      process.terminationHandler = { _ in hasEnded.signal() }
      let clock = ContinuousClock()
      let start = clock.now
      try process.runObeyingSignals()
      if let (signal, moment) = interruption {
        let end = DispatchTime.now() + (moment / .seconds(1))
        if hasEnded.wait(timeout: end) == .timedOut { kill(process.processIdentifier, signal) }
      }
      process.waitUntilExit()
      duration = start.duration(to: clock.now)
      let isExit = process.terminationReason == .exit
      return End(
        status: isExit ? process.terminationStatus : nil,
        signal: isExit ? nil : process.terminationStatus)
    }
  }

  // MARK: - Inputs

  private static let feed: @Sendable (URL) throws -> Void = { folder in
    let place = try Workplace()
    let stops = (1...4000).map { "S\($0),Stop \($0),1,1\n" }.joined()
    try place.writeFeed("feed", ["stops.txt": "stop_id,stop_name,stop_lat,stop_lon\n" + stops])
    try copy(["feed", "harbour.db"], of: place.folder, to: folder)
    for words in [["feed", "old.db"], [Workplace.sample, "--into", "timetables"]] {
      let made = try ToolProcess.run(words: ["transit", "import"] + words, in: folder)
      try #require(made.status == 0, "\(made.errors)")
    }
  }

  private static let large: @Sendable (URL) throws -> Void = { folder in
    for (name, isLogged) in [("large.db", false), ("logged.db", true)] {
      let queue = try DatabaseQueue(path: folder.appending(path: name).path)
      if isLogged {
        try queue.writeWithoutTransaction { try $0.execute(sql: "PRAGMA journal_mode = WAL") }
      }
      try queue.write { db in
        try db.execute(
          sql: """
            CREATE TABLE t (a INTEGER PRIMARY KEY, b BLOB);
            WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 3000)
            INSERT INTO t SELECT i, randomblob(1000) FROM n;
            """)
      }
      try queue.close()
    }
  }

  private static let source: @Sendable (URL) throws -> Void = { folder in
    try FestivalPacks.write(to: folder)
    for number in 1...8 {
      try Data(repeating: UInt8(number), count: 1 << 20)
        .write(to: folder.appending(path: "source/sound\(number).caf"))
    }
  }

  private static let packs: @Sendable (URL) throws -> Void = { folder in
    try source(folder)
    for words in [
      ["build", "source", "first", "--name", "map", "--version", "0.9"],
      ["install", "first", "Festival.xcappdata"],
      ["build", "source", "pack", "--name", "map", "--version", "1"],
    ] {
      let made = try ToolProcess.run(words: ["pack"] + words, in: folder)
      try #require(made.status == 0, "\(made.errors)")
    }
    let python = """
      import os, zipfile
      with zipfile.ZipFile('pack.zip', 'w') as z:
          for root, _, files in os.walk('pack'):
              for file in files: z.write(os.path.join(root, file))
      """
    let made = try ToolProcess.run(
      URL(filePath: "/usr/bin/env"), ["python3", "-c", python], in: folder)
    try #require(made.status == 0, "\(made.errors)")
  }

  private static let container: @Sendable (URL) throws -> Void = { folder in
    let copy = try ContainerCopy()
    try copy.write("[" + String(repeating: " ", count: 4 << 20), to: "Documents/long.json")
    try copy.database("Library/Application Support/app.sqlite", isLogged: true) { db in
      try db.execute(sql: FilesTests.table)
      for number in 0..<500 {
        try db.execute(
          sql: "INSERT INTO local_audio_file_downloads VALUES (?, 1, ?, 1, 1)",
          arguments: ["\(number)", "\(ContainerCopy.device)/Documents/downloads/\(number).m4b"])
      }
    }
    for number in 0..<500 { try copy.write("\(number)", to: "Documents/downloads/\(number).m4b") }
    try Self.copy(["Copy"], of: copy.directory.url, to: folder)
  }

  private static let adopted: @Sendable (URL) throws -> Void = { folder in
    try container(folder)
    let made = try ToolProcess.run("files", "adopt", "Copy", in: folder)
    try #require(made.status == 0, "\(made.errors)")
  }

  private static func copy(_ names: [String], of source: URL, to folder: URL) throws {
    for name in names {
      try FileManager.default.copyItem(
        at: source.appending(path: name), to: folder.appending(path: name))
    }
  }
}
