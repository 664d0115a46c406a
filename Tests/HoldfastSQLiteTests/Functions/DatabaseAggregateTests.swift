import HoldfastSQLite
import HoldfastTestSupport
import Synchronization
import Testing

@Suite struct DatabaseAggregateTests {
  /// The number of values that the aggregates were asked for, also those of frames.
  @TaskLocal private static var finalized = Shared(0)

  struct Refusal: Error, CustomStringConvertible {
    var description: String { "No 13 at 100%s" }
  }

  /// Joins texts; 13 is refused, 14 at the end, 15 when it leaves, and 16 as the value of a frame.
  struct Joined: DatabaseAggregate {
    private let life = Life()
    fileprivate var texts: [String] = []

    mutating func step(_ values: [DatabaseValue]) throws {
      if values[0] == 13 { throw Refusal() }
      texts.append(values.map(\.description).joined(separator: "+"))
    }

    func finalize() throws -> (any DatabaseValueConvertible)? {
      DatabaseAggregateTests.finalized.change { $0 += 1 }
      if texts.contains("14") { throw DatabaseError(resultCode: .SQLITE_CONSTRAINT, message: "14") }
      return texts.isEmpty ? nil : texts.joined(separator: " ")
    }
  }

  struct JoinedFrame: DatabaseWindowAggregate {
    var joined = Joined()

    mutating func step(_ values: [DatabaseValue]) throws { try joined.step(values) }

    mutating func inverse(_ values: [DatabaseValue]) throws {
      if values[0] == 15 { throw Refusal() }
      #expect(joined.texts.removeFirst() == values[0].description)
    }

    func value() throws -> (any DatabaseValueConvertible)? {
      DatabaseAggregateTests.finalized.change { $0 += 1 }
      if joined.texts.last == "16" { throw Refusal() }
      return joined.texts.joined(separator: " ")
    }
  }

  private static let joined = DatabaseFunction("joined", aggregate: Joined.self)
  private static let frame = DatabaseFunction(
    "frame", argumentCount: 1, aggregate: JoinedFrame.self)

  /// Runs the closure with a table of the numbers, and expects that no aggregate is left.
  private func withNumbers(_ numbers: [Int], _ body: (Database) throws -> Void) throws {
    try Life.$alive.withValue(Shared(0)) {
      try Self.$finalized.withValue(Shared(0)) {
        let connection = try Connection()
        try connection.withAccess { db in
          db.add(function: Self.joined)
          db.add(function: Self.frame)
          try db.execute(sql: "CREATE TABLE t (n)")
          for n in numbers { try db.execute(sql: "INSERT INTO t VALUES (?)", arguments: [n]) }
          try body(db)
          #expect(Life.alive.value == 0)
        }
      }
    }
  }

  @Test(
    arguments: [
      ("SELECT joined(n) FROM t", ["1 2 3 4"]),
      ("SELECT joined(n, -n) FROM t WHERE n < 2", ["1+-1"]),
      // One group without rows, and no group.
      ("SELECT joined(n) FROM t WHERE n > 9", [nil]),
      ("SELECT joined(n) FROM t WHERE n > 9 GROUP BY n", []),
      ("SELECT frame(n) FROM t WHERE n > 9", [""]),
      // Several in one statement.
      (
        "SELECT joined(n) || '|' || joined(-n) || '|' || frame(n) FROM t GROUP BY n % 2",
        ["2 4|-2 -4|2 4", "1 3|-1 -3|1 3"]
      ),
      ("SELECT joined(n) FILTER (WHERE n > 2) FROM t", ["3 4"]),
      ("SELECT joined(DISTINCT n / 2) FROM t", ["0 1 2"]),
      // Windows.
      ("SELECT frame(n) OVER (ORDER BY n ROWS 1 PRECEDING) FROM t", ["1", "1 2", "2 3", "3 4"]),
      ("SELECT frame(n) OVER (PARTITION BY n % 2 ORDER BY n) FROM t", ["2", "2 4", "1", "1 3"]),
      // The frame of the first row is empty, and so is that of the last.
      (
        "SELECT frame(n) OVER (ORDER BY n ROWS BETWEEN 2 PRECEDING AND 1 PRECEDING) FROM t",
        ["", "1", "1 2", "2 3"]
      ),
      (
        "SELECT frame(n) OVER (ORDER BY n ROWS BETWEEN 1 FOLLOWING AND 2 FOLLOWING) FROM t",
        ["2 3", "3 4", "4", ""]
      ),
    ] as [(String, [String?])])
  func groupsAndFramesHaveValues(sql: String, expected: [String?]) throws {
    try withNumbers([1, 2, 3, 4]) { db throws in
      #expect(try String?.fetchAll(db, sql: sql) == expected)
      #expect(Life.alive.value == 0)
    }
  }

