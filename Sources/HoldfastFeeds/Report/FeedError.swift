/// An error for a feed that could not be read or was refused.
///
/// `message` says what happened, to which file and why; `advice` says what to do next. The error
/// for a feed with invalid contents has the place of its first error and the whole ``report``.
public struct FeedError: Error, Sendable {
  /// The kinds of errors; later versions may add codes.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    private enum Kind: String {
      case notFound, unreadable, notAFeed, damaged, badData, unsoundDatabase
      case foreignOutput, outputExists, outputInUse
      case unusablePrefix
    }
    private var kind: Kind

    /// There is no file or folder at the given path.
    public static let notFound = Code(kind: .notFound)
    /// The system refused to read the file or folder: no permission, an I/O error, not a file.
    public static let unreadable = Code(kind: .unreadable)
    /// The file or folder is not a GTFS feed, or the feed's location in it is ambiguous.
    public static let notAFeed = Code(kind: .notAFeed)
    /// The archive is truncated, altered, encrypted or compressed in an unsupported way.
    public static let damaged = Code(kind: .damaged)
    /// The feed was read and is refused because of its contents or a missing file.
    public static let badData = Code(kind: .badData)

    /// Feeds that are imported together could have equal identifiers, because of their prefixes.
    public static let unusablePrefix = Code(kind: .unusablePrefix)

    /// The output is the name of a file that is not a timetable database, or, for an export, of one
    /// that may not be replaced.
    public static let foreignOutput = Code(kind: .foreignOutput)
    /// The output exists, and was not to be replaced.
    public static let outputExists = Code(kind: .outputExists)
    /// A process has the output open, or holds a lock on it.
    public static let outputInUse = Code(kind: .outputInUse)
    /// The created database did not pass its check: a bug in this library.
    public static let unsoundDatabase = Code(kind: .unsoundDatabase)

    /// The code's name, for logs and for output that programs read.
    public var description: String { kind.rawValue }
  }

  /// The kind of the error.
  public var code: Code
  /// A sentence that describes the failure, the file and the reason.
  public var message: String
  /// An imperative sentence that says what to do next.
  public var advice: String?
  /// The file that the error is about: a file of the feed if one is known, otherwise the feed.
  public var file: String?
  /// The physical line on which the row starts; the header is line 1.
  public var line: Int?
  /// The column's name as GTFS spells it.
  public var field: String?
  /// The report up to the refusal of the feed; `nil` if nothing could be read.
  public var report: FeedReport?
  /// The cause, if another layer reported one.
  public var underlying: (any Error)?

  init(
    _ code: Code, _ message: String, advice: String? = nil, file: String? = nil,
    underlying: (any Error)? = nil
  ) {
    self.code = code
    self.message = message.printable
    self.advice = advice?.printable
    self.file = file?.printable
    self.underlying = underlying
  }

  /// Creates the error for a feed that is refused because of its first error.
  init(_ problem: FeedProblem, in report: FeedReport) {
    self.init(
      .badData, Self.sentence(for: problem, among: report.errorCount), advice: problem.advice,
      file: problem.file)
    line = problem.line
    field = problem.field
    self.report = report
  }
}

extension FeedError: CustomStringConvertible {
  /// The message, followed by the advice if there is one.
  public var description: String { advice.map { "\(message) \($0)" } ?? message }
}
