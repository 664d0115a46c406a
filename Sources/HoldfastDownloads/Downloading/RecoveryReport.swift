/// A report on the downloads of the previous process, and on what became of them.
public struct RecoveryReport: Sendable {
  /// Files that were complete: they were given their names if they lacked them, and recorded.
  public var recorded: [DownloadedFile] = []

  /// Downloads that can be continued: start them again, with the fields of their requests, which are
  /// not stored.
  public var unfinished: [DownloadRequest] = []

  /// Complete downloads whose destination another file has taken; the content is kept.
  public var occupied: [DownloadRequest] = []

  /// Complete downloads whose file is gone, which are forgotten.
  public var lost: [DownloadRequest] = []

  /// Downloads that could not be examined or recorded, and why; they are kept.
  public var postponed: [(request: DownloadRequest, error: any Error)] = []

  /// The names of files of the downloader that could not be read or removed, and why; they stay, and
  /// the downloads that they belong to fail with the same error.
  public var unreadable: [(name: String, error: any Error)] = []

  /// The names of useless files that were removed: parts and entries that belong to nothing.
  public var removed: [String] = []

  /// Creates an empty report.
  public init() {}
}
