import Foundation
import Testing

@testable import HoldfastFeeds

/// Malicious archives.
@Suite struct HostileArchiveTests {
  private let folder: Folder

  init() throws { folder = try Folder() }

  private func refusal(of archive: ZipFile) throws -> FeedError? {
    let url = try folder.write(archive.bytes, to: "feed.zip")
    let error = #expect(throws: FeedError.self) { try Feed.read(from: url) }
    let reported = #expect(throws: FeedError.self) { try FeedReport.examine(url) }
    #expect(error?.code == reported?.code)
    return error
  }

  @Test func sizesWhoseSumOverflowsAreRefused() throws {
    var archive = FeedFixture().archive()
    for index in archive.entries.indices { archive.entries[index].size = UInt64(Int64.max) }
    let error = try refusal(of: archive)
    #expect(error?.code == .damaged)
    #expect(error?.file == "agency.txt")
    #expect(error?.message.contains("9223372036854775807 bytes") == true)
  }

  @Test func anOversizedFileIsRefusedEvenIfItIsNotRead() throws {
    var fixture = FeedFixture()
    fixture["shapes.txt"] = "shape_id\n"
    var archive = fixture.archive()
    let shapes = try #require(archive.entries.firstIndex { $0.name == "shapes.txt" })
    archive.entries[shapes].size = UInt64(Int64.max)
    #expect(try refusal(of: archive)?.file == "shapes.txt")
  }

  @Test func aLargeFileWithATooHighCompressionRatioIsRefused() throws {
    for (size, isRefused) in [(1 << 20, false), (2 << 20, true)] as [(UInt64, Bool)] {
      var archive = FeedFixture().archive()
      let stops = try #require(archive.entries.firstIndex { $0.name == "stops.txt" })
      archive.entries[stops].method = 8
      archive.entries[stops].size = size
      let error = try refusal(of: archive)
      #expect(error?.message.contains("would unpack") == isRefused)
    }
  }

  @Test(arguments: [1, -1])
  func theRowsOfARefusedFeedAreNotKept(surplus: Int) throws {
    let count = FeedReading.mostRowsOfRefused + surplus
    var fixture = FeedFixture()
    fixture["stops.txt"] =
      "stop_id,stop_name,stop_lat,stop_lon,parent_station\n"
      + String(repeating: "A,B,1,1,NONE\n", count: count)
    let source = try FeedSource(at: fixture.writeFolder(in: folder))
    var reading = FeedReading(of: source, progress: { _ in })
    try reading.read(.tables)
    let report = reading.report.value
    #expect(report.rows["stops.txt"] == count)
    #expect(report.counts["duplicate_key"] == count - 1)
    #expect(reading.feed.stops.count == (surplus > 0 ? 0 : count))
    #expect(report.counts["foreign_key_violation"] == (surplus > 0 ? nil : count))
  }

  @Test func theFirstOfSeveralFeedInfoRowsIsUsed() throws {
    var fixture = FeedFixture()
    fixture["feed_info.txt"] =
      "feed_publisher_name,feed_publisher_url,feed_lang\n"
      + (1...3).map { "P\($0),https://example.org,en\n" }.joined()
    let (feed, report) = try Feed.read(from: fixture.writeFolder(in: folder))
    #expect(feed.info?.feedPublisherName == "P1")
    #expect(
      report.problems.contains {
        $0.code == "more_than_one_entity" && $0.message.contains("3 rows")
      })
  }

  @Test func onlyThreeOfManyDirectoriesAreNamed() throws {
    let archive = ZipFile(
      (1...9000).map { ZipFile.Entry("directory-\($0)/stops.txt", Array("stop_id\n".utf8)) })
    #expect(
      try refusal(of: archive)?.message
        == "'feed.zip' holds GTFS files in several directories: 'directory-1' and 'directory-10' "
        + "and 'directory-100' and 8997 more.")
  }

  @Test func anOverlongPathIsNotPrinted() throws {
    let long = String(repeating: "x", count: 60_000)
    for path in ["\(long)/stops.txt", "\(long).zip"] {
      let error = try refusal(of: ZipFile([ZipFile.Entry(path, []), ZipFile.Entry("a", [])]))
      #expect(error?.code == .notAFeed)
      #expect(error.map { $0.description.count < 1000 } == true)
    }
  }

  @Test func anOverlongColumnNameIsTruncated() throws {
    var fixture = FeedFixture()
    let long = String(repeating: "x", count: 100_000)
    fixture["stops.txt"] = "stop_id,stop_name,stop_lat,stop_lon,\(long)\u{0}\nA,B,1,1,1\n"
    let url = try fixture.writeFolder(in: folder)
    let error = #expect(throws: FeedError.self) { try Feed.read(from: url) }
    #expect(error?.field?.count == 61)
    #expect(error.map { $0.description.count < 1000 } == true)
  }

  @Test func anArchiveWithTooManyFilesIsRefused() throws {
    let archive = ZipFile((0...10_000).map { ZipFile.Entry("\($0)", []) })
    let error = try refusal(of: archive)
    #expect(error?.code == .notAFeed)
    #expect(error?.message.contains("10001 files, more than 10000") == true)
  }

  @Test func progressOverOverflowingSizesStaysWithinOne() throws {
    var fractions: [Double] = []
    let meter = FeedMeter { fractions.append($0) }
    meter.expect([.max, .max])
    try meter.count(.max)
    try meter.count(.max)
    try meter.count(.max)
    #expect(fractions == [0.5, 1, 1])
  }
}
