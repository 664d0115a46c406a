import Foundation
import Holdfast
import HoldfastFiles
import HoldfastLedger
import HoldfastTestSupport
import Testing

struct FileUseTests {
  private let folder: TemporaryDirectory
  private let app: DownloadsApp
  private let now = Date(timeIntervalSince1970: 1_700_000_000)

  init() async throws {
    folder = try TemporaryDirectory()
    app = try await DownloadsApp(at: folder.url)
  }

  /// SS-10.
  @Test func anAccessIsRecordedAfterTwoMinutesOfUseInAllAcrossLaunches() async throws {
    try await app.add("a_1")
    for _ in 1...3 { try await app.lifecycle.recordUse("a_1", for: .seconds(30), at: now) }
    try await app.lifecycle.recordUse("a_1", for: .seconds(-500), at: now)
    #expect(try await app.lifecycle.use(of: "a_1")?.lastAccess == nil)
    let nextLaunch = try await DownloadsApp(at: folder.url)
    #expect(try await nextLaunch.lifecycle.use(of: "a_1")?.uncounted == .seconds(90))
    try await nextLaunch.lifecycle.recordUse("a_1", for: .seconds(30), at: now)
    let use = try await nextLaunch.lifecycle.use(of: "a_1")
    #expect(use?.lastAccess == now)
    #expect(use?.uncounted == .zero)
  }

  /// SS-10.
  @Test func theAppsOwnColumnOfAccessesIsReadAndWrittenInItsForm() async throws {
    try await app.add("a_1")
    try await app.pool.write { db in
      try db.execute(
        sql: "UPDATE local_audio_file_downloads SET downloaded_at = 1600000000000, updated_at = 1")
    }
    try await app.lifecycle.finish("a_1", at: now)
    let stored = try await app.pool.read { db in
      try DatabaseValue.fetchOne(db, sql: "SELECT last_accessed_at FROM local_audio_file_downloads")
    }
    #expect(stored == Int64(1_700_000_000).databaseValue)
    try await app.pool.write { db in
      try db.execute(sql: "UPDATE local_audio_file_downloads SET last_accessed_at = 1500000000000")
    }
    #expect(
      try await app.lifecycle.use(of: "a_1")?.lastAccess
        == Date(timeIntervalSince1970: 1_500_000_000))
  }

  /// SS-10, SS-B10.
  @Test func unusedAndFinishedFilesMoveToTheCachesWithTheirLocation() async throws {
    for id in ["new", "old", "finished", "pinned", "playing"] { try await app.add(id) }
    let old = now.addingTimeInterval(-15 * 86_400)
    for id in ["old", "pinned", "playing"] {
      try await app.lifecycle.recordUse(RecordID(id), for: .seconds(121), at: old)
    }
    try await app.lifecycle.finish("finished", at: now)
    try await app.lifecycle.setPinned(true, for: "pinned")
    let report = try await app.lifecycle.apply(at: now, excluding: ["playing"])
    #expect(Set(report.moved.map(\.id)) == ["old", "finished"])
    #expect(report.refused == [])
    #expect(report.isComplete)
    for id in ["new", "pinned", "playing"] {
      let path = try await app.path(of: id)
      #expect(path == (try DownloadsApp.path(.documents, "\(id).m4b")))
    }
    for id in ["old", "finished"] {
      let path = try DownloadsApp.path(.caches, "\(id).m4b")
      #expect(try await app.path(of: id) == path)
      #expect(app.exists(path))
      let row = try await app.pool.read { db in
        try Row.fetchOne(
          db,
          sql: """
            SELECT storage_location, moved_to_cache_at IS NOT NULL, download_path
            FROM local_audio_file_downloads WHERE audio_file_id = ?
            """, arguments: [id])?.databaseValues
      }
      #expect(row?[0] == "caches".databaseValue)
      #expect(row?[1] == 1.databaseValue)
      // The app's own resolver still reads it.
      #expect(row?[2] == "downloads/li_1/\(id).m4b".databaseValue)
    }
    #expect(try await app.lifecycle.apply(at: now, excluding: ["playing"]).moved == [])
  }

  /// SS-10.
  @Test func aFileMovesToTheDocumentsBeforeItIsUsed() async throws {
    try await app.add("a", .caches)
    let prepared = try await app.lifecycle.prepareForUse("a")
    let path = try DownloadsApp.path(.documents, "a.m4b")
    #expect(prepared.url == (try app.url(path)))
    #expect(prepared.moved?.to == path)
    #expect(prepared.problem == nil)
    #expect(try Data(contentsOf: prepared.url) == Data("audio".utf8))
    #expect(try await app.lifecycle.prepareForUse("a").moved == nil)
  }

  /// SS-B19: the flag in the table is not the file on the disk.
  @Test func aRecordWithoutItsFileIsNotReadyForUse() async throws {
    let path = try await app.add("a", .caches)
    try FileManager.default.removeItem(at: app.url(path))
    await #expect { try await app.lifecycle.prepareForUse("a") } throws: { error in
      (error as? LedgerError)?.code == .noFile
    }
  }

  @Test func aFileIsUsedInTheCachesWhereItsPathInTheDocumentsIsTaken() async throws {
    let path = try await app.add("a", .caches)
    try app.write(DownloadsApp.path(.documents, "a.m4b"), "of the user")
    let prepared = try await app.lifecycle.prepareForUse("a")
    #expect(prepared.url == (try app.url(path)))
    #expect(prepared.problem != nil)
    #expect(
      try Data(contentsOf: app.url(DownloadsApp.path(.documents, "a.m4b")))
        == Data("of the user".utf8))
  }

  @Test func theLifecycleOfATableWithoutColumnsForItIsInTheSideTable() async throws {
    let covers = FileLedger(app.pool, container: app.container, table: .coverCache)
    try await covers.adopt()
    let cover = try RelocatablePath(.caches, "covers", "li_1")
    try app.write(cover)
    try await covers.record("m", at: cover)
    let lifecycle = FileLifecycle(covers)
    try await lifecycle.recordUse("m", for: .seconds(200), at: now)
    #expect(try await lifecycle.use(of: "m")?.lastAccess == now)
    try await lifecycle.setPinned(true, for: "m")
    #expect(try await lifecycle.apply(at: now).moved.map(\.to.root) == [.documents])
    let stored = try await app.pool.read { db in
      try String.fetchOne(db, sql: "SELECT local_cover_url FROM local_cover_cache")
    }
    #expect(stored == "D:covers/li_1")
  }

  @Test func aRecordThatDoesNotExistHasNoUse() async throws {
    #expect(try await app.lifecycle.use(of: "none") == nil)
    await #expect { try await app.lifecycle.finish("none") } throws: { error in
      (error as? LedgerError)?.code == .noRecord
    }
  }
}
