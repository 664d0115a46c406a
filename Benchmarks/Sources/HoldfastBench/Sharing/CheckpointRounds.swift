import CFloor
import Foundation
import Holdfast

/// Processes that insert rows into one database, each in a transaction of its own.
struct CheckpointRounds {
  /// Who else uses the database of a writing process.
  enum Company {
    case alone
    /// One more that writes.
    case besideAnother
    /// Three more that write, and reads of another process that begin and end.
    case besideReaders
  }

  let company: Company

  /// The number of commits of all processes.
  let commitCount: Int

  private var processCount: Int {
    switch company {
    case .alone: 1
    case .besideAnother: 2
    case .besideReaders: 4
    }
  }

  /// Runs the processes in a new database.
  ///
  /// - Parameter work: The work of each process.
  /// - Returns: The times of the last process's commits, in microseconds; beside readers the greatest
  ///   length of the log, in bytes.
  /// - Throws: `DatabaseError`; ``BenchmarkError`` when a process fails.
  func run(_ work: ChildWork) throws -> Times {
    // A sync takes longer than all else, and each time another while.
    let folder = BenchFolder.inMemory.appending(path: "holdfast-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let path = folder.appending(path: "items.db").path
    let pool = try DatabasePool(path: path, configuration: Self.configuration)
    try pool.write { [commitCount, processCount] db in
      try db.execute(
        sql: """
          CREATE TABLE item (id INTEGER PRIMARY KEY, value INTEGER, pad BLOB);
          CREATE INDEX item_on_value ON item (value);
          CREATE TABLE task (count INTEGER);
          INSERT INTO task VALUES (\(commitCount / processCount));
          """)
    }
    guard company == .besideReaders else {
      try pool.close()
      return try times(of: start(work, path))
    }
    let processes = try start(work, path)
    var length = 0.0
    repeat {
      let count = try pool.read { db in try Int.fetchOne(db, sql: "SELECT sum(id > 0) FROM item") }
      let log = try FileManager.default.attributesOfItem(atPath: path + "-wal")
      length = max(length, (log[.size] as? NSNumber)?.doubleValue ?? 0)
      if count == commitCount { break }
    } while true
    _ = try times(of: processes)
    try pool.close()
    return Times([length])
  }

  private func start(_ work: ChildWork, _ path: String) throws -> [ChildProcess] {
    try (0..<processCount).map { _ in try ChildProcess(work, path) }
  }

  /// Waits for the processes, and returns the times of the last one.
  private func times(of processes: [ChildProcess]) throws -> Times {
    let all = try processes.map { process in
      try process.words().map { word in
        guard let time = Double(word) else { throw BenchmarkError.childFailed(word) }
        return time
      }
    }
    return Times(all.last ?? [])
  }

  private static var configuration: Configuration {
    var configuration = Configuration()
    configuration.busyMode = .timeout(60)
    return configuration
  }

  /// Inserts rows in a process of its own, and prints the microseconds that each commit took.
  static func insert(_ path: String, hasOwnCheckpoint: Bool) throws {
    if hasOwnCheckpoint { _ = floor_add_own_checkpoint() }
    let pool = try DatabasePool(path: path, configuration: configuration)
    if hasOwnCheckpoint {
      let code = try pool.writeWithoutTransaction { db in
        try Int.fetchOne(db, sql: "SELECT own_checkpoint(1000)")
      }
      guard code == 0 else { throw BenchmarkError.childFailed("SQLite refused a checkpoint.") }
    }
    let count = try pool.read { db in try Int.fetchOne(db, sql: "SELECT count FROM task") ?? 0 }
    var times: [Double] = []
    times.reserveCapacity(count)
    for number in 0..<count {
      let start = Stopwatch.wallTime
      try pool.write { db in
        try db.execute(
          sql: "INSERT INTO item (value, pad) VALUES (?, zeroblob(100))", arguments: [number])
      }
      times.append((Stopwatch.wallTime - start) / 1e3)
    }
    print(times.map { String($0) }.joined(separator: " "))
    try pool.close()
  }
}
