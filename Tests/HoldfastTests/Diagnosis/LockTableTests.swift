#if os(Linux)
  import Foundation
  import HoldfastFiles
  import HoldfastTestSupport
  import Testing

  @testable import Holdfast

  /// The kernel's table of locks, read for a database that processes have open.
  @Suite(.enabled(if: OtherSQLite.isThere, "there is no python3 with sqlite3"))
  struct LockTableTests {
    private let folder: TemporaryDirectory
    private let url: URL

    init() throws {
      folder = try TemporaryDirectory()
      url = folder.file("t.db")
    }

    private var own: Int32 { ProcessInfo.processInfo.processIdentifier }

    /// Expects a free table, except in a container, where this is unknown.
    private func expectFree(at place: URL? = nil) throws {
      let table = try LockTable(ofDatabaseAt: place ?? url)
      #expect(table.locks == [])
      #expect(table.isFree == table.isComplete)
    }

    @Test func anIncompleteTableIsNeverFree() {
      #expect(LockTable(locks: []).isFree)
      #expect(!LockTable(locks: [], isComplete: false).isFree)
    }

    @Test func aDatabaseThatIsNotOpenIsFree() throws {
      try Data().write(to: url)
      try expectFree()
      #expect(try LockTable(ofDatabaseAt: url).locks == [])
    }

    @Test func aMissingDatabaseIsAnError() {
      let error = #expect(throws: FileError.self) { try LockTable(ofDatabaseAt: url) }
      #expect(error?.code == .notFound)
      #expect(error?.message.contains("t.db") == true)
    }

    /// Turso locks the whole log, which SQLite never does.
    @Test func aLockOnTheLogIsAnotherEngine() throws {
      let other = KernelLock(
        owner: .process, isExclusive: true, processIdentifier: 7, device: 0, inode: 0,
        bytes: 0...Int64.max)
      let log = FilePath("/t.db-wal")
      let locks = LockTable.Lock.locks(other, on: log, .log)
      #expect(locks.map { "\($0)" } == ["process 7: LOG, write, on t.db-wal"])
      #expect(LockTable(locks: locks).hasOtherEngine)
      #expect(!LockTable(locks: LockTable.Lock.locks(other, on: log, .other)).hasOtherEngine)
    }

    /// Processes that share a log through Turso lock nothing but its own file.
    @Test func aLockOnTheFileOfAnotherEngineIsFound() throws {
      try Data().write(to: url)
      let index = folder.file("t.db-tshm").path
      try Data(repeating: 0, count: 9).write(to: URL(filePath: index))
      let other = try OtherSQLite()
      try other.lockOpenFile(index)
      let table = try LockTable(ofDatabaseAt: url)
      #expect(table.locks.map(\.file) == ["t.db-tshm"] && table.locks.map(\.name) == [.log])
      #expect(table.hasOtherEngine)
      let user = try #require(try DatabaseUsers(of: FilePath(of: url)).users.first)
      #expect(user.number == other.processIdentifier && user.usesOtherEngine)
    }

    /// GR-B10.
    @Test func eachLockHasAProcessAFileAndAName() throws {
      let pool = try DatabasePool(path: url.path)
      try pool.write { db in try db.execute(sql: "CREATE TABLE t (a)") }
      let other = try OtherSQLite()
      try other.run("BEGIN IMMEDIATE", on: url.path)
      let table = try LockTable(ofDatabaseAt: url)
      #expect(!table.isFree)
      let theirs = table.locks(heldBy: other.processIdentifier)
      #expect(theirs.allSatisfy { $0.processName?.hasPrefix("python3") == true })
      #expect(theirs.allSatisfy { !$0.isWaiting })
      #expect(
        theirs.map { "\($0.file) \($0.name) \($0.mode)" } == [
          "t.db SHARED read", "t.db-shm WAL WRITE write", "t.db-shm READ mark 1 read",
          "t.db-shm DMS read",
        ])
      #expect(theirs.map(\.bytes.lowerBound) == [1_073_741_826, 120, 124, 128])
      #expect(table.locks(heldBy: own).map(\.name) == [.shared, .deadManSwitch])
      #expect(table.locks.count == 6)
      try pool.close()
    }

    @Test func theFileIsFoundThroughASymbolicLink() throws {
      let link = folder.file("link.db")
      try FileManager.default.createSymbolicLink(at: link, withDestinationURL: url)
      let queue = try DatabaseQueue(path: link.path)
      try queue.writeWithoutTransaction { db in
        try db.execute(sql: "PRAGMA journal_mode = WAL; CREATE TABLE t (a)")
      }
      let names = try LockTable(ofDatabaseAt: link).locks.map { "\($0.file) \($0.name)" }
      #expect(names == ["t.db SHARED", "t.db-shm DMS"])
      try queue.close()
    }

    @Test(.enabled(if: OverlayVolume.isPossible, "no overlay can be mounted here"))
    func theFileIsFoundOnAnOverlayFileSystem() throws {
      let volume = try OverlayVolume(in: folder)
      let url = volume.url.appending(path: "t.db")
      let queue = try DatabaseQueue(path: url.path)
      try queue.writeWithoutTransaction { db in
        try db.execute(sql: "PRAGMA journal_mode = WAL; CREATE TABLE t (a)")
      }
      let other = try OtherSQLite()
      try other.run("BEGIN IMMEDIATE", on: url.path)
      let table = try LockTable(ofDatabaseAt: url)
      #expect(
        table.locks(heldBy: other.processIdentifier).map(\.name) == [
          .shared, .walWrite, .readMark(1), .deadManSwitch,
        ])
      #expect(
        try LockTable.locksOfThisProcess(onDatabasesAt: [url]).map(\.name) == [
          .shared, .deadManSwitch,
        ])
      other.kill()
      try queue.close()
      try expectFree(at: url)
    }

    @Test func lockFilesNextToTheDatabaseAreListed() throws {
      try Data().write(to: url)
      let ours = try FileLock(at: folder.file(".t.db.lock"))
      let apps = try FileLock(at: folder.file("app.lock"))
      let table = try LockTable(
        ofDatabaseAt: url, companions: [folder.file("app.lock"), folder.file("none.lock")])
      #expect(table.locks.map(\.file) == [".t.db.lock", "app.lock"])
      #expect(table.locks.map(\.name) == [.file, .file])
      #expect(table.locks(heldBy: own).count == 2)
      #expect(try LockTable(ofDatabaseAt: url).locks.map(\.file) == [".t.db.lock"])
      ours.release()
      apps.release()
      try expectFree()
    }

    /// The kernel's table has no process for these locks, but the list of its open files has.
    @Test func theHolderOfAnOpenFileDescriptionLockIsFound() throws {
      try Data(repeating: 0, count: 9).write(to: url)
      let other = try OtherSQLite()
      try other.lockOpenFile(url.path)
      let locks = try LockTable(ofDatabaseAt: url).locks
      #expect(locks.map(\.processIdentifier) == [other.processIdentifier])
      #expect(locks.first?.processName?.hasPrefix("python3") == true)
      #expect(locks.map(\.bytes) == [3...4])
      #expect(locks.map(\.name) == [.bytes])
    }

    @Test func theLocksOfThisProcessAreReadForSeveralDatabasesAtOnce() throws {
      let queues = try ["a.db", "b.db"].map { try DatabaseQueue(path: folder.file($0).path) }
      let other = try OtherSQLite()
      try other.run("CREATE TABLE t (a)", on: folder.file("a.db").path)
      try other.run("BEGIN", on: folder.file("a.db").path)
      try other.run("SELECT * FROM t", on: folder.file("a.db").path)
      let urls = ["a.db", "b.db", "none.db"].map(folder.file)
      func held() throws -> [String] {
        try LockTable.locksOfThisProcess(onDatabasesAt: urls).map { "\($0.file) \($0.name)" }
      }
      #expect(try held() == [])
      try queues[1].write { db in
        try db.execute(sql: "CREATE TABLE t (a)")
        #expect(try held() == ["b.db RESERVED", "b.db SHARED"])
      }
      #expect(try held() == [])
      for queue in queues { try queue.close() }
    }

    /// It is read at each suspension: no file is opened except the kernel's table, and no process
    /// is examined.
    @Test func readingTheLocksOfThisProcessTakesFewSystemCalls() throws {
      let pool = try DatabasePool(path: url.path)
      try pool.write { db in try db.execute(sql: "CREATE TABLE t (a)") }
      let (held, calls) = try Self.tracedLocks(of: url)
      #expect(held.map(\.name) == [.shared, .deadManSwitch])
      let reading: [SystemCalls.Name] = [.open, .close]
      #expect(calls.first == .realpath)
      // A table of several pieces needs three reads.
      #expect(
        [reading, reading + reading + reading].contains(Array(calls.dropFirst().dropLast(6))))
      // A check whether the table is that of this process's namespace.
      #expect(calls.dropLast(5).last == .readlink)
      #expect(Array(calls.suffix(5)) == Array(repeating: .stat, count: 5))
      try pool.close()
    }

    @Test func aProcessWithoutLocksExaminesNoFile() async {
      await #expect(processExitsWith: .success) {
        let folder = try TemporaryDirectory()
        let url = folder.file("t.db")
        let pool = try DatabasePool(path: url.path)
        try await pool.write { db in try db.execute(sql: "CREATE TABLE t (a)") }
        try pool.close()
        // The table names no process for a lock that belongs to an open file, so that such a lock of
        // another process, of which other tests have some, must be looked up. A program of the machine
        // may hold one for good, so that this is tried for so long and no longer.
        func hasLocksOfFiles() throws -> Bool {
          try String(contentsOfFile: "/proc/locks", encoding: .utf8).contains("OFDLCK")
        }
        var isDisturbed = true
        for _ in 0..<1000 where isDisturbed {
          let wereThere = try hasLocksOfFiles()
          let (held, calls) = try LockTableTests.tracedLocks(of: url)
          isDisturbed = try wereThere || hasLocksOfFiles()
          #expect(held == [])
          if !isDisturbed { #expect(Set(calls) == [.realpath, .open, .close, .readlink]) }
        }
      }
    }

    private static func tracedLocks(
      of url: URL
    ) throws -> (held: [LockTable.Lock], calls: [SystemCalls.Name]) {
      let trace = SystemFault(atCall: .max, .fail(.inputOutput))
      let held = try SystemCalls.$fault.withValue(trace) {
        try LockTable.locksOfThisProcess(onDatabasesAt: [url])
      }
      return (held, trace.callsSeen.filter { $0 != .read })
    }

    /// Some containers do not show it; everything else is still reported.
    @Test func locksAreUnknownWhereTheTableCannotBeRead() throws {
      let pool = try DatabasePool(path: url.path)
      try pool.write { db in try db.execute(sql: "CREATE TABLE t (a)") }
      let missing = SystemFault(atCall: 2, .fail(.notFound))
      let error = SystemCalls.$fault.withValue(missing) {
        #expect(throws: FileError.self) { try LockTable(ofDatabaseAt: url) }
      }
      #expect(missing.callsSeen.last == .open)
      #expect(error?.code == .unsupported)
      let other = try OtherSQLite()
      try other.run("BEGIN", on: url.path)
      try other.run("SELECT * FROM t", on: url.path)
      #expect(try pool.diagnose().readers.count == 1)
      // After the lengths of four files and of the log.
      let later = SystemFault(atCall: 6, .fail(.notFound))
      let diagnosis = try SystemCalls.$fault.withValue(later) { try pool.diagnose() }
      #expect(later.callsSeen.last == .open)
      #expect(diagnosis.readers == [] && diagnosis.log?.frameCount == 2)
      try pool.close()
    }

    /// If a process is not in its own table, its locks are not either.
    @Test(.enabled(if: ProcessNamespace.isPossible, "no namespace can be made here"))
    func aTableWithoutThisProcessIsNeverFree() async {
      await #expect(processExitsWith: .success) {
        let folder = try TemporaryDirectory()
        let url = folder.file("t.db")
        var configuration = Configuration()
        configuration.allowsSuspension = true
        let pool = try DatabasePool(path: url.path, configuration: configuration)
        let other = try DatabasePool(path: url.path)
        try await other.write { db in try db.execute(sql: "CREATE TABLE t (a)") }
        try ProcessNamespace.hideThisProcess()
        let error = #expect(throws: FileError.self) { try LockTable(ofDatabaseAt: url) }
        #expect(error?.code == .unsupported)
        let own = #expect(throws: FileError.self) {
          try LockTable.locksOfThisProcess(onDatabasesAt: [url])
        }
        #expect(own?.code == .unsupported)
        // The other pool holds its locks, so nothing is proved.
        #expect(pool.blockingSuspend().locks == .closed)
      }
    }

    @Test(
      .enabled(
        if: ProcessNamespace.isPossible && Unprivileged.isPossible,
        "no processes can be hidden here"))
    func locksOfHiddenProcessesAreListed() async throws {
      let other = try OtherSQLite()
      try other.run("CREATE TABLE t (a)", on: url.path)
      try other.run("BEGIN IMMEDIATE", on: url.path)
      await #expect(processExitsWith: .success) {
        [url = url as URL, process = other.processIdentifier as Int32] in
        try ProcessNamespace.hideProcessesOfOthers()
        Unprivileged.become()
        let table = try LockTable(ofDatabaseAt: url)
        #expect(!table.isFree)
        #expect(table.locks.map(\.name) == [.reserved, .shared])
        #expect(table.locks.allSatisfy { $0.processIdentifier == process })
        #expect(table.locks.allSatisfy { $0.processName == nil })
      }
    }

    /// The reason for the whole design: reading the table does not affect the locks.
    @Test func readingTheTableReleasesNoLock() throws {
      let pool = try DatabasePool(path: url.path)
      try pool.write { db in
        try db.execute(sql: "CREATE TABLE t (a)")
        let before = try LockTable(ofDatabaseAt: url).locks
        #expect(before.map(\.name) == [.shared, .walWrite, .readMark(0), .deadManSwitch])
        #expect(try LockTable(ofDatabaseAt: url).locks == before)
      }
      try pool.close()
    }

    /// Longer than what the kernel returns in one piece.
    @Test func aLongTableIsReadToItsEnd() throws {
      try Data().write(to: url)
      let files = (0..<200).map { folder.file("\($0).lock") }
      let holders = try files.map { url in Held(try FileLock(at: url)) }
      let table = try LockTable(ofDatabaseAt: url, companions: files)
      #expect(Set(table.locks.map(\.file)) == Set(files.map(\.lastPathComponent)))
      #expect(table.locks.count == 200)
      withExtendedLifetime(holders) {}
    }

    /// A box, because an array cannot contain values that are not copyable.
    private final class Held {
      let lock: FileLock
      init(_ lock: consuming FileLock) { self.lock = lock }
    }
  }
#endif
