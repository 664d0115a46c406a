import Foundation
import Holdfast

/// A campaign in which four processes write, checkpoint, suspend, resume and close one database at random.
struct CheckpointCampaign {
  private static let processCount = 4

  /// The number of commits that had returned and are missing.
  private(set) var lostCount = 0

  /// The number of problems that SQLite finds in the database, such as rows that an index misses.
  private(set) var problemCount = 0

  /// Runs the campaign.
  ///
  /// - Parameter roundCount: The number of acts of all processes.
  /// - Throws: `DatabaseError`; ``BenchmarkError`` when a process fails.
  init(roundCount: Int) throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "holdfast-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let path = folder.appending(path: "items.db").path
    let pool = try DatabasePool(path: path, configuration: CheckpointWork.configuration)
    try pool.write { db in
      try db.execute(
        sql: """
          CREATE TABLE item (id INTEGER PRIMARY KEY, value INTEGER, pad BLOB);
          CREATE INDEX item_on_value ON item (value);
          CREATE TABLE act (rest INTEGER);
          INSERT INTO act VALUES (\(roundCount / Self.processCount));
          """)
      for _ in 0..<CheckpointWork.itemCount {
        try db.execute(sql: "INSERT INTO item (value, pad) VALUES (0, zeroblob(900))")
      }
    }
    let processes = try (0..<Self.processCount).map { _ in
      try ChildProcess(.checkpointAtRandom, path)
    }
    let committed = try processes.reduce(0) { sum, process in
      guard let word = try process.words().first, let count = Int(word) else {
        throw BenchmarkError.childFailed("It printed no number of commits.")
      }
      return sum + count
    }
    let (sum, problems) = try pool.read { db in
      try (
        Int.fetchOne(db, sql: "SELECT sum(value) FROM item NOT INDEXED") ?? 0,
        db.integrityProblems()
      )
    }
    lostCount = abs(committed - sum)
    problemCount = problems.count
    try pool.close()
  }
}

/// The work of one of the processes.
enum CheckpointWork {
  static let itemCount = 400

  static var configuration: Configuration {
    var configuration = Configuration()
    configuration.allowsSuspension = true
    configuration.busyMode = .timeout(60)
    configuration.prepareDatabase { db in
      // Short logs, so that they restart often.
      try db.execute(sql: "PRAGMA synchronous = OFF; PRAGMA wal_autocheckpoint = 20")
    }
    return configuration
  }

  /// Acts at random, and prints the number of commits.
  static func run(_ path: String) throws {
    var random = Random(state: UInt64(getpid()) &* 0x9E37_79B9_7F4A_7C15)
    var pool = try DatabasePool(path: path, configuration: configuration)
    let rest = try pool.read { db in try Int.fetchOne(db, sql: "SELECT rest FROM act") ?? 0 }
    var commitCount = 0
    for _ in 0..<rest {
      switch random.below(20) {
      case 0: try checkpoint(pool, [.passive, .full, .restart, .truncate][random.below(4)])
      case 1: try checkpoint(pool, .passive)
      case 2:
        try pool.writeWithoutTransaction { db in
          _ = try Row.fetchOne(db, sql: "PRAGMA wal_checkpoint")
          try db.execute(sql: "PRAGMA wal_autocheckpoint = \(1 + random.below(40))")
        }
      case 3:
        pool.suspend(within: .seconds(10))
        pool.resume()
      case 4:
        try pool.close()
        pool = try DatabasePool(path: path, configuration: configuration)
      default:
        let item = 1 + random.below(itemCount)
        try pool.write { db in
          try db.execute(sql: "UPDATE item SET value = value + 1 WHERE id = ?", arguments: [item])
        }
        commitCount += 1
      }
    }
    try pool.close()
    print(commitCount)
  }

  private static func checkpoint(_ pool: DatabasePool, _ mode: Database.CheckpointMode) throws {
    do {
      try pool.checkpoint(mode)
    } catch let error as DatabaseError where error.resultCode == .SQLITE_BUSY {
      // Another process checkpoints.
    }
  }
}
