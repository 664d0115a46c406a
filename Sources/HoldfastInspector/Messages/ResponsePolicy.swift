/// The headers that keep what a database contains from becoming code, and from leaving the browser.
///
/// - SeeAlso: <https://www.w3.org/TR/CSP3/>, <https://fetch.spec.whatwg.org/#x-content-type-options-header>
enum ResponsePolicy {
  /// The headers of every answer.
  static let headers: [(name: String, value: String)] = [
    ("X-Content-Type-Options", "nosniff"), ("Referrer-Policy", "no-referrer"),
    ("Cross-Origin-Opener-Policy", "same-origin"), ("Cross-Origin-Resource-Policy", "same-origin"),
    ("Cache-Control", "no-store"),
  ]

  /// The policy of the page and its parts.
  ///
  /// The map engine's worker is a file of this server.
  static let page = [
    "default-src 'none'", "script-src 'self'", "style-src 'self'", "img-src 'self' blob: data:",
    "connect-src 'self'", "worker-src 'self'", "font-src 'self'", "form-action 'none'",
    "frame-ancestors 'none'", "base-uri 'none'",
  ].joined(separator: "; ")

  /// The policy of the map engine's worker, which asks for tiles.
  static let worker = "default-src 'none'; connect-src 'self'; script-src 'self'"

  /// The policy of data, which a browser may be told to show as a page of its own.
  static let data = "default-src 'none'; frame-ancestors 'none'; sandbox"
}
