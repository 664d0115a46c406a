import Foundation
import HoldfastSQLite
import HoldfastTestSupport
import Testing

/// Temporary objects that a connection to a file which never changes makes before the first statement of the app.
@Suite struct TemporaryObjectsTests {
  private let folder: TemporaryDirectory
  private let path: String

  init() throws {
    folder = try TemporaryDirectory()
    path = folder.file("a.db").path
    try Connection(path).withAccess { db throws in
      try db.execute(
        sql: """
          CREATE TABLE stops (id INTEGER PRIMARY KEY); INSERT INTO stops VALUES (7), (8), (9);
          CREATE TABLE other (visits, day UNIQUE); INSERT INTO other VALUES (3, 4);
          CREATE VIEW stored AS SELECT max(day) FROM visits;
          """)
    }
  }

  /// Adds the view `visits` and, in place of the table of this name, `stops` with another column.
  private static let definitions = """
    CREATE TEMP VIEW IF NOT EXISTS visits AS SELECT 1 AS day UNION ALL SELECT 2;
    CREATE TEMP VIEW IF NOT EXISTS stops AS SELECT *, 'x' || id AS name FROM main.stops;
    """

  /// Opens a connection with the two views, and returns it with the number of times that they were made.
  private func open(
    isNeverModified: Bool = true, isReadOnly: Bool = true,
    _ prepare: @escaping @Sendable (Database) throws -> Void = { _ in }
  ) throws -> (connection: Database, count: Shared<Int>) {
    let count = Shared(0)
    var configuration = Configuration()
    configuration.prepareDatabase { db in
      try prepare(db)
      try db.addTemporaryObjects { _ in
        count.change { $0 += 1 }
        return Self.definitions
      }
    }
    let connection = try Database(
      at: isNeverModified ? .immutableFile(path) : .file(path), isReadOnly: isReadOnly,
      configuration: configuration, token: AccessToken())
    return (connection, count)
  }

  /// Runs the closure in a read of a connection that has not made the views.
  private func read(_ body: (Database, Shared<Int>) throws -> Void) throws {
    let (connection, count) = try open()
    try connection.withAccess(isReadOnly: true) { db throws in
      try db.snapshot { db throws in
        #expect(count.value == 0)
        try body(db, count)
      }
    }
  }

  private func hasAll(_ db: Database) throws -> Bool {
    try Row.fetchOne(db, sql: "SELECT * FROM stops")?.columnNames.map(\.self) == ["id", "name"]
      && Int.fetchAll(db, sql: "SELECT day FROM visits ORDER BY 1") == [1, 2]
  }

  private static func rows(_ db: Database, _ sql: String) throws -> String {
    try Row.fetchAll(db, sql: sql).map(\.description).joined(separator: " ")
  }

  // MARK: - When

  @Test func theyAreMadeBeforeTheFirstStatement() throws {
    try read { db, count throws in
      #expect(try Int.fetchOne(db, sql: "SELECT 1") == 1)
      #expect(count.value == 1)
      #expect(db.isInsideTransaction)
      #expect(try hasAll(db))
      #expect(count.value == 1)
    }
  }

