import Foundation
import Holdfast
import HoldfastFiles
import HoldfastLedger

/// The chapter in which downloads are found whose absolute paths an older version of the app has
/// stored.
struct DownloadsChapter: DemoChapter {
  let title = "Downloads of an older version, stored with absolute paths, are found again"

  private static let tracks = ["quay", "ferry", "lighthouse", "market"]

  func run(_ stage: DemoStage) async throws {
    let paths = try await Self.download(in: stage.app)
    _ = try stage.moveContainer()
    let market = try RelocatablePath(.documents, "downloads", "market.m4b")
    try FileManager.default.removeItem(at: stage.app.container.url(for: market))
    try stage.prove(
      "the container moves, and none of the \(paths.count) stored paths leads to a file",
      paths.count == Self.tracks.count
        && !paths.contains { FileManager.default.fileExists(atPath: $0) })

    let library = try Self.open(in: stage.app)
    defer { library.closeIgnoringErrors() }
    let ledger = FileLedger(
      library, container: stage.app.container, table: .audioFileDownloads)
    try await ledger.adopt()
    let report = try await ledger.repairAll()
    let found = try await Self.existingFiles(of: ledger)
    try stage.prove(
      "a repair finds \(found.count), stores '\(found.first?.storedText ?? "")', and clears the "
        + "deleted one",
      report.rewritten == 3 && report.cleared == 1 && found.count == 3
        && !found.contains { $0.id == "market" })

    let cleared = try await ledger.record("market")
    try await ledger.restore("market")
    let restored = try await ledger.record("market")
    try stage.prove(
      "nothing is lost by that: the cleared record is restored as it was",
      cleared?.state == .cleared && restored?.state == .recorded
        && restored?.storedText == cleared?.storedText && restored?.path == market)
  }

  /// Stores files and their paths as the older version did.
  ///
  /// - Returns: The stored paths.
  private static func download(in app: DemoApp) async throws -> [String] {
    let folder = try RelocatablePath(.documents, "downloads")
    try app.container.createDirectory(at: folder)
    let library = try open(in: app)
    defer { library.closeIgnoringErrors() }
    try await library.write { db in
      try db.execute(
        sql: """
          CREATE TABLE local_audio_file_downloads (
            audio_file_id TEXT NOT NULL PRIMARY KEY,
            is_downloaded BOOLEAN NOT NULL DEFAULT TRUE,
            download_path TEXT NOT NULL,
            downloaded_at TIMESTAMP NOT NULL,
            updated_at TIMESTAMP NOT NULL)
          """)
      for track in tracks {
        let url = try app.container.url(for: folder.appending("\(track).m4b"))
        try Data("The sound of the \(track).".utf8).write(to: url)
        try db.execute(
          sql: "INSERT INTO local_audio_file_downloads VALUES (?, 1, ?, 1700000000, 1700000000)",
          arguments: [track, url.path(percentEncoded: false)])
      }
    }
    return try await library.read { db in
      try String.fetchAll(db, sql: "SELECT download_path FROM local_audio_file_downloads")
    }
  }

  /// Returns the records that are not cleared and whose files are where they say.
  private static func existingFiles(of ledger: FileLedger) async throws -> [LedgerRecord] {
    try await ledger.writer.read { db in
      var found: [LedgerRecord] = []
      let records = try ledger.records(db)
      while let record = try records.next() {
        if record.state == .recorded, let path = record.path,
          FileManager.default.fileExists(
            atPath: try ledger.container.url(for: path).path(percentEncoded: false))
        {
          found.append(record)
        }
      }
      return found
    }
  }

  private static func open(in app: DemoApp) throws -> DatabaseQueue {
    let folder = try RelocatablePath(.applicationSupport)
    try app.container.createDirectory(at: folder)
    let url = try app.container.url(for: folder.appending("downloads.sqlite"))
    return try DatabaseQueue(path: url.path(percentEncoded: false))
  }
}
