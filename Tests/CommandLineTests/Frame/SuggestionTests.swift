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

  @Test func hyphensDoNotMakeOptionsSimilar() {
    let options = ["--limit", "--at", "--json", "--help", "-h"]
    #expect(Suggestion.nearestOption(to: "-limit", among: options) == "--limit")
    #expect(Suggestion.nearestOption(to: "--LIMIT", among: options) == "--limit")
    #expect(Suggestion.nearestOption(to: "--limt", among: options) == "--limit")
    #expect(Suggestion.nearestOption(to: "--h", among: options) == "-h")
    #expect(Suggestion.nearestOption(to: "--hlep", among: options) == "--help")
    #expect(Suggestion.nearestOption(to: "--if", among: options) == nil)
    #expect(Suggestion.nearestOption(to: "-x", among: options) == nil)
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
