import Foundation
import HoldfastTestSupport
import Testing

/// The guide's differences are those between the sample before and after, which `make samples` runs.
@Suite struct MovingAnAppTests {
  private static let files = ["Records.swift", "Library.swift"]
  private let tree: SourceTree
  private let blocks: [MarkdownBlock]

  init() throws {
    tree = try .ofThisPackage()
    blocks = MarkdownBlock.all(in: try tree.text("Sources/Holdfast/Holdfast.docc/MovingAnApp.md"))
  }

  private func text(_ file: String, in folder: String) throws -> String {
    try tree.text("Samples/Bookshelf/\(folder)/\(file)")
  }

  private func blocks(in language: String) -> [MarkdownBlock] {
    blocks.filter { $0.language == language }
  }

  /// The lines of a difference with one of the marks, or with none.
  private func side(_ mark: Character, of step: MarkdownBlock) -> String {
    step.lines.filter { [nil, " ", mark].contains($0.first) }.map { $0.dropFirst() + "\n" }.joined()
  }

  @Test func theDifferencesMoveTheApp() throws {
    var unused = Set(blocks(in: "diff").map(\.line))
    for file in Self.files {
      var app = try text(file, in: "Before")
      for step in blocks(in: "diff") {
        let parts = app.components(separatedBy: side("-", of: step))
        guard parts.count > 1 else { continue }
        #expect(parts.count == 2, "The lines of the step in line \(step.line) are not unique.")
        app = parts.joined(separator: side("+", of: step))
        unused.remove(step.line)
      }
      #expect(try app == text(file, in: "Sources/Bookshelf"), "\(file)")
    }
    #expect(unused == [])
  }

  @Test(.enabled(if: SwiftProgram.canBeCompiled, "there is no swiftc, or no build of the tool"))
  func theCompilerReportsTheAssociationsOnly() throws {
    let sources = try Self.files.map { file in
      let app = try text(file, in: "Before")
      return (file, app.replacingOccurrences(of: "import GRDB\n", with: "import Holdfast\n"))
    }
    let output = try SwiftProgram.diagnostics(of: Dictionary(uniqueKeysWithValues: sources))
    let errors = output.matches(of: /([A-Z]\w+\.swift:\d+):\d+: error: (.+)/)
      .map { "\($0.1): \($0.2)" }
    #expect(try errors.sorted() == #require(blocks(in: "text").first).lines)
  }

  @Test func theWidgetIsThatOfTheSample() throws {
    let block = try #require(blocks(in: "swift").first)
    #expect(blocks(in: "swift").count == 1)
    #expect(ExampleSource(try text("Widget.swift", in: "Sources/Bookshelf")).lacking(block) == nil)
  }
}
