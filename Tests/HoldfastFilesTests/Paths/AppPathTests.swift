import Foundation
import HoldfastFiles
import HoldfastTestSupport
import Testing

/// The texts relative to one root that apps store.
@Suite struct AppPathTests {
  let directory: TemporaryDirectory
  let container: Container

  init() throws {
    directory = try TemporaryDirectory()
    container = Container(at: directory.file("XYZ789"))
  }

  private func url(_ text: String) -> URL {
    directory.file("XYZ789").appending(path: text, directoryHint: .notDirectory)
  }

  /// SS-1.
  @Test func aPathBelowTheBaseBecomesRelative() throws {
    let file = url("Library/Caches/downloads/book.m4b")
    #expect(container.toAppRelativePath(file.absoluteString) == "downloads/book.m4b")
    #expect(container.toAppRelativePath(file.path) == "downloads/book.m4b")
    let document = url("Documents/downloads/book.m4b")
    #expect(
      container.toAppRelativePath(document.path, below: .documents) == "downloads/book.m4b")
    #expect(container.toAppRelativePath(document.path) == document.path)
  }

  /// SS-1, SS-2.
  @Test func everythingElseIsReturnedUnchanged() throws {
    let texts = [
      "", "downloads/book.m4b", "/etc/passwd", "https://example.org/cover", "book 50%41.m4b",
      "file:///var/mobile/Containers/Data/Application/\(LegacyPathTests.uuid)/Library/Caches/x",
      url("Library/Caches").path, url("Library/Caches/../../Documents/x").path, "file:relative",
      "file://host" + url("Library/Caches/x").path,
    ]
    for text in texts { #expect(container.toAppRelativePath(text) == text) }
  }

  /// SS-2.
  @Test func aRelativeTextIsResolvedInThePresentContainer() throws {
    let expected = url("Library/Caches/downloads/book.m4b").absoluteString
    #expect(try container.resolveAppPath("downloads/book.m4b") == expected)
    for text in ["", "/etc/passwd", "https://example.org/cover", "file:///a/b%20c", expected] {
      #expect(try container.resolveAppPath(text) == text)
    }
  }

  /// SS-B7: "50%41 off.m4b" was stored as "50A off.m4b" and led to another file.
  @Test func aNameWithAPercentSignIsDecodedOnce() throws {
    let file = url("Library/Caches").appending(path: "50%41 off.m4b")
    #expect(file.absoluteString.hasSuffix("/50%2541%20off.m4b"))
    let stored = container.toAppRelativePath(file.absoluteString)
    #expect(stored == "50%41 off.m4b")
    #expect(try container.resolveAppPath(stored) == file.absoluteString)
    #expect(container.toAppRelativePath(file.path) == stored)
  }

  /// SS-B8: "../" and links led out of the root.
  @Test func aTextThatLeadsOutOfTheRootIsRefused() throws {
    for text in ["../../x", "a/../../x", "./x", "a/\0b"] {
      let error = #expect(throws: FileError.self) { try container.resolveAppPath(text) }
      #expect(error?.code == .invalidPath, "\(text)")
    }
    try container.createDirectory(at: RelocatablePath(.caches))
    try SystemCalls.makeLink(url("Library/Caches/out").path, to: "/etc")
    let error = #expect(throws: FileError.self) { try container.resolveAppPath("out/passwd") }
    #expect(error?.code == .outsideRoot)
  }

  @Test(arguments: RelocatablePathTests.hostileNames + ["file:book", "http:", "D:x", "%", "a%2Fb"])
  func everyNameSurvivesTheWayThereAndBack(_ name: String) throws {
    for names in [[name], [name, name], ["downloads", name]] {
      let path = try RelocatablePath(.caches, components: names)
      let absolute = try container.url(for: path).absoluteString
      let stored = container.toAppRelativePath(absolute)
      let back = try container.resolveAppPath(stored)
      #expect(Array(back.utf8) == Array(absolute.utf8), "stored as '\(stored)'")
      #expect(try container.relocatablePath(for: #require(URL(string: back))) == path)
      // A first name that reads as a URL stays absolute; every other one becomes relative.
      let isRelative = Array(stored.utf8) == Array(names.joined(separator: "/").utf8)
      #expect(isRelative || names[0].hasPrefix("file:"), "stored as '\(stored)'")
    }
  }
}
