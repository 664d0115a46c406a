public import HoldfastFiles

/// A file that was moved between roots.
public struct MovedFile: Hashable, Sendable {
  /// The identifier of its record.
  public var id: RecordID

  /// The path before.
  public var from: RelocatablePath

  /// The path now.
  public var to: RelocatablePath

  /// The exclusion from backups, as read back; `nil` for a file that left the documents.
  public var exclusion: BackupExclusion?
}
