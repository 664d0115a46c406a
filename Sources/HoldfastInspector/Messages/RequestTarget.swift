import HoldfastFiles

/// The target of a request in the first line of HTTP: a path and a query.
///
/// - SeeAlso: <https://www.rfc-editor.org/rfc/rfc9112#section-3.2>,
///   <https://url.spec.whatwg.org/#application/x-www-form-urlencoded>
struct RequestTarget: Sendable {
  /// The parts of the path, decoded.
  let path: [String]

  /// The parameters of the query, decoded, in their order.
  let query: [(name: String, value: String)]

  /// Reads a target; `nil` when it is not a path, or is not UTF-8, or a part could lead to another folder.
  init?(_ text: String) {
    let bytes = Array(text.utf8)
    guard bytes.first == UInt8(ascii: "/") else { return nil }
    let mark = bytes.firstIndex(of: UInt8(ascii: "?")) ?? bytes.endIndex
    var path: [String] = []
    for part in bytes[1..<mark].split(
      separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    {
      guard let name = Self.decoded(part, plusIsSpace: false), ![".", ".."].contains(name),
        !name.utf8.contains(0), !name.utf8.contains(UInt8(ascii: "/"))
      else { return nil }
      path.append(name)
    }
    var query: [(name: String, value: String)] = []
    for pair in bytes[mark...].dropFirst().split(separator: UInt8(ascii: "&")) {
      let end = pair.firstIndex(of: UInt8(ascii: "=")) ?? pair.endIndex
      guard let name = Self.decoded(pair[..<end], plusIsSpace: true),
        let value = Self.decoded(pair[end...].dropFirst(), plusIsSpace: true)
      else { return nil }
      query.append((name, value))
    }
    (self.path, self.query) = (path, query)
  }

  private static func decoded(_ bytes: ArraySlice<UInt8>, plusIsSpace: Bool) -> String? {
    var result: [UInt8] = []
    var rest = bytes
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "+"), plusIsSpace {
        result.append(UInt8(ascii: " "))
      } else if byte == UInt8(ascii: "%") {
        guard let high = rest.popFirst().flatMap(HexText.digit),
          let low = rest.popFirst().flatMap(HexText.digit)
        else { return nil }
        result.append(high << 4 | low)
      } else {
        result.append(byte)
      }
    }
    return String(validating: result, as: UTF8.self)
  }
}
