// Changing all rows of a request in one statement, without fetching them. The callbacks of records
// are not called.

extension QueryInterfaceRequest {
  /// The conflict resolution of an update without an own one, which the type of the rows has.
  static var conflictResolutionForUpdate: Database.ConflictResolution {
    guard let record = RowDecoder.self as? any MutablePersistableRecord.Type else { return .abort }
    return record.persistenceConflictPolicy.conflictResolutionForUpdate
  }

  /// Deletes the rows.
  ///
  /// - Parameter db: The connection of the current access.
  /// - Returns: The number of deleted rows.
  /// - Throws: ``DatabaseError`` with SQLite's code, and with `.SQLITE_MISUSE` when the request has
  ///   groups, each of which stands for several rows.
  @discardableResult
  public func deleteAll(_ db: Database) throws -> Int {
    var builder = SQLBuilder(db)
    try query.appendDeletion(&builder)
    try db.execute(literal: builder.literal)
    return db.changesCount
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
  /// - Throws: ``DatabaseError`` with SQLite's code, and with `.SQLITE_MISUSE` when the request has
  ///   groups, each of which stands for several rows.
  @discardableResult
  public func updateAll(
    _ db: Database, onConflict conflictResolution: Database.ConflictResolution? = nil,
    _ assignments: [ColumnAssignment]
  ) throws -> Int {
    guard !assignments.isEmpty else { return 0 }
    var builder = SQLBuilder(db)
    try query.appendUpdate(
      assignments, conflictResolution ?? Self.conflictResolutionForUpdate, &builder)
    try db.execute(literal: builder.literal)
    return db.changesCount
  }

  /// Updates the rows.
  ///
  /// - Parameters:
  ///   - db: The connection of the current access.
  ///   - conflictResolution: The action when a row would violate a constraint; the record type's
  ///     own one if `nil`.
  ///   - assignments: The columns with their new values.
  /// - Returns: The number of updated rows.
  /// - Throws: ``DatabaseError`` with SQLite's code, and with `.SQLITE_MISUSE` when the request has
  ///   groups, each of which stands for several rows.
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

  /// Updates the rows.
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
    try updateAll(
      db, onConflict: conflictResolution, [assignment(RowDecoder.databaseComponents)])
  }
}
