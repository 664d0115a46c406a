import Foundation
import HoldfastTestSupport
import Testing

/// The rules of ARCHITECTURE.md that neither the compiler nor the formatter checks.
///
/// Each is a search through lines, without knowledge of Swift beyond where a comment begins.
@Suite struct HouseRulesTests {
  private static let tree = Result { try SourceTree.ofThisPackage() }

  let tree: SourceTree

  init() throws {
    tree = try Self.tree.get()
  }

  /// The folders whose code may use pointers.
  ///
  /// Strict memory safety marks each use with `unsafe`.
  static let foldersWithPointers = [
    "Samples/Data/HoldfastSamples/", "Sources/HoldfastFeeds/Assembly/",
    "Sources/HoldfastFeeds/CSV/", "Sources/HoldfastFeeds/Source/", "Sources/HoldfastFiles/",
    "Sources/HoldfastInspector/Assets/", "Sources/HoldfastInspector/Server/",
    "Sources/HoldfastSQLite/", "Tests/HoldfastFeedsTests/", "Tests/HoldfastFilesTests/",
    "Tests/HoldfastPackCampaign/", "Tests/HoldfastSQLiteTests/",
    "Tests/HoldfastTestSupport/", "Tests/HoldfastTests/",
  ]

  @Test func pointersStayInTheirFolders() throws {
    expectNone(
      of: ["unsafe"],
      in: try code.filter { file in !Self.foldersWithPointers.contains(where: file.isIn) })
  }

  @Test func theCLibraryIsImportedInOneFolder() throws {
    expectNone(
      of: ["import Darwin", "import Glibc", "import Musl", "import Android"],
      in: try code.filter { $0.isIn("Sources/") && !$0.isIn("Sources/HoldfastFiles/System/") })
  }

  /// Otherwise a release build that is repeated keeps the old inlined code of the exported module.
  @Test func whatAModuleExportsIsPartOfItsProduct() throws {
    let manifest = try tree.text("Package.swift")
    var exportCount = 0
    for file in try code where file.isIn("Sources/") {
      guard !file.lines(thatMayContain: ["@_exported"]).isEmpty else { continue }
      let module = file.path.split(separator: "/")[1]
      for export in file.text.matches(of: /@_exported (?:public )?import (\w+)/) {
        exportCount += 1
        let row = manifest.components(separatedBy: "Module(").first {
          $0.contains("name: \"\(module)\",")
        }
        #expect(row?.contains("reexports: [\"\(export.1)\"]") == true, "\(file.path)")
      }
    }
    #expect(exportCount > 0)
  }

  /// The reason is a comment in the line, in one of the two lines above, or in the next line.
  @Test func everyIgnoredErrorHasAReason() throws {
    expectNone(
      of: ["try?", "catch _", "try!", "as!", "fatalError"],
      in: try code.filter { $0.isIn("Sources/") },
      unless: { $0.comments(above: 2, below: 1).contains("//") })
  }

  @Test func everyUncheckedSendabilityHasAReason() throws {
    expectNone(
      of: ["@unchecked Sendable", "nonisolated(unsafe)"], in: try code,
      unless: { $0.comments(above: 12, below: 0).contains("Sendable because") })
  }

  // MARK: Bytes from outside

  /// The files whose absolute values are of coordinates, distances and durations.
  private static let filesWithAbsoluteValues = [
    "HoldfastFeeds/Tables/FeedShapePoint", "HoldfastFeeds/Tables/FeedStop",
    "HoldfastFeeds/Rules/ShapeRules", "HoldfastFeeds/Reading/RowParser",
    "HoldfastLedger/Lifecycle/LaunchCheck", "HoldfastLedger/Records/StoredTime",
    "HoldfastSQLite/QueryInterface/Expressions/SQLFunctions", "HoldfastTool/Drawing/MapFrame",
    "HoldfastTransit/Format/DistanceColumn", "HoldfastTransit/Shapes/StoredShape",
    "HoldfastTransit/Stops/BoundingBox", "HoldfastTransit/Stops/StopWriter",
  ].map { "Sources/\($0).swift" }

  /// The least integer has no absolute value, and ends the process; each has a `magnitude`.
  @Test func absoluteValuesAreOfFloatingPointNumbers() throws {
    expectNone(
      of: ["abs("],
      in: try code.filter {
        $0.isIn("Sources/") && !Self.filesWithAbsoluteValues.contains($0.path)
      })
  }

