public import Foundation
public import Holdfast
import HoldfastFiles

/// The reset of a database to an empty one: closed, deleted, opened again, migrated.
public enum DatabaseReset {
  /// Deletes a database and creates it again.
  ///
  /// Everything in it is lost, the ledger included; the files of the ledger stay, and are listed as
  /// orphans afterwards. Nothing is deleted while another connection of this process has the
  /// database open, because its writes would be lost without an error.
  ///
  /// - Parameters:
  ///   - database: The connections to the database, which are closed.
  ///   - url: The file of the database.
  ///   - open: Opens the database again, and migrates it.
  /// - Returns: The return value of `open`.
  /// - Throws: ``LedgerError`` with `.databaseInUse` when this process has another connection to
  ///   the database, or another process holds a lock on it; nothing is deleted then, but `database`
  ///   is closed. `DatabaseError` when it cannot be closed; `FileError` when a file cannot be
  ///   deleted; whatever `open` throws.
  public static func reset<Writer: DatabaseWriter>(
    _ database: any DatabaseWriter, at url: URL, reopening open: () throws -> Writer
  ) throws -> Writer {
    try database.close()
    let files = DatabaseFiles(main: try FilePath(of: url).target())
    try refuseUse(of: files)
    // The database first: if the process ends in between, SQLite deletes a log or a journal that
    // it finds next to no database (`pagerOpenWalIfPresent()` and `hasHotJournal()` in `pager.c`).
    for file in [files.main] + files.sidecars { try file.removeIfPresent() }
    return try open()
  }

  private static func refuseUse(of files: DatabaseFiles) throws {
    for file in [files.main] + files.sidecars {
      let isOpen: Bool
      do throws(Errno) {
        let status = try SystemCalls.status(of: file.text)
        isOpen = SystemCalls.isOpenHere(status) != false
      } catch .notFound {
        continue
      } catch {
        throw FileError.couldNotRead(file, error)
      }
      if isOpen { throw LedgerError.inUse(files.main.name, "this process") }
    }
    do {
      let locks = try LockTable(ofDatabaseAt: files.main.url).locks
      if !locks.isEmpty { throw LedgerError.inUse(files.main.name, "another process") }
    } catch let error as FileError where error.code == .notFound {
      // Nothing to delete.
    }
  }
}
