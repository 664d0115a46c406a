/// A report of what an import of old rows has found and done.
public struct ImportReport: Hashable, Sendable {
  /// A row that was not imported.
  public struct Failure: Hashable, Sendable {
    /// The identifier.
    public var id: RecordID
    /// The path as it was stored.
    public var storedText: String
    /// The reason the row was not imported.
    public var reason: String
  }

  /// The number of rows with a path.
  public var found = 0

  /// The number of rows that were imported.
  public var imported = 0

  /// The number of rows that the ledger's table already has; they were not changed.
  public var alreadyRecorded = 0

  /// The number of rows that are kept until the ledger's table exists.
  public var kept = 0

  /// The rows that were not imported.
  public var failures: [Failure] = []

  /// Creates the report of an import that has found nothing.
  public init() {}
}