  /// Sparse files, and those that a manifest only names, may have more bytes together than an integer.
  @Test func everySumOfLengthsSaysWhyItFits() throws {
    expectNone(
      of: ["+ $1.byteCount", "+ $1.content.byteCount", "+ $1.size"],
      in: try code.filter { $0.isIn("Sources/") },
      unless: {
        $0.comments(above: 2, below: 0).contains("//") || $0.contains("Double($1.size)")
      })
  }

  /// A quote that a combining mark follows is another `Character`, and is not found as one.
  @Test func quotesAreNotSoughtAsCharacters() throws {
    expectNone(
      of: [#"replacing("\"""#, #"replacing("\"","#, #"contains("\"")"#],
      in: try code.filter { $0.isIn("Sources/") })
  }

  @Test func noTestSleeps() throws {
    expectNone(of: ["sleep(", "usleep(", "nanosleep("], in: try code.filter { $0.isIn("Tests/") })
  }

  @Test func noWorkIsPostponedByAComment() throws {
    let words = ["TODO", "FIXME"]
    let remarks = try code.flatMap { $0.lines(thatMayContain: words) }.filter { line in
      words.contains(where: line.comments(above: 0, below: 0).contains)
    }
    #expect(remarks.map(\.place) == [])
  }

  /// Examples name three invented users; any other home folder, and the package's own, is a machine's.
  @Test func noFileNamesAFolderOfTheMachine() throws {
    let invented = ["/home/ann", "/home/me", "/Users/ann"]
    let root = tree.root.path(percentEncoded: false)
    let homes = /(?:^|[^A-Za-z0-9._~@}-])(\/(?:home|Users|root)\/[A-Za-z0-9._-]+)/
    for file in tree.files where !file.hasSuffix("/HouseRulesTests.swift") {
      // As Latin-1, because some samples are not UTF-8.
      let text = String(data: try tree.data(file), encoding: .isoLatin1) ?? ""
      #expect(!text.contains(root), "\(file)")
      let found = text.matches(of: homes).map { String($0.output.1) }
      #expect(found.filter { !invented.contains($0) } == [], "\(file)")
    }
  }

  @Test func noFolderHasTooManyFiles() {
    let folders = Dictionary(grouping: tree.files) { $0.split(separator: "/").dropLast() }
    for (folder, files) in folders where ["Sources", "Tests"].contains(folder.first) {
      #expect(files.count <= 25, "\(folder.joined(separator: "/"))")
    }
  }

  @Test func theMapNamesEveryFolder() throws {
    let map = try tree.text("ARCHITECTURE.md")
    let folders = Set(
      tree.files.filter { $0.hasPrefix("Sources/") && $0.hasSuffix(".swift") }.map {
        $0.split(separator: "/").dropFirst().dropLast().joined(separator: "/")
      })
    #expect(!folders.isEmpty)
    #expect(folders.filter { !map.contains("`\($0)`") }.sorted() == [])
  }

