import Foundation
import HoldfastTestSupport
import Testing

@testable import HoldfastTool

/// The commands in README.md, each parsed as the tool parses it.
@Suite struct ReadmeCommandTests {
  static let readme = PackageFolder.root.appending(path: "README.md")
    .path(percentEncoded: false)

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

  @Test func everyCommandInTheReadmeIsValid() throws {
    let calls = calls(in: try String(contentsOfFile: Self.readme, encoding: .utf8))
    #expect(!calls.isEmpty)
    for call in calls {
      #expect(call.refusal == nil, "holdfast \(call.words.joined(separator: " "))")
    }
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
