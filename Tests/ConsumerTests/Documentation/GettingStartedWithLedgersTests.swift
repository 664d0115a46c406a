import Foundation
import Holdfast
import HoldfastFiles
import HoldfastLedger
import HoldfastTestSupport
import Testing

/// The article on ledgers shows no Swift that does not compile and run.
@Suite struct GettingStartedWithLedgersTests {
  @Test func everyBlockIsAnExample() throws {
    let article = try Article("GettingStartedWithLedgers", of: "HoldfastLedger")
    article.expectExamples(count: 6)
    let manifest = try #require(article.blocks(in: "text").first).lines.joined()
    #expect(manifest.contains(#".product(name: "HoldfastLedger", package: "holdfast")"#))
  }

  @Test func aFileOfTheAppIsRecordedAndFoundInAnotherContainer() async throws {
    let folder = try TemporaryDirectory()
    let old = Container(at: folder.file("old"))
    let queue = try DatabaseQueue()
    let ledger = try await openRecordings(on: queue, in: old)
    #expect(try await url(ofRecording: "a", in: ledger) == nil)
    try await save(Data("sound".utf8), as: "a", in: ledger)
    let stored = try await queue.read { db in
      try String.fetchAll(db, sql: "SELECT path FROM recording WHERE id = 'a'")
    }
    #expect(stored == ["@documents/recordings/a.m4a"])
    try FileManager.default.moveItem(at: folder.file("old"), to: folder.file("new"))
    let moved = try await openRecordings(on: queue, in: Container(at: folder.file("new")))
    let found = try #require(try await url(ofRecording: "a", in: moved))
    #expect(found.path.hasPrefix(folder.file("new").path))
    #expect(try Data(contentsOf: found) == Data("sound".utf8))
  }

  @Test func filesAreFoundImportedAndRestored() async throws {
    let folder = try TemporaryDirectory()
    let container = Container(at: folder.file("home"))
    for root in [StorageRoot.documents, .caches] {
      try container.createDirectory(at: RelocatablePath(root))
    }
    let queue = try DatabaseQueue()
    try await queue.write { db in
      try db.execute(
        sql: """
          CREATE TABLE download (id TEXT PRIMARY KEY, path TEXT, is_downloaded BOOLEAN DEFAULT 1);
          CREATE TABLE old_download (id TEXT PRIMARY KEY, file TEXT, is_downloaded BOOLEAN);
          INSERT INTO old_download VALUES
            ('a', '/var/mobile/Containers/Data/Application/11111111-2222-3333-4444-555555555555'
              || '/Library/Caches/downloads/a.m4b', 1),
            ('b', 'downloads/b.m4b', 1);
          """)
    }
    let ledger = try await openLedger(on: queue, in: container)
    #expect(try await importDownloads(into: ledger).imported == 2)
    let path = try RelocatablePath(.documents, "downloads", "a.m4b")
    try container.createDirectory(at: RelocatablePath(.documents, "downloads"))
    try Data("a".utf8).write(to: container.url(for: path))
    #expect(try await repairBeforePlaying("a", with: ledger) == path)
    #expect(try await recordDigests(ledger) == 1)
    #expect(try await ledger.record("a")?.digest?.byteCount == 1)
    #expect(try await repairAtLaunch(ledger) == 0)
    #expect(try await ledger.record("b")?.state == .cleared)
    try await restore("b", with: ledger)
    #expect(try await ledger.record("b")?.state == .recorded)
  }
}
