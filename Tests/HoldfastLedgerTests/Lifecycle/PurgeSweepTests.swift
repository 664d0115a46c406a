import Foundation
import Holdfast
import HoldfastFiles
import HoldfastTestSupport
import Testing

@testable import HoldfastLedger

/// SS-8, SS-B16: files that the system has deleted in the caches.
struct PurgeSweepTests {
  private let folder: TemporaryDirectory
  private let app: DownloadsApp
  private let now = Date(timeIntervalSince1970: 1_700_000_000)

  init() async throws {
    folder = try TemporaryDirectory()
    app = try await DownloadsApp(at: folder.url)
  }

  private func purge(_ ids: String...) throws {
    for id in ids {
      try FileManager.default.removeItem(
        at: app.url(DownloadsApp.path(.caches, "\(id).m4b")))
    }
  }

  private func state(_ id: String) async throws -> LedgerRecord.State? {
    try await app.ledger.record(RecordID(id))?.state
  }

  private func notices() async throws -> [PurgedFile] {
    var values = app.lifecycle.purgedFiles.values(in: app.pool).makeAsyncIterator()
    return try #require(await values.next())
  }

  @Test func everyPurgedFileIsFoundInOneIdlePeriod() async throws {
    for id in ["a", "b", "c"] { try await app.add(id, .caches) }
    try await app.add("d", .documents)
    try purge("a", "c")
    let report = try await app.lifecycle.sweepPurged(at: now)
    #expect(report.isComplete)
    #expect(report.examined == 4)
    #expect(Set(report.purged.map(\.id)) == ["a", "c"])
    #expect(report.purged.allSatisfy { $0.foundAt == now && $0.path.root == .caches })
    #expect(try await state("a") == .cleared)
    #expect(try await state("b") == .recorded)
    #expect(try await app.lifecycle.sweepPurged(at: now).purged == [])
    // Undoable from the tombstone.
    try await app.ledger.restore("a")
    #expect(try await state("a") == .recorded)
  }

  @Test func aSweepContinuesWhereItStopped() async throws {
    for number in 1...9 { try await app.add("f\(number)", .caches) }
    try purge("f2", "f9")
    var found: [RecordID] = []
    var calls = 0
    var isComplete = false
    while !isComplete, calls < 20 {
      // Each in a launch of its own, and with no time at all.
      let launch = try await DownloadsApp(at: folder.url)
      let report = try await launch.lifecycle.sweepPurged(
        budget: .zero, recordLimit: 2, at: now)
      #expect(report.examined <= 2)
      found += report.purged.map(\.id)
      isComplete = report.isComplete
      calls += 1
    }
    #expect(calls == 5)
    #expect(found == ["f2", "f9"])
    let check = try await app.ledger.launchCheck(now: now)
    #expect(!check.isSweepDue)
    let nextDay = try await app.ledger.launchCheck(now: now.addingTimeInterval(86_401))
    #expect(nextDay.isSweepDue)
    let clockSetBack = try await app.ledger.launchCheck(now: now.addingTimeInterval(-900_000))
    #expect(clockSetBack.isSweepDue)
  }

  @Test func manyPurgedFilesAreFoundByOneRepairOfTheTable() async throws {
    for number in 1...70 { try await app.add("f\(number)", .caches, "audio \(number)") }
    let caches = try app.url(RelocatablePath(.caches, "downloads"))
    try FileManager.default.removeItem(at: caches)
    let report = try await app.lifecycle.sweepPurged(at: now)
    #expect(report.purged.count == 70)
    #expect(report.isComplete)
    #expect(try await app.ledger.launchCheck().isRepairDue == false)
  }

  @Test(arguments: [Duration.zero, .nanoseconds(1)])
  func manyPurgedFilesAreFoundInTheEndByCallsWithoutTime(_ budget: Duration) async throws {
    for number in 1...70 { try await app.add("f\(number)", .caches, "audio \(number)") }
    let caches = try app.url(RelocatablePath(.caches, "downloads"))
    try FileManager.default.removeItem(at: caches)
    var found: Set<RecordID> = []
    var isComplete = false
    for _ in 1...70 where !isComplete {
      let report = try await app.lifecycle.sweepPurged(budget: budget, at: now)
      // No call repairs them all, whatever they cost.
      #expect((1...16).contains(report.purged.count))
      found.formUnion(report.purged.map(\.id))
      isComplete = report.isComplete
    }
    #expect(isComplete)
    #expect(found.count == 70)
    #expect(try await app.ledger.launchCheck(now: now).isSweepDue == false)
  }

  @Test func aSecondPurgeIsFoundWhileTheFirstIsNotAcknowledged() async throws {
    let path = try await app.add("a", .caches)
    try purge("a")
    #expect(try await app.lifecycle.sweepPurged(at: now).purged.map(\.id) == ["a"])
    // The app's own code, which knows of no notices.
    try app.write(path)
    try await app.pool.write { db in
      try db.execute(sql: "UPDATE local_audio_file_downloads SET is_downloaded = 1")
      try db.execute(sql: "UPDATE holdfast_ledger_files SET cleared_at = NULL")
    }
    #expect(try await app.lifecycle.sweepPurged(at: now).purged == [])
    try purge("a")
    let later = now.addingTimeInterval(60)
    #expect(try await app.lifecycle.sweepPurged(at: later).purged.map(\.id) == ["a"])
    #expect(try await state("a") == .cleared)
    let notices = try await notices()
    #expect(notices.map(\.foundAt) == [later])
  }

