import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The status and the fields of a response.
struct ResponseHead: Hashable, Sendable {
  var status: Int

  /// The fields by their names in lowercase.
  private var fields: [String: String] = [:]

  /// Whether the connection protects the content from being cut unnoticed.
  var isSecure: Bool

  init(status: Int, fields: [String: String] = [:], isSecure: Bool = false) {
    self.status = status
    self.isSecure = isSecure
    for (name, value) in fields { self.fields[name.lowercased()] = value }
  }

  init(_ response: HTTPURLResponse) {
    status = response.statusCode
    isSecure = response.url?.scheme?.lowercased() == "https"
    for (name, value) in response.allHeaderFields {
      guard let name = name as? String, let value = value as? String else { continue }
      fields[name.lowercased()] = value
    }
  }

  /// Returns the value of a field, in whatever letter case its name is written.
  func field(_ name: String) -> String? { fields[name.lowercased()] }

  /// Whether the end of the content is marked, so that a cut is noticed without a length.
  ///
  /// Content without a length and without chunks ends with the connection. HTTP/2 and later, which
  /// are used over TLS alone, mark the end, and TLS itself reports a connection that was cut.
  var marksItsEnd: Bool {
    let isChunked = field("Transfer-Encoding")?.lowercased().contains("chunked") == true
    return field("Content-Length") != nil || isChunked || isSecure
  }
}
