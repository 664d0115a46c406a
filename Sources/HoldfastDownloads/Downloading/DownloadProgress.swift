/// The progress of a download.
public struct DownloadProgress: Hashable, Sendable {
  /// The state.
  public var state: DownloadState

  /// The number of bytes received, in earlier attempts and processes too.
  public var byteCount: Int64 = 0

  /// The length of the content in bytes; `nil` while it is not known.
  public var totalByteCount: Int64?

  /// The received share, from 0 to 1; `nil` while the length is not known.
  public var fraction: Double? {
    guard let totalByteCount else { return nil }
    return totalByteCount == 0 ? 1 : Double(byteCount) / Double(totalByteCount)
  }
}
