import Foundation
import Testing

@testable import HoldfastTool

@Suite struct CommandTreeTests {
  let tree = Harbour.tree

  private func refusal(_ words: String...) throws -> [String] {
    let error = try #require(throws: ToolError.self) { try tree.request(words) }
    #expect(error.exitCode == .usage)
    return ErrorReport(error).lines
  }

  @Test func aVerbIsFoundUnderItsNoun() throws {
    guard case .run(let verb, let arguments) = try tree.request(["db", "check", "a.db"]) else {
      Issue.record("The command line asks for a run.")
      return
    }
    #expect(verb is Harbour.Check)
    #expect(arguments[Harbour.Check().database] == "a.db")
  }

  @Test func aMisspeltWordSuggestsTheNearest() throws {
    #expect(
      try refusal("stosp", "search") == [
        "'harbour' does not know 'stosp'.",
        "Did you mean 'harbour stops'? 'harbour --help' lists all of them.",
      ])
    #expect(
      try refusal("stops", "serch") == [
        "'harbour stops' does not know 'serch'.",
        "Did you mean 'harbour stops search'? 'harbour stops --help' lists all of them.",
      ])
    #expect(
      try refusal("help", "stops", "near") == [
        "'harbour stops' does not know 'near'.",
        "Did you mean 'harbour stops nearby'? 'harbour stops --help' lists all of them.",
      ])
    #expect(
      try refusal("submarine") == [
        "'harbour' does not know 'submarine'.", "See 'harbour --help'.",
      ])
  }

  @Test func aVerbUnderTheWrongNounSuggestsTheRightOne() throws {
    #expect(try refusal("check")[1].hasPrefix("Did you mean 'harbour db check'?"))
    #expect(try refusal("stops", "check")[1].hasPrefix("Did you mean 'harbour db check'?"))
  }

  @Test func aNounWithoutAVerbIsRefused() throws {
    #expect(
      try refusal("stops") == [
        "'harbour stops' needs a verb.",
        "Add one of search, nearby, or see 'harbour stops --help'.",
      ])
  }

  @Test func helpOnAnUnknownCommandIsRefused() throws {
    #expect(try refusal("help", "submarine")[0] == "'harbour' does not know 'submarine'.")
  }

  @Test func aRunPrintsAndReturnsItsExitCode() async throws {
    let transcript = try Transcript()
    let words = ["stops", "search", "a.db", "Quay", "--limit", "2"]
    #expect(await tree.run(words, console: transcript.console) == .success)
    #expect(try transcript.output == "sid  stop_name\n  0  Quay\n  1  Quay\n")
    #expect(try transcript.errors == "")
    #expect(
      await tree.run(["db", "check", "damaged.db"], console: transcript.console).rawValue == 1)
  }

  @Test(arguments: [
    ["--json", "stops", "search", "a.db", "Quay", "--limit=1"],
    ["stops", "search", "--json", "a.db", "Quay", "--limit=1"],
  ])
  func theJSONOptionIsAcceptedAnywhere(words: [String]) async throws {
    let transcript = try Transcript()
    #expect(await tree.run(words, console: transcript.console) == .success)
    #expect(try transcript.output == #"{"sid":0,"stop_name":"Quay"}"# + "\n")
  }

  @Test func theJSONOptionAfterTwoHyphensIsText() async throws {
    let transcript = try Transcript()
    let words = ["stops", "search", "a.db", "--limit=1", "--", "--json"]
    #expect(await tree.run(words, console: transcript.console) == .success)
    #expect(try transcript.output == "sid  stop_name\n  0  --json\n")
  }

  @Test func aLibraryErrorIsTwoLines() async throws {
    let transcript = try Transcript()
    #expect(await tree.run(["db", "check", "feed.db"], console: transcript.console).rawValue == 65)
    #expect(try transcript.output == "")
    #expect(
      try transcript.errors
        == #"'stops.txt' has a stop\nwithout a name."# + "\nCorrect line 7, or leave it out.\n")
  }

  @Test func aLibraryErrorIsOneJSONObject() async throws {
    let transcript = try Transcript()
    let code = await tree.run(["db", "check", "feed.db", "--json"], console: transcript.console)
    #expect(code.rawValue == 65)
    #expect(
      try transcript.errors
        == #"{"error":"bad_data","message":"'stops.txt' has a stop\nwithout a name.","#
        + #""advice":"Correct line 7, or leave it out.","file":"stops.txt","line":7,"field":null}"#
        + "\n")
  }

  @Test func aUsageErrorIsOneJSONObject() async throws {
    let transcript = try Transcript()
    #expect(await tree.run(["submarine", "--json"], console: transcript.console).rawValue == 64)
    #expect(
      try transcript.errors
        == #"{"error":"usage","message":"'harbour' does not know 'submarine'.","#
        + #""advice":"See 'harbour --help'.","file":null,"line":null,"field":null}"# + "\n")
  }

  @Test func anUnknownErrorIsReportedAsAnInternalFault() async throws {
    let transcript = try Transcript()
    let code = await tree.run(["db", "check", "strange.db"], console: transcript.console)
    #expect(code.rawValue == 70)
    #expect(
      try transcript.errors == """
        Something happened that holdfast does not expect: the tide is out.
        Please report it, with the command you ran and this text.

        """)
  }

  @Test func everyVerbIsDeclaredCorrectly() throws {
    let tree = CommandTree.holdfast
    let commands =
      tree.verbs.map { [$0.declaration] } + tree.nouns.map { $0.verbs.map(\.declaration) }
    for verbs in commands {
      #expect(Set(verbs.map(\.name)).count == verbs.count)
      for verb in verbs {
        let names = verb.parameters.map(\.name)
        #expect(Set(names).count == names.count, "\(verb.name) declares a name twice.")
        #expect(verb.abstract.hasSuffix("."), "The abstract of \(verb.name) is a sentence.")
        #expect(verb.parameters.allSatisfy { $0.summary.hasSuffix(".") })
        let arguments = verb.parameters.filter { !$0.name.hasPrefix("-") }
        let required = arguments.map { $0.isRequired }
        #expect(required == required.sorted { $0 && !$1 }, "\(verb.name): required ones lead.")
      }
    }
  }
}

extension Parameter {
  fileprivate var isRequired: Bool { absent == nil }
}
