extension MutablePersistableRecord {
  /// Deletes the row with the record's primary key.
  ///
  /// - Parameter db: The connection of the current access.
  /// - Returns: Whether there was such a row.
  /// - Throws: ``DatabaseError`` with SQLite's code; whatever the callbacks or `encode(to:)`
  ///   throw.
  @discardableResult
  public func delete(_ db: Database) throws -> Bool {
    try willDelete(db)
    var deleted: Bool?
    try aroundDelete(db) {
      let isDeleted = try withValues(db) { statements, values in try statements.delete(values, db) }
      deleted = isDeleted
      return isDeleted
    }
    guard let deleted else { throw DatabaseError.callbackMisuse("aroundDelete", of: Self.self) }
    didDelete(deleted: deleted)
    return deleted
  }

  /// Returns whether there is a row with the record's primary key.
  ///
  /// - Parameter db: The connection of the current access.
  /// - Returns: Whether there is one; false when the record has no key.
  /// - Throws: ``DatabaseError`` with SQLite's code; whatever `encode(to:)` throws.
  public func exists(_ db: Database) throws -> Bool {
    try withValues(db) { statements, values in try statements.exists(values, db) }
  }
}
