import Foundation
import Holdfast
import HoldfastFiles
import HoldfastTestSupport
import Testing

@testable import HoldfastTool

/// Verbs that only read: they change no byte and leave no file behind.
@Suite struct ReadingLeavesNoTraceTests {
  let place: Workplace

  init() throws { place = try Workplace() }

  private var files: [String: Data] {
    get throws {
      var files: [String: Data] = [:]
      // Shared memory is not content: readers write their marks into it.
      for name in try place.directory.names where !name.hasSuffix("-shm") {
        files[name] = try Data(contentsOf: place.directory.file(name))
      }
      return files
    }
  }

  @Test(arguments: [
    ["transit", "search", "harbour.db", "circ"], ["transit", "stops", "harbour.db"],
    ["transit", "routes", "harbour.db"], ["db", "check", "harbour.db"],
    ["db", "locks", "harbour.db"],
    ["db", "query", "harbour.db", "SELECT * FROM stops"],
  ])
  func aTimetableIsNotModified(words: [String]) throws {
    let before = try files
    #expect(try ToolProcess.run(words: words, in: place.folder).status == 0)
    #expect(try files == before)
  }

  private func makeLog() throws -> DatabasePool {
    let path = place.directory.file("log.db").path(percentEncoded: false)
    let pool = try DatabasePool(path: path)
    try pool.write { db in
      try db.execute(sql: "CREATE TABLE t (n INTEGER); INSERT INTO t VALUES (1)")
    }
    return pool
  }

  @Test(arguments: [
    ["db", "check", "log.db"], ["db", "locks", "log.db"],
    ["db", "query", "log.db", "SELECT n FROM t"],
  ])
  func anIdleLogIsNotModified(words: [String]) throws {
    try makeLog().close()
    let names = try place.directory.names
    try #require(names == ["harbour.db", "log.db"])
    let before = try files
    #expect(try ToolProcess.run(words: words, in: place.folder).status == 0)
    #expect(try place.directory.names == names)
    #expect(try files == before)
  }

  /// SQLite takes an index without a log for one that it has made, and removes it.
  @Test(arguments: [
    ["db", "check", "log.db"], ["db", "dump", "log.db"], ["db", "history", "log.db"],
    ["db", "query", "log.db", "SELECT n FROM t"],
  ])
  func theIndexOfALogThatIsGoneStays(words: [String]) throws {
    try makeLog().close()
    let index = Data(repeating: 7, count: 32768)
    try index.write(to: place.directory.file("log.db-shm"))
    let names = try place.directory.names
    let before = try files
    _ = try ToolProcess.run(words: words, in: place.folder)
    #expect(try place.directory.names == names)
    #expect(try files == before)
    #expect(try Data(contentsOf: place.directory.file("log.db-shm")) == index)
  }

