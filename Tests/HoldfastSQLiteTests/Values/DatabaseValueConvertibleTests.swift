import Foundation
import HoldfastSQLite
import HoldfastTestSupport
import Testing

@Suite struct DatabaseValueConvertibleTests {
  enum Kind: Int, DatabaseValueConvertible { case tram, metro, rail }
  enum Name: String, DatabaseValueConvertible { case ferry }

  struct Level: RawRepresentable, DatabaseValueConvertible, Equatable {
    var rawValue: Double
  }

  /// Expects that a value round-trips, read from the running statement and from a kept row.
  private func roundTrip<Value: DatabaseValueConvertible & Equatable>(_ value: Value) throws {
    try Connection.inMemory { db in
      #expect(try Value.fetchOne(db, sql: "SELECT ?", arguments: [value]) == value)
      let row = try #require(try Row.fetchOne(db, sql: "SELECT ? AS v", arguments: [value]))
      #expect(try row.decode(Value.self, forColumn: "v") == value)
      #expect(Value.fromDatabaseValue(value.databaseValue) == value)
    }
  }

  /// Returns the SQL's value, or `nil` when it does not convert; both ways of reading must agree.
  private func read<Value: DatabaseValueConvertible & Equatable>(
    _ type: Value.Type, _ sql: String
  ) throws -> Value? {
    try Connection.inMemory { db in
      let row = try #require(try Row.fetchOne(db, sql: "SELECT " + sql))
      let kept = try? row.decode(Value.self, atIndex: 0)
      let running = try? Value.fetchAll(db, sql: "SELECT " + sql).first
      #expect(kept == running, "\(sql) as \(type)")
      return kept
    }
  }

  @Test func standardLibraryTypesRoundTrip() throws {
    try roundTrip(Int.max)
    try roundTrip(Int.min)
    try roundTrip(Int8.min)
    try roundTrip(Int16.max)
    try roundTrip(Int32.min)
    try roundTrip(Int64.max)
    try roundTrip(UInt8.max)
    try roundTrip(UInt16.max)
    try roundTrip(UInt32.max)
    try roundTrip(UInt64(Int64.max))
    try roundTrip(UInt(7))
    try roundTrip(1.5)
    try roundTrip(Float(0.1))
    try roundTrip(true)
    try roundTrip(false)
    try roundTrip("")
    try roundTrip("Ω\0")
  }

  @Test func foundationTypesRoundTrip() throws {
    try roundTrip(Data())
    try roundTrip(Data([1, 2, 3]))
    // A slice whose indices do not start at 0.
    try roundTrip(Data([1, 2, 3]).dropFirst())
    try roundTrip(UUID())
    try roundTrip(try #require(URL(string: "https://example.org/a%20b?c=d#e")))
  }

  @Test func rawValuesRoundTrip() throws {
    try roundTrip(Kind.rail)
    try roundTrip(Name.ferry)
    try roundTrip(Level(rawValue: 0.5))
    #expect(try read(Kind.self, "7") == nil)
    #expect(try read(Name.self, "'bus'") == nil)
  }

  @Test func optionalsDistinguishNullFromAConversionError() throws {
    #expect(try read(Int?.self, "NULL") == .some(nil))
    #expect(try read(Int?.self, "1") == 1)
    #expect(try read(Int?.self, "'x'") == nil)
    #expect(try read(Kind?.self, "NULL") == .some(nil))
    #expect(try read(Kind?.self, "9") == nil)
    try roundTrip(Optional("x"))
    #expect(Int?.none.databaseValue == .null)
  }

  @Test func integersRefuseValuesOutOfRange() throws {
    #expect(try read(Int8.self, "128") == nil)
    #expect(try read(UInt.self, "-1") == nil)
    #expect(try read(Int.self, "1.5") == nil)
    #expect(try read(Int.self, "9.3e18") == nil)
    #expect(try read(Int.self, "9e999") == nil)
    #expect(try read(Int.self, "2.0") == 2)
    for text in ["'1'", "'+1'", "'01'"] { #expect(try read(Int.self, text) == 1) }
    for text in ["''", "' 1'", "'1.0'", "'1a'", "'128'", "'1' || char(0)"] {
      #expect(try read(Int8.self, text) == nil)
    }
    #expect(try read(Int.self, "NULL") == nil)
    #expect(try read(Int.self, "x'31'") == nil)
  }

  @Test func floatsAndBooleansAreReadFromNumbers() throws {
    #expect(try read(Double.self, "3") == 3)
    for (text, number): (_, Double?) in [
      ("'3'", 3), ("'-.5e1'", -5), ("''", nil), ("' 3'", nil), ("'nan'", nil), ("'inf'", nil),
      ("'1e999'", nil), ("'0x10'", nil), ("'3 m'", nil), ("x'33'", nil),
    ] {
      #expect(try read(Double.self, text) == number)
    }
    #expect(try read(Bool.self, "'0'") == false)
    #expect(try read(Bool.self, "'1'") == true)
    #expect(try read(Float.self, "0.5") == 0.5)
    #expect(try read(Bool.self, "2") == true)
    #expect(try read(Bool.self, "0.5") == true)
    #expect(try read(Bool.self, "0.0") == false)
    #expect(try read(Bool.self, "'true'") == nil)
  }

  @Test func textAndBytesAreReadFromEachOther() throws {
    #expect(try read(String.self, "x'C3A9'") == "é")
    #expect(try read(String.self, "x'FF'") == nil)
    #expect(try read(String.self, "-12") == "-12")
    #expect(try read(String.self, "0.1 + 0.2") == "0.30000000000000004", "reads back as the number")
    #expect(try read(String.self, "NULL") == nil)
    #expect(try read(Data.self, "'é'") == Data([0xC3, 0xA9]))
    #expect(try read(Data.self, "zeroblob(0)") == Data())
    #expect(try read(Data.self, "1") == nil)
  }

  @Test func uuidsAreReadFromBytesAndText() throws {
    let id = try #require(UUID(uuidString: "6C2F9E0A-0F0B-4B9E-9A51-0C2C1D3E4F50"))
    #expect(try read(UUID.self, "x'6C2F9E0A0F0B4B9E9A510C2C1D3E4F50'") == id)
    #expect(try read(UUID.self, "'6c2f9e0a-0f0b-4b9e-9a51-0c2c1d3e4f50'") == id)
    #expect(try read(UUID.self, "x'6C2F'") == nil)
    #expect(try read(UUID.self, "'6c2f'") == nil)
    #expect(try read(URL.self, "''") == nil)
  }

  @Test func integersAreReadFromRealNumbersAndTextsAsSwiftConvertsThem() {
    func check<Value: FixedWidthInteger & DatabaseValueConvertible>(_ type: Value.Type) {
      let numbers = [
        0, -0.0, 1.5, 127, 128, -128, -129, 255, 256, 65_536, -2_147_483_649, 0x1p53, 0x1p63,
        -0x1p63,
        0x1.fffffffffffffp62, 0x1.fffffffffffffp63, 0x1p64, .infinity, -.infinity,
      ]
      for number in numbers {
        #expect(Value.fromDatabaseValue(number.databaseValue) == Value(exactly: number), "\(type)")
      }
      let texts = [
        "0", "-0", "+7", "007", "127", "128", "255", "256", "-1", "-128", "9223372036854775807",
        "9223372036854775808", "-9223372036854775808", "-9223372036854775809",
        "18446744073709551615", "18446744073709551616", "", "1.0", " 1", "１", "0x1", "+-1",
      ]
      for text in texts {
        #expect(Value.fromDatabaseValue(text.databaseValue) == Value(text), "\(text) as \(type)")
      }
    }
    check(Int.self)
    check(Int8.self)
    check(Int32.self)
    check(Int64.self)
    check(UInt.self)
    check(UInt8.self)
    check(UInt16.self)
    check(UInt64.self)
  }

  @Test func anUnsignedIntegerOverSixtyThreeBitsTrapsWithAMessage() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      _ = UInt64.max.databaseValue
    }
    expectSentence("does not fit into the 64 signed bits", in: result)
  }