  @Test func aNoticeEndsWhenItsRecordHasAFileAgain() async throws {
    for id in ["recorded", "restored", "repaired", "purged"] { try await app.add(id, .caches) }
    try purge("recorded", "restored", "repaired", "purged")
    #expect(try await app.lifecycle.sweepPurged(at: now).purged.count == 4)
    try await app.add("recorded", .caches)
    try await app.ledger.restore("restored")
    try app.write(DownloadsApp.path(.caches, "repaired.m4b"))
    #expect(try await app.ledger.repair("repaired").restored == 1)
    let notices = try await notices()
    #expect(notices.map(\.id) == ["purged"])
  }

  @Test func aRecordThatWasDeletedDuringASweepEndsNoSweep() async throws {
    try await app.add("a", .caches)
    try await app.add("b", .caches)
    try purge("b")
    try await app.pool.write { db in
      try db.execute(
        sql: """
          INSERT INTO holdfast_ledger_purges (source, key, path, found_at)
          VALUES (1, 'gone', '@caches/gone', 0)
          """)
    }
    #expect(try await app.lifecycle.sweepPurged(at: now).purged.map(\.id) == ["b"])
  }

  @Test func aLimitOfNoRecordsExaminesOne() async throws {
    for id in ["a", "b"] { try await app.add(id, .caches) }
    let report = try await app.lifecycle.sweepPurged(recordLimit: 0)
    #expect(report.examined == 1)
    #expect(!report.isComplete)
  }

  /// SS-8.
  @Test func aFileThatIsInTheDocumentsIsNotPurged() async throws {
    let path = try await app.add("a", .caches)
    let documents = try DownloadsApp.path(.documents, "a.m4b")
    try app.write(documents)
    try FileManager.default.removeItem(at: app.url(path))
    let report = try await app.lifecycle.sweepPurged(at: now)
    #expect(report.purged == [])
    #expect(report.repaired == 1)
    #expect(try await app.path(of: "a") == documents)
  }

  @Test func nothingIsClearedWhileItIsUnknown() async throws {
    try await app.add("a", .caches)
    try purge("a")
    let denied = SystemFault(
      atCall: 1, .refuse([.open: .accessDenied, .stat: .accessDenied, .lstat: .accessDenied]))
    let lifecycle = app.lifecycle
    let report = try await SystemCalls.$fault.withValue(denied) {
      try await lifecycle.sweepPurged(at: now)
    }
    #expect(report.purged == [])
    #expect(report.unknown == 1)
    #expect(try await state("a") == .recorded)
    #expect(try await lifecycle.sweepPurged(at: now).purged.map(\.id) == ["a"])
  }

  @Test func noticesAreKeptUntilTheAppAcknowledgesThem() async throws {
    try await app.add("a", .caches)
    try await app.add("b", .caches)
    try purge("a", "b")
    try await app.lifecycle.sweepPurged(at: now)
    let launch = try await DownloadsApp(at: folder.url)
    var values = launch.lifecycle.purgedFiles.values(in: launch.pool).makeAsyncIterator()
    let first = try #require(await values.next())
    #expect(Set(first.map(\.id)) == ["a", "b"])
    try await launch.lifecycle.acknowledge(first.filter { $0.id == "a" })
    #expect(try await values.next()?.map(\.id) == ["b"])
  }

  @Test func aSweepThatIsKilledLosesNoNotice() async throws {
    try await app.add("a", .caches)
    try purge("a")
    try app.pool.close()
    for commit in 1...3 {
      await #expect(processExitsWith: .exitCode(78)) {
        [commit = commit as Int, url = folder.url as URL] in
        let app = try await DownloadsApp(at: url)
        app.pool.add(
          transactionObserver: FileMoveTests.Killer(atCommit: commit, isAfter: false),
          extent: .databaseLifetime)
        try await app.lifecycle.sweepPurged()
      }
    }
    let launch = try await DownloadsApp(at: folder.url)
    #expect(try await launch.lifecycle.sweepPurged(at: now).purged.map(\.id) == ["a"])
  }

  @Test func aSweepOfACompositeKeyReachesTheEnd() async throws {
    let table = LedgerTable(
      name: "part", idColumns: ["book", "number"], pathColumn: "key", dialect: .text)
    try await app.pool.write { db in
      try db.execute(
        sql: """
          CREATE TABLE part (book TEXT, number INTEGER, key TEXT NOT NULL,
            PRIMARY KEY (book, number)) WITHOUT ROWID
          """)
    }
    let ledger = FileLedger(app.pool, container: app.container, table: table)
    try await ledger.adopt()
    for number in 1...5 {
      let path = try DownloadsApp.path(.caches, "\(number)")
      try app.write(path)
      try await ledger.record(["it's", number.databaseValue], at: path)
    }
    try FileManager.default.removeItem(at: app.url(DownloadsApp.path(.caches, "5")))
    let lifecycle = FileLifecycle(ledger)
    var purged: [RecordID] = []
    for _ in 1...3 { purged += try await lifecycle.sweepPurged(recordLimit: 2).purged.map(\.id) }
    #expect(purged == [["it's", 5.databaseValue]])
  }
}
