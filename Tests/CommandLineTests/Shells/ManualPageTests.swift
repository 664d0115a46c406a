import Foundation
import HoldfastTestSupport
import Testing

@testable import HoldfastTool

@Suite struct ManualPageTests {
  private static let man = ["/usr/bin/man", "/opt/homebrew/bin/man"]
    .first { FileManager.default.isExecutableFile(atPath: $0) }

  @Test(.enabled(if: man != nil, "man is not installed."))
  func manShowsThePageWithoutWarnings() throws {
    let directory = try TemporaryDirectory()
    let page = try ToolProcess.run("manual")
    #expect((page.status, page.errors) == (0, ""))
    try Data(page.output.utf8).write(to: directory.file("holdfast.1"))
    let man = try #require(Self.man)
    let shown = try ToolProcess.run(
      URL(filePath: man), ["--warnings", "-E", "UTF-8", "-P", "cat", "-l", "holdfast.1"],
      environment: ["MANWIDTH": "80", "LC_ALL": "C.UTF-8"], in: directory.url)
    #expect((shown.status, shown.errors) == (0, ""))
    for command in CommandTree.holdfast.commands {
      #expect(shown.output.contains("holdfast " + command.words.joined(separator: " ")))
      for option in command.declaration.options {
        #expect(shown.output.contains(option.spelling), "\(option.spelling)")
      }
    }
    for option in CommandTree.holdfast.rootOptions {
      #expect(shown.output.contains("       \(option.spelling)\n"), "\(option.spelling)")
    }
    #expect(shown.output.contains("--help, -h") && shown.output.contains("--version, -V"))
    #expect(shown.output.contains("holdfast help [NOUN [VERB]]"))
    #expect(shown.output.contains("EXIT STATUS"))
  }
}
