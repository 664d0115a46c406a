import Foundation
import Holdfast
import HoldfastFiles
import HoldfastLedger
import HoldfastTestSupport
import Testing

/// Repairs of one database at the same time.
struct RepairConcurrencyTests {
  private static let oldHome = "\(Bookshelf.oldHome)/Library/Caches"

  private func fill(_ shelf: Bookshelf) throws {
    let schema = Bookshelf.seedTable
      .replacing("local_audio_file_downloads", with: "local_library_file_downloads")
      .replacing("audio_file_id", with: "library_file_id")
    try shelf.queue.write { db in try db.execute(sql: schema) }
    for number in 0..<60 {
      try shelf.file("@caches/\(number % 7)/\(number).m4b")
      try shelf.insert("\(number)", "\(Self.oldHome)/\(number % 7)/\(number).m4b")
      try shelf.queue.write { db in
        try db.execute(
          sql: "INSERT INTO local_library_file_downloads VALUES (?, 1, ?, 1, 1)",
          arguments: ["\(number)", "\(Self.oldHome)/\(number % 7)/\(number).m4b"])
      }
    }
  }

  @Test func twoTablesOfOneDatabaseAreRepairedAtOnce() async throws {
    let shelf = try Bookshelf()
    try fill(shelf)
    var audio = try await shelf.adopted()
    var library = try await shelf.adopted(.libraryFileDownloads)
    audio.recordsPerTransaction = 2
    library.recordsPerTransaction = 2
    let (one, other) = (audio, library)
    async let first = one.repairAll()
    async let second = other.repairAll()
    async let dry = one.repairAll(dryRun: true)
    let reports = try await [first, second]
    #expect(reports.map(\.rewritten) == [60, 60])
    #expect(reports.map(\.examined) == [60, 60])
    #expect(try await dry.isComplete)
  }

  @Test func twoRepairsOfOneTableFollowEachOther() async throws {
    let shelf = try Bookshelf()
    try fill(shelf)
    var ledger = try await shelf.adopted()
    ledger.recordsPerTransaction = 2
    let shared = ledger
    async let first = shared.repairAll()
    async let second = shared.repairAll()
    let reports = try await [first, second]
    #expect(reports.map(\.rewritten).sorted() == [0, 60])
    #expect(reports.allSatisfy { $0.isComplete && $0.examined == 60 && !$0.isContinued })
  }

  @Test func aRepairOfAnotherProcessTakesOverAndTheFirstOneSaysSo() async throws {
    let shelf = try Bookshelf()
    try shelf.insert("a", "gone.m4b")
    let other = try DatabaseQueue(path: shelf.folder.url.appending(path: "app.db").path)
    let ledger = FileLedger(
      shelf.queue, container: shelf.container, table: .audioFileDownloads
    ) { _ in
      // As the other process does when its own repair begins, between two transactions of this one.
      try other.write { db in
        try db.execute(sql: "UPDATE holdfast_ledger_runs SET owner = 'another process'")
      }
      return []
    }
    try await ledger.adopt()
    await #expect { _ = try await ledger.repairAll() } throws: {
      ($0 as? LedgerError)?.code == .repairRunning
    }
    #expect(try shelf.isDownloaded("a") == true)
  }
}