  @Test(arguments: [
    (13, "SELECT joined(n), joined(1) FROM t", ResultCode.SQLITE_ERROR, "No 13 at 100%s", 1),
    (14, "SELECT joined(n) FROM t", .SQLITE_CONSTRAINT, "14", 1),
    (13, "SELECT frame(n) OVER (ORDER BY rowid) FROM t", .SQLITE_ERROR, "No 13 at 100%s", 1),
    (
      15, "SELECT frame(n) OVER (ORDER BY rowid ROWS 1 PRECEDING) FROM t", .SQLITE_ERROR,
      "No 13 at 100%s", 3
    ),
    (16, "SELECT frame(n) OVER (ORDER BY rowid) FROM t", .SQLITE_ERROR, "No 13 at 100%s", 2),
    (
      1, "SELECT joined(n) OVER () FROM t", .SQLITE_ERROR,
      "joined() may not be used as a window function", 0
    ),
  ])
  func anErrorFailsTheStatement(
    number: Int, sql: String, code: ResultCode, message: String, finalized: Int
  ) throws {
    try withNumbers([1, number, 3, 4]) { db throws in
      let error = try databaseError { _ = try Row.fetchAll(db, sql: sql) }
      #expect(error.extendedResultCode == code)
      #expect(error.message == message)
      // The failed group is not asked for a value.
      #expect(Self.finalized.value == finalized)
      #expect(Life.alive.value == 0)
      #expect(try String.fetchOne(db, sql: "SELECT joined(n) FROM t WHERE n = 3") == "3")
    }
  }

  @Test func aStatementThatIsResetReleasesItsAggregates() throws {
    try withNumbers(Array(1...9)) { db throws in
      do {
        let rows = try String.fetchCursor(
          db,
          sql:
            "SELECT frame(n) OVER (ORDER BY n ROWS 2 PRECEDING) || (SELECT joined(n) FROM t) FROM t"
        )
        #expect(try rows.next() == "11 2 3 4 5 6 7 8 9")
        #expect(try rows.next() == "1 21 2 3 4 5 6 7 8 9")
        #expect(Life.alive.value == 1)
      }
      #expect(Life.alive.value == 0)
    }
  }

  @Test func anAggregateIsReplacedRemovedAndUsedInRequests() throws {
    struct Empty: DatabaseAggregate {
      mutating func step(_ values: [DatabaseValue]) {}
      func finalize() -> (any DatabaseValueConvertible)? { "nothing" }
    }
    try withNumbers([1, 2]) { db throws in
      let request = Table("t").select(Self.joined(Column("n")), as: String.self)
      #expect(try request.fetchOne(db) == "1 2")
      db.add(function: DatabaseFunction("JOINED", aggregate: Empty.self))
      #expect(try request.fetchOne(db) == "nothing")
      // A function of one row takes its place too.
      db.add(function: DatabaseFunction("joined") { _ in "one row" })
      #expect(try request.fetchAll(db) == ["one row", "one row"])
      db.remove(function: Self.joined)
      let error = try databaseError { _ = try request.fetchOne(db) }
      #expect(error.message == "no such function: joined")
    }
  }

  @Test func aFunctionInUseIsNotReplaced() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      try Connection.inMemory { db in
        db.add(function: DatabaseAggregateTests.joined)
        let rows = try Row.fetchCursor(db, sql: "SELECT joined(1) UNION ALL SELECT 2")
        _ = try rows.next()
        db.remove(function: DatabaseAggregateTests.joined)
      }
    }
    expectSentence("SQLite refuses the function 'joined': database is locked", in: result)
  }
}
