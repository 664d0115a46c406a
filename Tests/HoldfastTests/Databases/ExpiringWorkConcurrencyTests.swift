import Foundation
import HoldfastTestSupport
import Synchronization
import Testing

@testable import Holdfast

/// Background work whose time expires: the system is simulated, the rest is real.
@Suite(.timeLimit(.minutes(1))) struct ExpiringWorkConcurrencyTests {
  private let folder: TemporaryDirectory
  private let path: String
  private let pool: DatabasePool

  init() throws {
    folder = try TemporaryDirectory()
    path = folder.file("t.db").path
    var configuration = Configuration()
    configuration.allowsSuspension = true
    pool = try DatabasePool(path: path, configuration: configuration)
    try pool.write { db in try db.execute(sql: "CREATE TABLE t (a)") }
  }

  // A failed expectation prints all parts of its operands; a pool has too many.
  private var isSuspended: Bool { pool.isSuspended }

  private func makeWork(
    _ work: @escaping @Sendable () throws -> Int
  ) -> (ExpiringWork<Int>, Outcome) {
    let outcome = Outcome()
    return (ExpiringWork(on: pool, work) { result in outcome.add(result) }, outcome)
  }

  /// The number of completions and their results.
  private final class Outcome: Sendable {
    private let results = Mutex<[Result<Int, any Error>]>([])

    func add(_ result: Result<Int, any Error>) { results.withLock { $0.append(result) } }

    var value: Int? { results.withLock { $0.count == 1 ? try? $0[0].get() : nil } }

    var isSuspension: Bool {
      results.withLock { results in
        guard results.count == 1, case .failure(let error) = results[0] else { return false }
        return (error as? DatabaseError)?.isDatabaseSuspensionError ?? false
      }
    }
  }

  private static func insert(_ pool: DatabasePool) throws -> Int {
    try pool.write { db in
      try db.execute(sql: "INSERT INTO t VALUES (1)")
      return try Int.fetchOne(db, sql: "SELECT count(*) FROM t") ?? 0
    }
  }

  @Test func workRunsInALease() async throws {
    let (work, outcome) = makeWork { [pool] in try Self.insert(pool) }
    await pool.suspend()
    try await onOwnThread { work(isExpiring: false) }
    #expect(outcome.value == 1)
    #expect(isSuspended)
    #expect(try HeldLocks.onDatabase(at: path) == [])
    // When the work is done, the expiration has no effect.
    pool.resume()
    work(isExpiring: true)
    #expect(!isSuspended)
  }

  @Test func theExpirationEndsTheWorkAndReleasesItsLocks() async throws {
    let (isInside, mayGoOn) = (Gate(), Gate())
    let (work, outcome) = makeWork { [pool] in
      try pool.write { db in
        try db.execute(sql: "INSERT INTO t VALUES (1)")
        isInside.open()
        mayGoOn.wait()
        try db.execute(sql: "INSERT INTO t VALUES (2)")
        return 2
      }
    }
    let thread = OwnThread { work(isExpiring: false) }
    try await onOwnThread { isInside.wait() }
    try await onOwnThread { work(isExpiring: true) }
    #expect(try HeldLocks.onDatabase(at: path) == [])
    mayGoOn.open()
    try await thread.value
    #expect(outcome.isSuspension)
    pool.resume()
    let count = try await pool.read { db in try Int.fetchOne(db, sql: "SELECT count(*) FROM t") }
    #expect(count == 0)
  }

  @Test func withoutTimeTheWorkDoesNotRun() async throws {
    let (work, outcome) = makeWork { [pool] in try Self.insert(pool) }
    try await onOwnThread { work(isExpiring: true) }
    #expect(outcome.isSuspension)
    #expect(isSuspended)
    try await onOwnThread { work(isExpiring: false) }
    #expect(outcome.isSuspension)
    #expect(try HeldLocks.onDatabase(at: path) == [])
  }

  @Test func theExpirationCanCoincideWithTheStart() async throws {
    for _ in 0..<200 {
      let (work, outcome) = makeWork { [pool] in try Self.insert(pool) }
      let thread = OwnThread { work(isExpiring: false) }
      try await onOwnThread { work(isExpiring: true) }
      try await thread.value
      // Either it was done before or it was refused; afterwards there are no locks.
      if outcome.isSuspension {
        #expect(try HeldLocks.onDatabase(at: path) == [])
      } else {
        #expect(outcome.value != nil)
      }
      pool.resume()
    }
  }
}
