// Changing all rows of a request in one statement, and fetching what was deleted or updated from it. A
// cursor or statement changes all rows before it returns the first one.
//
// https://www.sqlite.org/lang_returning.html

extension QueryInterfaceRequest {
  // MARK: - Deleting

  /// Returns a statement that deletes the rows and returns columns of them.
  ///
  /// ```swift
  /// let statement = try Player.filter(Column("score") == 0)
  ///   .deleteAndFetchStatement(db, selection: [Column("name")])
  /// let names = try String.fetchSet(statement)
  /// ```
  ///
  /// - Parameters:
  ///   - db: The connection of the current access.
  ///   - selection: The columns to return, at least one.
  /// - Returns: The statement, which has not run yet.
  /// - Throws: ``DatabaseError`` with SQLite's code.
  public func deleteAndFetchStatement(
    _ db: Database, selection: [any SQLSelectable]
  ) throws -> Statement {
    try statement(db, returning: selection) { try query.appendDeletion(&$0) }
  }

  // MARK: - Updating

  /// Returns a statement that updates the rows and returns columns of them, with their new values.
  ///
  /// - Parameters:
  ///   - db: The connection of the current access.
  ///   - conflictResolution: The action when a row would violate a constraint; the record type's
  ///     own one if `nil`.
  ///   - assignments: The columns with their new values, at least one.
  ///   - selection: The columns to return, at least one.
  /// - Returns: The statement, which has not run yet.
  /// - Throws: ``DatabaseError`` with SQLite's code.
  public func updateAndFetchStatement(
    _ db: Database, onConflict conflictResolution: Database.ConflictResolution? = nil,
    _ assignments: [ColumnAssignment], selection: [any SQLSelectable]
  ) throws -> Statement {
    try statement(db, returning: selection) { builder in
      try query.appendUpdate(
        assignments, conflictResolution ?? Self.conflictResolutionForUpdate, &builder)
    }
  }

  private func statement(
    _ db: Database, returning selection: [any SQLSelectable],
    _ appendChange: (inout SQLBuilder) throws -> Void
  ) throws -> Statement {
    guard !selection.isEmpty else { Misuse.trap(Misuse.emptySelection) }
    var builder = SQLBuilder(db)
    try appendChange(&builder)
    builder.append(" RETURNING ")
    try builder.append(selection.map(\.sqlSelection)) { try $0.append($1, from: query.source) }
    return try db.makeStatement(literal: builder.literal)
  }
}

extension QueryInterfaceRequest where RowDecoder: TableRecord {
  /// Returns a statement that deletes the rows and returns the columns that the closure chooses;
  /// see ``deleteAndFetchStatement(_:selection:)``.
  public func deleteAndFetchStatement(
    _ db: Database, select selection: (RowDecoder.DatabaseComponents) throws -> [any SQLSelectable]
  ) throws -> Statement {
    try deleteAndFetchStatement(db, selection: selection(RowDecoder.databaseComponents))
  }

  /// Returns a statement that updates the rows and returns columns of them, with their new values.
  ///
  /// - Parameters:
  ///   - db: The connection of the current access.
  ///   - conflictResolution: The action when a row would violate a constraint; the record type's
  ///     own one if `nil`.
  ///   - assignments: Returns the columns with their new values, from the record's `Columns`.
  ///   - selection: Returns the columns to return, at least one.
  /// - Returns: The statement, which has not run yet.
  /// - Throws: ``DatabaseError`` with SQLite's code; whatever a closure throws.
  public func updateAndFetchStatement(
    _ db: Database, onConflict conflictResolution: Database.ConflictResolution? = nil,
    assignments: (RowDecoder.DatabaseComponents) throws -> [ColumnAssignment],
    select selection: (RowDecoder.DatabaseComponents) throws -> [any SQLSelectable]
  ) throws -> Statement {
    let components = RowDecoder.databaseComponents
    return try updateAndFetchStatement(
      db, onConflict: conflictResolution, assignments(components), selection: selection(components))
  }
}

extension QueryInterfaceRequest where RowDecoder: FetchableRecord & TableRecord {
  /// Returns a cursor of the records of the deleted rows.
  ///
  /// - Throws: ``DatabaseError`` with SQLite's code.
  public func deleteAndFetchCursor(_ db: Database) throws -> RecordCursor<RowDecoder> {
    try RowDecoder.fetchCursor(
      deleteAndFetchStatement(db, selection: RowDecoder.databaseSelection))
  }

  /// Deletes the rows, and returns their records, in no particular order; see
  /// ``deleteAndFetchCursor(_:)``.
  public func deleteAndFetchAll(_ db: Database) throws -> [RowDecoder] {
    try Array(deleteAndFetchCursor(db))
  }

