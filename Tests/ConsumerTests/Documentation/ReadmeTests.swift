import Foundation
import Holdfast
import HoldfastTestSupport
import Testing

/// README.md shows no Swift that does not compile and run.
@Suite struct ReadmeTests {
  static let tree = Result { try SourceTree.ofThisPackage() }

  let examples: ExampleSource

  init() throws {
    examples = ExampleSource(
      try Self.tree.get().text("Tests/ConsumerTests/Documentation/Examples/ReadmeExamples.swift"))
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

  /// In a package without settings of its own, on the main actor and on none.
  @Test(
    .enabled(if: SwiftProgram.canBeCompiled, "there is no swiftc, or no build of the tool"),
    .timeLimit(.minutes(2)))
  func aViewCanCallTheFunctionsOfTheReadme() throws {
    let blocks = MarkdownBlock.all(in: try Self.tree.get().text("README.md"))
      .filter { $0.language == "swift" }
    let callers = """
      @MainActor final class FerryList {
        var ferries: [Ferry] = []

        func follow(_ pool: DatabasePool) async throws {
          try await addFerry(named: "Emerald", to: pool)
          try await followFerries(in: pool) { ferries = $0 }
        }
      }

      func printFerries(in folder: URL) async throws {
        try await followFerries(in: openFerries(in: folder)) { print($0.count) }
      }
      """
    let program = try SwiftProgram([
      "Ferries.swift": (blocks.flatMap(\.lines) + [callers]).joined(separator: "\n"),
      "main.swift": """
      import Foundation
      import Holdfast

      let list = FerryList()
      let pool = try await openFerries(in: URL(filePath: CommandLine.arguments[1]))
      let following = Task { try await list.follow(pool) }
      while list.ferries.isEmpty { await Task.yield() }
      print(list.ferries.map(\\.name))
      """,
    ])
    let folder = try TemporaryDirectory()
    let names = try program.run(folder.url.path)
    withExtendedLifetime(folder) {}
    #expect(names == "[\"Emerald\"]\n")
  }

  /// The lines work in a clone of any name, because they give the package its own.
  @Test func theLinesForAManifestNameEachProduct() throws {
    let readme = try Self.tree.get().text("README.md")
    #expect(readme.contains(#".product(name: "Holdfast", package: "holdfast")"#))
    #expect(readme.contains(#".package(name: "holdfast", path: "#))
    let manifest = try Self.tree.get().text("Package.swift")
    // Each platform of the manifest, in words and in the lines.
    let platforms = manifest.matches(of: /\.(iOS|macOS)\(\.v(\d+)\)/)
    #expect(platforms.count == 2)
    for platform in platforms {
      #expect(readme.contains(platform.0) && readme.contains("\(platform.1) \(platform.2)"))
    }
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

  @Test func theReadmeHasAtMost130Lines() throws {
    #expect(
      try Self.tree.get().text("README.md").split(separator: "\n", omittingEmptySubsequences: false)
        .count <= 131)
  }

  @Test func everyEntryOfTheChangelogIsOneLine() throws {
    let lines = try Self.tree.get().text("CHANGELOG.md").split(separator: "\n")
    #expect(lines.count { $0.hasPrefix("- ") } > 100)
    #expect(lines.filter { $0.hasPrefix(" ") } == [])
  }

  /// Of the pages in the package's folder and in `docs`, and of the samples.
  @Test func everyLinkToAFileLeadsToOne() throws {
    let tree = try Self.tree.get()
    let pages = tree.files.filter { file in
      file.hasSuffix(".md") && !file.hasPrefix("Sources/") && !file.hasPrefix("Tests/")
    }
    #expect(pages.contains("README.md") && pages.contains("docs/command-line.md"))
    for page in pages {
      let folder = tree.root.appending(path: page).deletingLastPathComponent()
      let links = try tree.text(page).matches(of: /\]\(([^)#:\s]+)(?:#[^)]*)?\)|src="([^":]+)"/)
      for link in links {
        let path = String(link.1 ?? link.2 ?? "")
        #expect(
          FileManager.default.fileExists(atPath: folder.appending(path: path).path),
          "\(page): \(path)")
      }
    }
  }

  @Test(
    .enabled(if: OtherSQLite.isThere, "there is no python3 with sqlite3"), .timeLimit(.minutes(1)))
  func whatOthersWriteIsSeenBeforeAndAfterASuspension() async throws {
    let directory = try TemporaryDirectory()
    let other = try OtherSQLite()
    let example = ReadmeExamples()
    let pool = try await example.openFerries(in: directory.url)
    let shown = Journal<[String]>()
    let following = Task {
      try await example.followFerries(in: pool) { shown.append($0.map(\.name)) }
    }
    defer { following.cancel() }
    try await example.addFerry(named: "Ours", to: pool)
    await until { shown.entries.last == ["Ours"] }
    try other.run(
      "INSERT INTO ferry (name) VALUES ('Theirs')", on: directory.file("ferries.sqlite").path)
    await until { shown.entries.last == ["Ours", "Theirs"] }

    let report = await pool.suspend(within: .seconds(1))
    #expect(report.isFree)
    pool.resume()
    try other.run(
      "INSERT INTO ferry (name) VALUES ('Late')", on: directory.file("ferries.sqlite").path)
    await until { shown.entries.last == ["Ours", "Theirs", "Late"] }
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
        import Foundation
        import Holdfast

        func addFerry(named name: String, to pool: DatabasePool) async throws {
            try await pool.write { db in try Ferry(name: name).insert(db) }
        }
        ```
        """) == nil)
  }

  @Test func aBlockThatDiffersIsNamedByItsFirstOddLine() throws {
    #expect(
      try lacking(
        """
        ```swift
        func addFerry(named name: String, to pool: DatabasePool) async throws {
        try await pool.read { db in try Ferry(name: name).insert(db) }
        ```
        """) == "try await pool.read { db in try Ferry(name: name).insert(db) }")
  }

  @Test func aBlockThatLeavesALineOutIsNoExample() throws {
    #expect(
      try lacking(
        """
        ```swift
        func addFerry(named name: String, to pool: DatabasePool) async throws {
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
        func addFerry(named name: String, to pool: DatabasePool) async throws {
        ```
        """) == "import GRDB")
  }
}
