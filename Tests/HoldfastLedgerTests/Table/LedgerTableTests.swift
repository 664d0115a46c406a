import Foundation
import Holdfast
import HoldfastFiles
import HoldfastLedger
import HoldfastTestSupport
import Testing

struct LedgerTableTests {
  @Test func absolutePathsWithoutADialectRefuseAdoption() async throws {
    let shelf = try Bookshelf()
    try shelf.insert("a", "file:///var/x")
    var table = LedgerTable.audioFileDownloads
    table.dialect = nil
    await #expect { try await shelf.ledger(table).adopt() } throws: {
      ($0 as? LedgerError)?.code == .absolutePaths
    }
    let tables = try await shelf.queue.read { db in
      try String.fetchAll(db, sql: "SELECT name FROM sqlite_schema WHERE name LIKE 'holdfast%'")
    }
    #expect(tables == [])
  }

  @Test func aTableWithoutTheColumnsIsRefused() async throws {
    let shelf = try Bookshelf()
    let missing = LedgerTable(
      name: "local_audio_file_downloads", idColumns: ["audio_file_id"], pathColumn: "file",
      dialect: .text)
    await #expect { try await shelf.ledger(missing).adopt() } throws: {
      ($0 as? LedgerError)?.message.contains("'file'") == true
    }
    let ambiguous = LedgerTable(
      name: "local_audio_file_downloads", idColumns: ["downloaded_at"], pathColumn: "download_path",
      dialect: .text)
    await #expect { try await shelf.ledger(ambiguous).adopt() } throws: {
      ($0 as? LedgerError)?.message.contains("unique") == true
    }
  }

  @Test func namesAndKeysMayBeOdd() async throws {
    let shelf = try Bookshelf(
      #"""
      CREATE TABLE "my ""files""" (
        "key" TEXT, source INT, "byte_count" TEXT, rowid TEXT, oid TEXT, _rowid_ TEXT,
        PRIMARY KEY ("key", source)) WITHOUT ROWID;
      INSERT INTO "my ""files""" ("key", source, byte_count) VALUES
        ('it''s', 1, 'a b.m4b'), ('e', 2, 'moved.m4b'), ('e' || char(769), 2, 'gone.m4b');
      """#)
    try shelf.file("@caches/a b.m4b")
    try shelf.file("@documents/moved.m4b")
    let table = LedgerTable(
      name: "MY \"files\"", idColumns: ["KEY", "source"], pathColumn: "byte_count",
      dialect: .tagged(["D:": .documents], bareRoot: .caches))
    let ledger = try await shelf.adopted(table)
    let report = try await ledger.repairAll()
    #expect(report.examined == 3)
    #expect(report.repaired == 1)
    #expect(report.cleared == 1)
    #expect(try await ledger.record(["e", 2])?.storedText == "D:moved.m4b")
    // The same text for Swift, but another one for SQLite.
    #expect(try await ledger.record(["e\u{301}", 2])?.state == .cleared)
    try await ledger.restore(["e\u{301}", 2])
    #expect(try await ledger.record(["e\u{301}", 2])?.state == .recorded)
  }

  @Test func rowsWithoutIdentifierAreLeftOut() async throws {
    let shelf = try Bookshelf()
    try await shelf.queue.write { db in
      try db.execute(
        sql: "INSERT INTO local_audio_file_downloads VALUES (NULL, 1, 'gone.m4b', 1, 1)")
    }
    let report = try await shelf.adopted().repairAll()
    #expect(report.examined == 0)
  }

  /// SS-3, SS-4.
  @Test func aLocatedRowKeepsItsFormAndGetsItsLocation() async throws {
    let shelf = try Bookshelf(
      Bookshelf.seedTable
        + "ALTER TABLE local_audio_file_downloads ADD storage_location TEXT DEFAULT 'caches';")
    try shelf.file("@documents/downloads/a.m4b")
    try shelf.file("@documents/downloads/b.m4b")
    try shelf.insert("a", "downloads/a.m4b")
    try shelf.insert("b", "D:downloads/b.m4b")
    let ledger = try await shelf.adopted()
    let report = try await ledger.repairAll()
    #expect(report.repaired == 1)
    #expect(report.rewritten == 1)
    let rows = try await shelf.queue.read { db in
      try Row.fetchAll(
        db,
        sql: """
          SELECT download_path, storage_location FROM local_audio_file_downloads
          ORDER BY audio_file_id
          """
      ).map { "\($0[0] as String) \($0[1] as String)" }
    }
    #expect(rows == ["downloads/a.m4b documents", "D:downloads/b.m4b documents"])
  }

  @Test func theLedgersOwnTableIsCreatedAndWritten() async throws {
    let shelf = try Bookshelf()
    let ledger = try await shelf.adopted(.own("my file"))
    let path = try shelf.file("@documents/book.m4b")
    try await ledger.record("a", at: path)
    let record = try #require(try await ledger.record("a"))
    #expect(record.path == path)
    #expect(record.storedText == "@documents/book.m4b")
    #expect(ledger.presence(of: record) == .present)
    try await ledger.adopt()
    #expect(try await ledger.record("a")?.path == path)
  }

  @Test func aPathThatTheDialectCannotNameIsRefused() async throws {
    let shelf = try Bookshelf()
    let ledger = try await shelf.adopted()
    let path = try RelocatablePath(.temporary, "book.m4b")
    await #expect { try await ledger.record("a", at: path) } throws: {
      ($0 as? LedgerError)?.code == .unwritablePath
    }
  }

  @Test func aNewRecordHasTheTimesOfTheOthers() async throws {
    let shelf = try Bookshelf()
    try shelf.insert("a", "a.m4b")
    let ledger = try await shelf.adopted()
    try await ledger.record("b", at: RelocatablePath(.caches, "b.m4b"))
    let type = try await shelf.queue.read { db in
      try String.fetchOne(
        db,
        sql: """
          SELECT typeof(downloaded_at) || (updated_at > 1700000000 AND updated_at < 9999999999)
          FROM local_audio_file_downloads WHERE audio_file_id = 'b'
          """)
    }
    #expect(type == "integer1")
  }
}
