import Foundation
import HoldfastTestSupport
import Synchronization
import Testing

@testable import Holdfast

/// Random accesses from threads and tasks, compared with a dictionary with transactions.
///
/// `HOLDFAST_MODEL_SEEDS=10000 swift test --filter ModelConcurrencyTests` tries more seeds;
/// `HOLDFAST_SEED=…` begins with a failed one. The seed determines the actions, not their order.
@Suite(.timeLimit(.minutes(10))) struct ModelConcurrencyTests {
  @Test func aPoolBehavesLikeADictionaryWithTransactions() async throws {
    let environment = ProcessInfo.processInfo.environment
    let count = environment["HOLDFAST_MODEL_SEEDS"].flatMap(UInt64.init) ?? 200
    let first = SeededRandom().seed
    for seed in (0..<count).map({ first &+ $0 }) {
      let problems = try await Round(seed: seed).problems()
      guard problems == [] else {
        Issue.record("HOLDFAST_SEED=\(seed): \(problems.prefix(3).joined(separator: " "))")
        return
      }
    }
  }
}

/// A run with one seed: a new database, several threads and tasks, and their history.
private final class Round: Sendable {
  private struct Stop: Error {}

  private let seed: UInt64
  private let folder: TemporaryDirectory
  private let pool: DatabasePool
  private let history = Mutex(PoolHistory())
  private let complaints = Journal<String>()
  private let clock = Atomic(0)
  private let readersInside = Atomic(0)
  /// Whether accesses are nested; then there are no barriers, and always a reader that waits for none.
  private let nests: Bool

  init(seed: UInt64) throws {
    self.seed = seed
    folder = try TemporaryDirectory()
    var random = SeededRandom(unprinted: seed)
    var configuration = Configuration()
    nests = Bool.random(using: &random)
    configuration.maximumReaderCount = Int.random(in: (nests ? 2 : 1)...3, using: &random)
    configuration.prepareDatabase { db in try db.execute(sql: "PRAGMA synchronous = OFF") }
    pool = try DatabasePool(path: folder.file("t.db").path, configuration: configuration)
    try pool.write { db in
      try db.execute(
        sql: """
          CREATE TABLE version (n INTEGER NOT NULL);
          CREATE TABLE entry (key INTEGER PRIMARY KEY, value INTEGER NOT NULL);
          INSERT INTO version VALUES (0);
          """)
    }
  }

