/// The decision about a response, made before its body is read.
enum ResponseVerdict: Equatable {
  /// The body is written.
  case accept(Body)
  /// The part is dropped and the content requested from its first byte.
  case startOver(Reason)
  /// The same request is sent again later.
  case retry(DownloadError, after: Duration?)
  /// The download fails.
  case refuse(DownloadError)

  /// A body that belongs to the content.
  struct Body: Equatable {
    /// The place of its first byte.
    var start: Int64
    /// The place after its last byte; `nil` when only the end of the body shows it.
    var end: Int64?
    /// The length of the complete content, if known.
    var total: Int64?
    var validator: Validator
    /// Whether the response stands for empty content; its own body is an explanation.
    var isEmpty = false
  }

  /// The reason the content is fetched from its first byte.
  enum Reason: Equatable {
    /// The server has another version now.
    case changed
    /// The server sent other bytes than those requested.
    case wrongRange
    /// Nothing proves that the pieces belong to one version.
    case notJoinable
    /// The complete content has another digest than expected.
    case digest
  }

  static func == (left: ResponseVerdict, right: ResponseVerdict) -> Bool {
    switch (left, right) {
    case (.accept(let left), .accept(let right)): left == right
    case (.startOver(let left), .startOver(let right)): left == right
    case (.retry(let left, let delay), .retry(let right, let other)):
      left.code == right.code && left.status == right.status && delay == other
    case (.refuse(let left), .refuse(let right)):
      left.code == right.code && left.status == right.status
    default: false
    }
  }
}
