import Foundation
import Holdfast
import HoldfastFiles
import HoldfastTestSupport
import Testing

@testable import HoldfastLedger

/// A path that an app stores as a blob stays a blob, whatever writes it.
struct PathInBytesTests {
  private let shelf: Bookshelf
  private let ledger: FileLedger

  init() async throws {
    shelf = try Bookshelf(
      Bookshelf.seedTable.replacing("download_path TEXT", with: "download_path BLOB"))
    ledger = try await shelf.adopted()
    try shelf.file("@caches/a.m4b")
    try shelf.insert("a", "\(Bookshelf.oldHome)/Library/Caches/a.m4b")
    try await shelf.queue.write { db in
      try db.execute(
        sql: "UPDATE local_audio_file_downloads SET download_path = CAST(download_path AS BLOB)")
    }
  }

  private func expectBytes(at path: String) async throws {
    let type = try await shelf.queue.read { db in
      try String.fetchOne(db, sql: "SELECT typeof(download_path) FROM local_audio_file_downloads")
    }
    #expect(type == "blob")
    #expect(try await ledger.record("a")?.path == RelocatablePath(text: path))
  }

  @Test func aRepairWritesBytes() async throws {
    #expect(try await ledger.repairAll().rewritten == 1)
    try await expectBytes(at: "@caches/a.m4b")
  }

  @Test func aRecordWritesBytes() async throws {
    try await ledger.record("a", at: shelf.file("@caches/b.m4b"))
    try await expectBytes(at: "@caches/b.m4b")
  }

  @Test func aMoveWritesBytes() async throws {
    _ = try await ledger.repairAll()
    try await FileLifecycle(ledger).move("a", to: .documents)
    try await expectBytes(at: "@documents/a.m4b")
  }
}
