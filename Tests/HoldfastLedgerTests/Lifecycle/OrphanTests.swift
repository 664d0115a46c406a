import Foundation
import Holdfast
import HoldfastDownloads
import HoldfastFiles
import HoldfastTestSupport
import Testing

@testable import HoldfastLedger

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// SS-11: files that no record has.
struct OrphanTests {
  private let folder: TemporaryDirectory
  private let app: DownloadsApp

  init() async throws {
    folder = try TemporaryDirectory()
    app = try await DownloadsApp(at: folder.url)
  }

  private func orphans(excluding excluded: Set<RelocatablePath> = []) async throws -> OrphanReport {
    try await app.lifecycle.orphans(
      under: [
        RelocatablePath(.documents, "downloads"), RelocatablePath(.caches, "downloads"),
      ], excluding: excluded)
  }

  private func path(_ name: String) throws -> RelocatablePath {
    try DownloadsApp.path(.documents, name)
  }

  /// SS-9, SS-11.
  @Test func theListHasTheFilesWithoutARecord() async throws {
    try await app.add("a")
    try await app.add("b", .caches)
    try app.write(path("left.m4b"), "123456")
    try app.write(DownloadsApp.path(.caches, "50%41 off.m4b"))
    try app.write(RelocatablePath(.documents, "downloads", "at the top"))
    try app.write(RelocatablePath(.documents, "notes.txt"))
    let report = try await orphans()
    #expect(report.orphans.map(\.name) == ["50%41 off.m4b", "at the top", "left.m4b"])
    let left = try #require(report.orphans.last)
    #expect(left.url == (try app.url(path("left.m4b"))))
    #expect(left.byteCount == 6)
    #expect(left.itemFolder == "li_1")
    #expect(report.orphans[1].itemFolder == nil)
    #expect(report.skipped == [])
  }

