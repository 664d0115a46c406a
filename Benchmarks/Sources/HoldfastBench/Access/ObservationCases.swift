import Dispatch
import Foundation
import Holdfast
import Synchronization

/// Benchmarks of observing one database: the latency of values, and the cost for writers.
struct ObservationCases {
  private let count: Int

  init(isShort: Bool) {
    count = isShort ? 20 : 2000
  }

  var all: [Case] {
    let latencies = Rounds(ours: latencies, floor: floorLatencies)
    return [
      latencies.comparing(
        "ValueObservation, commit to handler, p50", unit: "ns", quantile: 0.50, bound: .ratio(2)
      ) { $0 },
      latencies.comparing(
        "ValueObservation, commit to handler, p99", unit: "ns", quantile: 0.99, bound: .ratio(2)
      ) { $0 },
      Case(
        "pool.write { one insert } with one observation, against none", unit: "ns/write",
        bound: .ratio(1.2), ours: writes(isObserved: true), floor: writes(isObserved: false)),
    ]
  }

  /// Returns the times from a commit to its value; each write begins when the last value has
  /// arrived.
  private func latencies() throws -> Times {
    let file = try ObservedFile()
    let committed = Atomic<UInt64>(0)
    let journal = Mutex<[Double]>([])
    let came = DispatchSemaphore(value: 0)
    // It was started before the other one, and so is notified of a commit before it.
    let clock = DatabaseRegionObservation(tracking: DatabaseRegion(table: "visit"))
      .start(in: file.pool) {
        fatalError("\($0)")
      } onChange: { _ in
        committed.store(Stopwatch.wallTime.bitPattern, ordering: .relaxed)
      }
    let observation = file.observe { _ in
      let time = Stopwatch.wallTime - Double(bitPattern: committed.load(ordering: .relaxed))
      journal.withLock { $0.append(time) }
      came.signal()
    }
    came.wait()
    for number in 0..<count {
      try file.write(number)
      came.wait()
    }
    // Before the file is closed, which an observation would report as an error.
    observation.cancel()
    clock.cancel()
    return Times(journal.withLock { Array($0.dropFirst()) })
  }

  /// Returns the times of the same thread switches in C, with the same query.
  private func floorLatencies() throws -> Times {
    let file = try ObservedFile()
    return try FloorTimes.observe(path: file.path, settings: ObservedFile.settings, count: count)
  }

  /// Returns a probe of the time of a small write, one after the other.
  private func writes(isObserved: Bool) -> Probe {
    Probe { countsAllocations in
      let file = try ObservedFile()
      let came = DispatchSemaphore(value: 0)
      let observation = isObserved ? file.observe { _ in came.signal() } : nil
      if isObserved { came.wait() }
      let reading = try Probe.timed(per: count) {
        for number in 0..<count {
          try file.write(number)
        }
        return { UInt64(try file.count()) }
      }.read(countsAllocations)
      observation?.cancel()
      return reading
    }
  }
}

/// A file with a small table and the settings that apps use.
private final class ObservedFile {
  static let settings = "PRAGMA synchronous = NORMAL"

  let pool: DatabasePool
  var path: String { folder.appending(path: "observed.db").path }
  private let folder: URL
  private let queue = DispatchQueue(label: "values")

  init() throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "holdfast-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    var configuration = Configuration()
    configuration.prepareDatabase { db in try db.execute(sql: Self.settings) }
    pool = try DatabasePool(
      path: folder.appending(path: "observed.db").path, configuration: configuration)
    try pool.write { db in
      try db.execute(sql: "CREATE TABLE visit (id INTEGER PRIMARY KEY, stop INTEGER)")
    }
  }

  deinit {
    try? pool.close()
    try? FileManager.default.removeItem(at: folder)
  }

  func write(_ number: Int) throws {
    try pool.write { db in
      try db.execute(sql: "INSERT INTO visit (stop) VALUES (?)", arguments: [number])
    }
  }

  func count() throws -> Int {
    try pool.read { db in try Int.fetchOne(db, sql: "SELECT count(*) FROM visit") ?? 0 }
  }

  /// Observes the newest row.
  func observe(_ onChange: @escaping @Sendable (Int?) -> Void) -> AnyDatabaseCancellable {
    ValueObservation.tracking { db in
      try Int.fetchOne(db, sql: "SELECT stop FROM visit ORDER BY id DESC LIMIT 1")
    }
    .start(in: pool, scheduling: .async(onQueue: queue)) {
      fatalError("\($0)")
    } onChange: {
      onChange($0)
    }
  }
}
