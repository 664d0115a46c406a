import Foundation
import HoldfastFiles
import HoldfastTestSupport
import Synchronization
import Testing

@testable import Holdfast

/// Opening a database that several processes share.
@Suite(.timeLimit(.minutes(2))) struct SharedOpeningTests {
  private let folder: TemporaryDirectory
  private let url: URL

  init() throws {
    folder = try TemporaryDirectory()
    url = folder.file("shared.db")
  }

  /// Returns a migrator with six migrations, each of which records the process that ran it.
  private static func migrator(
    _ between: @escaping @Sendable (Int) throws -> Void = { _ in }
  ) -> DatabaseMigrator {
    var migrator = DatabaseMigrator()
    for number in 1...6 {
      migrator.registerMigration("m\(number)") { db in
        if number == 1 { try db.execute(sql: "CREATE TABLE made (number, pid)") }
        try db.execute(
          sql: "INSERT INTO made VALUES (?, ?)",
          arguments: [number, ProcessInfo.processInfo.processIdentifier])
        try between(number)
      }
    }
    return migrator
  }

  private func made(_ pool: DatabasePool) throws -> [[Int]] {
    try pool.blockingRead { db in
      try Row.fetchAll(db, sql: "SELECT number, pid FROM made ORDER BY rowid").map {
        [$0[0], $0[1]]
      }
    }
  }

  private var lockFile: URL { folder.file(".shared.db.opening") }

  // MARK: - Several processes

  /// GR-1.
  @Test func oneOfEightProcessesCreatesTheDatabase() async throws {
    let ready = try Signal(at: folder.file("ready").path)
    let go = try Signal(at: folder.file("go").path)
    // The openings and migrations with their processes, in order: each line is written in one
    // piece.
    let diary = folder.file("diary")
    try Data().write(to: diary)
    let starter = OwnThread {
      for _ in 0..<8 { try ready.wait() }
      for _ in 0..<8 { try go.send() }
    }
    await withTaskGroup { group in
      for _ in 0..<8 {
        group.addTask { [url, ready, go] in
          await #expect(processExitsWith: .success) {
            [
              url = url as URL, ready = ready.path as String, go = go.path as String,
              diary = diary as URL
            ] in
            let note: @Sendable (String) throws -> Void = { event in
              let file = try FileHandle(forWritingTo: diary)
              try file.seekToEnd()
              try file.write(contentsOf: Data("\(event) \(getpid())\n".utf8))
              try file.close()
            }
            var configuration = Configuration()
            configuration.prepareDatabase { _ in try note("opens") }
            let own = configuration
            try Signal(at: ready).send()
            try Signal(at: go).wait()
            let pool = try onThisThread {
              try DatabasePool.shared(
                at: url, configuration: own,
                migrator: Self.migrator { if $0 == 6 { try note("migrates") } },
                within: .seconds(100))
            }
            let count = try pool.blockingRead { db in
              try Int.fetchOne(db, sql: "SELECT count(*) FROM made")
            }
            #expect(count == 6)
          }
        }
      }
    }
    try await starter.value
    let made = try made(await DatabasePool.shared(at: url, migrator: Self.migrator()))
    #expect(made.map(\.[0]) == [1, 2, 3, 4, 5, 6])
    #expect(Set(made.map(\.[1])).count == 1)
    // No other process opened it before it was complete.
    let events = try String(contentsOf: diary, encoding: .utf8).split(separator: "\n")
    #expect(events.first == "opens \(made[0][1])")
    #expect(events.dropFirst().first == "migrates \(made[0][1])")
    #expect(!FileManager.default.fileExists(atPath: lockFile.path))
  }

  @Test func anotherProcessContinuesAfterAKilledCreator() async throws {
    await #expect(processExitsWith: .signal(SIGKILL)) { [url = url as URL] in
      _ = try onThisThread {
        try DatabasePool.shared(
          at: url, migrator: Self.migrator { if $0 == 4 { kill(getpid(), SIGKILL) } })
      }
    }
    let pool = try await DatabasePool.shared(at: url, migrator: Self.migrator(), within: .zero)
    let made = try made(pool)
    #expect(made.map(\.[0]) == [1, 2, 3, 4, 5, 6])
    // Three migrations were committed there, and the fourth was not.
    let ours = Int(ProcessInfo.processInfo.processIdentifier)
    #expect(made.map { $0[1] == ours } == [false, false, false, true, true, true])
  }

  /// GR-B11.
  @Test(.enabled(if: FileManager.default.fileExists(atPath: "/proc/locks"), "no table of locks"))
  func waitersTimeOutAndNameTheStoppedProcess() async throws {
    let holds = try Signal(at: folder.file("holds").path)
    let pidFile = folder.file("pid")
    let ours = OwnThread { [url] in
      try holds.wait()
      let pid = try #require(Int32(String(contentsOf: pidFile, encoding: .utf8)))
      try StoppedProcess.waitUntilStopped(pid)
      defer { kill(pid, SIGCONT) }
      let start = ContinuousClock.now
      let error = #expect(throws: SharingError.self) {
        try DatabasePool.shared(at: url, migrator: Self.migrator(), within: .milliseconds(80))
      }
      #expect(ContinuousClock.now - start >= .milliseconds(80))
      return (pid, error)
    }
    await #expect(processExitsWith: .success) {
      [url = url as URL, holds = holds.path as String, pidFile = pidFile as URL] in
      let signal = try Signal(at: holds)
      _ = try onThisThread {
        try DatabasePool.shared(
          at: url,
          migrator: Self.migrator {
            guard $0 == 2 else { return }
            try Data(String(getpid()).utf8).write(to: pidFile)
            try signal.send()
            StoppedProcess.stopHere()
          })
      }
    }
    try holds.send()
    let (pid, error) = try await ours.value
    #expect(error?.code == .busy)
    #expect(error?.isTransient == true)
    #expect(error?.processIdentifier == pid)
    #expect(error?.message.contains("process \(pid)") == true)
    // It finished after it continued.
    #expect(try made(await DatabasePool.shared(at: url)).count == 6)
  }

  // MARK: - Suspension

  @Test func aSuspensionReleasesTheLockAndTheOpeningIsRepeated() async throws {
    let isInside = Gate()
    let goesOn = Gate()
    let attempts = Journal<Int>()
    let migrator = Self.migrator { number in
      guard number == 2 else { return }
      attempts.append(number)
      isInside.open()
      goesOn.wait()
    }
    let opening = try SharedOpening(
      at: url, configuration: Configuration(), migrator: migrator, within: .seconds(60))
    let opener = OwnThread { try opening.open() }
    try await onOwnThread { isInside.wait() }
    #expect(throws: FileError.self) { try FileLock(at: lockFile).release() }
    // One read of the kernel's table can miss a line.
    await until { (try? HeldLocks.onDatabase(at: url.path).isEmpty) == false }

    // The opener is still in a migration.
    let report = try await onOwnThread { opening.suspension.suspend(within: .seconds(30)) }
    #expect(report.isFree)
    #expect(report.rolledBackTransactionCount == 1)
    #expect(try HeldLocks.onDatabase(at: url.path) == [])
    #expect(!opening.lock.isHeld)
    try FileLock(at: lockFile).release()

    goesOn.open()
    await until { opening.suspension.waitingCount == 1 }
    #expect(attempts.entries == [2])
    #expect(try HeldLocks.onDatabase(at: url.path) == [])
    opening.suspension.resume()
    let pool = try await opener.value
    #expect(attempts.entries == [2, 2])
    #expect(try made(pool).map(\.[0]) == [1, 2, 3, 4, 5, 6])
    #expect(!opening.lock.isHeld)
    // The pool shares the suspension of its opening.
    #expect(await pool.suspend().isFree)
    #expect(try HeldLocks.onDatabase(at: url.path) == [])
  }

  @Test func anAwaitedOpeningIsRepeatedAfterASuspension() async throws {
    let isInside = Gate()
    let goesOn = Gate()
    let migrator = Self.migrator { number in
      guard number == 2 else { return }
      isInside.open()
      goesOn.wait()
    }
    let opening = try SharedOpening(
      at: url, configuration: Configuration(), migrator: migrator, within: .seconds(60))
    let opener = Task { try await opening.open() }
    try await onOwnThread {
      isInside.wait()
      _ = opening.suspension.suspend(within: .seconds(30))
    }
    #expect(try HeldLocks.onDatabase(at: url.path) == [])
    goesOn.open()
    await until { opening.suspension.waitingCount == 1 }
    opening.suspension.resume()
    #expect(try made(await opener.value).map(\.[0]) == [1, 2, 3, 4, 5, 6])
  }

  /// In a child process, because the scheduler suspends all databases of a process.
  @Test func theProcessWideSchedulerReleasesTheLock() async throws {
    await #expect(processExitsWith: .success) { [url = url as URL] in
      let isInside = Gate()
      let goesOn = Gate()
      let migrator = Self.migrator { number in
        guard number == 2 else { return }
        isInside.open()
        goesOn.wait()
      }
      let opener = OwnThread {
        var configuration = Configuration()
        configuration.suspendsOnBackgroundTimeExpiration = true
        return try DatabasePool.shared(at: url, configuration: configuration, migrator: migrator)
      }
      let reports = try await onOwnThread {
        isInside.wait()
        return DatabaseBackgroundScheduler.shared.suspend(within: .seconds(30))
      }
      #expect(reports[url.path]?.rolledBackTransactionCount == 1)
      #expect(try HeldLocks.onDatabase(at: url.path) == [])
      let lockFile = url.deletingLastPathComponent().appending(path: ".shared.db.opening")
      try FileLock(at: lockFile).release()
      goesOn.open()
      DatabaseBackgroundScheduler.shared.resume()
      let pool = try await opener.value
      let count = try pool.blockingRead { db in
        try Int.fetchOne(db, sql: "SELECT count(*) FROM made")
      }
      #expect(count == 6)
      // A thread may release the pool while the process ends. SQLCipher has released what belongs to its
      // connections by then.
      try pool.close()
    }
  }

  @Test func aWaiterAcquiresTheLockOnlyAfterTheResume() async throws {
    let theirs = try FileLock(at: lockFile)
    let opening = try SharedOpening(
      at: url, configuration: Configuration(), migrator: Self.migrator(), within: .seconds(60))
    let opener = OwnThread { try opening.open() }
    await until { opening.lock.isHeld }
    _ = try await onOwnThread { opening.suspension.suspend(within: .seconds(1)) }
    theirs.release()
    await until { opening.suspension.waitingCount == 1 }
    #expect(!opening.lock.isHeld)
    #expect(try !folder.names.contains("shared.db"))
    try FileLock(at: lockFile).release()
    opening.suspension.resume()
    #expect(try made(await opener.value).count == 6)
  }

  @Test func aSuspendedOpeningOnTheMainThreadFails() async throws {
    let opening = try SharedOpening(
      at: url, configuration: Configuration(), migrator: Self.migrator(), within: .seconds(60))
    _ = try await onOwnThread { opening.suspension.suspend(within: .seconds(1)) }
    let error = await MainActor.run { () -> (any Error)? in
      do {
        _ = try opening.open()
        return nil
      } catch {
        return error
      }
    }
    #expect((error as? DatabaseError)?.isDatabaseSuspensionError == true)
    #expect(try folder.names == [])
  }

  // MARK: - Cancellation

  @Test func aCancelledTaskStopsWaitingForTheLock() async throws {
    let theirs = try FileLock(at: lockFile)
    let opener = Task { [url] in try await DatabasePool.shared(at: url, within: .seconds(100)) }
    opener.cancel()
    await #expect(throws: CancellationError.self) { try await opener.value }
    theirs.release()
    #expect(try !folder.names.contains("shared.db"))
  }

  @Test func aCancelledTaskEndsTheMigrationAndReleasesTheLock() async throws {
    let runs = Gate()
    var migrator = DatabaseMigrator()
    migrator.registerMigration("endless") { db in
      db.trace { _ in runs.open() }
      _ = try Int.fetchOne(
        db,
        sql: "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT max(i) FROM n"
      )
    }
    let opener = Task { [url, migrator] in
      try await DatabasePool.shared(at: url, migrator: migrator)
    }
    try await onOwnThread { runs.wait() }
    opener.cancel()
    await #expect(throws: CancellationError.self) { try await opener.value }
    try FileLock(at: lockFile).release()
  }

  // MARK: - Existing files

  /// GR-4, GR-B7.
  @Test func theLogIsKeptWhenTheLastWriterCloses() async throws {
    let pool = try await DatabasePool.shared(at: url, migrator: Self.migrator())
    let limit = try await pool.write { db in try Int.fetchOne(db, sql: "PRAGMA journal_size_limit")
    }
    #expect(limit == 1_048_576)
    try pool.close()
    #expect(try folder.names == ["shared.db", "shared.db-shm", "shared.db-wal"])
    // A suspended pool is the same pool.
    #expect(pool.configuration.allowsSuspension)
  }

  @Test func aDatabaseOfANewerVersionIsRefused() async throws {
    try await DatabasePool.shared(at: url, migrator: Self.migrator()).close()
    var older = DatabaseMigrator()
    for number in 1...5 { older.registerMigration("m\(number)") { _ in } }
    let error = await #expect(throws: SharingError.self) {
      try await DatabasePool.shared(at: url, migrator: older)
    }
    #expect(error?.code == .schemaNewer)
    #expect(error?.message.contains("'m6'") == true)
    #expect(error?.isTransient == false)
    try FileLock(at: lockFile).release()
  }

  @Test func aRenamedMigrationIsNamedAsAPossibility() async throws {
    try await DatabasePool.shared(at: url, migrator: Self.migrator()).close()
    var renamed = DatabaseMigrator()
    for number in 1...5 { renamed.registerMigration("m\(number)") { _ in } }
    renamed.registerMigration("six") { _ in }
    for readsOnly in [false, true] {
      let error = await #expect(throws: SharingError.self) {
        if readsOnly {
          _ = try DatabasePool.sharedReadOnly(at: url, schema: renamed)
        } else {
          _ = try await DatabasePool.shared(at: url, migrator: renamed)
        }
      }
      #expect(error?.code == .schemaNewer)
      #expect(error?.message.contains("'m6', and the database lacks 'six'") == true)
      #expect(
        error?.advice?.contains("if 'six' is a new name of 'm6'") == true
          && error?.advice?.contains(#"merging: ["m6"]"#) == true)
    }
  }

  @Test func aMigrationThatReplacesOlderOnesAcceptsThem() async throws {
    try await DatabasePool.shared(at: url, migrator: Self.migrator()).close()
    var merged = DatabaseMigrator()
    merged.registerMigration("all", merging: Set((1...6).map { "m\($0)" })) { _, applied in
      #expect(applied.count == 6)
    }
    let pool = try await DatabasePool.shared(at: url, migrator: merged)
    let names = try await pool.read { db in
      try String.fetchAll(db, sql: "SELECT identifier FROM grdb_migrations")
    }
    #expect(names == ["all"])
  }

  @Test func aFileThatIsNotADatabaseIsRefused() async throws {
    try Data(repeating: 7, count: 4096).write(to: url)
    let error = await #expect(throws: SharingError.self) {
      try await DatabasePool.shared(at: url)
    }
    #expect(error?.code == .notADatabase)
    #expect((error?.underlying as? DatabaseError)?.resultCode == .SQLITE_NOTADB)
  }

  @Test(.enabled(if: Unprivileged.isPossible, Comment(rawValue: Unprivileged.reason)))
  func anUnwritableFolderIsReported() async throws {
    await #expect(processExitsWith: .success) { [url = url as URL] in
      Unprivileged.become()
      let error = #expect(throws: SharingError.self) {
        try onThisThread { try DatabasePool.shared(at: url) }
      }
      #expect(error?.code == .accessDenied)
      #expect((error?.underlying as? FileError)?.errno == EACCES)
    }
    #expect(try folder.names == [])
  }
}

/// Runs a blocking closure in an asynchronous function.
func onThisThread<Value>(_ body: () throws -> Value) rethrows -> Value { try body() }
