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

  /// Releasing removes the lock's file, which must not be a user's file.
  @Test func aFileWithContentIsNotALockAndIsKept() throws {
    let diary = directory.file("diary.txt")
    try Data("dear".utf8).write(to: diary)
    let error = #expect(throws: FileError.self) { try FileLock(at: diary).release() }
    #expect(error?.code == .notRegularFile)
    #expect(
      error?.message
        == "'diary.txt' was not locked: a lock's file is plain and empty, and this one is not.")
    #expect(try Data(contentsOf: diary) == Data("dear".utf8))
  }

  @Test(arguments: ["full", "empty", "missing"])
  func aSymbolicLinkIsNotALockAndIsKept(_ name: String) throws {
    try Data("dear".utf8).write(to: directory.file("full"))
    try Data().write(to: directory.file("empty"))
    let link = directory.file(".lock")
    try FileManager.default.createSymbolicLink(
      at: link, withDestinationURL: directory.file(name))
    let error = #expect(throws: FileError.self) { try FileLock(at: link).release() }
    #expect(error?.code == .notRegularFile)
    #expect(try directory.names == [".lock", "empty", "full"])
  }

  @Test func aPipeIsNotALockAndIsKept() throws {
    let pipe = directory.file("pipe")
    let made = unsafe mkfifo(pipe.path, 0o600)
    try #require(made == 0)
    let error = #expect(throws: FileError.self) { try FileLock(at: pipe).release() }
    #expect(error?.code == .notRegularFile)
    #expect(try directory.names == ["pipe"])
  }

  /// The holder may remove the file between our opening and our locking it.
  @Test func aLockOnARemovedFileIsNotAcquired() throws {
    let url = directory.file(".lock")
    let fault = SystemFault(atCall: 2, .overtake { try? FileManager.default.removeItem(at: url) })
    try SystemCalls.$fault.withValue(fault) {
      let lock = try FileLock(at: url)
      #expect(fault.callsSeen.filter { $0 == .flock }.count == 2, "locked once more")
      #expect(try directory.names == [".lock"])
      #expect(throws: FileError.self) { _ = try FileLock(at: url) }
      lock.release()
    }
  }

  /// A child between fork and exec has copies of all descriptors, so closing ours does not unlock.
  @Test func releasingUnlocksBeforeClosing() throws {
    let trace = SystemFault(atCall: .max, .fail(.inputOutput))
    try SystemCalls.$fault.withValue(trace) {
      let lock = try FileLock(at: directory.file(".lock"))
      lock.release()
    }
    #expect(trace.callsSeen.suffix(3) == [.unlink, .flock, .close])
  }

  #if os(Linux)
    @Test func aChildProcessDoesNotInheritTheLock() throws {
      let url = directory.file(".lock")
      let lock = try FileLock(at: url)
      let descriptors = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")
      let ours = try #require(
        descriptors.first { descriptor in
          let link = "/proc/self/fd/" + descriptor
          return (try? FileManager.default.destinationOfSymbolicLink(atPath: link)) == url.path
        })
      let status = try String(contentsOfFile: "/proc/self/fdinfo/" + ours, encoding: .utf8)
      let flags = try #require(status.split(separator: "\n").first { $0.hasPrefix("flags:") })
      let number = try #require(Int32(flags.dropFirst(6).drop { $0 == "\t" }, radix: 8))
      #expect(number & O_CLOEXEC != 0)
      lock.release()
    }
  #endif

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
    // The failed waiter removed nothing of the holder's.
    #expect(try directory.names == [".book.db.lock"])
    lock.release()
    try AtomicReplace(at: book).write { try Data("new".utf8).write(to: $0) }
    #expect(try directory.names == ["book.db"])
  }

  @Test func aTerminatedProcessHoldsNoLock() async throws {
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

  /// Each replacement creates its staging file exclusively, so two overlapping ones would fail.
  @Test func manyProcessesReplaceOneFileInTurn() async throws {
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
