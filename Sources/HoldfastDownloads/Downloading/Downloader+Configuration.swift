extension Downloader {
  /// The limits of a downloader.
  public struct Configuration: Sendable {
    /// The greatest number of transfers at a time.
    public var limit = 4

    /// The greatest number of transfers at a time from one host.
    public var hostLimit = 2

    /// The schedule by which a failed transfer is tried again.
    public var retryPolicy = RetryPolicy()

    /// The length of the ranges in which a file is requested, in bytes; from 1 to 8 MiB.
    ///
    /// It limits what is in memory where the system's session reads faster than the file is
    /// written.
    public var rangeByteCount: Int64 = 8 * 1024 * 1024

    /// The space in bytes that a download leaves free on the volume.
    public var freeSpaceReserve: Int64 = 64 * 1024 * 1024

    /// The time for which a transfer may receive nothing.
    public var timeout: Duration = .seconds(60)

    /// The greatest number of redirects of one request.
    public var redirectLimit = 10

    /// Creates the default limits.
    public init() {}

    /// The length of a range within its bounds.
    var rangeLength: Int64 { min(max(rangeByteCount, 1), 8 * 1024 * 1024) }
  }
}
