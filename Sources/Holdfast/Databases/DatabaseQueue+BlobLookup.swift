package import HoldfastSQLite

extension DatabaseQueue {
  /// Returns a look-up of blobs on a further connection to the same file, which is opened as the queue's own.
  ///
  /// It needs no access to the queue, and neither waits for the other. The database is only read, and cannot be
  /// suspended.
  ///
  /// - Parameters:
  ///   - sql: A query whose first column is the blob, with three parameters.
  ///   - stepCount: About how many steps one look-up may make.
  /// - Returns: A look-up that several threads may use, one after the other.
  /// - Throws: `DatabaseError` with SQLite's code.
  package func makeBlobLookup(sql: String, stepCount: Int) throws -> BlobLookup {
    precondition(configuration.readonly && !configuration.allowsSuspension)
    return try BlobLookup(pool.openReader(), sql: sql, stepCount: stepCount)
  }
}
