import Foundation
import HoldfastSQLite
import HoldfastTestSupport
import Testing

@Suite struct DateTests {
  private func text(of date: Date) -> String? { String.fromDatabaseValue(date.databaseValue) }
  private func date(of text: String) -> Date? { Date.fromDatabaseValue(text.databaseValue) }

  /// Returns Foundation's formatter, configured as in GRDB.
  private static func makeFormatter() -> DateFormatter {
    let formatter = DateFormatter()
    formatter.dateFormat = "yyyy-MM-dd HH:mm:ss.SSS"
    formatter.locale = Locale(identifier: "en_US_POSIX")
    formatter.timeZone = .gmt
    return formatter
  }

  @Test func aDateIsStoredAsTextInUTC() {
    #expect(text(of: Date(timeIntervalSince1970: 0)) == "1970-01-01 00:00:00.000")
    #expect(text(of: Date(timeIntervalSince1970: 951_826_030.123)) == "2000-02-29 12:07:10.123")
    #expect(text(of: Date(timeIntervalSince1970: -0.001)) == "1969-12-31 23:59:59.999")
  }

  @Test func millisecondsAreRounded() {
    #expect(text(of: Date(timeIntervalSince1970: 0.0004)) == "1970-01-01 00:00:00.000")
    #expect(text(of: Date(timeIntervalSince1970: 0.0006)) == "1970-01-01 00:00:00.001")
    #expect(text(of: Date(timeIntervalSince1970: 0.9996)) == "1970-01-01 00:00:01.000")
  }

  @Test func everyDateIsWrittenAsByFoundation() throws {
    let formatter = Self.makeFormatter()
    var random = SeededRandom(seed: 7)
    for _ in 0..<3000 {
      // Whole milliseconds from year 1 to 9999, so that the comparison does not depend on rounding.
      let milliseconds = Int64.random(in: -62_135_769_600_000...253_402_300_799_999, using: &random)
      let date = Date(timeIntervalSince1970: Double(milliseconds) / 1000)
      let text = formatter.string(from: date)
      #expect(self.text(of: date) == text)
      let readBack = try #require(self.date(of: text))
      #expect(abs(readBack.timeIntervalSince(date)) < 0.0005, "\(text)")
    }
  }

  /// The format in which dates are stored is read faster than others, and must not be read differently.
  @Test func aColumnIsReadAsTheSameTextElsewhere() throws {
    let texts = ["2024-02-29 23:59:58.999", "0001-01-01 00:00:00.000", "9999-12-31 24:00:00.001"]
    try Connection.inMemory { db throws in
      let statement = try db.makeStatement(sql: "SELECT ?")
      func expectSame(_ bytes: [UInt8]) throws {
        // What is no text in UTF-8 has no other way to be read.
        guard let text = String(validating: bytes, as: UTF8.self) else { return }
        do {
          let read = try Date.fetchOne(statement, arguments: [text])
          #expect(read == date(of: text), "\(bytes)")
        } catch is RowDecodingError {
          #expect(date(of: text) == nil, "\(bytes)")
        }
      }
      for text in texts {
        #expect(date(of: text) != nil)
        for place in 0..<text.utf8.count {
          for byte in UInt8(1)...255 {
            var bytes = Array(text.utf8)
            bytes[place] = byte
            try expectSame(bytes)
          }
        }
        for count in 0...text.utf8.count {
          try expectSame(Array(text.utf8.prefix(count)))
          try expectSame(Array(text.utf8.prefix(count)) + Array("é00".utf8))
        }
        try expectSame(Array((text + "0").utf8))
        try expectSame(Array((text + "Z").utf8))
      }
    }
  }

  @Test func theGregorianCutoverIsThatOfFoundation() {
    let formatter = Self.makeFormatter()
    for day in -3...3 {
      let date = Date(timeIntervalSince1970: -12_219_292_800 + Double(day) * 86400)
      #expect(text(of: date) == formatter.string(from: date))
      #expect(self.date(of: formatter.string(from: date)) == date)
    }
    #expect(text(of: .distantPast) == "0001-01-01 00:00:00.000")
    #expect(text(of: .distantFuture) == "4001-01-01 00:00:00.000")
    #expect(date(of: "0001-01-01 00:00:00.000") == .distantPast)
  }

  @Test func yearsThatTextCannotRepresentAreStoredAsNumbers() {
    for seconds in [-62_135_769_600.1, 253_402_300_799.9996, 1e15, -1e300] {
      let date = Date(timeIntervalSince1970: seconds)
      #expect(date.databaseValue.storage == .double(date.timeIntervalSince1970))
      #expect(Date.fromDatabaseValue(date.databaseValue) == date)
    }
  }

