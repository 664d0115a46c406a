import Foundation
import HoldfastTestSupport
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
      (.extraCellsOfName, .extraCells), (.unterminatedQuote, .unterminatedQuoteOfRow),
    ] {
      #expect(rows.flaw(names: names, rows: flaw, text: flaw).severity == .warning)
      #expect(FeedRows.Depth.names.flaw(names: names, rows: flaw, text: flaw).severity == .error)
    }
    for flaw in [FeedFlaw.rowTooLong, .utf16] {
      #expect(flaw.severity == .error && flaw.decision.reason.contains("file"))
    }
  }

  /// The article ProblemsInFeeds has each name once, with its severities, next to the validator's.
  @Test func `the table of the article has every name with its severities`() throws {
    let url = PackageFolder.root.appending(
      path: "Sources/HoldfastFeeds/HoldfastFeeds.docc/ProblemsInFeeds.md")
    var found: [String: String] = [:]
    for line in try String(contentsOf: url, encoding: .utf8).split(separator: "\n") {
      let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
      guard line.hasPrefix("| "), cells.count == 5, cells[1].hasPrefix("`") else { continue }
      let code = cells[1].replacing("`", with: "")
      #expect(cells[0] == "–" || cells[0] == cells[1], "\(code)")
      #expect(found.updateValue(cells[3], forKey: code) == nil, "\(code)")
    }
    var expected: [String: Set<FeedProblem.Severity>] = [:]
    for flaw in FeedFlaw.allCases {
      expected[flaw.decision.code, default: []].insert(flaw.severity)
    }
    #expect(
      found
        == expected.mapValues { severities in
          FeedProblem.Severity.allCases.filter(severities.contains).map(\.rawValue)
            .joined(separator: ", ")
        })
  }

  /// Each notice has a row, which names the rule here or says why there is none.
  @Test func `the table of the article has every notice of the validator`() throws {
    let url = PackageFolder.root.appending(
      path: "Sources/HoldfastFeeds/HoldfastFeeds.docc/ProblemsInFeeds.md")
    var found: [String: [String]] = [:]
    for line in try String(contentsOf: url, encoding: .utf8).split(separator: "\n") {
      let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
      guard line.hasPrefix("| `"), cells.count == 5 else { continue }
      found[cells[0].replacing("`", with: "")] = cells
    }
    #expect(ValidatorNotices.names.count == 176)
    for name in ValidatorNotices.names {
      let cells = try #require(found[name], "\(name)")
      if cells[1] == "–" { #expect(cells[4].hasPrefix("no: ") && cells[4].count > 12, "\(name)") }
    }
  }
}
