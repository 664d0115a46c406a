import Foundation
import HoldfastTestSupport
import Testing

@testable import HoldfastInspector

/// The server, by real requests.
@Suite struct InspectorServerTests {
  private let server: InspectorServer
  private let client: PageClient

  init() throws {
    server = try InspectorServer(port: 0) { request in
      if request.path == ["stream"] {
        let channel = ByteChannel()
        for _ in 0..<40 { _ = channel.offer(Data(repeating: UInt8(ascii: "x"), count: 10_000)) }
        channel.finish(complete: request["broken"] == nil)
        return HTTPResponse(headers: [("Content-Type", "text/plain")], body: .channel(channel))
      }
      let parts = [
        request.method, request.path.joined(separator: "/"),
        request.query.map { "\($0.name)=\($0.value)" }.joined(separator: "&"),
        "\(request.body.count)", request.base,
      ]
      return HTTPResponse(Data(parts.joined(separator: "\n").utf8), type: "text/plain")
    }
    client = PageClient(base: server.url.absoluteString)
  }

  @Test func aRequestArrivesAsItWasSent() throws {
    defer { server.stop() }
    let answer = try client.send("a%20b/c?x=%3Cscript%3E&x=2")
    #expect(answer.status == 200)
    #expect(
      answer.text == "GET\na b/c\nx=<script>&x=2\n0\n\(server.url.absoluteString)")
    let sent = try client.send("p", body: Data(count: 300_000))
    #expect(sent.text.hasPrefix("POST\np\n\n300000\n"))
  }

  @Test func everyAnswerHasTheHeadersOfItsPolicy() throws {
    defer { server.stop() }
    let headers = try client.send("a").headers
    #expect(headers["x-content-type-options"] == "nosniff")
    #expect(headers["referrer-policy"] == "no-referrer")
    #expect(headers["cache-control"] == "no-store")
    #expect(headers["cross-origin-resource-policy"] == "same-origin")
  }

  @Test(arguments: [
    ["-H", "Host: evil.example"], ["-H", "Host:"], ["-H", "Origin: http://evil.example"],
    ["-H", "Origin: null"], ["-H", "Sec-Fetch-Site: cross-site"], ["-X", "PUT"], ["-X", "OPTIONS"],
  ])
  func whatDoesNotComeFromThePageIsRefused(_ options: [String]) throws {
    defer { server.stop() }
    let answer = try client.send("a", options)
    // Without a host, libmicrohttpd itself refuses what is not HTTP/1.1.
    #expect([400, 403].contains(answer.status))
    #expect(answer.body.isEmpty || answer.status == 400)
  }

  @Test func aRequestWithoutTheTokenGetsNothing() throws {
    defer { server.stop() }
    let others = PageClient(base: "http://127.0.0.1:\(server.port)/")
    for path in ["", "api/overview", "x/../\(server.token)/a", "\(server.token.dropLast())x/a"] {
      let answer = try others.send(path)
      #expect(answer.status == 403 && answer.body.isEmpty, "\(path)")
    }
  }

  @Test func theServerIsNotSeenFromOutside() throws {
    defer { server.stop() }
    // Of 127.0.0.0/8 it has one address; any other interface has none.
    let other = PageClient(base: "http://127.0.0.2:\(server.port)/\(server.token)/")
    #expect(try other.send("a").status == 0)
  }

  @Test func aForwardedPortWorks() throws {
    defer { server.stop() }
    let answer = try client.send(
      "a", ["-H", "Host: localhost:9000", "-H", "Origin: http://localhost:9000"])
    #expect(answer.status == 200)
    #expect(answer.text.hasSuffix("http://localhost:9000/\(server.token)/"))
  }

  @Test func aContentThatIsTooLongIsRefused() throws {
    defer { server.stop() }
    let answer = try client.send("a", body: Data(count: InspectorServer.longestBody + 1))
    #expect(answer.status == 413)
  }

  @Test func aStreamArrivesWholeOrBroken() throws {
    defer { server.stop() }
    #expect(try client.send("stream").body.count == 400_000)
    let broken = try client.send("stream?broken=1", ["--fail-early", "-w", "%{errormsg}"])
    #expect(broken.body.count <= 400_000)
    #expect(broken.headers["transfer-encoding"] == "chunked")
  }

  @Test func anAnswerMayTakeLongerThanAConnectionMayRest() throws {
    let wait = { @Sendable in _ = DispatchSemaphore(value: 0).wait(timeout: .now() + 2.2) }
    let slow = try InspectorServer(port: 0, timeout: 1) { request in
      guard request.path == ["stream"] else {
        wait()
        return HTTPResponse(Data("whole".utf8), type: "text/plain")
      }
      let channel = ByteChannel()
      DispatchQueue.global().async {
        for word in ["a", "b"] {
          wait()
          _ = channel.send(Data(word.utf8))
        }
        channel.finish()
      }
      return HTTPResponse(headers: [("Content-Type", "text/plain")], body: .channel(channel))
    }
    defer { slow.stop() }
    let client = PageClient(base: slow.url.absoluteString)
    #expect(try client.send("a").text == "whole")
    #expect(try client.send("stream").text == "ab")
  }

  @Test func aReceiverThatIsGoneIsNoticedAlthoughNothingIsSent() throws {
    let isGone = DispatchSemaphore(value: 0)
    let silent = try InspectorServer(port: 0) { _ in
      let channel = ByteChannel()
      channel.atClose { isGone.signal() }
      return HTTPResponse(headers: [("Content-Type", "text/plain")], body: .channel(channel))
    }
    defer { silent.stop() }
    _ = try PageClient(base: silent.url.absoluteString).send("a", ["-m", "1"])
    #expect(isGone.wait(timeout: .now() + 60) == .success)
  }

  @Test func aPortThatIsTakenIsReported() throws {
    defer { server.stop() }
    do {
      _ = try InspectorServer(port: server.port) { _ in HTTPResponse() }
      Issue.record("it was started")
    } catch {
      #expect(error.message.contains("port \(server.port)"))
      #expect(error.advice?.contains("Choose another port") == true)
    }
  }

  @Test func tokensAreLongAndDiffer() {
    let tokens = (0..<100).map { _ in InspectorServer.randomToken() }
    #expect(Set(tokens).count == 100)
    #expect(tokens.allSatisfy { $0.wholeMatch(of: /[0-9a-f]{32}/) != nil })
  }
}
