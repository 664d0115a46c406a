extension Table where RowDecoder: Identifiable, RowDecoder.ID: DatabaseValueConvertible {
  /// Returns whether there is a row with an identifier, which is the primary key; see
  /// ``TableRecord/exists(_:id:)``.
  public func exists(_ db: Database, id: RowDecoder.ID) throws -> Bool {
    try exists(db, key: id)
  }

  /// Deletes the row with an identifier, which is the primary key; see
  /// ``TableRecord/deleteOne(_:id:)``.
  @discardableResult
  public func deleteOne(_ db: Database, id: RowDecoder.ID) throws -> Bool {
    try deleteOne(db, key: id)
  }

  /// Deletes the rows with identifiers, which are the primary keys; see
  /// ``TableRecord/deleteAll(_:ids:)``.
  @discardableResult
  public func deleteAll(_ db: Database, ids: some Sequence<RowDecoder.ID>) throws -> Int {
    try deleteAll(db, keys: ids)
  }
}

extension Table where RowDecoder: TableRecord {
  /// Updates all rows with assignments that use the record's `Columns`; see
  /// ``TableRecord/updateAll(_:onConflict:assignments:)``.
  @discardableResult
  public func updateAll(
    _ db: Database, onConflict conflictResolution: Database.ConflictResolution? = nil,
    assignments: (RowDecoder.DatabaseComponents) throws -> [ColumnAssignment]
  ) throws -> Int {
    try all().updateAll(db, onConflict: conflictResolution, assignments: assignments)
  }

  /// Updates all rows with an assignment that uses the record's `Columns`; see
  /// ``TableRecord/updateAll(_:onConflict:assignments:)``.
  @discardableResult
  public func updateAll(
    _ db: Database, onConflict conflictResolution: Database.ConflictResolution? = nil,
    assignment: (RowDecoder.DatabaseComponents) throws -> ColumnAssignment
  ) throws -> Int {
    try all().updateAll(db, onConflict: conflictResolution, assignment: assignment)
  }
}
