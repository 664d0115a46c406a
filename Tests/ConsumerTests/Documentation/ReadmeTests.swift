import Foundation
import Holdfast
import HoldfastTestSupport
import Testing

/// README.md shows no Swift that does not compile and run.
@Suite struct ReadmeTests {
  static let tree = Result { try SourceTree.ofThisPackage() }

  let examples: ExampleSource

  init() throws {
    let texts = try ["Readme", "GettingStarted"].map { name in
      try Self.tree.get().text("Tests/ConsumerTests/Documentation/Examples/\(name)Examples.swift")
    }
    examples = ExampleSource(texts.joined(separator: "\n"))
  }

  @Test func everyBlockOfTheReadmeIsAnExample() throws {
    let readme = try Self.tree.get().text("README.md")
    let blocks = MarkdownBlock.all(in: readme).filter { $0.language == "swift" }
    #expect(!blocks.isEmpty)
    for block in blocks {
      #expect(
        examples.lacking(block) == nil,
        """
        The block in line \(block.line) of README.md is not among the examples, from \
        '\(examples.lacking(block) ?? "")' on: write it there word for word.
        """)
    }
  }

  @Test func theLinesForAManifestNameEachProduct() throws {
    let readme = try Self.tree.get().text("README.md")
    #expect(readme.contains(#".product(name: "Holdfast", package: "holdfast")"#))
    let manifest = try Self.tree.get().text("Package.swift")
    let row = /name: "(\w+)", kind: \.library/
    // One row of the manifest's table each.
    let products = try manifest.split(separator: "Module(").filter {
      $0.contains("isProduct: true")
    }
    .compactMap { try row.firstMatch(in: $0).map { String($0.1) } }
    #expect(products.contains("Holdfast") && products.contains("HoldfastLedger"))
    for product in products {
      #expect(readme.contains("| `\(product)` |"), "\(product)")
    }
  }

  @Test(
    .enabled(if: OtherSQLite.isThere, "there is no python3 with sqlite3"), .timeLimit(.minutes(1)))
  func whatOthersWriteIsSeenBeforeAndAfterASuspension() async throws {
    let directory = try TemporaryDirectory()
    let other = try OtherSQLite()
    let shown = Journal<[String]>()
    var expected: [String] = []
    let report = try await ReadmeExamples.sharedFerries(
      in: directory.url, show: { shown.append($0) }
    ) { _ in
      expected.append("Ferry \(expected.count)")
      try other.run(
        "INSERT INTO ferry (name) VALUES ('\(expected[expected.count - 1])')",
        on: directory.file("ferries.sqlite").path)
      await until { [expected] in shown.entries.last == expected }
    }
    #expect(report.isFree)
    #expect(expected.count == 2)
  }

  @Test func aPathIsStoredAndFoundAgain() throws {
    let directory = try TemporaryDirectory()
    let stored = try ReadmeExamples.storedPath(in: directory.url)
    // What the comment in the block says.
    #expect(stored.text == "@documents/downloads/book 50%41.m4b")
    #expect(try String(contentsOf: stored.url, encoding: .utf8) == "chapter one")
  }

  @Test func stopsAreFound() async throws {
    let directory = try TemporaryDirectory()
    let feed = try Self.tree.get().root.appending(path: "Samples/port-merrow")
    let names = try await ReadmeExamples.foundStops(of: feed, in: directory.url)
    #expect(names.first == "Circular Quay")
  }

  // MARK: - The comparison itself

  private func lacking(_ markdown: String) throws -> String? {
    let block = try #require(MarkdownBlock.all(in: markdown).first)
    #expect(block.language == "swift")
    return examples.lacking(block)
  }

  @Test func aBlockMayBeIndentedAndImport() throws {
    #expect(
      try lacking(
        """
        Text.

        ```swift
        import Holdfast
        import HoldfastTransit

        let timetable = try Timetable(at: database)
        let found = try await timetable.reader.read { db in
            try StopSearch("quay circ").fetchAll(db)
        }
        ```
        """) == nil)
  }

  @Test func aBlockThatDiffersIsNamedByItsFirstOddLine() throws {
    #expect(
      try lacking(
        """
        ```swift
        let timetable = try Timetable(at: database)
        let found = try await timetable.reader.fetch { db in
        ```
        """) == "let found = try await timetable.reader.fetch { db in")
  }

  @Test func aBlockThatLeavesALineOutIsNoExample() throws {
    #expect(
      try lacking(
        """
        ```swift
        let timetable = try Timetable(at: database)
        }
        ```
        """) == "}")
  }

  @Test func anImportThatTheExamplesLackIsNamed() throws {
    #expect(
      try lacking(
        """
        ```swift
        import GRDB
        let timetable = try Timetable(at: database)
        ```
        """) == "import GRDB")
  }
}
