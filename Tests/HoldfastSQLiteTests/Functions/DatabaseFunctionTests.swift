import Foundation
import HoldfastSQLite
import HoldfastTestSupport
import Synchronization
import Testing

@Suite struct DatabaseFunctionTests {
  private static let echo = DatabaseFunction("echo", argumentCount: 1, pure: true) { $0[0] }

  @Test(arguments: [
    DatabaseValue.null, 42, -1, 1.5, "", "quay", "café\0after", "a text longer than fifteen bytes",
    DatabaseValue(storage: .int64(.min)), DatabaseValue(storage: .blob(Data())),
    DatabaseValue(storage: .blob(Data([0, 1, 255]))), DatabaseValue(storage: .double(.infinity)),
  ])
  func everyStorageClassRoundTrips(value: DatabaseValue) throws {
    try Connection.inMemory { db throws in
      db.add(function: Self.echo)
      let row = try #require(
        try Row.fetchOne(db, sql: "SELECT echo(:v), typeof(echo(:v))", arguments: ["v": value]))
      #expect(row[0] == value)
      #expect(row[1] == value.typeName.databaseValue)
    }
  }

  /// A file of somebody else names a function of the app, and is not given its rights.
  @Test func aForeignSchemaCallsNoFunctionOfTheApp() throws {
    var configuration = Configuration()
    configuration.hasForeignSchema = true
    configuration.prepareDatabase { db in
      db.add(function: Self.echo)
      try db.execute(
        sql: """
          CREATE TABLE t (a TEXT CHECK (json_valid(a)));
          CREATE VIEW own AS SELECT upper(a) AS a FROM t;
          CREATE VIEW foreign_view AS SELECT echo(a) FROM t;
          INSERT INTO t VALUES ('[]')
          """)
    }
    try Connection(nil, configuration).withAccess { db throws in
      #expect(try String.fetchOne(db, sql: "SELECT echo(a) FROM own") == "[]")
      let error = #expect(throws: DatabaseError.self) {
        try String.fetchOne(db, sql: "SELECT * FROM foreign_view")
      }
      #expect(error?.message == "unsafe use of echo()")
    }
  }

  @Test func textWithANULIsComplete() throws {
    try Connection.inMemory { db throws in
      db.add(function: Self.echo)
      let text = try String.fetchOne(db, sql: "SELECT echo(?)", arguments: ["a\0b"])
      #expect(text == "a\0b")
    }
  }

  @Test func aFunctionIsVariadicByDefault() throws {
    try Connection.inMemory { db throws in
      db.add(function: DatabaseFunction("how_many") { $0.count })
      #expect(try Int.fetchOne(db, sql: "SELECT how_many()") == 0)
      #expect(try Int.fetchOne(db, sql: "SELECT how_many(1, 2, 3)") == 3)
      db.add(function: Self.echo)
      let error = try databaseError { try db.execute(sql: "SELECT echo(1, 2)") }
      #expect(error.message == "wrong number of arguments to function echo()")
    }
  }

  @Test func functionsWithTheSameNameAreDistinguishedByArgumentCount() throws {
    try Connection.inMemory { db throws in
      let one = DatabaseFunction("f", argumentCount: 1) { _ in "one" }
      let two = DatabaseFunction("F", argumentCount: 2) { _ in "two" }
      #expect(one.id != two.id)
      #expect(one.id == DatabaseFunction("F", argumentCount: 1) { _ in nil }.id)
      db.add(function: one)
      db.add(function: two)
      #expect(try String.fetchOne(db, sql: "SELECT f(1) || f(1, 2)") == "onetwo")
    }
  }

  @Test func aNilResultIsNull() throws {
    try Connection.inMemory { db throws in
      db.add(function: DatabaseFunction("no_value") { _ in nil })
      #expect(try Bool.fetchOne(db, sql: "SELECT no_value() IS NULL") == true)
    }
  }

  struct Refusal: Error, CustomStringConvertible {
    var description: String { "No quay at 100%s" }
  }

  @Test func anErrorFailsTheStatement() throws {
    try Connection.inMemory { db throws in
      db.add(function: DatabaseFunction("refuse") { _ in throw Refusal() })
      let error = try databaseError { try db.execute(sql: "SELECT refuse()") }
      #expect(error.resultCode == .SQLITE_ERROR)
      #expect(error.message == "No quay at 100%s")
      #expect(error.sql == "SELECT refuse()")
    }
  }

  @Test(arguments: [
    (ResultCode.SQLITE_CONSTRAINT_CHECK, ResultCode.SQLITE_CONSTRAINT_CHECK),
    (.SQLITE_BUSY, .SQLITE_BUSY), (.SQLITE_OK, .SQLITE_ERROR), (.SQLITE_DONE, .SQLITE_ERROR),
  ])
  func aDatabaseErrorKeepsItsCode(thrown: ResultCode, reported: ResultCode) throws {
    try Connection.inMemory { db throws in
      let function = DatabaseFunction("refuse") { _ in
        throw DatabaseError(resultCode: thrown, message: "not here")
      }
      db.add(function: function)
      let error = try databaseError { try db.execute(sql: "SELECT refuse()") }
      #expect(error.extendedResultCode == reported)
      #expect(error.message == "not here")
    }
  }

  @Test func onlyAPureFunctionIsAllowedInAnIndex() throws {
    try Connection.inMemory { db throws in
      db.add(function: Self.echo)
      db.add(function: DatabaseFunction("impure", argumentCount: 1) { $0[0] })
      try db.execute(sql: "CREATE TABLE t (x); CREATE INDEX i ON t (echo(x))")
      let error = try databaseError { try db.execute(sql: "CREATE INDEX j ON t (impure(x))") }
      #expect(error.message == "non-deterministic functions prohibited in index expressions")
    }
  }

  @Test func aFunctionIsReplacedAndRemoved() throws {
    try Connection.inMemory { db throws in
      let first = DatabaseFunction("f", argumentCount: 0) { _ in 1 }
      db.add(function: first)
      #expect(try Int.fetchOne(db, sql: "SELECT f()") == 1)
      db.add(function: DatabaseFunction("F", argumentCount: 0) { _ in 2 })
      #expect(try Int.fetchOne(db, sql: "SELECT f()") == 2)
      db.remove(function: first)
      let error = try databaseError { try db.execute(sql: "SELECT f() + 0") }
      #expect(error.message == "no such function: f")
    }
  }

  @Test func aFunctionIsReleasedWithTheConnection() throws {
    final class Witness: Sendable {}
    weak var witness: Witness?
    do {
      let connection = try Connection()
      try connection.withAccess { db in
        let kept = Witness()
        witness = kept
        db.add(function: DatabaseFunction("f") { _ in "\(kept)" })
        db.add(
          collation: DatabaseCollation("c") { _, _ in
            _ = kept; return .orderedSame
          })
      }
      #expect(witness != nil)
      connection.database.close()
    }
    #expect(witness == nil)
  }

  @Test func anInvalidFunctionTraps() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      try Connection.inMemory { db in
        db.add(function: DatabaseFunction("f", argumentCount: 40_000) { _ in nil })
      }
    }
    expectSentence("SQLite refuses the function 'f'", in: result)
  }
}
