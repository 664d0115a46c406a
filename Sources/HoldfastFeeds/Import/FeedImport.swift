/// What an import made.
public struct FeedImport: Sendable {
  /// How the feed was read: problems, repairs and fallbacks included.
  public var report: FeedReport

  /// The rows of the database, by the name of the file they came from.
  public var rows: [String: Int]

  /// The SHA-256 of the feed's content, in hexadecimal.
  public var feedIdentity: String

  /// The size of the database in bytes.
  public var bytes: Int64
}
