import Foundation
import Holdfast
import HoldfastFiles
import HoldfastLedger
import HoldfastTestSupport
import Testing

/// SS-B6: the container changes across a cold start.
struct LaunchCheckTests {
  private let folder: TemporaryDirectory

  init() throws {
    folder = try TemporaryDirectory()
  }

  @Test func aRepairIsDueUntilOneIsCompleteAndWhenTheContainerHasMoved() async throws {
    let app = try await DownloadsApp(at: folder.url)
    try await app.add("a")
    #expect(try await app.ledger.launchCheck().isFirst)
    _ = try await app.ledger.repairAll()
    let quiet = try await app.ledger.launchCheck()
    #expect(!quiet.isRepairDue)
    #expect(!quiet.hasUnfinishedMoves)
    try app.pool.close()

    let moved = folder.url.appending(path: "moved")
    try FileManager.default.createDirectory(at: moved, withIntermediateDirectories: true)
    try FileManager.default.moveItem(
      at: app.home, to: moved.appending(path: "home"))
    let launch = try await DownloadsApp(at: moved)
    let check = try await launch.ledger.launchCheck()
    #expect(check.isRepairDue)
    #expect(Set(check.changedRoots).isSuperset(of: [.documents, .caches]))
    _ = try await launch.ledger.repairAll()
    #expect(try await !launch.ledger.launchCheck().isRepairDue)
  }

  @Test func aRepairThatIsNotCompleteLeavesTheNextOneDue() async throws {
    let app = try await DownloadsApp(at: folder.url)
    try await app.add("a")
    let report = try await app.ledger.repairAll(budget: .zero)
    #expect(!report.isComplete)
    #expect(try await app.ledger.launchCheck().isRepairDue)
  }

  @Test func aRepairThatWasInterruptedInAnotherContainerBeginsAgain() async throws {
    let app = try await DownloadsApp(at: folder.url)
    for id in ["a", "b"] { try await app.add(id) }
    _ = try await app.ledger.repairAll(budget: .zero)
    let same = try await app.ledger.repairAll(budget: .zero)
    #expect(same.isContinued)
    let file = try app.url(DownloadsApp.path(.documents, "a.m4b"))
    try app.pool.close()
    // The file disappears, and the folder is another one, as after a restored backup.
    try FileManager.default.removeItem(at: file)
    let documents = try app.container.url(for: .documents)
    try FileManager.default.moveItem(at: documents, to: folder.file("old"))
    try FileManager.default.copyItem(at: folder.file("old"), to: documents)
    let launch = try await DownloadsApp(at: folder.url)
    let report = try await launch.ledger.repairAll()
    #expect(!report.isContinued)
    #expect(report.cleared == 1)
    #expect(try await launch.ledger.repairAll().isContinued == false)
  }

  @Test func theCheckReadsNoFolderAndNoTable() async throws {
    let app = try await DownloadsApp(at: folder.url)
    try await app.add("a")
    _ = try await app.ledger.repairAll()
    let ledger = app.ledger
    let calls = SystemFault(atCall: .max, .fail(.inputOutput))
    let statements = Journal<String>()
    // On the thread of the access, where the fault counts.
    let check = try Self.read(app.pool) { db in
      try SystemCalls.$fault.withValue(calls) {
        db.trace { event in statements.append("\(event)") }
        defer { db.trace(nil) }
        return try ledger.launchCheck(db)
      }
    }
    #expect(!check.isRepairDue)
    #expect(Set(calls.callsSeen).isSubset(of: [.stat]))
    #expect(calls.callsSeen.count <= StorageRoot.fixed.count)
    #expect(statements.entries.count < 12)
    #expect(!statements.entries.contains { $0.contains("local_audio_file_downloads\"") })
  }

  private static func read<Value>(
    _ pool: DatabasePool, _ body: (Database) throws -> Value
  ) throws -> Value {
    try pool.read(body)
  }

  @Test func aContainerThatCannotBeExaminedIsNotRepaired() async throws {
    let app = try await DownloadsApp(at: folder.url)
    _ = try await app.ledger.repairAll()
    let ledger = app.ledger
    let locked = SystemFault(atCall: 1, .refuse([.stat: .notPermitted]))
    let check = try Self.read(app.pool) { db in
      try SystemCalls.$fault.withValue(locked) { try ledger.launchCheck(db) }
    }
    #expect(check.problem != nil)
    #expect(!check.isRepairDue)
  }

  @Test func aTableThatIsNotAdoptedNeedsARepair() async throws {
    let queue = try DatabaseQueue()
    let ledger = FileLedger(queue, container: Container(at: folder.url), table: .own())
    let check = try await ledger.launchCheck()
    #expect(check.isFirst)
    #expect(check.isSweepDue)
  }
}
