import Foundation
import HoldfastTestSupport
import Testing

@testable import Holdfast

/// Connections that are opened, prepared and closed around a suspension.
@Suite(.timeLimit(.minutes(2))) struct SuspendedConnectionConcurrencyTests: SuspensionSuite {
  let folder: TemporaryDirectory

  init() throws {
    folder = try TemporaryDirectory()
  }

  /// GR-8: the key of an encrypted database and SQLCipher's settings of the file's header are applied
  /// again to each connection that is opened after a suspension.
  @Test(.disabled(if: ConnectionKeys.areUsed, "the preparation is one without a key"))
  func eachConnectionIsPreparedAgainAfterTheResume() async throws {
    let preparations = Journal<String>()
    var configuration = Self.configuration
    configuration.prepareDatabase { db in
      preparations.append("prepared")
      // SQLite without encryption knows no such pragma, and ignores it.
      try db.execute(sql: "PRAGMA cipher_plaintext_header_size = 32")
    }
    let pool = try makePool(configuration)
    #expect(preparations.entries.count == 1)
    await pool.suspend()
    pool.resume()
    try await pool.write { db in try db.execute(sql: "INSERT INTO t VALUES ('after')") }
    #expect(preparations.entries.count == 2)
  }

  @Test func aSuspensionWaitsForAnotherOneNoLongerThanItsLimit() async throws {
    let isCalled = Gate()
    let isClaimed = Gate()
    let returns = Gate()
    let opened = Journal<DatabasePool>()
    var configuration = Self.configuration
    configuration.prepareDatabase { db in
      db.add(
        function: DatabaseFunction("pause", argumentCount: 0) { _ in
          // On the thread that holds the reader, which the first suspension waits for.
          isCalled.open()
          let reader = opened.entries.first?.pool.slots[1]
          while reader?.openedDatabase?.openConnection.isClaimed == false { sched_yield() }
          isClaimed.open()
          returns.wait()
          return 1
        })
    }
    let pool = try makePool(configuration)
    opened.append(pool)
    let reader = OwnThread {
      try pool.read { db in try Int.fetchOne(db, sql: "SELECT pause() FROM t") }
    }
    try await onOwnThread { isCalled.wait() }
    let patient = OwnThread { pool.suspend(within: .seconds(50)) }
    try await onOwnThread { isClaimed.wait() }
    // It returns while the other one waits on.
    let report = try await onOwnThread { pool.suspend(within: .milliseconds(20)) }
    #expect(!report.isFree)
    returns.open()
    #expect(try await patient.value.isFree)
    await #expect(throws: DatabaseError.self) { _ = try await reader.value }
  }

  /// In a process of its own, because the scheduler suspends all databases of the process.
  @Test func aSlowDatabaseLeavesTheOthersTheirTime() async throws {
    await #expect(processExitsWith: .success) {
      [path = path as String, slowPath = folder.file("slow.db").path as String] in
      let isCalled = Gate()
      let returns = Gate()
      var configuration = Configuration()
      configuration.suspendsOnBackgroundTimeExpiration = true
      let quick = try DatabasePool(path: path, configuration: configuration)
      configuration.prepareDatabase { db in
        db.add(
          function: DatabaseFunction("pause", argumentCount: 0) { _ in
            isCalled.open()
            returns.wait()
            return 1
          })
      }
      let slow = try DatabasePool(path: slowPath, configuration: configuration)
      let reader = OwnThread {
        try slow.read { db in try Int.fetchOne(db, sql: "SELECT pause()") }
      }
      let reports = try await onOwnThread {
        isCalled.wait()
        return DatabaseBackgroundScheduler.shared.suspend(within: .milliseconds(50))
      }
      #expect(reports[slowPath]?.isFree == false)
      #expect(reports[path]?.isFree == true)
      #expect(try HeldLocks.onDatabase(at: path) == [])
      returns.open()
      await #expect(throws: DatabaseError.self) { _ = try await reader.value }
      withExtendedLifetime(quick) {}
    }
  }

  @Test func aConnectionThatCannotBePreparedIsNotKept() async throws {
    struct Stop: Error {}
    let fails = Switch()
    var configuration = Self.configuration
    configuration.prepareDatabase { db in
      _ = try Int.fetchOne(db, sql: "SELECT count(*) FROM sqlite_schema")
      if fails.isOn { throw Stop() }
    }
    let pool = try makePool(configuration)
    // Of the log, because SQLite keeps descriptors of the database for as long as it has locks.
    let before = try OpenFiles.beginning(with: path + "-wal")
    fails.isOn = true
    await #expect(throws: Stop.self) { try await count(pool) }
    #expect(try OpenFiles.beginning(with: path + "-wal") == before)
  }

  /// A suspension that comes just then does not find it any more.
  @Test func aConnectionThatCannotBePreparedIsClosedBeforeItIsForgotten() async throws {
    struct Stop: Error {}
    let fails = Switch()
    let kept = Journal<OpenConnection>()
    var configuration = Self.configuration
    configuration.prepareDatabase { db in
      _ = try Int.fetchOne(db, sql: "SELECT count(*) FROM sqlite_schema")
      if fails.isOn {
        kept.append(db.openConnection)
        throw Stop()
      }
    }
    let pool = try makePool(configuration)
    let before = try OpenFiles.beginning(with: path + "-wal")
    fails.isOn = true
    await #expect(throws: Stop.self) { try await count(pool) }
    #expect(kept.entries.count == 1)
    #expect(try OpenFiles.beginning(with: path + "-wal") == before)
    #expect(await pool.suspend().isFree)
  }

  @Test func closingASuspendedPoolIsNoError() async throws {
    let pool = try makePool()
    await pool.suspend()
    try pool.close()
    #expect(try locks() == [])
  }
}
