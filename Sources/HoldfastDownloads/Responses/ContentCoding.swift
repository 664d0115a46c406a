import Foundation

/// The field `Content-Encoding`: how a server has compressed the content.
///
/// - SeeAlso: RFC 9110, section 8.4.
enum ContentCoding {
  /// Values in lowercase that real servers send with content that is not coded.
  ///
  /// They name no coding at all: nothing, how the content was uploaded (`aws-chunked`), which characters it has, or that
  /// it is an archive.
  ///
  /// Amazon S3 takes the chunks of an upload apart and forgets `aws-chunked`. Other servers of its protocol take them
  /// apart too, and some send the word with the content all the same. One that stores the chunks as they are stores
  /// another file, with or without the word: an expected length or digest finds that, and the word does not.
  ///
  /// - SeeAlso: <https://docs.aws.amazon.com/AmazonS3/latest/API/sigv4-streaming.html>,
  ///   <https://github.com/versity/versitygw/issues/2398>, <https://github.com/noobaa/noobaa-core/issues/9138>
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
