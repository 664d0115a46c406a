import Foundation
import Holdfast
import HoldfastFiles
import HoldfastTestSupport
import Testing

@testable import HoldfastLedger

/// What a repair must leave alone: rows, files and owners that changed or were not what they seemed.
struct RepairSafetyTests {
  private static let located =
    Bookshelf.seedTable
    + "ALTER TABLE local_audio_file_downloads ADD storage_location TEXT DEFAULT 'caches';"

  /// A ledger whose app does something while a record is examined.
  private func ledger(
    _ shelf: Bookshelf, _ table: LedgerTable = .audioFileDownloads,
    meanwhile: @escaping @Sendable () throws -> Void
  ) async throws -> FileLedger {
    let ledger = FileLedger(shelf.queue, container: shelf.container, table: table) { _ in
      try meanwhile()
      return []
    }
    try await ledger.adopt()
    return ledger
  }

  private func digest(_ shelf: Bookshelf, _ path: RelocatablePath) throws -> FileDigest {
    try FileDigest(of: shelf.container.url(for: path))
  }

  private func execute(_ shelf: Bookshelf, _ sql: String) throws {
    try shelf.queue.write { db in try db.execute(sql: sql) }
  }

  private func count(_ shelf: Bookshelf, _ sql: String) throws -> Int? {
    try shelf.queue.read { db in try Int.fetchOne(db, sql: sql) }
  }

  // MARK: - Tables that refuse

  /// A shelf with one absolute path, and a trigger of its table.
  private func guarded(_ event: String, trigger body: String) throws -> Bookshelf {
    let shelf = try Bookshelf()
    try shelf.file("@caches/a.m4b")
    try shelf.insert("a", "\(Bookshelf.oldHome)/Library/Caches/a.m4b")
    try execute(
      shelf,
      "CREATE TRIGGER guard \(event) UPDATE ON local_audio_file_downloads BEGIN \(body); END")
    return shelf
  }

  /// A change that a trigger took back was reported as made.
  @Test(arguments: [
    """
    UPDATE local_audio_file_downloads SET download_path = old.download_path
    WHERE audio_file_id = old.audio_file_id
    """,
    "SELECT RAISE(ABORT, 'the trigger says no')", "SELECT RAISE(IGNORE)",
  ])
  func aDryRunSaysWhatATriggerDoesToTheRepair(body: String) async throws {
    let shelf = try guarded(body.contains("RAISE") ? "BEFORE" : "AFTER", trigger: body)
    let ledger = try await shelf.adopted()
    let before = try await ledger.record("a")?.storedText
    for isDryRun in [true, false] {
      let report = try await ledger.repairAll(dryRun: isDryRun)
      #expect(report.refused == 1 && report.rewritten == 0)
      #expect(report.items.map(\.action) == [.none])
      #expect(report.items.first?.problem?.contains("trigger") == true)
      #expect(try shelf.text("a") == before)
    }
  }

  /// A refused change has no part that stays.
  @Test(arguments: [
    "DELETE FROM local_audio_file_downloads WHERE audio_file_id = new.audio_file_id",
    """
    INSERT INTO note VALUES (new.download_path);
    UPDATE local_audio_file_downloads SET download_path = 'D:other.m4b'
    WHERE audio_file_id = new.audio_file_id
    """,
  ])
  func whatATriggerMakesOfARefusedChangeIsTakenBack(body: String) async throws {
    let shelf = try guarded("AFTER", trigger: body)
    try execute(shelf, "CREATE TABLE note (path TEXT)")
    let ledger = try await shelf.adopted()
    let before = try await ledger.record("a")?.storedText
    for isDryRun in [true, false] {
      let report = try await ledger.repairAll(dryRun: isDryRun)
      #expect(report.refused == 1 && report.rewritten == 0)
      #expect(try shelf.text("a") == before)
      #expect(try count(shelf, "SELECT count(*) FROM note") == 0)
    }
  }

