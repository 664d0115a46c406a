import Testing

@testable import HoldfastInspector

/// Which requests come from the page, and which are refused.
@Suite struct RequestGateTests {
  private let gate = RequestGate(token: "0123456789abcdef")

  private func head(
    _ target: String = "/0123456789abcdef/api/overview", _ method: String = "GET",
    host: String? = "127.0.0.1:8080", origin: String? = nil, site: String? = nil,
    mode: String? = nil
  ) -> RequestGate.Head {
    RequestGate.Head(
      method: method, target: target, host: host, origin: origin, fetchSite: site, fetchMode: mode)
  }

  @Test func aRequestOfThePageIsAccepted() {
    #expect(gate.target(of: head())?.path == ["0123456789abcdef", "api", "overview"])
    #expect(gate.target(of: head(origin: "http://127.0.0.1:8080", site: "same-origin")) != nil)
    #expect(gate.target(of: head(method: "POST")) != nil)
  }

  private func head(method: String) -> RequestGate.Head { head("/0123456789abcdef/", method) }

  @Test(arguments: [
    "localhost:9000", "localhost", "127.0.0.1", "[::1]:80",
  ])
  func thisMachineIsAcceptedAtAnyPort(_ host: String) {
    #expect(gate.target(of: head(host: host)) != nil)
  }

  @Test(arguments: [
    "evil.example", "evil.example:8080", "127.0.0.1.evil.example", "localhost.evil.example:80",
    "127.0.0.1:8080:1", "127.0.0.1:", "localhost:http", "", "127.0.0.2",
  ])
  func anotherHostIsRefused(_ host: String) {
    #expect(gate.target(of: head(host: host)) == nil)
  }

  @Test func aRequestWithoutHostIsRefused() {
    #expect(gate.target(of: head(host: nil)) == nil)
  }

  @Test(arguments: [
    "http://evil.example", "https://127.0.0.1:8080", "http://127.0.0.1:8081", "null",
    "http://localhost:8080", "",
  ])
  func anotherOriginIsRefused(_ origin: String) {
    #expect(gate.target(of: head(origin: origin)) == nil)
  }

  @Test func whatAnotherSiteAsksForIsRefused() {
    #expect(gate.target(of: head(site: "cross-site", mode: "no-cors")) == nil)
    #expect(gate.target(of: head(site: "same-site", mode: "cors")) == nil)
    // A link in a terminal of the browser, for instance.
    #expect(gate.target(of: head(site: "cross-site", mode: "navigate")) != nil)
    #expect(
      gate.target(of: head("/0123456789abcdef/", "POST", site: "cross-site", mode: "navigate"))
        == nil)
  }

  @Test(arguments: [
    "/", "/api/overview", "/0123456789abcdee/", "/0123456789abcdef0/", "/0123456789abcde/",
    "/0123456789ABCDEF/", "//0123456789abcdef/", "0123456789abcdef/", "*",
    "http://127.0.0.1:8080/0123456789abcdef/",
  ])
  func aRequestWithoutTheTokenIsRefused(_ target: String) {
    #expect(gate.target(of: head(target)) == nil)
  }

  @Test(arguments: ["PUT", "DELETE", "OPTIONS", "TRACE", "get"])
  func anotherMethodIsRefused(_ method: String) {
    #expect(gate.target(of: head(method: method)) == nil)
  }
}
