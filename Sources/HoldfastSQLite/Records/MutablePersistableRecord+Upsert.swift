extension MutablePersistableRecord {
  /// Inserts a row, or updates the conflicting row.
  ///
  /// The conflicting row has the same primary or unique key. It keeps its primary key; its other
  /// columns are set to the record's values. If the record has no other columns, the row counts as
  /// updated nevertheless.
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
  /// ``upsertAndFetch(_:as:onConflict:updating:doUpdate:)``.
  public mutating func upsertAndFetch(
    _ db: Database, onConflict conflictTarget: [String] = [],
    updating strategy: UpsertUpdateStrategy = .allColumns,
    doUpdate assignments: ((_ excluded: TableAlias<Self>) -> [ColumnAssignment])? = nil
  ) throws -> Self where Self: FetchableRecord {
    try upsertAndFetch(
      db, as: Self.self, onConflict: conflictTarget, updating: strategy, doUpdate: assignments)
  }

  /// Inserts a row or updates the conflicting row, and returns it as stored.
  ///
  /// ```swift
  /// let player = try player.upsertAndFetch(db, onConflict: ["name"]) { excluded in
  ///   [Column("score").set(to: Column("score") + excluded[Column("score")])]
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - db: The connection of the current access.
  ///   - returnedType: The type of the returned record, whose selection is returned.
  ///   - conflictTarget: The columns of the only key that may conflict; any key if empty.
  ///   - strategy: The columns that are updated without an assignment; all by default.
  ///   - assignments: Returns columns with the values to which the conflicting row is set. The other
  ///     columns that the strategy names are set to the record's values. ``ColumnExpression/noOverwrite``
  ///     keeps the stored one. `excluded` has the values that would have been inserted.
  /// - Returns: A new record with the row's values.
  /// - Throws: Whatever ``upsert(_:)`` throws; ``RowDecodingError`` when the row does not convert.
  public mutating func upsertAndFetch<Returned: FetchableRecord & TableRecord>(
    _ db: Database, as returnedType: Returned.Type, onConflict conflictTarget: [String] = [],
    updating strategy: UpsertUpdateStrategy = .allColumns,
    doUpdate assignments: ((_ excluded: TableAlias<Self>) -> [ColumnAssignment])? = nil
  ) throws -> Returned {
    try saving(db) { record in
      try record.inserting(db) { statements, values in
        try statements.upsert(
          values, db, target: conflictTarget, updating: strategy,
          assignments: assignments?(TableAlias(name: "excluded")) ?? [],
          selection: Returned.databaseSelection
        ) { try Returned(row: $0) }
      }
    }
  }
}
