// What is done to a whole database: erased, packed, checkpointed, copied.

extension DatabaseWriter {
  /// Removes everything: tables, rows and the header's numbers; nobody reads meanwhile.
  ///
  /// - Throws: `DatabaseError` with `SQLITE_BUSY` when another process is in the way.
  @available(*, noasync, message: "Write `try await erase()`, which blocks no thread.")
  public func erase() throws {
    try barrierWriteWithoutTransaction { db in try db.erase() }
  }

  /// Removes everything while the task is suspended: tables, rows and the header's numbers.
  ///
  /// - Throws: `CancellationError`; `DatabaseError` as the blocking form does.
  public func erase() async throws {
    try await barrierWriteWithoutTransaction { db in try db.erase() }
  }

  /// Rebuilds the file without empty pages.
  ///
  /// - Throws: `DatabaseError` with `SQLITE_FULL` when there is no room for a second copy.
  /// - SeeAlso: <https://www.sqlite.org/lang_vacuum.html>
  @available(*, noasync, message: "Write `try await vacuum()`, which blocks no thread.")
  public func vacuum() throws {
    try writeWithoutTransaction { db in try db.execute(sql: "VACUUM") }
  }

  /// Rebuilds the file without empty pages while the task is suspended.
  ///
  /// - Throws: `CancellationError`; `DatabaseError` as the blocking form does.
  /// - SeeAlso: <https://www.sqlite.org/lang_vacuum.html>
  public func vacuum() async throws {
    try await writeWithoutTransaction { db in try db.execute(sql: "VACUUM") }
  }

  /// Writes a compact copy into a new file; a pool's writers go on meanwhile.
  ///
  /// The copy is of one committed state. It is not made in one step: after a crash half a file may
  /// be left.
  ///
  /// - Parameter filePath: The path of a file that does not exist, or is empty; a relative one begins
  ///   at the folder that is the current one now.
  /// - Throws: `DatabaseError` with `SQLITE_ERROR` when the file exists; `FileError` with `.companion`
  ///   when it is a file that is kept next to another database, such as a log, and `.sidecarPresent`
  ///   when a log with content lies next to it.
  /// - SeeAlso: <https://www.sqlite.org/lang_vacuum.html#vacuuminto>
  @available(*, noasync, message: "Write `try await vacuum(into:)`, which blocks no thread.")
  public func vacuum(into filePath: String) throws {
    let target = try CopyTarget(filePath)
    try unsafeRead { db in try db.vacuum(into: target.path) }
  }

  /// Writes a compact copy into a new file while the task is suspended.
  ///
  /// - Parameter filePath: The path of a file that does not exist, or is empty.
  /// - Throws: `CancellationError`; `DatabaseError` as the blocking form does.
  /// - SeeAlso: <https://www.sqlite.org/lang_vacuum.html#vacuuminto>
  public func vacuum(into filePath: String) async throws {
    let target = try CopyTarget(filePath)
    try await unsafeRead { db in try db.vacuum(into: target.path) }
  }

  /// Moves committed changes from the write-ahead log into the database file.
  ///
  /// Readers go on, and all modes but `.passive` wait for those of older states as
  /// `Configuration.busyMode` says; to keep them out checkpoint inside of
  /// `barrierWriteWithoutTransaction`.
  ///
  /// - Parameter kind: How far it goes.
  /// - Returns: The number of frames in the log, and how many of them are in the database file;
  ///   both are -1 when there is no write-ahead log.
  /// - Throws: `DatabaseError` with `SQLITE_BUSY` when somebody was in the way for too long.
  /// - SeeAlso: <https://www.sqlite.org/c3ref/wal_checkpoint_v2.html>
  @available(*, noasync, message: "Write `try await checkpoint(…)`, which blocks no thread.")
  @discardableResult public func checkpoint(
    _ kind: Database.CheckpointMode = .passive
  ) throws -> (walFrameCount: Int, checkpointedFrameCount: Int) {
    try writeWithoutTransaction { db in try db.checkpoint(kind) }
  }

  /// Moves committed changes from the log into the database file while the task is suspended.
  ///
  /// - Parameter kind: How far it goes.
  /// - Returns: The number of frames in the log, and how many of them are in the database file.
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
  /// The copy is of one committed state; a pool's writers go on meanwhile. When it fails, the
  /// destination is what it was.
  ///
  /// ```swift
  /// let copy = try DatabaseQueue(path: "/tmp/copy.db")
  /// try pool.backup(to: copy, pagesPerStep: 100) { progress in
  ///   print("\(progress.completedPageCount) of \(progress.totalPageCount) pages")
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - writer: The destination; nobody else writes it meanwhile.
  ///   - pagesPerStep: How many pages are copied between two calls of `progress`; all when
  ///     negative.
  ///   - progress: Called after each step. When it throws, the backup ends and the error is
  ///     thrown; after the last step, when the copy is complete, its error is ignored.
  /// - Throws: `DatabaseError` with `SQLITE_BUSY` when another process uses the destination; what
  ///   `progress` throws.
  /// - SeeAlso: <https://www.sqlite.org/backup.html>
  @available(*, noasync, message: "Write `try await backup(to:)`, which blocks no thread.")
  public func backup(
    to writer: some DatabaseWriter, pagesPerStep: Int32 = -1,
    progress: ((DatabaseBackupProgress) throws -> Void)? = nil
  ) throws {
    try writer.writeWithoutTransaction { destination in
      try read { db in
        try db.backup(to: destination, pagesPerStep: pagesPerStep, progress: progress)
      }
    }
  }

  /// Copies the whole database into another one while the task is suspended.
  ///
  /// When the task is cancelled the backup ends within a hundred pages, once the source is free.
  ///
  /// - Parameters:
  ///   - writer: The destination; nobody else writes it meanwhile.
  ///   - pagesPerStep: How many pages are copied between two calls of `progress`; all when
  ///     negative.
  ///   - progress: Called after each step, on a queue of the destination's.
  /// - Throws: `CancellationError` when the task is cancelled before the copy is complete; what the
  ///   blocking form throws.
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
