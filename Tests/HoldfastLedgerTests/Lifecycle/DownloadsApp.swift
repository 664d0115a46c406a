import Foundation
import Holdfast
import HoldfastFiles
import HoldfastLedger

/// An audiobook app: a container, a database with the table of downloads, and their ledger.
///
/// Two objects at one folder are two launches.
struct DownloadsApp {
  let home: URL
  let pool: DatabasePool
  let ledger: FileLedger
  var lifecycle: FileLifecycle

  var container: Container { ledger.container }

  init(at folder: URL, table: LedgerTable = .audioFileDownloads) async throws {
    home = folder.appending(path: "home")
    let container = Container(at: home)
    for root in [StorageRoot.documents, .caches, .applicationSupport] {
      try FileManager.default.createDirectory(
        at: container.url(for: root), withIntermediateDirectories: true)
    }
    pool = try DatabasePool(
      path: container.url(for: .applicationSupport).appending(path: "app.db").path)
    ledger = FileLedger(pool, container: container, table: table)
    lifecycle = FileLifecycle(ledger)
    let ledger = ledger
    try await pool.write { db in
      try db.execute(
        sql: """
          CREATE TABLE IF NOT EXISTS local_audio_file_downloads (
            audio_file_id TEXT PRIMARY KEY,
            is_downloaded BOOLEAN NOT NULL DEFAULT TRUE,
            download_path TEXT NOT NULL,
            downloaded_at TIMESTAMP NOT NULL,
            updated_at TIMESTAMP NOT NULL,
            storage_location TEXT NOT NULL DEFAULT 'caches',
            last_accessed_at TIMESTAMP,
            moved_to_cache_at TIMESTAMP);
          CREATE TABLE IF NOT EXISTS local_cover_cache (
            media_id TEXT PRIMARY KEY, local_cover_url TEXT NOT NULL,
            cached_at TIMESTAMP NOT NULL, updated_at TIMESTAMP NOT NULL);
          """)
      try ledger.adopt(db)
    }
  }

  func url(_ path: RelocatablePath) throws -> URL { try container.url(for: path) }

  /// The path of a file of the book "li_1".
  static func path(_ root: StorageRoot, _ name: String) throws -> RelocatablePath {
    try RelocatablePath(root, "downloads", "li_1", name)
  }

  @discardableResult
  func write(_ path: RelocatablePath, _ content: String = "audio") throws -> URL {
    let url = try url(path)
    try FileManager.default.createDirectory(
      at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(content.utf8).write(to: url)
    return url
  }

  /// Writes a file and its record.
  @discardableResult
  func add(
    _ id: String, _ root: StorageRoot = .documents, named name: String? = nil,
    _ content: String = "audio"
  ) async throws -> RelocatablePath {
    let path = try Self.path(root, name ?? "\(id).m4b")
    let url = try write(path, content)
    try await ledger.record(RecordID(id), at: path, digest: FileDigest(of: url))
    return path
  }

  func exists(_ path: RelocatablePath) -> Bool {
    (try? url(path)).map { FileManager.default.fileExists(atPath: $0.path) } ?? false
  }

  func path(of id: String) async throws -> RelocatablePath? {
    try await ledger.record(RecordID(id))?.path
  }

  func storedMoves() async throws -> Int {
    try await pool.read { db in
      try Int.fetchOne(db, sql: "SELECT count(*) FROM holdfast_ledger_moves") ?? 0
    }
  }
}
