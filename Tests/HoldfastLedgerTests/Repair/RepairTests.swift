import Foundation
import Holdfast
import HoldfastFiles
import HoldfastLedger
import HoldfastTestSupport
import Testing

struct RepairTests {
  // MARK: - The order of the places

  /// SS-13.
  @Test(arguments: TemporaryDirectory.volumes)
  func anAbsolutePathOfAnOlderContainerBecomesRelative(volume: URL) async throws {
    let shelf = try Bookshelf(in: volume)
    try shelf.file("@caches/downloads/one/50%41 off.m4b")
    try shelf.file("@documents/downloads/one/book.m4b")
    let old = Bookshelf.oldHome
    try shelf.insert("a", "\(old)/Library/Caches/downloads/one/50%41 off.m4b")
    try shelf.insert("b", "file://\(old)/Library/Caches/downloads/one/50%2541%20off.m4b")
    try shelf.insert("c", "file://\(old)/Documents/downloads/one/book.m4b")
    let report = try await shelf.adopted().repairAll()
    #expect(report.rewritten == 3)
    #expect(report.isComplete)
    #expect(try shelf.text("a") == "downloads/one/50%41 off.m4b")
    #expect(try shelf.text("b") == "downloads/one/50%41 off.m4b")
    #expect(try shelf.text("c") == "D:downloads/one/book.m4b")
  }

  /// SS-5.
  @Test func theExpectedPathComesBeforeTheOtherRoots() async throws {
    let shelf = try Bookshelf()
    try shelf.file("@documents/downloads/new/book.m4b")
    try shelf.file("@documents/downloads/old/book.m4b")
    try shelf.insert("a", "C:downloads/old/book.m4b")
    let ledger = try await shelf.adopted(expecting: ["a": "@documents/downloads/new/book.m4b"])
    let report = try await ledger.repairAll()
    #expect(report.items.map(\.action) == [.repaired(.expectedPath)])
    #expect(try shelf.text("a") == "D:downloads/new/book.m4b")
  }

  /// SS-B2.
  @Test func aFileInDocumentsIsFoundThoughItsPathSaysCaches() async throws {
    let shelf = try Bookshelf()
    try shelf.file("@documents/downloads/one/book.m4b")
    try shelf.insert("a", "downloads/one/book.m4b")
    let report = try await shelf.adopted().repairAll()
    #expect(report.items.map(\.action) == [.repaired(.otherRoot)])
    #expect(try shelf.text("a") == "D:downloads/one/book.m4b")
  }

  @Test func aFileIsFoundByItsContentUnderAnyName() async throws {
    let shelf = try Bookshelf()
    let ledger = try await shelf.adopted()
    let old = try shelf.file("@caches/downloads/one/book.m4b", "the book")
    try shelf.file("@documents/other/book.m4b", "THE BOOK")
    let digest = try FileDigest(of: shelf.container.url(for: old))
    try shelf.insert("a", "downloads/one/book.m4b")
    try await ledger.record("a", at: old, digest: digest)
    let new = try shelf.file("@documents/other/renamed", "the book")
    try FileManager.default.removeItem(at: shelf.container.url(for: old))
    let report = try await ledger.repairAll()
    #expect(report.items.map(\.action) == [.repaired(.identity)])
    #expect(try await ledger.record("a")?.path == new)
  }

  // MARK: - Three answers

  @Test func aClearedRecordIsRestoredFromItsTombstone() async throws {
    let shelf = try Bookshelf()
    try shelf.insert("a", "downloads/one/book.m4b")
    let ledger = try await shelf.adopted()
    #expect(try await ledger.repairAll().cleared == 1)
    #expect(try shelf.isDownloaded("a") == false)
    #expect(try await ledger.record("a")?.state == .cleared)
    #expect(try shelf.text("a") == "downloads/one/book.m4b")
    try await ledger.restore("a")
    #expect(try shelf.isDownloaded("a") == true)
    #expect(try await ledger.record("a")?.state == .recorded)
  }

  @Test func aClearedRecordIsRestoredWhenItsFileIsThereAgain() async throws {
    let shelf = try Bookshelf()
    try shelf.insert("a", "downloads/one/book.m4b")
    let ledger = try await shelf.adopted()
    #expect(try await ledger.repairAll().cleared == 1)
    #expect(try await ledger.repairAll().cleared == 0)
    try shelf.file("@caches/downloads/one/book.m4b")
    let report = try await ledger.repairAll()
    #expect(report.restored == 1)
    #expect(try shelf.isDownloaded("a") == true)
  }

