package import Foundation

/// An answer to a request.
package struct HTTPResponse: Sendable {
  /// The content of an answer.
  package enum Body: Sendable {
    /// Bytes that are there.
    case bytes(Data)
    /// Bytes that come later, until the channel is finished.
    case channel(ByteChannel)
  }

  /// The status, such as 200.
  package var status: Int

  /// The headers, besides those of every answer.
  package var headers: [(name: String, value: String)]

  /// The content.
  package var body: Body

  /// Creates an answer.
  package init(
    status: Int = 200, headers: [(name: String, value: String)] = [], body: Body = .bytes(Data())
  ) {
    (self.status, self.headers, self.body) = (status, headers, body)
  }

  /// Creates an answer with a content of one type.
  ///
  /// - Parameters:
  ///   - content: The bytes.
  ///   - type: The media type, with `charset` if it is a text.
  ///   - status: The status.
  package init(_ content: Data, type: String, status: Int = 200) {
    self.init(status: status, headers: [("Content-Type", type)], body: .bytes(content))
  }

  /// Creates an answer in JSON.
  package init(json: String, status: Int = 200) {
    self.init(Data(json.utf8), type: "application/json; charset=utf-8", status: status)
  }

  /// The policy of answers that are data, and no part of the page.
  package static let dataPolicy = ResponsePolicy.data

  /// The answer to a request that is refused before anything is looked at; it says nothing.
  static let forbidden = HTTPResponse(status: 403)
}
