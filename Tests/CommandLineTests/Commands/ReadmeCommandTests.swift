import Foundation
import HoldfastTestSupport
import Testing

@testable import HoldfastTool

/// The commands in README.md and `docs`, each parsed as the tool parses it.
@Suite struct ReadmeCommandTests {
  /// Returns the tool's calls in the shell blocks, each with its refusal if there is one.
  private func calls(in markdown: String) -> [(words: [String], refusal: String?)] {
    MarkdownBlock.all(in: markdown)
      .filter { ["sh", "bash", "shell", "console"].contains($0.language) }
      .flatMap { ShellLine.callsOfTheTool(in: $0.lines.joined(separator: "\n")) }
      .map { words in
        do {
          _ = try CommandTree.holdfast.request(words)
          return (words, nil)
        } catch {
          return (words, ErrorReport(error).lines.joined(separator: " "))
        }
      }
  }

  @Test(arguments: ["README.md", "docs/command-line.md"])
  func everyCommandInTheReadmeIsValid(page: String) throws {
    let calls = calls(
      in: try String(contentsOf: PackageFolder.root.appending(path: page), encoding: .utf8))
    #expect(!calls.isEmpty)
    for call in calls {
      #expect(call.refusal == nil, "holdfast \(call.words.joined(separator: " "))")
    }
  }

  @Test func thePictureIsWhatItsCommandDraws() throws {
    let readme = try String(
      contentsOf: PackageFolder.root.appending(path: "README.md"), encoding: .utf8)
    let command = try #require(readme.firstMatch(of: /`holdfast (transit map [^`]+)`/)).1
    let place = try Workplace()
    let drawn = try ToolProcess.run(
      words: command.split(separator: " ").map(String.init), in: place.folder)
    #expect(drawn.status == 0, "\(drawn.errors)")
    #expect(
      try Data(contentsOf: place.directory.file("port-merrow.svg"))
        == Data(contentsOf: PackageFolder.root.appending(path: "docs/port-merrow.svg")),
      "docs/port-merrow.svg is not what \(command) draws.")
  }

  @Test func callsAreFoundOnlyInShellBlocks() {
    let calls = calls(
      in: """
        Run `holdfast nonsense` or:

        ```sh
        make demo   # holdfast nonsense
        cd holdfast && git status
        holdfast transit import gtfs.zip harbour.db > summary.txt
        $ .build/debug/holdfast transit search harbour.db "o'brien" --json | head -1
        swift run holdfast db query harbour.db \\
          'SELECT count(*) FROM stops; '
        ```
        ```text
        holdfast nonsense
        ```
        """)
    #expect(
      calls.map(\.words) == [
        ["transit", "import", "gtfs.zip", "harbour.db"],
        ["transit", "search", "harbour.db", "o'brien", "--json"],
        ["db", "query", "harbour.db", "SELECT count(*) FROM stops; "],
      ])
    #expect(calls.allSatisfy { $0.refusal == nil })
  }

  @Test(arguments: [
    "holdfast transit serch harbour.db x", "holdfast transit search",
    "holdfast db check a.db --quick",
    "true && holdfast demo now",
  ])
  func refusedCallsAreFound(line: String) {
    #expect(calls(in: "```sh\n\(line)\n```").map { $0.refusal == nil } == [false])
  }
}
