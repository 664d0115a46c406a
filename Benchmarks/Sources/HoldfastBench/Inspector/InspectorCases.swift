import Dispatch
import Foundation
import Holdfast
import Synchronization

/// Benchmarks of `holdfast inspect`: how soon its page shows what, and what it costs the app that it watches.
struct InspectorCases {
  private let isShort: Bool
  private let commitCount: Int
  private let writeCount: Int
  private let suspensionCount: Int

  init(isShort: Bool) {
    self.isShort = isShort
    commitCount = isShort ? 20 : 300
    writeCount = isShort ? 200 : 20_000
    suspensionCount = isShort ? 10 : 1000
  }

  var all: [Case] { [start] + pages + events + costs + [size] }

  private func tool(
    _ name: String, unit: String, bound: Bound, rounds: Int = 1, ours: Probe, floor: Probe? = nil
  ) -> Case {
    Case(
      name, unit: unit, bound: bound, rounds: rounds, ours: ours, floor: floor,
      absence: { InspectorProcess.absence })
  }

  // MARK: - Pages

  private var start: Case {
    tool(
      "from the command to the page of a container of 1 GB in 2,000 files", unit: "ms",
      bound: .value(300),
      ours: .milliseconds { [isShort] in
        let container = try InspectedFiles.container(isShort: isShort)
        return {
          let inspector = try InspectorProcess(container)
          let count = try inspector.databases().count
          return {
            withExtendedLifetime(inspector) {}
            return UInt64(count)
          }
        }
      })
  }

  private var pages: [Case] {
    let rowCount = InspectedFiles.rowCount(isShort: isShort)
    let opened = Lazy { [isShort] in
      let inspector = try InspectorProcess(InspectedFiles.table(isShort: isShort))
      return (inspector: inspector, id: try inspector.database())
    }
    func page(_ name: String, _ query: String) -> Case {
      tool(
        "a table of 10 million rows, \(name)", unit: "ms", bound: .value(20),
        ours: .milliseconds {
          let (inspector, id) = try opened.value
          return {
            let bytes = try inspector.get("api/database/\(id)/rows?table=visit\(query)")
            return { UInt64(bytes.count > 1000 ? 1 : 0) }
          }
        })
    }
    return [
      page("first page", ""),
      page("a page in its middle by key", "&at=\(rowCount / 2)"),
      tool(
        "a table of 10 million rows, memory of the tool", unit: "MiB", bound: .value(64),
        ours: Probe { _ in
          Reading(
            value: try opened.value.inspector.peakMemory.mebibytes, allocations: nil, proof: 0)
        }),
    ]
  }

  /// All files that a browser loads but the map's engine, each compressed as a server would.
  private var size: Case {
    Case(
      "the page without the map, compressed", unit: "KB", bound: .value(120),
      ours: Probe { _ in
        let root = try BenchFolder.url().deletingLastPathComponent().deletingLastPathComponent()
        let page = root.appending(path: "Sources/HoldfastInspector/Page").path
        let count = try Command.run([
          "sh", "-c", "find \"$1\" -type f -exec gzip -9 -c {} \\; | wc -c", "sh", page,
        ])
        guard let bytes = Double(count.trimmingCharacters(in: .whitespacesAndNewlines)), bytes > 0
        else { throw BenchmarkError.childFailed(count) }
        return Reading(value: bytes / 1000, allocations: nil, proof: 0)
      }, floor: nil)
  }

  // MARK: - Events

  private var events: [Case] {
    let times = Lazy { [commitCount] in try Self.eventTimes(commitCount) }
    return [(0.50, 2.0), (0.99, 15.0)].map { quantile, limit in
      tool(
        "a commit after a tenth of a second to a client's event, p\(Int(quantile * 100))",
        unit: "ms",
        bound: .value(limit),
        ours: Probe { _ in
          Reading(value: try times.value.quantile(quantile), allocations: nil, proof: 0)
        })
    }
  }

  /// Returns the milliseconds from before a write to the event of its commit.
  ///
  /// Writes are a tenth of a second apart: of those that follow each other, the page is told every 50 ms, so that
  /// it costs the app little.
  private static func eventTimes(_ count: Int) throws -> Times {
    let app = try InspectedApp()
    let inspector = try InspectorProcess(app.url)
    let events = try inspector.events(of: inspector.database())
    return try Times(
      (0..<count).map { _ in
        Thread.sleep(forTimeInterval: 0.1)
        let start = Stopwatch.wallTime
        try app.write()
        try events.wait(for: "commit")
        return (Stopwatch.wallTime - start) / 1e6
      })
  }

