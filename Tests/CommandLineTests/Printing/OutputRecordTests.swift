import Testing

@testable import HoldfastTool

@Suite struct OutputRecordTests {
  @Test(arguments: [
    (["a", "b"], ["a", "b"]), (["a", "a", "a"], ["a", "a_2", "a_3"]),
    (["a", "a_2", "a"], ["a", "a_2", "a_3"]), ([], []), (["", ""], ["", "_2"]),
  ])
  func columnsWithTheSameNameAreDistinguished(columns: [String], distinct: [String]) {
    #expect(OutputRecord.distinct(columns) == distinct)
  }

  @Test func aMissingValueIsNull() {
    #expect(Cell(nil as String?) == .null)
    #expect(Cell(nil as Int?) == .null)
    #expect(Cell(nil as Int64?) == .null)
    #expect(Cell(nil as Double?) == .null)
    #expect(Cell(7) == .integer(7))
  }
}
