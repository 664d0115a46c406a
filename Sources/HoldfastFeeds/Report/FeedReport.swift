/// What was found in a feed: how its files were read, how many rows they hold, what is wrong.
///
/// The order is the same on every reading of the same feed. Of each code at most
/// ``problemsKept`` problems per file are kept; the counts are exact.
public struct FeedReport: Sendable, Hashable, Codable {
  /// One file of the feed and how it was read.
  public struct File: Sendable, Hashable, Codable {
    /// The name as GTFS spells it.
    public var name: String
    /// The path inside the archive or folder, as written there.
    public var path: String
    /// The length in bytes, unpacked.
    public var bytes: Int
    /// How many rows the file holds, header and blank lines not counted; `nil` if not read.
    public var rows: Int?
    /// Whether the file begins with a UTF-8 byte order mark, which is skipped.
    public var hasByteOrderMark = false
    /// The kinds of line end in it: `LF`, `CRLF`, `CR`.
    public var lineEnds: [String] = []
  }

  /// How many problems of one code are kept per file.
  public static let problemsKept = 20

  /// The last component of the feed's path.
  public var feed: String
  /// Whether the feed is an archive; otherwise it is a folder.
  public var isArchive: Bool
  /// The directory inside the archive or folder in which the feed lies; empty at the top.
  public var directory: String
  /// The files of the feed, by name.
  public var files: [File] = []
  /// What was found, in the order of reading.
  public var problems: [FeedProblem] = []
  /// How often each code was met, kept or not.
  public var counts: [String: Int] = [:]
  /// How many problems are errors; a feed with one is refused.
  public var errorCount = 0
  /// How many problems are warnings.
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

  /// The number of rows by file name, of the files that were read.
  public var rows: [String: Int] {
    var rows: [String: Int] = [:]
    for file in files { rows[file.name] = file.rows }
    return rows
  }

  /// What was read in another way than it is written.
  public var repairs: [FeedProblem] { problems.filter(\.isRepair) }

  /// The error for which the feed is refused.
  public var firstError: FeedProblem? { problems.first { $0.severity == .error } }
}
