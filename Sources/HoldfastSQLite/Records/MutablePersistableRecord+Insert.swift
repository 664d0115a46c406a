extension MutablePersistableRecord {
  /// Inserts a row.
  ///
  /// - Parameters:
  ///   - db: The connection of the current access.
  ///   - conflictResolution: What happens when the row would violate a constraint; the type's
  ///     ``persistenceConflictPolicy`` when `nil`.
  /// - Throws: ``DatabaseError`` with SQLite's code; what the callbacks and `encode(to:)`
  ///   throw.
  @inlinable
  public mutating func insert(
    _ db: Database, onConflict conflictResolution: Database.ConflictResolution? = nil
  ) throws {
    try saving(db) { record in
      try record.inserting(db) { plan, values in
        (try plan.insert(values, db, conflictResolution ?? Self.insertResolution), ())
      }
    }
  }

  /// Inserts a row, and returns the record as it is then.
  ///
  /// - Parameters:
  ///   - db: The connection of the current access.
  ///   - conflictResolution: What happens when the row would violate a constraint; the type's
  ///     ``persistenceConflictPolicy`` when `nil`.
  /// - Returns: A copy of the record with what ``didInsert(_:)`` changed.
  /// - Throws: What ``insert(_:onConflict:)`` throws.
  @inlinable
  public func inserted(
    _ db: Database, onConflict conflictResolution: Database.ConflictResolution? = nil
  ) throws -> Self {
    var record = self
    try record.insert(db, onConflict: conflictResolution)
    return record
  }

  @inlinable static var insertResolution: Database.ConflictResolution {
    persistenceConflictPolicy.conflictResolutionForInsert
  }

  // MARK: - RETURNING

  /// Inserts a row, and returns it as the database has stored it.
  ///
  /// - Parameters:
  ///   - db: The connection of the current access.
  ///   - conflictResolution: What happens when the row would violate a constraint; the type's
  ///     ``persistenceConflictPolicy`` when `nil`.
  /// - Returns: A new record with default and generated values.
  /// - Throws: ``RecordError`` when a conflict was ignored; whatever ``insert(_:onConflict:)``
  ///   throws.
  public func insertAndFetch(
    _ db: Database, onConflict conflictResolution: Database.ConflictResolution? = nil
  ) throws -> Self where Self: FetchableRecord {
    var record = self
    return try record.insertAndFetch(db, onConflict: conflictResolution, as: Self.self)
  }

  /// Inserts a row, and returns it as the database has stored it.
  ///
  /// - Parameters:
  ///   - db: The connection of the current access.
  ///   - conflictResolution: What happens when the row would violate a constraint; the type's
  ///     ``persistenceConflictPolicy`` when `nil`.
  ///   - returnedType: What the row becomes; its own selection is given back.
  /// - Returns: A new record with default and generated values.
  /// - Throws: ``RecordError`` when a conflict was ignored; whatever ``insert(_:onConflict:)``
  ///   throws.
  public mutating func insertAndFetch<Returned: FetchableRecord & TableRecord>(
    _ db: Database, onConflict conflictResolution: Database.ConflictResolution? = nil,
    as returnedType: Returned.Type
  ) throws -> Returned {
    let row = try insertAndFetch(
      db, onConflict: conflictResolution, selection: Returned.databaseSelection
    ) { try Returned.fetchOne($0) }
    guard let row else { throw recordNotFound(db) }
    return row
  }

  /// Inserts a row, and lets a closure fetch what the database gives back.
  ///
  /// - Parameters:
  ///   - db: The connection of the current access.
  ///   - conflictResolution: What happens when the row would violate a constraint; the type's
  ///     ``persistenceConflictPolicy`` when `nil`.
  ///   - selection: The columns to give back, at least one.
  ///   - fetch: Fetches from the statement, which gives no row when a conflict was ignored.
  /// - Returns: What `fetch` returns.
  /// - Throws: What ``insert(_:onConflict:)`` and `fetch` throw.
  /// - SeeAlso: <https://www.sqlite.org/lang_returning.html>
  public mutating func insertAndFetch<Value>(
    _ db: Database, onConflict conflictResolution: Database.ConflictResolution? = nil,
    selection: [any SQLSelectable], fetch: (Statement) throws -> Value
  ) throws -> Value {
    try saving(db) { record in
      try record.inserting(db) { plan, values in
        try plan.insertAndFetch(
          values, db, conflictResolution ?? Self.insertResolution, selection: selection, fetch)
      }
    }
  }
}
