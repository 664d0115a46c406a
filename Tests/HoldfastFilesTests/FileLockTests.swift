import Foundation
import HoldfastFiles
import HoldfastTestSupport
import Testing

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

@Suite struct FileLockTests {
  let directory: TemporaryDirectory
  let book: URL

  init() throws {
    directory = try TemporaryDirectory()
    book = directory.file("book.db")
  }

  @Test func aSecondHolderIsRefusedUntilTheFirstReleases() throws {
    let url = directory.file(".lock")
    let first = try FileLock(at: url)
    let error = #expect(throws: FileError.self) { _ = try FileLock(at: url) }
    #expect(error?.code == .busy)
    #expect(error?.message == "'.lock' is held by another process or thread.")
    first.release()
    #expect(try directory.names == [])
    let second = try FileLock(at: url)
    #expect(try directory.names == [".lock"])
    second.release()
    #expect(try directory.names == [])
  }

  @Test func waitingEndsAtTheLimit() throws {
    let first = try FileLock(at: directory.file(".lock"))
    let start = ContinuousClock.now
    let error = #expect(throws: FileError.self) {
      _ = try FileLock(at: directory.file(".lock"), waitingUpTo: .milliseconds(50))
    }
    #expect(ContinuousClock.now - start >= .milliseconds(50))
    #expect(error?.code == .busy)
    #expect(error?.message.contains("for more than 0.05 seconds") == true)
    first.release()
  }

  @Test func aSecondProcessCannotReplaceTheSameFile() async throws {
    let lock = try FileLock(at: directory.file(".book.db.lock"))
    await #expect(processExitsWith: .success) { [book = book as URL] in
      let error = #expect(throws: FileError.self) {
        try AtomicReplace(at: book).write { _ in Issue.record("two replace one file") }
      }
      #expect(error?.code == .busy)
      #expect(error?.message == "'book.db' is held by another process or thread.")
    }
    // Whoever waited in vain removed nothing of the holder's.
    #expect(try directory.names == [".book.db.lock"])
    lock.release()
    try AtomicReplace(at: book).write { try Data("new".utf8).write(to: $0) }
    #expect(try directory.names == ["book.db"])
  }

  @Test func aDeadProcessHoldsNothing() async throws {
    await #expect(processExitsWith: .signal(SIGKILL)) {
      [url = directory.file(".lock") as URL] in
      let lock = try FileLock(at: url)
      kill(getpid(), SIGKILL)
      lock.release()
    }
    #expect(try directory.names == [".lock"])
    try FileLock(at: directory.file(".lock")).release()
    #expect(try directory.names == [])
  }

  /// Each replacement makes its staging file exclusively, so an overlap of two would be an error.
  @Test func manyProcessesReplaceOneFileOneAfterTheOther() async throws {
    await withTaskGroup { group in
      for name in ["a", "b", "c"] {
        group.addTask { [book] in
          await #expect(processExitsWith: .success) { [book = book as URL, name = name as String] in
            for round in 0..<40 {
              try AtomicReplace(at: book, waitingUpTo: .seconds(60)).write { staging in
                let line = "\(name)\(round);"
                let content = Data(String(repeating: line, count: 5000).utf8)
                try content.write(to: staging, options: .withoutOverwriting)
              }
              let found = String(decoding: try Data(contentsOf: book), as: UTF8.self)
              let lines = found.split(separator: ";")
              #expect(lines.count == 5000)
              #expect(Set(lines).count == 1)
            }
          }
        }
      }
    }
    #expect(try directory.names == ["book.db"])
  }
}
