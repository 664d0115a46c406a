import CFaults
import Foundation
import HoldfastTestSupport
import Testing

@testable import Holdfast

/// A database whose log is moved as a whole and then restarted, both in the course of one checkpoint.
///
/// Its process has faults in its files, which report the moments of a checkpoint.
final class LogResetRace {
  /// The process of the connection that commits in the middle.
  enum Committer: String, CaseIterable, Codable, Sendable {
    case same, other
  }

  private static let rowCount = 200

  let path: String
  private let folder: TemporaryDirectory
  private let committer: Committer

  /// A connection that stays, so that no other one is the last to close.
  private let lasting: DatabaseQueue

  private var isMiddleReached = false

  init(committer: Committer) throws {
    try #require(holdfast_put_faults_in_files())
    self.committer = committer
    folder = try TemporaryDirectory()
    path = folder.file("t.db").path
    var configuration = Configuration()
    configuration.prepareDatabase { db in try db.execute(sql: "PRAGMA wal_autocheckpoint = 0") }
    configuration.journalMode = .wal
    lasting = try DatabaseQueue(path: path, configuration: configuration)
    // Each row in a commit of its own, so that the log is long.
    try lasting.writeWithoutTransaction { db in
      try db.execute(sql: "CREATE TABLE t (id INTEGER PRIMARY KEY, value INTEGER, text TEXT)")
      try db.execute(sql: "CREATE INDEX i ON t (value)")
      for id in 1...Self.rowCount {
        try db.execute(
          sql: "INSERT INTO t VALUES (?, ?, ?)",
          arguments: [id, id, String(repeating: "~", count: 300)])
      }
      try db.execute(sql: "CREATE TABLE other (data BLOB)")
    }
  }

  func pool(allowsSuspension: Bool = false) throws -> DatabasePool {
    try DatabasePool(path: path, configuration: configuration(allowsSuspension: allowsSuspension))
  }

  func queue(allowsSuspension: Bool = false) throws -> DatabaseQueue {
    try DatabaseQueue(path: path, configuration: configuration(allowsSuspension: allowsSuspension))
  }

  func configuration(allowsSuspension: Bool = false) -> Configuration {
    var configuration = Configuration()
    configuration.allowsSuspension = allowsSuspension
    configuration.busyMode = .immediateError
    return configuration
  }

  /// Runs a closure that starts a checkpoint, in whose middle another connection commits.
  func runWithCommitInside(_ body: () throws -> Void) throws {
    at(HOLDFAST_BEFORE_CHECKPOINT) { race in
      race.commit("UPDATE t SET text = 'moved' WHERE id = 1; PRAGMA wal_checkpoint;")
      race.at(HOLDFAST_IN_CHECKPOINT) { race in
        race.commit("UPDATE t SET text = 'restarted' WHERE id = 1;")
        race.isMiddleReached = true
      }
    }
    try body()
    #expect(isMiddleReached)
  }

  /// Runs a closure that starts a checkpoint, in whose middle the connection commits that has the writers' lock.
  func runWithWriterInside(_ body: () throws -> Void) throws {
    func write(_ sql: String) {
      #expect(throws: Never.self) { try writer?.execute(sql: sql) }
    }
    try lasting.writeWithoutTransaction { db in
      writer = db
      defer { writer = nil }
      write("BEGIN IMMEDIATE")
      at(HOLDFAST_BEFORE_CHECKPOINT) { race in
        write("UPDATE t SET text = 'moved' WHERE id = 1; COMMIT")
        race.commit("PRAGMA wal_checkpoint")
        write("BEGIN IMMEDIATE")
        race.at(HOLDFAST_IN_CHECKPOINT) { race in
          write("UPDATE t SET text = 'restarted' WHERE id = 1; COMMIT")
          race.isMiddleReached = true
        }
      }
      try body()
    }
    #expect(isMiddleReached)
  }

  /// Closes the last connection, whose checkpoint begins with an old header of the log, and returns SQLite's code
  /// for a commit in the middle.
  func closeLastWithCommitInside() throws -> CInt {
    commit("UPDATE t SET text = 'moved' WHERE id = 1;")
    var code: CInt = 0
    at(HOLDFAST_IN_CHECKPOINT) { race in
      code = race.runPlainly("UPDATE t SET text = 'refused' WHERE id = 1;")
      race.isMiddleReached = true
    }
    try lasting.close()
    #expect(isMiddleReached)
    return code
  }

  private var writer: Database?

