import Foundation
import Testing

@testable import HoldfastFeeds

/// Archives made to harm whoever reads them.
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

  @Test func sizesWhoseSumPassesEveryNumberAreRefused() throws {
    var archive = FeedFixture().archive()
    for index in archive.entries.indices { archive.entries[index].size = UInt64(Int64.max) }
    let error = try refusal(of: archive)
    #expect(error?.code == .damaged)
    #expect(error?.file == "agency.txt")
    #expect(error?.message.contains("9223372036854775807 bytes") == true)
  }

  @Test func aFileThatIsNotReadIsRefusedForItsSizeToo() throws {
    var fixture = FeedFixture()
    fixture["shapes.txt"] = "shape_id\n"
    var archive = fixture.archive()
    let shapes = try #require(archive.entries.firstIndex { $0.name == "shapes.txt" })
    archive.entries[shapes].size = UInt64(Int64.max)
    #expect(try refusal(of: archive)?.file == "shapes.txt")
  }

  @Test func progressOfSizesThatNoNumberHoldsStaysWithinOne() throws {
    var fractions: [Double] = []
    let meter = FeedMeter { fractions.append($0) }
    meter.expect([.max, .max])
    try meter.count(.max)
    try meter.count(.max)
    try meter.count(.max)
    #expect(fractions == [0.5, 1, 1])
  }
}
