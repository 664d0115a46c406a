import Foundation
import HoldfastTestSupport
import Testing

@testable import HoldfastSQLite

/// Arguments whose texts and blobs are bound without a copy: each run sees its own values, for as
/// long as SQLite may read them.
@Suite struct StatementArgumentsTests {
  static let long = String(repeating: "a text past all that is packed ", count: 50)

  /// Consecutive values of one parameter: shorter, longer, of other storage classes, and none.
  static var sequence: [DatabaseValue] {
    [
      "a text of some length", "short", DatabaseValue(storage: .string(long)), "", .null, "after",
      DatabaseValue(storage: .blob(Data([1, 2, 3]))), 7, DatabaseValue(storage: .blob(Data())), 1.5,
      DatabaseValue(storage: .blob(Data(count: 5000))), "the end",
    ]
  }

  @Test func eachRunOfAStatementUsesItsOwnValues() throws {
    try Connection.inMemory { db in
      let statement = try db.makeStatement(sql: "SELECT ?, ?")
      for (value, other) in zip(Self.sequence, Self.sequence.reversed()) {
        let row = try Row.fetchOne(statement, arguments: [value, other])
        #expect(row?.databaseValues == [value, other])
        // Again, with the bound values.
        #expect(try Row.fetchOne(statement)?.databaseValues == [value, other])
        // The same with the statement cache.
        let cached = try Row.fetchOne(db, sql: "SELECT ?, ? -- cached", arguments: [other, value])
        #expect(cached?.databaseValues == [other, value])
      }
    }
  }

  @Test func eachInsertedRowHasItsOwnValues() throws {
    try Connection.inMemory { db in
      try db.execute(sql: "CREATE TABLE t (a, b)")
      let statement = try db.makeStatement(sql: "INSERT INTO t VALUES (?, ?)")
      for value in Self.sequence {
        try statement.execute(arguments: [value, "\(value)"])
        try db.execute(sql: "INSERT INTO t VALUES (?, ?)", arguments: [value, "\(value)"])
      }
      let expected = Self.sequence.flatMap { value in
        let text = DatabaseValue(storage: .string("\(value)"))
        return [[value, text], [value, text]]
      }
      #expect(try Row.fetchAll(db, sql: "SELECT * FROM t").map(\.databaseValues) == expected)
    }
  }

  /// A value of more than three words, which has memory of its own in an array of any values.
  private struct Position: DatabaseValueConvertible {
    var name: String
    var latitude = 1.5
    var longitude = 2.5

    var databaseValue: DatabaseValue { "\(name) \(latitude) \(longitude)".databaseValue }

    static func fromDatabaseValue(_ value: DatabaseValue) -> Position? { nil }
  }

  private final class Word: DatabaseValueConvertible {
    let databaseValue: DatabaseValue = "word"

    static func fromDatabaseValue(_ value: DatabaseValue) -> Self? { nil }
  }

  @Test func theValuesOfALiteralAreReadOnceAndReleased() throws {
    try Connection.inMemory { db in
      let position: any DatabaseValueConvertible = Position(name: "Quay")
      var word: Word? = Word()
      weak let released = word
      let none: (any DatabaseValueConvertible)? = nil
      let several: StatementArguments = [position, none, word, position, 1]
      let (single, empty): (StatementArguments, StatementArguments) = ([position], [none])
      word = nil
      #expect(released == nil)
      let text = "Quay 1.5 2.5"
      #expect(position.databaseValue == text.databaseValue)
      let row = try Row.fetchOne(db, sql: "SELECT ?, ?, ?, ?, ?", arguments: several)
      #expect(row?.databaseValues == [text.databaseValue, .null, "word", text.databaseValue, 1])
      #expect(try String.fetchOne(db, sql: "SELECT ?", arguments: single) == text)
      #expect(try Bool.fetchOne(db, sql: "SELECT ? IS NULL", arguments: empty) == true)
    }
  }

  @Test func argumentsNeedNotOutliveTheirCall() throws {
    try Connection.inMemory { db in
      let statement = try db.makeStatement(sql: "SELECT ?, :name")
      func set(_ number: Int) throws {
        try statement.setArguments(["a text numbered \(number)", "a name"])
      }
      try set(1)
      // Allocations of the same size, which would reuse the memory of the values.
      let others = (0..<100).map { StatementArguments(["another text of \($0)", "b name"]) }
      #expect(try String.fetchOne(statement) == "a text numbered 1")
      #expect(others.count == 100)
      try set(2)
      #expect(try Row.fetchOne(statement)?.databaseValues == ["a text numbered 2", "a name"])
    }
  }

  @Test func argumentsThatOutliveTheirCallDoNotChange() throws {
    try Connection.inMemory { db in
      // Built in two steps, so that there is spare capacity.
      var kept: StatementArguments = ["kept"]
      kept += [1]
      var changed = kept
      let statement = try db.makeStatement(sql: "SELECT ?, ?")
      try statement.setArguments(changed)
      changed += ["more"]
      #expect(try Row.fetchOne(statement)?.databaseValues == ["kept", 1])
      #expect(try Row.fetchOne(statement, arguments: ["other", 2])?[0] == "other")
      #expect(kept.values == ["kept", 1])
      #expect(changed.values == ["kept", 1, "more"])
      #expect(try Row.fetchOne(statement, arguments: kept)?.databaseValues == ["kept", 1])
    }
  }

