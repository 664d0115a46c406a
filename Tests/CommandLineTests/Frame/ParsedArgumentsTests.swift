import Foundation
import Testing

@testable import HoldfastTool

@Suite struct ParsedArgumentsTests {
  let search = Harbour.Search()
  let nearby = Harbour.Nearby()

  private func parse(_ verb: any Verb, _ line: [String]) throws(ToolError) -> ParsedArguments {
    try ParsedArguments(line[...], for: verb.declaration.parameters, of: "harbour verb")
  }

  @Test func anOmittedOptionHasItsDefaultValue() throws {
    let parsed = try parse(search, ["a.db", "circ q"])
    #expect(parsed[search.database].path.hasSuffix("/a.db"))
    #expect(parsed[search.text] == "circ q")
    #expect(parsed[search.limit] == 20)
    #expect(parsed[search.previous] == nil)
    #expect(parsed[search.dryRun] == false)
    #expect(parsed[Flag.json] == false)
  }

  @Test(arguments: [
    ["--limit", "5", "a.db", "q", "--dry-run", "--previous", "o.db", "--json"],
    ["a.db", "--limit=5", "--json", "q", "--previous=o.db", "--dry-run"],
    ["--dry-run", "--previous", "o.db", "--json", "--limit", "+5", "--", "a.db", "q"],
  ])
  func optionsAreAcceptedAnywhere(line: [String]) throws {
    let parsed = try parse(search, line)
    #expect(parsed[search.text] == "q")
    #expect(parsed[search.limit] == 5)
    #expect(parsed[search.previous]?.lastPathComponent == "o.db")
    #expect(parsed[search.dryRun])
    #expect(parsed[Flag.json])
  }

  @Test(arguments: ["--limit", "-h", "--", "-q", "NOT \"a*", ""])
  func everyWordAfterTwoHyphensIsText(text: String) throws {
    let parsed = try parse(search, ["a.db", "--", text])
    #expect(parsed[search.text] == text)
    #expect(parsed[search.limit] == 20)
  }

  @Test(arguments: [
    ("file:///Users/ann/a%20b.db", "/Users/ann/a b.db"), ("file.db", "file.db"),
    ("file:/a.db", "file:/a.db"), ("./file:/a.db", "./file:/a.db"),
    ("pmtiles://city.pmtiles", "city.pmtiles"), ("mbtiles:///Users/ann/a.db", "/Users/ann/a.db"),
    ("pmtiles://file:///Users/ann/a%20b.db", "/Users/ann/a b.db"), ("http", "http"),
    ("mbtiles:///Users/ann/a%20b%25.db", "/Users/ann/a b%.db"), ("mbtiles://100%.db", "100%.db"),
    ("pmtiles://pmtiles://a.db", "pmtiles://a.db"),
  ])
  func theURLOfAFileIsAPath(word: String, path: String) throws {
    #expect(try parse(search, [word, "q"])[search.database].relativePath == path)
  }

  /// What follows the name would be dropped, and another file be read or written.
  @Test(arguments: ["file:///a?b.db", "file:///a#1.db", "file:///a%FF.db"])
  func aURLThatIsMoreThanAPathIsRefused(word: String) {
    #expect(throws: (any Error).self) { try parse(search, [word, "q"]) }
  }

  @Test func aSingleHyphenIsAnArgument() throws {
    #expect(try parse(search, ["a.db", "-"])[search.text] == "-")
  }

