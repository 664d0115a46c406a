public import Foundation
public import HoldfastFiles

/// A file that the system has deleted, whose record was cleared.
public struct PurgedFile: Hashable, Sendable {
  /// The identifier of its record.
  public var id: RecordID

  /// The path at which it was.
  public var path: RelocatablePath

  /// The time when the sweep found that it was gone.
  public var foundAt: Date
}
