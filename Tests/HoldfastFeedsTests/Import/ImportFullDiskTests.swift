import Foundation
import Holdfast
import HoldfastFeeds
import HoldfastFiles
import HoldfastTestSupport
import Testing

/// Imports on a real volume that becomes full.
@Suite(.enabled(if: SmallVolume.isPossible, "mounting a small tmpfs needs Linux and root"))
struct ImportFullDiskTests {
  @Test func aFullDiskKeepsTheOldDatabaseAndLeavesNoFile() throws {
    let directory = try TemporaryDirectory()
    let feeds = try Folder()
    let older = directory.file("older.db")
    try FeedImporter.replacing(feed: FeedFixture().writeFolder(in: feeds), output: older).run()
    let old = try Data(contentsOf: older)
    let newer = try FeedImporter.replacing(
      feed: FeedFixture.portMerrow, output: directory.file("newer.db")
    ).run()
    // From no space for the first page to space for all but the last.
    let kilobytes = { (bytes: Int) in (bytes + 4095) / 4096 * 4 }
    let sizes = stride(
      from: kilobytes(old.count), to: kilobytes(old.count) + kilobytes(Int(newer.bytes)), by: 12)
    #expect(Array(sizes).count > 5)
    for size in sizes {
      let volume = try SmallVolume(at: directory.file("volume-\(size)"), kilobytes: size)
      let output = volume.url.appending(path: "harbour.db")
      try old.write(to: output)
      do {
        try FeedImporter.replacing(feed: FeedFixture.portMerrow, output: output).run()
        Issue.record("\(size) kilobytes were enough")
      } catch let error as DatabaseError {
        #expect(error.resultCode == .SQLITE_FULL && error.path == output.path)
      } catch let error as FileError {
        #expect(error.code == .noSpace && error.advice != nil, "\(size) kilobytes")
      }
      #expect(try Data(contentsOf: output) == old, "\(size) kilobytes")
      #expect(
        try FileManager.default.contentsOfDirectory(atPath: volume.url.path) == ["harbour.db"])
    }
    let volume = try SmallVolume(at: directory.file("volume"), kilobytes: 1024)
    let output = volume.url.appending(path: "harbour.db")
    try old.write(to: output)
    try FeedImporter.replacing(feed: FeedFixture.portMerrow, output: output).run()
    try ImportedDatabase(url: output).expectSound("on a volume with room")
  }

  /// Removing the files of an import needs no space.
  @Test func anInterruptedImportIsUndoneOnAFullDisk() throws {
    let directory = try TemporaryDirectory()
    let feeds = try Folder()
    let volume = try SmallVolume(at: directory.file("volume"), kilobytes: 1024)
    let output = volume.url.appending(path: "harbour.db")
    try FeedImporter.replacing(feed: FeedFixture().writeFolder(in: feeds), output: output).run()
    let old = try Data(contentsOf: output)
    // While the feed is read, once its rows are inserted, and when all is written.
    for limit in [0, 0.8, 0.9] {
      var isFull = false
      #expect(throws: CancellationError.self) {
        try FeedImporter.replacing(feed: FeedFixture.portMerrow, output: output).run { fraction in
          guard fraction > limit else { return }
          let rest = volume.url.appending(path: "rest")
          do {
            try Data(repeating: 7, count: 2_000_000).write(to: rest)
          } catch CocoaError.fileWriteOutOfSpace {
            isFull = true
          }
          throw CancellationError()
        }
      }
      #expect(isFull)
      #expect(
        try FileManager.default.contentsOfDirectory(atPath: volume.url.path).sorted()
          == ["harbour.db", "rest"])
      #expect(try Data(contentsOf: output) == old)
      try FileManager.default.removeItem(at: volume.url.appending(path: "rest"))
    }
  }

  @Test func `A new export for which the disk has no room is not written`() throws {
    let (directory, feeds) = (try TemporaryDirectory(), try Folder())
    let database = directory.file("harbour.db")
    try FeedImporter(feed: FeedFixture().writeFolder(in: feeds), output: database).run()
    let volume = try SmallVolume(at: directory.file("volume"), kilobytes: 4)
    for name in ["feed", "feed.zip"] {
      let error = #expect(throws: FileError.self) {
        try FeedExporter(database: database, output: volume.url.appending(path: name)).run()
      }
      #expect(error?.message == "'\(name)' was not written: no space is left on the volume.")
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: volume.url.path).isEmpty)
  }

  /// In a process of its own, because the log's handler is the process's.
  @Test func aFullDiskIsLogged() async throws {
    await #expect(processExitsWith: .success) {
      let directory = try TemporaryDirectory()
      let feeds = try Folder()
      let volume = try SmallVolume(at: directory.file("volume"), kilobytes: 16)
      let events = Journal<LogEvent>()
      Log.setHandler { events.append($0) }
      #expect(throws: (any Error).self) {
        try FeedImporter.replacing(
          feed: FeedFixture().writeFolder(in: feeds), output: volume.url.appending(path: "full.db")
        ).run()
      }
      let event = events.entries.last
      #expect(event?.category == "import" && event?.level == .error)
      #expect(event?.message.hasPrefix("Could not import 'feed' into 'full.db': ") == true)
      #expect(event?.message.contains("/") == false)
    }
  }
}
