public import Foundation
public import HoldfastFiles

/// A file to download: where it comes from, where it belongs, and what is known about its content.
///
/// ```swift
/// var request = DownloadRequest(
///   id: "book-17-part-3", from: url, to: try RelocatablePath(.documents, "downloads", "17", "3.m4b"))
/// request.expectedByteCount = 41_200_318
/// ```
public struct DownloadRequest: Sendable {
  /// The app's name for the download, compared byte by byte.
  ///
  /// It finds a running download, and what an earlier process has received of it.
  public var id: String

  /// The URL of the content, with the scheme `http` or `https`.
  ///
  /// It is stored while the download is not finished; ``headers`` are not. A later request with the
  /// same id and another URL, such as one that is signed again, continues what was received only if
  /// both have the same ``expectedSHA256``.
  public var url: URL

  /// The file to create.
  public var destination: RelocatablePath

  /// Fields that are sent with the request, such as `Authorization`.
  ///
  /// They are never stored. A redirect to another host gets none of `Authorization`,
  /// `Proxy-Authorization` and `Cookie`. The fields `Range`, `If-Range` and `Accept-Encoding` are
  /// the downloader's own.
  public var headers: [String: String] = [:]

  /// The length of the content in bytes, if it is known; only zero allows an empty file.
  public var expectedByteCount: Int64?

  /// The SHA-256 of the content, if it is known.
  public var expectedSHA256: SHA256Digest?

  /// The media types that the content may have, such as `audio/mp4` or `audio/*`.
  ///
  /// With `nil`, the default, any type but a page's (`text/html`, `application/xhtml+xml`), because
  /// a network with a log-in page answers each request with one. A page is accepted where the
  /// destination's name ends in `.html`, `.htm`, `.xhtml` or `.xht`, and where ``expectedSHA256``
  /// proves the content. Content whose type the server does not say is accepted.
  public var acceptedTypes: [String]?

  /// The order among waiting downloads.
  public var priority = DownloadPriority.normal

  /// The attributes of the file, set before it gets its name.
  public var attributes = FileAttributes(isExcludedFromBackup: true)

  /// Whether a file at the destination is downloaded again and replaced, and a running download of
  /// the same id is abandoned for this one.
  public var isForced = false

  /// Creates a request.
  ///
  /// - Parameters:
  ///   - id: The app's name for the download.
  ///   - url: The URL of the content.
  ///   - destination: The file to create; its folder is created if it is missing.
  public init(id: String, from url: URL, to destination: RelocatablePath) {
    self.id = id
    self.url = url
    self.destination = destination
  }
}

extension DownloadRequest {
  /// The host and the port, which share a limit of concurrent downloads.
  var host: String {
    let port = url.port ?? (url.scheme?.lowercased() == "https" ? 443 : 80)
    return "\(url.host()?.lowercased() ?? ""):\(port)"
  }

  /// Throws when the request cannot be performed.
  func validate() throws(DownloadError) {
    guard !id.isEmpty else { throw .invalidRequest(self, .emptyID) }
    guard ["http", "https"].contains(url.scheme?.lowercased()), url.host()?.isEmpty == false else {
      throw .invalidRequest(self, .url)
    }
    guard !destination.components.isEmpty, destination.root != .bundle else {
      throw .invalidRequest(self, .destination)
    }
    if let count = expectedByteCount, count < 0 { throw .invalidRequest(self, .length) }
    for (name, value) in headers {
      // A line break would begin another field, or another request.
      let bytes = Array(name.utf8) + Array(value.utf8)
      guard !name.isEmpty, bytes.allSatisfy({ $0 >= 0x20 || $0 == 0x09 }), !name.contains(":")
      else {
        throw .invalidRequest(self, .header(name))
      }
    }
  }

  /// The reason a request was refused.
  enum Flaw {
    case emptyID, url, destination, length
    case header(String)
  }
}
