import Foundation
import HoldfastTestSupport
import Testing

@testable import Holdfast

/// The length of the write-ahead log, which must stay as short over many short sessions as with one
/// lasting connection.
@Suite(.timeLimit(.minutes(1))) struct LogLengthTests {
  /// The number of pages after which SQLite checkpoints automatically.
  private static let limit = 25

  /// The way in which a session ends.
  enum SessionEnd: CaseIterable, Sendable {
    case suspension, suspensionOfAQueue, suspensionWhileObserved, lease, close, closeOfAQueue
    case closeOfASuspendable, shared
  }

  /// The activity of another process meanwhile.
  enum Neighbour: CaseIterable, Sendable {
    /// It opens the database, reads and closes it between the sessions.
    case comesAndGoes
    /// It keeps an idle connection.
    case stays
    /// It reads in transactions that outlast a session.
    case reads
  }

  private let folder: TemporaryDirectory
  private let path: String

  init() throws {
    folder = try TemporaryDirectory()
    path = folder.file("t.db").path
  }

  private static func configuration(
    allowsSuspension: Bool = true, limit: Int = limit
  ) -> Configuration {
    var configuration = Configuration()
    configuration.allowsSuspension = allowsSuspension
    configuration.journalMode = .wal
    configuration.prepareDatabase { db in
      try db.execute(sql: "PRAGMA synchronous = OFF; PRAGMA wal_autocheckpoint = \(limit)")
    }
    return configuration
  }

  /// Returns the number of pages for which the log's file has room.
  private func pageCount() throws -> Int {
    // The last connection that closes may remove it.
    guard FileManager.default.fileExists(atPath: path + "-wal") else { return 0 }
    let size = try FileManager.default.attributesOfItem(atPath: path + "-wal")[.size] as? Int ?? 0
    // "The WAL header is 32 bytes", each frame "a 24-byte frame-header followed by a page-size
    // bytes": https://www.sqlite.org/fileformat2.html#walformat
    return max(0, size - 32) / (24 + 4096)
  }

  private static func create(_ db: Database) throws {
    try db.execute(sql: "CREATE TABLE IF NOT EXISTS t (a)")
  }

  private static func write(_ db: Database) throws {
    try db.execute(sql: "INSERT INTO t VALUES (1)")
  }

  /// - Returns: A closure that runs one session.
  private func sessions(_ end: SessionEnd) throws -> () throws -> Void {
    let path = path
    switch end {
    case .suspension, .suspensionOfAQueue, .suspensionWhileObserved:
      let writer: any DatabaseWriter =
        end == .suspensionOfAQueue
        ? try DatabaseQueue(path: path, configuration: Self.configuration())
        : try DatabasePool(path: path, configuration: Self.configuration())
      try writer.write(Self.create)
      var observation: AnyDatabaseCancellable?
      if end == .suspensionWhileObserved {
        observation = ValueObservation.tracking { db in
          try Int.fetchOne(db, sql: "SELECT count(*) FROM t")
        }.start(
          in: writer, scheduling: .async(onQueue: DispatchQueue(label: "values")),
          onError: { Issue.record($0) }, onChange: { _ in })
      }
      return {
        try writer.write(Self.write)
        withExtendedLifetime(observation) { _ = writer.suspend() }
        writer.resume()
      }
    case .lease:
      let pool = try DatabasePool(path: path, configuration: Self.configuration())
      try pool.write(Self.create)
      pool.suspend()
      return { try pool.withBackgroundLease { try pool.write(Self.write) } }
    case .close, .closeOfAQueue, .closeOfASuspendable:
      try DatabaseQueue(path: path, configuration: Self.configuration()).write(Self.create)
      let configuration = Self.configuration(allowsSuspension: end == .closeOfASuspendable)
      return {
        let writer: any DatabaseWriter =
          end == .closeOfAQueue
          ? try DatabaseQueue(path: path, configuration: configuration)
          : try DatabasePool(path: path, configuration: configuration)
        try writer.write(Self.write)
        try writer.close()
      }
    case .shared:
      return {
        let pool = try DatabasePool.shared(
          at: URL(filePath: path), configuration: Self.configuration())
        try pool.write { db in
          try Self.create(db)
          try Self.write(db)
        }
        pool.suspend()
      }
    }
  }

  @Test(arguments: SessionEnd.allCases) func theLogStaysShortOverManyShortSessions(
    _ end: SessionEnd
  ) async throws {
    try await onOwnThread {
      let session = try sessions(end)
      var longest = 0
      for _ in 0..<70 {
        try session()
        longest = max(longest, try pageCount())
      }
      // A lasting connection checkpoints after the transaction that passes the limit. An
      // observation that is reading at that time delays this to a later session.
      #expect(longest <= Self.limit + (end == .suspensionWhileObserved ? 30 : 10))
    }
    let queue = try DatabaseQueue(path: path)
    #expect(
      try await queue.read { db in try Int.fetchOne(db, sql: "SELECT count(*) FROM t") } == 70)
    #expect(try await queue.read { db in try db.integrityProblems() } == [])
  }

  @Test(.enabled(if: OtherSQLite.isThere), arguments: Neighbour.allCases)
  func theLogStaysShortNextToAnotherProcess(_ neighbour: Neighbour) async throws {
    try await onOwnThread {
      let session = try sessions(.suspension)
      let other = try OtherSQLite()
      var longest = 0
      for number in 0..<45 {
        switch neighbour {
        case .comesAndGoes:
          try other.run("SELECT count(*) FROM t", on: path)
          if number.isMultiple(of: 3) { try session() }
          try other.close(path)
        case .stays:
          try other.run("SELECT count(*) FROM t", on: path)
        case .reads:
          switch number % 4 {
          case 0: try other.run("BEGIN", on: path)
          case 1: try other.run("SELECT count(*) FROM t", on: path)
          case 3: try other.run("COMMIT", on: path)
          default: break
          }
        }
        try session()
        longest = max(longest, try pageCount())
      }
      #expect(longest <= Self.limit + 20)
    }
  }

  /// Each process ends without closing, as when the system kills it.
  @Test func theLogStaysShortOverManyProcesses() async throws {
    for _ in 0..<4 {
      await #expect(processExitsWith: .success) { [path = path as String] in
        let pool = try DatabasePool(path: path, configuration: Self.configuration(limit: 5))
        try await pool.write { db in
          try Self.create(db)
          try db.execute(sql: "INSERT INTO t SELECT zeroblob(40000)")
        }
        exit(EXIT_SUCCESS)
      }
    }
    // Twelve pages for each process.
    #expect(try pageCount() <= 30)
  }

  @Test func theLogIsKeptWhereAutomaticCheckpointsAreOff() async throws {
    try await onOwnThread {
      for _ in 0..<40 {
        let pool = try DatabasePool(path: path, configuration: Self.configuration(limit: 0))
        try pool.write { db in
          try Self.create(db)
          try Self.write(db)
        }
        pool.suspend()
      }
      #expect(try pageCount() >= 40)
    }
  }

  /// A long log is checkpointed and emptied when the database is opened, except for what a reader
  /// still needs, and the opening does not wait for that reader.
  @Test(.enabled(if: OtherSQLite.isThere)) func openingDoesNotWaitForAReader() async throws {
    try await onOwnThread {
      let off = try DatabasePool(path: path, configuration: Self.configuration(limit: 0))
      try off.write(Self.create)
      let other = try OtherSQLite()
      try other.run("BEGIN", on: path)
      try other.run("SELECT * FROM t", on: path)
      for _ in 0..<60 { try off.write(Self.write) }
      off.suspend()
      var configuration = Self.configuration()
      configuration.busyMode = .callback { _ in
        Issue.record("The reader was waited for.")
        return false
      }
      let pool = try DatabasePool(path: path, configuration: configuration)
      try pool.write(Self.write)
      #expect(try pageCount() > 60)
      try other.run("COMMIT", on: path)
      pool.suspend()
      pool.resume()
      try pool.write(Self.write)
      #expect(try pageCount() < 10)
    }
  }
}
