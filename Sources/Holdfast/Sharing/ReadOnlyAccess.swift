import HoldfastSQLite

/// How a database file is opened by one who changes nothing, and makes no file: a pure decision.
package enum ReadOnlyAccess: Hashable, Sendable {
  /// Without locks, and without a look at what lies beside it.
  case immutable
  /// With SQLite's locks, for others may write.
  case readOnly
  /// Not at all.
  case refused(Reason)

  /// Why a file is not opened.
  package enum Reason: Hashable, Sendable {
    case notADatabase
    /// The file is not as long as it says, in bytes.
    case incomplete(stated: Int64, found: Int64)
    /// SQLite would make files beside it.
    case logFilesMissing
  }

  /// What lies beside a database.
  package struct Companions: Hashable, Sendable {
    /// The length of the `-wal` in bytes, `nil` when there is none.
    package var logByteCount: Int64?
    /// The length of the `-journal` in bytes, `nil` when there is none.
    package var journalByteCount: Int64?
    /// Whether there is a `-shm`.
    package var hasSharedMemory: Bool

    package init(logByteCount: Int64?, journalByteCount: Int64?, hasSharedMemory: Bool) {
      self.logByteCount = logByteCount
      self.journalByteCount = journalByteCount
      self.hasSharedMemory = hasSharedMemory
    }
  }

  /// Decides.
  ///
  /// - Parameters:
  ///   - header: What the file says of itself.
  ///   - companions: What lies beside it.
  ///   - isNeverModified: Whether somebody answers for it that the file stays as it is.
  package init(_ header: DatabaseHeader, _ companions: Companions, isNeverModified: Bool) {
    guard header.isDatabase else {
      self = .refused(.notADatabase)
      return
    }
    let hasChangesBeside =
      companions.logByteCount ?? 0 > 0 || companions.journalByteCount ?? 0 > 0
    if isNeverModified && !hasChangesBeside {
      if let stated = header.statedByteCount, stated != header.fileByteCount {
        self = .refused(.incomplete(stated: stated, found: header.fileByteCount))
      } else {
        // "no locking or change detection": there is nothing to lock against.
        self = .immutable
      }
      return
    }
    // A log is read whether the header speaks of one or not. Its index is made where it is missing,
    // and the log too; a journal that must be applied is refused by SQLite itself.
    let needsLog = header.hasWriteAheadLog || companions.logByteCount != nil
    let hasLogFiles = companions.logByteCount != nil && companions.hasSharedMemory
    self = needsLog && !hasLogFiles ? .refused(.logFilesMissing) : .readOnly
  }
}
