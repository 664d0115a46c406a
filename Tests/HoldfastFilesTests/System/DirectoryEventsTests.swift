import Foundation
import HoldfastTestSupport
import Testing

@testable import HoldfastFiles

@Suite(.timeLimit(.minutes(3))) struct DirectoryEventsTests {
  let folder: TemporaryDirectory
  let events: DirectoryEvents

  init() throws {
    folder = try TemporaryDirectory()
    events = try DirectoryEvents()
  }

  private func begin() throws {
    try events.begin(at: folder.url.path, log: folder.file("a.db-wal").path)
  }

  /// Returns the names from all pending events.
  private func names() -> Set<String> {
    var names: Set<String> = []
    while case .files(let some, _) = events.wait(.zero, for: .everything) {
      names.formUnion(some)
    }
    return names
  }

  @Test func createdChangedMovedAndRemovedFilesAreReportedByName() throws {
    try begin()
    #expect(names() == [])
    try Data("x".utf8).write(to: folder.file("made"))
    #expect(names() == ["made"])
    let file = try FileHandle(forWritingTo: folder.file("made"))
    try file.write(contentsOf: Data("y".utf8))
    #expect(names() == ["made"])
    try SystemCalls.touch(folder.file("made").path)
    #expect(events.wait(.zero, for: .everything) == .files([], touched: ["made"]))
    try SystemCalls.move(folder.file("made").path, to: folder.file("moved").path)
    #expect(names() == ["made", "moved"])
    try SystemCalls.remove(folder.file("moved").path)
    #expect(names() == ["moved"])
  }

  @Test func readingIsNotAnEvent() throws {
    try Data("x".utf8).write(to: folder.file("a"))
    try begin()
    _ = try Data(contentsOf: folder.file("a"))
    #expect(names() == [])
  }

  @Test func unreadEventsAreKeptForLater() throws {
    try begin()
    try Data("x".utf8).write(to: folder.file("a"))
    #expect(events.wait(.milliseconds(1), for: .later) == .quiet)
    #expect(names() == ["a"])
  }

  @Test(.enabled(if: OpenFiles.areKnown, "needs Linux's /proc"))
  func nothingIsReportedWhileEventsAreIgnored() async throws {
    let inner = folder.url.appending(path: "inner")
    try SystemCalls.makeDirectory(inner.path)
    try Data("x".utf8).write(to: inner.appending(path: "a"))
    try events.begin(at: inner.path, log: inner.path + "/a-wal")
    let file = try FileHandle(forWritingTo: inner.appending(path: "a"))
    // Those of before are reported.
    try file.write(contentsOf: Data("x".utf8))
    for isRemoved in [false, true] {
      let waiting = OwnThread { [events] in events.wait(.seconds(50), for: .nothing) }
      await until { !OpenFiles.isWatched(inner) }
      try file.write(contentsOf: Data("y".utf8))
      try Data().write(to: inner.appending(path: "b"))
      if isRemoved { try FileManager.default.removeItem(at: inner) }
      events.wake()
      #expect(try await waiting.value == (isRemoved ? .lost : .woken))
      if isRemoved { break }
      #expect(names() == ["a"])
      try file.write(contentsOf: Data("z".utf8))
      #expect(names() == ["a"])
    }
    #expect(!events.isWatching)
  }

  @Test(.enabled(if: OpenFiles.areKnown, "needs Linux's /proc"))
  func theDirectoryThatWasPutInPlaceOfAnIgnoredOneIsWatched() async throws {
    let inner = folder.url.appending(path: "inner")
    try SystemCalls.makeDirectory(inner.path)
    try events.begin(at: inner.path, log: inner.path + "/a-wal")
    let waiting = OwnThread { [events] in events.wait(.seconds(50), for: .nothing) }
    await until { !OpenFiles.isWatched(inner) }
    try SystemCalls.move(inner.path, to: inner.path + "2")
    try SystemCalls.makeDirectory(inner.path)
    events.wake()
    #expect(try await waiting.value == .woken)
    try Data().write(to: folder.file("inner2/a"))
    try Data().write(to: inner.appending(path: "b"))
    #expect(names() == ["b"])
  }

  /// The system queues a limited number of events and merges equal consecutive ones.
  @Test(.enabled(if: eventLimit != nil, "the system keeps more events than a test should make"))
  func anOverflowReportsThatAnythingMayHaveChanged() throws {
    let files = try ["a", "b"].map { name in
      try Data().write(to: folder.file(name))
      return try FileHandle(forWritingTo: folder.file(name))
    }
    try begin()
    for _ in 0...(Self.eventLimit ?? 0) / 2 {
      for file in files { try file.write(contentsOf: Data("x".utf8)) }
    }
    #expect(events.wait(.zero, for: .everything) == .anything)
    #expect(events.wait(.zero, for: .everything) == .quiet)
    // Events are delivered afterwards.
    try files[0].write(contentsOf: Data("y".utf8))
    #expect(names() == ["a"])
  }

  private static let eventLimit: Int? = {
    let file = "/proc/sys/fs/inotify/max_queued_events"
    let text = (try? String(contentsOfFile: file, encoding: .utf8))?.trimmingCharacters(
      in: .whitespacesAndNewlines)
    return text.flatMap(Int.init).flatMap { $0 <= 100_000 ? $0 : nil }
  }()

  @Test func aWaitCanBeEndedFromAnotherThread() async throws {
    try begin()
    let waiting = OwnThread { [events] in events.wait(.seconds(50), for: .everything) }
    events.wake()
    #expect(try await waiting.value == .woken)
    #expect(events.wait(.zero, for: .everything) == .quiet)
  }

  @Test func aWaitWithoutAWatchCanBeEndedToo() throws {
    events.wake()
    #expect(!events.isWatching)
    #expect(events.wait(.seconds(50), for: .everything) == .woken)
  }

  @Test func theWatchIsLostWhenTheDirectoryIsRemovedOrMoved() throws {
    for isMoved in [true, false] {
      let inner = folder.url.appending(path: "inner").path
      try SystemCalls.makeDirectory(inner)
      try events.begin(at: inner, log: inner + "/a-wal")
      if isMoved {
        try SystemCalls.move(inner, to: inner + "2")
      } else {
        try FileManager.default.removeItem(atPath: inner)
      }
      #expect(events.wait(.seconds(50), for: .everything) == .lost)
      #expect(!events.isWatching)
    }
  }

  @Test func anythingButADirectoryIsRefused() throws {
    try Data().write(to: folder.file("a"))
    let file = folder.file("a").path
    #expect(throws: Errno.notDirectory) { try events.begin(at: file, log: file) }
    #expect(throws: Errno.notFound) { try events.begin(at: file + "x", log: file) }
    #expect(throws: Errno.invalidArgument) { try events.begin(at: "/tmp\0x", log: file) }
  }

  @Test func namesOfAnyBytesAndLengthAreRead() throws {
    try begin()
    let long = String(repeating: "ä", count: 127)
    for name in ["x", "a b", long] { try Data().write(to: folder.file(name)) }
    #expect(names() == ["x", "a b", long])
  }

  @Test func noDescriptorLeaks() async {
    // In a child process, where no other test opens a descriptor.
    await #expect(processExitsWith: .success) {
      let folder = try TemporaryDirectory()
      let before = try OpenFiles.beginning(with: "anon_inode:inotify").count
      do {
        let events = try DirectoryEvents()
        for _ in 1...10 { try events.begin(at: folder.url.path, log: "") }
        #expect(try OpenFiles.beginning(with: "anon_inode:inotify").count == before + 1)
      }
      #expect(try OpenFiles.beginning(with: "anon_inode:inotify").count == before)
    }
  }
}