  /// Commits more than the former log had, and returns what is wrong with the database afterwards.
  func losses() throws -> [String] {
    #expect(try firstText() == "restarted")
    let updates = (1...Self.rowCount).map { "UPDATE t SET value = value + 1000 WHERE id = \($0);" }
    // The last commit restarts the log.
    let end =
      "PRAGMA wal_checkpoint; PRAGMA wal_checkpoint; UPDATE t SET text = 'last' WHERE id = 1;"
    commit("PRAGMA wal_autocheckpoint = 0;" + updates.joined() + end)
    return try DatabaseQueue(path: path).read { db in
      let lost = try Int.fetchAll(db, sql: "SELECT id FROM t NOT INDEXED WHERE value <> id + 1000")
      return lost.map { "the last update of \($0) is lost" } + (try db.integrityProblems())
    }
  }

  /// The text of the first row, in which the commits are.
  func firstText() throws -> String? {
    try DatabaseQueue(path: path, configuration: configuration()).read { db in
      try String.fetchOne(db, sql: "SELECT text FROM t WHERE id = 1")
    }
  }

  /// Runs SQL on a connection that is not Holdfast's, and returns SQLite's code.
  func runPlainly(_ sql: String) -> CInt { unsafe holdfast_run_plainly(path, sql) }

  private func commit(_ sql: String) {
    switch committer {
    case .same: #expect(runPlainly(sql) == 0)
    case .other: #expect(throws: Never.self) { try ForeignWriter.shell.run(sql, on: path) }
    }
  }

  private func at(_ moment: holdfast_moment, _ body: @escaping (LogResetRace) -> Void) {
    bodies[moment.rawValue] = body
    unsafe holdfast_await(
      moment,
      { context in
        guard let context = unsafe context else { return }
        let race = unsafe Unmanaged<LogResetRace>.fromOpaque(context).takeUnretainedValue()
        race.reach()
      }, Unmanaged.passUnretained(self).toOpaque())
  }

  /// What is to be done at the moments, which are reached in this order.
  private var bodies: [UInt32: (LogResetRace) -> Void] = [:]

  private func reach() {
    guard let first = bodies.keys.min() else { return }
    bodies.removeValue(forKey: first)?(self)
  }
}

/// A way to start a checkpoint.
enum CheckpointStart: String, CaseIterable, Codable, Sendable {
  case passive, passiveOfAll, ofAnAttachedDatabase, pragma, pragmaOfTheSchema, explicitPragma
  case automatic, automaticAfterPragma, automaticOfAMigration, automaticOfAQueue
  case opening, closing, closingAQueue

  /// Starts the checkpoint on a connection of its own.
  func perform(on race: LogResetRace) throws {
    switch self {
    case .passive:
      try race.pool().checkpoint(.passive)
    case .passiveOfAll:
      _ = try race.pool().writeWithoutTransaction { db in try db.checkpoint(.passive, on: nil) }
    case .ofAnAttachedDatabase:
      try DatabaseQueue(configuration: race.configuration()).writeWithoutTransaction { db in
        try db.execute(sql: "ATTACH ? AS other", arguments: [race.path])
        _ = try db.checkpoint(.passive, on: "other")
      }
    case .pragma: try run("PRAGMA wal_checkpoint", on: race)
    case .pragmaOfTheSchema: try run("/* of one */ pragma Main . \"wal_checkpoint\";", on: race)
    case .explicitPragma: try run("PRAGMA wal_checkpoint(PASSIVE)", on: race)
    case .automatic:
      try race.pool().write(Self.writeALot)
    case .automaticOfAQueue:
      try race.queue().write(Self.writeALot)
    case .automaticAfterPragma:
      try race.pool().writeWithoutTransaction { db in
        #expect(try Int.fetchOne(db, sql: "PRAGMA wal_autocheckpoint") == 1000)
        #expect(try Int.fetchOne(db, sql: "PRAGMA wal_autocheckpoint = 10") == 10)
        #expect(try Int.fetchOne(db, sql: "PRAGMA wal_autocheckpoint") == 10)
        try db.execute(sql: "INSERT INTO other VALUES (1)")
      }
    case .automaticOfAMigration:
      var migrator = DatabaseMigrator()
      migrator.registerMigration("a", migrate: Self.writeALot)
      try migrator.migrate(try race.queue())
    case .opening:
      var configuration = race.configuration()
      configuration.prepareDatabase { db in try db.execute(sql: "PRAGMA wal_autocheckpoint = 10") }
      _ = try DatabaseQueue(path: race.path, configuration: configuration)
    case .closing:
      try race.pool(allowsSuspension: true).close()
    case .closingAQueue:
      try race.queue(allowsSuspension: true).close()
    }
  }

  /// More pages than those after which SQLite checkpoints.
  private static func writeALot(_ db: Database) throws {
    for _ in 1...1100 { try db.execute(sql: "INSERT INTO other VALUES (zeroblob(4000))") }
  }

  private func run(_ sql: String, on race: LogResetRace) throws {
    try race.pool().writeWithoutTransaction { db in
      let row = try #require(try Row.fetchOne(db, sql: sql))
      #expect(row[0] == 0)
    }
  }
}