  @Test func aRecordThatTheAppWithdrewStaysWithdrawn() async throws {
    let shelf = try Bookshelf()
    try shelf.file("@caches/downloads/one/book.m4b")
    try shelf.insert("a", "downloads/one/book.m4b")
    try await shelf.queue.write { db in
      try db.execute(sql: "UPDATE local_audio_file_downloads SET is_downloaded = 0")
    }
    let ledger = try await shelf.adopted()
    #expect(try await ledger.repairAll().examined == 0)
    #expect(try await ledger.record("a")?.state == .withdrawn)
    #expect(try shelf.isDownloaded("a") == false)
  }

  @Test(arguments: [Errno.accessDenied, .notPermitted, .inputOutput])
  func whatCannotBeReadIsNotCleared(errno: Errno) async throws {
    let shelf = try Bookshelf()
    try shelf.insert("a", "downloads/one/book.m4b")
    let ledger = try await shelf.adopted()
    let fault = SystemFault(atCall: 1, .refuse([.open: errno, .lstat: errno]))
    let report = try await SystemCalls.$fault.withValue(fault) { try await ledger.repairAll() }
    #expect(report.unknown == 1)
    #expect(report.cleared == 0)
    #expect(try shelf.isDownloaded("a") == true)
    let single = try await SystemCalls.$fault.withValue(fault) { try await ledger.repair("a") }
    #expect(single.unknown == 1)
    #expect(try shelf.isDownloaded("a") == true)
  }

  /// SS-B3.
  @Test func noFailingCallClearsARecordWhoseFileIsThere() async throws {
    let shelf = try Bookshelf()
    try shelf.file("@documents/downloads/one/book.m4b")
    try shelf.insert("a", "downloads/one/book.m4b")
    let ledger = try await shelf.adopted()
    var call = 1
    while true {
      let fault = SystemFault(atCall: call, .failFromHere(.inputOutput))
      let report = try await SystemCalls.$fault.withValue(fault) {
        try await ledger.repairAll(dryRun: true)
      }
      #expect(report.cleared == 0, "the calls from \(call) on failed")
      guard fault.hasStruck else { break }
      call += 1
    }
    #expect(call > 5)
  }

  @Test func aContainerThatIsNotThereProvesNothing() async throws {
    let shelf = try Bookshelf()
    try shelf.insert("a", "downloads/one/book.m4b")
    try shelf.insert("b", "D:downloads/one/book.m4b")
    let ledger = FileLedger(
      shelf.queue, container: Container(at: shelf.folder.url.appending(path: "nowhere")),
      table: .audioFileDownloads)
    try await ledger.adopt()
    let report = try await ledger.repairAll()
    #expect(report.unknown == 2)
    #expect(report.cleared == 0)
  }

  /// SS-3.
  @Test func addressesAndEmptyPathsAreLeftAlone() async throws {
    let shelf = try Bookshelf()
    try shelf.insert("a", "")
    try shelf.insert("b", "https://example.org/book.m4b")
    try shelf.insert("c", "HTTP://example.org/book.m4b")
    let report = try await shelf.adopted().repairAll()
    #expect(report.withoutFile == 3)
    #expect(report.items.isEmpty)
    #expect(try shelf.text("b") == "https://example.org/book.m4b")
  }

  @Test func aPathThatLeavesItsRootIsNeverFollowed() async throws {
    let shelf = try Bookshelf()
    try Data("secret".utf8).write(to: shelf.folder.url.appending(path: "secret"))
    try shelf.insert("a", "D:../../../../../../secret")
    let report = try await shelf.adopted().repairAll()
    #expect(report.unknown == 1)
    #expect(try shelf.text("a") == "D:../../../../../../secret")
    #expect(try shelf.isDownloaded("a") == true)
  }

  // MARK: - One file, one owner

  @Test func aFileThatBelongsToARecordIsNotGivenToAnother() async throws {
    let shelf = try Bookshelf()
    try shelf.file("@documents/downloads/one/book.m4b")
    try shelf.insert("owner", "D:downloads/one/book.m4b")
    try shelf.insert("other", "downloads/one/book.m4b")
    let ledger = try await shelf.adopted()
    let single = try await ledger.repair("other", dryRun: true)
    #expect(single.items.map(\.action) == [.cleared])
    let report = try await ledger.repairAll()
    #expect(report.items.map(\.action) == [.cleared])
    #expect(try shelf.text("other") == "downloads/one/book.m4b")
  }

