package import Foundation

/// A request as the server received it.
package struct HTTPRequest: Sendable {
  /// The method, such as `GET`.
  package var method: String

  /// The parts of the path below the token, decoded; empty for the folder itself.
  package var path: [String]

  /// The parameters of the query, decoded, in their order.
  package var query: [(name: String, value: String)]

  /// The content of a `POST`.
  package var body: Data

  /// The address of the page as the browser knows it, which a forwarded port changes; it ends with a slash.
  package var base: String

  /// Creates a request.
  package init(
    method: String = "GET", path: [String], query: [(name: String, value: String)] = [],
    body: Data = Data(), base: String = "/"
  ) {
    (self.method, self.path, self.query, self.body) = (method, path, query, body)
    self.base = base
  }

  /// Returns the first value of a parameter; `nil` when it is absent.
  package subscript(name: String) -> String? {
    query.first { $0.name.utf8.elementsEqual(name.utf8) }?.value
  }

  /// Returns all values of a parameter.
  package func values(of name: String) -> [String] {
    query.filter { $0.name.utf8.elementsEqual(name.utf8) }.map(\.value)
  }
}
