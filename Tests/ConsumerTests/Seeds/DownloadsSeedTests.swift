import Foundation
import Holdfast
import HoldfastFiles
import HoldfastLedger
import HoldfastTestSupport
import Testing

/// The table, the query and the log lines of the document about downloads, as it has them.
@Suite(.enabled(if: Seed.isThere("001"), "The document about downloads is absent."))
struct DownloadsSeedTests {
  private static let oldHome =
    "/var/mobile/Containers/Data/Application/ABC12345-0000-0000-0000-000000000000"

  /// SS-4, SS-5, SS-6: the table as it is declared, a repair, and the lines that it logs.
  @Test func aRepairOfTheSeedsTableLogsTheSeedsLines() async throws {
    // The handler is the process's own.
    await #expect(processExitsWith: .success) {
      let table = try #require(try Seed("001", language: "sql").blocks.first)
      let expected = try #require(
        try Seed("001", language: "").blocks.first { $0.contains("Repairing download status") })
      let lines = Journal<String>()
      Log.setHandler { event in if event.category == "ledger" { lines.append(event.message) } }
      let folder = try TemporaryDirectory()
      let container = Container(at: folder.url)
      let home = try container.createDirectory(at: RelocatablePath(.caches, "downloads"))
      try Data("book".utf8).write(to: home.appending(path: "book.m4b"))
      let queue = try DatabaseQueue(path: folder.file("app.db").path)
      try await queue.write { db in
        try db.execute(sql: table)
        try db.execute(
          sql: "INSERT INTO local_audio_file_downloads VALUES ('a', 1, ?, 1, 1)",
          arguments: ["file://\(DownloadsSeedTests.oldHome)/Library/Caches/downloads/book.m4b"])
      }
      let ledger = FileLedger(queue, container: container, table: .audioFileDownloads)
      try await ledger.adopt()
      #expect(await ledger.repairDownloadStatus(of: "item-123", ["a"]) == 1)
      let address = #/file://\S+/#
      #expect(
        lines.entries.map { $0.replacing(address, with: "file:") }
          == expected.split(separator: "\n").map { String($0).replacing(address, with: "file:") })
    }
  }

  /// SS-12: what the seed's own query reads is what is imported.
  @Test func theRowsOfTheSeedsQueryAreImported() async throws {
    let code = try #require(
      try Seed("001", language: "typescript").blocks.first { $0.contains("FROM audio_files") })
    let query = try #require(code.split(separator: "`").first { $0.contains("FROM audio_files") })
    let folder = try TemporaryDirectory()
    let queue = try DatabaseQueue(path: folder.file("app.db").path)
    let table = try #require(try Seed("001", language: "sql").blocks.first)
    try await queue.write { db in
      try db.execute(sql: table)
      try db.execute(
        sql: "CREATE TABLE audio_files (id TEXT, is_downloaded, download_path, downloaded_at)")
      for (id, isDownloaded, path) in [
        ("a", 1, "\(Self.oldHome)/Documents/downloads/a.m4b"), ("b", 0, "downloads/b.m4b"),
        ("c", 1, "downloads/c.m4b"), ("d", 1, nil as String?),
      ] {
        try db.execute(
          sql: "INSERT INTO audio_files VALUES (?, ?, ?, 1)", arguments: [id, isDownloaded, path])
      }
    }
    let ledger = FileLedger(
      queue, container: Container(at: folder.url), table: .audioFileDownloads)
    let report = try await ledger.importRecords(from: .audioFiles)
    let read = try await queue.read { db in
      try Row.fetchAll(db, sql: String(query)).map { $0["id"] as String }
    }
    #expect(report.imported == read.count)
    #expect(read == ["a", "c"])
    for id in read { #expect(try await ledger.record(RecordID(id)) != nil) }
  }
}