  /// Runs all accesses and returns the problems found.
  func problems() async throws -> [String] {
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<4 {
        let seed = seed &* 4 &+ UInt64(number)
        if number.isMultiple(of: 2) {
          group.addTask { try await self.awaitedAccesses(seed) }
        } else {
          group.addTask { try await onOwnThread { try self.blockingAccesses(seed) } }
        }
      }
      try await group.waitForAll()
    }
    // Again, after all accesses have ended.
    let began = tick()
    _ = try await pool.read { db in try self.observe(db, began: began) }
    let sound = try await pool.read { db in try db.integrityProblems() }
    let waiting = pool.pool.waitingCount
    try pool.close()
    return history.withLock { $0.problems } + complaints.entries + sound
      + (waiting == 0 ? [] : ["\(waiting) wait for ever."])
  }

  private func tick() -> Int {
    clock.wrappingAdd(1, ordering: .sequentiallyConsistent).newValue
  }

  // MARK: - Accesses

  private func blockingAccesses(_ seed: UInt64) throws {
    var random = SeededRandom(unprinted: seed)
    var snapshots: [(DatabaseSnapshot, Int)] = []
    for _ in 0..<12 {
      let changes = changes(&random)
      let began = tick()
      try tolerating {
        switch Int.random(in: 0..<12, using: &random) {
        case 0, 1: _ = try pool.read { db in try observe(db, began: began) }
        case 2: _ = try pool.unsafeRead { db in try observe(db, began: began, isOneState: false) }
        case 3, 4: try commit(changes, began) { try pool.write($0) }
        case 5: try twoCommits(changes, began)
        case 6 where nests: try writeInsideARead(changes, began)
        case 6: try barrier(changes, began)
        case 7 where nests: try readInsideAWrite(changes, began)
        case 7: try pool.write { db in try abandon(changes, in: db) }
        case 8:
          let snapshot = try pool.makeSnapshot()
          let version = try snapshot.read { db in try observe(db, began: began) }
          snapshots.append((snapshot, version))
        case 9: try pool.checkpoint()
        case 10: pool.invalidateReadOnlyConnections()
        default: pool.interrupt()
        }
      }
    }
    for (snapshot, version) in snapshots {
      try tolerating {
        _ = try snapshot.read { db in try observe(db, began: tick(), expectedVersion: version) }
      }
    }
  }

  private func awaitedAccesses(_ seed: UInt64) async throws {
    var random = SeededRandom(unprinted: seed)
    for _ in 0..<12 {
      let changes = changes(&random)
      let began = tick()
      let pause = Int.random(in: 0..<6, using: &random)
      do {
        switch Int.random(in: 0..<8, using: &random) {
        case 0, 1: _ = try await pool.read { db in try self.observe(db, began: began) }
        case 2, 3: try await awaitedCommit(changes, began)
        case 4: try await scheduledCommit(changes, began)
        case 5 where nests: break
        case 5:
          try await pool.barrierWriteWithoutTransaction { db in
            self.checkIsAlone()
            try self.record(changes, began, in: db)
            self.checkIsAlone()
          }
        case 6: try await cancelledCommit(changes, began, pause)
        default: try await cancelledRead(began, pause)
        }
      } catch ResultCode.SQLITE_INTERRUPT {
      } catch is CancellationError {
      }
    }
  }

  /// Ignores an interruption: an interrupted access has changed nothing.
  private func tolerating(_ access: () throws -> Void) throws {
    do { try access() } catch ResultCode.SQLITE_INTERRUPT {} catch is Stop {}
  }

  // MARK: - Writing

  private func changes(_ random: inout SeededRandom) -> [PoolHistory.Change] {
    (0..<Int.random(in: 1...4, using: &random)).map { _ in
      let key = Int.random(in: 0..<6, using: &random)
      return Bool.random(using: &random)
        ? .put(key: key, value: Int.random(in: 0..<1000, using: &random)) : .delete(key: key)
    }
  }

  /// Applies the changes to the entries and returns the commit's number.
  private func apply(_ changes: [PoolHistory.Change], in db: Database) throws -> Int {
    for change in changes {
      switch change {
      case .put(let key, let value):
        try db.execute(
          sql: "INSERT OR REPLACE INTO entry VALUES (?, ?)", arguments: [key, value])
      case .delete(let key):
        try db.execute(sql: "DELETE FROM entry WHERE key = ?", arguments: [key])
      }
    }
    return try Int.fetchOne(db, sql: "UPDATE version SET n = n + 1 RETURNING n") ?? -1
  }

  private func note(_ number: Int, _ changes: [PoolHistory.Change], _ began: Int) {
    let ended = tick()
    history.withLock {
      $0.commits.append(.init(number: number, changes: changes, began: began, ended: ended))
    }
  }

  private func commit(
    _ changes: [PoolHistory.Change], _ began: Int,
    _ write: ((Database) throws -> Int) throws -> Int
  ) throws {
    note(try write { db in try apply(changes, in: db) }, changes, began)
  }

  /// Applies the changes in their own transaction and records it as soon as it has ended.
  @discardableResult private func record(
    _ changes: [PoolHistory.Change], _ began: Int, in db: Database
  ) throws -> Int {
    var number = -1
    try db.inTransaction(.immediate) {
      number = try apply(changes, in: db)
      return .commit
    }
    note(number, changes, began)
    return number
  }

  /// Makes two transactions in one access, and a read that sees the first.
  private func twoCommits(_ changes: [PoolHistory.Change], _ began: Int) throws {
    let future = try pool.writeWithoutTransaction { db in
      let version = try record(changes, began, in: db)
      let future = pool.concurrentRead { [self] db in
        try observe(db, began: tick(), expectedVersion: version)
      }
      try record(changes.reversed(), tick(), in: db)
      return future
    }
    _ = try future.wait()
  }

  private func barrier(_ changes: [PoolHistory.Change], _ began: Int) throws {
    try pool.barrierWriteWithoutTransaction { db in
      checkIsAlone()
      try record(changes, began, in: db)
      checkIsAlone()
    }
  }

  /// The read sees one state, whatever is written inside of it.
  private func writeInsideARead(_ changes: [PoolHistory.Change], _ began: Int) throws {
    try pool.read { db in
      let version = try observe(db, began: began)
      try commit(changes, tick()) { try pool.write($0) }
      try observe(db, began: began, expectedVersion: version)
    }
  }

  /// The read sees what was committed before the write.
  private func readInsideAWrite(_ changes: [PoolHistory.Change], _ began: Int) throws {
    try commit(changes, began) { updates in
      try pool.write { db in
        let number = try updates(db)
        _ = try pool.read { db in try observe(db, began: tick(), expectedVersion: number - 1) }
        return number
      }
    }
  }

  private func checkIsAlone() {
    let count = readersInside.load(ordering: .sequentiallyConsistent)
    if count != 0 { complaints.append("\(count) ran during a barrier.") }
  }

  /// Makes changes that are rolled back, by an error or by a savepoint and an error.
  private func abandon(_ changes: [PoolHistory.Change], in db: Database) throws {
    try db.inSavepoint {
      _ = try apply(changes, in: db)
      return .rollback
    }
    _ = try apply(changes, in: db)
    throw Stop()
  }

  private func awaitedCommit(_ changes: [PoolHistory.Change], _ began: Int) async throws {
    note(try await pool.write { db in try self.apply(changes, in: db) }, changes, began)
  }

  private func scheduledCommit(_ changes: [PoolHistory.Change], _ began: Int) async throws {
    let number = try await withCheckedThrowingContinuation { continuation in
      pool.asyncWrite { db in
        try self.apply(changes, in: db)
      } completion: { _, result in
        continuation.resume(with: result)
      }
    }
    note(number, changes, began)
  }

  /// Cancels a commit: it throws and has changed nothing, or it returns and is committed.
  private func cancelledCommit(
    _ changes: [PoolHistory.Change], _ began: Int, _ pause: Int
  ) async throws {
    let task = Task { try await self.awaitedCommit(changes, began) }
    for _ in 0..<pause { await Task.yield() }
    task.cancel()
    try await task.value
  }

  // MARK: - Reading

  private func cancelledRead(_ began: Int, _ pause: Int) async throws {
    let task = Task {
      try await self.pool.read { db in try self.observe(db, began: began) }
    }
    for _ in 0..<pause { await Task.yield() }
    task.cancel()
    _ = try await task.value
  }

  @discardableResult private func observe(
    _ db: Database, began: Int, expectedVersion: Int? = nil, isOneState: Bool = true
  ) throws -> Int {
    // Snapshots continue during a barrier.
    let isReader = pool.pool.slots.dropFirst().contains { $0.token.isHeldByCurrentThread }
    if isReader { readersInside.wrappingAdd(1, ordering: .sequentiallyConsistent) }
    defer { if isReader { readersInside.wrappingSubtract(1, ordering: .sequentiallyConsistent) } }
    let (version, content) = try look(db)
    if isOneState, try look(db) != (version, content) {
      complaints.append("A read saw two states.")
    }
    let ended = tick()
    history.withLock {
      $0.observations.append(
        .init(
          version: version, content: content, began: began, ended: ended,
          expectedVersion: expectedVersion))
    }
    return version
  }

  /// Reads all entries in one statement, which sees one state even without a transaction.
  private func look(_ db: Database) throws -> (Int, [Int: Int]) {
    var version = -1
    var content: [Int: Int] = [:]
    let rows = try Row.fetchCursor(
      db, sql: "SELECT n, key, value FROM version LEFT JOIN entry ON true")
    while let row = try rows.next() {
      version = row[0]
      if let key: Int = row[1] { content[key] = row[2] }
    }
    return (version, content)
  }
}