  /// The compiler holds the arrows between modules; these are those inside of one.
  @Test(arguments: FolderOrder.all.indices)
  func foldersKnowOnlyThoseBeforeThem(_ index: Int) throws {
    let order = FolderOrder.all[index]
    let prefix = "Sources/\(order.module)/"
    var words: [(path: String, folder: String, words: SwiftWords)] = []
    for file in try code where file.isIn(prefix) {
      let folder = file.path.dropFirst(prefix.count).split(separator: "/").dropLast().first
      guard let folder else { continue }
      words.append((file.path, String(folder), SwiftWords(file.text)))
    }
    #expect(
      Set(words.map(\.folder)) == Set(order.folders),
      "the list names all folders of \(order.module)")
    var homes: [String: Set<String>] = [:]
    for file in words {
      for type in file.words.types { homes[type, default: []].insert(file.folder) }
    }
    var used: Set<String> = []
    for file in words {
      for name in file.words.names.sorted() {
        // A name that two folders declare says nothing.
        guard let home = homes[name], home.count == 1, let other = home.first else { continue }
        used.insert("\(file.folder) \(other)")
        #expect(
          order.allows(file.folder, toKnow: other),
          "\(file.path): \(file.folder) must not know \(name) of \(other)")
      }
    }
    for (folder, others) in order.exceptions {
      for other in others {
        #expect(
          used.contains("\(folder) \(other)"),
          "\(folder) no longer knows \(other): remove the exception")
      }
    }
  }

  /// The Thread Sanitizer's build of a target leaves out the tests that it does not run, and nothing else.
  @Test func noTypeThatTestsShareStandsInATest() throws {
    let files = Dictionary(
      grouping: try code.filter { $0.isIn("Tests/") }.map {
        (path: $0.path, words: SwiftWords($0.text))
      }
    ) { $0.path.split(separator: "/")[1] }
    for files in files.values
    where files.contains(where: { $0.path.hasSuffix("ConcurrencyTests.swift") }) {
      let isLeftOut = { (path: String) in
        path.hasSuffix("Tests.swift") && !path.hasSuffix("ConcurrencyTests.swift")
      }
      let kept = files.filter { !isLeftOut($0.path) }
      let lost = files.filter { isLeftOut($0.path) }.reduce(into: Set()) {
        $0.formUnion($1.words.types)
      }
      .subtracting(kept.flatMap(\.words.types))
      for file in kept { #expect(file.words.names.intersection(lost) == [], "\(file.path)") }
    }
  }

  @Test func wordsInCommentsAndTextsAreNotCounted() {
    let words = SwiftWords(
      """
      // Comment
      @safe public final class Outer: Base { struct Inner {} }
      private struct Hidden { let text = "Quoted \\" Still"; let path = Path() }
      """)
    #expect(words.types == ["Outer"])
    #expect(words.names == ["Outer", "Base", "Inner", "Hidden", "Path"])
  }

  /// Paths without `Tests`, `docs` or `Scripts` are below `Sources`.
  @Test func everyFileThatTheMapNamesExists() throws {
    let names = try tree.text("ARCHITECTURE.md")
      .matches(of: /`([\w\/+.]+\/[\w+.]+\.(?:swift|md|h|rules))`/).map { String($0.1) }
    #expect(names.count > 40)
    let files = Set(tree.files)
    #expect(names.filter { !files.contains($0) && !files.contains("Sources/" + $0) } == [])
  }

  /// Every file of Swift except this one, which contains the words it searches for.
  private var code: [SourceFile] {
    get throws { try Self.code.get() }
  }

  private static let code = Result {
    try tree.get().sources(in: "Plugins", "Sources", "Samples", "Tests").filter {
      !$0.path.hasSuffix("/HouseRulesTests.swift")
    }.map { SourceFile(path: $0.path, text: $0.text) }
  }

  private func expectNone(
    of words: [String], in files: [SourceFile],
    unless isAllowed: (SourceLine) -> Bool = { _ in false },
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    #expect(!files.isEmpty, sourceLocation: sourceLocation)
    let found = files.flatMap { $0.lines(thatMayContain: words) }
      .filter { words.contains(where: $0.contains) && !isAllowed($0) }
    #expect(found.map(\.place) == [], sourceLocation: sourceLocation)
  }
}

/// A Swift file.
private struct SourceFile {
  let path: String
  let text: String

  func isIn(_ folder: String) -> Bool { path.hasPrefix(folder) }

  /// Returns the file's lines, or none of them if the file has none of the words.
  ///
  /// A search through bytes takes a hundredth of the time of one through characters, and few files have them.
  func lines(thatMayContain words: [String]) -> [SourceLine] {
    let bytes = Data(text.utf8)
    guard words.contains(where: { bytes.range(of: Data($0.utf8)) != nil }) else { return [] }
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    return lines.indices.map { SourceLine(file: path, index: $0, lines: lines) }
  }
}

/// A line of a Swift file.
private struct SourceLine {
  let file: String
  let index: Int
  let lines: [Substring]

  var place: String { "\(file):\(index + 1)" }

  /// Returns whether the code contains the words, but not as part of a longer name.
  func contains(_ words: String) -> Bool {
    code.ranges(of: words).contains { range in
      !code[..<range.lowerBound].hasNameAtItsEnd
        && (words.last?.isLetter != true || !code[range.upperBound...].hasNameAtItsStart)
    }
  }

  /// The comments of the line and of the lines around it.
  func comments(above: Int, below: Int) -> String {
    (index - above...index + below).clamped(to: 0...lines.count - 1)
      .map { lines[$0].dropFirst(Self.code(of: lines[$0]).count) }.joined(separator: " ")
  }

  private var code: Substring { Self.code(of: lines[index]) }

  private static func code(of line: Substring) -> Substring {
    line[..<(line.firstRange(of: "//")?.lowerBound ?? line.endIndex)]
  }
}

extension Substring {
  fileprivate var hasNameAtItsEnd: Bool { last.map { $0.isLetter || $0 == "_" } == true }
  fileprivate var hasNameAtItsStart: Bool { first.map { $0.isLetter || $0 == "_" } == true }
}
