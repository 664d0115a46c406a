import Foundation
import HoldfastTestSupport
import Synchronization
import Testing

@testable import Holdfast

/// That no lock outlives a suspension, whatever runs, and that nothing is half applied after it.
@Suite(.timeLimit(.minutes(2))) struct SuspensionConcurrencyTests: SuspensionSuite {
  let folder: TemporaryDirectory

  init() throws {
    folder = try TemporaryDirectory()
  }

  /// Does nothing for about so many microseconds: a moment at random, not one that is waited for.
  private static func linger(_ microseconds: Int) {
    let end = ContinuousClock.now + .microseconds(microseconds)
    while ContinuousClock.now < end {}
  }

  /// Does one random thing, as threads of an app do at the same time.
  private static func work(
    on pool: DatabasePool, _ committed: borrowing Atomic<Int>, copyingTo copy: DatabaseQueue,
    _ random: inout SeededRandom
  ) throws {
    switch Int.random(in: 0..<12, using: &random) {
    case 0..<4:
      let n = Int.random(in: 0..<1_000_000, using: &random)
      let bytes = Int.random(in: 0..<20_000, using: &random)
      try pool.write { db in
        for side in ["left", "right"] {
          try db.execute(
            sql: "INSERT INTO pair VALUES (?, ?, zeroblob(?))", arguments: [n, side, bytes])
          if bytes % 7 == 0 { linger(200) }
        }
      }
      committed.wrappingAdd(1, ordering: .relaxed)
    case 4, 5:
      do {
        try pool.checkpoint(Bool.random(using: &random) ? .passive : .truncate)
      } catch ResultCode.SQLITE_BUSY {
        // It does not wait for a connection that recovers the log, nor for one that reads on.
      }
    case 6, 7:
      let snapshot = try pool.makeSnapshot()
      let before = try snapshot.read(pairs)
      linger(Int.random(in: 0..<1000, using: &random))
      #expect(try snapshot.read(pairs) == before)
    case 8:
      try pool.backup(to: copy, pagesPerStep: 100)
      #expect(try copy.read(pairs).isWhole)
    case 9: pool.invalidateReadOnlyConnections()
    default: #expect(try pool.read(pairs).isWhole)
    }
  }

  private struct Pairs: Equatable, Sendable {
    var left: Int?
    var right: Int?
    var isWhole: Bool { left == right }
  }

  private static func pairs(_ db: Database) throws -> Pairs {
    try Pairs(
      left: Int.fetchOne(db, sql: "SELECT count(*) FROM pair WHERE side = 'left'"),
      right: Int.fetchOne(db, sql: "SELECT count(*) FROM pair WHERE side = 'right'"))
  }

  /// Suspends at random moments while threads write, read, checkpoint, copy, keep snapshots and idle
  /// in transactions, and there are observers.
  @Test func nothingIsHeldOrHalfAppliedAtAnyMoment() async throws {
    let pool = try makePool()
    try await pool.write { db in
      try db.execute(sql: "CREATE TABLE pair (n INTEGER, side TEXT, pad BLOB)")
    }
    let seen = Journal<Pairs>()
    let observation = ValueObservation.tracking { db in try Self.pairs(db) }.start(
      in: pool, scheduling: .async(onQueue: DispatchQueue(label: "values")),
      onError: { Issue.record($0) }, onChange: { seen.append($0) })
    let committed = Atomic(0)
    let ends = Atomic(false)
    let threads = try (0..<4).map { thread in
      let copy = try DatabaseQueue(path: folder.file("copy-\(thread).db").path)
      return OwnThread {
        var random = SeededRandom(seed: UInt64(thread))
        while !ends.load(ordering: .relaxed) {
          do {
            try Self.work(on: pool, committed, copyingTo: copy, &random)
          } catch let error as DatabaseError where error.isDatabaseSuspensionError {
            Self.linger(100)
          }
        }
      }
    }
    var random = SeededRandom(seed: 7)
    for _ in 0..<150 {
      Self.linger(Int.random(in: 0..<3000, using: &random))
      let report = await pool.suspend(within: .seconds(30))
      #expect(try locks() == [])
      #expect(report.isFree)
      pool.resume()
    }
    ends.store(true, ordering: .relaxed)
    for thread in threads { try await thread.value }
    let last = try await pool.read { db in try Self.pairs(db) }
    #expect(last.left == committed.load(ordering: .relaxed))
    #expect(last.isWhole)
    await until { seen.entries.last == last }
    #expect(seen.entries.count { !$0.isWhole } == 0)
    observation.cancel()
    #expect(
      try await pool.read { db in try String.fetchOne(db, sql: "PRAGMA integrity_check") } == "ok")
  }
}
