/// The decision whether a request comes from the page that this server serves.
///
/// Other programs of this machine, and pages of other sites in the same browser, can reach a server on
/// the loopback address. The first do not know the token. A page does not either, and its requests have
/// its own origin; one that has rebound its name to this address has its name as `Host`.
///
/// - SeeAlso: <https://www.rfc-editor.org/rfc/rfc9110#section-7.2>,
///   <https://fetch.spec.whatwg.org/#origin-header>, <https://www.w3.org/TR/fetch-metadata/>
struct RequestGate: Sendable {
  /// The first part of every path.
  let token: String

  /// The parts of a request that decide.
  struct Head: Sendable {
    var method: String
    /// The path and the query, as they were sent.
    var target: String
    var host: String?
    var origin: String?
    var fetchSite: String?
    var fetchMode: String?
  }

  /// Returns what is asked for; `nil` when the request is refused.
  func target(of head: Head) -> RequestTarget? {
    guard ["GET", "HEAD", "POST"].contains(head.method), let host = head.host, Self.isLoopback(host)
    else { return nil }
    // A browser sends it with each POST, and with what another origin asks for.
    if let origin = head.origin, origin != "http://\(host)" { return nil }
    switch head.fetchSite {
    case nil, "same-origin", "none": break
    // A link to the page, followed by its reader, who had to know the token.
    default: guard head.fetchMode == "navigate", head.method == "GET" else { return nil }
    }
    guard let target = RequestTarget(head.target), let first = target.path.first,
      isToken(first)
    else { return nil }
    return target
  }

  /// Whether a name is the token, in a time that does not depend on where it differs.
  private func isToken(_ name: String) -> Bool {
    guard name.utf8.count == token.utf8.count else { return false }
    return zip(name.utf8, token.utf8).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
  }

  /// Whether a host is this machine, at any port, because a forwarded port has another number.
  private static func isLoopback(_ host: String) -> Bool {
    for name in ["127.0.0.1", "localhost", "[::1]"] {
      guard host.utf8.starts(with: name.utf8) else { continue }
      let port = host.utf8.dropFirst(name.utf8.count)
      if port.isEmpty { return true }
      return port.first == UInt8(ascii: ":")
        && UInt16(String(Substring(port.dropFirst()))) != nil
    }
    return false
  }
}
