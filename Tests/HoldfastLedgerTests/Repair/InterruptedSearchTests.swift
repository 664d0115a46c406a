import Foundation
import Holdfast
import HoldfastFiles
import HoldfastLedger
import HoldfastTestSupport
import Testing

/// Searches by identity that continue after their budget, and files that move meanwhile.
struct InterruptedSearchTests {
  /// A record whose file has gone from its path, and folders that a search passes one by one.
  private struct Library {
    let shelf: Bookshelf
    let ledger: FileLedger
    let digest: FileDigest

    init() async throws {
      shelf = try Bookshelf()
      ledger = try await shelf.adopted()
      let old = try shelf.file("@caches/old/book.m4b", "the book")
      digest = try FileDigest(of: shelf.container.url(for: old))
      try shelf.insert("a", "old/book.m4b")
      try await ledger.record("a", at: old, digest: digest)
      // Of the same length, so that all are read, and so many that a budget of nothing ends there.
      for number in 100..<350 { try shelf.file("@documents/1/\(number)", "BOOK \(number)") }
      try shelf.file("@documents/2/other", "A BOOK 2")
    }

    func move(_ path: String, to other: String) throws {
      let target = try shelf.container.url(for: RelocatablePath(text: other))
      try FileManager.default.createDirectory(
        at: target.deletingLastPathComponent(), withIntermediateDirectories: true)
      try FileManager.default.moveItem(
        at: shelf.container.url(for: RelocatablePath(text: path)), to: target)
    }

    var searchedPath: String? {
      get throws {
        try shelf.queue.read { db in
          try String.fetchOne(
            db, sql: "SELECT searched_path FROM holdfast_ledger_runs ORDER BY id DESC LIMIT 1")
        }
      }
    }

    /// Repairs without time until the search has passed some folders of the documents.
    func interrupt() async throws {
      for _ in 1...20 {
        #expect(try await !ledger.repairAll(budget: .zero).isComplete)
        if try searchedPath?.hasPrefix("@documents/") == true { return }
      }
      Issue.record("The search was not interrupted in the documents.")
    }
  }

  @Test func aFileThatMovedIntoAPassedFolderIsFound() async throws {
    let library = try await Library()
    try library.move("@caches/old/book.m4b", to: "@caches/z/book")
    try await library.interrupt()
    try library.move("@caches/z/book", to: "@documents/0/book")
    let report = try await library.ledger.repairAll()
    #expect(report.isContinued && report.isComplete)
    #expect(report.items.map(\.action) == [.repaired(.identity)])
    #expect(try library.shelf.text("a") == "D:0/book")
  }

  @Test func withoutTimeForThePassedFoldersNothingIsCleared() async throws {
    let library = try await Library()
    try library.move("@caches/old/book.m4b", to: "@caches/z/book")
    try await library.interrupt()
    try library.move("@caches/z/book", to: "@documents/0/book")
    var last = RepairReport()
    for _ in 1...30 where last.isDryRun || !last.isContinued || !last.isComplete {
      last = try await library.ledger.repairAll(budget: .zero)
    }
    // It ends nevertheless, and leaves the next one due.
    #expect(last.isComplete)
    #expect(last.items.map(\.answer) == [.unknown])
    #expect(last.items.first?.problem?.contains("interruption") == true)
    #expect(try library.shelf.isDownloaded("a") == true)
    #expect(try await library.ledger.launchCheck().isRepairDue)
    let next = try await library.ledger.repairAll()
    #expect(next.items.map(\.action) == [.repaired(.identity)])
  }

  @Test func aFileThatIsGoneIsClearedWhenThePassedFoldersAreSearchedAgain() async throws {
    let library = try await Library()
    try FileManager.default.removeItem(
      at: library.shelf.container.url(for: RelocatablePath(text: "@caches/old/book.m4b")))
    try await library.interrupt()
    let report = try await library.ledger.repairAll()
    #expect(report.isContinued && report.isComplete)
    #expect(report.cleared == 1)
  }

  @Test func aDigestThatWasRecordedDuringTheSearchProvesNoAbsence() async throws {
    let library = try await Library()
    try FileManager.default.removeItem(
      at: library.shelf.container.url(for: RelocatablePath(text: "@caches/old/book.m4b")))
    try await library.interrupt()
    // The app downloads another edition, which then moves.
    let edition = try library.shelf.file("@documents/0/edition", "the other edition")
    try await library.ledger.record(
      "a", at: RelocatablePath(text: "@caches/old/book.m4b"),
      digest: FileDigest(of: library.shelf.container.url(for: edition)))
    let report = try await library.ledger.repairAll()
    #expect(report.isContinued && report.isComplete)
    #expect(report.cleared == 0)
    #expect(report.unknown == 1)
    #expect(try await library.ledger.repairAll().items.map(\.action) == [.repaired(.identity)])
  }
}
