#if SQLCipher
  internal import CSQLCipher
#else
  internal import CSQLite
#endif

/// The progress of a backup.
public struct DatabaseBackupProgress: Hashable, Sendable {
  /// The number of pages still to be copied.
  public let remainingPageCount: Int

  /// The number of pages of the source.
  public let totalPageCount: Int

  /// The number of copied pages.
  public var completedPageCount: Int { totalPageCount - remainingPageCount }

  /// Whether all pages are copied.
  public var isCompleted: Bool { remainingPageCount == 0 }
}

extension Database {
  /// Copies the whole database into another one, whose content is replaced.
  ///
  /// The copy is isolated: it contains one committed state, even if other connections write
  /// meanwhile. It is made in one transaction of the destination: if it fails, the destination is
  /// unchanged.
  ///
  /// - Parameters:
  ///   - destination: A connection to another database, outside of any transaction.
  ///   - pagesPerStep: The number of pages that are copied between two calls of `progress`; all
  ///     pages if negative.
  ///   - progress: Called after each step. When it throws, the backup ends and the error is
  ///     thrown; after the last step, when the copy is complete, its error is ignored.
  /// - Throws: ``DatabaseError`` with `SQLITE_BUSY` or `SQLITE_LOCKED` when the destination is in
  ///   use, with `SQLITE_INTERRUPT` when either access is cancelled; whatever `progress` throws.
  /// - SeeAlso: <https://www.sqlite.org/backup.html>
  public func backup(
    to destination: Database, pagesPerStep: CInt = -1,
    progress: ((DatabaseBackupProgress) throws -> Void)? = nil
  ) throws {
    checkAccess()
    destination.checkAccess()
    guard !isInsideTransaction else {
      return try copy(to: destination, pagesPerStep: pagesPerStep, progress: progress)
    }
    // Without a transaction other connections could write between two steps, and SQLite would
    // restart.
    try transaction(.deferred) { db in
      try db.copy(to: destination, pagesPerStep: pagesPerStep, progress: progress)
    }
  }

  private func copy(
    to destination: Database, pagesPerStep: CInt,
    progress: ((DatabaseBackupProgress) throws -> Void)?
  ) throws {
    // Inside both from the first page to the last, `progress` included: a suspension of one of them
    // must not find half a copy, which can only be rolled back with both connections.
    try handle.enter()
    defer { handle.leave() }
    try destination.handle.enter()
    defer { destination.handle.leave() }
    guard
      let backup = unsafe sqlite3_backup_init(
        destination.handle.pointer, "main", handle.pointer, "main")
    else {
      throw unsafe destination.failure(sqlite3_extended_errcode(destination.handle.pointer))
    }
    var isFinished = false
    // Until it is finished the destination is locked; an incomplete copy is rolled back.
    defer { if !isFinished { unsafe sqlite3_backup_finish(backup) } }
    // SQLite's single step cannot be interrupted, so many pages are copied in small steps.
    var untilProgress = pagesPerStep
    while true {
      let pages = pagesPerStep < 0 ? 100 : min(untilProgress, 100)
      try checkIsNotInterrupted()
      try destination.checkIsNotInterrupted()
      let code = unsafe sqlite3_backup_step(backup, pages)
      let state = unsafe DatabaseBackupProgress(
        remainingPageCount: Int(sqlite3_backup_remaining(backup)),
        totalPageCount: Int(sqlite3_backup_pagecount(backup)))
      switch code {
      case SQLITE_OK:
        guard pagesPerStep >= 0 else { continue }
        untilProgress -= pages
        guard untilProgress <= 0 else { continue }
        untilProgress = pagesPerStep
        try progress?(state)
      case SQLITE_DONE:
        isFinished = true
        let code = unsafe sqlite3_backup_finish(backup)
        guard code == SQLITE_OK else { throw destination.failure(code) }
        // The copy is complete and committed: an error could not undo it.
        do { try progress?(state) } catch _ {}
        return
      default:
        isFinished = true
        // Finishing stores the error's message in the destination's connection.
        unsafe sqlite3_backup_finish(backup)
        throw destination.failure(code)
      }
    }
  }
}
