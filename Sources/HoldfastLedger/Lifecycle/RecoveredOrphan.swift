public import HoldfastFiles

/// An orphan that was given back to its record.
public struct RecoveredOrphan: Hashable, Sendable {
  /// The identifier of the record.
  public var id: RecordID

  /// The file.
  public var path: RelocatablePath
}
