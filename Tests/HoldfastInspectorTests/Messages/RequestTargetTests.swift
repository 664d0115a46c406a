import Testing

@testable import HoldfastInspector

/// Paths and queries, decoded.
@Suite struct RequestTargetTests {
  @Test func pathsAndParametersAreDecoded() throws {
    let target = try #require(RequestTarget("/a/b%20c/?x=1&where=n%3Aeq%3Aa%2Bb+c&x=2&empty&y="))
    #expect(target.path == ["a", "b c", ""])
    #expect(target.query.map(\.name) == ["x", "where", "x", "empty", "y"])
    #expect(target.query.map(\.value) == ["1", "n:eq:a+b c", "2", "", ""])
  }

  @Test func everyCharacterArrives() throws {
    let target = try #require(RequestTarget("/t?name=%3Cscript%3E%22%27%E2%80%AE%00%F0%9F%98%80"))
    #expect(target.query[0].value == "<script>\"'\u{202E}\0😀")
  }

  @Test(arguments: [
    "/a/../b", "/a/%2e%2e/b", "/a/./b", "/a%2Fb", "/a%00", "/%ff", "/%4", "/%zz", "/a?x=%ff", "a",
    "", "?x=1",
  ])
  func whatLeadsElsewhereOrIsNoTextIsRefused(_ text: String) {
    #expect(RequestTarget(text) == nil)
  }
}
