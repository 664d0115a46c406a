/// Why a feed could not be read or was refused.
///
/// `message` says what, which and why; `advice` says what to do next. A feed that is refused for
/// what stands in it carries the place of its first error and the whole ``report``.
public struct FeedError: Error, Sendable {
  /// What kind of refusal this is: an open set, so that later versions may add codes.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    private enum Kind: String {
      case notFound, unreadable, notAFeed, damaged, badData, foreignOutput, unsoundDatabase
    }
    private var kind: Kind

    /// Nothing exists at the place given.
    public static let notFound = Code(kind: .notFound)
    /// The system refused to read the file or folder: no permission, an I/O error, no file at all.
    public static let unreadable = Code(kind: .unreadable)
    /// What was given is no GTFS feed, or it is not clear where in it the feed lies.
    public static let notAFeed = Code(kind: .notAFeed)
    /// The archive is cut off, altered, encrypted or packed in a way that cannot be read.
    public static let damaged = Code(kind: .damaged)
    /// The feed was read and is refused for what stands in it, or for a file that it lacks.
    public static let badData = Code(kind: .badData)

    /// The database to be made has the name of a file that is no timetable database.
    public static let foreignOutput = Code(kind: .foreignOutput)
    /// The database that was made did not pass its check: a fault in this library.
    public static let unsoundDatabase = Code(kind: .unsoundDatabase)

    /// The code's name, for logs and for output that programs read.
    public var description: String { kind.rawValue }
  }

  /// The kind of refusal.
  public var code: Code
  /// What happened, to which file, and why, in one sentence.
  public var message: String
  /// What to do next, in one imperative sentence.
  public var advice: String?
  /// The file that the error is about: a file of the feed where one is known, else the feed.
  public var file: String?
  /// The physical line on which the row starts; the header is line 1.
  public var line: Int?
  /// The column's name as GTFS spells it.
  public var field: String?
  /// Everything that was noted until the feed was refused; `nil` if nothing of it could be read.
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

  /// The refusal of a feed for its first error.
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
  /// The message, followed by the advice where there is one.
  public var description: String { advice.map { "\(message) \($0)" } ?? message }
}
