import Foundation
import Holdfast
import HoldfastFiles
import HoldfastTestSupport
import Synchronization
import Testing

@testable import HoldfastTool

@Suite struct InterruptionTests {
  @Test(arguments: [SIGINT, SIGTERM, SIGHUP, SIGQUIT])
  func theProcessEndsBetweenTwoLines(number: Int32) async throws {
    let file = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try Data().write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }

    let code: ExitTest.Condition = .exitCode(128 + number)
    await #expect(processExitsWith: code) {
      [path = file.path as String, number = number as Int32] in
      // The parent of the test run may have ignored it.
      signal(number, SIG_DFL)
      let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
      let console = Console(
        output: Console.Channel(file: handle, columns: nil),
        errors: Console.Channel(file: handle, columns: nil))
      let interruption = Interruption(console)
      let line = String(repeating: "0123456789", count: 20)
      for round in 0..<2_000_000 {
        if round == 1000 { kill(getpid(), number) }
        try console.print(line)
      }
      withExtendedLifetime(interruption) { exit(1) }
    }
    let written = try Data(contentsOf: file)
    #expect(!written.isEmpty)
    #expect(written.count.isMultiple(of: 201))
    #expect(written.last == UInt8(ascii: "\n"))
  }

  @Test func workThatIsInterruptedIsUndoneBeforeTheProcessEnds() async throws {
    let file = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    await #expect(processExitsWith: .exitCode(130)) { [path = file.path as String] in
      let console = Console.standard()
      try? console.undoing {
        try Data().write(to: URL(filePath: path))
        try console.checkInterruption()
        console.interrupt(130)
        // The process still runs, because the work does.
        let error = #expect(throws: CancellationError.self) { try console.checkInterruption() }
        try FileManager.default.removeItem(atPath: path)
        if error == nil { exit(1) }
      }
      exit(2)
    }
    #expect(!FileManager.default.fileExists(atPath: file.path))
  }

  /// SQLite forgets an interruption between two statements of a step.
  @Test(.timeLimit(.minutes(1))) func anInterruptionIsRepeatedUntilAStepEnds() async {
    await #expect(processExitsWith: .exitCode(130)) {
      let console = Console.standard()
      let isStopped = DispatchSemaphore(value: 0)
      try console.undoing {
        try console.stoppable(by: { isStopped.signal() }) {
          DispatchQueue.global().async { console.interrupt(130) }
          for _ in 0..<3 { isStopped.wait() }
        }
      }
      exit(2)
    }
  }

  @Test(.timeLimit(.minutes(1))) func aDatabaseIsClosedBetweenTwoStatementsOfAnAccess() throws {
    let queue = try DatabaseQueue()
    let hasBegun = DispatchSemaphore(value: 0)
    let error = Mutex<(any Error)?>(nil)
    let hasEnded = DispatchSemaphore(value: 0)
    DispatchQueue.global().async {
      do {
        try queue.read { db in
          _ = try Int.fetchOne(db, sql: "SELECT 1")
          hasBegun.signal()
          // The first interruption meets no statement.
          let end = ContinuousClock.now + .milliseconds(100)
          while ContinuousClock.now < end {}
          _ = try Int.fetchOne(
            db,
            sql: "WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT max(i) FROM n")
        }
      } catch let thrown {
        error.withLock { $0 = thrown }
      }
      hasEnded.signal()
    }
    hasBegun.wait()
    queue.closeSoon()
    hasEnded.wait()
    #expect(error.withLock { ($0 as? DatabaseError)?.resultCode } == .SQLITE_INTERRUPT)
  }

  /// A verb whose files are removed by an interruption, so that it fails.
  private struct Reader: Verb {
    let declaration = Declaration("read", "Reads a file.")

    func run(_ arguments: ParsedArguments, output: Output) async throws -> ExitCode {
      removeFiles(output.console)
      throw CocoaError(.fileReadNoSuchFile)
    }

    private func removeFiles(_ console: Console) {
      let isRemoved = DispatchSemaphore(value: 0)
      console.atEnd {
        isRemoved.signal()
        // The verb reports nothing meanwhile; there is no sign of that to wait for.
        _ = DispatchSemaphore(value: 0).wait(timeout: .now() + .milliseconds(200))
      }
      DispatchQueue.global().async { console.interrupt(130) }
      isRemoved.wait()
    }
  }

  @Test(.timeLimit(.minutes(1))) func noVerbReportsThatItsFilesAreRemoved() async throws {
    let file = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try Data().write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    await #expect(processExitsWith: .exitCode(130)) { [path = file.path as String] in
      let handle = try FileHandle(forWritingTo: URL(filePath: path))
      let console = Console(
        output: Console.Channel(file: handle, columns: nil),
        errors: Console.Channel(file: handle, columns: nil))
      let tree = CommandTree(name: "tool", abstract: "A tool.", nouns: [], verbs: [Reader()])
      exit(await tree.run(["read"], console: console).rawValue)
    }
    #expect(try Data(contentsOf: file).isEmpty)
  }

  @Test func noWorkBeginsOnceTheProcessIsAboutToEnd() async {
    await #expect(processExitsWith: .exitCode(130)) {
      let console = Console.standard()
      console.undoing {
        console.interrupt(130)
        console.undoing { exit(1) }
      }
    }
  }

  @Test func anIgnoredSignalStaysIgnored() async {
    await #expect(processExitsWith: .success) {
      signal(SIGINT, SIG_IGN)
      let interruption = Interruption(.standard())
      kill(getpid(), SIGINT)
      withExtendedLifetime(interruption) { exit(0) }
    }
  }

  @Test func noFileReusesTheDescriptorOfAClosedStream() async {
    await #expect(processExitsWith: .success) {
      close(1)
      Terminal.occupyClosedStandardDescriptors()
      let file = try #require(FileHandle(forReadingAtPath: "/dev/null"))
      exit(file.fileDescriptor == 1 ? 1 : 0)
    }
  }
}
