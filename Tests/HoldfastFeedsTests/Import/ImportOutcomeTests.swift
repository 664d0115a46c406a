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

  /// One import for each feed: the large ones take seconds.
  @Test(arguments: names)
  func everyFeedIsImportedWithFoundStopsOrLeavesNoFile(name: String) throws {
    let directory = try TemporaryDirectory()
    let output = directory.file("out.db")
    let importer = FeedImporter.replacing(
      feed: SharedFeeds.root.appending(path: name), output: output)
    switch try Self.outcome(of: name) {
    case .imported(let stops, let routes):
      let made = try importer.run()
      #expect(try directory.names == ["out.db"])
      let database = ImportedDatabase(url: output)
      try database.expectSound("\(name)")
      try SearchCheck(Timetable(at: output)).check("\(name)")
      #expect(try database.count("stops") == stops)
      #expect(try database.count("routes") == routes)
      #expect(made.rows["stops.txt"] == stops && made.rows["routes.txt"] == routes)
      for (file, count) in Self.rows[name] ?? [:] { #expect(made.rows[file] == count, "\(file)") }
      for (file, count) in made.rows { #expect(try #require(made.report.rows[file]) >= count) }
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
    try FeedImporter.replacing(feed: older, output: importer.output).run()
    let bytes = try Data(contentsOf: importer.output)
    #expect(throws: FeedError.self) { try importer.run() }
    #expect(try Data(contentsOf: importer.output) == bytes)
    #expect(try directory.names == ["out.db"])
  }

  /// Rows of a feed that are in the database, of those that its files have; the others have flaws that
  /// cost the row.
  private static let rows: [String: [String: Int]] = [
    "feeds/hart-tampa.zip": ["trips.txt": 14718, "stop_times.txt": 435_507],
    "feeds/nyc-subway-2018.zip": ["trips.txt": 15911, "stop_times.txt": 446_924],
    "feeds/cairns.zip": ["trips.txt": 1339, "stop_times.txt": 37790],
    "feeds/sample-feed-google.zip": [
      "trips.txt": 11, "stop_times.txt": 28, "calendar.txt": 2, "calendar_dates.txt": 1,
      "frequencies.txt": 11,
    ],
    // Two rows with one stop_sequence.
    "broken-feeds/duplicate_stop_sequence.zip": ["stop_times.txt": 4],
    // One row names a stop that does not exist.
    "broken-feeds/undefined_stop.zip": ["stop_times.txt": 28],
    // The row repeats another one.
    "broken-feeds/duplicate_schedule_id.zip": ["calendar.txt": 2],
  ]
}

/// The search in the sample feed.
@Suite struct SampleSearchTests {
  @Test func everyStopOfTheSampleIsFound() throws {
    let directory = try TemporaryDirectory()
    let output = directory.file("out.db")
    try FeedImporter.replacing(feed: FeedFixture.portMerrow, output: output).run()
    try ImportedDatabase(url: output).expectSound("Port Merrow")
    try SearchCheck(Timetable(at: output)).check("Port Merrow")
  }
}
