import Foundation
import Holdfast
import HoldfastTestSupport
import Testing

@Suite struct DatabaseQueueTests {
  private func makeQueue(_ path: String? = nil) throws -> DatabaseQueue {
    let queue = try path.map { try DatabaseQueue(path: $0) } ?? DatabaseQueue()
    try queue.write { db in
      try db.execute(sql: "CREATE TABLE t (a UNIQUE)")
      try db.execute(sql: "INSERT INTO t VALUES (1), (2)")
    }
    return queue
  }

  private func values(_ reader: some DatabaseReader) throws -> [Int] {
    try reader.read { db in try Int.fetchAll(db, sql: "SELECT a FROM t ORDER BY a") }
  }

  private func databaseError(_ body: () throws -> Void) -> DatabaseError? {
    #expect(throws: DatabaseError.self, performing: body)
  }

  // MARK: - Reading and writing

  @Test func writesAreReadAgain() throws {
    let queue = try makeQueue()
    #expect(try values(queue) == [1, 2])
    #expect(queue.path == nil)
    let changes = try queue.write { db in
      try db.execute(sql: "DELETE FROM t WHERE a = 1")
      return db.changesCount
    }
    #expect(changes == 1)
    #expect(try values(queue) == [2])
  }

  @Test func awaitedAccessesReadAndWrite() async throws {
    final class NotSendable {
      var values: [Int] = []
    }
    let queue = try makeQueue()
    try await queue.write { db in
      try db.execute(sql: "INSERT INTO t VALUES (:a)", arguments: ["a": 3])
    }
    let object = try await queue.read { db in
      let object = NotSendable()
      object.values = try Int.fetchAll(db, sql: "SELECT a FROM t ORDER BY a")
      return object
    }
    #expect(object.values == [1, 2, 3])
  }

  @Test func everyMemoryQueueIsItsOwnDatabase() throws {
    let queue = try DatabaseQueue(path: ":memory:")
    #expect(queue.path == nil)
    try queue.write { db in try db.execute(sql: "CREATE TABLE t (a)") }
    let other = try DatabaseQueue(path: ":memory:")
    #expect(try other.read { db in try !db.tableExists("t") })
  }

  @Test func aReadCannotWrite() throws {
    let queue = try makeQueue()
    let error = databaseError { try queue.read { db in try db.execute(sql: "DELETE FROM t") } }
    #expect(error?.resultCode == .SQLITE_READONLY)
    #expect(try values(queue) == [1, 2])
  }