  /// Deletes the rows, and returns their records; see ``deleteAndFetchCursor(_:)``.
  public func deleteAndFetchSet(_ db: Database) throws -> Set<RowDecoder>
  where RowDecoder: Hashable {
    try Set(deleteAndFetchCursor(db))
  }

  /// Returns a cursor of the records of the updated rows, with their new values.
  ///
  /// - Parameters:
  ///   - db: The connection of the current access.
  ///   - conflictResolution: The action when a row would violate a constraint; the record type's
  ///     own one if `nil`.
  ///   - assignments: The columns with their new values, at least one.
  /// - Returns: A cursor, whose first row comes after all rows were updated.
  /// - Throws: ``DatabaseError`` with SQLite's code.
  public func updateAndFetchCursor(
    _ db: Database, onConflict conflictResolution: Database.ConflictResolution? = nil,
    _ assignments: [ColumnAssignment]
  ) throws -> RecordCursor<RowDecoder> {
    try RowDecoder.fetchCursor(
      updateAndFetchStatement(
        db, onConflict: conflictResolution, assignments, selection: RowDecoder.databaseSelection))
  }

  /// Returns a cursor of the records of the updated rows, with their new values, from assignments
  /// that use the record's `Columns`; see ``updateAndFetchCursor(_:onConflict:_:)``.
  public func updateAndFetchCursor(
    _ db: Database, onConflict conflictResolution: Database.ConflictResolution? = nil,
    assignments: (RowDecoder.DatabaseComponents) throws -> [ColumnAssignment]
  ) throws -> RecordCursor<RowDecoder> {
    try updateAndFetchCursor(
      db, onConflict: conflictResolution, assignments(RowDecoder.databaseComponents))
  }

  /// Updates the rows, and returns their records with the new values, in no particular order; see
  /// ``updateAndFetchCursor(_:onConflict:_:)``.
  public func updateAndFetchAll(
    _ db: Database, onConflict conflictResolution: Database.ConflictResolution? = nil,
    _ assignments: [ColumnAssignment]
  ) throws -> [RowDecoder] {
    try Array(updateAndFetchCursor(db, onConflict: conflictResolution, assignments))
  }

  /// Updates the rows, and returns their records with the new values, in no particular order; see
  /// ``updateAndFetchCursor(_:onConflict:assignments:)``.
  public func updateAndFetchAll(
    _ db: Database, onConflict conflictResolution: Database.ConflictResolution? = nil,
    assignments: (RowDecoder.DatabaseComponents) throws -> [ColumnAssignment]
  ) throws -> [RowDecoder] {
    try Array(updateAndFetchCursor(db, onConflict: conflictResolution, assignments: assignments))
  }

  /// Updates the rows, and returns their records with the new values; see
  /// ``updateAndFetchCursor(_:onConflict:_:)``.
  public func updateAndFetchSet(
    _ db: Database, onConflict conflictResolution: Database.ConflictResolution? = nil,
    _ assignments: [ColumnAssignment]
  ) throws -> Set<RowDecoder> where RowDecoder: Hashable {
    try Set(updateAndFetchCursor(db, onConflict: conflictResolution, assignments))
  }

  /// Updates the rows, and returns their records with the new values; see
  /// ``updateAndFetchCursor(_:onConflict:assignments:)``.
  public func updateAndFetchSet(
    _ db: Database, onConflict conflictResolution: Database.ConflictResolution? = nil,
    assignments: (RowDecoder.DatabaseComponents) throws -> [ColumnAssignment]
  ) throws -> Set<RowDecoder> where RowDecoder: Hashable {
    try Set(updateAndFetchCursor(db, onConflict: conflictResolution, assignments: assignments))
  }
}

extension QueryInterfaceRequest
where RowDecoder: TableRecord & Identifiable, RowDecoder.ID: DatabaseValueConvertible {
  /// Deletes the rows, and returns their identifiers, which are the primary keys.
  ///
  /// Dates and data are decoded by the record's strategies, as its properties are.
  ///
  /// - Parameter db: The connection of the current access.
  /// - Returns: Each identifier once; empty when no row matched.
  /// - Throws: ``DatabaseError`` with SQLite's code, and with `SQLITE_MISUSE` when the primary key has
  ///   several columns.
  public func deleteAndFetchIds(_ db: Database) throws -> Set<RowDecoder.ID> {
    let key = try db.recordStatementCache(for: RowDecoder.self).singleKeyColumn(db)
    let statement = try deleteAndFetchStatement(db, selection: [Column(key)])
    guard RowDecoder.ID.mayHaveStrategy, let record = RowDecoder.self as? any FetchableRecord.Type
    else { return try RowDecoder.ID.fetchSet(statement) }
    return try Set(Row.fetchCursor(statement).map { try record.decodeKey(of: key, from: $0) })
  }
}
