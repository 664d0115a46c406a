import Foundation
import Holdfast
@testable import HoldfastDownloads
import HoldfastFiles
import HoldfastLedger
import HoldfastTestSupport
import Testing

struct DownloadRecordTests {
  private let folder: TemporaryDirectory
  private let app: DownloadsApp

  init() async throws {
    folder = try TemporaryDirectory()
    app = try await DownloadsApp(at: folder.url)
  }

  private func file(
    _ id: String, _ content: String = "audio", named name: String? = nil, isRead: Bool = true
  ) throws -> DownloadedFile {
    let path = try DownloadsApp.path(.documents, name ?? "\(id).m4b")
    let digest = try FileDigest(of: app.write(path, content))
    return DownloadedFile(
      id: id, source: URL(string: "http://localhost/\(id)")!, destination: path,
      byteCount: digest.byteCount, sha256: isRead ? digest.sha256 : nil)
  }

  private func rows() async throws -> [[DatabaseValue]] {
    try await app.pool.read { db in
      try Row.fetchAll(
        db,
        sql: """
          SELECT audio_file_id, is_downloaded, download_path, storage_location
          FROM local_audio_file_downloads ORDER BY 1
          """
      ).map(\.databaseValues)
    }
  }

  /// SS-B10, SS-B13: the row need not exist, however fast the download was.
  @Test func aDownloadThatCompletesBeforeItsRowExistsIsRecordedWhereItIs() async throws {
    #expect(try await app.ledger.record(file("a")))
    let expected: [DatabaseValue] = [
      "a".databaseValue, 1.databaseValue, "downloads/li_1/a.m4b".databaseValue,
      "documents".databaseValue,
    ]
    #expect(try await rows() == [expected])
  }

  /// SS-14.
  @Test func aDownloadThatIsRecordedTwiceChangesNothing() async throws {
    let file = try file("a")
    #expect(try await app.ledger.record(file))
    let before = try await app.pool.read { db in
      try Row.fetchAll(db, sql: "SELECT * FROM local_audio_file_downloads")
        .map(\.databaseValues)
    }
    #expect(try await !app.ledger.record(file))
    let after = try await app.pool.read { db in
      try Row.fetchAll(db, sql: "SELECT * FROM local_audio_file_downloads")
        .map(\.databaseValues)
    }
    #expect(before == after)
  }

  /// SS-14.
  @Test func aDownloadOfAClearedRecordIsRecordedAgain() async throws {
    let file = try file("a")
    try await app.ledger.record(file)
    try FileManager.default.removeItem(at: app.url(file.destination))
    _ = try await app.ledger.repairAll()
    #expect(try await app.ledger.record("a")?.state == .cleared)
    try app.write(file.destination)
    #expect(try await app.ledger.record(file))
    #expect(try await app.ledger.record("a")?.state == .recorded)
  }

  /// SS-B5.
  @Test func anIdentifierMayContainAnything() async throws {
    for id in ["li_abc_1", "a,b", "D:x", "é", "e\u{301}", "'"] {
      try await app.ledger.record(file(id, named: "name"))
      #expect(try await app.ledger.record(RecordID(id))?.state == .recorded)
    }
    #expect(try await rows().count == 6)
  }

  /// SS-B12: a file that existed before is known only as far as it was read.
  @Test func aFileThatWasNotReadHasNoDigestThatNobodyComputed() async throws {
    try await app.ledger.record(file("a"))
    let digest = try await app.ledger.record("a")?.digest
    #expect(digest != nil)
    #expect(try await !app.ledger.record(file("a", isRead: false)))
    #expect(try await app.ledger.record("a")?.digest == digest)
    #expect(try await app.ledger.record(file("a", "longer than before", isRead: false)))
    #expect(try await app.ledger.record("a")?.digest == nil)
  }

  /// SS-B17: a cover has the id of its own table, and is recorded when its download is complete.
  @Test func aCoverIsRecordedUnderTheIDOfItsTable() async throws {
    let covers = FileLedger(app.pool, container: app.container, table: .coverCache)
    try await covers.adopt()
    let path = try RelocatablePath(.caches, "covers", "li_1")
    let digest = try FileDigest(of: app.write(path, "image"))
    let file = DownloadedFile(
      id: "cover-of-li_1", source: URL(string: "http://localhost/cover")!, destination: path,
      byteCount: digest.byteCount, sha256: digest.sha256)
    try await covers.record(file, as: "media-1")
    #expect(try await covers.record("media-1")?.path == path)
    #expect(try await covers.record("cover-of-li_1") == nil)
    // A cover that was cut is not taken for the downloaded one.
    try app.write(path, "im")
    #expect(try await covers.repair("media-1").unknown == 1)
  }
}
