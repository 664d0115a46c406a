import Foundation
import HoldfastSQLite
import Testing

@Suite struct DatabaseDateComponentsTests {
  @Test(arguments: [
    ("2024-05-01", DatabaseDateComponents.Format.YMD), ("2024-05-01 12:30", .YMD_HM),
    ("2024-05-01 12:30:15", .YMD_HMS), ("2024-05-01 12:30:15.042", .YMD_HMSS), ("12:30", .HM),
    ("12:30:15", .HMS), ("12:30:15.042", .HMSS),
  ])
  func everyFormatRoundTrips(text: String, format: DatabaseDateComponents.Format) throws {
    let components = try #require(DatabaseDateComponents.fromDatabaseValue(text.databaseValue))
    #expect(components.format == format)
    #expect(components.databaseValue == text.databaseValue)
    try Connection.inMemory { db throws in
      #expect(
        try DatabaseDateComponents.fetchOne(db, sql: "SELECT ?", arguments: [components])
          == components)
      let json = try JSONEncoder().encode([components])
      #expect(String(decoding: json, as: UTF8.self) == "[\"\(text)\"]")
      #expect(try JSONDecoder().decode([DatabaseDateComponents].self, from: json) == [components])
    }
  }

  @Test func theComponentsAreThoseInTheText() throws {
    let day = try #require(DatabaseDateComponents.fromDatabaseValue("1973-09-18"))
    #expect(day.dateComponents == DateComponents(year: 1973, month: 9, day: 18))
    let time = try #require(DatabaseDateComponents.fromDatabaseValue("23:59:58.5"))
    #expect(
      time.dateComponents
        == DateComponents(hour: 23, minute: 59, second: 58, nanosecond: 500_000_000))
    let zoned = try #require(DatabaseDateComponents.fromDatabaseValue("2024-05-01T12:30+02:00"))
    #expect(zoned.dateComponents.timeZone?.secondsFromGMT() == 7200)
  }

  @Test func absentComponentsHaveTheirFirstValue() {
    let nothing = DatabaseDateComponents(DateComponents(), format: .YMD_HMSS)
    #expect(nothing.databaseValue == "0000-01-01 00:00:00.000")
    let some = DatabaseDateComponents(DateComponents(year: 33, hour: 7), format: .YMD_HM)
    #expect(some.databaseValue == "0033-01-01 07:00")
  }

  @Test(arguments: ["", "1", "12", "12:", "12:3", "24:61", "12:30:", "2024-05-01x", "noon"])
  func invalidTextIsRefused(text: String) {
    #expect(DatabaseDateComponents.fromDatabaseValue(text.databaseValue) == nil)
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode([DatabaseDateComponents].self, from: JSONEncoder().encode([text]))
    }
  }

  @Test func onlyTextIsRead() {
    #expect(DatabaseDateComponents.fromDatabaseValue(12) == nil)
    #expect(DatabaseDateComponents.fromDatabaseValue(nil) == nil)
  }
}
