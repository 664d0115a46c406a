import Foundation
import Holdfast
import Synchronization

/// A campaign that repeatedly suspends a pool while threads use it.
///
/// Every write inserts two rows, so that incomplete writes are detected; every commit is counted,
/// so that lost ones are detected too.
struct SuspensionCampaign {
  /// The work of the threads.
  enum Work {
    /// The threads read, write, checkpoint, and are idle in transactions.
    case accesses
    /// In addition, they hold snapshots and copy, and one observes.
    case everything
    /// In addition, they run statements of every kind, and an R*Tree and a full-text table are
    /// observed.
    case statements
  }

  private static let threadCount = 8

  /// The times from `suspend` to its return, in microseconds.
  private(set) var times = Times([])

  /// The total number of locks in the kernel's table after the suspensions.
  private(set) var heldLockCount = 0

  /// The number of commits that are missing, are incomplete, or were never observed.
  private(set) var lostCount = 0

  /// The longest time of a sync of a file in this folder meanwhile, in microseconds.
  private(set) var slowestSync = 0.0

  /// Runs a campaign.
  ///
  /// - Parameters:
  ///   - count: The number of suspensions.
  ///   - work: The work of the threads.
  ///   - folder: The folder of the database, which determines the file system.
  /// - Throws: `DatabaseError` when the database cannot be created.
  init(count: Int, _ work: Work, in folder: URL) throws {
    let workplace = try Self.makeWorkplace(in: folder)
    defer { try? FileManager.default.removeItem(at: workplace) }
    let url = workplace.appending(path: "suspended.db")
    let pool = try Self.makePool(at: url)
    if work == .statements { try pool.write(StatementWork.prepare) }
    let observed: [String] =
      switch work {
      case .accesses: []
      case .everything: [Self.lastRow]
      case .statements: [Self.lastRow] + StatementWork.observedSQL
      }
    let seen = Mutex<[String: Int?]>([:])
    let observations = observed.map { sql in
      ValueObservation.tracking { db in try Int.fetchOne(db, sql: sql) }.start(
        in: pool, scheduling: .async(onQueue: DispatchQueue(label: "seen")),
        onError: { fatalError("\(sql): \($0)") },
        onChange: { value in seen.withLock { $0[sql] = value } })
    }
    let copy = try DatabaseQueue(path: workplace.appending(path: "copy.db").path)
    let committed = Atomic(0)
    let ends = Atomic(false)
    let done = DispatchGroup()
    for thread in 0..<Self.threadCount {
      done.enter()
      Thread.detachNewThread {
        var random = Random(state: UInt64(thread) + 1)
        let statements = StatementWork(thread: thread, in: workplace)
        while !ends.load(ordering: .relaxed) {
          do {
            if work == .statements, random.below(2) == 0 {
              try statements.perform(on: pool, &random)
              continue
            }
            // Only one thread copies: two would wait for each other.
            try Self.perform(
              work, on: pool, committed, copyingTo: thread == 0 ? copy : nil, &random)
          } catch let error as DatabaseError where error.isDatabaseSuspensionError {
            // A suspended app's threads do nothing either.
            random.linger(upTo: 200)
          } catch {
            fatalError("\(error)")
          }
        }
        done.leave()
      }
    }
    let probe = try SyncProbe(in: workplace)
    var random = Random(state: 99)
    var times: [Double] = []
    for _ in 0..<count {
      random.linger(upTo: 1500)
      let start = Stopwatch.wallTime
      let report = pool.suspend(within: .seconds(10))
      times.append((Stopwatch.wallTime - start) / 1e3)
      guard report.isFree, report.locks == .proved else { fatalError("\(report)") }
      heldLockCount += try LockTable.locksOfThisProcess(onDatabasesAt: [url]).count
      pool.resume()
    }
    ends.store(true, ordering: .relaxed)
    done.wait()
    slowestSync = probe.end()
    self.times = Times(times)
    let (pairs, rows, last) = try pool.read { db in
      try (
        Int.fetchOne(db, sql: "SELECT count(*) FROM pair WHERE side = 'left'") ?? 0,
        Int.fetchOne(db, sql: "SELECT count(*) FROM pair") ?? 0,
        observed.map { sql in try Int.fetchOne(db, sql: sql) }
      )
    }
    lostCount = abs(pairs - committed.load(ordering: .relaxed)) + abs(rows - 2 * pairs)
    if work == .statements { lostCount += try pool.read(StatementWork.differenceCount) }
    // The last commit is observed soon after, or never.
    let end = ContinuousClock.now + .seconds(10)
    while observed.map({ sql in seen.withLock { $0[sql] ?? nil } }) != last {
      guard ContinuousClock.now < end else {
        lostCount += 1
        break
      }
      Thread.sleep(forTimeInterval: 0.001)
    }
    for observation in observations { observation.cancel() }
    try copy.close()
    try pool.close()
  }