  #if os(Linux)
    @Test func anAppWritesWhileADatabaseWithAnOldIndexIsRead() async throws {
      try makeLog().close()
      let url = place.directory.file("log.db")
      let path = url.path(percentEncoded: false)
      try Data(repeating: 7, count: 32768).write(to: place.directory.file("log.db-shm"))
      let queue = try DatabaseQueue(readingFileAt: url)
      await #expect(processExitsWith: .exitCode(0)) { [path = path as String] in
        let pool = try DatabasePool(path: path)
        try await pool.write { db in try db.execute(sql: "INSERT INTO t VALUES (2), (3)") }
        try pool.close()
        _exit(0)
      }
      #expect(try await queue.read { db in try Int.fetchAll(db, sql: "SELECT n FROM t") } == [1])
      try queue.close()
      let read = try place.run("db", "query", "log.db", "SELECT n FROM t")
      #expect(read.output == "n\n1\n2\n3\n")
    }

    /// As on a volume that does not know the kind of lock.
    @Test func aDatabaseWithAnOldIndexIsReadWhereItCannotBeLocked() throws {
      try makeLog().close()
      let url = place.directory.file("log.db")
      let index = Data(repeating: 7, count: 32768)
      try index.write(to: place.directory.file("log.db-shm"))
      let (names, before) = (try place.directory.names, try files)
      let database = DatabaseFiles(main: try FilePath(of: url).resolved())
      let fault = SystemFault(atCall: 1, .refuse([.fcntl: .notSupported]))
      let queue = try SystemCalls.$fault.withValue(fault) {
        let isLocked = try LoglessReadLock(on: database) != nil
        #expect(!isLocked)
        return try DatabaseQueue(readingFileAt: url)
      }
      #expect(try queue.read { db in try Int.fetchAll(db, sql: "SELECT n FROM t") } == [1])
      try queue.close()
      #expect(try place.directory.names == names)
      #expect(try files == before)
      #expect(try Data(contentsOf: place.directory.file("log.db-shm")) == index)
    }

    /// What is in it would not be read.
    @Test func noLockIsTakenNextToALog() throws {
      try makeLog().close()
      let files = DatabaseFiles(main: try FilePath(of: place.directory.file("log.db")).resolved())
      try Data(count: 32768).write(to: place.directory.file("log.db-shm"))
      var isLocked = try LoglessReadLock(on: files) != nil
      #expect(isLocked)
      try Data().write(to: place.directory.file("log.db-wal"))
      isLocked = try LoglessReadLock(on: files) != nil
      #expect(!isLocked)
    }
  #endif

  /// SQLite looks for the log where a symbolic link leads.
  @Test(arguments: [
    ["db", "check", "log.db"], ["db", "query", "log.db", "SELECT n FROM t"],
    ["db", "check", "link.db"], ["db", "query", "link.db", "SELECT n FROM t"],
  ])
  func aLogInUseIsReadAndNotModified(words: [String]) throws {
    let pool = try makeLog()
    defer { try? pool.close() }
    if words.contains("link.db") {
      try FileManager.default.createSymbolicLink(
        at: place.directory.file("link.db"), withDestinationURL: place.directory.file("log.db"))
    }
    let names = try place.directory.names
    let before = try files
    // An open transaction in another process must not block.
    try pool.write { db in
      try db.execute(sql: "INSERT INTO t VALUES (2)")
      let read = try ToolProcess.run(words: words, in: place.folder)
      #expect(read.status == 0)
      if words.count == 4 { #expect(read.output == "n\n1\n") }
      #expect(try place.directory.names == names)
      #expect(try files["log.db"] == before["log.db"])
      try db.execute(sql: "DELETE FROM t WHERE n = 2")
    }
  }

  @Test func aLogLeftByATerminatedProcessIsReadAndKept() async throws {
    let path = place.directory.file("log.db").path(percentEncoded: false)
    await #expect(processExitsWith: .exitCode(9)) { [path = path as String] in
      let pool = try DatabasePool(path: path)
      try await pool.write { db in
        try db.execute(sql: "CREATE TABLE t (n INTEGER); INSERT INTO t VALUES (1)")
      }
      _exit(9)
    }
    let before = try files
    try #require(before["log.db-wal"]?.isEmpty == false)
    let read = try place.run("db", "query", "log.db", "SELECT n FROM t")
    #expect(read.output == "n\n1\n")
    #expect(try files == before)
  }

  private static let readingLogs = [
    ["db", "check", "log.db"], ["db", "query", "log.db", "SELECT n FROM t"],
  ]

  private func expectWriteProtected(_ words: [String], in folder: URL) throws {
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    let refused = try ToolProcess.run(words: words, in: folder)
    #expect(refused.status == 66)
    #expect(refused.output == "")
    #expect(
      refused.complaint == [
        "'log.db' has a write-ahead log, which cannot be read while the file or its folder is "
          + "write-protected.",
        "Make both writable, or copy the file and read the copy.",
      ])
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() == names)
  }

  @Test(
    .enabled(if: SmallVolume.isPossible, "mounting a small tmpfs needs Linux and root"),
    arguments: readingLogs)
  func aLogOnAReadOnlyVolumeIsRefused(words: [String]) throws {
    let volume = try SmallVolume(at: place.directory.file("volume"), kilobytes: 256)
    try makeLog().close()
    try FileManager.default.copyItem(
      at: place.directory.file("log.db"), to: volume.url.appending(path: "log.db"))
    try volume.becomeReadOnly()
    try expectWriteProtected(words, in: volume.url)
  }

  /// SQLite makes the files of the log where a symbolic link leads.
  @Test(
    .enabled(if: SmallVolume.isPossible, "mounting a small tmpfs needs Linux and root"),
    arguments: readingLogs)
  func theFolderOfALinkMayBeReadOnly(words: [String]) throws {
    let volume = try SmallVolume(at: place.directory.file("volume"), kilobytes: 256)
    try makeLog().close()
    let (database, copy) = (
      place.directory.file("log.db"), volume.url.appending(path: "copy/log.db")
    )
    let links = place.directory.file("links")
    for folder in [links, copy.deletingLastPathComponent()] {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    }
    try FileManager.default.copyItem(at: database, to: copy)
    for (link, target) in [(volume.url, database), (links, copy)] {
      try FileManager.default.createSymbolicLink(
        at: link.appending(path: "log.db"), withDestinationURL: target)
    }
    try volume.becomeReadOnly()
    #expect(try ToolProcess.run(words: words, in: volume.url).status == 0)
    #expect(try place.directory.names == ["harbour.db", "links", "log.db", "volume"])
    try expectWriteProtected(words, in: links)
    withExtendedLifetime(volume) {}
  }

  /// SQLite would create the two files of the log and could not remove them.
  @Test(
    .enabled(if: SmallVolume.isPossible, "mounting a file onto itself needs Linux and root"),
    arguments: readingLogs)
  func aWriteProtectedFileWithALogIsRefused(words: [String]) throws {
    try makeLog().close()
    let path = place.directory.file("log.db").path
    let mounted = try ToolProcess.shell(
      "mount --bind '\(path)' '\(path)' && mount -o remount,ro,bind '\(path)'")
    defer { _ = try? ToolProcess.shell("umount '\(path)'") }
    try #require(mounted.status == 0, "\(mounted.errors)")
    try expectWriteProtected(words, in: place.folder)
  }

  @Test(
    .enabled(if: SmallVolume.isPossible, "mounting a small tmpfs needs Linux and root"),
    arguments: readingLogs)
  func aLeftoverLogOnAReadOnlyVolumeIsRefused(words: [String]) throws {
    let volume = try SmallVolume(at: place.directory.file("volume"), kilobytes: 512)
    let pool = try makeLog()
    defer { try? pool.close() }
    for name in ["log.db", "log.db-wal"] {
      try FileManager.default.copyItem(
        at: place.directory.file(name), to: volume.url.appending(path: name))
    }
    try volume.becomeReadOnly()
    let refused = try ToolProcess.run(words: words, in: volume.url)
    #expect(refused.status == 66, "\(refused)")
    #expect(refused.complaint.count == 2)
    #expect(refused.complaint.first?.hasPrefix("'log.db' cannot be ") == true)
  }

  @Test func anExclusiveLockIsReportedAsBusy() throws {
    let queue = try DatabaseQueue(
      path: place.directory.file("locked.db").path(percentEncoded: false))
    defer { try? queue.close() }
    try queue.writeWithoutTransaction { db in
      try db.execute(sql: "CREATE TABLE t (n INTEGER); BEGIN EXCLUSIVE")
      let refused = try place.run("db", "query", "locked.db", "SELECT n FROM t", "--json")
      #expect(refused.status == 69)
      #expect(refused.errors.contains(#""error":"unavailable""#))
      #expect(refused.errors.contains("'locked.db' is locked by another process"))
      #if os(Linux)
        let own = ProcessInfo.processInfo.processIdentifier
        #expect(refused.errors.contains("(\(own)) holds EXCLUSIVE."))
      #endif
      try db.execute(sql: "COMMIT")
    }
  }
}
