import Foundation
import Holdfast
import Synchronization

/// Suspends one pool again and again while threads read, write, checkpoint and idle in transactions.
///
/// Every write puts two rows in, so that half of one can be seen; every commit is counted, so that
/// one that is lost can be seen too.
struct SuspensionCampaign {
  private static let threadCount = 8

  /// The times from `suspend` to its return, in microseconds, sorted.
  private(set) var times: [Double] = []

  /// How many locks the kernel's table showed after the suspensions, all together.
  private(set) var heldLockCount = 0

  /// How many commits are missing, or are there by half.
  private(set) var lostCount = 0

  /// The longest time in which a file of this folder was synced meanwhile, in microseconds.
  private(set) var slowestSync = 0.0

  /// Runs a campaign.
  ///
  /// - Parameters:
  ///   - count: How many suspensions.
  ///   - folder: Where the database lies, which decides the file system.
  /// - Throws: `DatabaseError`, when the database cannot be made.
  init(count: Int, in folder: URL) throws {
    let workplace = folder.appending(path: "holdfast-\(UUID())")
    try FileManager.default.createDirectory(at: workplace, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: workplace) }
    let url = workplace.appending(path: "suspended.db")
    var configuration = Configuration()
    configuration.allowsSuspension = true
    let pool = try DatabasePool(path: url.path, configuration: configuration)
    try pool.write { db in
      try db.execute(sql: "CREATE TABLE pair (number INTEGER, side TEXT, pad BLOB)")
    }
    let committed = Atomic(0)
    let ends = Atomic(false)
    let done = DispatchGroup()
    for thread in 0..<Self.threadCount {
      done.enter()
      Thread.detachNewThread {
        var random = Random(state: UInt64(thread) + 1)
        while !ends.load(ordering: .relaxed) {
          do {
            try Self.work(on: pool, committed, &random)
          } catch let error as DatabaseError where error.isDatabaseSuspensionError {
            // The suspended thread of an app does nothing either.
            random.linger(upTo: 200)
          } catch ResultCode.SQLITE_BUSY {
            // A checkpoint does not wait for a connection that recovers the log.
          } catch {
            fatalError("\(error)")
          }
        }
        done.leave()
      }
    }
    let probe = try SyncProbe(in: workplace)
    var random = Random(state: 99)
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
    times.sort()
    let (pairs, rows) = try pool.read { db in
      try (
        Int.fetchOne(db, sql: "SELECT count(*) FROM pair WHERE side = 'left'") ?? 0,
        Int.fetchOne(db, sql: "SELECT count(*) FROM pair") ?? 0
      )
    }
    lostCount = abs(pairs - committed.load(ordering: .relaxed)) + abs(rows - 2 * pairs)
    try pool.close()
  }

  /// Does one random thing, as threads of an app do at the same time.
  private static func work(
    on pool: DatabasePool, _ committed: borrowing Atomic<Int>, _ random: inout Random
  ) throws {
    switch random.below(10) {
    case 0..<4:
      let number = random.below(1_000_000)
      // Up to 1 MB a transaction; most are small.
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
    case 4: try pool.checkpoint(.passive)
    case 5: try pool.checkpoint(random.below(2) == 0 ? .truncate : .full)
    case 6:
      var pause = random
      try pool.read { db in
        let rows = try Row.fetchCursor(db, sql: "SELECT number, length(pad) FROM pair")
        while try rows.next() != nil, pause.below(50) > 0 {}
        pause.linger(upTo: 1000)
      }
    default:
      try pool.read { db in
        _ = try Int.fetchOne(db, sql: "SELECT sum(length(pad)) FROM pair")
      }
    }
  }

  /// The time below which a share of the suspensions stayed.
  func quantile(_ quantile: Double) -> Double {
    times[Int(Double(times.count - 1) * quantile)]
  }
}

/// Syncs a small file all the time, to learn how long the file system may take for it.
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

/// Random numbers that are the same in each run: xorshift64*.
struct Random {
  var state: UInt64

  mutating func below(_ limit: Int) -> Int {
    state ^= state >> 12
    state ^= state << 25
    state ^= state >> 27
    return Int((state &* 0x2545_F491_4F6C_DD1D) >> 33) % limit
  }

  /// Does nothing for up to so many microseconds.
  mutating func linger(upTo microseconds: Int) {
    Thread.sleep(forTimeInterval: Double(below(microseconds)) / 1e6)
  }
}
