public import Foundation
import HoldfastFiles
public import HoldfastSQLite

extension Database {
  /// Checkpoints a database that another library writes, such as GRDB or Core Data, without losing its commits.
  ///
  /// Call it instead of that library's checkpoints, and turn its automatic ones off with `PRAGMA
  /// wal_autocheckpoint = 0`: on a SQLite with the WAL-reset bug (``SQLiteLibrary``) a commit in the middle of one
  /// of them can make later commits disappear, and here it cannot. The function opens a connection of its own, and
  /// closes it. A copy of SQLite is found by the names of its functions; a process with SQLCipher has the system's
  /// SQLite beside it on Apple platforms, and is refused. If a Holdfast pool has the database open, call the pool's
  /// own `checkpoint(_:)`.
  ///
  /// - Parameters:
  ///   - kind: The extent of the checkpoint.
  ///   - url: The URL of the file.
  ///   - configuration: The configuration of the connection, such as its key and how long it waits.
  /// - Returns: The number of frames in the log, and how many of them are in the database file; both are -1 when
  ///   there is no write-ahead log.
  /// - Throws: ``/HoldfastFiles/FileError`` with `.notFound` when there is no file; `DatabaseError` with
  ///   `SQLITE_MISUSE` when this process has the file open and a second copy of SQLite, whose locks would be released;
  ///   with `SQLITE_BUSY` when another connection prevented the checkpoint for too long.
  /// - SeeAlso: <https://www.sqlite.org/wal.html#walresetbug>,
  ///   <https://www.sqlite.org/howtocorrupt.html#multiple_copies_of_sqlite_linked_into_the_same_application>
  @available(
    *, noasync,
    message:
      "Write `try await Database.checkpoint(…)`, which blocks no thread; at the top level of main.swift, in a function."
  )
  @discardableResult public static func checkpoint(
    _ kind: CheckpointMode = .passive, databaseAt url: URL,
    configuration: Configuration = Configuration()
  ) throws -> (walFrameCount: Int, checkpointedFrameCount: Int) {
    try checkpointed(kind, url, configuration)
  }

  /// Checkpoints a database that another library writes, while the task is suspended.
  ///
  /// - Parameters:
  ///   - kind: The extent of the checkpoint.
  ///   - url: The URL of the file.
  ///   - configuration: The configuration of the connection.
  /// - Returns: The number of frames in the log, and how many of them are in the database file.
  /// - Throws: Whatever the blocking form throws.
  @discardableResult public static func checkpoint(
    _ kind: CheckpointMode = .passive, databaseAt url: URL,
    configuration: Configuration = Configuration()
  ) async throws -> (walFrameCount: Int, checkpointedFrameCount: Int) {
    try await BlockingWork.utility.run { try checkpointed(kind, url, configuration) }
  }

  private static func checkpointed(
    _ kind: CheckpointMode, _ url: URL, _ configuration: Configuration
  ) throws -> (walFrameCount: Int, checkpointedFrameCount: Int) {
    let files = try DatabaseFiles(resolving: FilePath(of: url))
    let path = files.main.text
    // Before the file is opened: closing it would release the locks of the other copy.
    if SQLiteLibrary.hasSecondCopy,
      SystemCalls.isOpenHere(try SystemCalls.linkStatus(of: path)) != false
    {
      throw DatabaseError.secondSQLite(path: path)
    }
    var configuration = configuration
    configuration.readonly = false
    // Otherwise opening would empty a long log, for which writers wait.
    configuration.prepareDatabase { db in try db.execute(sql: "PRAGMA wal_autocheckpoint = 0") }
    let queue = try DatabaseQueue(path: path, configuration: configuration)
    defer { queue.closeIgnoringErrors() }
    return try queue.checkpoint(kind)
  }
}
