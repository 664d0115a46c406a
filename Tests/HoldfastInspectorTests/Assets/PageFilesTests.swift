import Foundation
import HoldfastTestSupport
import Testing

@testable import HoldfastInspector

/// The files of the page, as they are compiled into the program.
@Suite struct PageFilesTests {
  private static let folder = PackageFolder.root.appending(
    path: "Sources/HoldfastInspector/Page")

  private func body(_ path: [String], _ files: PageFiles = PageFiles(environment: [:])) -> Data? {
    guard case .bytes(let bytes)? = files.response(to: path)?.body else { return nil }
    return bytes
  }

  /// `Scripts/inspector-page` writes the list.
  @Test func everyFileOfTheFolderIsCompiledIn() throws {
    let names = try FileManager.default.subpathsOfDirectory(atPath: Self.folder.path)
      .filter { name in
        let attributes = try FileManager.default.attributesOfItem(
          atPath: Self.folder.appending(path: name).path)
        return attributes[.type] as? FileAttributeType == .typeRegular
          && !name.split(separator: "/").contains { $0.hasPrefix(".") }
      }
    #expect(!names.isEmpty)
    #expect(names.sorted() == PageFiles.names.sorted())
    for name in names {
      let bytes = try Data(contentsOf: Self.folder.appending(path: name))
      #expect(body(name.split(separator: "/").map(String.init)) == bytes, "\(name)")
    }
  }

  @Test func theFolderItselfIsThePage() throws {
    let page = try Data(contentsOf: Self.folder.appending(path: "index.html"))
    #expect(body([]) == page)
    #expect(body([""]) == page)
    #expect(body(["nothing.js"]) == nil)
    #expect(body(["lib"]) == nil)
  }

  @Test func aPageHasAPolicyThatAllowsNoCodeOfOthers() throws {
    let response = try #require(PageFiles(environment: [:]).response(to: []))
    let policy = try #require(
      response.headers.first { $0.name == "Content-Security-Policy" }?.value)
    #expect(policy.hasPrefix("default-src 'none'; script-src 'self';"))
    #expect(!policy.contains("inline") && !policy.contains("eval") && !policy.contains("*"))
  }

  @Test func theFilesOfAFolderAreReadAgainEachTime() throws {
    let folder = try TemporaryDirectory()
    let files = PageFiles(environment: ["HOLDFAST_INSPECTOR_PAGE": folder.url.path])
    #expect(body(["a.js"], files) == nil)
    try Data("1".utf8).write(to: folder.file("a.js"))
    #expect(body(["a.js"], files) == Data("1".utf8))
    try Data("2".utf8).write(to: folder.file("a.js"))
    #expect(body(["a.js"], files) == Data("2".utf8))
  }

  /// Without the map, which is a file of its own.
  @Test func thePageIsSmall() throws {
    let folder = try TemporaryDirectory()
    let process = Process()
    process.executableURL = URL(filePath: "/bin/sh")
    process.arguments = [
      "-c", "find . -type f -exec cat {} + | gzip -9 | wc -c > \(folder.file("count").path)",
    ]
    process.currentDirectoryURL = Self.folder
    try process.run()
    process.waitUntilExit()
    let text = try String(contentsOf: folder.file("count"), encoding: .utf8)
    let count = try #require(Int(text.trimmingCharacters(in: .whitespacesAndNewlines)))
    #expect(count > 1000 && count <= 120_000, "\(count) bytes")
  }
}
