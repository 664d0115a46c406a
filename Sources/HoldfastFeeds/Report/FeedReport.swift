/// A report on a feed: how its files were read, their numbers of rows, and their problems.
///
/// The order is the same each time the same feed is read. At most ``problemsKept`` problems per
/// code and file are kept; the counts are exact.
public struct FeedReport: Sendable, Hashable, Codable {
  /// A file of the feed and how it was read.
  public struct File: Sendable, Hashable, Codable {
    /// The name as GTFS spells it.
    public var name: String
    /// The path inside the archive or folder, as written there.
    public var path: String
    /// The uncompressed length in bytes.
    public var bytes: Int
    /// The number of rows, without the header and blank lines; `nil` if the file was not read.
    public var rows: Int?
    /// Whether the file begins with a UTF-8 byte order mark, which is skipped.
    public var hasByteOrderMark = false
    /// The kinds of line endings in the file: `LF`, `CRLF`, `CR`.
    public var lineEnds: [String] = []
  }

  /// The number of problems of one code that are kept per file.
  public static let problemsKept = 20

  /// The last component of the feed's path.
  public var feed: String
  /// Whether the feed is an archive; otherwise it is a folder.
  public var isArchive: Bool
  /// The directory of the feed inside the archive or folder; empty at the top level.
  public var directory: String
  /// The files of the feed, by name.
  public var files: [File] = []
  /// The problems, in the order of reading.
  public var problems: [FeedProblem] = []
  /// The number of problems with each code, including those not kept.
  public var counts: [String: Int] = [:]
  /// The number of errors; a feed with any error is refused.
  public var errorCount = 0
  /// The number of warnings.
  public var warningCount = 0

  init(feed: String, isArchive: Bool, directory: String) {
    self.feed = feed
    self.isArchive = isArchive
    self.directory = directory
  }

  mutating func count(_ problem: FeedProblem, times: Int = 1) {
    counts[problem.code, default: 0] += times
    switch problem.severity {
    case .error: errorCount += times
    case .warning: warningCount += times
    case .info: break
    }
  }

  /// The numbers of rows by file name, for the files that were read.
  public var rows: [String: Int] {
    var rows: [String: Int] = [:]
    for file in files { rows[file.name] = file.rows }
    return rows
  }

  /// The problems where something was interpreted differently than it is written.
  public var repairs: [FeedProblem] { problems.filter(\.isRepair) }

  /// The error because of which the feed is refused.
  public var firstError: FeedProblem? { problems.first { $0.severity == .error } }
}
