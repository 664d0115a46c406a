public import Holdfast

/// A database of the app that began as a copy of a pack's file.
public struct SeededDatabase: Sendable {
  /// The way in which the database came to its present state.
  public enum Origin: Hashable, Sendable {
    /// It was copied from the pack now.
    case created
    /// It was copied from the pack now, and the data of a previous edition was carried over.
    case carriedOver
    /// It was there, and has at least what the pack's file has.
    case kept
    /// It was there, and a newer file of the pack was merged into it now.
    case merged(SeedMerge)
    /// It was there, and the pack's file was not available for comparison, or is older than one
    /// that was merged before.
    case keptWithoutSeed
  }

  /// The pool of the database, which can be written.
  public let pool: DatabasePool

  /// The way in which the database came to its present state.
  public let origin: Origin
}
