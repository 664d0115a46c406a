import Foundation

/// The decision whether a redirect is followed.
enum RedirectVerdict: Equatable {
  /// The request is sent to the URL, with or without the fields that identify the user.
  case follow(URL, keepsCredentials: Bool)
  case refuse(Reason)

  enum Reason: Equatable {
    case tooMany(Int)
    case loop
    case insecure
    case scheme
  }

  /// Decides about a redirect.
  ///
  /// - Parameters:
  ///   - target: The URL that the redirect leads to.
  ///   - visited: The URLs of the requests so far, the first one first.
  ///   - limit: The greatest number of redirects.
  init(to target: URL, after visited: [URL], limit: Int) {
    let last = visited.last
    guard let scheme = target.scheme?.lowercased(), ["http", "https"].contains(scheme),
      target.host()?.isEmpty == false
    else {
      self = .refuse(.scheme)
      return
    }
    if last?.scheme?.lowercased() == "https", scheme == "http" {
      self = .refuse(.insecure)
    } else if visited.contains(where: { Self.isSame($0, target) }) {
      self = .refuse(.loop)
    } else if visited.count > limit {
      self = .refuse(.tooMany(limit))
    } else {
      self = .follow(
        target, keepsCredentials: visited.allSatisfy { Self.origin($0) == Self.origin(target) })
    }
  }

  private static func isSame(_ first: URL, _ second: URL) -> Bool {
    first.absoluteString.utf8.elementsEqual(second.absoluteString.utf8)
  }

  private static func origin(_ url: URL) -> [String] {
    let scheme = url.scheme?.lowercased() ?? ""
    let port = url.port ?? (scheme == "https" ? 443 : 80)
    return [scheme, url.host()?.lowercased() ?? "", "\(port)"]
  }
}