  @Test(arguments: [
    ("2024-05-01", 1_714_521_600.0), ("2024-05-01 12:30", 1_714_566_600),
    ("2024-05-01T12:30", 1_714_566_600), ("2024-05-01 12:30:15", 1_714_566_615),
    ("2024-05-01T12:30:15", 1_714_566_615), ("2024-05-01 12:30:15.5", 1_714_566_615.5),
    ("2024-05-01 12:30:15.25", 1_714_566_615.25), ("2024-05-01T12:30:15.125", 1_714_566_615.125),
    ("2024-05-01 12:30:15.125999", 1_714_566_615.125), ("2024-05-01T12:30Z", 1_714_566_600),
    ("2024-05-01T12:30:15Z", 1_714_566_615), ("2024-05-01 12:30:15.125Z", 1_714_566_615.125),
    ("2024-05-01T12:30:15+02:00", 1_714_559_415), ("2024-05-01 12:30:15 -03:30", 1_714_579_215),
    ("2024-02-30", 1_709_251_200), ("2024-05-01 24:00", 1_714_608_000),
  ])
  func everyFormatIsRead(text: String, seconds: Double) throws {
    let expected = Date(timeIntervalSince1970: seconds)
    #expect(date(of: text) == expected)
    #expect(Date.fromDatabaseValue(DatabaseValue(storage: .blob(Data(text.utf8)))) == expected)
    try Connection.inMemory { db throws in
      #expect(try Date.fetchOne(db, sql: "SELECT ?", arguments: [text]) == expected)
    }
  }

  @Test(arguments: [
    "", "2024", "2024-05", "2024-13-01", "2024-00-10", "2024-05-32", "2024-05-00", "2024-5-1",
    "2024-05-01 ", "2024-05-01 12", "2024-05-01 12:", "2024-05-01 25:00", "2024-05-01 12:60",
    "2024-05-01 12:30:60", "2024-05-01 12:30:15x", "2024-05-01 12:30 garbage", "12:30", "12:30:15",
    "yesterday", "２０２４-05-01", "2024-05-01T12:30+2", "-024-05-01",
  ])
  func invalidDatesAreRefused(text: String) throws {
    #expect(date(of: text) == nil)
    try Connection.inMemory { db throws in
      _ = #expect(throws: RowDecodingError.self) {
        try Date.fetchAll(db, sql: "SELECT ?", arguments: [text])
      }
    }
  }

  @Test func numbersAreSecondsSince1970() throws {
    try Connection.inMemory { db throws in
      #expect(
        try Date.fetchAll(db, sql: "SELECT 1714566600 UNION ALL SELECT 0.5")
          == [Date(timeIntervalSince1970: 1_714_566_600), Date(timeIntervalSince1970: 0.5)])
      #expect(try Date?.fetchAll(db, sql: "SELECT NULL") == [nil])
    }
  }

  @Test func sqliteUnderstandsStoredDates() throws {
    try Connection.inMemory { db throws in
      let date = Date(timeIntervalSince1970: 1_714_566_615.125)
      #expect(
        try Double.fetchOne(
          db, sql: "SELECT (julianday(?) - 2440587.5) * 86400", arguments: [date]
        )
        .map { ($0 * 1000).rounded() } == 1_714_566_615_125)
      let now = try #require(try Date.fetchOne(db, sql: "SELECT CURRENT_TIMESTAMP"))
      #expect(abs(now.timeIntervalSinceNow) < 60)
      let julianDay = try #require(
        try Double.fetchOne(db, sql: "SELECT julianday(?)", arguments: [date]))
      let instant = try #require(Date(julianDay: julianDay))
      #expect(abs(instant.timeIntervalSince(date)) < 0.0005)
      // SQLite knows no days beyond these.
      for (julianDay, text) in [(0.0, "-4713-11-24"), (5_373_484.4, "9999-12-31")] {
        let day = try String.fetchOne(db, sql: "SELECT date(?)", arguments: [julianDay])
        #expect(day == text && Date(julianDay: julianDay) != nil)
      }
      for julianDay in [-0.1, 5_373_484.6, .nan, .infinity] {
        #expect(try String.fetchOne(db, sql: "SELECT date(?)", arguments: [julianDay]) == nil)
        #expect(Date(julianDay: julianDay) == nil)
      }
    }
  }

  @Test func modifiersMoveADateInTheirOrder() throws {
    let start = try #require(date(of: "2024-01-31 12:30:15"))
    let stored = start.databaseValue
    let moved: [(SQLExpression, String)] = [
      (dateTime(stored), "2024-01-31 12:30:15"),
      (dateTime(stored, .second(-15)), "2024-01-31 12:30:00"),
      (dateTime(stored, .minute(30)), "2024-01-31 13:00:15"),
      (dateTime(stored, .hour(12)), "2024-02-01 00:30:15"),
      (dateTime(stored, .day(29)), "2024-02-29 12:30:15"),
      (dateTime(stored, .month(1)), "2024-03-02 12:30:15"),
      (dateTime(stored, .year(-1)), "2023-01-31 12:30:15"),
      (dateTime(stored, .weekday(0)), "2024-02-04 12:30:15"),
      (dateTime(stored, .startOfDay), "2024-01-31 00:00:00"),
      (dateTime(stored, .startOfYear, .hour(1)), "2024-01-01 01:00:00"),
      (dateTime(stored, .startOfMonth, .month(2), .day(-1)), "2024-02-29 00:00:00"),
      (dateTime(stored, .localTime, .utc), "2024-01-31 12:30:15"),
      (dateTime(1_706_704_215.databaseValue, .unixEpoch), "2024-01-31 12:30:15"),
    ]
    try Connection.inMemory { db throws in
      for (expression, expected) in moved {
        #expect(try String.fetchOne(db, literal: "SELECT \(expression)") == expected)
      }
      let later = julianDay(stored, .startOfDay, .second(1.5))
      let day = try #require(try Double.fetchOne(db, literal: "SELECT \(later)"))
      let instant = try #require(Date(julianDay: day))
      #expect(abs(instant.timeIntervalSince(start) + 45_013.5) < 0.0005)
    }
  }
}
