extension MutablePersistableRecord {
  /// Inserts a row.
  ///
  /// - Parameters:
  ///   - db: The connection of the current access.
  ///   - conflictResolution: The action if the row would violate a constraint; if `nil`, the
  ///     type's ``persistenceConflictPolicy``.
  /// - Throws: ``DatabaseError`` with SQLite's code; whatever the callbacks or `encode(to:)`
  ///   throw.
  @inlinable
  public mutating func insert(
    _ db: Database, onConflict conflictResolution: Database.ConflictResolution? = nil
  ) throws {
    let resolution = conflictResolution ?? insertResolution
    try saving(db) { record in
      try record.inserting(db) { statements, values in
        (try statements.insert(values, db, resolution), ())
      }
    }
  }

  /// Inserts a row, and returns a copy of the record with the changes of ``didInsert(_:)``; see
  /// ``insert(_:onConflict:)``.
  @inlinable
  public func inserted(
    _ db: Database, onConflict conflictResolution: Database.ConflictResolution? = nil
  ) throws -> Self {
    var record = self
    try record.insert(db, onConflict: conflictResolution)
    return record
  }

  // That of a subclass, if the record is known as its superclass.
  @inlinable var insertResolution: Database.ConflictResolution {
    type(of: self).persistenceConflictPolicy.conflictResolutionForInsert
  }

  // MARK: - RETURNING

  /// Inserts a row, and returns it as stored; see ``insertAndFetch(_:onConflict:as:)``.
  public func insertAndFetch(
    _ db: Database, onConflict conflictResolution: Database.ConflictResolution? = nil
  ) throws -> Self where Self: FetchableRecord {
    var record = self
    return try record.insertAndFetch(db, onConflict: conflictResolution, as: Self.self)
  }

  /// Inserts a row, and returns it as stored.
  ///
  /// - Parameters:
  ///   - db: The connection of the current access.
  ///   - conflictResolution: The action if the row would violate a constraint; if `nil`, the
  ///     type's ``persistenceConflictPolicy``.
  ///   - returnedType: The type of the returned record, whose selection is returned.
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

  /// Inserts a row, and lets a closure fetch the returned columns.
  ///
  /// - Parameters:
  ///   - db: The connection of the current access.
  ///   - conflictResolution: The action if the row would violate a constraint; if `nil`, the
  ///     type's ``persistenceConflictPolicy``.
  ///   - selection: The columns to return, at least one.
  ///   - fetch: Fetches from the statement, which returns no row when a conflict was ignored.
  /// - Returns: The result of `fetch`.
  /// - Throws: Whatever ``insert(_:onConflict:)`` or `fetch` throws.
  /// - SeeAlso: <https://www.sqlite.org/lang_returning.html>
  public mutating func insertAndFetch<Value>(
    _ db: Database, onConflict conflictResolution: Database.ConflictResolution? = nil,
    selection: [any SQLSelectable], fetch: (Statement) throws -> Value
  ) throws -> Value {
    let resolution = conflictResolution ?? insertResolution
    return try saving(db) { record in
      try record.inserting(db) { statements, values in
        try statements.insertAndFetch(values, db, resolution, selection: selection, fetch)
      }
    }
  }

  /// Inserts a row, and lets a closure fetch the columns that another one returns.
  ///
  /// ```swift
  /// let score = try player.insertAndFetch(db) { try Int.fetchOne($0) } select: { [$0.score] }
  /// ```
  ///
  /// - Parameters:
  ///   - db: The connection of the current access.
  ///   - conflictResolution: The action if the row would violate a constraint; if `nil`, the type's
  ///     ``persistenceConflictPolicy``.
  ///   - fetch: Fetches from the statement, which returns no row when a conflict was ignored.
  ///   - selection: Returns columns, at least one, from the record's `Columns`.
  /// - Returns: The result of `fetch`.
  /// - Throws: Whatever ``insert(_:onConflict:)``, `fetch` or `selection` throws.
  public mutating func insertAndFetch<Value>(
    _ db: Database, onConflict conflictResolution: Database.ConflictResolution? = nil,
    fetch: (Statement) throws -> Value,
    select selection: (DatabaseComponents) throws -> [any SQLSelectable]
  ) throws -> Value {
    try insertAndFetch(
      db, onConflict: conflictResolution, selection: selection(Self.databaseComponents),
      fetch: fetch)
  }
}