  @Test(arguments: [
    ("é.m4b", "e\u{301}.m4b"), ("book.m4b", "BOOK.m4b"), ("É.m4b", "e\u{301}.M4B"),
  ])
  func twoNamesOfOneFileAreOneFile(name: String, alias: String) async throws {
    let shelf = try Bookshelf()
    try shelf.file("@documents/downloads/one/\(name)")
    try shelf.insert("owner", "D:downloads/one/\(alias)")
    try shelf.insert("other", "downloads/one/\(name)")
    let ledger = try await shelf.adopted()
    let folding = SystemFault(atCall: 1, .foldNames)
    try await SystemCalls.$fault.withValue(folding) {
      #expect(try await ledger.repair("other", dryRun: true).repaired == 0)
      let report = try await ledger.repairAll()
      #expect(report.repaired == 0)
      #expect(report.items.map(\.id) == ["other"])
    }
    #expect(try shelf.text("owner") == "D:downloads/one/\(alias)")
  }

  @Test func theSecondNameOfALinkedFileIsNotAnotherFile() async throws {
    let shelf = try Bookshelf()
    let ledger = try await shelf.adopted()
    let path = try shelf.file("@caches/downloads/one/book.m4b")
    let digest = try FileDigest(of: shelf.container.url(for: path))
    try shelf.insert("owner", "downloads/one/book.m4b")
    try shelf.insert("other", "downloads/gone")
    try await ledger.record("other", at: RelocatablePath(.caches, "gone"), digest: digest)
    try FileManager.default.linkItem(
      at: shelf.container.url(for: path),
      to: shelf.container.url(for: RelocatablePath(.caches, "a second name")))
    #expect(try await ledger.repair("other", dryRun: true).cleared == 1)
    let report = try await ledger.repairAll()
    #expect(report.repaired == 0)
    #expect(report.cleared == 1)
  }

  // MARK: - Runs

  @Test func aDryRunWritesNothing() async throws {
    let shelf = try Bookshelf()
    try shelf.file("@documents/downloads/one/book.m4b")
    try shelf.insert("a", "downloads/one/book.m4b")
    try shelf.insert("b", "\(Bookshelf.oldHome)/Documents/downloads/one/book.m4b")
    try shelf.insert("c", "downloads/gone.m4b")
    let before = try Data(contentsOf: shelf.folder.url.appending(path: "app.db"))
    // Not adopted.
    let report = try await shelf.ledger().repairAll(dryRun: true)
    #expect(report.isDryRun)
    #expect(report.rewritten == 1)
    #expect(report.cleared == 2)
    #expect(try Data(contentsOf: shelf.folder.url.appending(path: "app.db")) == before)
  }

