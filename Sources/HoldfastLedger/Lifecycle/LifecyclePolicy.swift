public import Foundation
public import HoldfastFiles

/// The rules by which files move between the documents and the caches.
///
/// New files are in the documents. One that was finished, or that was not used for a while, moves to
/// the caches, where the system may delete it. One that is used again moves back first.
public struct LifecyclePolicy: Hashable, Sendable {
  /// The time without use after which a file moves to the caches; 14 days by default.
  public var unusedLimit: Duration = .seconds(14 * 86_400)

  /// The cumulative use that counts as an access; 2 minutes by default.
  public var countedUse: Duration = .seconds(120)

  /// Whether a finished file moves to the caches; true by default.
  public var movesFinished = true

  /// The space in bytes that a copy to another volume must leave free; 64 MiB by default.
  public var freeSpaceReserve: Int64 = 64 << 20

  /// The folders that are excluded from backups with everything in them, such as
  /// `@documents/downloads`; none by default.
  ///
  /// A file that moves to the documents outside of these folders is excluded itself.
  public var excludedFolders: [RelocatablePath] = []

  /// Creates the default rules.
  public init() {}

  /// Returns the root that a file should move to.
  ///
  /// A file in another root than the documents and the caches does not move, and neither does one
  /// that was never accessed.
  ///
  /// - Parameters:
  ///   - use: The known use of the file.
  ///   - now: The current time.
  /// - Returns: The root; `nil` when the file should stay.
  public func move(for use: FileUse, at now: Date) -> StorageRoot? {
    switch use.root {
    case .caches: return use.isPinned ? .documents : nil
    case .documents:
      guard !use.isPinned, let access = use.lastAccess else { return nil }
      let isUnused = now.timeIntervalSince(access) > unusedLimit / .seconds(1)
      return isUnused || use.isFinished && movesFinished ? .caches : nil
    case .applicationSupport, .temporary, .appGroup, .bundle, .library: return nil
    }
  }
}
