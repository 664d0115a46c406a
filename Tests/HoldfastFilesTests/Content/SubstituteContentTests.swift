import Foundation
import HoldfastFiles
import HoldfastTestSupport
import Testing

@Suite struct SubstituteContentTests {
  @Test(
    arguments: [
      ("version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12345\n", .pointer),
      ("version 1", nil), ("<!doctype HTML>", .page), ("\u{FEFF}\r\n <HTML lang=en>", .page),
      ("<htm", nil), ("<?xml version=\"1.0\"?><plist/>", nil), ("", nil),
      ("stop_id,stop_name", nil),
    ] as [(String, SubstituteContent?)])
  func `Text in place of a file is recognized`(text: String, content: SubstituteContent?) {
    #expect(SubstituteContent(Array(text.utf8)) == content)
  }

  @Test func `A compressed file is recognized`() {
    #expect(SubstituteContent(GzipDeflater.deflate([1, 2, 3])) == .gzip)
    #expect(SubstituteContent([0x1F, 0x8B]) == nil)
  }

  @Test func `The first bytes of a file show it`() throws {
    let directory = try TemporaryDirectory()
    let path = try FilePath(of: directory.file("file"))
    #expect(SubstituteContent(at: path) == nil)
    try Data("<html>\(String(repeating: " ", count: 9000))".utf8).write(to: path.url)
    #expect(SubstituteContent(at: path) == .page)
  }
}
