import HoldfastFiles

/// The media types that the content of a request may have.
///
/// A network with a log-in page, or a server that lost the file, answers with a page and the status
/// 200.
enum AcceptedTypes: Hashable {
  case any
  /// All but pages.
  case noPages
  /// These alone, in lowercase; `audio/*` stands for all of its kind.
  case these([String])

  private static let pages = ["text/html", "application/xhtml+xml"]

  init(_ request: DownloadRequest) {
    if let types = request.acceptedTypes {
      self = .these(types.map { $0.lowercased() })
      return
    }
    let name = request.destination.components.last?.lowercased() ?? ""
    let isPage = [".html", ".htm", ".xhtml", ".xht"].contains { name.hasSuffix($0) }
    // A digest says more than a type.
    self = isPage || request.expectedSHA256 != nil ? .any : .noPages
  }

  /// Returns whether a value of the field `Content-Type` is accepted; a server may leave it out.
  ///
  /// - SeeAlso: RFC 9110, section 8.3.
  func accepts(_ contentType: String?) -> Bool {
    guard let contentType else { return true }
    let type = contentType.prefix { $0 != ";" }.filter { $0 != " " && $0 != "\t" }.lowercased()
    switch self {
    case .any: return true
    case .noPages: return !Self.pages.contains(type)
    case .these(let types):
      return types.contains { accepted in
        accepted == type || accepted == "*/*"
          || (accepted.hasSuffix("/*") && type.hasPrefix(accepted.dropLast()))
      }
    }
  }
}
