import Dispatch
import Foundation
import HoldfastSQLite
import HoldfastTestSupport
import Testing

@Suite struct OpenConnectionTests {
  struct Stop: Codable, FetchableRecord, PersistableRecord, Hashable {
    static let databaseTableName = "stop"
    var id: Int
    var name: String
  }

  /// A connection that can be ended from outside, with a table of one stop.
  private struct Endable {
    let directory: TemporaryDirectory
    let database: Database
    let connection: OpenConnection

    var path: String { directory.file("stops.sqlite").path }

    init() throws {
      let directory = try TemporaryDirectory()
      self.directory = directory
      database = try Database(
        at: .file(directory.file("stops.sqlite").path), isReadOnly: false,
        configuration: Configuration(), token: AccessToken(), register: { _ in })
      connection = database.openConnection
      try withAccess { db in
        try db.execute(sql: "CREATE TABLE stop (id INTEGER PRIMARY KEY, name TEXT NOT NULL)")
        try Stop(id: 1, name: "Quay").insert(db)
      }
    }

    func withAccess<Value>(_ body: (Database) throws -> Value) throws -> Value {
      try database.withAccess(isReadOnly: false, body)
    }
  }

  /// Work that must leave SQLite as often as it enters it.
  struct Work: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var run: @Sendable (Database) throws -> Void

