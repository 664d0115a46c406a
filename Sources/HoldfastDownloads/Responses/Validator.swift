import Foundation

/// The fields by which a server identifies one version of the content.
///
/// - SeeAlso: RFC 9110, section 8.8.
struct Validator: Hashable, Codable {
  var etag: String?
  var lastModified: String?

  /// Whether the time of the last change identifies one version: it does only if the content
  /// could not change again in the same second.
  var isTimeStrong = false

  init(etag: String? = nil, lastModified: String? = nil, isTimeStrong: Bool = false) {
    self.etag = etag
    self.lastModified = lastModified
    self.isTimeStrong = isTimeStrong
  }

  init(of head: ResponseHead) {
    etag = head.field("ETag")
    lastModified = head.field("Last-Modified")
    if let changed = lastModified.flatMap({ HTTPDate.date($0) }),
      let sent = head.field("Date").flatMap({ HTTPDate.date($0) })
    {
      // The interval of RFC 7232, section 2.2.2; RFC 9110 demands a second.
      isTimeStrong = sent.timeIntervalSince(changed) >= 60
    }
  }

  /// The value of the field `If-Range`, which only a strong validator may be; `nil` without one.
  ///
  /// - SeeAlso: RFC 9110, section 13.1.5.
  var ifRange: String? {
    if let etag {
      let isStrong =
        etag.utf8.count >= 2 && etag.utf8.first == UInt8(ascii: "\"")
        && etag.utf8.last == UInt8(ascii: "\"")
      return isStrong ? etag : nil
    }
    return isTimeStrong ? lastModified : nil
  }

  /// Returns whether a later response may contain the same version.
  func allows(_ later: Validator) -> Bool {
    Self.areEqual(etag, later.etag) && Self.areEqual(lastModified, later.lastModified)
  }

  private static func areEqual(_ first: String?, _ second: String?) -> Bool {
    guard let first, let second else { return true }
    return first.utf8.elementsEqual(second.utf8)
  }
}
