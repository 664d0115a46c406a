public import Foundation
public import HoldfastFiles

/// A file that was downloaded, checked and renamed to its destination.
public struct DownloadedFile: Hashable, Sendable {
  /// The id of the request.
  public var id: String

  /// The URL of the request that fetched the content.
  public var source: URL

  /// The file.
  public var destination: RelocatablePath

  /// The length in bytes.
  public var byteCount: Int64

  /// The SHA-256 of the content; `nil` when a file that existed before was taken without reading it.
  public var sha256: SHA256Digest?

  /// Whether the file existed before and nothing was transferred.
  public var isExisting = false
}
