/// A report of the files that a recording of digests has read.
public struct DigestReport: Hashable, Sendable {
  /// A file whose digest was not recorded.
  public struct Problem: Hashable, Sendable {
    /// The identifier of its record.
    public var id: RecordID
    /// The reason its digest was not recorded.
    public var reason: String
  }

  /// The number of problems that ``problems`` keeps.
  public static let problemLimit = 1000

  /// The number of files whose lengths and digests were recorded.
  public var recorded = 0

  /// The number of bytes that were read for them.
  public var byteCount: Int64 = 0

  /// The number of records whose files are not at their stored paths.
  public var absent = 0

  /// The number of files that could not be read, or must not be.
  public var unread = 0

  /// The first ``problemLimit`` files that could not be read, or must not be.
  public var problems: [Problem] = []

  /// Whether every record was examined; false when the budget was used up.
  public var isComplete = true

  /// Creates the report of a recording that has read nothing.
  public init() {}

  mutating func addUnread(_ id: RecordID, because reason: String) {
    unread += 1
    if problems.count < Self.problemLimit { problems.append(Problem(id: id, reason: reason)) }
  }
}
