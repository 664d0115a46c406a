import Foundation
import Holdfast
import HoldfastFiles
import HoldfastLedger
import HoldfastTestSupport
import Testing

/// The article on the life of files shows no Swift that does not compile and run.
@Suite struct TheLifeOfFilesTests {
  @Test func everyBlockIsAnExample() throws {
    try Article("TheLifeOfFiles", of: "HoldfastLedger").expectExamples(count: 5)
  }

  @Test func filesMoveArePurgedAndReturn() async throws {
    let folder = try TemporaryDirectory()
    let container = Container(at: folder.file("home"))
    for root in [StorageRoot.documents, .caches] {
      try container.createDirectory(at: RelocatablePath(root))
    }
    let ledger = FileLedger(try DatabaseQueue(), container: container, table: .own())
    try await ledger.adopt()
    let path = try RelocatablePath(.caches, "downloads", "a.m4b")
    try container.createDirectory(at: RelocatablePath(.caches, "downloads"))
    try Data("a".utf8).write(to: container.url(for: path))
    try await ledger.record("a", at: path, digest: FileDigest(of: container.url(for: path)))
    let lifecycle = FileLifecycle(ledger)
    #expect(try await launch(lifecycle).isFirst)
    #expect(try await !launch(lifecycle).isRepairDue)

    let url = try await play("a", with: lifecycle)
    #expect(url == (try container.url(for: RelocatablePath(.documents, "downloads", "a.m4b"))))
    var urls: [URL?] = []
    let reference = await LiveReference(ledger, "a")
    await restorePlayer(reference) { urls.append($0) }
    #expect(urls == [url])

    try FileManager.default.moveItem(
      at: url, to: url.deletingLastPathComponent().appending(path: "b.m4b"))
    #expect(try await reclaim(lifecycle, nil) == [])
    #expect(try await ledger.record("a")?.path?.lastComponent == "b.m4b")
    try await lifecycle.move("a", to: .caches)
    try FileManager.default.removeItem(at: container.url(for: .caches).appending(path: "downloads"))
    #expect(try await tidyUp(lifecycle).map(\.id) == ["a"])
  }
}
