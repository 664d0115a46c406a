import Foundation
import Holdfast
import HoldfastTestSupport
import HoldfastTransit
import Testing

@testable import HoldfastFeeds

/// The import of every real feed, from the archive to the database.
@Suite(.enabled(if: SharedFeeds.arePresent, SharedFeeds.absence))
struct ImportOutcomeTests {
  private static let names =
    FeedOutcomeTests.feeds.keys.map { "feeds/\($0).zip" }.sorted()
    + FeedOutcomeTests.brokenFeeds.keys.map { "broken-feeds/\($0).zip" }.sorted()

  private static func outcome(of name: String) throws -> FeedOutcomeTests.Outcome {
    let parts = name.dropLast(".zip".count).split(separator: "/").map(String.init)
    let table =
      parts[0] == "feeds" ? FeedOutcomeTests.feeds : FeedOutcomeTests.brokenFeeds
    return try #require(table[parts[1]])
  }

  @Test(arguments: names)
  func everyFeedIsImportedOrLeavesNoFile(name: String) throws {
    let directory = try TemporaryDirectory()
    let output = directory.file("out.db")
    let importer = FeedImporter(feed: SharedFeeds.root.appending(path: name), output: output)
    switch try Self.outcome(of: name) {
    case .imported(let stops, let routes):
      let made = try importer.run()
      #expect(try directory.names == ["out.db"])
      let database = ImportedDatabase(url: output)
      try database.expectSound("\(name)")
      #expect(try database.count("stops") == stops)
      #expect(try database.count("routes") == routes)
      #expect(made.rows["stops.txt"] == stops && made.rows["routes.txt"] == routes)
      #expect(try database.count("dict_stop") == stops)
      #expect(try database.count("stops_fts") == stops)
      let size = try FileManager.default.attributesOfItem(atPath: output.path)[.size] as? Int64
      #expect(made.bytes == size)
      if let counts = SharedFeeds.counts?[name] {
        #expect(try database.count("stops") == counts["stops.txt"])
        #expect(try database.count("routes") == counts["routes.txt"])
      }
    case .refused(let code, let file, let line, let field):
      let error = #expect(throws: FeedError.self) { try importer.run() }
      #expect(error?.code == code)
      #expect(error?.file == file && error?.line == line && error?.field == field)
      #expect(error?.message.contains(file) == true)
      if let line { #expect(error?.message.contains("line \(line)") == true) }
      if let field { #expect(error?.message.contains(field) == true) }
      #expect(try directory.names == [])
      try expectAnExistingOutputStays(importer, directory)
    }
  }

  private func expectAnExistingOutputStays(
    _ importer: FeedImporter, _ directory: TemporaryDirectory
  ) throws {
    let folder = try Folder()
    let older = try FeedFixture().writeFolder(in: folder)
    try FeedImporter(feed: older, output: importer.output).run()
    let bytes = try Data(contentsOf: importer.output)
    #expect(throws: FeedError.self) { try importer.run() }
    #expect(try Data(contentsOf: importer.output) == bytes)
    #expect(try directory.names == ["out.db"])
  }

  @Test(arguments: names)
  func everyStopIsFound(name: String) throws {
    guard case .imported = try Self.outcome(of: name) else { return }
    let directory = try TemporaryDirectory()
    let output = directory.file("out.db")
    try FeedImporter(feed: SharedFeeds.root.appending(path: name), output: output).run()
    try SearchCheck(Timetable(at: output)).check("\(name)")
  }
}

/// The search in the sample feed.
@Suite struct SampleSearchTests {
  @Test func everyStopOfTheSampleIsFound() throws {
    let directory = try TemporaryDirectory()
    let output = directory.file("out.db")
    try FeedImporter(feed: FeedFixture.portMerrow, output: output).run()
    try ImportedDatabase(url: output).expectSound("Port Merrow")
    try SearchCheck(Timetable(at: output)).check("Port Merrow")
  }
}
