import Foundation
import Testing

@testable import HoldfastFeeds

@Suite struct FeedSourceTests {
  private let folder: Folder

  init() throws { folder = try Folder() }

  private func refusal(of url: URL) -> FeedError? {
    #expect(throws: FeedError.self) { try Feed.read(from: url) }
  }

  private func refusal(of bytes: [UInt8]) throws -> FeedError? {
    refusal(of: try folder.write(bytes, to: "feed.zip"))
  }

  private func refusal(_ lie: (inout ZipFile.Entry) -> Void) throws -> FeedError? {
    var archive = FeedFixture().archive()
    let stops = try #require(archive.entries.firstIndex { $0.name == "stops.txt" })
    lie(&archive.entries[stops])
    return try refusal(of: archive.bytes)
  }

  @Test func anArchiveAndAFolderHaveTheSameContent() throws {
    let fixture = FeedFixture()
    let archive = try folder.write(fixture.archive().bytes, to: "feed.zip")
    let (packed, report) = try Feed.read(from: archive)
    let (open, folderReport) = try Feed.read(from: try fixture.writeFolder(in: folder))
    #expect(packed.stops == open.stops)
    #expect(packed.stops.map(\.stopName) == ["Quay", "Quay, Wharf 1"])
    #expect(report.rows == folderReport.rows)
    #expect(report.isArchive && !folderReport.isArchive)
  }

  /// The offsets in the archive are those from its own beginning.
  @Test(arguments: ["\n", "Warning: undefined PK\u{3}\n", String(repeating: "<br>", count: 16_000)])
  func anArchiveIsReadBehindOtherBytes(before: String) throws {
    let archive = FeedFixture().archive().bytes
    let (feed, report) = try Feed.read(
      from: try folder.write(Array(before.utf8) + archive, to: "feed.zip"))
    #expect(feed.stops.map(\.stopName) == ["Quay", "Quay, Wharf 1"])
    #expect(report.isArchive)
    #expect(try refusal(of: Array(before.utf8) + archive.dropLast(30))?.code == .notAFeed)
  }

  @Test func anArchiveFarBehindOtherBytesIsRefused() throws {
    let bytes = [UInt8](repeating: 0, count: 70_000) + FeedFixture().archive().bytes
    #expect(try refusal(of: bytes)?.code == .notAFeed)
  }

  @Test func bytesAreReadInPiecesDirectlyFromTheFeed() throws {
    let long = Array(String(repeating: "x,y\n", count: 100_000).utf8)
    var fixture = FeedFixture()
    fixture.files["shapes.txt"] = long
    for url in [
      try folder.write(fixture.archive().bytes, to: "a.zip"), try fixture.writeFolder(in: folder),
    ] {
      let source = try FeedSource(at: url)
      let file = try #require(source.files.first { $0.name == "shapes.txt" })
      #expect(file.size == long.count)
      let read = try source.open(file)
      var buffer = [UInt8](repeating: 0xEE, count: 1000)
      var bytes: [UInt8] = []
      while case let count = try read(&buffer, 10..<990), count > 0 {
        bytes += buffer[10..<(10 + count)]
      }
      #expect(bytes == long)
      #expect(buffer.prefix(10) + buffer.suffix(10) == ArraySlice(repeating: 0xEE, count: 20))
    }
  }

  @Test func findsTheFeedInOneSubdirectory() throws {
    var fixture = FeedFixture()
    let url = try fixture.writeFolder(in: folder, under: "outer/inner")
    let (feed, report) = try Feed.read(from: folder.url.appending(path: "outer"))
    #expect(feed.stops.count == 2)
    #expect(report.directory == "inner")
    #expect(report.repairs.map(\.code) == ["invalid_input_files_in_subfolder"])

    fixture["Stops.TXT"] = fixture["stops.txt"]
    fixture.files["stops.txt"] = nil
    try FileManager.default.removeItem(at: url)
    let renamed = try fixture.writeFolder(in: folder, under: "cased")
    let cased = try Feed.read(from: renamed)
    #expect(cased.feed.stops.count == 2)
    #expect(cased.report.repairs.map(\.code) == ["file_name_case"])
  }

  @Test func refusesAMissingOrSpecialFile() throws {
    #expect(refusal(of: folder.url.appending(path: "none.zip"))?.code == .notFound)
    #expect(refusal(of: folder.url)?.code == .notAFeed)
    #expect(refusal(of: URL(filePath: "/dev/null"))?.code == .unreadable)
    let empty = try refusal(of: [])
    #expect(empty?.code == .notAFeed)
    #expect(empty?.message.contains("empty") == true)
    let text = try refusal(of: Array("not a real zip file\n".utf8))
    #expect(text?.code == .notAFeed)
    #expect(text?.message.contains("neither a zip archive nor a folder") == true)
  }

