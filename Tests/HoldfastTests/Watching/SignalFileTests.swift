#if os(Linux)
  import Foundation
  import HoldfastFiles
  import HoldfastTestSupport
  import Testing

  @testable import Holdfast

  /// The file `<database>-signal` is made and touched only where it is the library's own.
  @Suite(.serialized, .timeLimit(.minutes(2))) struct SignalFileTests {
    /// A user's file at the path of the signal.
    enum Foreign: String, CaseIterable, Sendable {
      case emptyFile, text, link, linkToNothing, folder, otherNameOfAFile
    }

    private static let signal = "a.db-signal"

    private static func make(_ foreign: Foreign, at path: String) throws {
      let files = FileManager.default
      let other = path + ".other"
      switch foreign {
      case .emptyFile: try Data().write(to: URL(filePath: path))
      case .text: try Data("precious".utf8).write(to: URL(filePath: path))
      case .link:
        try Data("precious".utf8).write(to: URL(filePath: other))
        try files.createSymbolicLink(atPath: path, withDestinationPath: other)
      case .linkToNothing: try files.createSymbolicLink(atPath: path, withDestinationPath: other)
      case .folder: try files.createDirectory(atPath: path, withIntermediateDirectories: true)
      case .otherNameOfAFile:
        try Data().write(to: URL(filePath: other))
        try files.linkItem(atPath: other, toPath: path)
      }
    }

    /// Returns the status of a path and of its link's destination, including times.
    private static func state(of path: String) throws -> [FileStatus?] {
      let status = try SystemCalls.linkStatus(of: path)
      do throws(Errno) { return [status, try SystemCalls.status(of: path)] } catch {
        return [status, nil]
      }
    }

    /// Commits, and returns when the signal has been sent.
    ///
    /// Signals are sent in order, so a later signal that is seen proves the earlier ones.
    private static func commit(_ number: Int, to database: WatchedDatabase) async throws {
      try database.write(number)
      let later = try WatchedDatabase()
      let (_, observation) = later.observe()
      let events = try DirectoryEvents()
      let folder = URL(filePath: later.path).deletingLastPathComponent().path
      try events.begin(at: folder, log: later.path + "-wal")
      try later.write(1)
      try await onOwnThread {
        while true {
          if case .files(_, let touched) = events.wait(.seconds(50), for: .everything),
            touched.contains(Self.signal)
          {
            return
          }
        }
      }
      observation.cancel()
    }

    @Test(arguments: Foreign.allCases)
    func aUserFileWithTheNameOfTheSignalIsKept(foreign: Foreign) async throws {
      let database = try WatchedDatabase()
      let path = database.path + "-signal"
      try Self.make(foreign, at: path)
      let (names, before) = (try database.names, try Self.state(of: path))
      let other = try SQLProcess(.tool, on: database.path)
      let (values, observation) = database.observe()
      await until { values.entries.last == 0 }
      try await other.execute("UPDATE t SET x = 1")
      await until { values.entries.last == 1 }
      try await Self.commit(2, to: database)
      await until { values.entries.last == 2 }
      #expect(
        database.writer.watchHealth?.signalProblem == "Another file has the name 'a.db-signal'.")
      #expect(database.writer.watchHealth?.isNotifiedBySystem == true)
      observation.cancel()
      #expect(try Self.state(of: path) == before)
      other.end()
      try database.writer.close()
      let left = try database.names.filter { !$0.hasSuffix("-wal") && !$0.hasSuffix("-shm") }
      #expect(left == names.filter { !$0.hasSuffix("-wal") && !$0.hasSuffix("-shm") })
    }

    @Test func aDatabaseWithTheNameOfTheSignalOutlivesAnObservation() async throws {
      let database = try WatchedDatabase()
      let path = database.path + "-signal"
      let queue = try DatabaseQueue(path: path)
      try await queue.write { db in try db.execute(sql: "CREATE TABLE t (x)") }
      for number in 1...2 {
        let (changes, task) = WatchedDatabase.gather(
          try ExternalChanges(databaseAt: URL(filePath: database.path)))
        let (values, observation) = database.observe()
        await until { values.entries.last != nil }
        try database.write(number)
        await until { !changes.entries.isEmpty && values.entries.last == number }
        observation.cancel()
        task.cancel()
        await task.value
      }
      try await queue.write { db in try db.execute(sql: "INSERT INTO t VALUES (1)") }
      let count = try await DatabaseQueue(path: path).read { db in
        try Int.fetchOne(db, sql: "SELECT count(*) FROM t")
      }
      #expect(count == 1)
    }

    /// SQLite considers the empty file a new database.
    @Test(arguments: [true, false])
    func aDatabaseCreatedWithTheNameOfTheSignalIsKept(isWritten: Bool) async throws {
      let database = try WatchedDatabase()
      let (_, observation) = database.observe()
      #expect(try database.names.contains(Self.signal))
      #expect(database.writer.watchHealth?.signalProblem == nil)
      let queue = try DatabaseQueue(path: database.path + "-signal")
      if isWritten { try await queue.write { db in try db.execute(sql: "CREATE TABLE t (x)") } }
      observation.cancel()
      if !isWritten { try await queue.write { db in try db.execute(sql: "CREATE TABLE t (x)") } }
      let exists = try await DatabaseQueue(path: database.path + "-signal").read { db in
        try db.tableExists("t")
      }
      #expect(exists)
    }

    @Test func aFileThatReplacesTheSignalIsKept() async throws {
      let database = try WatchedDatabase()
      let path = database.path + "-signal"
      let (_, observation) = database.observe()
      try Data().write(to: URL(filePath: path + ".user"))
      try SystemCalls.move(path + ".user", to: path)
      let before = try Self.state(of: path)
      await until { database.writer.watchHealth?.signalProblem != nil }
      try await Self.commit(1, to: database)
      observation.cancel()
      #expect(try Self.state(of: path) == before)
    }

    /// In a pause between looks the system tells nothing.
    @Test func aSignalThatIsRemovedInAPauseIsMadeAgain() async throws {
      let folder = try TemporaryDirectory()
      let files = DatabaseFiles(main: FilePath(folder.file("a.db").path))
      var settings = WatchSettings()
      settings.rest = .seconds(50)
      let looks = Journal<Void>()
      let loop = WatchLoop(files, settings)
      loop.begin {
        looks.append(())
        return WatchLoop.Look(finding: .foreign)
      }
      await until { looks.entries.count == 1 && !OpenFiles.isWatched(folder.url) }
      try SystemCalls.remove(files.signal.text)
      loop.nudge()
      await until { (try? files.signal.exists()) == true }
      #expect(looks.entries.count == 1)
      loop.end()
    }

    /// Which files other processes have open is not known everywhere.
    @Test func aDatabaseThatAnotherProcessHasOpenInTheSignalsPlaceStays() async throws {
      let database = try WatchedDatabase()
      let path = database.path + "-signal"
      let (_, observation) = database.observe()
      let other = try SQLProcess(.python, on: path)
      try await other.execute("SELECT count(*) FROM sqlite_master")
      observation.cancel()
      try database.writer.close()
      try await other.execute("CREATE TABLE t (x)")
      other.end()
      let exists = try await DatabaseQueue(path: path).read { db in try db.tableExists("t") }
      #expect(exists)
    }

    @Test func theNextObservationUsesTheSameFile() async throws {
      let database = try WatchedDatabase()
      let path = database.path + "-signal"
      var files: [FileStatus] = []
      for number in 1...2 {
        let (_, observation) = database.observe()
        files.append(try SystemCalls.linkStatus(of: path))
        try await Self.commit(number, to: database)
        observation.cancel()
      }
      #expect(files[0].isSameFile(as: files[1]))
      #expect(try SystemCalls.linkStatus(of: path).byteCount == 0)
    }

    @Test func whatAKilledProcessLeftIsUsedAgain() async throws {
      let folder = try TemporaryDirectory()
      let path = folder.file("a.db").path
      await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String] in
        let queue = try DatabaseQueue(path: path)
        try await queue.write { db in try db.execute(sql: "CREATE TABLE t (x)") }
        let (_, task) = WatchedDatabase.gather(queue.externalChanges)
        kill(getpid(), SIGKILL)
        await task.value
      }
      #expect(try folder.names == ["a.db", Self.signal])
      let left = try SystemCalls.linkStatus(of: path + "-signal")
      let queue = try DatabaseQueue(path: path)
      let (_, task) = WatchedDatabase.gather(queue.externalChanges)
      #expect(try SystemCalls.linkStatus(of: path + "-signal").isSameFile(as: left))
      task.cancel()
      await task.value
      #expect(try folder.names == ["a.db", Self.signal])
    }
  }
#endif
