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
    #expect(try read(Int.self, "'1'") == nil)
    #expect(try read(Int.self, "NULL") == nil)
    #expect(try read(Int.self, "x'31'") == nil)
  }

  @Test func floatsAndBooleansAreReadFromNumbers() throws {
    #expect(try read(Double.self, "3") == 3)
    #expect(try read(Double.self, "'3'") == nil)
    #expect(try read(Float.self, "0.5") == 0.5)
    #expect(try read(Bool.self, "2") == true)
    #expect(try read(Bool.self, "0.5") == true)
    #expect(try read(Bool.self, "0.0") == false)
    #expect(try read(Bool.self, "'true'") == nil)
  }

  @Test func textAndBytesAreReadFromEachOther() throws {
    #expect(try read(String.self, "x'C3A9'") == "é")
    #expect(try read(String.self, "x'FF'") == nil)
    #expect(try read(String.self, "1") == nil)
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

  @Test func anUnsignedIntegerOverSixtyThreeBitsTrapsWithAMessage() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      _ = UInt64.max.databaseValue
    }
    expectSentence("does not fit into the 64 signed bits", in: result)
  }
}
