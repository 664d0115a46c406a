import Foundation
import Holdfast
import HoldfastFiles
import HoldfastLedger
import HoldfastTestSupport

/// A container with the seed's table, and files that its rows name.
final class Bookshelf: Sendable {
  /// The downloads of the seed, with its names; its own text is read where it lies.
  static let seedTable = {
    let columns =
      [
        "audio_file_id": "TEXT PRIMARY KEY", "is_downloaded": "BOOLEAN DEFAULT 1 NOT NULL",
        "download_path": "TEXT NOT NULL", "downloaded_at": "DATETIME NOT NULL",
        "updated_at": "DATETIME NOT NULL",
      ] as KeyValuePairs
    let definition = columns.map { "\($0.key) \($0.value)" }.joined(separator: ", ")
    return "CREATE TABLE local_audio_file_downloads (\(definition));"
  }()

  static let oldHome =
    "/var/mobile/Containers/Data/Application/ABC12345-0000-0000-0000-000000000000"

  let folder: TemporaryDirectory
  let container: Container
  let queue: DatabaseQueue

  init(_ schema: String = Bookshelf.seedTable, in volume: URL? = nil) throws {
    folder = try volume.map { try TemporaryDirectory(in: $0) } ?? TemporaryDirectory()
    let home = folder.url.appending(
      path: "Containers/Data/Application/11111111-0000-0000-0000-000000000000")
    container = Container(at: home)
    queue = try DatabaseQueue(path: folder.url.appending(path: "app.db").path)
    for root in [StorageRoot.documents, .caches] {
      try FileManager.default.createDirectory(
        at: container.url(for: root), withIntermediateDirectories: true)
    }
    try queue.write { db in try db.execute(sql: schema) }
  }

  @discardableResult
  func file(_ path: String, _ content: String = "chapter") throws -> RelocatablePath {
    let path = try RelocatablePath(text: path)
    let url = try container.url(for: path)
    try FileManager.default.createDirectory(
      at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(content.utf8).write(to: url)
    return path
  }

  func insert(_ id: String, _ text: String) throws {
    try queue.write { db in
      try db.execute(
        sql: """
          INSERT INTO local_audio_file_downloads
            (audio_file_id, is_downloaded, download_path, downloaded_at, updated_at)
          VALUES (?, 1, ?, 1700000000, 1700000000)
          """, arguments: [id, text])
    }
  }

  func text(_ id: String) throws -> String? {
    try queue.read { db in
      try String.fetchOne(
        db, sql: "SELECT download_path FROM local_audio_file_downloads WHERE audio_file_id = ?",
        arguments: [id])
    }
  }

  func isDownloaded(_ id: String) throws -> Bool? {
    try queue.read { db in
      try Bool.fetchOne(
        db, sql: "SELECT is_downloaded FROM local_audio_file_downloads WHERE audio_file_id = ?",
        arguments: [id])
    }
  }

  func ledger(
    _ table: LedgerTable = .audioFileDownloads, expecting paths: [String: String] = [:]
  ) -> FileLedger {
    FileLedger(queue, container: container, table: table) { record in
      try paths["\(record.id)"].map { [try RelocatablePath(text: $0)] } ?? []
    }
  }

  func adopted(
    _ table: LedgerTable = .audioFileDownloads, expecting paths: [String: String] = [:]
  ) async throws -> FileLedger {
    let ledger = ledger(table, expecting: paths)
    try await ledger.adopt()
    return ledger
  }
}
