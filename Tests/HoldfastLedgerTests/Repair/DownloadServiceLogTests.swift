import Foundation
import Holdfast
import HoldfastFiles
import HoldfastLedger
import HoldfastTestSupport
import Testing

struct DownloadServiceLogTests {
  /// SS-6.
  @Test func theLinesOfARepairAreThoseOfTheSeed() async throws {
    // The handler is the process's own.
    await #expect(processExitsWith: .success) {
      let lines = Journal<String>()
      Log.setHandler { event in if event.category == "ledger" { lines.append(event.message) } }
      let shelf = try Bookshelf()
      try shelf.file("@caches/downloads/item-123/book.m4b")
      let stored = "file://\(Bookshelf.oldHome)/Library/Caches/downloads/item-123/book.m4b"
      try shelf.insert("a", stored)
      let ledger = try await shelf.adopted()
      #expect(await ledger.repairDownloadStatus(of: "item-123", ["a"]) == 1)
      let found = try shelf.container.url(
        for: RelocatablePath(.caches, "downloads", "item-123", "book.m4b"))
      #expect(
        lines.entries == [
          "[DownloadService] Repairing download status for item-123...",
          "[DownloadService] File marked as downloaded but missing at stored path: book.m4b",
          "  Stored path: \(stored)",
          "  ✓ Found file at expected path: \(found.absoluteString)",
          "  Updating database with corrected path...",
          "  ✓ Repaired download path for book.m4b",
          "[DownloadService] Repaired 1 file(s) for library item item-123",
        ])
    }
  }

  /// SS-6.
  @Test func theLinesOfAClearedRecordAreThoseOfTheSeed() async throws {
    await #expect(processExitsWith: .success) {
      let lines = Journal<String>()
      Log.setHandler { event in if event.category == "ledger" { lines.append(event.message) } }
      let shelf = try Bookshelf()
      try shelf.insert("a", "downloads/item-123/book.m4b")
      let ledger = try await shelf.adopted(
        expecting: ["a": "@documents/downloads/item-123/book.m4b"])
      #expect(await ledger.repairDownloadStatus(of: "item-123", ["a"]) == 0)
      let expected = try shelf.container.url(
        for: RelocatablePath(.documents, "downloads", "item-123", "book.m4b"))
      #expect(
        lines.entries == [
          "[DownloadService] Repairing download status for item-123...",
          "[DownloadService] File marked as downloaded but missing at stored path: book.m4b",
          "  Stored path: downloads/item-123/book.m4b",
          "  ✗ File not found at expected path either: \(expected.absoluteString)",
          "  File may have been deleted by iOS to free storage space",
          "  Clearing download status...",
          "[DownloadService] No repairs needed for library item item-123",
        ])
    }
  }
}
