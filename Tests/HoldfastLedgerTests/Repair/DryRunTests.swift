import Foundation
import Holdfast
import HoldfastFiles
import HoldfastTestSupport
import Testing

@testable import HoldfastLedger

/// What a dry run says, the run does, also where one change decides about another.
@Suite struct DryRunTests {
  private func execute(_ shelf: Bookshelf, _ sql: String) throws {
    try shelf.queue.write { db in try db.execute(sql: sql) }
  }

  private func home(_ number: Int) -> String {
    "/var/mobile/Containers/Data/Application/ABC12345-0000-0000-0000-00000000000\(number)"
  }

  /// Expects that a dry run leaves the database as it is, and says what the run says.
  @discardableResult
  private func expectSame(
    _ shelf: Bookshelf, sourceLocation: SourceLocation = #_sourceLocation,
    _ repair: (_ isDryRun: Bool) async throws -> RepairReport
  ) async throws -> RepairReport {
    let file = shelf.folder.url.appending(path: "app.db")
    let before = try Data(contentsOf: file)
    var dry = try await repair(true)
    #expect(try Data(contentsOf: file) == before, sourceLocation: sourceLocation)
    #expect(dry.isDryRun, sourceLocation: sourceLocation)
    var run = try await repair(false)
    let report = run
    (dry.isDryRun, dry.duration, run.duration) = (false, .zero, .zero)
    // Only a run changes files.
    for index in run.items.indices { run.items[index].backupExclusion = nil }
    #expect(dry == run, sourceLocation: sourceLocation)
    return report
  }

  /// Two records with absolute paths of one file, of which a unique index allows one.
  private func rivals() async throws -> (shelf: Bookshelf, ledger: FileLedger) {
    let shelf = try Bookshelf()
    try execute(
      shelf, "CREATE UNIQUE INDEX one ON local_audio_file_downloads (download_path)")
    try shelf.file("@caches/book.m4b")
    try shelf.insert("a", "\(home(1))/Library/Caches/book.m4b")
    try shelf.insert("b", "\(home(2))/Library/Caches/book.m4b")
    return (shelf, try await shelf.adopted())
  }

  @Test(arguments: [1, 100])
  func ofTwoRecordsForWhichThereIsOnePathOneIsRefused(chunk: Int) async throws {
    var (shelf, ledger) = try await rivals()
    ledger.recordsPerTransaction = chunk
    let shared = ledger
    let report = try await expectSame(shelf) { try await shared.repairAll(dryRun: $0) }
    #expect(report.rewritten == 1 && report.refused == 1)
  }

  @Test func recordsThatAreNamedAreTriedOneAfterAnother() async throws {
    let (shelf, ledger) = try await rivals()
    let report = try await expectSame(shelf) { try await ledger.repair(["a", "b"], dryRun: $0) }
    #expect(report.rewritten == 1 && report.refused == 1)
  }

  @Test func aTriggerThatRepairsTheOtherRecordsLeavesThemToItself() async throws {
    let shelf = try Bookshelf()
    for name in ["a", "b", "c"] {
      try shelf.file("@caches/\(name).m4b")
      try shelf.insert(name, "\(home(1))/Library/Caches/\(name).m4b")
    }
    try execute(
      shelf,
      """
      CREATE TRIGGER t AFTER UPDATE OF download_path ON local_audio_file_downloads
      WHEN new.audio_file_id = 'a' BEGIN
        UPDATE local_audio_file_downloads SET download_path = audio_file_id || '.m4b'
        WHERE audio_file_id <> 'a';
      END
      """)
    let ledger = try await shelf.adopted()
    let report = try await expectSame(shelf) { try await ledger.repairAll(dryRun: $0) }
    #expect(report.rewritten == 1 && report.items.map(\.id) == ["a"])
  }

