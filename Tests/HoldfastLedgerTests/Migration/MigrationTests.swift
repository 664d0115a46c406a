import Foundation
import Holdfast
import HoldfastFiles
import HoldfastLedger
import HoldfastTestSupport
import Testing

struct MigrationTests {
  private static let oldTable = """
    CREATE TABLE audio_files (
      id TEXT PRIMARY KEY, is_downloaded BOOLEAN, download_path TEXT, downloaded_at TIMESTAMP);
    INSERT INTO audio_files VALUES
      ('a', 1, '\(Bookshelf.oldHome)/Documents/downloads/a.m4b', 111),
      ('b', 1, '/elsewhere/b.m4b', 222),
      ('c', 1, 'downloads/c.m4b', 333),
      ('d', 0, 'downloads/d.m4b', 444),
      ('e', 1, NULL, 555);
    """

  /// SS-12.
  @Test func oldRowsAreImportedAfterTheSchemaChange() async throws {
    let shelf = try Bookshelf(Self.oldTable + Bookshelf.seedTable)
    try shelf.insert("c", "C:mine.m4b")
    let ledger = shelf.ledger()
    let report = try await ledger.importRecords(from: .audioFiles)
    #expect(report.found == 3)
    #expect(report.imported == 1)
    #expect(report.alreadyRecorded == 1)
    #expect(report.failures.map(\.id) == ["b"])
    #expect(try shelf.text("a") == "D:downloads/a.m4b")
    #expect(try shelf.text("c") == "C:mine.m4b")
    let time = try await shelf.queue.read { db in
      try Int.fetchOne(
        db, sql: "SELECT downloaded_at FROM local_audio_file_downloads WHERE audio_file_id = 'a'")
    }
    #expect(time == 111)
    let again = try await ledger.importRecords(from: .audioFiles)
    #expect(again.imported == 0)
    #expect(again.alreadyRecorded == 2)
  }

  /// SS-12, SS-13.
  @Test func oldRowsAreKeptUntilTheSchemaChanges() async throws {
    let shelf = try Bookshelf(Self.oldTable)
    let ledger = shelf.ledger()
    #expect(try await ledger.importRecords(from: .audioFiles).kept == 3)
    try await shelf.queue.write { db in
      try db.execute(sql: "DROP TABLE audio_files;" + Bookshelf.seedTable)
    }
    let report = try await ledger.importRecords(from: .audioFiles)
    #expect(report.imported == 2)
    #expect(report.failures.count == 1)
    #expect(try shelf.text("c") == "downloads/c.m4b")
  }

  @Test func keptRowsSurviveARefreshOfTheOldTable() async throws {
    let shelf = try Bookshelf(Self.oldTable)
    let ledger = shelf.ledger()
    #expect(try await ledger.importRecords(from: .audioFiles).kept == 3)
    try await shelf.queue.write { db in
      try db.execute(
        sql: """
          UPDATE audio_files SET is_downloaded = 0 WHERE id <> 'a';
          UPDATE audio_files SET download_path = 'downloads/new.m4b' WHERE id = 'a';
          """ + Bookshelf.seedTable)
    }
    let report = try await ledger.importRecords(from: .audioFiles)
    #expect(report.imported == 2)
    #expect(report.failures.map(\.id) == ["b"])
    #expect(try shelf.text("a") == "downloads/new.m4b")
    #expect(try shelf.text("c") == "downloads/c.m4b")
  }

