// Changing all rows of a request in one statement, without fetching them. The callbacks of records
// are not called. A request with groups changes one row of each, the one whose primary key it selects.

extension QueryInterfaceRequest {
  /// The conflict resolution of an update without an own one, which the type of the rows has.
  static var conflictResolutionForUpdate: Database.ConflictResolution {
    guard let record = RowDecoder.self as? any MutablePersistableRecord.Type else { return .abort }
    return record.persistenceConflictPolicy.conflictResolutionForUpdate
  }

  /// Deletes the rows.
  ///
  /// - Parameter db: The connection of the current access.
  /// - Returns: The number of deleted rows; for a view, of the rows that its triggers changed.
  /// - Throws: ``DatabaseError`` with SQLite's code.
  @discardableResult
  public func deleteAll(_ db: Database) throws -> Int {
    var builder = SQLBuilder(db)
    try query.appendDeletion(&builder)
    return try db.countChanges(of: query.source, builder.literal)
  }

  /// Updates the rows.
  ///
  /// ```swift
  /// try Player.filter(Column("team") == "red")
  ///   .updateAll(db, [Column("score") += 1, Column("isReady").set(to: true)])
  /// ```
  ///
  /// - Parameters:
  ///   - db: The connection of the current access.
  ///   - conflictResolution: The action when a row would violate a constraint; the record type's
  ///     own one if `nil`.
  ///   - assignments: The columns with their new values; without any, no statement runs.
  /// - Returns: The number of updated rows.
  /// - Throws: ``DatabaseError`` with SQLite's code.
  @discardableResult
  public func updateAll(
    _ db: Database, onConflict conflictResolution: Database.ConflictResolution? = nil,
    _ assignments: [ColumnAssignment]
  ) throws -> Int {
    guard !assignments.isEmpty else { return 0 }
    var builder = SQLBuilder(db)
    try query.appendUpdate(
      assignments, conflictResolution ?? Self.conflictResolutionForUpdate, &builder)
    return try db.countChanges(of: query.source, builder.literal)
  }

  /// Updates the rows with a list of assignments, as the function that takes an array does.
  @discardableResult
  public func updateAll(
    _ db: Database, onConflict conflictResolution: Database.ConflictResolution? = nil,
    _ assignments: ColumnAssignment...
  ) throws -> Int {
    try updateAll(db, onConflict: conflictResolution, assignments)
  }
}

extension QueryInterfaceRequest where RowDecoder: TableRecord {
  /// Updates the rows.
  ///
  /// ```swift
  /// try Player.all().updateAll(db) { [$0.score += 1, $0.isReady.set(to: true)] }
  /// ```
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
    try updateAll(
      db, onConflict: conflictResolution, assignments(RowDecoder.databaseComponents))
  }

  /// Updates the rows with an assignment; see ``updateAll(_:onConflict:assignments:)``.
  @discardableResult
  public func updateAll(
    _ db: Database, onConflict conflictResolution: Database.ConflictResolution? = nil,
    assignment: (RowDecoder.DatabaseComponents) throws -> ColumnAssignment
  ) throws -> Int {
    try updateAll(
      db, onConflict: conflictResolution, [assignment(RowDecoder.databaseComponents)])
  }
}

extension Database {
  /// Runs a statement, and returns the number of rows of the source that it changed.
  fileprivate func countChanges(of source: QuerySource, _ change: SQL) throws -> Int {
    let before = totalChangesCount
    try execute(literal: change)
    let count = changesCount
    // "Changes to a view that are intercepted by INSTEAD OF triggers are not counted":
    // https://www.sqlite.org/c3ref/changes.html. The total has those of the triggers.
    guard count == 0, totalChangesCount != before, try source.primaryKeyIfAny(self).isOfView else {
      return count
    }
    return totalChangesCount - before
  }
}
