import Foundation
import HoldfastSQLite
import HoldfastTestSupport
import Testing

@Suite struct DatabaseCollationTests {
  private static let byLength = DatabaseCollation("by_length") { left, right in
    if left.count == right.count { return .orderedSame }
    return left.count < right.count ? .orderedAscending : .orderedDescending
  }

  private func sorted(
    _ texts: [String], by collation: String, _ db: Database
  ) throws -> [String] {
    try db.execute(sql: "CREATE TABLE IF NOT EXISTS t (x); DELETE FROM t")
    for text in texts { try db.execute(sql: "INSERT INTO t VALUES (?)", arguments: [text]) }
    return try String.fetchAll(
      db, sql: "SELECT x FROM t ORDER BY x COLLATE \(collation), rowid")
  }

  @Test func aCollationOrdersTexts() throws {
    try Connection.inMemory { db throws in
      db.add(collation: Self.byLength)
      #expect(try sorted(["ccc", "a", "", "bb"], by: "BY_LENGTH", db) == ["", "a", "bb", "ccc"])
    }
  }

  @Test func equalBytesAreEqualWithoutACall() throws {
    try Connection.inMemory { db throws in
      db.add(collation: DatabaseCollation("never") { _, _ in .orderedAscending })
      #expect(try Bool.fetchOne(db, sql: "SELECT 'a' = 'a' COLLATE never") == true)
      #expect(try Bool.fetchOne(db, sql: "SELECT 'a' = 'b' COLLATE never") == false)
    }
  }

  @Test func builtInCollationsNeedNotBeAdded() throws {
    try Connection.inMemory { db throws in
      #expect(try sorted(["b", "A", "a", "B"], by: "swiftCompare", db) == ["A", "B", "a", "b"])
      #expect(
        try sorted(["É", "b", "é", "A"], by: "swiftCaseInsensitiveCompare", db)
          == ["A", "b", "É", "é"])
      #expect(
        try sorted(["f10", "f9"], by: "swiftLocalizedStandardCompare", db) == ["f9", "f10"])
      for name in ["swiftLocalizedCompare", "SWIFTLocalizedCaseInsensitiveCompare"] {
        #expect(try sorted(["b", "a"], by: name, db) == ["a", "b"])
      }
      let error = try databaseError { _ = try sorted([], by: "unknown", db) }
      #expect(error.message == "no such collation sequence: unknown")
    }
  }

  @Test func aCollationIsReplacedAndRemoved() throws {
    try Connection.inMemory { db throws in
      db.add(collation: Self.byLength)
      db.add(collation: DatabaseCollation("by_length") { $1.compare($0) })
      #expect(try sorted(["a", "bb"], by: "by_length", db) == ["bb", "a"])
      db.remove(collation: Self.byLength)
      let error = try databaseError { _ = try sorted([], by: "by_length", db) }
      #expect(error.message == "no such collation sequence: by_length")
      #expect(Self.byLength.id == DatabaseCollation("BY_LENGTH") { _, _ in .orderedSame }.id)
    }
  }

  @Test func theIndexesOfABuiltInCollationCanBeRebuiltFirst() throws {
    try Connection.inMemory { db throws in
      try db.reindex(collation: DatabaseCollation.localizedCompare)
      try db.reindex(collation: Database.CollationName(rawValue: "swiftCompare"))
      let error = try databaseError { try db.reindex(collation: Self.byLength) }
      #expect(error.message == "no such collation sequence: by_length")
    }
  }

  @Test func anIndexCanBeRebuiltAfterTheOrderChanges() throws {
    try Connection.inMemory { db throws in
      db.add(collation: DatabaseCollation("c") { $0.compare($1) })
      try db.execute(
        sql: "CREATE TABLE t (x COLLATE c); CREATE INDEX i ON t (x); "
          + "INSERT INTO t VALUES ('a'), ('b'), ('c')")
      let reversed = DatabaseCollation("c") { $1.compare($0) }
      db.add(collation: reversed)
      #expect(try !db.integrityProblems().isEmpty)
      try db.reindex(collation: reversed)
      #expect(try db.integrityProblems() == [])
      #expect(try String.fetchAll(db, sql: "SELECT x FROM t ORDER BY x") == ["c", "b", "a"])
    }
  }
}