  @Test func aRepairThatIsNotAdoptedIsRefused() async throws {
    let shelf = try Bookshelf()
    await #expect { _ = try await shelf.ledger().repairAll() } throws: {
      ($0 as? LedgerError)?.code == .notAdopted
    }
  }

  @Test func aKilledRepairContinuesWhereItWas() async throws {
    let shelf = try Bookshelf()
    for number in 0..<20 {
      try shelf.file("@caches/downloads/\(number % 4)/\(number).m4b")
      try shelf.insert(
        "\(number)", "\(Bookshelf.oldHome)/Library/Caches/downloads/\(number % 4)/\(number).m4b")
    }
    try await shelf.ledger().adopt()
    try shelf.queue.close()
    let folder = shelf.folder.url
    await #expect(processExitsWith: .signal(SIGKILL)) { [folder = folder as URL] in
      let queue = try DatabaseQueue(path: folder.appending(path: "app.db").path)
      let home = folder.appending(
        path: "Containers/Data/Application/11111111-0000-0000-0000-000000000000")
      var ledger = FileLedger(queue, container: Container(at: home), table: .audioFileDownloads)
      ledger.recordsPerTransaction = 3
      _ = try await ledger.repairAll { item in
        if item.from.hasSuffix("/2/10.m4b") { kill(getpid(), SIGKILL) }
      }
    }
    let queue = try DatabaseQueue(path: folder.appending(path: "app.db").path)
    let done = try await queue.read { db in
      try Int.fetchOne(
        db,
        sql: "SELECT count(*) FROM local_audio_file_downloads WHERE download_path LIKE 'downl%'")
    }
    #expect(done == 9)
    let ledger = FileLedger(queue, container: shelf.container, table: .audioFileDownloads)
    let report = try await ledger.repairAll()
    #expect(report.isContinued)
    #expect(report.rewritten == 11)
    #expect(report.examined == 11)
    #expect(report.isComplete)
    #expect(try await ledger.metrics().rewritten == 20)
    #expect(try await ledger.repairAll().isContinued == false)
  }

  /// A column that is declared as STRING has numeric affinity.
  @Test(arguments: ["TEXT", "STRING", "INTEGER", ""])
  func absolutePathsInAColumnOfAnyTypeAreAllRewrittenInSeveralRuns(type: String) async throws {
    let shelf = try Bookshelf("CREATE TABLE book (id INTEGER PRIMARY KEY, path \(type))")
    for number in 1...4 {
      try shelf.file("@caches/\(number).m4b")
      try await shelf.queue.write { db in
        try db.execute(
          sql: "INSERT INTO book VALUES (?, ?)",
          arguments: [number, "\(Bookshelf.oldHome)/Library/Caches/\(number).m4b"])
      }
    }
    var ledger = try await shelf.adopted(
      LedgerTable(
        name: "book", idColumns: ["id"], pathColumn: "path", dialect: .relative(to: .caches)))
    ledger.recordsPerTransaction = 1
    #expect(try await !ledger.repairAll(budget: .zero).isComplete)
    #expect(try await ledger.repairAll().isComplete)
    let texts = try await shelf.queue.read { db in
      try String.fetchAll(db, sql: "SELECT path FROM book ORDER BY id")
    }
    #expect(texts == (1...4).map { "\($0).m4b" })
  }

  @Test func aRepairWithoutTimeContinuesLater() async throws {
    let shelf = try Bookshelf()
    try shelf.insert("a", "downloads/gone.m4b")
    let ledger = try await shelf.adopted()
    let first = try await ledger.repairAll(budget: .zero)
    #expect(!first.isComplete)
    #expect(first.cleared == 0)
    let second = try await ledger.repairAll()
    #expect(second.isContinued)
    #expect(second.cleared == 1)
  }

  @Test func aRowThatChangedMeanwhileIsNotOverwritten() async throws {
    let shelf = try Bookshelf()
    try shelf.insert("a", "downloads/gone.m4b")
    let queue = shelf.queue
    let ledger = FileLedger(
      queue, container: shelf.container, table: .audioFileDownloads
    ) { _ in
      // The app records a new download while the repair looks for the old one.
      try queue.write { db in
        try db.execute(sql: "UPDATE local_audio_file_downloads SET download_path = 'new.m4b'")
      }
      return []
    }
    try await ledger.adopt()
    let report = try await ledger.repairAll()
    #expect(report.cleared == 0)
    #expect(try shelf.text("a") == "new.m4b")
    #expect(try shelf.isDownloaded("a") == true)
  }

  @Test func aTriggerThatRefusesOneRowDoesNotStopTheOthers() async throws {
    let shelf = try Bookshelf()
    for id in ["a", "b", "c"] {
      try shelf.file("@caches/\(id).m4b")
      try shelf.insert(id, "\(Bookshelf.oldHome)/Library/Caches/\(id).m4b")
    }
    try await shelf.queue.write { db in
      try db.execute(
        sql: """
          CREATE TRIGGER guard BEFORE UPDATE ON local_audio_file_downloads
          WHEN old.audio_file_id = 'b' BEGIN SELECT RAISE(ABORT, 'not this one'); END
          """)
    }
    let report = try await shelf.adopted().repairAll()
    #expect(report.rewritten == 2)
    #expect(report.refused == 1)
    #expect(report.items.contains { $0.id == "b" && $0.problem?.contains("not this one") == true })
    #expect(try shelf.text("c") == "c.m4b")
  }

  @Test func metricsTellHowOftenRepairsWereNeeded() async throws {
    let shelf = try Bookshelf()
    try shelf.file("@documents/book.m4b")
    try shelf.insert("a", "book.m4b")
    let ledger = try await shelf.adopted()
    _ = try await ledger.repair("a")
    _ = try await ledger.repair("a")
    _ = try await ledger.repairAll()
    let metrics = try await ledger.metrics()
    // The second repair of the item had nothing to do.
    #expect(metrics.repairs == 2)
    #expect(metrics.repairsWithChanges == 1)
    #expect(metrics.repaired == 1)
    #expect(metrics.examined == 2)

    // Numbers that no repair writes ended the process.
    try await shelf.queue.write { db in
      try db.execute(sql: "UPDATE holdfast_ledger_runs SET examined = \(Int64.max)")
    }
    #expect(try await ledger.metrics().examined == .max)
  }

  @Test func anObservationSeesARepair() async throws {
    let shelf = try Bookshelf()
    try shelf.file("@documents/book.m4b")
    try shelf.insert("a", "book.m4b")
    let ledger = try await shelf.adopted()
    let observation = ValueObservation.tracking { db in try ledger.record(db, "a")?.path }
    var paths = observation.values(in: shelf.queue).makeAsyncIterator()
    #expect(try await paths.next() == RelocatablePath(.caches, "book.m4b"))
    _ = try await ledger.repair("a")
    #expect(try await paths.next() == RelocatablePath(.documents, "book.m4b"))
  }
}
