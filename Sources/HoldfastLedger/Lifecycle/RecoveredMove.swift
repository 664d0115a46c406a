public import HoldfastFiles

/// A move between roots that was interrupted, and what became of it.
public struct RecoveredMove: Hashable, Sendable {
  /// The ends of an interrupted move.
  public enum Outcome: String, Hashable, Sendable {
    /// The file is at the new path, which the record has.
    case completed
    /// The file is at the old path, which the record has.
    case undone
    /// The record was removed or has another path, or the file is gone: the record was
    /// not changed.
    case forgotten
    /// The files could not be examined: the move is stored until the next time.
    case postponed
  }

  /// The identifier of the record.
  public var id: RecordID

  /// The path before the move.
  public var from: RelocatablePath

  /// The path after it.
  public var to: RelocatablePath

  /// The outcome of the move.
  public var outcome: Outcome

  /// The reason the move is postponed; `nil` when it is not, or when a folder could not be read.
  public var problem: String?
}