  @Test func aValueCanBeEmptyOrContainEqualsSigns() throws {
    #expect(
      try parse(search, ["a.db", "q", "--previous=x=y"])[search.previous]?.lastPathComponent
        == "x=y")
    #expect(try parse(search, ["a.db", ""])[search.text] == "")
  }

  @Test func aNegativeNumberIsAnArgument() throws {
    let parsed = try parse(nearby, ["-33.8", "-.5", "Quay"])
    #expect(parsed[nearby.latitude] == -33.8)
    #expect(parsed[nearby.longitude] == -0.5)
    #expect(parsed[nearby.name] == "Quay")
    #expect(try parse(nearby, ["90", "-180"])[nearby.name] == nil)
  }

  struct Refusal: CustomTestStringConvertible {
    var words: [String]
    var message: String
    var advice: String
    var testDescription: String { words.joined(separator: " ") }
  }

  @Test(arguments: [
    Refusal(
      words: ["a.db"], message: "'harbour verb' needs TEXT.",
      advice: "Add it, or see 'harbour verb --help'."),
    Refusal(
      words: ["a.db", "circular", "quay"], message: "'harbour verb' has no use for 'quay'.",
      advice: "Leave it out, or put quotes around words that belong together."),
    Refusal(
      words: ["", "q"], message: "DB is the path of a file or folder, not ''.",
      advice: "Correct it, or see 'harbour verb --help'."),
    Refusal(
      words: ["https://example.org/a.db", "q"],
      message: "DB is the path of a file or folder, not 'https://example.org/a.db'.",
      advice: "Fetch the file first, and name where it lies."),
    Refusal(
      words: ["pmtiles://http://example.org/a", "q"],
      message: "DB is the path of a file or folder, not 'pmtiles://http://example.org/a'.",
      advice: "Fetch the file first, and name where it lies."),
    Refusal(
      words: ["a.db", "q", "--limit", "101"],
      message: "--limit is a whole number from 1 to 100, not '101'.",
      advice: "Correct it, or see 'harbour verb --help'."),
    Refusal(
      words: ["a.db", "q", "--limit", "-1"],
      message: "--limit is a whole number from 1 to 100, not '-1'.",
      advice: "Correct it, or see 'harbour verb --help'."),
    Refusal(
      words: ["a.db", "q", "--limit=five"],
      message: "--limit is a whole number from 1 to 100, not 'five'.",
      advice: "Correct it, or see 'harbour verb --help'."),
    Refusal(
      words: ["a.db", "q", "--limit", "99999999999999999999"],
      message: "--limit is a whole number from 1 to 100, not '99999999999999999999'.",
      advice: "Correct it, or see 'harbour verb --help'."),
    Refusal(
      words: ["a.db", "q", "--limit"], message: "'--limit' needs a value.",
      advice: "Write --limit N."),
    Refusal(
      words: ["a.db", "q", "--previous", "--json"], message: "'--previous' needs a value.",
      advice: "Write --previous OLD.db."),
    Refusal(
      words: ["a.db", "q", "--limit", "2", "--limit=3"],
      message: "'--limit' was given twice, as '2' and '3'.", advice: "Give it once."),
    Refusal(
      words: ["a.db", "q", "--dry-run=yes"],
      message: "'--dry-run' takes no value, but was given 'yes'.",
      advice: "Write --dry-run alone."),
    Refusal(
      words: ["a.db", "q", "--limti", "2"], message: "'harbour verb' has no option '--limti'.",
      advice: "Did you mean '--limit'? 'harbour verb --help' shows all options."),
    Refusal(
      words: ["a.db", "q", "-limit", "2"], message: "'harbour verb' has no option '-limit'.",
      advice: "Did you mean '--limit'? 'harbour verb --help' shows all options."),
    Refusal(
      words: ["a.db", "q", "--dryrun"], message: "'harbour verb' has no option '--dryrun'.",
      advice: "Did you mean '--dry-run'? 'harbour verb --help' shows all options."),
    Refusal(
      words: ["a.db", "-circ"], message: "'harbour verb' has no option '-circ'.",
      advice: "See 'harbour verb --help', or put -- before a word that begins with a hyphen."),
  ])
  func anInvalidWordIsRefusedInTwoLines(refusal: Refusal) {
    let error = #expect(throws: ToolError.self) { try parse(search, refusal.words) }
    #expect(error?.message == refusal.message)
    #expect(error?.advice == refusal.advice)
    #expect(error?.exitCode == .usage)
  }

  @Test(arguments: ["91", "nan", "-inf", "-nan", "1e999", "north", "33,8", " 1"])
  func aLatitudeOutsideItsRangeIsRefused(word: String) {
    let error = #expect(throws: ToolError.self) { try parse(nearby, ["--", word, "0"]) }
    #expect(error?.message == "LAT is a number from -90 to 90, not '\(word)'.")
  }

  @Test func readingAnUndeclaredParameterTraps() async {
    await #expect(processExitsWith: .failure) {
      let parsed = try ParsedArguments([], for: [], of: "harbour")
      _ = parsed[Flag("--other", "")]
    }
  }
}
