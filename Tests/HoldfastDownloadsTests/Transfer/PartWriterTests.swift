import Foundation
import HoldfastFiles
import HoldfastTestSupport
import Testing

@testable import HoldfastDownloads

/// What the session delivers after an attempt has ended.
struct PartWriterTests {
  @Test func `Whatever is called after the file was closed fails`() throws {
    let directory = try TemporaryDirectory()
    let part = try PartWriter(FilePath(of: directory.file("book.part")), keeping: 0)
    try part.append(Data([1, 2, 3]))
    #expect(try part.byteCount == 3)
    #expect(try part.writtenByteCount == 0)
    part.close()
    let calls: [(String, () throws -> Void)] = [
      ("byteCount", { _ = try part.byteCount }),
      ("writtenByteCount", { _ = try part.writtenByteCount }),
      ("clear", { try part.clear() }),
      ("append", { try part.append(Data([4])) }),
      ("flush", { _ = try part.flush() }),
      ("sync", { _ = try part.sync() }),
      ("finish", { _ = try part.finish() }),
    ]
    for (name, call) in calls {
      let error = #expect(throws: DownloadError.self, "\(name)") { try call() }
      #expect(error?.code == .file, "\(name)")
    }
    part.close()
  }

  @Test(arguments: [false, true])
  func `A head that is delivered after the end writes no journal entry`(isEnded: Bool) async throws
  {
    let fixture = try DownloadFixture()
    let downloader = try await fixture.downloader()
    let folder = downloader.folder
    let request = try DownloadFixture.request(
      try #require(URL(string: "https://example.org/book.m4b")))
    let download = Download(request, in: downloader)
    let part = try PartWriter(folder.part(download.key), keeping: 0)
    let receiver = BodyReceiver(download, part, JournalEntry(request), in: downloader)
    receiver.begin(ContentRequest(bytes: nil, ifRange: nil))
    if isEnded {
      part.close()
      try folder.remove(download.key)
    }
    let head = ResponseHead(status: 200, fields: ["Content-Length": "5"], isSecure: true)
    #expect(receiver.receive(head) == !isEnded)
    let entry = try folder.readEntry(download.key)
    #expect((entry == nil) == isEnded)
    await downloader.close()
  }
}
