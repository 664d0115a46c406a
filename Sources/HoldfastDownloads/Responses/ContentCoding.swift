import Foundation

/// The field `Content-Encoding`: how a server has compressed the content.
///
/// - SeeAlso: RFC 9110, section 8.4.
enum ContentCoding {
  /// Values in lowercase that real servers send with content that is not coded.
  ///
  /// They name no coding at all: nothing, how the content was uploaded (`aws-chunked`), which characters it has, or that
  /// it is an archive.
  private static let plain: Set = [
    "", "identity", "none", "binary", "8bit", "utf-8", "utf8", "aws-chunked", "zip",
  ]

  /// Returns the value of the field if the content of a response is coded; `nil` if it is as it is stored.
  static func coding(of head: ResponseHead) -> String? {
    guard let text = head.field("Content-Encoding") else { return nil }
    let isPlain = text.lowercased().split(separator: ",").allSatisfy { coding in
      plain.contains(coding.trimmingCharacters(in: .whitespaces))
    }
    return isPlain ? nil : text
  }
}
