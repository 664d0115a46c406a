import Testing

@testable import HoldfastFeeds

/// The table of flaws, which decides what each costs.
@Suite struct FeedFlawTests {
  @Test(arguments: FeedFlaw.allCases)
  func `each flaw has a code, an outcome and a reason`(flaw: FeedFlaw) {
    let decision = flaw.decision
    #expect(decision.code.allSatisfy { $0.isLowercase || $0.isNumber || $0 == "_" })
    #expect(decision.reason.count > 10 && decision.reason.last != ".")
    #expect((flaw.severity == .error) == (decision.outcome == .refusesFeed))
  }

  /// Each flaw of the text of one row, in a file of many rows.
  @Test func `text that cannot be used costs a row or less unless the rest of the file is lost`() {
    let rows = FeedRows.Depth.rows
    for (names, flaw) in [
      (FeedFlaw.nulInName, FeedFlaw.nulByte), (.notUTF8InName, .notUTF8),
      (.extraCellsOfName, .extraCells),
    ] {
      #expect(rows.flaw(names: names, rows: flaw, text: flaw).severity == .warning)
      #expect(FeedRows.Depth.names.flaw(names: names, rows: flaw, text: flaw).severity == .error)
    }
    for flaw in [FeedFlaw.unterminatedQuote, .rowTooLong, .utf16] {
      #expect(flaw.severity == .error && flaw.decision.reason.contains("file"))
    }
  }
}
