import Foundation
import HoldfastSQLite
import HoldfastTestSupport
import Testing

@Suite struct DatabaseValueTests {
  // Computed, as in other suites: Leak Sanitizer does not see what only a `Data` in a global points to.
  static var values: [DatabaseValue] {
    [
      .null, 0, 1, -1,
      DatabaseValue(storage: .int64(.max)), DatabaseValue(storage: .int64(.min)),
      0.0, -0.0, 0.1, 1e300, DatabaseValue(storage: .double(.leastNonzeroMagnitude)),
      DatabaseValue(storage: .double(.greatestFiniteMagnitude)),
      DatabaseValue(storage: .double(.infinity)), DatabaseValue(storage: .double(-.infinity)),
      "", "a", "O'Brien", "with \"quotes\"", "NUL \0 inside", "\0", "Ω é 🚋 漢字", "e\u{301}'\u{301}",
      Data().databaseValue, Data([0]).databaseValue, Data(0...255).databaseValue,
      String(repeating: "x", count: 3_000_000).databaseValue,
      Data(repeating: 7, count: 3_000_000).databaseValue,
    ]
  }

  @Test(arguments: values.indices)
  func everyStorageClassRoundTrips(index: Int) throws {
    let value = Self.values[index]
    try Connection.inMemory { db in
      try db.execute(sql: "CREATE TABLE t (v)")
      try db.execute(sql: "INSERT INTO t VALUES (?)", arguments: [value])
      let row = try #require(try Row.fetchOne(db, sql: "SELECT v, typeof(v) AS type FROM t"))
      #expect(row[0] == value)
      #expect(row["type"] as String == value.typeName)
      #expect(try DatabaseValue.fetchAll(db, sql: "SELECT v FROM t") == [value])
    }
  }

  @Test func equalNumbersAreEqualValues() {
    let (one, real) = (Int(1).databaseValue, Double(1).databaseValue)
    #expect(one == real)
    #expect(one != Double(1.5).databaseValue)
    #expect(Set([one, real, Double(-0.0).databaseValue, Int(0).databaseValue]).count == 2)
    // The nearest real number is another one.
    #expect(Int.max.databaseValue != Double(Int.max).databaseValue)
    #expect(one != "1".databaseValue)
  }

  @Test func theBytesOfTextAreKept() throws {
    try Connection.inMemory { db in
      // Swift considers both equal: only their bytes differ.
      for text in ["é", "e\u{301}", "a\0b", ""] {
        let bytes = try Data.fetchOne(
          db, sql: "SELECT CAST(? AS BLOB)", arguments: [text])
        #expect(bytes == Data(text.utf8))
        let back = try String.fetchOne(db, sql: "SELECT ?", arguments: [text])
        #expect(try #require(back).utf8.elementsEqual(text.utf8))
      }
    }
  }

  @Test func notANumberIsStoredAsNull() throws {
    try Connection.inMemory { db throws in
      #expect(
        try DatabaseValue.fetchOne(db, sql: "SELECT ?", arguments: [Double.nan]) == .null)
      #expect(try Double.fetchOne(db, sql: "SELECT ?", arguments: [Double.nan]) == nil)
    }
  }

  @Test func invalidUTF8IsRepairedWhenItIsRead() throws {
    try Connection.inMemory { db in
      let text = try String.fetchOne(db, sql: "SELECT CAST(x'41FF42' AS TEXT)")
      #expect(text == "A\u{FFFD}B")
      let row = try Row.fetchOne(db, sql: "SELECT CAST(x'C3' AS TEXT) AS t")
      #expect(row?["t"] == "\u{FFFD}")
    }
  }

  @Test func textInAnotherEncodingIsRead() throws {
    try Connection.inMemory { db in
      try db.execute(sql: "PRAGMA encoding = 'UTF-16'; CREATE TABLE t (v)")
      for text in ["", "Ω 🚋\0x"] {
        try db.execute(sql: "INSERT INTO t VALUES (?)", arguments: [text])
      }
      #expect(try String.fetchAll(db, sql: "SELECT v FROM t ORDER BY rowid") == ["", "Ω 🚋\0x"])
    }
  }

  /// The literal of a value, run as SQL, returns the value; SQL cannot contain a NUL.
  @Test func descriptionsAreSQLLiterals() throws {
    try Connection.inMemory { db throws in
      for value in Self.values {
        switch value.storage {
        case .string(let text) where text.contains("\0") || text.utf8.count > 1000: continue
        case .blob(let data) where data.count > 1000: continue
        default: #expect(try DatabaseValue.fetchAll(db, sql: "SELECT \(value)") == [value])
        }
      }
      #expect("\(Double.nan.databaseValue)" == "NULL")
    }
  }

  @Test func realNumbersReadAsTheyWere() throws {
    try Connection.inMemory { db throws in
      // As SQLite reads a literal.
      let statement = try db.makeStatement(sql: "SELECT CAST(? AS REAL)")
      var random = SeededRandom()
      var wrong = 0
      for n in 0..<20_000 {
        let bits = Double(bitPattern: UInt64.random(in: 0...UInt64.max, using: &random))
        let number = n.isMultiple(of: 2) ? bits : Double.random(in: -180...180, using: &random)
        // Some versions of SQLite round what is nearer to zero, and some what is greater.
        guard (1e-80...1e80).contains(abs(number)) else { continue }
        let text = "\(number.databaseValue)"
        if try Double.fetchOne(statement, arguments: [text]) != number { wrong += 1 }
      }
      #expect(wrong == 0)
      #expect(
        [0.1, 1e16, 1.5, 1e300].map { "\($0.databaseValue)" } == [
          "0.1", "10000000000000000.0", "1.5", "1.0000000000000001e+300",
        ])
    }
  }

  @Test func aQuoteUnderACombiningMarkIsDoubled() {
    #expect("\("'\u{301}" as DatabaseValue)".utf8.elementsEqual("'''\u{301}'".utf8))
  }
}
