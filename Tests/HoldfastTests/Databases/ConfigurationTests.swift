import Foundation
import HoldfastTestSupport
import Testing

@testable import Holdfast

@Suite struct ConfigurationTests {
  private let folder: TemporaryDirectory
  private let path: String

  init() throws {
    folder = try TemporaryDirectory()
    path = folder.file("t.db").path
  }

  private func pragma(_ name: String, _ configuration: Configuration) throws -> String? {
    try DatabaseQueue(path: path, configuration: configuration).writeWithoutTransaction { db in
      try String.fetchOne(db, sql: "PRAGMA \(name)")
    }
  }

  @Test func theDefaultsAreSafe() throws {
    let configuration = Configuration()
    #expect(!configuration.readonly)
    #expect(configuration.label == nil)
    #expect(configuration.foreignKeysEnabled)
    #expect(configuration.journalMode == .default)
    #expect(configuration.defaultTransactionKind == .immediate)
    #expect(configuration.maximumReaderCount == 5)
    #expect(!configuration.acceptsDoubleQuotedStringLiterals)
    #expect(!configuration.publicStatementArguments)
    #expect(!configuration.persistentReadOnlyConnections)
    #expect(configuration.qos == .userInitiated)
    #expect(configuration.targetQueue == nil)
    #expect(configuration.writeTargetQueue == nil)
    var queues = configuration
    #expect(queues.readQoS == .userInitiated && queues.writeQoS == .userInitiated)
    queues.targetQueue = DispatchQueue(label: "all", qos: .utility)
    #expect(queues.readQoS == .utility && queues.writeQoS == .utility)
    queues.writeTargetQueue = DispatchQueue(label: "writes", qos: .background)
    #expect(queues.readQoS == .utility && queues.writeQoS == .background)
    guard case .timeout(5) = configuration.busyMode else {
      Issue.record("The busy mode is \(configuration.busyMode).")
      return
    }
  }

  @Test func foreignKeysAreEnforcedUnlessTurnedOff() throws {
    func isEnforced(_ configuration: Configuration) throws -> Bool? {
      try DatabaseQueue(configuration: configuration).read { db in
        try Bool.fetchOne(db, sql: "PRAGMA foreign_keys")
      }
    }
    var configuration = Configuration()
    #expect(try isEnforced(configuration) == true)
    configuration.foreignKeysEnabled = false
    #expect(try isEnforced(configuration) == false)
  }

  @Test func aQueueUsesTheWriteAheadLogOnRequest() throws {
    var configuration = Configuration()
    #expect(try pragma("journal_mode", configuration) == "delete")
    configuration.journalMode = .wal
    #expect(try pragma("journal_mode", configuration) == "wal")
    // A read-only queue does not change the file.
    try #require(pragma("journal_mode = delete", Configuration()) == "delete")
    configuration.readonly = true
    #expect(try pragma("journal_mode", configuration) == "delete")
    configuration.readonly = false
    let error = #expect(throws: DatabaseError.self) {
      try DatabaseQueue(configuration: configuration)
    }
    #expect(error?.resultCode == .SQLITE_CANTOPEN)
  }

  @Test func doubleQuotedTextIsAStringOnRequest() throws {
    var configuration = Configuration()
    #expect(throws: DatabaseError.self) {
      try DatabaseQueue(configuration: configuration).read { db in
        try String.fetchOne(db, sql: "SELECT \"quay\"")
      }
    }
    configuration.acceptsDoubleQuotedStringLiterals = true
    let text = try DatabaseQueue(configuration: configuration).read { db in
      try String.fetchOne(db, sql: "SELECT \"quay\"")
    }
    #expect(text == "quay")
  }

  @Test func valuesAreInErrorsOnRequest() throws {
    func description(_ isPublic: Bool) throws -> String? {
      var configuration = Configuration()
      configuration.publicStatementArguments = isPublic
      let queue = try DatabaseQueue(configuration: configuration)
      return #expect(throws: DatabaseError.self) {
        try queue.write { db in
          try db.execute(sql: "CREATE TABLE t (a CHECK (a <> 'secret'))")
          try db.execute(sql: "INSERT INTO t VALUES (?)", arguments: ["secret"])
        }
      }?.description
    }
    #expect(try description(false)?.contains("with arguments") == false)
    #expect(try description(true)?.contains("with arguments") == true)
  }

  @Test func writesBeginTheConfiguredTransaction() throws {
    var configuration = Configuration()
    configuration.busyMode = .immediateError
    let holder = try DatabaseQueue(path: path, configuration: configuration)
    configuration.defaultTransactionKind = .deferred
    let queue = try DatabaseQueue(path: path, configuration: configuration)
    try holder.write { _ in
      // A deferred transaction acquires no lock before it needs one.
      try queue.write { _ in }
      configuration.defaultTransactionKind = .immediate
      let immediate = try DatabaseQueue(path: path, configuration: configuration)
      let error = #expect(throws: DatabaseError.self) { try immediate.write { _ in } }
      #expect(error?.resultCode == .SQLITE_BUSY)
    }
  }

  @Test func thereIsAtLeastOneReader() throws {
    var configuration = Configuration()
    for (asked, given) in [(-1, 1), (0, 1), (1, 1), (3, 3)] {
      configuration.maximumReaderCount = asked
      let pool = try DatabasePool(path: path, configuration: configuration)
      #expect(pool.pool.slots.count == 1 + given)
    }
  }

  // MARK: - Preparations

  private func prepared(_ configuration: Configuration) throws -> [Int] {
    try DatabaseQueue(configuration: configuration).read { db in
      try Int.fetchAll(db, sql: "SELECT a FROM prepared ORDER BY rowid")
    }
  }

  private static func note(_ value: Int, in db: Database) throws {
    try db.execute(
      sql: "CREATE TEMP TABLE IF NOT EXISTS prepared (a); INSERT INTO prepared VALUES (\(value))")
  }

  @Test func preparationsRunInTheOrderOfTheirAddition() throws {
    var configuration = Configuration()
    configuration.prepareDatabase { db in try Self.note(1, in: db) }
    configuration.prepareDatabase { db in try Self.note(2, in: db) }
    #expect(try prepared(configuration) == [1, 2])
  }

  @Test func anAssignedPreparationReplacesAllOthers() throws {
    var configuration = Configuration()
    configuration.prepareDatabase { db in try Self.note(1, in: db) }
    configuration.prepareDatabase = { (db: Database) in
      try Self.note(2, in: db)
    }
    configuration.prepareDatabase { db in try Self.note(3, in: db) }
    #expect(try prepared(configuration) == [2, 3])
    let earlier = configuration.prepareDatabase
    configuration.prepareDatabase = { db in
      try Self.note(0, in: db)
      try earlier(db)
    }
    #expect(try prepared(configuration) == [0, 2, 3])
  }

  @Test func aPreparationThatThrowsFailsTheOpening() throws {
    struct Stop: Error {}
    var configuration = Configuration()
    configuration.prepareDatabase = { _ in throw Stop() }
    #expect(throws: Stop.self) { try DatabaseQueue(configuration: configuration) }
    #expect(throws: Stop.self) { try DatabasePool(path: path, configuration: configuration) }
  }
}
