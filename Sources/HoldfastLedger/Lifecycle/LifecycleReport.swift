/// A report of the moves by the rules of a ``LifecyclePolicy``.
public struct LifecycleReport: Hashable, Sendable {
  /// A file that should have moved, and why it has not.
  public struct Refusal: Hashable, Sendable {
    /// The identifier of its record.
    public var id: RecordID

    /// The reason it has not moved.
    public var problem: String
  }

  /// The files that were moved.
  public var moved: [MovedFile] = []

  /// The files that could not be moved; they are where they were.
  public var refused: [Refusal] = []

  /// Whether every file was considered; false when the budget was used up.
  public var isComplete = true
}
