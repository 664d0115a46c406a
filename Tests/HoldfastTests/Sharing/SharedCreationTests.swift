import Foundation
import HoldfastFiles
import HoldfastTestSupport
import Testing

@testable import Holdfast

/// The results of a read-only opener while another opener creates the database.
@Suite(.timeLimit(.minutes(2))) struct SharedCreationTests {
  private let folder: TemporaryDirectory
  private let url: URL

  init() throws {
    folder = try TemporaryDirectory()
    url = folder.file("shared.db")
  }

  /// The result of a read-only opener.
  private enum Answer: Hashable {
    case none
    /// The visible user tables.
    case tables([String])
    case refused(SharingError.Code)
    case failed(String)
  }

  /// Returns a migrator of three migrations that first call the closure with their number.
  private static func migrator(
    named prefix: String = "m",
    _ inside: @escaping @Sendable (Database, Int) throws -> Void = { _, _ in }
  ) -> DatabaseMigrator {
    var migrator = DatabaseMigrator()
    for number in 1...3 {
      migrator.registerMigration("\(prefix)\(number)") { db in
        try inside(db, number)
        try db.execute(sql: "CREATE TABLE t\(number) (a)")
      }
    }
    return migrator
  }

  private static func read(_ url: URL, _ migrator: DatabaseMigrator = DatabaseMigrator()) -> Answer
  {
    do {
      guard let pool = try DatabasePool.sharedReadOnly(at: url, schema: migrator) else {
        return .none
      }
      defer { try? pool.close() }
      return .tables(
        try pool.blockingRead { db in
          try String.fetchAll(
            db,
            sql: """
              SELECT name FROM sqlite_schema
              WHERE type = 'table' AND name NOT LIKE 'grdb%' ORDER BY name
              """)
        })
    } catch let error as SharingError {
      return .refused(error.code)
    } catch {
      return .failed("\(error)")
    }
  }

  /// Returns the results of a reader that accepts any schema and of one that needs the latest.
  private static func answers(_ url: URL) -> [Answer] {
    [read(url), read(url, migrator())]
  }

  private let complete = [Answer](repeating: .tables(["t1", "t2", "t3"]), count: 2)
  private let nothing = [Answer](repeating: .none, count: 2)

  /// Returns a configuration that calls the closure when a writing connection is prepared.
  private static func preparing(
    _ inside: @escaping @Sendable () throws -> Void
  ) -> Configuration {
    var configuration = Configuration()
    configuration.prepareDatabase { db in if !db.configuration.readonly { try inside() } }
    return configuration
  }

  // MARK: - During the creation

  @Test func aReaderGetsNilUntilTheCreatorIsDone() throws {
    let answers = Journal<[Answer]>()
    let note: @Sendable () -> Void = { [url] in answers.append(Self.answers(url)) }
    let pool = try onThisThread {
      try DatabasePool.shared(
        at: url, configuration: Self.preparing(note), migrator: Self.migrator { _, _ in note() })
    }
    #expect(answers.entries == Array(repeating: nothing, count: 4))
    #expect(Self.answers(url) == complete)
    try pool.close()
    #expect(Self.answers(url) == complete)
    #expect(try folder.names == ["shared.db", "shared.db-shm", "shared.db-wal"])
  }

  @Test func aReaderGetsNilThroughALinkOnEitherSide() throws {
    let link = folder.file("link.db")
    try FileManager.default.createSymbolicLink(
      atPath: link.path, withDestinationPath: "shared.db")
    for (creating, reading) in [(link, url), (url, link)] {
      let answers = Journal<[Answer]>()
      let pool = try onThisThread {
        try DatabasePool.shared(
          at: creating,
          migrator: Self.migrator { _, _ in
            answers.append(Self.answers(reading) + Self.answers(creating))
          })
      }
      #expect(answers.entries == Array(repeating: nothing + nothing, count: 3))
      #expect(Self.answers(reading) == complete)
      try pool.close()
      for name in try folder.names where name.hasPrefix("shared.db") {
        try FileManager.default.removeItem(at: folder.file(name))
      }
      #expect(try folder.names == ["link.db"])
    }
  }

  @Test func aReaderGetsNilWhileTheCreatorIsSuspended() async throws {
    let isInside = Gate()
    let goesOn = Gate()
    let migrator = Self.migrator { _, number in
      guard number == 3 else { return }
      isInside.open()
      goesOn.wait()
    }
    let opening = try SharedOpening(
      at: url, configuration: Configuration(), migrator: migrator, within: .seconds(60))
    let opener = OwnThread { try opening.open() }
    try await onOwnThread {
      isInside.wait()
      _ = opening.suspension.suspend(within: .seconds(30))
    }
    #expect(Self.answers(url) == nothing)
    goesOn.open()
    await until { opening.suspension.waitingCount == 1 }
    #expect(Self.answers(url) == nothing)
    opening.suspension.resume()
    let pool = try await opener.value
    #expect(Self.answers(url) == complete)
    try pool.close()
  }

  /// A short run of the campaign in which readers race the creator.
  @Test func readersRacingTheCreatorSeeNothingOrEverything() async throws {
    for number in 0..<40 {
      let url = folder.file("race\(number).db")
      let reader = OwnThread {
        let start = ContinuousClock.now
        while ContinuousClock.now - start < .seconds(60) {
          let answer = number.isMultiple(of: 2) ? Self.read(url) : Self.read(url, Self.migrator())
          if answer != .none { return answer }
        }
        return Answer.none
      }
      let pool = try await DatabasePool.shared(at: url, migrator: Self.migrator())
      #expect(try await reader.value == .tables(["t1", "t2", "t3"]))
      try pool.close()
    }
  }

  // MARK: - After a failed creation

  /// Step 0 is the preparation of the connection; the other steps are the migrations.
  @Test(arguments: 0...3)
  func aReaderGetsNilAfterAKilledCreatorUntilTheNextIsDone(_ step: Int) async throws {
    await #expect(processExitsWith: .signal(SIGKILL)) { [url = url as URL, step = step as Int] in
      _ = try onThisThread {
        try DatabasePool.shared(
          at: url, configuration: Self.preparing { if step == 0 { kill(getpid(), SIGKILL) } },
          migrator: Self.migrator { _, number in if number == step { kill(getpid(), SIGKILL) } })
      }
    }
    #expect(Self.answers(url) == nothing)
    let answers = Journal<[Answer]>()
    let pool = try await DatabasePool.shared(
      at: url, migrator: Self.migrator { _, _ in answers.append(Self.answers(url)) })
    #expect(answers.entries == Array(repeating: nothing, count: 4 - max(step, 1)))
    #expect(Self.answers(url) == complete)
    try pool.close()
    #expect(try folder.names == ["shared.db", "shared.db-shm", "shared.db-wal"])
  }

  @Test func aReaderGetsNilOrEverythingAfterACrashAtAnyCall() async throws {
    let trace = SystemFault(atCall: .max, .fail(.inputOutput))
    let traced = folder.file("traced.db")
    try onThisThread {
      try SystemCalls.$fault.withValue(trace) {
        try DatabasePool.shared(at: traced, migrator: Self.migrator()).close()
      }
    }
    let calls = trace.callsSeen
    #expect(calls.count > 10)
    var found: Set<Answer> = []
    for ordinal in 1...calls.count {
      let url = folder.file("crash\(ordinal).db")
      await #expect(processExitsWith: .exitCode(77)) {
        [ordinal = ordinal as Int, url = url as URL] in
        let fault = SystemFault(atCall: ordinal, .exit(status: 77))
        _ = try onThisThread {
          try SystemCalls.$fault.withValue(fault) {
            try DatabasePool.shared(at: url, migrator: Self.migrator()).close()
          }
        }
      }
      let comment: Comment = "crash at \(calls[ordinal - 1]), call \(ordinal)"
      let answers = Self.answers(url)
      #expect(answers == nothing || answers == complete, comment)
      found.formUnion(answers)
      try await DatabasePool.shared(at: url, migrator: Self.migrator()).close()
      #expect(Self.answers(url) == complete, comment)
      #expect(try !folder.names.contains(".crash\(ordinal).db.creating"), comment)
    }
    #expect(found == [.none, complete[0]])
  }

  @Test func aReaderGetsNilAfterAFailedMigrationUntilTheNextCreatorIsDone() async throws {
    struct Failure: Error {}
    await #expect(throws: Failure.self) {
      try await DatabasePool.shared(
        at: url, migrator: Self.migrator { _, number in if number == 3 { throw Failure() } })
    }
    #expect(Self.answers(url) == nothing)
    try await DatabasePool.shared(at: url, migrator: Self.migrator()).close()
    #expect(Self.answers(url) == complete)
  }

  @Test func aPartiallyCreatedDatabaseStaysIncompleteWhenMoved() async throws {
    struct Failure: Error {}
    await #expect(throws: Failure.self) {
      try await DatabasePool.shared(
        at: url, migrator: Self.migrator { _, number in if number == 3 { throw Failure() } })
    }
    let moved = folder.file("moved.db")
    try onThisThread { _ = try SharedDatabase.move(from: url, to: moved) }
    #expect(Self.answers(moved) == nothing)
    #expect(Self.answers(url) == nothing)
    try await DatabasePool.shared(at: moved, migrator: Self.migrator()).close()
    #expect(Self.answers(moved) == complete)
    #expect(try folder.names == ["moved.db", "moved.db-shm", "moved.db-wal"])
  }

  @Test(
    .disabled(
      if: ConnectionKeys.areUsed, "without files of a log, an encrypted file may need a writer"))
  func aMovedCompleteDatabaseIsReadDespiteAKilledCreator() async throws {
    let moved = folder.file("moved.db")
    try FileManager.default.createSymbolicLink(
      atPath: folder.file(".moved.db.creating").path,
      withDestinationPath: "holdfast: this database is being created")
    try await DatabasePool.shared(at: url, migrator: Self.migrator()).close()
    try onThisThread { _ = try SharedDatabase.move(from: url, to: moved) }
    #expect(Self.answers(moved) == complete)
  }

  @Test func anOpeningThatCreatesNothingLeavesNothing() async throws {
    var configuration = Configuration()
    configuration.readonly = true
    let own = configuration
    await #expect(throws: (any Error).self) {
      try await DatabasePool.shared(at: url, configuration: own, migrator: Self.migrator())
    }
    #expect(try folder.names == [])
  }

  // MARK: - Existing databases

  @Test(
    .disabled(
      if: ConnectionKeys.areUsed, "without files of a log, an encrypted file may need a writer"))
  func anExistingDatabaseIsReadWhileItIsFirstOpened() throws {
    try DatabaseQueue(path: url.path).write { db in try db.execute(sql: "CREATE TABLE old (a)") }
    #expect(Self.answers(url) == [.tables(["old"]), .refused(.schemaOlder)])
    let prepared = Journal<[Answer]>()
    let migrated = Journal<[Answer]>()
    let pool = try onThisThread {
      try DatabasePool.shared(
        at: url, configuration: Self.preparing { [url] in prepared.append(Self.answers(url)) },
        migrator: Self.migrator { [url] _, number in
          if number < 3 { migrated.append(Self.answers(url)) }
        })
    }
    // Its log is enabled after the preparation, which may have to give a key.
    #expect(prepared.entries == [[.tables(["old"]), .refused(.schemaOlder)]])
    #expect(
      migrated.entries == [
        [.tables(["old"]), .refused(.schemaOlder)],
        [.tables(["old", "t1"]), .refused(.schemaOlder)],
      ])
    #expect(Self.read(url) == .tables(["old", "t1", "t2", "t3"]))
    try pool.close()
  }

  @Test func anErasedDatabaseIsReadAgainOnceItIsRecreated() throws {
    try onThisThread {
      try DatabasePool.shared(at: url, migrator: Self.migrator(named: "old")).close()
    }
    var migrator = Self.migrator { [url] db, number in
      // Not the database that is created for comparison.
      if db.path == url.path { #expect(Self.answers(url) == [.none, .none], "\(number)") }
    }
    migrator.eraseDatabaseOnSchemaChange = true
    let own = migrator
    try onThisThread { try DatabasePool.shared(at: url, migrator: own).close() }
    #expect(Self.answers(url) == complete)
  }

  // MARK: - The marker

  @Test func aUserFileWithTheNameOfTheMarkerIsKept() throws {
    let file = folder.file(".shared.db.creating")
    try Data("mine".utf8).write(to: file)
    let error = #expect(throws: (any Error).self) {
      try onThisThread { try DatabasePool.shared(at: url, migrator: Self.migrator()) }
    }
    #expect("\(String(describing: error))".contains(".shared.db.creating"))
    #expect(try folder.names == [".shared.db.creating"])
    // An existing one can be opened and read.
    try DatabasePool(path: url.path).close()
    var configuration = Configuration()
    configuration.keepsWriteAheadLog = true
    let pool = try DatabasePool(path: url.path, configuration: configuration)
    try onThisThread { try DatabasePool.shared(at: url, migrator: Self.migrator()).close() }
    #expect(Self.answers(url) == complete)
    try pool.close()
    #expect(try String(contentsOf: file, encoding: .utf8) == "mine")
  }

  /// Only what is not complete must be marked.
  @Test func aFileOfTheUsersWithTheNameOfTheMarkerBlocksNoCompleteDatabase() throws {
    try DatabaseQueue(path: url.path).write { db in try db.execute(sql: "CREATE TABLE old (a)") }
    let file = folder.file(".shared.db.creating")
    try Data("mine".utf8).write(to: file)
    try onThisThread { try DatabasePool.shared(at: url, migrator: Self.migrator()).close() }
    #expect(Self.read(url) == .tables(["old", "t1", "t2", "t3"]))
    #expect(try String(contentsOf: file, encoding: .utf8) == "mine")
  }

  /// The process that turned the log on was killed, and others have the database to themselves.
  @Test func aCompleteDatabaseIsReadAlthoughAnOpeningDidNotComeToItsEnd() async throws {
    try await DatabaseQueue(path: url.path).write { db in
      try db.execute(sql: "CREATE TABLE old (a)")
    }
    await #expect(processExitsWith: .signal(SIGKILL)) { [url = url as URL] in
      _ = try onThisThread {
        try DatabasePool.shared(
          at: url, configuration: Self.preparing { kill(getpid(), SIGKILL) },
          migrator: Self.migrator())
      }
    }
    #expect(try folder.names.contains(".shared.db.creating"))
    var configuration = Configuration()
    configuration.keepsWriteAheadLog = true
    let pool = try DatabasePool(path: url.path, configuration: configuration)
    #expect(Self.read(url) == .tables(["old"]))
    try pool.close()
    #expect(Self.read(url) == .tables(["old"]))
    try await DatabasePool.shared(at: url, migrator: Self.migrator()).close()
    #expect(Self.read(url) == .tables(["old", "t1", "t2", "t3"]))
    #expect(try !folder.names.contains(".shared.db.creating"))
  }

  @Test func aDatabaseThatIsCreatedWhereAnOpeningDidNotComeToItsEndIsHidden() throws {
    try FileManager.default.createSymbolicLink(
      atPath: folder.file(".shared.db.creating").path,
      withDestinationPath: "holdfast: this database is being opened")
    let answers = Journal<[Answer]>()
    let pool = try onThisThread {
      try DatabasePool.shared(
        at: url, migrator: Self.migrator { [url] _, _ in answers.append(Self.answers(url)) })
    }
    #expect(answers.entries == Array(repeating: nothing, count: 3))
    #expect(Self.answers(url) == complete)
    try pool.close()
  }

  @Test func whereTheVolumeTakesNoMarkerTheDatabaseIsCreatedWithoutOne() throws {
    let trace = SystemFault(atCall: .max, .fail(.inputOutput))
    try onThisThread {
      try SystemCalls.$fault.withValue(trace) {
        try DatabasePool.shared(at: folder.file("traced.db")).close()
      }
    }
    let ordinal = try #require(trace.callsSeen.firstIndex { $0.rawValue == "symlink" }) + 1
    for errno in [Errno.notPermitted, .notSupported, .notImplemented] {
      let url = folder.file("\(errno.rawValue).db")
      let fault = SystemFault(atCall: ordinal, .fail(errno))
      try onThisThread {
        try SystemCalls.$fault.withValue(fault) {
          try DatabasePool.shared(at: url, migrator: Self.migrator()).close()
        }
      }
      #expect(fault.hasStruck)
      #expect(Self.answers(url) == complete)
    }
  }
}
