import Foundation
import HoldfastFiles
import HoldfastTestSupport
import Testing

@Suite struct RelocatablePathTests {
  /// Names that are known to cause problems.
  static let hostileNames = [
    "book.m4b", "50%41 off.m4b", "a%2Fb", "%", "%zz", "what?", "c#", "a b", " ", "'", "\"", "\\",
    "@documents", "@", "D:book", "C:", "file:", "http:", "~", "...", ".hidden", "a:b", "*", "\n",
    "\u{e9}", "e\u{301}", "\u{301}x", "\u{200D}", "日本", "👩‍👩‍👧", "\r\n", "\u{FEFF}", "-rf",
    String(repeating: "n", count: 255),
  ]

  @Test func theTextFormIsTheDocumentedOne() throws {
    let path = try RelocatablePath(.documents, "downloads", "book.m4b")
    #expect(path.description == "@documents/downloads/book.m4b")
    #expect(try RelocatablePath(.appGroup("group.x"), "a").description == "@app-group:group.x/a")
    #expect(try RelocatablePath(.caches).description == "@caches")
  }

  @Test(arguments: hostileNames, StorageRootTests.all)
  func everyLegalNameRoundTripsByteForByte(_ name: String, _ root: StorageRoot) throws {
    let path = try RelocatablePath(root, "folder", name, "x")
    let read = try RelocatablePath(text: path.description)
    #expect(read == path)
    #expect(read.root == root)
    #expect(read.components.map { Array($0.utf8) } == ["folder", name, "x"].map { Array($0.utf8) })
    let json = try JSONDecoder().decode([RelocatablePath].self, from: JSONEncoder().encode([path]))
    #expect(json == [path])
    #expect(RelocatablePath(path.description) == path)
  }

  @Test func randomLegalNamesRoundTripByteForByte() throws {
    var random = SeededRandom()
    let alphabet = Array("ab%/:@?#\"' .\u{301}\u{e9}\u{0}\n日👍\\".unicodeScalars)
    for _ in 0..<2000 {
      let names = (0..<Int.random(in: 0...4, using: &random)).map { _ in
        var name = String.UnicodeScalarView()
        for _ in 0..<Int.random(in: 0...5, using: &random) {
          if let scalar = alphabet.randomElement(using: &random) { name.append(scalar) }
        }
        return String(name)
      }
      let isLegal = names.allSatisfy { name in
        !["", ".", ".."].contains(name) && !name.utf8.contains(0) && !name.utf8.contains(47)
      }
      let path = try? RelocatablePath(.caches, components: names)
      #expect((path != nil) == isLegal, "\(names)")
      if let path {
        let read = try RelocatablePath(text: path.description)
        #expect(read.components.map { Array($0.utf8) } == names.map { Array($0.utf8) })
      }
    }
  }

  @Test func twoNormalizationsAreTwoNames() throws {
    let composed = try RelocatablePath(.documents, "caf\u{e9}")
    let decomposed = try RelocatablePath(.documents, "cafe\u{301}")
    #expect(composed.lastComponent == decomposed.lastComponent, "Swift takes them for one")
    #expect(composed != decomposed)
    #expect(Set([composed, decomposed, composed]).count == 2)
  }

  @Test(arguments: [
    ("documents/x", "it does not begin with '@' and the name of a root"),
    ("", "it does not begin with '@' and the name of a root"),
    ("/var/mobile/x", "it does not begin with '@' and the name of a root"),
    ("@document/x", "no root is called 'document'"),
    ("@/x", "no root is called ''"),
    ("@documents\u{301}/x", "no root is called 'documents\u{301}'"),
    ("@documents/", "name 1 is empty"),
    ("@documents/a//b", "name 2 is empty"),
    ("@documents/a/../b", "name 2 is '..', which could leave the root"),
    ("@documents/./b", "name 1 is '.', which could leave the root"),
    ("@documents/a\0b", "name 1 contains the character NUL"),
  ])
  func anInvalidTextIsRefusedWithAReason(_ text: String, _ reason: String) {
    let error = #expect(throws: FileError.self) { try RelocatablePath(text: text) }
    #expect(error?.code == .invalidPath)
    #expect(error?.message == "'\(text)' is not a relocatable path: \(reason).")
    #expect(error?.advice != nil)
    #expect(RelocatablePath(text) == nil)
  }

  /// SS-B8: the server's file name was inserted into the path unchecked.
  @Test(arguments: ["../../../etc/passwd", "..", ".", "", "/etc/passwd", "a/b", "a\0.m4b"])
  func aFileNameFromAServerCannotLeaveItsFolder(_ name: String) throws {
    let folder = try RelocatablePath(.documents, "downloads", "item")
    let error = #expect(throws: FileError.self) { try folder.appending(name) }
    #expect(error?.code == .invalidPath)
  }

  @Test func aPathHasAFolderAndAName() throws {
    let path = try RelocatablePath(.caches, "a").appending("b")
    #expect(path.lastComponent == "b")
    #expect(path.parent == (try RelocatablePath(.caches, "a")))
    #expect(path.parent?.parent == (try RelocatablePath(.caches)))
    #expect(path.parent?.parent?.parent == nil)
    #expect(try RelocatablePath(.caches).lastComponent == nil)
  }
}