  @Test func aRowWithoutAnIdentifierIsReportedAndNotImported() async throws {
    let shelf = try Bookshelf(Self.oldTable + Bookshelf.seedTable)
    try await shelf.queue.write { db in
      try db.execute(
        sql: "DELETE FROM audio_files; INSERT INTO audio_files VALUES (NULL, 1, 'a.m4b', 1)")
    }
    for _ in 1...2 {
      let report = try await shelf.ledger().importRecords(from: .audioFiles)
      #expect(report.imported == 0)
      #expect(report.failures.map(\.storedText) == ["a.m4b"])
    }
    await #expect {
      try await shelf.ledger().record(
        RecordID(DatabaseValue.null), at: RelocatablePath(.documents, "a"))
    } throws: {
      ($0 as? LedgerError)?.code == .noRecord
    }
  }

  @Test func anImportThatFailsChangesNothing() async throws {
    let shelf = try Bookshelf(
      Self.oldTable + Bookshelf.seedTable + """
        CREATE TRIGGER twice AFTER INSERT ON local_audio_file_downloads
        WHEN new.audio_file_id = 'a' BEGIN
          INSERT INTO local_audio_file_downloads VALUES ('twin', 1, 'twin', 1, 1);
        END;
        """)
    await #expect { _ = try await shelf.ledger().importRecords(from: .audioFiles) } throws: {
      ($0 as? LedgerError)?.code == .unsuitableTable
    }
    #expect(try shelf.text("a") == nil)
  }

  /// SS-B20: the ledger's own table refers to no table of the app.
  @Test func aRefreshOfTheAppsTablesErasesNoRecord() async throws {
    let shelf = try Bookshelf("CREATE TABLE audio_files (id TEXT PRIMARY KEY)")
    let ledger = try await shelf.adopted(.own("files"))
    try await shelf.queue.write { db in
      #expect(try Bool.fetchOne(db, sql: "PRAGMA foreign_keys") == true)
      try db.execute(sql: "INSERT INTO audio_files VALUES ('a')")
      try ledger.record(db, "a", at: RelocatablePath(.documents, "a.m4b"))
      try db.execute(sql: "DELETE FROM audio_files")
    }
    #expect(try await ledger.record("a")?.state == .recorded)
  }

  /// SS-15.
  @Test func aResetLeavesANewDatabase() throws {
    let shelf = try Bookshelf()
    try shelf.insert("a", "a.m4b")
    let url = shelf.folder.url.appending(path: "app.db")
    let queue = try DatabaseReset.reset(shelf.queue, at: url) {
      let queue = try DatabaseQueue(path: url.path)
      try queue.write { db in try db.execute(sql: Bookshelf.seedTable) }
      return queue
    }
    let count = try queue.read { db in
      try Int.fetchOne(db, sql: "SELECT count(*) FROM local_audio_file_downloads")
    }
    #expect(count == 0)
  }

  /// SS-15: the log lies in a database of its own, which a reset neither needs nor touches.
  @Test func theLogInASecondDatabaseSurvivesAReset() async throws {
    // The handler is the process's own.
    await #expect(processExitsWith: .success) {
      let shelf = try Bookshelf()
      try shelf.queue.close()
      let url = shelf.folder.url.appending(path: "app.db")
      let log = try DatabaseQueue(path: shelf.folder.file("log.db").path)
      try await log.write { db in
        try db.execute(sql: "CREATE TABLE line (id INTEGER PRIMARY KEY, message TEXT NOT NULL)")
      }
      Log.setHandler { event in
        guard event.category == "ledger" else { return }
        do {
          try log.write { db in
            try db.execute(sql: "INSERT INTO line (message) VALUES (?)", arguments: [event.message])
          }
        } catch {
          fatalError("\(error)")
        }
      }
      @Sendable func open() throws -> DatabasePool {
        // The pool sets the journal mode, and the app how it synchronizes, for all connections.
        var configuration = Configuration()
        configuration.prepareDatabase { db in try db.execute(sql: "PRAGMA synchronous = NORMAL") }
        let pool = try DatabasePool(path: url.path, configuration: configuration)
        try pool.write { db in
          try db.execute(
            sql: Bookshelf.seedTable.replacing("CREATE TABLE", with: "CREATE TABLE IF NOT EXISTS"))
          #expect(try String.fetchOne(db, sql: "PRAGMA journal_mode") == "wal")
          #expect(try Int.fetchOne(db, sql: "PRAGMA synchronous") == 1)
        }
        return pool
      }
      @Sendable func lines() throws -> [String] {
        try log.read { db in try String.fetchAll(db, sql: "SELECT message FROM line ORDER BY id") }
      }
      @Sendable func repair(_ pool: DatabasePool) async throws {
        let ledger = FileLedger(pool, container: shelf.container, table: .audioFileDownloads)
        try await ledger.adopt()
        try await ledger.record("a", at: RelocatablePath(.documents, "a.m4b"))
        await ledger.repairDownloadStatus(of: "item", ["a"])
      }
      let pool = try await onOwnThread { try open() }
      try await repair(pool)
      let before = try await onOwnThread { try lines() }
      #expect(before.first == "[DownloadService] Repairing download status for item...")
      let new = try await onOwnThread {
        try DatabaseReset.reset(pool, at: url, reopening: open)
      }
      let rows = try await new.read { db in
        try Int.fetchOne(db, sql: "SELECT count(*) FROM local_audio_file_downloads")
      }
      #expect(rows == 0)
      // What was logged stays, and what comes is added.
      try await repair(new)
      #expect(try await onOwnThread { try lines() } == before + before)
    }
  }

  @Test func aFileThatCannotBeDeletedIsAnErrorOfTheFileWithItsErrno() throws {
    let shelf = try Bookshelf()
    let url = shelf.folder.url.appending(path: "app.db")
    let denied = SystemFault(atCall: 1, .refuse([.unlink: .accessDenied]))
    #expect {
      try SystemCalls.$fault.withValue(denied) {
        _ = try DatabaseReset.reset(shelf.queue, at: url) { try DatabaseQueue(path: url.path) }
      }
    } throws: { error in
      let error = error as? FileError
      return error?.code == .accessDenied && error?.errno == Errno.accessDenied.rawValue
    }
  }

  /// SS-B21.
  @Test func aResetIsRefusedWhileAnotherConnectionIsOpen() throws {
    let shelf = try Bookshelf()
    try shelf.insert("a", "a.m4b")
    let url = shelf.folder.url.appending(path: "app.db")
    let other = try DatabaseQueue(path: url.path)
    #expect {
      _ = try DatabaseReset.reset(shelf.queue, at: url) { try DatabaseQueue(path: url.path) }
    } throws: {
      ($0 as? LedgerError)?.code == .databaseInUse
    }
    let count = try other.read { db in
      try Int.fetchOne(db, sql: "SELECT count(*) FROM local_audio_file_downloads")
    }
    #expect(count == 1)
  }
}
