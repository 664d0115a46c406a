import Foundation
import HoldfastFiles
import HoldfastTestSupport
import Testing

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// A replacement in which any single system call fails or is the last one of the process.
@Suite struct AtomicReplaceFaultTests {
  let directory: TemporaryDirectory
  let book: URL
  let source: URL

  private static let old = Data("old".utf8)
  private static let new = Data(repeating: 7, count: 600_000)

  init() throws {
    directory = try TemporaryDirectory()
    source = directory.file("source")
    book = directory.file("container/book.db")
    try Self.new.write(to: source)
    try reset()
  }

  /// Resets the folder to the old file alone.
  private func reset() throws {
    let container = book.deletingLastPathComponent()
    try? FileManager.default.removeItem(at: container)
    try FileManager.default.createDirectory(at: container, withIntermediateDirectories: true)
    try Self.old.write(to: book)
  }

  private var names: [String] {
    get throws {
      try FileManager.default.contentsOfDirectory(
        atPath: book.deletingLastPathComponent().path
      ).sorted()
    }
  }

  /// The replacement that every round attempts: a copy in three pieces, with attributes.
  private func replace(waitingUpTo limit: Duration = .zero) throws {
    try AtomicReplace(
      at: book, waitingUpTo: limit, attributes: FileAttributes(isExcludedFromBackup: true)
    ).copy(from: source)
  }

  private func numberOfCalls() throws -> Int {
    let trace = SystemFault(atCall: .max, .fail(.inputOutput))
    try SystemCalls.$fault.withValue(trace) { try replace() }
    try reset()
    return trace.callsSeen.count
  }

  /// Expects that the next run succeeds and leaves only the new file.
  private func expectNextRunCleansUp(_ comment: Comment) throws {
    // If the fault prevented the lock's release, a child that another test just forked holds a copy
    // of its descriptor until it executes its own program.
    try replace(waitingUpTo: .seconds(60))
    #expect(try Data(contentsOf: book) == Self.new, comment)
    #expect(try names == ["book.db"], comment)
  }

  @Test(arguments: [EIO, ENOSPC, EACCES, EROFS, EDQUOT])
  func anyFailureKeepsTheOldFileAndLeavesNoOther(_ errno: Int32) throws {
    let count = try numberOfCalls()
    #expect(count > 30)
    for ordinal in 1...count {
      let fault = SystemFault(atCall: ordinal, .fail(Errno(errno)))
      let failure = SystemCalls.$fault.withValue(fault) { () -> FileError? in
        do { try replace() } catch { return error as? FileError }
        return nil
      }
      #expect(fault.hasStruck)
      let struck = fault.callsSeen[ordinal - 1]
      let comment: Comment = "\(struck), call \(ordinal) of \(count): \(failure?.message ?? "done")"
      let isNew = failure == nil || failure?.code == .notDurable
      #expect(try Data(contentsOf: book) == (isNew ? Self.new : Self.old), comment)
      if let failure {
        #expect(failure.errno == errno, comment)
        #expect(failure.message.contains("'"), comment)
      } else {
        // Only a reader's close, and the three calls that release the lock, may fail silently.
        #expect(struck == .close || ordinal > count - 3, comment)
      }
      // Only the lock's own calls may leave its empty file, which this process must not remove.
      let strays = try names.filter { $0 != "book.db" }
      #expect(strays.isEmpty || strays == [".book.db.lock"], comment)
      if !strays.isEmpty { #expect([.flock, .fstat, .stat, .unlink].contains(struck), comment) }
      try expectNextRunCleansUp(comment)
      try reset()
    }
  }

  @Test func theNextRunCleansUpAfterPersistentFailures() throws {
    for ordinal in 1...(try numberOfCalls()) {
      let fault = SystemFault(atCall: ordinal, .failFromHere(.inputOutput))
      let isDone = SystemCalls.$fault.withValue(fault) { (try? replace()) != nil }
      let found = try Data(contentsOf: book)
      #expect(found == Self.old || found == Self.new)
      if isDone { #expect(found == Self.new) }
      try expectNextRunCleansUp("from call \(ordinal) on")
      try reset()
    }
  }

  @Test func anInterruptedCallIsRetried() throws {
    for ordinal in 1...(try numberOfCalls()) {
      let fault = SystemFault(atCall: ordinal, .fail(.interrupted))
      try SystemCalls.$fault.withValue(fault) { try replace() }
      #expect(try Data(contentsOf: book) == Self.new)
      #expect(try names == ["book.db"])
      try reset()
    }
  }

  @Test func aCrashAtAnyCallLeavesTheOldFileOrTheNewOne() async throws {
    let count = try numberOfCalls()
    var outcomes = Set<Data>()
    for ordinal in 1...count {
      await #expect(processExitsWith: .exitCode(77)) {
        [ordinal = ordinal as Int, book = book as URL, source = source as URL] in
        let fault = SystemFault(atCall: ordinal, .exit(status: 77))
        try SystemCalls.$fault.withValue(fault) {
          _ = try AtomicReplace(at: book, attributes: FileAttributes(isExcludedFromBackup: true))
            .copy(from: source)
        }
      }
      let found = try Data(contentsOf: book)
      #expect(found == Self.old || found == Self.new, "crash at call \(ordinal) of \(count)")
      outcomes.insert(found)
      // The new file is never visible without its attributes.
      #expect(try FileAttributes(of: book).isExcludedFromBackup == (found == Self.new))
      try expectNextRunCleansUp("after a crash at call \(ordinal) of \(count)")
      try reset()
    }
    #expect(outcomes == [Self.old, Self.new], "crashes before and after the switch were met")
  }

  @Test func aProcessKilledWhileWritingLeavesTheOldFile() async throws {
    await #expect(processExitsWith: .signal(SIGKILL)) { [book = book as URL] in
      try AtomicReplace(at: book).write { staging in
        for suffix in ["", "-wal", "-shm", "-journal"] {
          try Data("half".utf8).write(to: URL(filePath: staging.path + suffix))
        }
        kill(getpid(), SIGKILL)
      }
    }
    #expect(try Data(contentsOf: book) == Self.old)
    #expect(
      try names == [
        ".book.db.lock", ".book.db.staging", ".book.db.staging-journal", ".book.db.staging-shm",
        ".book.db.staging-wal", "book.db",
      ])
    try expectNextRunCleansUp("after SIGKILL")
  }
}
