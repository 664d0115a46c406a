// Operations on a whole database: erasing, vacuuming, checkpoints, copies.

extension DatabaseWriter {
  /// Removes all tables, all rows and the numbers in the header; no read runs meanwhile.
  ///
  /// - Throws: `DatabaseError` with `SQLITE_BUSY` when another process's lock prevents it.
  @available(
    *, noasync,
    message:
      "Write `try await erase()`, which blocks no thread; at the top level of main.swift, in a function."
  )
  public func erase() throws {
    try barrierWriteWithoutTransaction { db in try db.erase() }
  }

  /// Removes all tables, all rows and the numbers in the header while the task is suspended.
  ///
  /// - Throws: `CancellationError`; `DatabaseError` as the blocking form does.
  public func erase() async throws {
    try await barrierWriteWithoutTransaction { db in try db.erase() }
  }

  /// Rebuilds the file without free pages.
  ///
  /// - Throws: `DatabaseError` with `SQLITE_FULL` when there is no space for a second copy.
  /// - SeeAlso: <https://www.sqlite.org/lang_vacuum.html>
  @available(
    *, noasync,
    message:
      "Write `try await vacuum()`, which blocks no thread; at the top level of main.swift, in a function."
  )
  public func vacuum() throws {
    try writeWithoutTransaction { db in try db.execute(sql: "VACUUM") }
  }

  /// Rebuilds the file without free pages while the task is suspended.
  ///
  /// - Throws: `CancellationError`; `DatabaseError` as the blocking form does.
  public func vacuum() async throws {
    try await writeWithoutTransaction { db in try db.execute(sql: "VACUUM") }
  }

  /// Writes a compact copy to a new file; a pool's writer continues meanwhile.
  ///
  /// The copy is of one committed state. It is not atomic: after a crash an incomplete file may
  /// remain.
  ///
  /// - Parameter filePath: The path of a file that does not exist, or is empty; a relative path is
  ///   resolved against the current folder.
  /// - Throws: `DatabaseError` with `SQLITE_ERROR` when the file exists; `FileError` with
  ///   `.companion` when it is a file that is kept next to another database, such as a log, and
  ///   `.sidecarPresent` when a log with content lies next to it.
  /// - SeeAlso: <https://www.sqlite.org/lang_vacuum.html#vacuuminto>
  @available(
    *, noasync,
    message:
      "Write `try await vacuum(into:)`, which blocks no thread; at the top level of main.swift, in a function."
  )
  public func vacuum(into filePath: String) throws {
    let target = try CopyTarget(filePath)
    try unsafeRead { db in try db.vacuum(into: target.path) }
  }

  /// Writes a compact copy to a new file while the task is suspended, as the blocking form does.
  ///
  /// - Throws: `CancellationError`; `DatabaseError` as the blocking form does.
  public func vacuum(into filePath: String) async throws {
    let target = try CopyTarget(filePath)
    try await unsafeRead { db in try db.vacuum(into: target.path) }
  }

  /// Copies committed changes from the write-ahead log to the database file.
  ///
  /// Reads continue, and all modes but `.passive` wait for readers of older states as
  /// `Configuration.busyMode` specifies; to exclude reads, checkpoint inside
  /// `barrierWriteWithoutTransaction`.
  ///
  /// - Parameter kind: The checkpoint mode.
  /// - Returns: The number of frames in the log, and how many of them are in the database file;
  ///   both are -1 when there is no write-ahead log.
  /// - Throws: `DatabaseError` with `SQLITE_BUSY` when another connection prevented it for too
  ///   long.
  /// - SeeAlso: <https://www.sqlite.org/c3ref/wal_checkpoint_v2.html>
  @available(
    *, noasync,
    message:
      "Write `try await checkpoint(…)`, which blocks no thread; at the top level of main.swift, in a function."
  )
  @discardableResult public func checkpoint(
    _ kind: Database.CheckpointMode = .passive
  ) throws -> (walFrameCount: Int, checkpointedFrameCount: Int) {
    try writeWithoutTransaction { db in try db.checkpoint(kind) }
  }

  /// Copies committed changes from the log to the database file while the task is suspended, as the
  /// blocking form does.
  ///
  /// - Throws: `CancellationError`; `DatabaseError` as the blocking form does.
  @discardableResult public func checkpoint(
    _ kind: Database.CheckpointMode = .passive
  ) async throws -> (walFrameCount: Int, checkpointedFrameCount: Int) {
    try await writeWithoutTransaction { db in try db.checkpoint(kind) }
  }
}

extension DatabaseReader {
  /// Copies the whole database into another one, whose content is replaced.
  ///
  /// The copy is of one committed state; a pool's writer continues meanwhile. When the backup
  /// fails, the destination is unchanged.
  ///
  /// ```swift
  /// let copy = try DatabaseQueue(path: "/tmp/copy.db")
  /// try pool.backup(to: copy, pagesPerStep: 100) { progress in
  ///   print("\(progress.completedPageCount) of \(progress.totalPageCount) pages")
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - writer: The destination; no other access writes to it meanwhile.
  ///   - pagesPerStep: The number of pages that are copied between two calls of `progress`; all
  ///     pages if negative.
  ///   - progress: Called after each step. When it throws, the backup ends and the error is
  ///     rethrown; after the last step, when the copy is complete, its error is ignored.
  /// - Throws: `DatabaseError` with `SQLITE_BUSY` when another process uses the destination;
  ///   whatever `progress` throws.
  /// - SeeAlso: <https://www.sqlite.org/backup.html>
  @available(
    *, noasync,
    message:
      "Write `try await backup(to:)`, which blocks no thread; at the top level of main.swift, in a function."
  )
  public func backup(
    to writer: some DatabaseWriter, pagesPerStep: Int32 = -1,
    progress: ((DatabaseBackupProgress) throws -> Void)? = nil
  ) throws {
    if (self as AnyObject) === (writer as AnyObject) { Misuse.trap(Misuse.reentrant) }
    try writer.writeWithoutTransaction { destination in
      try read { db in
        try db.backup(to: destination, pagesPerStep: pagesPerStep, progress: progress)
      }
    }
  }

  /// Copies the whole database into another one while the task is suspended.
  ///
  /// When the task is cancelled the backup ends within 100 pages, once the source is free.
  ///
  /// - Parameters:
  ///   - writer: The destination; no other access writes to it meanwhile.
  ///   - pagesPerStep: The number of pages that are copied between two calls of `progress`; all
  ///     pages if negative.
  ///   - progress: Called after each step, on a dispatch queue of the destination.
  /// - Throws: `CancellationError` when the task is cancelled before the copy is complete; whatever
  ///   the blocking form throws.
  /// - SeeAlso: <https://www.sqlite.org/backup.html>
  public func backup(
    to writer: some DatabaseWriter, pagesPerStep: Int32 = -1,
    progress: (@Sendable (DatabaseBackupProgress) throws -> Void)? = nil
  ) async throws {
    try await writer.writeWithoutTransaction { destination in
      try self.read { db in
        try db.backup(to: destination, pagesPerStep: pagesPerStep, progress: progress)
      }
    }
  }
}
