import Testing

@testable import HoldfastFeeds

@Suite struct CSVRecordTests {
  private func record(_ value: String) throws -> CSVRecord {
    try #require(try CSVFile(bytes: Array("\"\(value)\"".utf8)).records().records.first)
  }

  @Test(
    arguments: [
      ("0", 0), ("-17", -17), ("+5", 5), ("007", 7), ("9223372036854775807", Int.max), ("", nil),
      ("-", nil), ("1.0", nil), ("1e3", nil), ("٣", nil), ("9223372036854775808", nil),
      ("1 2", nil),
    ] as [(String, Int?)])
  func readsWholeNumbers(text: String, number: Int?) throws {
    #expect(try record(text).integer(0) == number)
  }

  @Test(
    arguments: [
      ("12", 12), ("12.0", 12), ("-3.000", -3), ("12.", nil), ("12.5", nil), ("1.0.0", nil),
      (".0", nil), ("1.0e3", nil), ("", nil),
    ] as [(String, Int?)])
  func `reads whole numbers with a fraction of zeros`(text: String, number: Int?) throws {
    #expect(try record(text).wholeNumber(0) == number)
  }

  @Test(
    arguments: [
      ("36.425288", 36.425288), ("-117.133162", -117.133162), (".5", 0.5), ("5.", 5),
      ("1e-3", 0.001),
      ("37.40048600", 37.400486), ("", nil), ("nan", nil), ("inf", nil), ("0x1p3", nil),
      ("1,5", nil),
      ("1e999", nil), ("--1", nil), ("٣", nil),
    ] as [(String, Double?)])
  func readsDecimalNumbers(text: String, number: Double?) throws {
    #expect(try record(text).decimal(0) == number)
  }

  @Test(arguments: [
    ("20240229", true), ("20230229", false), ("20001231", true), ("19000229", false),
    ("20240431", false), ("20241301", false), ("20240100", false), ("2024010", false),
    ("+2024010", false), ("00000101", false), ("", false),
  ])
  func readsDates(text: String, isDate: Bool) throws {
    let date = try record(text).date(0)
    #expect(date?.description == (isDate ? text : nil))
  }

  @Test func aMissingFieldIsBlank() throws {
    let record = try record("x")
    #expect(!record.isBlank(0))
    #expect(record.isBlank(1))
    #expect(record.text(1) == "")
    #expect(record.integer(1) == nil)
  }
}
