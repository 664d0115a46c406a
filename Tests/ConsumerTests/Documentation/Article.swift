import HoldfastTestSupport
import Testing

/// An article of the documentation, and the file in which its Swift is compiled.
struct Article {
  let path: String
  let blocks: [MarkdownBlock]
  private let examplesPath: String
  private let examples: ExampleSource

  /// Reads both by the names of the article and its module.
  init(_ name: String, of module: String = "Holdfast") throws {
    let tree = try SourceTree.ofThisPackage()
    path = "Sources/\(module)/\(module).docc/\(name).md"
    examplesPath = "Tests/ConsumerTests/Documentation/Examples/\(name)Examples.swift"
    blocks = MarkdownBlock.all(in: try tree.text(path))
    examples = ExampleSource(try tree.text(examplesPath))
  }

  /// The blocks in one language, as the article calls it.
  func blocks(in language: String) -> [MarkdownBlock] {
    blocks.filter { $0.language == language }
  }

  /// Expects each block of Swift among the examples.
  func expectExamples(count: Int, sourceLocation: SourceLocation = #_sourceLocation) {
    let blocks = blocks(in: "swift")
    #expect(blocks.count == count, sourceLocation: sourceLocation)
    for block in blocks {
      let lacking = examples.lacking(block)
      #expect(
        lacking == nil,
        "The block in line \(block.line) of \(path) is not in \(examplesPath), from there on.",
        sourceLocation: sourceLocation)
    }
  }
}
