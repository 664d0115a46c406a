public import Foundation
import HoldfastFiles
public import HoldfastSQLite

/// Operations on a database of several processes before any of them opens it.
public enum SharedDatabase {
  /// Moves a database, with its log's content, to another location, such as an app group's
  /// container.
  ///
  /// It is *atomic* and *durable*: the log is checkpointed into the file, which is copied, synced,
  /// renamed, and removed at the old location last. After a crash at any moment the old file
  /// exists, or the new one, or both with the same content; then the next call removes the old one.
  /// Call it each time before the database is opened at its new location.
  ///
  /// ```swift
  /// try SharedDatabase.move(from: oldURL, to: sharedURL)
  /// let pool = try DatabasePool.shared(at: sharedURL, migrator: migrator)
  /// ```
  ///
  /// The database must not be open. A connection that is in a transaction, or in WAL mode, is
  /// detected. An idle one in rollback mode cannot be detected: it continues to read the old file,
  /// and SQLite refuses its next write.
  ///
  /// - Parameters:
  ///   - source: The file; its permissions and attributes are kept.
  ///   - destination: The file's new path, in an existing folder.
  ///   - configuration: The configuration for opening the source, such as its key and whether the
  ///     system's suspension releases its locks.
  ///   - limit: The longest time to wait while other processes open the database, at either
  ///     location.
  /// - Returns: Whether there was a file to move.
  /// - Throws: ``SharingError`` with `.busy` when the database is open, `.alreadyExists` when there
  ///   is another file at the new path, `.notADatabase`, `.accessDenied`; `FileError` with
  ///   `.noSpace`, `.notFound`, `.companion` when the new path is the name of a file that is kept
  ///   next to a database, `.notDurable` when the old file still exists, and other codes when a
  ///   system call fails; `DatabaseError` with `SQLITE_ABORT` when the process was suspended
  ///   meanwhile.
  /// - SeeAlso: <https://www.sqlite.org/howtocorrupt.html>, sections 1.4 and 2.4.
  @discardableResult
  public static func move(
    from source: URL, to destination: URL, configuration: Configuration = Configuration(),
    within limit: Duration = .seconds(10)
  ) throws -> Bool {
    let move = try FileMove(from: source, to: destination)
    guard try move.hasSource() else { return false }
    try move.refuseCompanion()
    var own = configuration
    own.readonly = false
    own.allowsSuspension = true
    own.keepsWriteAheadLog = false
    own.journalMode = .default
    guard let suspension = Suspension(path: move.source.text, configuration: own) else {
      Misuse.trap(Misuse.notSuspendable)
    }
    // One lock for all names of a database, as its openers take it.
    let locks = try [move.source, move.destination].map {
      OpeningLock(of: try $0.target(), suspension: suspension)
    }
    defer { for lock in locks { lock.end() } }
    do {
      for lock in locks where try lock.acquire(within: limit) != .acquired {
        throw DatabaseError.suspended(path: move.source.text)
      }
      // Another process may have been faster.
      guard try move.hasSource() else { return false }
      let queue = try DatabaseQueue(
        at: .file(move.source.text), path: move.source.text, configuration: own,
        suspension: suspension)
      try queue.writeWithoutTransaction { db in try perform(move, db, own) }
      return true
    } catch {
      throw SharingError.naming(error, at: move.source)
    }
  }

  private static func perform(_ move: FileMove, _ db: Database, _ configuration: Configuration)
    throws
  {
    try claim(db, move.source)
    let marker = try CreationMarker(of: move.source)
    try db.inTransaction(.exclusive) {
      // In WAL mode an exclusive transaction does not exclude readers, and another connection has
      // just turned that mode on.
      let mode = try String.fetchOne(db, sql: "PRAGMA journal_mode")
      if try db.header().hasWriteAheadLog || mode == "wal" { throw SharingError.inUse(move.source) }
      if try move.hasDestination() {
        guard try isCopy(move.destination, of: db, configuration) else {
          throw SharingError.alreadyExists(move.destination, source: move.source)
        }
        try db.holdingLocks { try move.finish() }
      } else {
        try copy(move, db)
      }
      return .rollback
    }
    // Not before its database is removed; the copy has a marker of its own.
    try marker.clear()
  }

  /// Checkpoints the log and ensures that no other connection has the source open.
  private static func claim(_ db: Database, _ source: FilePath) throws {
    do {
      // "can only be changed out of WAL mode if there is exactly one connection".
      let mode = try String.fetchOne(db, sql: "PRAGMA journal_mode = DELETE")
      if mode != "delete" { throw SharingError.inUse(source) }
    } catch let error as DatabaseError where error.resultCode == .SQLITE_BUSY {
      throw SharingError.inUse(source, error)
    }
  }

  private static func copy(_ move: FileMove, _ db: Database) throws {
    do {
      try move.stage(byteCount: db.fileByteCount()) { offset, count in
        try db.fileBytes(at: offset, count: count)
      }
      // A suspension waits for the end of this, so that no process writes to the source in between.
      try db.holdingLocks {
        if try move.hasDestination() {
          throw SharingError.alreadyExists(move.destination, source: move.source)
        }
        try copyMarker(move)
        try move.publish()
        try move.finish()
      }
    } catch {
      // The first error is the one to report; the next move removes a copy that is left.
      do { try move.discard() } catch _ {}
      throw error
    }
  }

  /// Copies the creation marker, so that readers see the same state at the new location.
  private static func copyMarker(_ move: FileMove) throws {
    let marker = try CreationMarker(of: move.destination)
    if try CreationMarker(of: move.source).stage == .creation {
      try marker.set(.creation)
    } else {
      // The marker of a creator that was killed before there was any content.
      try marker.clear()
    }
  }

  /// Returns whether a file is the copy that an unfinished move has created.
  private static func isCopy(
    _ copy: FilePath, of db: Database, _ configuration: Configuration
  ) throws -> Bool {
    let header = try db.header()
    // A file in WAL mode was opened since; reading it would create files next to it.
    guard try DatabaseHeader(ofFileAt: copy.text) == header else { return false }
    var own = configuration
    own.readonly = true
    // What is encrypted does not show whether it is in WAL mode.
    if header.encryption == .possible,
      try DatabaseFiles(main: copy).writeAheadLog.byteCount() ?? 0 > 0
    {
      return false
    }
    let location: DatabaseLocation =
      header.encryption == .possible ? .immutableFile(copy.text) : .file(copy.text)
    return try DatabaseQueue(at: location, configuration: own).read { other in
      var offset: Int64 = 0
      while offset < header.fileByteCount {
        let count = Int(min(header.fileByteCount - offset, 256 * 1024))
        guard
          try db.fileBytes(at: offset, count: count) == other.fileBytes(at: offset, count: count)
        else { return false }
        offset += Int64(count)
      }
      return true
    }
  }
}
