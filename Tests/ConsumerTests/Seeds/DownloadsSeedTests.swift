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

  /// SS-1, SS-2: the two conversions, with the examples of the document.
  @Test func theSeedsConversionsAreOurs() throws {
    let blocks = try Seed("001", language: "typescript").blocks
    let folder = try TemporaryDirectory()
    let container = Container(at: folder.url)
    let caches = try container.url(for: RelocatablePath(.caches)).absoluteString
    let base = caches.hasSuffix("/") ? caches : caches + "/"

    let storing = try #require(blocks.first { $0.contains("Before storing:") })
    let before = try Self.value(after: "Before storing:", in: storing)
    #expect(
      try container.toAppRelativePath(Self.absolute(before, "ABC123", base))
        == Self.value(after: "After:", in: storing))

    let reading = try #require(blocks.first { $0.contains("Resolved:") })
    let resolved = try Self.value(after: "Resolved:", in: reading)
      .replacing(" (with current container)", with: "")
    #expect(
      try container.resolveAppPath(Self.value(after: "Stored:", in: reading))
        == Self.absolute(resolved, "XYZ789", base))
  }

  /// SS-5: the flow of a repair, with the paths of the document.
  @Test func theSeedsRepairFlowEndsWithTheExpectedPath() async throws {
    let flow = try #require(
      try Seed("001", language: "typescript").blocks.first { $0.contains("Expected path:") })
    func path(after word: String) throws -> String {
      try #require(
        try Self.value(after: word, in: flow).split(separator: " ").first.map(String.init))
    }
    let folder = try TemporaryDirectory()
    let container = Container(at: folder.url)
    let caches = try container.createDirectory(at: RelocatablePath(.caches)).absoluteString
    let base = caches.hasSuffix("/") ? caches : caches + "/"
    let stored = try Self.absolute(
      path(after: "Stored path:"), "ABC123", "file://\(Self.oldHome)/Library/Caches/")
    let expected = try Self.absolute(path(after: "Expected path:"), "XYZ789", base)
    let file = try #require(URL(string: expected))
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data("book".utf8).write(to: file)
    let queue = try DatabaseQueue(path: folder.file("app.db").path)
    let table = try #require(try Seed("001", language: "sql").blocks.first)
    try await queue.write { db in
      try db.execute(sql: table)
      try db.execute(
        sql: "INSERT INTO local_audio_file_downloads VALUES ('a', 1, ?, 1, 1)",
        arguments: [stored])
    }
    let ledger = FileLedger(queue, container: container, table: .audioFileDownloads)
    try await ledger.adopt()
    _ = try await ledger.repair("a")
    let text = try #require(try await ledger.record("a")?.storedText)
    #expect(try container.resolveAppPath(text) == expected)
  }

  /// SS-7: the lines of a refresh in the foreground.
  @Test func aRefreshLogsTheSeedsLines() async throws {
    // The handler is the process's own.
    await #expect(processExitsWith: .success) {
      let expected = try #require(
        try Seed("001", language: "").blocks.first { $0.contains("Cover URI changed") })
      let folder = try TemporaryDirectory()
      let container = Container(at: folder.url)
      let queue = try DatabaseQueue(path: folder.file("app.db").path)
      try await queue.write { db in
        try db.execute(
          sql: """
            CREATE TABLE local_cover_cache (
              media_id TEXT PRIMARY KEY, local_cover_url TEXT NOT NULL)
            """)
      }
      let covers = FileLedger(queue, container: container, table: .coverCache)
      try await covers.adopt()
      for name in ["old", "new"] {
        let home = try container.createDirectory(at: RelocatablePath(.caches, name, "covers"))
        try Data("image".utf8).write(to: home.appending(path: "item-123"))
      }
      try await covers.record("item-123", at: RelocatablePath(.caches, "old", "covers", "item-123"))
      let reference = await LiveReference(covers, "item-123")
      await reference.refreshed()
      try await covers.record("item-123", at: RelocatablePath(.caches, "new", "covers", "item-123"))
      let lines = Journal<String>()
      Log.setHandler { event in if event.category == "ledger" { lines.append(event.message) } }
      #expect(await reference.appMovedToForeground(after: .milliseconds(120_450)) { _ in })
      let address = #/file://\S+/#
      #expect(
        lines.entries.map { $0.replacing(address, with: "file:") }
          == expected.split(separator: "\n").map { String($0).replacing(address, with: "file:") })
    }
  }

  /// Returns the rest of the line with some words.
  private static func value(after words: String, in block: String) throws -> String {
    let line = try #require(block.split(separator: "\n").first { $0.contains(words) })
    let end = try #require(line.ranges(of: words).first?.upperBound)
    return line[end...].trimmingCharacters(in: .whitespaces)
  }

  /// Returns a path of the document with the part that it leaves out.
  private static func absolute(_ path: String, _ container: String, _ base: String) throws -> String
  {
    let left = "file://.../\(container)/.../"
    try #require(path.hasPrefix(left))
    return base + path.dropFirst(left.count)
  }
}