    static let all = [
      Work(testDescription: "nothing") { _ in },
      Work(testDescription: "look-up by key") { db in _ = try Stop.fetchOne(db, key: 1) },
      Work(testDescription: "look-up in vain") { db in _ = try Stop.fetchOne(db, key: 2) },
      Work(testDescription: "look-up while looking up") { db in
        let stops = try Stop.fetchCursor(db, sql: "SELECT * FROM stop")
        while let stop = try stops.next() { _ = try Stop.fetchOne(db, key: stop.id) }
      },
      Work(testDescription: "cursor that is left") { db in
        _ = try Stop.fetchCursor(db, sql: "SELECT * FROM stop").next()
      },
      Work(testDescription: "record that moves its own cursor") { db in
        let stops = try Moving.fetchCursor(db, sql: rows)
        Moving.action.run = { _ = try? stops.next() }
        defer { Moving.action.run = nil }
        // The first one has moved over the second row.
        #expect(try stops.next() != nil)
        #expect(try stops.next() != nil)
        #expect(try stops.next() == nil)
      },
      Work(testDescription: "typed values and columns") { db in
        let insert = try db.makeStatement(sql: "INSERT INTO stop VALUES (?, ?)")
        try insert.execute(2, "Wharf")
        _ = #expect(throws: DatabaseError.self) { try insert.execute(2, "Wharf") }
        _ = #expect(throws: DatabaseError.self) { try insert.execute(3) }
        let stops = try Row.fetchCursor(
          db, sql: "SELECT id, name FROM stop", as: (Int.self, String.self))
        #expect(try stops.next()?.1 == "Quay")
        let wrong = try Row.fetchCursor(db, sql: "SELECT name, id FROM stop", as: Int.self)
        _ = #expect(throws: RowDecodingError.self) { try wrong.next() }
      },
      Work(testDescription: "value") { db in _ = try Int.fetchOne(db, sql: "SELECT 1") },
      Work(testDescription: "records") { db in
        _ = try Stop.fetchAll(db, keys: [1])
        try Stop(id: 2, name: "Wharf").insert(db)
        try Stop(id: 2, name: "Pier").update(db)
        try Stop(id: 2, name: "Pier").upsert(db)
        _ = try Stop(id: 2, name: "Pier").exists(db)
        _ = try Stop(id: 2, name: "Pier").delete(db)
      },
      Work(testDescription: "transactions") { db in
        try db.inTransaction { .commit }
        try db.inSavepoint { .rollback }
      },
      Work(testDescription: "schema") { db in _ = try db.columns(in: "stop") },
      Work(testDescription: "errors") { db in
        _ = #expect(throws: DatabaseError.self) { try db.execute(sql: "SELEC 1") }
        _ = #expect(throws: DatabaseError.self) { try Stop(id: 1, name: "").insert(db) }
        _ = #expect(throws: DatabaseError.self) {
          try Int.fetchOne(db, sql: "SELECT ?", arguments: [])
        }
        _ = #expect(throws: RowDecodingError.self) {
          try Int.fetchAll(db, sql: "SELECT name FROM stop")
        }
      },
    ]
  }

  @Test(arguments: Work.all)
  func aStatementClaimsItsConnectionAfterAnyWork(_ work: Work) throws {
    let endable = try Endable()
    var claim: OpenConnection.Claim?
    try endable.withAccess { db in
      try work.run(db)
      db.trace { [connection = endable.connection] _ in claim = claim ?? connection.claim() }
      _ = #expect(throws: DatabaseError.self) { try Int.fetchOne(db, sql: "SELECT 1") }
    }
    // True only for a connection whose access was inside SQLite.
    #expect(claim?.end(before: .now() + 10)?.interruptedStatement == true)
  }

  /// What a record or value of these tests does when it is made.
  // Sendable because each test sets its own, and uses it on its own thread.
  private final class Action: @unchecked Sendable {
    var run: (() -> Void)?
  }

  /// A record whose initializer moves the cursor that makes it.
  private struct Moving: FetchableRecord {
    static let action = Action()

    init(row: Row) {
      let run = Self.action.run
      Self.action.run = nil
      run?()
    }
  }

  /// A value during whose conversion something happens.
  private struct Acting: DatabaseValueConvertible {
    static let action = Action()
    let number: Int64

    var databaseValue: DatabaseValue { number.databaseValue }

    static func fromDatabaseValue(_ value: DatabaseValue) -> Acting? {
      action.run?()
      return Int64.fromDatabaseValue(value).map(Acting.init)
    }
  }

  /// A record that keeps its row.
  private struct Kept: FetchableRecord {
    let row: Row
    init(row: Row) { self.row = row }
  }

  static let rows = """
    SELECT 1 AS a, 'a text that is not short' AS b UNION ALL SELECT 2, 'c' UNION ALL SELECT 3, 'd'
    """

  @Test func eachStepHasItsOwnValues() throws {
    try Endable().withAccess { db in
      let rows = try Row.fetchCursor(db, sql: Self.rows)
      var names: [String] = []
      while let row = try rows.next() { names.append("\(row["a"] as Int) \(row["b"] as String)") }
      #expect(names == ["1 a text that is not short", "2 c", "3 d"])
      // A record that is not kept releases the row before the next step.
      let records = try Kept.fetchCursor(db, sql: Self.rows)
      var numbers: [Int] = []
      while let record = try records.next() { numbers.append(record.row["a"]) }
      #expect(numbers == [1, 2, 3])
    }
  }

  @Test func theRowsOfALoopOutliveTheirConnection() throws {
    let endable = try Endable()
    try endable.withAccess { db in
      let rows = try Row.fetchCursor(db, sql: Self.rows)
      let first = try rows.next()
      let second = try rows.next()
      #expect(second?["a"] == 2)
      #expect(endable.connection.claim()?.end(before: .now())?.interruptedStatement == false)
      #expect(first == ["a": 1, "b": "a text that is not short"])
      #expect(second == ["a": 2, "b": "c"])
      #expect(try databaseError { _ = try rows.next() }.resultCode == .SQLITE_ABORT)
    }
  }

  /// The access is inside for the time of the conversion, and closes the connection itself.
  @Test func aClaimWhileAValueIsReadLeavesTheRow() throws {
    let endable = try Endable()
    try endable.withAccess { db in
      let rows = try Row.fetchCursor(db, sql: Self.rows)
      let row = try #require(try rows.next())
      var claim: OpenConnection.Claim?
      Acting.action.run = { claim = claim ?? endable.connection.claim() }
      defer { Acting.action.run = nil }
      let first: Acting = row[0]
      #expect(first.number == 1)
      #expect(claim?.isOccupied == true)
      let end = claim?.end(before: .now())
      #expect(end?.interruptedStatement == false)
      #expect(end?.transaction == ConnectionEnd.Transaction.none)
      #expect(row == ["a": 1, "b": "a text that is not short"])
      #expect(try databaseError { _ = try rows.next() }.resultCode == .SQLITE_ABORT)
    }
  }

  @Test func theValuesOfAStatementEndWithItsConnection() throws {
    let endable = try Endable()
    try endable.withAccess { db in
      let statement = try db.makeStatement(sql: "SELECT * FROM stop")
      let rows = try Row.fetchCursor(statement)
      _ = try rows.next()
      #expect(statement.databaseValues.count == 2)
      #expect(endable.connection.claim()?.end(before: .now())?.interruptedStatement == false)
      #expect(statement.databaseValues == [])
    }
  }

  /// Its group is not asked for a value, but the statement must not go on without it either.
  @Test func aStatementFailsWhoseAggregateEndsAfterAClaim() throws {
    struct Count: DatabaseAggregate {
      mutating func step(_ values: [DatabaseValue]) {}
      func finalize() -> (any DatabaseValueConvertible)? { 1 }
    }
    let endable = try Endable()
    try endable.withAccess { db in
      db.add(
        function: DatabaseFunction("claim", argumentCount: 0) { [open = endable.connection] _ in
          _ = open.claim()
          return 1
        })
      db.add(function: DatabaseFunction("counted", argumentCount: 1, aggregate: Count.self))
      let error = try databaseError {
        try db.execute(sql: "INSERT INTO stop SELECT 2, ifnull(counted(claim()), 'lost')")
      }
      #expect(error.isDatabaseSuspensionError)
    }
    #expect(try Connection(endable.path).withAccess { db in try Stop.fetchCount(db) } == 1)
  }

  @Test func aClaimEndsAConnectionThatIsClosedAfterTheClaim() throws {
    let endable = try Endable()
    let claim = try endable.withAccess { db in
      try db.beginTransaction(.immediate)
      try Stop(id: 2, name: "Wharf").insert(db)
      return endable.connection.claim()
    }
    #expect(endable.database.close() == nil)
    let end = claim?.end(before: .now())
    #expect(end?.transaction == .write && end?.refusal == nil)
    #expect(try Connection(endable.path).withAccess { db in try Stop.fetchCount(db) } == 1)
  }

  /// SQLite reports the rollback when the connection closes, when observers may be deallocated.
  @Test func aConnectionThatEndsAfterItsDatabaseCallsNoObserver() throws {
    final class Observer: TransactionObserver {
      func observes(eventsOfKind eventKind: DatabaseEventKind) -> Bool { true }
      func databaseDidChange(with event: DatabaseEvent) {}
      func databaseDidCommit(_ db: Database) {}
      func databaseDidRollback(_ db: Database) {}
    }
    let observer = Observer()
    func claimOfAWrite() throws -> (OpenConnection.Claim?, TemporaryDirectory) {
      let endable = try Endable()
      let claim = try endable.withAccess { db in
        db.add(transactionObserver: observer)
        try db.beginTransaction(.immediate)
        try Stop(id: 2, name: "Wharf").insert(db)
        return endable.connection.claim()
      }
      return (claim, endable.directory)
    }
    let (claim, directory) = try claimOfAWrite()
    // Fills the memory of its former objects, so that any later write there is detected.
    let blocks = (2..<128).flatMap { words in
      (0..<8).map { _ in [UInt64](repeating: 0, count: words) }
    }
    #expect(claim?.end(before: .now())?.transaction == .write)
    #expect(blocks.allSatisfy { $0.allSatisfy { $0 == 0 } })
    withExtendedLifetime(directory) {}
  }
}
