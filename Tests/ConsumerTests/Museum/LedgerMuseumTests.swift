import Foundation
import Holdfast
import HoldfastFiles
import HoldfastLedger
import HoldfastTestSupport
import Testing

/// A ledger that an earlier version wrote is read and continued by this one.
@Suite struct LedgerMuseumTests {
  private let directory: TemporaryDirectory

  init() throws {
    directory = try TemporaryDirectory()
  }

  private func write(_ name: String, in container: Container) throws {
    let folder = try RelocatablePath(.documents, "downloads")
    try container.createDirectory(at: folder)
    try Data("The sound of the \(name).".utf8).write(
      to: container.url(for: folder.appending("\(name).m4b")))
  }

  /// Adopts two rows, one of which has no file and is cleared.
  private func make(at url: URL) async throws {
    let container = Container(at: directory.file("home"))
    try write("quay", in: container)
    let queue = try DatabaseQueue(path: url.path)
    try await queue.write { db in
      try db.execute(
        sql: """
          CREATE TABLE local_audio_file_downloads (
            audio_file_id TEXT NOT NULL PRIMARY KEY,
            is_downloaded BOOLEAN NOT NULL DEFAULT TRUE,
            download_path TEXT NOT NULL,
            downloaded_at TIMESTAMP NOT NULL,
            updated_at TIMESTAMP NOT NULL);
          INSERT INTO local_audio_file_downloads VALUES
            ('quay', 1, 'D:downloads/quay.m4b', 1700000000, 1700000000),
            ('ferry', 1, 'D:downloads/ferry.m4b', 1700000000, 1700000000)
          """)
    }
    let ledger = FileLedger(queue, container: container, table: .audioFileDownloads)
    try await ledger.adopt()
    _ = try await ledger.repairAll()
    try queue.close()
  }

  @Test(.enabled(if: Museum.isCollecting, "HOLDFAST_MUSEUM is not set."))
  func aMissingLedgerIsMade() async throws {
    let made = directory.file("ledger-1.db")
    try await make(at: made)
    try Museum.collect("ledger-1.db") { url in
      try FileManager.default.copyItem(at: made, to: url)
    }
  }

  @Test(arguments: ["ledger-1.db"])
  func aLedgerKnowsItsFilesAndRestoresAClearedOne(name: String) async throws {
    let url = try Museum.copy(name, to: directory)
    let container = Container(at: directory.file("another home"))
    for name in ["quay", "ferry"] { try write(name, in: container) }
    let queue = try DatabaseQueue(path: url.path)
    let ledger = FileLedger(queue, container: container, table: .audioFileDownloads)
    try await ledger.adopt()
    #expect(try await ledger.record("quay")?.state == .recorded)
    #expect(try await ledger.record("ferry")?.state == .cleared)
    // Its file has come back.
    try await ledger.restore("ferry")
    _ = try await ledger.repairAll()
    let ferry = try await ledger.record("ferry")
    #expect(ferry?.state == .recorded)
    #expect(ferry?.path == (try RelocatablePath(.documents, "downloads", "ferry.m4b")))
    try queue.close()
  }
}
