public import Foundation
import HoldfastFiles
public import HoldfastSQLite

/// What is done to a database of several processes before any of them opens it.
public enum SharedDatabase {
  /// Moves a database, with what its log holds, to another place, such as an app group's container.
  ///
  /// *Atomic* and *durable*: the log is folded into the file, which is copied aside, synced, renamed,
  /// and removed in the old place last. After a crash at any moment the old file is there, or the
  /// new one, or both with the same content; then the next call removes the old one. Call it each
  /// time before the database is opened in its new place.
  ///
  /// ```swift
  /// try SharedDatabase.move(from: oldURL, to: sharedURL)
  /// let pool = try DatabasePool.shared(at: sharedURL, migrator: migrator)
  /// ```
  ///
  /// Nobody may have it open. A connection that is in a transaction, or in write-ahead-log mode, is
  /// noticed. One in rollback mode that does nothing cannot be seen: it goes on reading the old file,
  /// and SQLite refuses its next write.
  ///
  /// - Parameters:
  ///   - source: The file; its permissions and attributes come along.
  ///   - destination: The file's new place, in a folder that exists.
  ///   - configuration: What is decided before the source is opened, such as its key and whether the
  ///     system's suspension ends its locks.
  ///   - limit: How long is waited at most while others open the database, in either place.
  /// - Returns: Whether there was something to move.
  /// - Throws: ``SharingError`` with `.busy` when somebody has it open, `.alreadyExists` when another
  ///   file lies in the new place, `.notADatabase`, `.accessDenied`; `FileError` with `.noSpace`,
  ///   `.notFound`, `.companion` when the new place is the name of a file that is kept next to a
  ///   database, `.notDurable` when the old file is still there, and as the steps do;
  ///   `DatabaseError` with `SQLITE_ABORT` when the process was suspended meanwhile.
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
      for lock in locks where try lock.take(within: limit) != .taken {
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
      // In a log nobody is kept out by this; so somebody else turned one on just now.
      if try db.header().hasWriteAheadLog { throw SharingError.inUse(move.source) }
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
    // Not before its database is gone; the copy has one of its own.
    try marker.clear()
  }

  /// Folds the log in and makes sure that nobody else has the source open.
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
      // A suspension waits for the end of this, so that nobody writes to the source in between.
      try db.holdingLocks {
        if try move.hasDestination() {
          throw SharingError.alreadyExists(move.destination, source: move.source)
        }
        try copyMarker(move)
        try move.publish()
        try move.finish()
      }
    } catch {
      // The first error is the one to tell; a copy that stays goes with the next move.
      do { try move.discard() } catch _ {}
      throw error
    }
  }

  /// Has readers take the database in its new place for what it was in the old one.
  private static func copyMarker(_ move: FileMove) throws {
    let marker = try CreationMarker(of: move.destination)
    if try CreationMarker(of: move.source).stage == .creation {
      try marker.set(.creation)
    } else {
      // That of a creator who was killed before there was anything.
      try marker.clear()
    }
  }

  /// Whether a file is what a move made that did not come to its end.
  private static func isCopy(
    _ copy: FilePath, of db: Database, _ configuration: Configuration
  ) throws -> Bool {
    let header = try db.header()
    // A file in write-ahead-log mode was opened since; reading it would make files beside it.
    guard try DatabaseHeader(ofFileAt: copy.text) == header else { return false }
    var own = configuration
    own.readonly = true
    return try DatabaseQueue(at: .file(copy.text), configuration: own).read { other in
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
