import Foundation
import Holdfast
import HoldfastFeeds
import HoldfastFiles
import HoldfastTestSupport
import Testing

/// Law 2: a file that a process may have open is not replaced.
@Suite struct ReplacedOutputTests {
  private let feeds: Folder
  private let directory: TemporaryDirectory
  private let output: URL
  private let feed: URL
  private let newer: URL
  private let old: Data

  init() throws {
    feeds = try Folder()
    directory = try TemporaryDirectory()
    output = directory.file("harbour.db")
    feed = try FeedFixture().writeFolder(in: feeds)
    var fixture = FeedFixture()
    fixture["stops.txt"] += "R,Rock,-33.9,151.3,,\n"
    newer = try fixture.writeFolder(in: feeds, under: "newer")
    try FeedImporter(feed: feed, output: output).run()
    old = try Data(contentsOf: output)
  }

  private func expectRefusal(
    _ code: FeedError.Code, _ words: [String],
    progress: @escaping (Double) throws -> Void = { _ in }
  ) throws {
    let error = #expect(throws: FeedError.self) {
      var importer = FeedImporter(feed: newer, output: output)
      importer.replacesOutput = code == .outputInUse
      try importer.run(progress: progress)
    }
    #expect(error?.code == code)
    for word in words + ["'harbour.db'"] {
      #expect(error?.message.contains(word) == true, "\(word)")
    }
    #expect(error?.advice?.contains("--into") == true)
    #expect(try Data(contentsOf: output) == old)
    #expect(try directory.names == ["harbour.db"])
  }

  @Test(arguments: ["harbour.db", "nowhere.db"])
  func `A link in the database's place is left as it is`(target: String) throws {
    let link = directory.file("link.db")
    try FileManager.default.createSymbolicLink(atPath: link.path, withDestinationPath: target)
    let error = #expect(throws: FileError.self) {
      try FeedImporter.replacing(feed: newer, output: link).run()
    }
    #expect(error?.code == .notRegularFile)
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link.path) == target)
    #expect(try Data(contentsOf: output) == old)
  }

  @Test func `An existing database is replaced only on request`() throws {
    try expectRefusal(.outputExists, ["already exists"])
    try FeedImporter.replacing(feed: newer, output: output).run()
    #expect(try Data(contentsOf: output) != old)
  }

  @Test(.enabled(if: OtherSQLite.isThere && OpenFiles.areKnown))
  func `A database that another process has open is not replaced, and the process is named`() throws
  {
    let other = try OtherSQLite()
    // It holds no lock when its statement has ended.
    try other.run("SELECT count(*) FROM stops", on: output.path)
    try expectRefusal(.outputInUse, ["in use by python3", "(\(other.processIdentifier))"])
    other.kill()
    try FeedImporter.replacing(feed: newer, output: output).run()
    #expect(try Data(contentsOf: output) != old)
  }

  @Test(.enabled(if: OtherSQLite.isThere && OpenFiles.areKnown))
  func `A process that opens the database during the import is found before the replacement`()
    throws
  {
    let other = try OtherSQLite()
    try expectRefusal(.outputInUse, ["python3 (\(other.processIdentifier))"]) { fraction in
      if fraction > 0.9 { try other.run("SELECT count(*) FROM stops", on: output.path) }
    }
  }

  @Test(.enabled(if: OpenFiles.areKnown))
  func `A database that this process has open is not replaced`() throws {
    let link = directory.url.deletingLastPathComponent().appending(path: UUID().uuidString)
    try FileManager.default.linkItem(at: output, to: link)
    defer { try? FileManager.default.removeItem(at: link) }
    // Under another name of the same file.
    let queue = try DatabaseQueue(path: link.path)
    _ = try queue.read { db in try Int.fetchOne(db, sql: "SELECT count(*) FROM stops") }
    try expectRefusal(.outputInUse, ["(\(getpid()))"])
    try queue.close()
    try FeedImporter.replacing(feed: newer, output: output).run()
  }

  @Test func `A file that appears during the import is not replaced`() throws {
    try FileManager.default.removeItem(at: output)
    let letter = Data("a letter".utf8)
    let error = #expect(throws: FeedError.self) {
      try FeedImporter(feed: newer, output: output).run { fraction in
        if fraction > 0.9 { try letter.write(to: output) }
      }
    }
    #expect(error?.code == .foreignOutput)
    #expect(try Data(contentsOf: output) == letter)
    #expect(try directory.names == ["harbour.db"])
  }
}