  @Test(arguments: [(false, true), (false, false)])
  func aFileThatMayChangeHasThemAtOnce(isNeverModified: Bool, isReadOnly: Bool) throws {
    let (connection, count) = try open(isNeverModified: isNeverModified, isReadOnly: isReadOnly)
    #expect(count.value == 1)
    try connection.withAccess(isReadOnly: true) { db throws in #expect(try hasAll(db)) }
    #expect(count.value == 1)
  }

  @Test func oneThatIsAttachedMayChange() throws {
    let (connection, count) = try open { [path] db in
      try db.execute(sql: "ATTACH ? AS more", arguments: [path])
    }
    #expect(count.value == 1)
    try connection.withAccess(isReadOnly: true) { db throws in #expect(try hasAll(db)) }
  }

  @Test func aTransactionThatAPreparationLeavesOpenIsRefused() throws {
    let error = try databaseError { _ = try open { db in try db.execute(sql: "BEGIN") } }
    #expect(error.message?.contains("transaction") == true)
  }

  // MARK: - No statement can tell

  private typealias Scenario = @Sendable (Database) throws -> String

  /// What a connection answers in an access of its own, however it ends.
  private static func outcome(_ connection: Database, _ scenario: Scenario) -> String {
    do {
      return try connection.withAccess(isReadOnly: true, scenario)
    } catch let error as DatabaseError {
      return "\(error.extendedResultCode) \(error.message ?? "")"
    } catch {
      return "\(error)"
    }
  }

  private static func cursor(
    _ db: Database, _ sql: String = "SELECT name FROM stops", after statements: String
  ) throws -> String {
    let names = try String.fetchCursor(db, sql: sql)
    var found = [try names.next()]
    do {
      try db.execute(sql: statements)
      while let name = try names.next() { found.append(name) }
    } catch let error as DatabaseError {
      found.append("\(error.extendedResultCode)")
    }
    return found.map { $0 ?? "." }.joined(separator: ",")
  }

  private static let scenarios: [String: Scenario] = [
    "a cursor over the end of a savepoint": { db in
      try db.snapshot { try cursor($0, after: "SAVEPOINT a; ROLLBACK TO a") }
    },
    "a cursor inside a savepoint": { db in
      try db.snapshot { db throws in
        try db.execute(sql: "SAVEPOINT a")
        return try cursor(db, after: "ROLLBACK TO a; RELEASE a")
      }
    },
    "a cursor over the end of the read": { db in
      try db.snapshot { try cursor($0, after: "ROLLBACK") }
    },
    "a cursor over a rollback of the app": { db in
      try db.execute(sql: "BEGIN")
      return try cursor(db, after: "ROLLBACK")
    },
    "the end of the read before the first statement": { db in
      try db.snapshot { db throws in
        try db.rollback()
        return try rows(db, "SELECT * FROM stops")
      }
    },
    "several statements": { db in
      try cursor(
        db, "SELECT day FROM visits", after: "BEGIN; SELECT * FROM stops; COMMIT; SELECT 1")
    },
    "a view of the file that reads one": { try rows($0, "SELECT * FROM stored") },
    "the table below": { try rows($0, "SELECT * FROM main.stops") },
    "a byte order mark": { try rows($0, "\u{FEFF}SELECT * FROM stops") },
    "the temporary schema": { try rows($0, "SELECT name, sql FROM sqlite_temp_schema") },
    "a table-valued function": {
      try rows($0, "SELECT name, ncol FROM pragma_table_list WHERE schema = 'temp'")
    },
    "the schemas": { try rows($0, "PRAGMA database_list") },
    "the version of the temporary schema": { db in
      try rows(db, "PRAGMA temp.schema_version")
    },
    "a temporary storage that is cleared": { db in
      try db.execute(sql: "SELECT * FROM visits; PRAGMA temp_store = 2")
      return try rows(db, "SELECT * FROM visits")
    },
    "a view that is dropped": { db in
      try db.execute(sql: "DROP VIEW temp.visits; BEGIN; ROLLBACK")
      return try rows(db, "SELECT * FROM visits")
    },
    "a view that comes back": { db in
      try db.execute(sql: "BEGIN; DROP VIEW visits; ROLLBACK")
      return try rows(db, "SELECT * FROM visits")
    },
    "a temporary view of the app": { db in
      try db.execute(sql: "CREATE TEMP VIEW own AS SELECT max(day) FROM visits")
      return try rows(db, "SELECT * FROM own")
    },
    "a write": { db in
      try db.execute(sql: "DELETE FROM other")
      return "written"
    },
    "the numbers of changes": { db in
      _ = try Int.fetchOne(db, sql: "SELECT 1")
      return "\(db.changesCount) \(db.totalChangesCount) \(db.lastInsertedRowID)"
    },
    "questions about the schema": { db in
      "\(try db.viewExists("visits")) \(try db.tableExists("visits"))"
        + " \(try db.columns(in: "stops").map(\.name)) \(try db.columns(in: "stops", in: "main").count)"
    },
    "while writing is forbidden": { db in
      try db.readOnly { try rows(db, "SELECT * FROM stops") }
    },
  ]

  @Test(arguments: scenarios.keys.sorted())
  func noStatementCanTellWhenTheyWereMade(name: String) throws {
    let scenario = try #require(Self.scenarios[name])
    let (atOnce, _) = try open(isNeverModified: false)
    let (later, count) = try open()
    let answers = [Self.outcome(atOnce, scenario), Self.outcome(atOnce, scenario)]
    #expect(count.value == 0)
    #expect([Self.outcome(later, scenario), Self.outcome(later, scenario)] == answers)
    // Also after statements that do not need them, which are kept.
    let (mixed, _) = try open()
    try mixed.withAccess(isReadOnly: true) { db throws in
      try db.deferringTemporaryObjects {
        _ = try Self.rows(db, "SELECT * FROM stops")
        _ = try db.tableExists("stops", in: "main") && db.columns(in: "stops", in: "main").isEmpty
      }
    }
    #expect([Self.outcome(mixed, scenario), Self.outcome(mixed, scenario)] == answers)
  }

  @Test func aStatementThatWasKeptBeforeFindsThem() throws {
    try read { db, count throws in
      try db.deferringTemporaryObjects {
        #expect(try Row.fetchOne(db, sql: "SELECT * FROM stops")?.count == 1)
        _ = try db.cachedStatement(sql: "SELECT * FROM stops;")
        #expect(try !db.viewExists("visits") && db.tableExists("stops"))
        #expect(count.value == 0)
      }
      #expect(try db.viewExists("visits"))
      #expect(try Row.fetchOne(db, sql: "SELECT * FROM stops")?.count == 2)
      #expect(try Row.fetchOne(db.cachedStatement(sql: "SELECT * FROM stops;"))?.count == 2)
    }
  }

  @Test func aCursorOfTheLibraryContinues() throws {
    try read { db, _ throws in
      let cursor = try db.deferringTemporaryObjects {
        let cursor = try Int.fetchCursor(db, sql: "SELECT id FROM main.stops")
        #expect(try cursor.next() == 7)
        return cursor
      }
      #expect(try hasAll(db))
      #expect(try cursor.next() == 8)
    }
  }

  @Test func whatWasReadOfTheFileRemainsKnown() throws {
    try read { db, _ throws in
      var reads = 0
      func read() throws -> Int? {
        try db.deferringTemporaryObjects {
          try db.cached { db throws in
            reads += 1
            return try Int.fetchOne(db, sql: "SELECT count(*) FROM main.stops")
          }
        }
      }
      #expect(try read() == 3)
      #expect(try hasAll(db) && db.viewExists("visits"))
      #expect(try read() == 3)
      #expect(reads == 1)
    }
  }

  @Test func theDateOfTheTransactionRemains() throws {
    try read { db, _ throws in
      let date = try db.transactionDate
      #expect(try hasAll(db))
      #expect(try db.transactionDate == date)
    }
  }

  @Test func theyOutlastAnAccessThatThrows() throws {
    struct Stop: Error {}
    let (connection, count) = try open()
    #expect(throws: Stop.self) {
      try connection.withAccess(isReadOnly: true) { db throws in
        try db.snapshot { db throws in
          #expect(try hasAll(db))
          throw Stop()
        }
      }
    }
    try connection.withAccess(isReadOnly: true) { db throws in #expect(try hasAll(db)) }
    #expect(count.value == 1)
  }

  @Test func aPreparationMayForbidChanges() throws {
    let (connection, count) = try open { db in try db.execute(sql: "PRAGMA query_only = 1") }
    try connection.withAccess(isReadOnly: true) { db throws in
      #expect(count.value == 0)
      #expect(try Bool.fetchOne(db, sql: "PRAGMA query_only") == true)
      #expect(try hasAll(db))
      #expect(throws: DatabaseError.self) { try db.execute(sql: "DROP VIEW temp.visits") }
    }
  }

  // MARK: - Nobody is told

  @Test func observersAreNotTold() throws {
    // A connection for reading has no observers.
    // Sendable because the connection is opened and used on the thread of the test.
    nonisolated(unsafe) let diary = TransactionDiary()
    let (connection, _) = try open(isNeverModified: false, isReadOnly: false) { db in
      unsafe db.add(transactionObserver: diary)
    }
    try connection.withAccess(isReadOnly: false) { db throws in
      #expect(unsafe diary.take() == [])
      try db.execute(sql: "DELETE FROM other")
      #expect(unsafe diary.take().suffix(2) == ["will commit", "commit"])
    }
  }

  @Test func tracesAndAuthorizersAreNotTold() throws {
    let (connection, _) = try open()
    try connection.withAccess(isReadOnly: true) { db throws in
      var lines: [String] = []
      db.trace { lines.append("\($0)") }
      db.setAuthorizer { $0.code == .read || $0.code == .select ? .allow : .deny }
      #expect(try Int.fetchOne(db, sql: "SELECT day FROM visits") == 1)
      #expect(lines == ["SELECT day FROM visits"])
    }
  }

  @Test func theRegionOfAStatementIsThatOfItsTables() throws {
    try read { db, _ throws in
      let (value, region) = try db.recordingRegion {
        try String.fetchOne(db, sql: "SELECT name FROM stops")
      }
      #expect(value == "x7")
      #expect(
        try region.description
          == db.makeStatement(sql: "SELECT name FROM stops").databaseRegion.description)
    }
  }

  // MARK: - Failures

  @Test(arguments: [
    "CREATE TEMP VIEW visits AS SELECT 1; SELECT * FROM nothing",
    "CREATE TEMP VIEW visits AS SELECT 1; SELECT halt()",
  ])
  func aFailureIsThatOfEachStatement(failing: String) throws {
    let isFailing = Shared(true)
    var configuration = Configuration()
    configuration.prepareDatabase { db in
      try db.addTemporaryObjects { _ in isFailing.value ? failing : Self.definitions }
    }
    let connection = try Database(
      at: .immutableFile(path), isReadOnly: true, configuration: configuration,
      token: AccessToken())
    try connection.withAccess(isReadOnly: true) { db throws in
      let interruption = db.interruption
      let halt = DatabaseFunction("halt", argumentCount: 0) { _ in
        interruption.interruptStatement()
        return nil
      }
      db.add(function: halt)
      // It keeps the connection open, which keeps it.
      defer { db.remove(function: halt) }
      try db.snapshot { db throws in
        for _ in 1...2 {
          let error = try databaseError { try db.execute(sql: "SELECT 1") }
          #expect(
            error.resultCode == (failing.contains("halt") ? .SQLITE_INTERRUPT : .SQLITE_ERROR))
          #expect(db.isInsideTransaction)
          #expect(
            try db.deferringTemporaryObjects {
              try Int.fetchOne(db, sql: "SELECT count(*) FROM sqlite_temp_schema")
            } == 0)
        }
        isFailing.change { $0 = false }
        #expect(try hasAll(db))
      }
      #expect(try hasAll(db))
    }
  }

  @Test func anErrorOfTheLibraryIsOneOfTheStatement() throws {
    struct Damage: Error, CustomStringConvertible { let description = "damage" }
    let isFailing = Shared(true)
    var configuration = Configuration()
    configuration.prepareDatabase { db in
      try db.addTemporaryObjects { _ in
        if isFailing.value { throw Damage() }
        return Self.definitions
      }
    }
    let connection = try Database(
      at: .immutableFile(path), isReadOnly: true, configuration: configuration,
      token: AccessToken())
    try connection.withAccess(isReadOnly: true) { db throws in
      for _ in 1...2 {
        let error = try databaseError { try db.execute(sql: "SELECT 1") }
        #expect(error.resultCode == .SQLITE_ERROR && error.message == "damage")
      }
      isFailing.change { $0 = false }
      #expect(try hasAll(db))
    }
  }
}