  @Test func aWriteThatThrowsChangesNothing() throws {
    struct Stop: Error {}
    let queue = try makeQueue()
    #expect(throws: Stop.self) {
      try queue.write { db in
        try db.execute(sql: "DELETE FROM t")
        throw Stop()
      }
    }
    #expect(try values(queue) == [1, 2])
  }

  @Test func aCaughtErrorKeepsTheRestOfTheWrite() throws {
    let queue = try makeQueue()
    try queue.write { db in
      try db.execute(sql: "INSERT INTO t VALUES (3)")
      #expect(throws: DatabaseError.self) { try db.execute(sql: "INSERT INTO t VALUES (1)") }
    }
    #expect(try values(queue) == [1, 2, 3])
  }

  @Test func aKeptCursorDoesNotPreventACommit() throws {
    let queue = try makeQueue()
    var kept: DatabaseValueCursor<Int>?
    try queue.write { db in
      kept = try Int.fetchCursor(db, sql: "INSERT INTO t VALUES (3), (4) RETURNING a")
      #expect(try kept?.next() == 3)
    }
    #expect(try values(queue) == [1, 2, 3, 4])
    try queue.write { db in try db.execute(sql: "DROP TABLE t") }
    withExtendedLifetime(kept) {}
  }

  // MARK: - Without a transaction

  @Test func statementsNotAllowedInATransactionRunWithoutOne() throws {
    let queue = try makeQueue()
    #expect(databaseError { try queue.write { db in try db.execute(sql: "VACUUM") } } != nil)
    try queue.writeWithoutTransaction { db in
      try db.execute(sql: "VACUUM")
      #expect(!db.isInsideTransaction)
      try db.inTransaction {
        try db.execute(sql: "DELETE FROM t WHERE a = 1")
        return .commit
      }
    }
    #expect(try values(queue) == [2])
  }

  @Test func anOpenTransactionIsRolledBackAndReported() throws {
    struct Stop: Error {}
    let queue = try makeQueue()
    let error = databaseError {
      try queue.writeWithoutTransaction { db in
        try db.beginTransaction()
        try db.execute(sql: "DELETE FROM t")
      }
    }
    #expect(error?.resultCode == .SQLITE_MISUSE)
    #expect(error?.message?.contains("left open") == true)
    #expect(throws: Stop.self) {
      try queue.writeWithoutTransaction { db in
        try db.beginTransaction()
        try db.execute(sql: "DELETE FROM t")
        throw Stop()
      }
    }
    #expect(try values(queue) == [1, 2])
  }

  // MARK: - Files

  @Test func aSecondQueueReadsTheFile() throws {
    let folder = try TemporaryDirectory()
    let path = folder.file("t.db").path
    let queue = try makeQueue(path)
    #expect(queue.path == path)
    #expect(try values(DatabaseQueue(path: path)) == [1, 2])
    // The journal mode is unchanged.
    try queue.writeWithoutTransaction { db throws in
      #expect(try String.fetchOne(db, sql: "PRAGMA journal_mode") == "delete")
    }
  }

  @Test func aReadOnlyQueueNeverCreatesAFile() throws {
    let folder = try TemporaryDirectory()
    var configuration = Configuration()
    configuration.readonly = true
    let path = folder.file("t.db").path
    for open: () throws -> Void in [
      { _ = try DatabaseQueue(path: path, configuration: configuration) },
      { _ = try DatabasePool(path: path, configuration: configuration) },
    ] {
      #expect(databaseError(open)?.resultCode == .SQLITE_CANTOPEN)
    }
    #expect(try folder.names == [])
  }

  @Test func aReadOnlyQueueRefusesAWrite() throws {
    let folder = try TemporaryDirectory()
    let path = folder.file("t.db").path
    _ = try makeQueue(path)
    var configuration = Configuration()
    configuration.readonly = true
    let queue = try DatabaseQueue(path: path, configuration: configuration)
    let error = databaseError { try queue.write { db in try db.execute(sql: "DELETE FROM t") } }
    #expect(error?.resultCode == .SQLITE_READONLY)
    #expect(try values(queue) == [1, 2])
  }

  @Test(.enabled(if: SmallVolume.isPossible, "mounting a small tmpfs needs Linux and root"))
  func aFileInAnUnwritableFolderCanBeRead() throws {
    let directory = try TemporaryDirectory()
    let volume = try SmallVolume(at: directory.file("volume"), kilobytes: 2048)
    let path = volume.url.appending(path: "t.db").path
    let withLog = volume.url.appending(path: "wal.db").path
    _ = try makeQueue(path)
    try makeQueue(withLog).writeWithoutTransaction { db throws in
      #expect(try String.fetchOne(db, sql: "PRAGMA journal_mode = WAL") == "wal")
    }
    let names = try FileManager.default.contentsOfDirectory(atPath: volume.url.path)
    #expect(names.sorted() == ["t.db", "wal.db"])
    try volume.becomeReadOnly()
    var configuration = Configuration()
    configuration.readonly = true
    let queue = try DatabaseQueue(path: path, configuration: configuration)
    #expect(try values(queue) == [1, 2])
    try queue.close()
    // A file that was left in write-ahead-log mode cannot be read there, and the error says so.
    let error = databaseError {
      _ = try DatabaseQueue(path: withLog, configuration: configuration)
    }
    #expect([.SQLITE_READONLY, .SQLITE_CANTOPEN].contains(error?.resultCode))
    #expect(error?.advice != nil)
  }

  // MARK: - Opening and closing

  @Test func openingReportsAnInvalidOrMissingFile() throws {
    let folder = try TemporaryDirectory()
    let file = folder.file("t.db")
    try Data(String(repeating: "no database ", count: 100).utf8).write(to: file)
    #expect(databaseError { _ = try DatabaseQueue(path: file.path) }?.resultCode == .SQLITE_NOTADB)
    #expect(databaseError { _ = try DatabasePool(path: file.path) }?.resultCode == .SQLITE_NOTADB)
    let missing = folder.file("missing/t.db").path
    #expect(databaseError { _ = try DatabaseQueue(path: missing) }?.systemErrno == ENOENT)
  }

  @Test func aClosedQueueRefusesEveryAccess() async throws {
    let queue = try makeQueue()
    try queue.close()
    try queue.close()
    let error = databaseError { try queue.blockingRead { _ in } }
    #expect(error?.resultCode == .SQLITE_MISUSE)
    #expect(error?.message == "Connection is closed")
    #expect(databaseError { try queue.blockingWithoutTransaction { _ in } } == error)
    await #expect(throws: DatabaseError.self) { try await queue.read { _ in } }
    await #expect(throws: DatabaseError.self) { try await queue.write { _ in } }
  }

  @Test(.enabled(if: OpenFiles.areKnown, "needs Linux's /proc")) func noFileStaysOpen() throws {
    let folder = try TemporaryDirectory()
    let path = folder.file("t.db").path
    do {
      let queue = try makeQueue(path)
      let kept = try queue.write { db in try db.makeStatement(sql: "SELECT 1") }
      #expect(try !OpenFiles.beginning(with: path).isEmpty)
      try queue.close()
      #expect(try OpenFiles.beginning(with: path) == [])
      withExtendedLifetime(kept) {}
    }
    do {
      let queue = try DatabaseQueue(path: path)
      #expect(try values(queue) == [1, 2])
    }
    #expect(try OpenFiles.beginning(with: path) == [])
    _ = databaseError { _ = try DatabaseQueue(path: folder.url.path) }
    var configuration = Configuration()
    configuration.prepareDatabase { db in try db.execute(sql: "SELECT nothing") }
    _ = databaseError { _ = try DatabaseQueue(path: path, configuration: configuration) }
    #expect(try OpenFiles.beginning(with: path) == [])
  }

  // MARK: - Misuse

  @Test func anAccessInsideAnAccessTraps() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let queue = try DatabaseQueue()
      try queue.blockingWrite { _ in try queue.read { _ in } }
    }
    expectSentence("not reentrant", in: result)
  }

  @Test func anAccessInsideAnAwaitedAccessTraps() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let queue = try DatabaseQueue()
      try await queue.write { _ in try queue.blockingWrite { _ in } }
    }
    expectSentence("not reentrant", in: result)
  }

  @Test func anAccessToAnotherDatabaseCanBeNested() throws {
    let queue = try makeQueue()
    let other = try makeQueue()
    try queue.write { db in
      for value in try values(other) {
        try db.execute(sql: "INSERT INTO t VALUES (?)", arguments: [value + 10])
      }
    }
    #expect(try values(queue) == [1, 2, 11, 12])
  }

  @Test func usingADatabaseOutsideItsAccessTraps() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let queue = try DatabaseQueue()
      let stolen = try queue.blockingRead { $0 }
      _ = try stolen.tableExists("t")
    }
    expectSentence("outside of its access", in: result)
  }

  @Test func usingADatabaseInALaterAccessOnAnotherThreadTraps() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let queue = try DatabaseQueue()
      // Sendable because the compiler must accept the misuse whose trap is tested.
      nonisolated(unsafe) let stolen = try queue.blockingRead { $0 }
      try await queue.read { _ in }
      let inside = Gate()
      let done = Gate()
      Thread.detachNewThread {
        _ = try? queue.blockingRead { _ in
          inside.open()
          done.wait()
        }
      }
      inside.wait()
      _ = unsafe stolen.changesCount
    }
    expectSentence("outside of its access", in: result)
  }
}
