extension Table where RowDecoder: Identifiable, RowDecoder.ID: DatabaseValueConvertible {
  /// Returns whether there is a row with an identifier, which is the primary key.
  ///
  /// - Parameters:
  ///   - db: The connection of the current access.
  ///   - id: The identifier.
  /// - Returns: Whether there is such a row.
  /// - Throws: ``DatabaseError`` with SQLite's code.
  public func exists(_ db: Database, id: RowDecoder.ID) throws -> Bool {
    try exists(db, key: id)
  }

  /// Deletes the row with an identifier, which is the primary key.
  ///
  /// - Parameters:
  ///   - db: The connection of the current access.
  ///   - id: The identifier.
  /// - Returns: Whether there was such a row.
  /// - Throws: ``DatabaseError`` with SQLite's code.
  @discardableResult
  public func deleteOne(_ db: Database, id: RowDecoder.ID) throws -> Bool {
    try deleteOne(db, key: id)
  }

  /// Deletes the rows with identifiers, which are the primary keys.
  ///
  /// - Parameters:
  ///   - db: The connection of the current access.
  ///   - ids: The identifiers, at most 32766 of them.
  /// - Returns: The number of deleted rows.
  /// - Throws: ``DatabaseError`` with SQLite's code.
  @discardableResult
  public func deleteAll(_ db: Database, ids: some Sequence<RowDecoder.ID>) throws -> Int {
    try deleteAll(db, keys: ids)
  }
}

extension Table where RowDecoder: TableRecord {
  /// Updates all rows.
  ///
  /// - Parameters:
  ///   - db: The connection of the current access.
  ///   - conflictResolution: The action when a row would violate a constraint; the record type's
  ///     own one if `nil`.
  ///   - assignments: Returns the columns with their new values, from the record's `Columns`.
  /// - Returns: The number of updated rows.
  /// - Throws: ``DatabaseError`` with SQLite's code; whatever `assignments` throws.
  @discardableResult
  public func updateAll(
    _ db: Database, onConflict conflictResolution: Database.ConflictResolution? = nil,
    assignments: (RowDecoder.DatabaseComponents) throws -> [ColumnAssignment]
  ) throws -> Int {
    try all().updateAll(db, onConflict: conflictResolution, assignments: assignments)
  }

  /// Updates all rows.
  ///
  /// - Parameters:
  ///   - db: The connection of the current access.
  ///   - conflictResolution: The action when a row would violate a constraint; the record type's
  ///     own one if `nil`.
  ///   - assignment: Returns a column with its new value, from the record's `Columns`.
  /// - Returns: The number of updated rows.
  /// - Throws: ``DatabaseError`` with SQLite's code; whatever `assignment` throws.
  @discardableResult
  public func updateAll(
    _ db: Database, onConflict conflictResolution: Database.ConflictResolution? = nil,
    assignment: (RowDecoder.DatabaseComponents) throws -> ColumnAssignment
  ) throws -> Int {
    try all().updateAll(db, onConflict: conflictResolution, assignment: assignment)
  }
}
