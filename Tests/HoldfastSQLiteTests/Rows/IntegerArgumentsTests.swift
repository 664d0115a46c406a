import Foundation
import HoldfastTestSupport
import Testing

@testable import HoldfastSQLite

/// Statements whose three integers are bound without memory for them.
@Suite struct IntegerArgumentsTests {
  private func withTiles(_ body: (Database) throws -> Void) throws {
    try Connection.inMemory { db throws in
      try db.execute(
        sql: """
          CREATE TABLE tiles (z, x, y, data);
          INSERT INTO tiles VALUES (1, 2, 3, x'0102'), (1, 2, 4, NULL), (1, 2, 5, 7),
            (-9223372036854775808, 9223372036854775807, 0, 'text')
          """)
      try body(db)
    }
  }

  private func tile(_ db: Database, _ z: Int64, _ x: Int64, _ y: Int64) throws -> Data? {
    try db.withStatement(sql: "SELECT data FROM tiles WHERE z = ? AND x = ? AND y = ?") {
      try Data.fetchOne($0, z, x, y)
    }
  }

  @Test func `The bytes of the row with three integers are found, as with arguments`() throws {
    try withTiles { db in
      for _ in 1...2 {
        let found = try tile(db, 1, 2, 3)
        let null = try tile(db, 1, 2, 4)
        let absent = try tile(db, 3, 2, 1)
        let text = try tile(db, .min, .max, 0)
        #expect(found == Data([1, 2]) && null == nil && absent == nil)
        #expect(text == Data("text".utf8))
      }
      let error = #expect(throws: RowDecodingError.self) { try tile(db, 1, 2, 5) }
      #expect(error?.storedType != nil)
    }
  }

  @Test func `Arguments that were set do not count after a run with integers`() throws {
    try withTiles { db in
      let statement = try db.makeStatement(
        sql: "SELECT data FROM tiles WHERE (z, x, y) = (?, ?, ?)")
      try statement.setArguments([1, 2, 4])
      #expect(try Data.fetchOne(statement, 1, 2, 3) == Data([1, 2]))
      let error = #expect(throws: DatabaseError.self) { try Data.fetchOne(statement) }
      #expect(error?.resultCode == .SQLITE_MISUSE && error?.arguments?.isEmpty != false)
      #expect(try Data.fetchOne(statement, arguments: [1, 2, 3]) == Data([1, 2]))
      #expect(try Data.fetchOne(statement) == Data([1, 2]))
    }
  }

  /// The values of a record are bound in the same way.
  @Test func `Arguments that were set do not count after a run with a key`() throws {
    try withTiles { db in
      let statement = try db.makeStatement(sql: "SELECT count(*) FROM tiles WHERE y = ?")
      try statement.setArguments([9])
      try statement.start(with: 3.databaseValue)
      #expect(try statement.step() != nil)
      statement.reset()
      let error = #expect(throws: DatabaseError.self) { try Int.fetchOne(statement) }
      #expect(error?.resultCode == .SQLITE_MISUSE && error?.arguments?.isEmpty != false)
      #expect(try Int.fetchOne(statement, arguments: [2]) == 0)
    }
  }

  @Test func `An error names the integers, and a statement with other parameters is refused`()
    throws
  {
    try withTiles { db in
      let failing = try db.makeStatement(sql: "SELECT abs(?) FROM tiles WHERE ? + ? = 5")
      let error = #expect(throws: DatabaseError.self) { try Data.fetchOne(failing, .min, 2, 3) }
      #expect(error?.arguments == [Int64.min, 2, 3])
      for sql in ["SELECT ? + ?", "SELECT ? + ? + ? + ?", "SELECT 1"] {
        let statement = try db.makeStatement(sql: sql)
        let error = #expect(throws: DatabaseError.self) { try Data.fetchOne(statement, 1, 2, 3) }
        #expect(error?.resultCode == .SQLITE_MISUSE)
      }
    }
  }
}
