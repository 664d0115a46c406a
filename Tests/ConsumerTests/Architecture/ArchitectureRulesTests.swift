import Foundation
import Testing

/// Every rule notices what it forbids, and nothing else.
@Suite struct ArchitectureRulesTests {
  @Test(arguments: [
    ("Sources/Holdfast/A.swift", "import CSQLite"),
    ("Sources/Holdfast/A.swift", "@_exported public import struct HoldfastTransit.Stop"),
    ("Sources/Holdfast/A.swift", "import Foundation; import CZip"),
    ("Sources/Holdfast/Apple/A.swift", "#if canImport(Darwin)\n  internal import Darwin.C\n#endif"),
    ("Sources/HoldfastFiles/A.swift", "import Glibc"),
    ("Sources/HoldfastFiles/A.swift", "import Holdfast"),
    ("Sources/HoldfastTransit/A.swift", "import HoldfastSQLite"),
    ("Sources/HoldfastTransit/A.swift", "import FoundationNetworking"),
    ("Sources/Nowhere/A.swift", "let a = 1"),
    ("Tests/HoldfastTests/A.swift", "@testable import CSQLite"),
  ])
  func anArrowThatPointsUpIsFound(path: String, text: String) {
    #expect(ArchitectureRules.imports(SwiftSource(path: path, text: text)).count == 1)
  }

  @Test(arguments: [
    ("Sources/HoldfastSQLite/A.swift", "import CSQLite"),
    ("Sources/Holdfast/A.swift", "@_exported public import HoldfastSQLite"),
    ("Sources/HoldfastFiles/System/A.swift", "#if canImport(Glibc)\n  import Glibc\n#endif"),
    ("Sources/HoldfastTransit/A.swift", "// import CSQLite\nlet a = \"import CSQLite\""),
    ("Tests/HoldfastTests/A.swift", "import Holdfast\nimport Testing"),
  ])
  func anArrowThatPointsDownIsLeftAlone(path: String, text: String) {
    #expect(ArchitectureRules.imports(SwiftSource(path: path, text: text)) == [])
  }

  @Test func aPointerOutsideItsDoorsIsFound() {
    let text = """
      // unsafe in a comment
      let a = "unsafe in a string, \\(unsafe b) in code"
      nonisolated(unsafe) var unsafely = 1
      """
    let inside = SwiftSource(path: "Sources/HoldfastSQLite/A.swift", text: text)
    let outside = SwiftSource(path: "Sources/Holdfast/A.swift", text: text)
    #expect(ArchitectureRules.pointers(inside) == [])
    #expect(ArchitectureRules.pointers(outside).map(\.line) == [2, 3])
  }

  @Test(arguments: [
    "final class A: @unchecked Sendable {}",
    "// It is quick.\nfinal class A: @unchecked Sendable {}",
    "// Sendable because of the lock.\n\nfinal class A: @unchecked Sendable {}",
    "// Sendable because of the lock.\nlet a = f()\nnonisolated(unsafe) var b = 1",
    "// Sendable because of the lock.\nstruct B {}\nfinal class A: @unchecked Sendable {}",
  ])
  func sendabilityWithoutAReasonIsFound(text: String) {
    let source = SwiftSource(path: "Sources/HoldfastFiles/A.swift", text: text)
    #expect(ArchitectureRules.unprovenSendability(source).count == 1)
  }

  @Test(arguments: [
    "// Sendable because every access holds the lock.\nfinal class A: @unchecked Sendable {}",
    "/// Sendable\n/// because of the lock.\n@safe\nfinal class A:\n  @unchecked Sendable {}",
    "nonisolated(unsafe) let a = 1  // Sendable because it never changes.",
  ])
  func sendabilityWithAReasonIsLeftAlone(text: String) {
    let source = SwiftSource(path: "Sources/HoldfastFiles/A.swift", text: text)
    #expect(ArchitectureRules.unprovenSendability(source) == [])
  }

  @Test func aSleepIsFound() {
    let text = """
      sleep(1)
      try await Task.sleep(for: .seconds(1))
      usleep (10)
      Thread.sleep(forTimeInterval: 1)
      func sleep(until deadline: Instant) {}
      let sleeper = asleep(1) // sleep(1)
      let text = "sleep(1)"
      """
    let source = SwiftSource(path: "Tests/HoldfastTests/A.swift", text: text)
    #expect(ArchitectureRules.sleeping(source).map(\.line).sorted() == [1, 2, 3, 4])
  }

  @Test(arguments: ArchitectureTable.avoidedWords)
  func anAvoidedWordIsFound(word: String) {
    let isPromise = word == "TODO" || word == "FIXME"
    let text = isPromise ? "// \(word): later" : "let a = \(word) b()"
    let source = SwiftSource(path: "Sources/Holdfast/A.swift", text: text)
    #expect(ArchitectureRules.avoidedWords(source, exceptions: []).map(\.line) == [1])
  }

