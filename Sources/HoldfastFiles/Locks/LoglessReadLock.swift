/// The locks with which a database in write-ahead-log mode is read while nothing is in its log.
///
/// They are those of a connection of SQLite that reads no log. Other connections read and write meanwhile: their
/// commits stay in the log, and the last one that closes keeps it. Nothing is written, so that an index that lies
/// there without its log stays as it is.
///
/// - SeeAlso: <https://www.sqlite.org/walformat.html#wal_locks>
package final class LoglessReadLock: Sendable {
  #if os(Linux)
    private let database: OpenFile
    private let index: OpenFile

    // SQLite's PENDING, SHARED and WAL_READ_LOCK(0).
    private static let pending: ClosedRange<Int64> = 0x4000_0000...0x4000_0000
    private static let shared: ClosedRange<Int64> = 0x4000_0002...0x4000_01FF
    private static let firstMark: ClosedRange<Int64> = 123...123
  #endif

  /// Takes the locks; fails if there is a log, if another process has the database for itself, if one of the files
  /// cannot be opened, or where the system or the volume has no such locks.
  ///
  /// - Parameter files: The database, and the index that lies next to it.
  /// - Throws: `FileError` when it cannot be found out whether there is a log.
  package init?(on files: DatabaseFiles) throws(FileError) {
    #if os(Linux)
      do throws(Errno) {
        database = try SystemCalls.openFile(files.main.text, for: .read)
        index = try SystemCalls.openFile(files.sharedMemory.text, for: .read)
        // Who waits for the readers to end lets none begin.
        try SystemCalls.lockForReading(Self.pending, of: database)
        try SystemCalls.lockForReading(Self.shared, of: database)
        try SystemCalls.unlock(Self.pending, of: database)
        try SystemCalls.lockForReading(Self.firstMark, of: index)
      } catch {
        // Who reads the database without these locks hears of what is wrong with it.
        return nil
      }
      // From here on no commit moves into the database; with a log one may have been moving before.
      if try files.writeAheadLog.exists() { return nil }
    #else
      return nil
    #endif
  }

  #if os(Linux)
    deinit {
      // First: who closes the database meanwhile could else have it for itself, move nothing and remove its log.
      // Closing the file releases the lock too.
      try? SystemCalls.unlock(Self.firstMark, of: index)
    }
  #endif
}