  @Test func aFileThatARecordHasGotIsNotAnothersInEitherRun() async throws {
    let shelf = try Bookshelf()
    try shelf.file("@documents/here/book.m4b")
    try shelf.insert("a", "one/book.m4b")
    try shelf.insert("b", "two/book.m4b")
    let ledger = try await shelf.adopted(
      expecting: ["a": "@documents/here/book.m4b", "b": "@documents/here/book.m4b"])
    let report = try await expectSame(shelf) { try await ledger.repairAll(dryRun: $0) }
    #expect(report.repaired == 1 && report.cleared == 1)
    let again = try await expectSame(shelf) { try await ledger.repairAll(dryRun: $0) }
    #expect(again.items == [])
  }

  /// The commit of a repair checks what its statements have deferred.
  @Test func aDeferredForeignKeyEndsBothRuns() async throws {
    let shelf = try Bookshelf(
      Bookshelf.seedTable.replacing(
        "download_path TEXT NOT NULL",
        with: """
          download_path TEXT NOT NULL REFERENCES allowed (path) DEFERRABLE INITIALLY DEFERRED
          """) + "CREATE TABLE allowed (path TEXT PRIMARY KEY);")
    try shelf.file("@caches/book.m4b")
    let path = "\(home(1))/Library/Caches/book.m4b"
    try execute(shelf, "INSERT INTO allowed VALUES ('\(path)')")
    try shelf.insert("a", path)
    let ledger = try await shelf.adopted()
    for isDryRun in [true, false] {
      let error = await #expect(throws: DatabaseError.self) {
        try await ledger.repairAll(dryRun: isDryRun)
      }
      #expect(error?.extendedResultCode == .SQLITE_CONSTRAINT_FOREIGNKEY, "\(isDryRun)")
      #expect(try shelf.text("a") == path)
    }
  }

  /// The app's closure uses the database, which the dry run holds, as it may in a repair.
  @Test func theExpectedPathsMayBeReadFromTheDatabase() async throws {
    let shelf = try Bookshelf()
    try execute(
      shelf,
      """
      CREATE TABLE book (id TEXT, path TEXT);
      INSERT INTO book VALUES ('a', '@documents/here.m4b')
      """)
    try shelf.file("@documents/here.m4b")
    try shelf.insert("a", "gone.m4b")
    let queue = shelf.queue
    let ledger = FileLedger(
      queue, container: shelf.container, table: .audioFileDownloads
    ) { record in
      try queue.read { db in
        try String.fetchAll(
          db, sql: "SELECT path FROM book WHERE id = ?", arguments: ["\(record.id)"])
      }.map { try RelocatablePath(text: $0) }
    }
    try await ledger.adopt()
    let report = try await expectSame(shelf) { try await ledger.repairAll(dryRun: $0) }
    #expect(report.items.map(\.to) == ["D:here.m4b"])
    try await queue.write { db in #expect(!db.allowsNestedAccesses) }
  }

  @Test func aDryRunOfATableThatIsNotAdoptedLeavesNoTables() async throws {
    let shelf = try Bookshelf()
    try shelf.file("@caches/a.m4b")
    try shelf.insert("a", "\(home(1))/Library/Caches/a.m4b")
    let ledger = shelf.ledger()
    let dry = try await ledger.repairAll(dryRun: true)
    #expect(dry.rewritten == 1)
    try await shelf.queue.read { db in
      for schema in ["main", "temp"] {
        let names = try String.fetchAll(db, sql: "SELECT name FROM \(schema).sqlite_schema")
        #expect(names.allSatisfy { !$0.contains("holdfast") }, "\(names)")
      }
    }
    try await ledger.adopt()
    #expect(try await ledger.repairAll().items == dry.items)
  }

  /// The run continues it, and so does the dry run.
  @Test func aDryRunSaysWhatIsLeftOfAnInterruptedRepair() async throws {
    let shelf = try Bookshelf()
    for number in 0..<6 {
      try shelf.file("@caches/\(number).m4b")
      try shelf.insert("\(number)", "\(home(1))/Library/Caches/\(number).m4b")
    }
    var ledger = try await shelf.adopted()
    ledger.recordsPerTransaction = 2
    let shared = ledger
    #expect(try await !shared.repairAll(budget: .zero).isComplete)
    let report = try await expectSame(shelf) { try await shared.repairAll(dryRun: $0) }
    #expect(report.isContinued && report.rewritten == 4)
  }
}
