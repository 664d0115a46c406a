import HoldfastFiles
import Testing

@Suite struct FilePathTests {
  @Test(arguments: [
    ("/a/b.db", "/a/b.db", "b.db"), ("/a/b///", "/a/b", "b"), ("//a//b", "//a//b", "b"),
    ("/", "/", "/"), ("///", "/", "/"), ("b.db", "b.db", "b.db"), ("", "", "/"),
    // A slash with a combining mark after it is still a slash.
    ("/a/\u{301}b", "/a/\u{301}b", "\u{301}b"), ("/é/e\u{301}/", "/é/e\u{301}", "e\u{301}"),
  ])
  func aPathHasNoTrailingSlashAndALastName(text: String, path: String, name: String) {
    #expect(Array(FilePath(text).text.utf8) == Array(path.utf8))
    #expect(Array(FilePath(text).name.utf8) == Array(name.utf8))
  }
}
