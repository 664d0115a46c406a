import HoldfastSQLite

/// The way to open a database file read-only without creating a file: a pure decision.
package enum ReadOnlyAccess: Hashable, Sendable {
  /// Without locks, ignoring the files next to it.
  case immutable
  /// With SQLite's locks, because other processes may write.
  case readOnly
  /// The file cannot be opened.
  case refused(Reason)

  /// The reason why a file cannot be opened.
  package enum Reason: Hashable, Sendable {
    case notADatabase
    /// The length in bytes that the header states differs from the file's length.
    case incomplete(stated: Int64, found: Int64)
    /// SQLite would create files next to it.
    case logFilesMissing
    /// SQLite may create files next to it: the journal mode is encrypted, too.
    case logFilesMayBeMissing
  }

  /// The files next to a database.
  package struct Companions: Hashable, Sendable {
    /// The length of the `-wal` in bytes; `nil` when there is none.
    package var logByteCount: Int64?
    /// The length of the `-journal` in bytes; `nil` when there is none.
    package var journalByteCount: Int64?
    /// Whether there is a `-shm`.
    package var hasSharedMemory: Bool

    package init(logByteCount: Int64?, journalByteCount: Int64?, hasSharedMemory: Bool) {
      self.logByteCount = logByteCount
      self.journalByteCount = journalByteCount
      self.hasSharedMemory = hasSharedMemory
    }
  }

  /// Decides how to open a file.
  ///
  /// - Parameters:
  ///   - header: The header of the file.
  ///   - companions: The files next to it.
  ///   - isNeverModified: Whether the caller guarantees that the file is never modified.
  ///   - canDecrypt: Whether SQLite can read encrypted databases.
  package init(
    _ header: DatabaseHeader, _ companions: Companions, isNeverModified: Bool,
    canDecrypt: Bool = Database.canDecrypt
  ) {
    let isHidden = header.encryption == .possible
    guard !isHidden || canDecrypt, header.encryption != .impossible else {
      self = .refused(.notADatabase)
      return
    }
    let hasChangesBeside =
      companions.logByteCount ?? 0 > 0 || companions.journalByteCount ?? 0 > 0
    if isNeverModified && !hasChangesBeside {
      // SQLite ignores what follows the last page.
      if let stated = header.statedByteCount, stated > header.fileByteCount {
        self = .refused(.incomplete(stated: stated, found: header.fileByteCount))
      } else {
        // "no locking or change detection": there is nothing to lock against.
        self = .immutable
      }
      return
    }
    // SQLite reads a log even if the header does not mention one, and creates a missing log or
    // index; it refuses by itself a journal that must be applied.
    let needsLog = header.hasWriteAheadLog || companions.logByteCount != nil
    let hasLogFiles = companions.logByteCount != nil && companions.hasSharedMemory
    if hasLogFiles {
      self = .readOnly
    } else if needsLog {
      self = .refused(.logFilesMissing)
    } else {
      self = isHidden ? .refused(.logFilesMayBeMissing) : .readOnly
    }
  }
}
