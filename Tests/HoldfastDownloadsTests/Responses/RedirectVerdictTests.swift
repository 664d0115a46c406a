import Foundation
import Testing

@testable import HoldfastDownloads

struct RedirectVerdictTests {
  private func url(_ text: String) throws -> URL { try #require(URL(string: text)) }

  private func verdict(_ target: String, after visited: String...) throws -> RedirectVerdict {
    RedirectVerdict(to: try url(target), after: try visited.map(url), limit: 3)
  }

  @Test func aRedirectIsFollowed() throws {
    #expect(
      try verdict("http://a/2", after: "http://a/1")
        == .follow(url("http://a/2"), keepsCredentials: true))
    #expect(
      try verdict("https://a/1", after: "http://a/1")
        == .follow(url("https://a/1"), keepsCredentials: false))
  }

  @Test(arguments: ["http://b/1", "http://a:8080/1", "http://a.evil/1"])
  func anotherOriginGetsNoCredentials(_ target: String) throws {
    #expect(
      try verdict(target, after: "http://a/1") == .follow(url(target), keepsCredentials: false))
  }

  @Test func credentialsDoNotComeBack() throws {
    #expect(
      try verdict("http://a/3", after: "http://a/1", "http://b/2")
        == .follow(url("http://a/3"), keepsCredentials: false))
  }

  @Test func aRedirectOutOfTLSIsRefused() throws {
    #expect(try verdict("http://a/1", after: "https://a/1") == .refuse(.insecure))
  }

  @Test func aLoopIsRefused() throws {
    #expect(try verdict("http://a/1", after: "http://a/1", "http://a/2") == .refuse(.loop))
  }

  @Test func thereIsALimit() throws {
    #expect(
      try verdict("http://a/5", after: "http://a/1", "http://a/2", "http://a/3", "http://a/4")
        == .refuse(.tooMany(3)))
    #expect(
      try verdict("http://a/4", after: "http://a/1", "http://a/2", "http://a/3")
        == .follow(url("http://a/4"), keepsCredentials: true))
  }

  @Test(arguments: ["ftp://a/1", "file:///etc/passwd", "data:,x", "http:///x"])
  func anotherSchemeIsRefused(_ target: String) throws {
    #expect(try verdict(target, after: "http://a/1") == .refuse(.scheme))
  }
}