  @Test func anExceptionAllowsWhatItCountsAndNoMore() {
    let exception = AllowedWord(
      "try?", 1, in: "Sources/Holdfast/A.swift", because: "it closes.")
    func found(_ text: String) -> [Violation] {
      ArchitectureRules.avoidedWords(
        SwiftSource(path: exception.file, text: text), exceptions: [exception])
    }
    #expect(found("try? close()") == [])
    #expect(found("try? close()\ntry? open()").map(\.line) == [1, 2])
    #expect(found("close()").count == 1)
    #expect(found("let a = \"try? close()\" // try? close()").count == 1)
  }

  @Test func anExceptionWithoutAFileOrAReasonIsFound() {
    let exceptions = [
      AllowedWord("try?", 1, in: "a", because: "it closes."),
      AllowedWord("as!", 1, in: "a", because: ""),
      AllowedWord("try?", 1, in: "b", because: "it closes."),
    ]
    #expect(ArchitectureRules.exceptions(exceptions, files: ["a"]).map(\.file) == ["a", "b"])
  }

  @Test(arguments: [
    // Put together here, because this file is searched as well.
    "see " + "/home" + "/builder/holdfast",
    "file://" + "/Users" + "/builder/holdfast",
    "at " + "/root" + "/holdfast/a",
    "-I/build" + "/package/Sources",
    "line\n\"" + "/home" + "/builder/\"",
  ])
  func aPathOfAMachineIsFound(text: String) {
    let found = ArchitectureRules.machinePaths("a", Data(text.utf8), root: "/build/package")
    #expect(found.map(\.line) == [text.contains("\n") ? 2 : 1])
  }

  @Test(arguments: ["photos/home/ann/a.jpg", "the folder /home/ is", "/Users/someone/Documents"])
  func anInventedPathIsLeftAlone(text: String) {
    #expect(ArchitectureRules.machinePaths("a", Data(text.utf8), root: "/build/package") == [])
  }

  @Test func theMapAndTheFilesAreCompared() {
    let map = """
      # Architecture
      - `ignored.swift` stands in no folder
      ## HoldfastFiles — `Sources/Files/`
      - `A.swift`: reads a file
      - `B.swift`:
      - `Gone.swift`: left long ago
      - `A.swift`: reads it again
      ### Fixtures, `Tests/Files/`
      - `Fixtures/`: databases as text
      - `Empty/`: nothing
      """
    let files = [
      "Sources/Files/A.swift", "Sources/Files/B.swift", "Sources/Files/New.swift",
      "Tests/Files/Fixtures/a.sql", "Tests/Files/Fixtures/a.swift", "README.md",
    ]
    let found = ArchitectureRules.captions(map, files: files).map(\.description)
    #expect(
      found == [
        "ARCHITECTURE.md:5: `Sources/Files/B.swift` has no caption",
        "ARCHITECTURE.md:6: `Sources/Files/Gone.swift` is no file",
        "ARCHITECTURE.md:10: `Tests/Files/Empty/` is no folder with files",
        "ARCHITECTURE.md:7: `Sources/Files/A.swift` has 2 captions",
        "Sources/Files/New.swift:1: has no caption in ARCHITECTURE.md",
        "Tests/Files/Fixtures/a.swift:1: has no caption in ARCHITECTURE.md",
      ])
  }

  @Test func codeCommentsAndStringsAreToldApart() {
    let text = ##"""
      let a = "x \( f("y", (z)) ) \" q" // one "quote
      /* two /* nested */ still */ let b = #"raw \ " \(no)"#
      let c = """
        text "quoted" \(d) // no comment
        """
      let e = #/ " / /# ; let g = #""""# + h
      """##
    let source = SwiftSource(path: "a", text: text)
    #expect(source.flaw == nil)
    let words = source.code.joined(separator: " ").split { !$0.isLetter }
    #expect(words.joined(separator: " ") == "let a f z let b let c d let e let g h")
    #expect(source.comments[0].hasSuffix("// one \"quote"))
    #expect(source.comments[1].hasPrefix("/* two /* nested */ still */"))
    #expect(source.comments[2...].allSatisfy { $0.allSatisfy(\.isWhitespace) })
  }

  @Test(arguments: [
    "let a = 1\nlet b = \"open", "let a = \"\"\"\n  open", "/* open", "let a = \"\n",
  ])
  func aFileThatCannotBeReadIsFound(text: String) {
    let source = SwiftSource(path: "a", text: text)
    #expect(ArchitectureRules.readability(source).count == 1)
  }
}
