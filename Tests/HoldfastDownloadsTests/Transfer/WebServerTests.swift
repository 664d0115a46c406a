import Foundation
import HoldfastDownloads
import HoldfastFiles
import HoldfastTestSupport
import Testing

/// Downloads from a real nginx.
@Suite(.enabled(if: WebServer.isPossible, "needs nginx"))
struct WebServerTests {
  private let server: WebServer
  private let content = DownloadFixture.bytes(300_000)

  init() throws {
    server = try WebServer()
    try content.write(to: server.files.appending(path: "book"))
    try Data().write(to: server.files.appending(path: "empty"))
  }

  private func small(_ length: Int64) -> Downloader.Configuration {
    var configuration = DownloadFixture.configuration
    configuration.rangeByteCount = length
    return configuration
  }

  @Test(arguments: TemporaryDirectory.volumes) func aFileIsFetchedInRanges(_ volume: URL)
    async throws
  {
    let fixture = try DownloadFixture(in: volume)
    var request = try DownloadFixture.request(server.url("book"))
    request.expectedByteCount = 300_000
    request.expectedSHA256 = DownloadFixture.digest(content)
    let file = try await fixture.download(request, small(70_000))
    #expect(try fixture.content(request) == content)
    #expect(file.sha256 == DownloadFixture.digest(content))
    #expect(!file.isExisting)
    #expect(fixture.records.entries == [file])
    #expect(try fixture.remains.isEmpty)
    let url = try fixture.container.url(for: request.destination)
    #expect(try FileAttributes(of: url).isExcludedFromBackup)
  }

  @Test func aServerWithoutRangesIsRead() async throws {
    let fixture = try DownloadFixture()
    let request = try DownloadFixture.request(server.url("whole/book"))
    _ = try await fixture.download(request, small(1000))
    #expect(try fixture.content(request) == content)
  }

  @Test func aMissingFileIsRefused() async throws {
    let fixture = try DownloadFixture()
    let request = try DownloadFixture.request(server.url("nothing"))
    #expect(try await fixture.failure(request) == .status)
    #expect(try fixture.content(request) == nil)
    #expect(try fixture.remains.isEmpty)
    #expect(fixture.records.entries.isEmpty)
  }

  @Test func anEmptyFileIsRefusedUnlessItIsExpected() async throws {
    let fixture = try DownloadFixture()
    var request = try DownloadFixture.request(server.url("empty"))
    #expect(try await fixture.failure(request) == .emptyBody)
    #expect(try fixture.content(request) == nil)
    request.expectedByteCount = 0
    #expect(try await fixture.download(request).byteCount == 0)
    #expect(try fixture.content(request) == Data())
    #expect(try fixture.remains.isEmpty)
  }

  @Test func anotherDigestIsRefusedAndLeavesNothing() async throws {
    let fixture = try DownloadFixture()
    var request = try DownloadFixture.request(server.url("book"))
    request.expectedSHA256 = DownloadFixture.digest(Data([1]))
    #expect(try await fixture.failure(request) == .digestMismatch)
    #expect(try fixture.content(request) == nil)
    #expect(try fixture.remains.isEmpty)
  }

  @Test func anotherLengthIsRefusedBeforeTheTransfer() async throws {
    let fixture = try DownloadFixture()
    var request = try DownloadFixture.request(server.url("book"))
    request.expectedByteCount = 300_001
    #expect(try await fixture.failure(request) == .lengthMismatch)
    #expect(try fixture.remains.isEmpty)
  }

  @Test func manyDownloadsShareTheLimits() async throws {
    let fixture = try DownloadFixture()
    let downloader = try await fixture.downloader(small(100_000))
    var downloads: [Download] = []
    for number in 1...12 {
      let request = try DownloadFixture.request(
        server.url("book"), id: "\(number)", name: "\(number)")
      downloads.append(try downloader.start(request))
    }
    for download in downloads {
      #expect(try await download.value().byteCount == 300_000)
      #expect(try fixture.content(download.request) == content)
    }
    #expect(downloader.downloads.isEmpty)
    #expect(fixture.records.entries.count == 12)
    await downloader.close()
    #expect(try fixture.remains.isEmpty)
  }

  @Test func aServerThatIsNotThereIsAPassingFault() async throws {
    let fixture = try DownloadFixture()
    // The port of a server that has ended may be another test's by now.
    let url = try #require(URL(string: "http://127.0.0.1:1/"))
    do {
      _ = try await fixture.download(try DownloadFixture.request(url))
      Issue.record("nothing was there")
    } catch let error as DownloadError {
      #expect(error.code == .network)
      #expect(error.isTransient)
    }
  }
}
