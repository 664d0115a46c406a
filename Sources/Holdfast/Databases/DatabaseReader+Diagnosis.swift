import HoldfastSQLite

extension DatabaseReader {
  /// Diagnoses the database: its files, its log and its readers.
  ///
  /// It reads outside a transaction, and so preserves no state meanwhile. It opens no file that
  /// SQLite has open.
  ///
  /// - Returns: The state of this moment, which other processes may change at once.
  /// - Throws: `DatabaseError` when the database cannot be read; ``/HoldfastFiles/FileError`` when
  ///   its files cannot be examined.
  @available(
    *, noasync,
    message:
      "Write `try await diagnose()`, which blocks no thread; at the top level of main.swift, in a function."
  )
  public func diagnose() throws -> DatabaseDiagnosis {
    try unsafeRead { db in try DatabaseDiagnosis(db) }
  }

  /// Diagnoses the database while the task is suspended: its files, its log and its readers.
  ///
  /// - Returns: What the blocking form returns.
  /// - Throws: `CancellationError`; whatever the blocking form throws.
  public func diagnose() async throws -> DatabaseDiagnosis {
    try await unsafeRead { db in try DatabaseDiagnosis(db) }
  }
}

extension DatabaseWriter {
  /// The longest writes since the database was opened, longest first.
  ///
  /// At most `Configuration.longestWriteCount`. Keep them short if other processes share the
  /// database, because they wait for the writes.
  public var longestWrites: [LongWrite] { connectionPool?.longestWrites?.all ?? [] }

  /// Removes the recorded writes, so that later ones are recorded.
  public func forgetLongestWrites() { connectionPool?.longestWrites?.removeAll() }
}
