/// A report of what a sweep for purged files has examined and found.
public struct PurgeReport: Hashable, Sendable {
  /// The number of records that were examined, in any root.
  public var examined = 0

  /// The files that are proven to be gone.
  public var purged: [PurgedFile] = []

  /// The number of files that were found at another path.
  public var repaired = 0

  /// The number of files that are neither proven to be there nor proven to be gone; their records
  /// are as they were.
  public var unknown = 0

  /// Whether the sweep has reached the last record; otherwise the next call continues.
  public var isComplete = true

  /// The time that the sweep took.
  public var duration: Duration = .zero
}