  @Test func classesOfFoundationAreStoredAsTheTypesOfSwift() throws {
    let uuid = UUID()
    let values: [(any DatabaseValueConvertible, any DatabaseValueConvertible)] = [
      (NSString("Ω"), "Ω"), (NSData(data: Data([1, 2])), Data([1, 2])), (NSNull(), Int?.none),
      (NSDate(timeIntervalSince1970: 1.5), Date(timeIntervalSince1970: 1.5)),
      (NSUUID(uuidString: uuid.uuidString) ?? NSUUID(), uuid),
      (try #require(NSURL(string: "https://example.org/a%20b")), "https://example.org/a%20b"),
      (NSNumber(value: Int64.min), Int64.min), (NSNumber(value: true), 1),
      (NSNumber(value: 1.0), 1.0), (NSNumber(value: Float(0.5)), 0.5),
      (NSNumber(value: UInt64(7)), 7), (NSDecimalNumber(value: 3), 3),
      (NSDecimalNumber(string: "0.5"), 0.5), (NSDecimalNumber(value: Int64.max), Int64.max),
    ]
    for (object, value) in values {
      #expect(object.databaseValue == value.databaseValue, "\(object)")
      func isReadAgain<Value: DatabaseValueConvertible>(_ object: Value) -> Bool {
        Value.fromDatabaseValue(value.databaseValue)?.databaseValue == value.databaseValue
      }
      // Not in the macro, which cannot open the existential.
      let isEqual = isReadAgain(object)
      #expect(isEqual, "\(object)")
    }
    #expect(NSNumber.fromDatabaseValue("1.5") == NSDecimalNumber(string: "1.5"))
    #expect(NSNumber.fromDatabaseValue(Data().databaseValue) == nil)
    #expect(NSNull.fromDatabaseValue(1) == nil && NSString.fromDatabaseValue(nil) == nil)
    #expect(NSMutableString.fromDatabaseValue("x") == nil)
  }

  /// A value that is read with SQLite's C interface, which counts the reads.
  @safe private struct Counted: DatabaseValueConvertible, StatementColumnConvertible, Equatable {
    var text: String
    var isFromStatement = false

    init(text: String) { self.text = text }

    init?(sqliteStatement: SQLiteStatement, index: CInt) {
      text = "\(index)"
      isFromStatement = true
    }

    var databaseValue: DatabaseValue { text.databaseValue }

    static func fromDatabaseValue(_ value: DatabaseValue) -> Counted? {
      String.fromDatabaseValue(value).map { Counted(text: $0) }
    }
  }

  @Test func aTypeIsReadFromTheStatement() throws {
    try Connection.inMemory { db in
      let value = try #require(try Counted.fetchOne(db, sql: "SELECT 'x'"))
      #expect(value.isFromStatement && value.text == "0")
      #expect(try Counted?.fetchAll(db, sql: "SELECT NULL") == [nil])
      #expect(try Row.fetchOne(db, sql: "SELECT 'x'")?[0] == Counted(text: "x"))
    }
  }
}
