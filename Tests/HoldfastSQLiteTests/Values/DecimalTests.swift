import Foundation
import HoldfastSQLite
import Testing

@Suite struct DecimalTests {
  @Test(arguments: [
    "0", "-1", "0.1", "12345678901234567890.123456789012345678",
    "99999999999999999999999999999999999999", "0.000000000000000000000000000001",
  ])
  func everyDigitRoundTrips(text: String) throws {
    let number = try #require(Decimal(string: text))
    #expect(number.databaseValue == text.databaseValue)
    try Connection.inMemory { db throws in
      try db.execute(sql: "CREATE TABLE t (v TEXT)")
      try db.execute(sql: "INSERT INTO t VALUES (?)", arguments: [number])
      #expect(try Decimal.fetchOne(db, sql: "SELECT v FROM t") == number)
    }
  }

  @Test func numbersAreRead() throws {
    try Connection.inMemory { db throws in
      #expect(
        try Decimal.fetchAll(db, sql: "SELECT 7 UNION ALL SELECT 0.5 UNION ALL SELECT '-1.5e3'")
          == [7, 0.5, -1500])
    }
  }

  @Test(arguments: ["", "x", "1x", "1 2", "1,5", "--1", "1e", ".", "1.2.3", "NaN"])
  func textThatIsOnlyPartlyANumberIsRefused(text: String) {
    #expect(Decimal.fromDatabaseValue(text.databaseValue) == nil)
  }

  @Test func notANumberIsNull() {
    #expect(Decimal.nan.databaseValue == .null)
    #expect(Decimal.fromDatabaseValue(.null) == nil)
    #expect(Decimal.fromDatabaseValue(DatabaseValue(storage: .blob(Data("1".utf8)))) == nil)
  }
}