  @Test func aRowDoesNotChangeWhenTheArgumentsAreReplaced() throws {
    try Connection.inMemory { db in
      let statement = try db.makeStatement(sql: "SELECT ? AS a, ? AS b")
      try statement.start(arguments: ["the first text", Self.sequence[6]])
      let row = try #require(try statement.step())
      #expect(row["a"] == "the first text")
      statement.reset()
      try statement.setArguments(["another text!!", nil])
      #expect(row.databaseValues == ["the first text", Self.sequence[6]])
      #expect(try Row.fetchOne(statement)?.databaseValues == ["another text!!", .null])
      #expect(row.databaseValues == ["the first text", Self.sequence[6]])
    }
  }

  @Test func partlyRefusedValuesAreNotUsed() throws {
    try Connection.inMemory { db in
      let statement = try db.makeStatement(sql: "SELECT ?, :b")
      let earlier: [DatabaseValue] = ["a", "b"]
      #expect(try Row.fetchOne(statement, arguments: ["a", "b"])?.databaseValues == earlier)
      for arguments: StatementArguments in [["c"], ["c", "d", "e"], ["b": 1]] {
        let error = try databaseError { try statement.setArguments(arguments) }
        #expect(error.resultCode == .SQLITE_MISUSE)
        #expect(try Row.fetchOne(statement)?.databaseValues == earlier)
      }
    }
  }

  @Test func aCachedStatementDoesNotReuseItsPreviousValues() throws {
    try Connection.inMemory { db in
      #expect(try String.fetchOne(db, sql: "SELECT ?", arguments: ["secret"]) == "secret")
      _ = try databaseError { _ = try String.fetchOne(db, sql: "SELECT ?") }
      try db.withStatement(sql: "SELECT ?") { statement in
        _ = try databaseError { try statement.execute() }
      }
    }
  }

  @Test func anErrorReportsTheValuesOfItsRun() throws {
    try Connection.inMemory { db in
      try db.execute(sql: "CREATE TABLE t (a UNIQUE)")
      let sql = "INSERT INTO t VALUES (?)"
      try db.execute(sql: sql, arguments: ["one"])
      try db.execute(sql: sql, arguments: ["two"])
      let error = try databaseError { try db.execute(sql: sql, arguments: ["one"]) }
      #expect(error.arguments == ["one"])
    }
  }

  @Test func nestedRunsOfTheSameSQLUseSeparateStatements() throws {
    try Connection.inMemory { db in
      let sql = "WITH n (i) AS (VALUES (1), (2), (3)) SELECT ? || i FROM n"
      var seen: [[String]] = []
      try db.withStatement(sql: sql) { outer in
        try outer.start(arguments: ["outer "])
        while let row = try outer.step() {
          let text: String = row[0]
          // Twice, because the statement prepared in between is not cached.
          let inner = try String.fetchAll(db, sql: sql, arguments: ["inner "])
          try db.execute(sql: sql, arguments: ["in between "])
          seen.append([text] + inner)
        }
      }
      #expect(seen == (1...3).map { ["outer \($0)", "inner 1", "inner 2", "inner 3"] })
    }
  }

  @Test func argumentsAreMadeOfValuesOfAnyType() throws {
    let person: [Any] = ["Arthur", 41, NSNull()]
    let named: [AnyHashable: Any] = ["name": "Barbara", "age": 38]
    #expect(StatementArguments(person) == ["Arthur", 41, nil])
    #expect(StatementArguments(named) == ["name": "Barbara", "age": 38])
    let strange: [Any] = ["Arthur", NSObject()]
    let numbered: [AnyHashable: Any] = [1: "Arthur"]
    let named2: [AnyHashable: Any] = ["name": NSObject()]
    #expect(StatementArguments(strange) == nil)
    #expect(StatementArguments(numbered) == nil && StatementArguments(named2) == nil)
    let pairs: [(String, (any DatabaseValueConvertible)?)] = [("a", 1), ("b", nil), ("a", 2)]
    #expect(StatementArguments(pairs) == ["a": 2, "b": nil])
    let typed: [Int] = [1, 2]
    let values: [String: (any DatabaseValueConvertible)?] = ["a": 1]
    #expect(StatementArguments(typed) == [1, 2] && StatementArguments(values) == ["a": 1])
  }

  @Test func manyArgumentsAreDistributedToTheirStatements() throws {
    try Connection.inMemory { db in
      try db.execute(sql: "CREATE TABLE t (a)")
      let count = 4000
      let sql = String(repeating: "INSERT INTO t VALUES (?);", count: count)
      try db.execute(sql: sql, arguments: StatementArguments(0..<count))
      #expect(try Int.fetchAll(db, sql: "SELECT a FROM t ORDER BY rowid") == Array(0..<count))
    }
  }
}