  // MARK: - Costs

  private var costs: [Case] {
    [
      // 0.97 of the writes take 1/0.97 of the time. A process that only wakes twenty times a second makes it 1.01,
      // and so does one in C that reads PRAGMA data_version as often.
      tool(
        "writes of an app while a client watches its database, against none", unit: "ns/write",
        bound: .ratio(1.031), rounds: 3, ours: writes(isWatched: true),
        floor: writes(isWatched: false)),
      tool(
        "suspensions of an app while a client watches its database, against none", unit: "us",
        bound: .ratio(1.05), ours: suspensions(isWatched: true),
        floor: suspensions(isWatched: false)),
    ]
  }

  private func writes(isWatched: Bool) -> Probe {
    Probe { [writeCount] countsAllocations in
      let app = try InspectedApp()
      let watch = isWatched ? try Watch(app) : nil
      let reading = try Probe.timed(per: writeCount) {
        for _ in 0..<writeCount { try app.write() }
        return { UInt64(try app.count()) }
      }.read(countsAllocations)
      if let watch, watch.end() == 0 { throw BenchmarkError.childFailed("no commit was seen") }
      return reading
    }
  }

  /// The time of a suspension in the middle, of many, each after a write; none leaves a lock.
  private func suspensions(isWatched: Bool) -> Probe {
    Probe { [suspensionCount] _ in
      let app = try InspectedApp()
      let watch = isWatched ? try Watch(app) : nil
      let times = try Times(
        (0..<suspensionCount).map { _ in
          try app.write()
          let start = Stopwatch.wallTime
          try app.suspend()
          let time = (Stopwatch.wallTime - start) / 1e3
          app.resume()
          return time
        })
      if let watch, watch.end() == 0 { throw BenchmarkError.childFailed("no commit was seen") }
      return Reading(value: times.quantile(0.5), allocations: nil, proof: UInt64(suspensionCount))
    }
  }
}

/// The app that is inspected: this process.
private final class InspectedApp {
  let url: URL
  private let folder: TemporaryDirectory
  private let pool: DatabasePool

  init() throws {
    folder = try TemporaryDirectory()
    url = folder.file("app.sqlite")
    var configuration = Writer.configuration
    configuration.allowsSuspension = true
    pool = try DatabasePool(path: url.path, configuration: configuration)
    try pool.write { db in try db.execute(sql: "CREATE TABLE visit (stop INTEGER, at REAL)") }
  }

  deinit {
    try? pool.close()
  }

  func write() throws {
    try pool.write { db in try db.execute(sql: "INSERT INTO visit VALUES (1, 0)") }
  }

  func count() throws -> Int {
    try pool.read { db in try Int.fetchOne(db, sql: "SELECT count(*) FROM visit") ?? 0 }
  }

  /// Suspends the app, and checks that this process holds no lock.
  func suspend() throws {
    let report = pool.suspend(within: .seconds(10))
    guard report.isFree, report.locks == .proved,
      try LockTable.locksOfThisProcess(onDatabasesAt: [url]).isEmpty
    else { throw BenchmarkError.childFailed("\(report)") }
  }

  func resume() { pool.resume() }
}

/// A client that reads the events of an app's database on a thread of its own.
private final class Watch {
  /// A stream that only the thread reads; the other one ends its connection.
  private struct Stream: @unchecked Sendable {
    let events: EventStream
  }

  private final class Commits: Sendable {
    let count = Mutex(0)
    let isCounted = DispatchSemaphore(value: 0)
  }

  private let inspector: InspectorProcess
  private let stream: Stream
  private let commits = Commits()

  init(_ app: InspectedApp) throws {
    inspector = try InspectorProcess(app.url)
    stream = Stream(events: try inspector.events(of: inspector.database()))
    Thread.detachNewThread { [stream, commits] in
      let count = stream.events.count(of: "commit")
      commits.count.withLock { $0 = count }
      commits.isCounted.signal()
    }
  }

  /// Ends the stream, and returns how many commits it told of.
  func end() -> Int {
    stream.events.end()
    commits.isCounted.wait()
    return commits.count.withLock { $0 }
  }
}