  @Test func aTriggerThatRollsTheTransactionBackEndsTheRepairWithItsName() async throws {
    let shelf = try guarded("BEFORE", trigger: "SELECT RAISE(ROLLBACK, 'all or nothing')")
    let ledger = try await shelf.adopted()
    for isDryRun in [true, false] {
      let error = await #expect(throws: LedgerError.self) {
        try await ledger.repairAll(dryRun: isDryRun)
      }
      #expect(error?.code == .unsuitableTable)
      #expect(error?.message.contains("all or nothing") == true)
      #expect(try shelf.isDownloaded("a") == true)
    }
  }

  @Test(arguments: [
    ("CREATE TABLE u (a UNIQUE ON CONFLICT ROLLBACK); INSERT INTO u VALUES (1)", "A constraint of"),
    ("CREATE TABLE u (a); DROP TABLE u", "no such table: main.u"),
  ])
  func whatATriggerMeetsIsNamed(sql: String, name: String) async throws {
    let shelf = try Bookshelf()
    try shelf.file("@caches/a.m4b")
    try shelf.insert("a", "\(Bookshelf.oldHome)/Library/Caches/a.m4b")
    try execute(
      shelf,
      sql + """
        ; CREATE TRIGGER guard AFTER UPDATE ON local_audio_file_downloads BEGIN
          INSERT INTO u VALUES (1);
        END
        """)
    let ledger = try await shelf.adopted()
    for isDryRun in [true, false] {
      let error = await #expect(throws: LedgerError.self) {
        try await ledger.repairAll(dryRun: isDryRun)
      }
      #expect(error?.code == .unsuitableTable)
      #expect(error?.message.contains(name) == true, "\(error?.message ?? "")")
    }
  }

  @Test(.timeLimit(.minutes(2))) func aTriggerWithoutAnEndEndsTheRepair() async throws {
    let shelf = try guarded(
      "AFTER",
      trigger: """
        SELECT (WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT max(x) FROM c)
        """)
    let ledger = try await shelf.adopted()
    let error = await #expect(throws: LedgerError.self) { try await ledger.repair("a") }
    #expect(error?.message.contains("steps") == true)
    #expect(try shelf.isDownloaded("a") == true)
  }

  @Test func aGeneratedPathColumnIsRefusedByADryRunToo() async throws {
    let table = Bookshelf.seedTable.replacing(
      "download_path TEXT NOT NULL",
      with: "stored TEXT, download_path TEXT GENERATED ALWAYS AS (stored) VIRTUAL")
    let shelf = try Bookshelf(table)
    try shelf.file("@caches/a.m4b")
    try execute(
      shelf,
      """
      INSERT INTO local_audio_file_downloads (audio_file_id, stored, downloaded_at, updated_at)
      VALUES ('a', '\(Bookshelf.oldHome)/Library/Caches/a.m4b', 1, 1)
      """)
    let ledger = try await shelf.adopted()
    for isDryRun in [true, false] {
      let error = await #expect(throws: LedgerError.self) {
        try await ledger.repairAll(dryRun: isDryRun)
      }
      #expect(error?.message.contains("generated") == true)
    }
    #expect(try count(shelf, "SELECT count(*) FROM local_audio_file_downloads") == 1)
  }

  @Test(arguments: [Int64.min, .max, 0])
  func aUseOfAFileIsNotedWhateverTheTimeBefore(number: Int64) async throws {
    let value = StoredTime.value(
      of: Date(timeIntervalSince1970: 1_700_000_000), like: number.databaseValue)
    #expect(value == (number == 0 ? 1_700_000_000 : 1_700_000_000_000 as Int64).databaseValue)
  }

  // MARK: - Rows that change meanwhile

  @Test func aRowThatMovedToDocumentsMeanwhileIsNotCleared() async throws {
    let shelf = try Bookshelf(Self.located)
    try shelf.insert("a", "gone.m4b")
    let queue = shelf.queue
    let ledger = try await ledger(shelf) {
      try queue.write { db in
        try db.execute(
          sql: "UPDATE local_audio_file_downloads SET storage_location = 'documents'")
      }
    }
    #expect(try await ledger.repairAll().cleared == 0)
    #expect(try shelf.isDownloaded("a") == true)
  }

  @Test(arguments: [true, false])
  func aFileThatWasDownloadedAgainMeanwhileIsNotCleared(isSingle: Bool) async throws {
    let shelf = try Bookshelf()
    try shelf.insert("a", "gone.m4b")
    let ledger = try await ledger(shelf) { try shelf.file("@caches/gone.m4b") }
    let report = try await isSingle ? ledger.repair("a") : ledger.repairAll()
    #expect(report.cleared == 0)
    #expect(try shelf.isDownloaded("a") == true)
  }

  @Test func aRowThatTheAppWithdrewMeanwhileGetsNoTombstone() async throws {
    let shelf = try Bookshelf()
    try shelf.insert("a", "gone.m4b")
    let queue = shelf.queue
    let ledger = try await ledger(shelf) {
      try queue.write { db in
        try db.execute(sql: "UPDATE local_audio_file_downloads SET is_downloaded = 0")
      }
    }
    #expect(try await ledger.repairAll().cleared == 0)
    #expect(try await ledger.record("a")?.state == .withdrawn)
  }

  @Test func aRowWithoutStateColumnThatChangedMeanwhileGetsNoTombstone() async throws {
    let shelf = try Bookshelf(
      """
      CREATE TABLE local_cover_cache (
        media_id TEXT PRIMARY KEY, local_cover_url TEXT NOT NULL);
      INSERT INTO local_cover_cache VALUES ('a', 'gone.jpg');
      """)
    let queue = shelf.queue
    let ledger = try await ledger(shelf, .coverCache) {
      try queue.write { db in
        try db.execute(sql: "UPDATE local_cover_cache SET local_cover_url = 'new.jpg'")
      }
    }
    #expect(try await ledger.repairAll().cleared == 0)
    #expect(try count(shelf, "SELECT count(*) FROM holdfast_ledger_files") == 0)
  }

  @Test func aRowWithAStoredMoveIsLeftToTheMove() async throws {
    let shelf = try Bookshelf()
    try shelf.insert("a", "gone.m4b")
    let ledger = try await shelf.adopted()
    try execute(
      shelf,
      """
      INSERT INTO holdfast_ledger_moves
      VALUES (1, 'a', '@caches/gone.m4b', '@documents/gone.m4b', 7)
      """)
    #expect(try await ledger.repairAll().cleared == 0)
    #expect(try shelf.isDownloaded("a") == true)
  }

  /// A move that is stored for a record, with what it may not decide about meanwhile.
  private func storeMove(_ shelf: Bookshelf) throws {
    try execute(
      shelf,
      """
      INSERT INTO holdfast_ledger_moves
      VALUES (1, 'a', '@caches/a.m4b', '@documents/a.m4b', 7)
      """)
  }

  @Test(arguments: [true, false])
  func aRepairDecidesAboutARowAfterItsMove(isSingle: Bool) async throws {
    let shelf = try Bookshelf()
    try shelf.insert("a", "a.m4b")
    try shelf.file("@documents/a.m4b")
    let ledger = try await shelf.adopted()
    try storeMove(shelf)
    let waiting = try await isSingle ? ledger.repair("a") : ledger.repairAll()
    #expect(waiting.items.isEmpty)
    #expect(try shelf.text("a") == "a.m4b")
    #expect(try shelf.isDownloaded("a") == true)
    try execute(shelf, "DELETE FROM holdfast_ledger_moves")
    let report = try await isSingle ? ledger.repair("a") : ledger.repairAll()
    #expect(report.items.map(\.action) == [.repaired(.otherRoot)])
  }

  @Test(arguments: [true, false])
  func anAbsolutePathIsRewrittenAfterTheMoveOfItsFile(isSingle: Bool) async throws {
    let shelf = try Bookshelf()
    let absolute = "\(Bookshelf.oldHome)/Library/Caches/a.m4b"
    try shelf.insert("a", absolute)
    try shelf.file("@caches/a.m4b")
    let ledger = try await shelf.adopted()
    try storeMove(shelf)
    let waiting = try await isSingle ? ledger.repair("a") : ledger.repairAll()
    #expect(waiting.rewritten == 0)
    #expect(try shelf.text("a") == absolute)
    try execute(shelf, "DELETE FROM holdfast_ledger_moves")
    #expect(try await (isSingle ? ledger.repair("a") : ledger.repairAll()).rewritten == 1)
    #expect(try shelf.text("a") == "a.m4b")
  }

  @Test func anUpdateThatATriggerIgnoresIsReported() async throws {
    let shelf = try Bookshelf()
    try shelf.file("@caches/a.m4b")
    try shelf.insert("a", "\(Bookshelf.oldHome)/Library/Caches/a.m4b")
    try execute(
      shelf,
      """
      CREATE TRIGGER guard BEFORE UPDATE ON local_audio_file_downloads
      BEGIN SELECT RAISE(IGNORE); END
      """)
    let report = try await shelf.adopted().repairAll()
    #expect(report.refused == 1)
    #expect(report.items.map(\.action) == [.none])
    #expect(report.items.first?.problem?.contains("trigger") == true)
  }

  // MARK: - Files that are there

  @Test(arguments: [true, false])
  func aFileInARootThatTheDialectCannotNameIsNotAbsent(isSingle: Bool) async throws {
    let shelf = try Bookshelf()
    try shelf.file(RelocatablePath(.applicationSupport, "book.m4b").description)
    try shelf.insert("a", "book.m4b")
    let ledger = try await shelf.adopted()
    let report = try await isSingle ? ledger.repair("a") : ledger.repairAll()
    #expect(report.cleared == 0)
    #expect(report.refused == 1)
    #expect(report.items.map(\.id) == ["a"])
    #expect(try shelf.isDownloaded("a") == true)
  }

  @Test func anOldDigestNeverReplacesTheAppsOwnPath() async throws {
    let shelf = try Bookshelf()
    let old = try shelf.file("@caches/old.m4b", "the old edition")
    try shelf.insert("a", "old.m4b")
    let ledger = try await shelf.adopted()
    try await ledger.record("a", at: old, digest: digest(shelf, old))
    try shelf.file("@caches/new.m4b", "the new one")
    try execute(shelf, "UPDATE local_audio_file_downloads SET download_path = 'new.m4b'")
    let report = try await ledger.repairAll()
    #expect(report.items.isEmpty)
    #expect(try shelf.text("a") == "new.m4b")
    #expect(try await ledger.record("a")?.digest == nil)
  }

  @Test(arguments: [true, false])
  func aFileThatIsPresentWithAnotherLengthIsOnlyReported(isSingle: Bool) async throws {
    let shelf = try Bookshelf()
    let path = try shelf.file("@caches/a.m4b", "the first edition")
    try shelf.insert("a", "a.m4b")
    let ledger = try await shelf.adopted()
    try await ledger.record("a", at: path, digest: digest(shelf, path))
    try shelf.file("@caches/copy.m4b", "the first edition")
    try shelf.file("@caches/a.m4b", "the second")
    let report = try await isSingle ? ledger.repair("a") : ledger.repairAll()
    #expect(report.repaired == 0)
    #expect(report.items.map(\.action) == [.none])
    #expect(report.items.first?.problem?.contains("bytes") == true)
    #expect(try shelf.text("a") == "a.m4b")
  }

  // MARK: - Tombstones

  @Test func aTombstoneOfAnEarlierDownloadDoesNotReviveAWithdrawnRecord() async throws {
    let shelf = try Bookshelf()
    try shelf.insert("a", "a.m4b")
    let ledger = try await shelf.adopted()
    #expect(try await ledger.repairAll().cleared == 1)
    try shelf.file("@caches/a.m4b")
    try execute(shelf, "UPDATE local_audio_file_downloads SET is_downloaded = 1")
    #expect(try await ledger.repairAll().items.isEmpty)
    try execute(shelf, "UPDATE local_audio_file_downloads SET is_downloaded = 0")
    #expect(try await ledger.repairAll().restored == 0)
    #expect(try await ledger.record("a")?.state == .withdrawn)
  }

  @Test(arguments: [true, false])
  func aRepairRemovesTheTombstoneOfARecordThatTheAppHasAgain(isSingle: Bool) async throws {
    let shelf = try Bookshelf()
    try shelf.insert("a", "a.m4b")
    let ledger = try await shelf.adopted()
    #expect(try await ledger.repairAll().cleared == 1)
    #expect(try count(shelf, "SELECT count(*) FROM holdfast_ledger_files") == 1)
    try shelf.file("@caches/a.m4b")
    try execute(shelf, "UPDATE local_audio_file_downloads SET is_downloaded = 1")
    _ = try await isSingle ? ledger.repair("a") : ledger.repairAll()
    #expect(try count(shelf, "SELECT count(*) FROM holdfast_ledger_files") == 0)
    #expect(try await ledger.record("a")?.state == .recorded)
  }

  @Test(arguments: [true, false])
  func aTombstoneStaysWhenAnotherRepairHasClearedTheRecordAgainMeanwhile(
    isSingle: Bool
  ) async throws {
    let shelf = try Bookshelf()
    try shelf.insert("a", "a.m4b")
    let queue = shelf.queue
    let ledger = try await ledger(shelf) {
      try queue.write { db in
        try db.execute(sql: "UPDATE local_audio_file_downloads SET is_downloaded = 0")
      }
    }
    #expect(try await shelf.ledger().repairAll().cleared == 1)
    // The app has the record again, without its file.
    try execute(shelf, "UPDATE local_audio_file_downloads SET is_downloaded = 1")
    _ = try await isSingle ? ledger.repair("a") : ledger.repairAll()
    #expect(try await ledger.record("a")?.state == .cleared)
    try await ledger.restore("a")
    #expect(try shelf.isDownloaded("a") == true)
  }

  @Test func aTombstoneOfAnotherPathDoesNotReviveAWithdrawnRecord() async throws {
    let shelf = try Bookshelf()
    try shelf.insert("a", "a.m4b")
    let ledger = try await shelf.adopted()
    #expect(try await ledger.repairAll().cleared == 1)
    try shelf.file("@caches/b.m4b")
    try execute(shelf, "UPDATE local_audio_file_downloads SET download_path = 'b.m4b'")
    #expect(try await ledger.record("a")?.state == .withdrawn)
    #expect(try await ledger.repairAll().restored == 0)
  }

  @Test func aClearedRecordIsNotRestoredToTheFileOfAnother() async throws {
    let shelf = try Bookshelf()
    try shelf.insert("a", "a.m4b")
    let ledger = try await shelf.adopted()
    #expect(try await ledger.repairAll().cleared == 1)
    try shelf.file("@caches/a.m4b")
    try shelf.insert("b", "a.m4b")
    #expect(try await ledger.repairAll().restored == 0)
    #expect(try shelf.isDownloaded("a") == false)
  }

  @Test func aClearedRecordIsNotRestoredToAnotherContent() async throws {
    let shelf = try Bookshelf()
    let path = try shelf.file("@caches/a.m4b", "content 1")
    try shelf.insert("a", "a.m4b")
    let ledger = try await shelf.adopted()
    try await ledger.record("a", at: path, digest: digest(shelf, path))
    try FileManager.default.removeItem(at: shelf.container.url(for: path))
    #expect(try await ledger.repairAll().cleared == 1)
    try shelf.file("@caches/a.m4b", "content 2")
    #expect(try await ledger.repairAll().restored == 0)
    #expect(try await ledger.repair("a").restored == 0)
    try shelf.file("@caches/a.m4b", "content 1")
    #expect(try await ledger.repairAll().restored == 1)
  }

  @Test func aClearedAbsoluteRowIsRewrittenAndNoSideTableKeepsItsPath() async throws {
    let shelf = try Bookshelf()
    for id in ["a", "b"] { try shelf.insert(id, "\(Bookshelf.oldHome)/Library/Caches/\(id).m4b") }
    var ledger = try await shelf.adopted()
    ledger.recordsPerTransaction = 1
    _ = try await ledger.repairAll(budget: .zero)
    let marks = "coalesce(path, '') || coalesce(key, '')"
    #expect(
      try count(
        shelf, "SELECT count(*) FROM holdfast_ledger_runs WHERE \(marks) LIKE '%/var/%'") == 0)
    #expect(try await ledger.repairAll().cleared == 2)
    #expect(try shelf.text("a") == "a.m4b")
    #expect(
      try count(
        shelf, "SELECT count(*) FROM holdfast_ledger_files WHERE cleared_path = '@caches/a.m4b'")
        == 1)
  }

  // MARK: - Runs

  @Test func aRepairFullOfUnknownsLeavesTheNextOneDue() async throws {
    let shelf = try Bookshelf()
    try shelf.insert("a", "one/a.m4b")
    let ledger = try await shelf.adopted()
    let fault = SystemFault(atCall: 1, .refuse([.open: .accessDenied, .lstat: .accessDenied]))
    let report = try await SystemCalls.$fault.withValue(fault) { try await ledger.repairAll() }
    #expect(report.unknown == 1)
    #expect(try await ledger.launchCheck().isRepairDue)
    #expect(try await ledger.repairAll().cleared == 1)
    #expect(try await !ledger.launchCheck().isRepairDue)
  }

  @Test func aBudgetOfNothingEndsWhenItIsRepeated() async throws {
    let shelf = try Bookshelf(Self.located)
    for number in 0..<10 { try shelf.insert("\(number)", "\(number).m4b") }
    for folder in ["a", "b", "c/d", "e"] { try shelf.file("@documents/\(folder)/book", "sought") }
    var ledger = try await shelf.adopted()
    let gone = try RelocatablePath(.caches, "gone.m4b")
    try await ledger.record(
      "0", at: gone,
      digest: FileDigest(
        of: shelf.container.url(
          for: RelocatablePath(.documents, "e", "book"))))
    ledger.recordsPerTransaction = 2
    var rounds = 0
    var repaired = 0
    while true {
      let report = try await ledger.repairAll(budget: .zero)
      rounds += 1
      repaired += report.repaired
      if report.isComplete || rounds == 100 { break }
    }
    #expect(rounds > 3 && rounds < 100)
    #expect(repaired == 1)
  }

  @Test(arguments: ["https://example.org/book.m4b", ""])
  func aRowThatStandsForNoFileByNowIsLeftAlone(_ text: String) async throws {
    let shelf = try Bookshelf()
    for number in 0..<4 { try shelf.insert("\(number)", "\(number).m4b") }
    var ledger = try await shelf.adopted(expecting: ["0": "@documents/found.m4b"])
    ledger.recordsPerTransaction = 1
    // The first row is noted as missing.
    #expect(try await !ledger.repairAll(budget: .zero).isComplete)
    try shelf.file("@documents/found.m4b")
    try await shelf.queue.write { db in
      try db.execute(
        sql: "UPDATE local_audio_file_downloads SET download_path = ? WHERE audio_file_id = '0'",
        arguments: [text])
    }
    let report = try await ledger.repairAll()
    #expect(report.isComplete)
    #expect(report.unknown == 0)
    #expect(try shelf.text("0") == text)
  }

  @Test func aRowThatWasRenumberedIsStillFound() async throws {
    let shelf = try Bookshelf()
    for number in 0..<6 { try shelf.insert("\(number)", "\(number).m4b") }
    try execute(shelf, "DELETE FROM local_audio_file_downloads WHERE audio_file_id < '3'")
    let ledger = try await shelf.adopted()
    _ = try await ledger.repairAll(budget: .zero)
    try await shelf.queue.writeWithoutTransaction { db in try db.execute(sql: "VACUUM") }
    let report = try await ledger.repairAll()
    #expect(report.isContinued)
    #expect(report.cleared == 3)
  }

  @Test func aFileThatMovedToTheDocumentsIsExcludedFromBackup() async throws {
    let shelf = try Bookshelf()
    let path = try shelf.file("@documents/book.m4b")
    try shelf.insert("a", "book.m4b")
    let report = try await shelf.adopted().repairAll()
    let exclusion = try #require(report.items.first?.backupExclusion)
    #expect(exclusion.path == path)
    let isExcluded = try FileAttributes(of: shelf.container.url(for: path)).isExcludedFromBackup
    #expect(exclusion.isExcluded == isExcluded)
    #expect(exclusion.isExcluded || exclusion.problem != nil)
  }

  /// Copies of the file would be without its folder's exclusion, and with its own.
  @Test func aFileWhoseFolderIsExcludedFromBackupIsNotExcludedItself() async throws {
    let shelf = try Bookshelf()
    let path = try shelf.file("@documents/books/new/book.m4b")
    let folder = try RelocatablePath(.documents, "books")
    try FileAttributes(isExcludedFromBackup: true).set(on: shelf.container.url(for: folder))
    try shelf.insert("a", "books/new/book.m4b")
    let report = try await shelf.adopted().repairAll()
    let exclusion = try #require(report.items.first?.backupExclusion)
    #expect(exclusion.path == folder)
    #expect(exclusion.isExcluded && exclusion.problem == nil)
    #expect(try !FileAttributes(of: shelf.container.url(for: path)).isExcludedFromBackup)
  }

  @Test func anUnknownLocationIsNoReasonToClear() async throws {
    let shelf = try Bookshelf(Self.located)
    try shelf.insert("a", "gone.m4b")
    try execute(shelf, "UPDATE local_audio_file_downloads SET storage_location = 'external'")
    let report = try await shelf.adopted().repairAll()
    #expect(report.unknown == 1)
    #expect(try shelf.isDownloaded("a") == true)
  }

  @Test func theNumberThatIsReturnedIsThatOfTheLog() async throws {
    await #expect(processExitsWith: .success) {
      let lines = Journal<String>()
      Log.setHandler { event in if event.category == "ledger" { lines.append(event.message) } }
      let shelf = try Bookshelf()
      let path = try shelf.file("@caches/a.m4b")
      try shelf.insert("a", shelf.container.url(for: path).path)
      try shelf.insert("b", "\(Bookshelf.oldHome)/Library/Caches/a.m4b")
      let ledger = try await shelf.adopted()
      _ = try await ledger.repair(["a"], of: "item", dryRun: true)
      #expect(lines.entries.isEmpty)
      #expect(await ledger.repairDownloadStatus(of: "item", ["a", "missing id"]) == 1)
      #expect(
        lines.entries.contains("[DownloadService] Repaired 1 file(s) for library item item"))
    }
  }

  // MARK: - Owners

  @Test(arguments: [true, false])
  func aHardLinkOfAnotherRecordsFileIsNotTaken(isSingle: Bool) async throws {
    let shelf = try Bookshelf()
    let path = try shelf.file("@caches/owned.m4b")
    try shelf.insert("owner", "owned.m4b")
    try shelf.insert("other", "other.m4b")
    try FileManager.default.linkItem(
      at: shelf.container.url(for: path),
      to: shelf.container.url(for: RelocatablePath(.documents, "other.m4b")))
    let ledger = try await shelf.adopted()
    let report = try await isSingle ? ledger.repair("other") : ledger.repairAll()
    #expect(report.repaired == 0)
    #expect(report.cleared == 1)
  }

  @Test(arguments: [true, false])
  func aFileInALinkedFolderHasOneOwner(isSingle: Bool) async throws {
    let shelf = try Bookshelf()
    let path = try shelf.file("@documents/real/book.m4b")
    let folder = try shelf.container.url(for: .documents)
    try FileManager.default.createSymbolicLink(
      at: folder.appending(path: "link"), withDestinationURL: folder.appending(path: "real"))
    try shelf.insert("owner", "D:link/book.m4b")
    try shelf.insert("other", "gone.m4b")
    let ledger = try await shelf.adopted(expecting: ["other": path.description])
    let report = try await isSingle ? ledger.repair("other") : ledger.repairAll()
    #expect(report.repaired == 0)
    #expect(report.cleared == 1)
  }

  /// The index of the files' owners is built for the first record and used for the second.
  @Test(arguments: [true, false])
  func aFileThatTheAppRecordsMeanwhileIsNotTaken(isOtherConnection: Bool) async throws {
    let shelf = try Bookshelf()
    let first = try shelf.file("@documents/first.m4b")
    let second = try shelf.file("@documents/second.m4b")
    try shelf.insert("a", "gone/a.m4b")
    try shelf.insert("b", "gone/b.m4b")
    let queue = shelf.queue
    let other = try DatabaseQueue(path: shelf.folder.url.appending(path: "app.db").path)
    var ledger = FileLedger(
      queue, container: shelf.container, table: .audioFileDownloads
    ) { record in
      guard record.id == "b" else { return [first] }
      try (isOtherConnection ? other : queue).write { db in
        try db.execute(
          sql: """
            INSERT INTO local_audio_file_downloads VALUES ('owner', 1, 'D:second.m4b', 1, 1)
            """)
      }
      return [second]
    }
    ledger.recordsPerTransaction = 1
    try await ledger.adopt()
    let report = try await ledger.repairAll()
    #expect(report.items.map(\.action) == [.repaired(.expectedPath), .cleared])
    #expect(report.items.map(\.id) == ["a", "b"])
    #expect(try shelf.text("a") == "D:first.m4b")
  }

  @Test func aFileThatTheAppGaveUpMeanwhileCanBeTaken() async throws {
    let shelf = try Bookshelf()
    let first = try shelf.file("@documents/first.m4b")
    let second = try shelf.file("@documents/second.m4b")
    try shelf.insert("a", "gone/a.m4b")
    try shelf.insert("b", "gone/b.m4b")
    try shelf.insert("owner", "D:second.m4b")
    let queue = shelf.queue
    var ledger = FileLedger(
      queue, container: shelf.container, table: .audioFileDownloads
    ) { record in
      guard record.id == "b" else { return [first] }
      try queue.write { db in
        try db.execute(sql: "DELETE FROM local_audio_file_downloads WHERE audio_file_id = 'owner'")
      }
      return [second]
    }
    ledger.recordsPerTransaction = 1
    try await ledger.adopt()
    #expect(try await ledger.repairAll().repaired == 2)
    #expect(try shelf.text("b") == "D:second.m4b")
  }
}
