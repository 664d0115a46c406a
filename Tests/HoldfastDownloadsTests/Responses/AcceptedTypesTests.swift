import Foundation
import HoldfastFiles
import Testing

@testable import HoldfastDownloads

struct AcceptedTypesTests {
  private func types(
    _ name: String, _ accepted: [String]? = nil, sha256: SHA256Digest? = nil
  ) throws -> AcceptedTypes {
    var request = DownloadRequest(
      id: "1", from: URL(filePath: "/"), to: try RelocatablePath(.documents, name))
    request.acceptedTypes = accepted
    request.expectedSHA256 = sha256
    return AcceptedTypes(request)
  }

  @Test func aPageIsAcceptedWhereItIsExpected() throws {
    for type in ["text/html", "TEXT/HTML ;charset=x", "application/xhtml+xml"] {
      #expect(try !types("book.m4b").accepts(type))
      #expect(try !types("html").accepts(type))
      #expect(try types("index.HTM").accepts(type))
      #expect(try types("book.m4b", sha256: SHA256().finalize()).accepts(type))
      #expect(try types("book.m4b", ["text/*", "application/*"]).accepts(type))
    }
    #expect(try types("book.m4b").accepts("audio/mp4"))
    #expect(try types("book.m4b").accepts(nil))
  }

  @Test func onlyTheNamedTypesAreAccepted() throws {
    let audio = try types("book.m4b", ["Audio/MP4", "image/*"])
    #expect(audio.accepts("audio/mp4; codecs=x"))
    #expect(audio.accepts("image/png"))
    #expect(audio.accepts(nil))
    #expect(!audio.accepts("audio/mpeg"))
    #expect(!audio.accepts("images/png"))
    #expect(!audio.accepts(""))
    #expect(try types("x", ["*/*"]).accepts("text/html"))
    #expect(try !types("x", []).accepts("audio/mp4"))
  }

  @Test func aRequestIsStoredWithWhatItAccepts() throws {
    var request = DownloadRequest(
      id: "1", from: URL(filePath: "/"), to: try RelocatablePath(.documents, "x"))
    request.acceptedTypes = ["audio/*"]
    for isForced in [true, false] {
      request.isForced = isForced
      let text = try #require(JournalEntry(request).text)
      let stored = try #require(JournalEntry(text: text)?.request)
      #expect(stored.isForced == isForced)
      #expect(stored.acceptedTypes == ["audio/*"])
    }
  }
}
