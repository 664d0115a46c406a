public import HoldfastFiles

/// The files of some folders that belong to no record.
public struct OrphanReport: Hashable, Sendable {
  /// A file or a folder that could not be judged.
  public struct Skipped: Hashable, Sendable {
    /// The reasons why a file is no orphan, although it belongs to no record.
    public enum Reason: String, Hashable, Sendable {
      /// A database, or a file that is kept next to one.
      case database
      /// This process has it open, or it is unknown whether it has.
      case open
      /// A symbolic link leads to it, so that a record may have it under another path.
      case linked
      /// Its name is not valid UTF-8, so that no path names it.
      case unnameable
      /// It is part of a move, a replacement or a download that is not complete.
      case unfinished
      /// It or its folder cannot be read.
      case unreadable
      /// A record whose path cannot be read names a file of this name.
      case unreadableRecord
    }

    /// The file or the folder; for ``Reason/unnameable`` its folder.
    public var path: RelocatablePath

    /// The reason.
    public var reason: Reason
  }

  /// The orphans, in the order of their paths.
  public var orphans: [Orphan] = []

  /// The files and the folders that could not be judged; they are never deleted.
  public var skipped: [Skipped] = []
}
