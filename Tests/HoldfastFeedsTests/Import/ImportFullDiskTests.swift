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
    try FeedImporter(feed: FeedFixture().writeFolder(in: feeds), output: older).run()
    let old = try Data(contentsOf: older)
    let newer = try FeedImporter(
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
        try FeedImporter(feed: FeedFixture.portMerrow, output: output).run()
        Issue.record("\(size) kilobytes were enough")
      } catch ResultCode.SQLITE_FULL {
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
    try FeedImporter(feed: FeedFixture.portMerrow, output: output).run()
    try ImportedDatabase(url: output).expectSound("on a volume with room")
  }
}
