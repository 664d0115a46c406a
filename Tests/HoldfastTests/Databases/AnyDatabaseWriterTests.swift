import Foundation
import HoldfastTestSupport
import Synchronization
import Testing

@testable import Holdfast

/// Accesses under GRDB's other names, with functions, and through erased types.
@Suite struct AnyDatabaseWriterTests {
  private let folder: TemporaryDirectory
  private let path: String

  init() throws {
    folder = try TemporaryDirectory()
    path = folder.file("t.db").path
  }

  private static func count(_ db: Database) throws -> Int {
    try Int.fetchOne(db, sql: "SELECT count(*) FROM t") ?? -1
  }

  @Sendable private static func insert(_ db: Database) throws -> Int {
    try db.execute(sql: "INSERT INTO t VALUES (1)")
    return try count(db)
  }

  @Test func theClosureOfATransactionReturnsItsOutcome() throws {
    let queue = try DatabaseQueue(path: path)
    try queue.inDatabase { db in
      #expect(!db.isInsideTransaction)
      try db.execute(sql: "CREATE TABLE t (a)")
    }
    let pool = try DatabasePool(path: path)
    func locks(_ kind: Database.TransactionKind?) throws -> Bool {
      var configuration = Configuration()
      configuration.busyMode = .immediateError
      let other = try DatabaseQueue(path: path, configuration: configuration)
      var isLocked = false
      try queue.inTransaction(kind) { _ in
        do { try other.write { _ in } } catch ResultCode.SQLITE_BUSY { isLocked = true }
        return .commit
      }
      return isLocked
    }
    #expect(try locks(nil))
    #expect(try !locks(.deferred))
    for (write, name) in [(queue.inTransaction, "queue"), (pool.writeInTransaction, "pool")] {
      try write(nil) { db throws in
        #expect(try Self.insert(db) == 1, "\(name)")
        return .rollback
      }
      #expect(throws: CancellationError.self, "\(name)") {
        try write(nil) { db in
          _ = try Self.insert(db)
          throw CancellationError()
        }
      }
      #expect(try pool.read(Self.count) == 0, "\(name)")
    }
    try pool.writeInTransaction { db in
      _ = try Self.insert(db)
      return .commit
    }
    #expect(try pool.read(Self.count) == 1)
    let seen = DatabaseFuture<Int>()
    try pool.writeWithoutTransaction { db in
      pool.asyncConcurrentRead { result in seen.resolve(Result { try Self.count(result.get()) }) }
      _ = try Self.insert(db)
    }
    #expect(try seen.wait() == 1)
  }

  @Test func aFunctionIsAwaited() async throws {
    let pool = try DatabasePool(path: path)
    let migrator = DatabaseMigrator()
    try await pool.write { db in try db.execute(sql: "CREATE TABLE t (a)") }
    #expect(try await pool.read(migrator.appliedMigrations) == [])
    #expect(try await pool.unsafeRead(migrator.appliedIdentifiers) == [])
    #expect(try await pool.write(Self.insert) == 1)
    #expect(try await pool.writeWithoutTransaction(Self.insert) == 2)
    #expect(try await pool.barrierWriteWithoutTransaction(Self.insert) == 3)
    let any: any DatabaseWriter = pool
    #expect(try await any.read(Self.count) == 3)
  }

  @Test(.timeLimit(.minutes(1))) func erasedTypesForwardAccessesAndObservations() async throws {
    let pool = try DatabasePool(path: path)
    let writer = AnyDatabaseWriter(AnyDatabaseWriter(pool))
    try await writer.write { db in try db.execute(sql: "CREATE TABLE t (a)") }
    let reader = AnyDatabaseReader(writer)
    #expect(reader.path == path && writer.path == path)
    #expect(reader.connectionPool === pool.pool)
    var counts = ValueObservation.tracking(Self.count).values(in: reader).makeAsyncIterator()
    #expect(try await counts.next() == 0)
    #expect(try await writer.write(Self.insert) == 1)
    #expect(try await counts.next() == 1)
    let inserted = DatabaseFuture<Int>()
    writer.asyncWrite(Self.insert) { _, result in inserted.resolve(result) }
    #expect(try await inserted.value == 2)
    #expect(try reader.blockingRead(Self.count) == 2)
    #expect(try writer.unsafeReentrantWrite(Self.insert) == 3)
    #expect(try reader.unsafeReentrantRead(Self.count) == 3)
    #expect(try AnyDatabaseReader(pool.makeSnapshot()).blockingRead(Self.count) == 3)
    try reader.close()
    #expect(throws: DatabaseError.self) { try pool.blockingRead { _ in } }
  }

  @Test func readersMayWaitDifferently() throws {
    let queue = try DatabaseQueue(path: path)
    try queue.write { db in try db.execute(sql: "CREATE TABLE t (a)") }
    let tries = Atomic(0)
    var configuration = Configuration()
    configuration.busyMode = .immediateError
    configuration.readonlyBusyMode = .callback { number in
      tries.wrappingAdd(1, ordering: .relaxed)
      return number < 2
    }
    let writing = try DatabaseQueue(path: path, configuration: configuration)
    configuration.readonly = true
    let reading = try DatabaseQueue(path: path, configuration: configuration)
    try queue.inTransaction(.exclusive) { _ in
      #expect(throws: DatabaseError.self) { try writing.write { _ in } }
      #expect(tries.load(ordering: .relaxed) == 0)
      #expect(throws: DatabaseError.self) { try reading.read { db in try Self.count(db) } }
      #expect(tries.load(ordering: .relaxed) == 3)
      return .commit
    }
  }

  @Test(.disabled(if: ConnectionKeys.areUsed, "a key is given before the function is set"))
  func errorsAreReportedToAFunctionThatWasSetFirst() async {
    await #expect(processExitsWith: .success) {
      let messages = Mutex<[String]>([])
      Database.logError = { code, message in
        messages.withLock { $0.append("\(code.rawValue) \(message)") }
      }
      let queue = try DatabaseQueue()
      #expect(throws: DatabaseError.self) { try queue.write { try $0.execute(sql: "SELEC 1") } }
      #expect(messages.withLock { $0 }.contains { $0.contains("SELEC") })
    }
    await #expect(processExitsWith: .success) {
      let codes = Mutex<[ResultCode]>([])
      let queue = try DatabaseQueue()
      Database.logError = { code, _ in codes.withLock { $0.append(code) } }
      #expect(throws: DatabaseError.self) { try queue.write { try $0.execute(sql: "SELEC 1") } }
      // A newer SQLite accepts it at any time.
      #expect([[.SQLITE_MISUSE], [.SQLITE_ERROR]].contains(codes.withLock { $0 }))
    }
  }
}
