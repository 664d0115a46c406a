import Dispatch
import Foundation
import Holdfast
import Synchronization

/// Benchmarks of observing commits of other processes: latency, reliability and cost.
struct WatchCases {
  private let count: Int
  private let burstCount: Int
  private let idleSeconds: Double
  private let writeCount: Int

  init(isShort: Bool) {
    count = isShort ? 20 : 1000
    burstCount = isShort ? 30 : 1000
    idleSeconds = isShort ? 0.5 : 3
    writeCount = isShort ? 20 : 20_000
  }

  var all: [Case] {
    [
      Case(
        "another process's commit to handler, p50", unit: "ns", bound: .value(1_000_000),
        ours: latency(0.50), floor: nil),
      Case(
        "another process's commit to handler, p99", unit: "ns", bound: .value(10_000_000),
        ours: latency(0.99), floor: nil),
      Case(
        "another process's commit to handler with a change history, p50", unit: "ns", bound: nil,
        ours: latency(0.50, hasHistory: true), floor: nil),
      Case(
        "bursts of 3 writers whose last value was not delivered", unit: "bursts",
        bound: .value(0), ours: missedBursts, floor: nil),
      Case(
        "idle watcher, share of a core", unit: "ppm", bound: .value(1000), ours: idle,
        floor: nil),
      Case(
        "pool.write { one insert } that signals, against none", unit: "ns/write",
        bound: .ratio(1.1), ours: writes(before: .place), floor: writes(before: .nobody)),
      Case(
        "pool.write { one insert } while another process watches, against none", unit: "ns/write",
        bound: .ratio(1.1), ours: writes(before: .watcher), floor: writes(before: .nobody)),
    ]
  }

  /// Returns a probe of the time from another process's COMMIT to its value.
  ///
  /// The other process stores the time when it begins its transaction, which is before the commit,
  /// and begins the next one when it is notified that the last value has arrived.
  private func latency(_ quantile: Double, hasHistory: Bool = false) -> Probe {
    Probe { _ in
      let file = try WatchedFile(hasHistory: hasHistory)
      let journal = Mutex<[Double]>([])
      let came = DispatchSemaphore(value: 0)
      let observation = file.observe(in: file.pool) { row in
        let now = Stopwatch.wallTime
        if row.time > 0 { journal.withLock { $0.append(now - row.time) } }
        came.signal()
      }
      came.wait()
      let writer = try Writer(.holdfast, on: file.path)
      for _ in 0..<count {
        try writer.write()
        came.wait()
      }
      withExtendedLifetime((observation, writer)) {}
      let times = journal.withLock { $0.sorted() }
      return Reading(
        value: times[Int(Double(times.count - 1) * quantile)], allocations: nil,
        proof: UInt64(times.count))
    }
  }

  /// The number of bursts that ended with another value than that of the last commit; all bursts
  /// are made in the first run, so that no median hides one.
  private var missedBursts: Probe {
    var found: Reading?
    return Probe { _ in
      if let found { return found }
      let file = try WatchedFile()
      let last = Mutex(-1)
      let changed = DispatchSemaphore(value: 0)
      let observation = file.observe(in: file.pool) { row in
        last.withLock { $0 = row.number }
        changed.signal()
      }
      let writers = try Writer.Kind.allCases.map { try Writer($0, on: file.path) }
      var random = SystemRandomNumberGenerator()
      var expected = 0
      var missed = 0
      for _ in 0..<burstCount {
        let counts = writers.map { _ in Int.random(in: 0...3, using: &random) }
        expected += counts.reduce(0, +)
        // All requests are sent first, so that the writers write concurrently.
        for (writer, count) in zip(writers, counts) {
          for _ in 0..<count { try writer.ask() }
        }
        for (writer, count) in zip(writers, counts) {
          for _ in 0..<count { try writer.answer() }
        }
        let limit = DispatchTime.now() + 5
        while last.withLock({ $0 }) != expected {
          guard changed.wait(timeout: limit) == .success else {
            missed += 1
            break
          }
        }
      }
      withExtendedLifetime((observation, writers)) {}
      let reading = Reading(value: Double(missed), allocations: nil, proof: UInt64(expected))
      found = reading
      return reading
    }
  }

  /// The processor time of this process while it observes and nothing happens.
  private var idle: Probe {
    Probe { _ in
      let file = try WatchedFile()
      let came = DispatchSemaphore(value: 0)
      let observation = file.observe(in: file.pool) { _ in came.signal() }
      came.wait()
      // Waits until the polls after the preparation's writes have ended.
      Thread.sleep(forTimeInterval: 1)
      let start = Stopwatch.processTime
      let begin = Stopwatch.wallTime
      Thread.sleep(forTimeInterval: idleSeconds)
      let share = (Stopwatch.processTime - start) / (Stopwatch.wallTime - begin)
      withExtendedLifetime(observation) {}
      return Reading(value: share * 1_000_000, allocations: nil, proof: 1)
    }
  }

  /// The observers that exist while writes are timed.
  private enum Audience {
    case nobody
    /// No observer, but the file by which writers notify observers exists.
    case place
    /// Another process that observes the database, on a shared processor.
    case watcher
  }

  /// Returns a probe of the time of a small write, including notifications.
  private func writes(before audience: Audience) -> Probe {
    Probe { countsAllocations in
      let file = try WatchedFile()
      if audience == .place { try Data().write(to: URL(filePath: file.path + "-signal")) }
      let watcher = audience == .watcher ? try Writer(.watcher, on: file.path) : nil
      try watcher?.write()
      let reading = try Probe.timed(per: writeCount) {
        for number in 0..<writeCount {
          try file.pool.write { db in
            try db.execute(
              sql: "INSERT INTO visit (stop, at) VALUES (?, 0)", arguments: [number])
          }
        }
        return {
          UInt64(
            try file.pool.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM visit") ?? 0 })
        }
      }.read(countsAllocations)
      withExtendedLifetime(watcher) {}
      return reading
    }
  }
}

/// A file that several processes write.
private final class WatchedFile {
  struct Newest: Sendable {
    var number: Int
    var time: Double
  }

  let pool: DatabasePool
  var path: String { folder.appending(path: "watched.db").path }
  private let folder: URL
  private let queue = DispatchQueue(label: "values")

  // With a history, both tables are tracked.
  init(hasHistory: Bool = false) throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "holdfast-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    pool = try DatabasePool(
      path: folder.appending(path: "watched.db").path, configuration: Writer.configuration)
    try pool.write { db in
      try db.execute(
        sql: """
          CREATE TABLE visit (id INTEGER PRIMARY KEY, stop INTEGER, at REAL);
          CREATE TABLE counter (n INTEGER, at REAL);
          INSERT INTO counter VALUES (0, 0)
          """)
      if hasHistory { try ChangeHistory.install(on: db, tables: ["visit", "counter"]) }
    }
  }

  deinit {
    try? pool.close()
    try? FileManager.default.removeItem(at: folder)
  }

  /// Observes the number of commits and the time of the last one.
  func observe(
    in pool: DatabasePool, _ onChange: @escaping @Sendable (Newest) -> Void
  ) -> AnyDatabaseCancellable {
    ValueObservation.tracking { db in
      let row = try Row.fetchOne(db, sql: "SELECT n, at FROM counter")
      return Newest(number: row?["n"] ?? -1, time: row?["at"] ?? 0)
    }
    .removeDuplicates { $0.number == $1.number }
    .start(in: pool, scheduling: .async(onQueue: queue)) {
      fatalError("\($0)")
    } onChange: {
      onChange($0)
    }
  }
}
