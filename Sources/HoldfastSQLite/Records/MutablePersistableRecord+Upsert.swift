extension MutablePersistableRecord {
  /// Inserts a row, or updates the conflicting row.
  ///
  /// The conflicting row has the same primary or unique key. It keeps its primary key; its other
  /// columns are set to the record's values.
  ///
  /// - Parameter db: The connection of the current access.
  /// - Throws: ``DatabaseError`` with SQLite's code; whatever the callbacks or `encode(to:)`
  ///   throw.
  /// - SeeAlso: <https://www.sqlite.org/lang_upsert.html>
  public mutating func upsert(_ db: Database) throws {
    try saving(db) { record in
      try record.inserting(db) { statements, values in
        try statements.upsert(values, db, target: [], selection: []) { _ in }
      }
    }
  }

  /// Inserts a row or updates the conflicting row, and returns it as stored; see
  /// ``upsertAndFetch(_:as:onConflict:doUpdate:)``.
  public mutating func upsertAndFetch(
    _ db: Database, onConflict conflictTarget: [String] = [],
    doUpdate assignments: ((_ excluded: ExcludedRow) -> [ColumnAssignment])? = nil
  ) throws -> Self where Self: FetchableRecord {
    try upsertAndFetch(db, as: Self.self, onConflict: conflictTarget, doUpdate: assignments)
  }

  /// Inserts a row or updates the conflicting row, and returns it as stored.
  ///
  /// - Parameters:
  ///   - db: The connection of the current access.
  ///   - returnedType: The type of the returned record, whose selection is returned.
  ///   - conflictTarget: The columns of the only key that may conflict; any key if empty.
  ///   - assignments: Returns columns with the values to which the conflicting row is set; `nil`
  ///     or a column that is not among them: the record's values. ``ColumnExpression/noOverwrite``
  ///     keeps the stored one.
  /// - Returns: A new record with the row's values.
  /// - Throws: Whatever ``upsert(_:)`` throws; ``RowDecodingError`` when the row does not convert.
  public mutating func upsertAndFetch<Returned: FetchableRecord & TableRecord>(
    _ db: Database, as returnedType: Returned.Type, onConflict conflictTarget: [String] = [],
    doUpdate assignments: ((_ excluded: ExcludedRow) -> [ColumnAssignment])? = nil
  ) throws -> Returned {
    try saving(db) { record in
      try record.inserting(db) { statements, values in
        try statements.upsert(
          values, db, target: conflictTarget, assignments: assignments?(ExcludedRow()) ?? [],
          selection: Returned.databaseSelection
        ) { try Returned(row: $0) }
      }
    }
  }
}