  /// SS-B4: finished files of an item lie in the folder of its orphans.
  @Test func onlyTheChosenOrphanIsDeleted() async throws {
    let kept = try await app.add("a")
    try app.write(path("left.m4b"))
    let orphan = try #require(try await orphans().orphans.first)
    try await app.lifecycle.delete(orphan)
    #expect(!app.exists(orphan.path))
    #expect(app.exists(kept))
    #expect(try await app.ledger.record("a")?.state == .recorded)
    await #expect { try await app.lifecycle.delete(orphan) } throws: { error in
      (error as? LedgerError)?.code == .changed
    }
  }

  @Test func anOrphanIsCheckedAgainBeforeItIsDeleted() async throws {
    for name in ["recorded", "written", "replaced", "moving", "database"] {
      try app.write(path(name))
    }
    let orphans = try await orphans().orphans
    #expect(orphans.count == 5)
    try await app.ledger.record("a", at: path("recorded"))
    try app.write(path("written"), "more than before")
    try FileManager.default.removeItem(at: app.url(path("replaced")))
    try app.write(path("replaced"))
    let moving = try path("moving")
    try await app.pool.write { db in
      try MoveIntent(
        key: "z".databaseValue, origin: DownloadsApp.path(.caches, "moving"), destination: moving,
        byteCount: 5
      ).insert(1, db)
    }
    try app.write(path("database-wal"))
    for orphan in orphans {
      await #expect("\(orphan.name)") { try await app.lifecycle.delete(orphan) } throws: { error in
        (error as? LedgerError)?.code == .changed
      }
      #expect(app.exists(orphan.path))
    }
  }

  @Test func databasesAndOpenFilesAreNoOrphans() async throws {
    let url = try app.url(path("books.db"))
    try app.write(path("x"))
    let queue = try DatabaseQueue(path: url.path)
    try await queue.write { db in try db.execute(sql: "CREATE TABLE t (x); PRAGMA user_version = 1")
    }
    let other = try DatabasePool(path: app.url(path("log.db")).path)
    try await other.write { db in try db.execute(sql: "CREATE TABLE t (x)") }
    let handle = try FileHandle(forReadingFrom: app.write(path("playing.m4b")))
    defer { try? handle.close() }
    let report = try await orphans()
    #expect(report.orphans.map(\.name) == ["x"])
    let skipped = Dictionary(
      uniqueKeysWithValues: report.skipped.map { ($0.path.lastComponent ?? "", $0.reason) })
    #expect(skipped["playing.m4b"] == .open)
    for name in ["books.db", "log.db", "log.db-wal", "log.db-shm"] {
      #expect([.database, .open].contains(skipped[name]), "\(name)")
    }
    // The databases have not lost their locks.
    try await queue.write { db in try db.execute(sql: "INSERT INTO t VALUES (1)") }
    try await other.write { db in try db.execute(sql: "INSERT INTO t VALUES (1)") }
    try queue.close()
    #expect(try await orphans().skipped.contains { $0.path.lastComponent == "books.db" })
  }

  /// SS-B5: identifiers are never parsed from names.
  @Test func activeDownloadsAndUnfinishedFilesAreNoOrphans() async throws {
    try app.write(path("active.m4b"))
    try app.write(RelocatablePath(.documents, "downloads", "parts", "li_1_audio_2.part"))
    try app.write(path(".a.m4b.moving"))
    let report = try await orphans(excluding: [
      path("active.m4b"), RelocatablePath(.documents, "downloads", "parts"),
    ])
    #expect(report.orphans == [])
    #expect(report.skipped.map(\.reason) == [.unfinished])
  }

  /// A volume that ignores both has one file for the two names.
  @Test func aFileIsExcludedWhateverTheCaseAndTheNormalizationOfItsName() async throws {
    try app.write(path("Bu\u{308}cher.m4b"))
    try app.write(RelocatablePath(.documents, "downloads", "Parts", "li_1_audio_2.part"))
    try app.write(path("left.m4b"))
    let report = try await orphans(excluding: [
      path("b\u{FC}cher.m4b"), RelocatablePath(.documents, "downloads", "parts"),
    ])
    #expect(report.orphans.map(\.name) == ["left.m4b"])
  }

  /// SS-14: an active download is neither listed nor deleted.
  @Test func theDestinationOfADownloadIsNoOrphan() async throws {
    try app.write(path("active.m4b"))
    let folders = [try RelocatablePath(.documents, "downloads")]
    let listed = try #require(try await orphans().orphans.first)
    let downloader = try await Downloader(in: app.container) { _ in }
    var request = DownloadRequest(
      id: "a", from: URL(string: "http://127.0.0.1:9/a")!, to: try path("active.m4b"))
    request.isForced = true
    let download = try downloader.start(request)
    download.pause()
    let report = try await app.lifecycle.orphans(under: folders, downloader: downloader)
    #expect(report.orphans == [])
    let lifecycle = app.lifecycle
    await #expect {
      try await lifecycle.delete(listed, downloader: downloader)
    } throws: { error in
      (error as? LedgerError)?.code == .changed
    }
    await downloader.close()
    #expect(app.exists(listed.path))
  }

  /// It is in the journal until the next launch records it.
  @Test func aFileThatCouldNotBeRecordedIsNoOrphan() async throws {
    struct Refusal: Error {}
    let downloader = try await Downloader(in: app.container) { _ in throw Refusal() }
    let fetched = folder.file("fetched")
    try Data("chapter".utf8).write(to: fetched)
    let source = URL(string: "http://127.0.0.1:9/a")!
    let request = DownloadRequest(id: "a", from: source, to: try path("new.m4b"))
    let response = HTTPURLResponse(
      url: source, statusCode: 200, httpVersion: nil, headerFields: ["Content-Length": "7"])
    let download = try downloader.start(request, withFileAt: fetched, response: response)
    await #expect {
      _ = try await download.value()
    } throws: { error in
      (error as? DownloadError)?.code == .notRecorded
    }
    #expect(app.exists(try path("new.m4b")))
    let folders = [try RelocatablePath(.documents, "downloads")]
    #expect(try await orphans().orphans.map(\.name) == ["new.m4b"])
    let report = try await app.lifecycle.orphans(under: folders, downloader: downloader)
    #expect(report.orphans == [])
    await downloader.close()
  }

  @Test(arguments: [
    "/elsewhere/Book One.m4b", "file:///elsewhere/Book%20One.m4b", "X:Book One.m4b",
    "../Book One.m4b", "/elsewhere/BOOK one.m4b",
  ])
  func aFileThatARecordNamesInAPathThatCannotBeReadIsNoOrphan(_ text: String) async throws {
    try app.write(path("Book One.m4b"))
    try app.write(path("left.m4b"))
    let listed = try await orphans().orphans
    #expect(listed.count == 2)
    let table = LedgerTable(
      name: "part", idColumns: ["id"], pathColumn: "key", dialect: .tagged(["D:": .documents]))
    try await app.pool.write { db in
      try db.execute(
        sql: """
          CREATE TABLE part (id INTEGER PRIMARY KEY, key TEXT);
          INSERT INTO part VALUES (1, NULL), (2, '\(text)');
          """)
    }
    let parts = FileLedger(app.pool, container: app.container, table: table)
    try await parts.adopt()
    let report = try await app.lifecycle.orphans(
      under: [RelocatablePath(.documents)], others: [parts])
    #expect(report.orphans.map(\.name) == ["left.m4b"])
    #expect(report.skipped.map(\.reason) == [.unreadableRecord])
    #expect(report.skipped.map(\.path) == [try path("Book One.m4b")])
    for orphan in listed where orphan.name != "left.m4b" {
      await #expect {
        try await app.lifecycle.delete(orphan, others: [parts])
      } throws: { error in
        (error as? LedgerError)?.code == .changed
      }
      #expect(app.exists(orphan.path))
    }
  }

  @Test func aFileThatIsBackAtThePathOfAClearedRecordIsNoOrphan() async throws {
    let file = try await app.add("a")
    let listed = try await app.lifecycle.orphans(under: [RelocatablePath(.documents)]).orphans
    #expect(listed.isEmpty)
    let elsewhere = folder.file("elsewhere")
    try FileManager.default.moveItem(at: app.url(file), to: elsewhere)
    #expect(try await app.ledger.repairAll().cleared == 1)
    // Listed while no record was there to have it.
    try await app.pool.write { db in
      try db.execute(
        sql: "ALTER TABLE local_audio_file_downloads RENAME TO hidden;"
          + "CREATE TABLE local_audio_file_downloads AS SELECT * FROM hidden WHERE 0")
      try db.execute(
        sql: "CREATE UNIQUE INDEX one ON local_audio_file_downloads (audio_file_id)")
    }
    try FileManager.default.moveItem(at: elsewhere, to: app.url(file))
    let orphan = try #require(try await orphans().orphans.first)
    try await app.pool.write { db in
      try db.execute(
        sql: "DROP TABLE local_audio_file_downloads;"
          + "ALTER TABLE hidden RENAME TO local_audio_file_downloads")
    }
    #expect(try await app.ledger.record("a")?.state == .cleared)
    #expect(try await orphans().orphans == [])
    await #expect { try await app.lifecycle.delete(orphan) } throws: { error in
      (error as? LedgerError)?.code == .changed
    }
    #expect(app.exists(file))
    #expect(try await app.ledger.repairAll().restored == 1)
  }

  @Test func aStoredMoveKeepsItsFilesOutOfTheList() async throws {
    let origin = try await app.add("a")
    let destination = try DownloadsApp.path(.caches, "a.m4b")
    try await app.pool.write { db in
      try MoveIntent(
        key: "a".databaseValue, origin: origin, destination: destination, byteCount: 5
      ).insert(1, db)
    }
    try FileManager.default.createDirectory(
      at: app.url(destination).deletingLastPathComponent(), withIntermediateDirectories: true)
    try FileManager.default.moveItem(at: app.url(origin), to: app.url(destination))
    let report = try await orphans()
    #expect(report.orphans == [])
    #expect(report.skipped.map(\.reason) == [.unfinished])
  }

  @Test func aFileThatARecordMeansInAnotherNormalizationIsNoOrphan() async throws {
    try await app.add("a", named: "Caf\u{E9}.m4b")
    try FileManager.default.moveItem(
      at: app.url(path("Caf\u{E9}.m4b")), to: app.url(path("cafe\u{301}.m4b")))
    // Two files on a volume that keeps the names apart, one on the others.
    #expect(try await orphans().orphans.count == 1)
    let folding = SystemFault(atCall: 1, .foldNames)
    let report = try await SystemCalls.$fault.withValue(folding) { try await orphans() }
    #expect(report.orphans == [])
  }

  @Test func whatALinkLeadsToIsNoOrphan() async throws {
    try app.write(path("a.m4b"))
    try app.write(RelocatablePath(.documents, "downloads", "li_2", "b.m4b"))
    let downloads = try app.url(RelocatablePath(.documents, "downloads"))
    try FileManager.default.createSymbolicLink(
      at: downloads.appending(path: "link"), withDestinationURL: downloads.appending(path: "li_1"))
    let report = try await orphans()
    #expect(report.orphans.map(\.name) == ["b.m4b"])
    #expect(report.skipped.map(\.reason) == [.linked])
  }

  @Test func aFolderThatCannotBeReadIsReported() async throws {
    try app.write(path("a.m4b"))
    let denied = SystemFault(atCall: 1, .refuse([.readdir: .accessDenied]))
    let report = try await SystemCalls.$fault.withValue(denied) { try await orphans() }
    #expect(report.orphans == [])
    #expect(report.skipped.contains { $0.reason == .unreadable })
  }

  @Test func theRecordsOfAllTablesCount() async throws {
    let covers = FileLedger(app.pool, container: app.container, table: .coverCache)
    try await covers.adopt()
    let cover = try path("cover")
    try app.write(cover)
    try await covers.record("m", at: cover)
    await #expect { try await orphans() } throws: { error in
      (error as? LedgerError)?.code == .unknownTables
    }
    let report = try await app.lifecycle.orphans(
      under: [RelocatablePath(.documents)], others: [covers])
    #expect(report.orphans == [])
  }

  /// SS-11, SS-B11.
  @Test func anOrphanReturnsToItsRecordByItsContent() async throws {
    try await app.add("a", .documents, "content A")
    try await app.add("b", .documents, "content B")
    // Another file of the same name and length, and the right one under another name.
    try FileManager.default.moveItem(
      at: app.url(path("a.m4b")), to: app.url(path("renamed.m4b")))
    try FileManager.default.removeItem(at: app.url(path("b.m4b")))
    try app.write(DownloadsApp.path(.caches, "b.m4b"), "content X")
    let list = try await orphans().orphans
    #expect(list.count == 2)
    let recovered = try await app.lifecycle.associate(list)
    #expect(recovered == [RecoveredOrphan(id: "a", path: try path("renamed.m4b"))])
    #expect(try await app.path(of: "a") == (try path("renamed.m4b")))
    #expect(try await orphans().orphans.map(\.name) == ["b.m4b"])
  }

  @Test func aClearedRecordGetsItsOrphanBack() async throws {
    try await app.add("a")
    let elsewhere = folder.file("elsewhere")
    try FileManager.default.moveItem(at: app.url(path("a.m4b")), to: elsewhere)
    #expect(try await app.ledger.repairAll().cleared == 1)
    try FileManager.default.moveItem(at: elsewhere, to: app.url(path("new.m4b")))
    let list = try await orphans().orphans
    #expect(try await app.lifecycle.associate(list).map(\.id) == ["a"])
    #expect(try await app.ledger.record("a")?.state == .recorded)
    #expect(try await app.path(of: "a") == (try path("new.m4b")))
  }
}