  @Test func aPipeInAFolderDoesNotBlock() throws {
    var fixture = FeedFixture()
    fixture.files["stops.txt"] = nil
    let url = try fixture.writeFolder(in: folder)
    let pipe = url.appending(path: "stops.txt").path(percentEncoded: false)
    let process = try Process.run(URL(filePath: "/usr/bin/env"), arguments: ["mkfifo", pipe])
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    #expect(refusal(of: url)?.file == "stops.txt")
  }

  @Test func linksToFilesAreReadAndLinksToFoldersIgnored() throws {
    var fixture = FeedFixture()
    let stops = try folder.write(try #require(fixture.files["stops.txt"]), to: "elsewhere.txt")
    fixture.files["stops.txt"] = nil
    let url = try fixture.writeFolder(in: folder, under: "linked/feed")
    try FileManager.default.createSymbolicLink(
      at: url.appending(path: "stops.txt"), withDestinationURL: stops)
    #expect(try Feed.read(from: url).feed.stops.count == 2)

    let loop = folder.url.appending(path: "loop")
    try FileManager.default.createDirectory(at: loop, withIntermediateDirectories: true)
    try FileManager.default.createSymbolicLink(
      at: loop.appending(path: "feed"), withDestinationURL: url)
    #expect(refusal(of: loop)?.code == .notAFeed)
  }

  @Test func namesThatPointOutsideTheFeedTouchNothing() throws {
    var archive = FeedFixture().archive()
    archive.entries = archive.entries.map { entry in
      var hostile = entry
      hostile.name = "../up/" + entry.name
      return hostile
    }
    let url = try folder.write(archive.bytes, to: "box/feed.zip")
    #expect(try Feed.read(from: url).feed.stops.count == 2)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path()) == ["box"])
    #expect(
      try FileManager.default.contentsOfDirectory(
        atPath: folder.url.appending(path: "box").path()) == ["feed.zip"])
  }

  /// Returns the bytes as a deflate stream of uncompressed blocks (RFC 1951, 3.2.4).
  private static func deflated(_ bytes: [UInt8]) -> [UInt8] {
    var stream: [UInt8] = []
    for start in stride(from: 0, to: bytes.count, by: 65_535) {
      let block = bytes[start..<min(start + 65_535, bytes.count)]
      let count = UInt16(block.count)
      stream.append(start + block.count == bytes.count ? 1 : 0)
      for number in [count, ~count] { stream += [UInt8(number & 0xFF), UInt8(number >> 8)] }
      stream += block
    }
    return stream
  }

  @Test func refusesArchivesWithFalseMetadata() throws {
    let crc = try refusal { $0.crc = 1 }
    #expect(crc?.code == .damaged)
    #expect(crc?.file == "stops.txt")
    let encrypted = try refusal { $0.flags = 1 }
    #expect(encrypted?.message.contains("encrypted") == true)
    let method = try refusal { $0.method = 97 }
    #expect(method?.message.contains("method 97") == true)
    let bomb = try refusal {
      $0.method = 8
      $0.size = 4_000_000_000
    }
    #expect(bomb?.message.contains("4000000000 bytes") == true)
    let short = try refusal { $0.size = 3 }
    #expect(short?.code == .damaged)
    let endless = try refusal {
      $0.bytes = Self.deflated(Array(String(repeating: "x\n", count: 100_000).utf8))
      $0.method = 8
      $0.size = 70_000
    }
    #expect(endless?.message.contains("more than the 70000 bytes") == true)
    for error in [crc, encrypted, method, bomb, short, endless] {
      #expect(error?.advice != nil)
      #expect(error?.message.contains("stops.txt") == true)
      #expect(error?.message.contains("feed.zip") == true)
    }
  }

  @Test func aTruncatedArchiveIsRefused() throws {
    let bytes = FeedFixture().archive().bytes
    for length in stride(from: 0, to: bytes.count, by: 7) {
      let error = try refusal(of: Array(bytes.prefix(length)))
      #expect(error?.code == (length < 4 ? .notAFeed : .damaged), "cut at \(length)")
    }
  }

  @Test func aFlippedByteIsAnErrorOrChangesNothing() throws {
    let bytes = FeedFixture().archive().bytes
    let url = try folder.write(bytes, to: "feed.zip")
    let (sound, _) = try Feed.read(from: url)
    var refusals = 0
    for index in bytes.indices {
      for mask in [0x01, 0x20, 0xFF] as [UInt8] {
        var flipped = bytes
        flipped[index] ^= mask
        try Data(flipped).write(to: url)
        do {
          let (feed, _) = try Feed.read(from: url)
          #expect(feed.agencies == sound.agencies, "byte \(index)")
          #expect(feed.stops == sound.stops, "byte \(index)")
          #expect(feed.routes == sound.routes, "byte \(index)")
          #expect(feed.serviceDates == sound.serviceDates, "byte \(index)")
        } catch is FeedError {
          refusals += 1
        }
      }
    }
    #expect(refusals > bytes.count)
  }
}