  /// Performs one random operation, as an app's threads do concurrently.
  private static func perform(
    _ work: Work, on pool: DatabasePool, _ committed: borrowing Atomic<Int>,
    copyingTo copy: DatabaseQueue?, _ random: inout Random
  ) throws {
    switch random.below(work == .accesses ? 10 : 14) {
    case 0..<4:
      let number = random.below(1_000_000)
      // Up to 1 MB per transaction; most are small.
      let size = random.below(8) == 0 ? random.below(500_000) : random.below(2000)
      let idles = random.below(5) == 0
      var pause = random
      try pool.write { db in
        for side in ["left", "right"] {
          try db.execute(
            sql: "INSERT INTO pair VALUES (?, ?, zeroblob(?))", arguments: [number, side, size])
          if idles { pause.linger(upTo: 2000) }
        }
      }
      committed.wrappingAdd(1, ordering: .relaxed)
    case 4: try checkpoint(pool, .passive)
    case 5: try checkpoint(pool, random.below(2) == 0 ? .truncate : .full)
    case 6:
      var pause = random
      try pool.read { db in
        let rows = try Row.fetchCursor(db, sql: "SELECT number, length(pad) FROM pair")
        while try rows.next() != nil, pause.below(50) > 0 {}
        pause.linger(upTo: 1000)
      }
    case 10, 11:
      let snapshot = try pool.makeSnapshot()
      let read = { (db: Database) in try Int.fetchOne(db, sql: lastRow) }
      let row = try snapshot.read(read)
      random.linger(upTo: 1000)
      guard try snapshot.read(read) == row else { fatalError("A snapshot moved on.") }
    case 12:
      if let copy { try pool.backup(to: copy) }
    case 13: pool.invalidateReadOnlyConnections()
    default:
      try pool.read { db in
        _ = try Int.fetchOne(db, sql: "SELECT sum(length(pad)) FROM pair")
      }
    }
  }

  private static func checkpoint(
    _ pool: DatabasePool, _ mode: Database.CheckpointMode
  ) throws {
    do {
      try pool.checkpoint(mode)
    } catch ResultCode.SQLITE_BUSY {
      // It does not wait for a connection that recovers the log, and for a reader only briefly.
    }
  }

  /// A query for the last row, which changes with each commit.
  private static let lastRow = "SELECT max(rowid) FROM pair"

  private static func makeWorkplace(in folder: URL) throws -> URL {
    let workplace = folder.appending(path: "holdfast-\(UUID())")
    try FileManager.default.createDirectory(at: workplace, withIntermediateDirectories: true)
    return workplace
  }

  private static func makePool(at url: URL) throws -> DatabasePool {
    var configuration = Configuration()
    configuration.allowsSuspension = true
    let pool = try DatabasePool(path: url.path, configuration: configuration)
    try pool.write { db in
      try db.execute(sql: "CREATE TABLE pair (number INTEGER, side TEXT, pad BLOB)")
    }
    return pool
  }

  /// Returns the times of closing the same connections in C while threads do the same work.
  static func floor(count: Int, _ work: Work, in folder: URL) throws -> Times {
    let workplace = try makeWorkplace(in: folder)
    defer { try? FileManager.default.removeItem(at: workplace) }
    let url = workplace.appending(path: "suspended.db")
    try makePool(at: url).close()
    let copy = work == .everything ? workplace.appending(path: "copy.db").path : nil
    return try FloorTimes.suspend(path: url.path, copy: copy, count: count)
  }
}

/// A probe that repeatedly syncs a small file, to measure how long the file system may take.
private final class SyncProbe: Sendable {
  private let slowest = Atomic(UInt64(0))
  private let ends = Atomic(false)
  private let done = DispatchSemaphore(value: 0)

  init(in folder: URL) throws {
    let url = folder.appending(path: "sync-probe")
    try Data().write(to: url)
    let file = try FileHandle(forWritingTo: url)
    Thread.detachNewThread { [self] in
      while !ends.load(ordering: .relaxed) {
        let start = Stopwatch.wallTime
        try? file.write(contentsOf: Data(repeating: 0, count: 4096))
        try? file.synchronize()
        let time = UInt64(Stopwatch.wallTime - start)
        if time > slowest.load(ordering: .relaxed) { slowest.store(time, ordering: .relaxed) }
        Thread.sleep(forTimeInterval: 0.002)
      }
      done.signal()
    }
  }

  func end() -> Double {
    ends.store(true, ordering: .relaxed)
    done.wait()
    return Double(slowest.load(ordering: .relaxed)) / 1e3
  }
}

/// A random number generator with the same numbers in each run: xorshift64*.
struct Random {
  var state: UInt64

  mutating func below(_ limit: Int) -> Int {
    state ^= state >> 12
    state ^= state << 25
    state ^= state >> 27
    return Int((state &* 0x2545_F491_4F6C_DD1D) >> 33) % limit
  }

  /// Sleeps for a random time of up to the given number of microseconds.
  mutating func linger(upTo microseconds: Int) {
    Thread.sleep(forTimeInterval: Double(below(microseconds)) / 1e6)
  }
}
