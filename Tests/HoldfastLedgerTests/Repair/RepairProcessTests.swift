import Foundation
import Holdfast
import HoldfastFiles
import HoldfastLedger
import HoldfastTestSupport
import Testing

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Several processes that repair one table at the same time.
@Suite(.timeLimit(.minutes(3))) struct RepairProcessTests {
  /// What became of the file of a record, in the order of the records.
  private enum Fate: Int, CaseIterable {
    /// It is at its place, and the container has moved.
    case moved
    /// It is in the documents, and its path says the caches.
    case otherRoot
    /// It has another name; its digest is recorded.
    case renamed
    case deleted

    init(_ number: Int) { self = Fate.allCases[number % Fate.allCases.count] }

    func expectedText(_ number: Int) -> String {
      switch self {
      case .moved: "\(number % 5)/\(number).m4b"
      case .otherRoot: "D:\(number % 5)/\(number).m4b"
      case .renamed: "D:renamed/\(number)"
      case .deleted: "\(number % 5)/\(number).m4b"
      }
    }
  }

  private static let count = 80

  /// A shelf whose files met all fates; its database is closed.
  private static func shelf() async throws -> Bookshelf {
    let shelf = try Bookshelf()
    let ledger = try await shelf.adopted()
    for number in 0..<count {
      let (id, name) = ("\(number)", "\(number % 5)/\(number).m4b")
      switch Fate(number) {
      case .moved:
        try shelf.file("@caches/\(name)")
        try shelf.insert(id, "\(Bookshelf.oldHome)/Library/Caches/\(name)")
      case .otherRoot:
        try shelf.file("@documents/\(name)")
        try shelf.insert(id, name)
      case .renamed:
        let new = try shelf.file("@documents/renamed/\(number)", "the content of \(number)")
        try shelf.insert(id, name)
        try await ledger.record(
          RecordID(id), at: RelocatablePath(text: "@caches/\(name)"),
          digest: FileDigest(of: shelf.container.url(for: new)))
      case .deleted: try shelf.insert(id, name)
      }
    }
    try shelf.queue.close()
    return shelf
  }

  /// Opens the ledger of a shelf in another process, or again.
  private static func ledger(
    in folder: URL, busy: Database.BusyMode = .timeout(60),
    expecting paths: @escaping @Sendable () throws -> Void = {}
  ) throws -> FileLedger {
    var configuration = Configuration()
    configuration.busyMode = busy
    let queue = try DatabaseQueue(
      path: folder.appending(path: "app.db").path, configuration: configuration)
    let home = folder.appending(
      path: "Containers/Data/Application/11111111-0000-0000-0000-000000000000")
    var ledger = FileLedger(queue, container: Container(at: home), table: .audioFileDownloads) {
      _ in
      try paths()
      return []
    }
    ledger.recordsPerTransaction = 1
    return ledger
  }

  /// Repairs the table on the caller's thread.
  ///
  /// - Returns: Whether the repair was completed; false when another process has taken it over.
  private static func repair(
    _ ledger: FileLedger, onItem: @escaping (RepairReport.Item) -> Void = { _ in }
  ) throws -> Bool {
    do {
      let report = try ledger.repairAll(onItem: onItem)
      #expect(report.isComplete)
      return true
    } catch let error as LedgerError {
      #expect(error.code == .repairRunning)
      return false
    }
  }

  /// Expects that each row is as its file's fate demands, and that nothing is left to do.
  private static func expectAllRight(in folder: URL) async throws {
    let ledger = try ledger(in: folder)
    let rows = try await ledger.writer.read { db in
      try Row.fetchAll(
        db,
        sql: """
          SELECT audio_file_id, is_downloaded, download_path FROM local_audio_file_downloads
          """
      ).map { (id: $0[0] as String, isDownloaded: $0[1] as Bool, text: $0[2] as String) }
    }
    #expect(rows.count == count)
    for row in rows {
      let number = try #require(Int(row.id))
      #expect(row.isDownloaded == (Fate(number) != .deleted), "\(number)")
      #expect(row.text == Fate(number).expectedText(number), "\(number)")
      let record = try #require(try await ledger.record(RecordID("\(number)")))
      #expect(record.state == (Fate(number) == .deleted ? .cleared : .recorded), "\(number)")
      if record.state == .recorded { #expect(ledger.presence(of: record) == .present) }
    }
    let again = try await ledger.repairAll()
    #expect(again.isComplete && !again.isContinued)
    #expect(again.items.isEmpty)
    let left = try await ledger.writer.read { db in
      try Int.fetchOne(db, sql: "SELECT count(*) FROM holdfast_ledger_missing")
    }
    #expect(left == 0)
  }

  // The test library waits for a child on one of the few threads of tasks. So only one process of a
  // test is such a child; the other one is this process, on a thread of its own.

  @Test func twoProcessesRepairOneTableAtOnce() async throws {
    let shelf = try await Self.shelf()
    let folder = shelf.folder.url
    let ready = try Signal(at: shelf.folder.file("ready").path)
    let here = OwnThread {
      try ready.wait()
      return try Self.repair(Self.ledger(in: folder))
    }
    await #expect(processExitsWith: .success) { [folder = folder as URL] in
      let ledger = try Self.ledger(in: folder)
      try Signal(at: folder.appending(path: "ready").path).send()
      if try Self.repair(ledger) { try Data().write(to: folder.appending(path: "completed")) }
    }
    let isCompletedThere = FileManager.default.fileExists(
      atPath: folder.appending(path: "completed").path)
    let isCompletedHere = try await here.value
    #expect(isCompletedHere || isCompletedThere)
    try await Self.expectAllRight(in: folder)
  }

  /// What becomes of a process whose repair another one has taken over.
  private enum End: String, CaseIterable {
    case continues, isKilled
  }

  @Test(arguments: End.allCases)
  private func aProcessTakesOverTheRepairOfAnother(_ end: End) async throws {
    let shelf = try await Self.shelf()
    let folder = shelf.folder.url
    let isLooking = try Signal(at: shelf.folder.file("is-looking").path)
    let isTakenOver = try Signal(at: shelf.folder.file("is-taken-over").path)
    let hasEnded = try Signal(at: shelf.folder.file("has-ended").path)
    // child: checks · looks for a file ·········· is killed, or says that it was taken over
    // here:                           begins · looks for a file · waits for that · completes
    let here = OwnThread {
      try isLooking.wait()
      let looks = Journal<Void>()
      let ledger = try Self.ledger(in: folder) {
        looks.append(())
        guard looks.entries.count == 2 else { return }
        try isTakenOver.send()
        if end == .continues { try hasEnded.wait() }
      }
      return try Self.repair(ledger)
    }
    await #expect(processExitsWith: end == .isKilled ? .signal(SIGKILL) : .success) {
      [folder = folder as URL, isKilled = (end == .isKilled) as Bool] in
      let looks = Journal<Void>()
      let ledger = try Self.ledger(in: folder) {
        // No access is open meanwhile.
        looks.append(())
        guard looks.entries.count == 3 else { return }
        try Signal(at: folder.appending(path: "is-looking").path).send()
        try Signal(at: folder.appending(path: "is-taken-over").path).wait()
        if isKilled { kill(getpid(), SIGKILL) }
      }
      #expect(try !Self.repair(ledger))
      try Signal(at: folder.appending(path: "has-ended").path).send()
    }
    #expect(try await here.value)
    try await Self.expectAllRight(in: folder)
  }

  /// The lock of its transaction is released by the system, and its changes are rolled back.
  @Test func aProcessIsKilledInsideATransactionWhileAnotherWaits() async throws {
    let shelf = try await Self.shelf()
    let folder = shelf.folder.url
    let isWriting = try Signal(at: shelf.folder.file("is-writing").path)
    let waits = try Signal(at: shelf.folder.file("waits").path)
    let isSent = Switch()
    let here = OwnThread {
      try isWriting.wait()
      let ledger = try Self.ledger(
        in: folder,
        busy: .callback { _ in
          if isSent.isOn { return true }
          isSent.isOn = true
          do {
            try waits.send()
            return true
          } catch {
            // The child would never be killed.
            return false
          }
        })
      return try Self.repair(ledger)
    }
    await #expect(processExitsWith: .signal(SIGKILL)) { [folder = folder as URL] in
      var count = 0
      _ = try Self.repair(Self.ledger(in: folder)) { _ in
        count += 1
        guard count == 30 else { return }
        do {
          try Signal(at: folder.appending(path: "is-writing").path).send()
          try Signal(at: folder.appending(path: "waits").path).wait()
          kill(getpid(), SIGKILL)
        } catch {
          Issue.record(error)
        }
      }
    }
    #expect(try await here.value)
    #expect(isSent.isOn)
    try await Self.expectAllRight(in: folder)
  }
}
