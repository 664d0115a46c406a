import Foundation
import HoldfastFiles
import HoldfastTestSupport
import Testing

@testable import Holdfast

/// The commits of other processes as observers see them.
@Suite(.serialized, .timeLimit(.minutes(2))) struct ExternalCommitMonitorConcurrencyTests {
  typealias Mode = WatchedDatabase.Mode

  @Test(arguments: SQLProcess.Program.allCases, Mode.allCases)
  func commitsOfEveryProgramInEveryJournalModeAreObserved(
    _ program: SQLProcess.Program, _ mode: Mode
  ) async throws {
    for volume in TemporaryDirectory.volumes {
      let database = try WatchedDatabase(mode, in: volume)
      let (values, observation) = database.observe()
      let (changes, task) = WatchedDatabase.gather(database.writer.externalChanges)
      await until { values.entries.last == 0 }
      let other = try SQLProcess(program, on: database.path)
      for number in 1...3 {
        let count = changes.entries.count
        for sql in WatchedDatabase.update(number, mode) { try await other.execute(sql) }
        await until { values.entries.last == number && changes.entries.count > count }
      }
      #expect(changes.entries.allSatisfy { $0.tables == nil })
      observation.cancel()
      task.cancel()
    }
  }

  /// GR-9.
  @Test func commitsOfAnotherHoldfastProcessAreObserved() async throws {
    let database = try WatchedDatabase()
    let (values, observation) = database.observe()
    await until { values.entries.last == 0 }
    await #expect(processExitsWith: .success) { [path = database.path as String] in
      let pool = try DatabasePool(path: path)
      try await pool.write { db in try db.execute(sql: "UPDATE t SET x = 7") }
    }
    await until { values.entries.last == 7 }
    observation.cancel()
  }

  @Test func regionsAreReportedWithAConnection() async throws {
    let database = try WatchedDatabase()
    let values = Journal<Int?>()
    let observation = DatabaseRegionObservation(tracking: DatabaseRegion(table: "t"))
      .start(in: database.writer) {
        Issue.record($0)
      } onChange: { db in
        values.append(try? Int.fetchOne(db, sql: "SELECT x FROM t"))
      }
    try await SQLProcess(.tool, on: database.path).execute("UPDATE t SET x = 5")
    await until { values.entries.last == 5 }
    observation.cancel()
  }

  @Test func commitsOfAnotherPoolInThisProcessAreForeign() async throws {
    let database = try WatchedDatabase()
    let (values, observation) = database.observe()
    let (changes, task) = WatchedDatabase.gather(database.writer.externalChanges)
    await until { values.entries.last == 0 }
    let other = try DatabasePool(path: database.path)
    try await other.write { db in try db.execute(sql: "UPDATE t SET x = 3") }
    await until { values.entries.last == 3 && !changes.entries.isEmpty }
    observation.cancel()
    task.cancel()
  }

  @Test(arguments: Mode.allCases)
  func ownCommitsAreNotForeign(_ mode: Mode) async throws {
    let database = try WatchedDatabase(mode)
    var settings = WatchSettings()
    settings.ownCommitTimeout = .seconds(3600)
    let (changes, task) = WatchSettings.$current.withValue(settings) {
      WatchedDatabase.gather(database.writer.externalChanges)
    }
    try await database.writer.writeWithoutTransaction { db in
      _ = try Int.fetchOne(db, sql: "PRAGMA wal_autocheckpoint = 10")
    }
    for number in 1...300 {
      try database.write(number)
      if number.isMultiple(of: 50) { await database.isAskedAgain() }
    }
    await database.isAskedAgain()
    #expect(changes.entries == [])
    try await SQLProcess(.tool, on: database.path).execute("UPDATE t SET x = 5")
    await until { !changes.entries.isEmpty }
    task.cancel()
  }

  /// While the writer is in use, own commits cannot be distinguished; the writer is not awaited.
  @Test func aLongLocalAccessHidesNoCommit() async throws {
    let database = try WatchedDatabase()
    let (values, observation) = database.observe()
    await until { values.entries.last == 0 }
    let (changes, task) = WatchedDatabase.gather(database.writer.externalChanges)
    let other = try SQLProcess(.tool, on: database.path)
    let (isInside, mayLeave) = (Journal<Void>(), Gate())
    let access = OwnThread {
      try database.writer.blockingWithoutTransaction { db in
        isInside.append(())
        mayLeave.wait()
      }
    }
    await until { !isInside.entries.isEmpty }
    for number in 1...3 {
      let count = changes.entries.count
      try await other.execute("UPDATE t SET x = \(number)")
      await until { values.entries.last == number && changes.entries.count > count }
    }
    mayLeave.open()
    try await access.value
    task.cancel()
    observation.cancel()
  }

  /// The pauses between two probes grow, and a commit that only the writer can distinguish from an
  /// own one would wait for the end of the next pause.
  @Test func aForeignCommitDuringALongLocalAccessDoesNotWaitForTheNextPoll() async throws {
    let database = try WatchedDatabase()
    var settings = WatchSettings()
    settings.pace.pauses = [1, 4, 16, 64, 3_600_000].map(Duration.milliseconds)
    settings.pace.poll = .seconds(3600)
    let (changes, task) = WatchSettings.$current.withValue(settings) {
      WatchedDatabase.gather(database.writer.externalChanges)
    }
    let other = try SQLProcess(.tool, on: database.path)
    let (isInside, mayLeave) = (Journal<Void>(), Gate())
    let access = OwnThread {
      try database.writer.blockingWithoutTransaction { _ in
        isInside.append(())
        mayLeave.wait()
      }
    }
    await until { !isInside.entries.isEmpty }
    try await other.execute("UPDATE t SET x = 1")
    await until { !changes.entries.isEmpty }
    mayLeave.open()
    try await access.value
    task.cancel()
  }

  @Test func withoutSystemEventsPollingFindsCommits() async throws {
    for mode in [Mode.wal, .delete] {
      let database = try WatchedDatabase(mode)
      var settings = WatchSettings()
      settings.requestsSystemEvents = false
      let (values, observation) = WatchSettings.$current.withValue(settings) {
        database.observe()
      }
      await until { values.entries.last == 0 }
      #expect(database.writer.watchHealth?.isNotifiedBySystem == false)
      #expect(try !database.names.contains("a.db-signal"))
      let other = try SQLProcess(.python, on: database.path)
      for number in 1...3 {
        for sql in WatchedDatabase.update(number, mode) { try await other.execute(sql) }
        await until { values.entries.last == number }
      }
      observation.cancel()
    }
  }

  @Test func aTruncatedOrRestartedLogIsWatched() async throws {
    let database = try WatchedDatabase()
    let (values, observation) = database.observe()
    let other = try SQLProcess(.tool, on: database.path)
    for (number, mode) in ["PASSIVE", "FULL", "RESTART", "TRUNCATE"].enumerated() {
      try await other.execute("PRAGMA wal_checkpoint(\(mode))")
      try await other.execute("UPDATE t SET x = \(number + 1)")
      await until { values.entries.last == number + 1 }
    }
    observation.cancel()
  }

  @Test func aChangedJournalModeIsWatched() async throws {
    let database = try WatchedDatabase(.delete)
    let (values, observation) = database.observe()
    let other = try SQLProcess(.tool, on: database.path)
    try await other.execute("UPDATE t SET x = 1")
    await until { values.entries.last == 1 }
    try await other.execute("PRAGMA journal_mode = wal")
    try await other.execute("UPDATE t SET x = 2")
    await until { values.entries.last == 2 }
    other.end()
    try await SQLProcess(.python, on: database.path).execute("UPDATE t SET x = 3")
    await until { values.entries.last == 3 }
    observation.cancel()
  }

  private static var suspendable: Configuration {
    var configuration = Configuration()
    configuration.allowsSuspension = true
    return configuration
  }

  @Test func aSuspensionClosesTheConnectionAndMissesNothing() async throws {
    let database = try WatchedDatabase(configuration: Self.suspendable)
    let (values, observation) = database.observe()
    await until { values.entries.last == 0 }
    #expect(try !OpenFiles.beginning(with: database.path).isEmpty)
    let report = await database.writer.suspend()
    #expect(report.isFree)
    #expect(try OpenFiles.beginning(with: database.path) == [])
    let other = try SQLProcess(.tool, on: database.path)
    try await other.execute("UPDATE t SET x = 1")
    #expect(values.entries.last == 0)
    database.writer.resume()
    await until { values.entries.last == 1 }
    try await other.execute("UPDATE t SET x = 2")
    await until { values.entries.last == 2 }
    observation.cancel()
  }

  @Test func anotherPoolIsNotifiedWhileOneIsSuspended() async throws {
    let database = try WatchedDatabase(configuration: Self.suspendable)
    let active = try DatabasePool(path: database.path)
    let (suspended, first) = WatchedDatabase.gather(database.writer.externalChanges)
    let (received, second) = WatchedDatabase.gather(active.externalChanges)
    let report = await database.writer.suspend()
    // The other pool's locks, as the report states.
    #expect(report.locks == .left)
    #expect(report.notFree == [])
    var lookCount: Int?
    let other = try SQLProcess(.tool, on: database.path)
    for number in 1...4 {
      let count = received.entries.count
      try await other.execute("UPDATE t SET x = \(number)")
      await until { received.entries.count > count }
      // One thread looks for both pools, one after the other. The looks that began before the suspension
      // may have found the first commit, and have all ended when the second one is found.
      if number == 2 { lookCount = database.writer.watchHealth?.lookCount }
    }
    #expect(suspended.entries == [])
    #expect(lookCount != nil && database.writer.watchHealth?.lookCount == lookCount)
    // Only the locks of the suspended pool could have prevented this.
    try active.close()
    #expect(try HeldLocks.onDatabase(at: database.path) == [])
    database.writer.resume()
    await until { !suspended.entries.isEmpty }
    first.cancel()
    await second.value
  }

  @Test func thePreparationRunsOnTheProbingConnection() async throws {
    let prepared = Journal<Bool>()
    var configuration = Configuration()
    configuration.prepareDatabase { db in
      // A preparation that only reads, like that of readers.
      prepared.append(try Int.fetchOne(db, sql: "PRAGMA data_version") != nil)
    }
    let database = try WatchedDatabase(configuration: configuration)
    let count = prepared.entries.count
    let (changes, task) = WatchedDatabase.gather(database.writer.externalChanges)
    #expect(prepared.entries.count == count + 1)
    try await SQLProcess(.tool, on: database.path).execute("UPDATE t SET x = 1")
    await until { !changes.entries.isEmpty }
    #expect(prepared.entries.count == count + 1)
    task.cancel()
  }

  @Test func theProbingConnectionHoldsNoLock() async throws {
    let database = try WatchedDatabase(.delete)
    try database.writer.close()
    var configuration = Configuration()
    configuration.prepareDatabase { db in
      try db.execute(sql: "PRAGMA locking_mode = EXCLUSIVE")
    }
    let queue = try DatabaseQueue(path: database.path, configuration: configuration)
    let (_, task) = WatchedDatabase.gather(queue.externalChanges)
    #expect(queue.watchHealth?.databaseProblem == nil)
    try await queue.write { db in try db.execute(sql: "UPDATE t SET x = 1") }
    task.cancel()
  }

  @Test func theProbingConnectionIsNotTraced() async throws {
    let traced = Journal<String>()
    var configuration = Configuration()
    configuration.prepareDatabase { db in db.trace { traced.append("\($0)") } }
    let database = try WatchedDatabase(configuration: configuration)
    let (_, task) = WatchedDatabase.gather(database.writer.externalChanges)
    let count = traced.entries.count
    await database.isAskedAgain()
    #expect(traced.entries.count == count)
    task.cancel()
  }

  @Test(arguments: [Mode.wal, .delete])
  func aFailedPreparationIsReportedAndTheWriterIsProbedInstead(_ mode: Mode) async throws {
    let fails = Switch()
    var configuration = Configuration()
    configuration.prepareDatabase { db in
      if fails.isOn { throw DatabaseError(resultCode: .SQLITE_AUTH, message: "no key") }
    }
    let database = try WatchedDatabase(mode, configuration: configuration)
    fails.isOn = true
    let (changes, task) = WatchedDatabase.gather(database.writer.externalChanges)
    #expect(database.writer.watchHealth?.databaseProblem?.contains("no key") == true)
    let other = try SQLProcess(.tool, on: database.path)
    for number in 1...3 {
      let count = changes.entries.count
      for sql in WatchedDatabase.update(number, mode) { try await other.execute(sql) }
      await until { changes.entries.count > count }
    }
    // Own commits are not external changes.
    let count = changes.entries.count
    for number in 4...9 { try database.write(number) }
    await database.isAskedAgain()
    #expect(changes.entries.count == count)
    fails.isOn = false
    await until { database.writer.watchHealth?.databaseProblem == nil }
    task.cancel()
  }

  @Test func aCommitMissedWithoutAConnectionIsReportedLater() async throws {
    let fails = Switch()
    var configuration = Self.suspendable
    configuration.prepareDatabase { _ in
      if fails.isOn { throw DatabaseError(resultCode: .SQLITE_AUTH, message: "no key") }
    }
    let database = try WatchedDatabase(configuration: configuration)
    let (changes, task) = WatchedDatabase.gather(database.writer.externalChanges)
    await database.writer.suspend()
    fails.isOn = true
    database.writer.resume()
    await until { changes.entries.count == 1 }
    // Neither the probing connection nor the writer can be opened.
    let other = try SQLProcess(.tool, on: database.path)
    try await other.execute("UPDATE t SET x = 1")
    await database.isAskedAgain()
    #expect(database.writer.watchHealth?.databaseProblem?.contains("no key") == true)
    #expect(changes.entries.count == 1)
    fails.isOn = false
    await until { changes.entries.count > 1 }
    task.cancel()
  }

  @Test func theSecondObserverWaitsForTheFirst() async throws {
    let isPreparing = Gate()
    let goesOn = Gate()
    let holds = Switch()
    var configuration = Configuration()
    configuration.prepareDatabase { _ in
      guard holds.isOn else { return }
      isPreparing.open()
      goesOn.wait()
    }
    let database = try WatchedDatabase(configuration: configuration)
    holds.isOn = true
    let pool = database.pool
    let first = OwnThread { pool.externalCommits.addObserver(for: pool) }
    try await onOwnThread { isPreparing.wait() }
    let isBegun = Switch()
    let isListening = Switch()
    let second = OwnThread {
      isBegun.isOn = true
      pool.externalCommits.addObserver(for: pool)
      isListening.isOn = true
    }
    await until { isBegun.isOn }
    // A later commit would be part of the initial state and would not be reported.
    for _ in 1...1000 where !isListening.isOn { await Task.yield() }
    #expect(!isListening.isOn)
    goesOn.open()
    try await first.value
    try await second.value
    #expect(database.writer.watchHealth != nil)
    pool.externalCommits.removeObserver()
    pool.externalCommits.removeObserver()
    #expect(database.writer.watchHealth == nil)
  }

  /// Observers that come and go on several threads leave the watch to the remaining one.
  @Test func aRemainingObserverIsNotifiedWhileOthersLeave() async throws {
    let database = try WatchedDatabase()
    let pool = database.pool
    let other = try SQLProcess(.tool, on: database.path)
    for number in 1...20 {
      await withTaskGroup { group in
        for _ in 1...4 {
          group.addTask {
            for _ in 1...5 {
              pool.externalCommits.addObserver(for: pool)
              pool.externalCommits.removeObserver()
            }
          }
        }
        group.addTask { pool.externalCommits.addObserver(for: pool) }
      }
      #expect(database.writer.watchHealth != nil)
      let (changes, task) = WatchedDatabase.gather(database.writer.externalChanges)
      try await other.execute("UPDATE t SET x = \(number)")
      await until { !changes.entries.isEmpty }
      task.cancel()
      await task.value
      pool.externalCommits.removeObserver()
      #expect(database.writer.watchHealth == nil)
      await until { !database.isFolderWatched }
    }
  }

  @Test func aReplacedFileIsDetected() async throws {
    let database = try WatchedDatabase(.delete)
    let (changes, task) = WatchedDatabase.gather(database.writer.externalChanges)
    let other = try WatchedDatabase(.delete)
    #expect(database.writer.watchHealth?.isReplaced == false)
    try SystemCalls.move(other.path, to: database.path)
    await until { !changes.entries.isEmpty }
    #expect(database.writer.watchHealth?.isReplaced == true)
    task.cancel()
  }

  @Test func aMovedFolderIsPolled() async throws {
    let folder = try TemporaryDirectory()
    let inner = folder.url.appending(path: "inner").path
    try SystemCalls.makeDirectory(inner)
    let queue = try DatabaseQueue(path: inner + "/a.db")
    try await queue.write { db in try db.execute(sql: "CREATE TABLE t (x)") }
    let (changes, task) = WatchedDatabase.gather(queue.externalChanges)
    try SystemCalls.move(inner, to: inner + "2")
    await until { queue.watchHealth?.isNotifiedBySystem == false }
    try await SQLProcess(.tool, on: inner + "2/a.db").execute("INSERT INTO t VALUES (1)")
    await until { !changes.entries.isEmpty }
    try SystemCalls.move(inner + "2", to: inner)
    await until { queue.watchHealth?.isNotifiedBySystem == true }
    task.cancel()
  }

  @Test func withoutObserversNothingIsWatched() async throws {
    // Without a log there are no locks between accesses, for which SQLite would delay closing.
    let database = try WatchedDatabase(.delete)
    #expect(database.writer.watchHealth == nil)
    let before = try OpenFiles.beginning(with: database.path)
    let (_, first) = database.observe()
    let (_, second) = database.observe()
    #expect(try OpenFiles.beginning(with: database.path).count > before.count)
    #expect(database.writer.watchHealth != nil)
    first.cancel()
    first.cancel()
    #expect(database.writer.watchHealth != nil)
    second.cancel()
    #expect(database.writer.watchHealth == nil)
    // The first fetch may still be running and hold its lock.
    await until { (try? OpenFiles.beginning(with: database.path)) == before }
    await until { !database.isFolderWatched }
  }

  @Test func aPoolThatClosesLeavesNothingOpen() async throws {
    let database = try WatchedDatabase()
    let (_, observation) = database.observe()
    let (changes, task) = WatchedDatabase.gather(database.writer.externalChanges)
    try database.writer.close()
    await task.value
    #expect(changes.entries == [])
    #expect(try database.names == ["a.db", "a.db-signal"])
    #expect(try OpenFiles.beginning(with: database.path) == [])
    observation.cancel()
  }

  @Test func closingADatabaseReportsNoErrorToObservers() async throws {
    let database = try WatchedDatabase()
    let pool = database.pool
    let observer = CountingObserver()
    pool.publisher.add(observer, observing: DatabaseRegion())
    let (_, task) = WatchedDatabase.gather(database.writer.externalChanges)
    let holds = Gate()
    let goesOn = Gate()
    // writer: | holds it ················ | end
    // watch:      probes it, and waits in the queue | refused
    // close:                    refuses waiters
    let writing = OwnThread {
      try pool.access(.write, .none) { _ in
        holds.open()
        goesOn.wait()
      }
    }
    try await onOwnThread { holds.wait() }
    pool.externalCommits.queryWriter()
    let closing = OwnThread { try pool.close() }
    await until { pool.isClosed }
    goesOn.open()
    try await writing.value
    try await closing.value
    pool.slots[0].queue.sync {}
    #expect(observer.count == 0)
    await task.value
  }

  @Test func aMemoryDatabaseHasNoExternalChanges() async throws {
    let queue = try DatabaseQueue()
    let (changes, task) = WatchedDatabase.gather(queue.externalChanges)
    #expect(queue.watchHealth == nil)
    await task.value
    #expect(changes.entries == [])
  }

  @Test func aSnapshotHasNoExternalChanges() async throws {
    let database = try WatchedDatabase()
    let pool = try #require(database.writer as? DatabasePool)
    let (changes, task) = WatchedDatabase.gather(try pool.makeSnapshot().externalChanges)
    await task.value
    #expect(changes.entries == [])
  }

  @Test func aDatabaseOpenedThroughALinkIsWatched() async throws {
    let database = try WatchedDatabase()
    let link = database.path + "-link"
    try FileManager.default.createSymbolicLink(
      atPath: link, withDestinationPath: database.path)
    let pool = try DatabasePool(path: link)
    let (changes, task) = WatchedDatabase.gather(pool.externalChanges)
    try await SQLProcess(.tool, on: database.path).execute("UPDATE t SET x = 1")
    await until { !changes.entries.isEmpty }
    task.cancel()
  }

  @Test(arguments: [false, true])
  func writersTouchTheSignalFileOnlyWhileItIsWatched(isLinked: Bool) async throws {
    let database = try WatchedDatabase()
    let folder = try TemporaryDirectory()
    let link = folder.file("link.db")
    try FileManager.default.createSymbolicLink(
      at: link, withDestinationURL: URL(filePath: database.path))
    let writer = isLinked ? try DatabaseQueue(path: link.path) : database.writer
    try database.write(1)
    #expect(try !database.names.contains("a.db-signal"))
    let (_, observation) = database.observe()
    #expect(try database.names.contains("a.db-signal"))
    let events = try DirectoryEvents()
    let file = database.path
    try events.begin(
      at: URL(filePath: file).deletingLastPathComponent().path, log: file + "-wal")
    try writer.blockingWrite { db in try db.execute(sql: "UPDATE t SET x = 2") }
    let isTouched = OwnThread {
      while true {
        if case .files(_, let touched) = events.wait(.seconds(50), for: .everything),
          touched.contains("a.db-signal")
        {
          return true
        }
      }
    }
    #expect(try await isTouched.value)
    observation.cancel()
  }

  /// Three writers of different kinds next to the observer, 30 times.
  @Test func afterEveryBurstTheLastValueIsTheLastCommit() async throws {
    var random = SeededRandom()
    let database = try WatchedDatabase()
    let (values, observation) = database.observe()
    let tool = try SQLProcess(.tool, on: database.path)
    let python = try SQLProcess(.python, on: database.path)
    let other = try DatabasePool(path: database.path)
    let increment = "UPDATE t SET x = x + 1"
    var last = 0
    for _ in 1...30 {
      let counts = (0..<4).map { _ in Int.random(in: 0...6, using: &random) }
      try await withThrowingTaskGroup { group in
        group.addTask {
          try await onOwnThread { for _ in 0..<counts[0] { try tool.blockingExecute(increment) } }
        }
        group.addTask {
          try await onOwnThread { for _ in 0..<counts[1] { try python.blockingExecute(increment) } }
        }
        for (count, writer) in [
          (counts[2], other as any DatabaseWriter), (counts[3], database.writer),
        ] {
          group.addTask {
            for _ in 0..<count { try await writer.write { db in try db.execute(sql: increment) } }
          }
        }
        try await group.waitForAll()
      }
      last += counts.reduce(0, +)
      let expected = last
      await until { values.entries.last == expected }
    }
    observation.cancel()
  }
}

/// An observer that counts its notifications.
private final class CountingObserver: CommitObserver {
  private let journal = Journal<Bool>()

  var count: Int { journal.entries.count }

  func didCommit(_ changes: TransactionChanges, _ db: Database?) {
    journal.append(db == nil)
  }
}
