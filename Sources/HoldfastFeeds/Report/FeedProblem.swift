/// A problem in a feed, or a repair of one.
public struct FeedProblem: Hashable, Sendable, Codable {
  /// The severity of a problem.
  public enum Severity: String, Sendable, Codable, CaseIterable {
    /// The feed is refused.
    case error
    /// The feed is used, but something in it is missing, unusual, or interpreted differently than
    /// written.
    case warning
    /// Information; nothing is wrong.
    case info
  }

  /// The severity of the problem.
  public var severity: Severity
  /// A stable name in snake case for programs, such as `missing_required_column`.
  ///
  /// Where MobilityData's validator has the same rule, its code is used: <doc:ProblemsInFeeds>.
  public var code: String
  /// The name of the file, as GTFS spells it, or as the feed does if GTFS does not define it.
  public var file: String
  /// The physical line on which the row starts, where the header is line 1; `nil` for a whole file.
  public var line: Int?
  /// The column's name as GTFS spells it.
  public var field: String?
  /// The value as written, shortened to 60 characters; `nil` for a whole row or file.
  public var value: String?
  /// A sentence that describes the problem and does not repeat the place.
  public var message: String
  /// An imperative sentence that says how to solve the problem.
  public var advice: String?
  /// Whether something was interpreted differently than it is written.
  public var isRepair: Bool

  /// The place in words: the file, the line and the field, as far as known.
  public var place: String {
    var parts = [file]
    if let line { parts.append("line \(line)") }
    if let field { parts.append("field \(field)") }
    return parts.joined(separator: ", ")
  }

  /// Creates a problem of a kind, which says how severe it is and how it is called.
  init(
    _ flaw: FeedFlaw, value: String? = nil, _ message: String, advice: String? = nil,
    isRepair: Bool = false
  ) {
    severity = flaw.severity
    code = flaw.decision.code
    self.message = message.printable
    self.advice = advice?.printable
    self.isRepair = isRepair
    self.value = value?.clipped.printable
    file = ""
  }

  func at(_ file: String, line: Int? = nil, field: String? = nil) -> FeedProblem {
    var problem = self
    problem.file = file.printable
    problem.line = line
    problem.field = field?.clipped.printable
    return problem
  }
}
