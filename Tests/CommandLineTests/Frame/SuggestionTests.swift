import Testing

@testable import HoldfastTool

@Suite struct SuggestionTests {
  @Test(arguments: [
    ("", "", 0), ("", "abc", 3), ("abc", "", 3), ("search", "search", 0), ("serch", "search", 1),
    ("seach", "search", 1), ("saerch", "search", 1), ("Search", "search", 0),
    ("routes", "stops", 5), ("über", "uber", 1),
  ])
  func theDistanceCountsTypingErrors(first: String, second: String, slips: Int) {
    #expect(Suggestion.distance(first, second) == slips)
    #expect(Suggestion.distance(second, first) == slips)
  }

  @Test func onlyNearWordsAreSuggested() {
    let verbs = ["import", "search", "stops", "routes", "report", "departures"]
    #expect(Suggestion.nearest(to: "stop", among: verbs) == "stops")
    #expect(Suggestion.nearest(to: "dep", among: verbs) == "departures")
    #expect(Suggestion.nearest(to: "imprt", among: verbs) == "import")
    #expect(Suggestion.nearest(to: "frobnicate", among: verbs) == nil)
    #expect(Suggestion.nearest(to: "x", among: verbs) == nil)
    #expect(Suggestion.nearest(to: "x", among: []) == nil)
  }
}
