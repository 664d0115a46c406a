extension MutablePersistableRecord {
  /// Updates the row with the record's primary key, or inserts one if there is none.
  ///
  /// - Parameters:
  ///   - db: The connection of the current access.
  ///   - conflictResolution: The action if the row would violate a constraint; if `nil`, the
  ///     type's ``persistenceConflictPolicy``.
  /// - Throws: ``DatabaseError`` with SQLite's code; whatever the callbacks or `encode(to:)`
  ///   throw.
  public mutating func save(
    _ db: Database, onConflict conflictResolution: Database.ConflictResolution? = nil
  ) throws {
    let (insertResolution, updateResolution) = (insertResolution, updateResolution)
    try saving(db) { record in
      try record.updatingOrInserting(db) { record in
        try record.updating(db, columns: nil) { statements, values in
          let resolution = conflictResolution ?? updateResolution
          return (try statements.update(values, db, resolution, columns: nil), ())
        }
      } insert: { record in
        try record.inserting(db) { statements, values in
          (try statements.insert(values, db, conflictResolution ?? insertResolution), ())
        }
      }
    }
  }

  /// Updates or inserts a row, and returns a copy of the record with the changes of
  /// ``didInsert(_:)``; see ``save(_:onConflict:)``.
  public func saved(
    _ db: Database, onConflict conflictResolution: Database.ConflictResolution? = nil
  ) throws -> Self {
    var record = self
    try record.save(db, onConflict: conflictResolution)
    return record
  }

  /// Updates or inserts a row, and returns it as stored; see ``saveAndFetch(_:onConflict:as:)``.
  public func saveAndFetch(
    _ db: Database, onConflict conflictResolution: Database.ConflictResolution? = nil
  ) throws -> Self where Self: FetchableRecord {
    var record = self
    return try record.saveAndFetch(db, onConflict: conflictResolution, as: Self.self)
  }

  /// Updates or inserts a row, and returns it as stored.
  ///
  /// - Parameters:
  ///   - db: The connection of the current access.
  ///   - conflictResolution: The action if the row would violate a constraint; if `nil`, the
  ///     type's ``persistenceConflictPolicy``.
  ///   - returnedType: The type of the returned record, whose selection is returned.
  /// - Returns: A new record with the row's values.
  /// - Throws: ``RecordError`` when a conflict was ignored; whatever ``save(_:onConflict:)``
  ///   throws.
  public mutating func saveAndFetch<Returned: FetchableRecord & TableRecord>(
    _ db: Database, onConflict conflictResolution: Database.ConflictResolution? = nil,
    as returnedType: Returned.Type
  ) throws -> Returned {
    let row = try saveAndFetch(
      db, onConflict: conflictResolution, selection: Returned.databaseSelection
    ) { try Returned.fetchOne($0) }
    guard let row else { throw recordNotFound(db) }
    return row
  }

  /// Updates or inserts a row, and lets a closure fetch the returned columns.
  ///
  /// - Parameters:
  ///   - db: The connection of the current access.
  ///   - conflictResolution: The action if the row would violate a constraint; if `nil`, the
  ///     type's ``persistenceConflictPolicy``.
  ///   - selection: The columns to return, at least one.
  ///   - fetch: Fetches from the statement. It is called for the update, which may return no row,
  ///     and then again for the insertion.
  /// - Returns: The result of the last call of `fetch`.
  /// - Throws: Whatever ``save(_:onConflict:)`` or `fetch` throws.
  public mutating func saveAndFetch<Value>(
    _ db: Database, onConflict conflictResolution: Database.ConflictResolution? = nil,
    selection: [any SQLSelectable], fetch: (Statement) throws -> Value
  ) throws -> Value {
    let insertResolution = insertResolution
    return try saving(db) { record in
      try record.updatingOrInserting(db) { record in
        try record.updateAndFetch(db, conflictResolution, nil, selection, fetch)
      } insert: { record in
        try record.inserting(db) { statements, values in
          try statements.insertAndFetch(
            values, db, conflictResolution ?? insertResolution, selection: selection, fetch)
        }
      }
    }
  }

  /// Updates if the record has a key, and inserts if there is no such row.
  private mutating func updatingOrInserting<Value>(
    _ db: Database, update: (inout Self) throws -> (PersistenceSuccess, Value),
    insert: (inout Self) throws -> (PersistenceSuccess, Value)
  ) throws -> (PersistenceSuccess, Value) {
    if let missing = try keyError(db) {
      do {
        return try update(&self)
      } catch let error as RecordError where error == missing {
        // There is no such row. The error of another record that a callback stored is rethrown.
      }
    }
    return try insert(&self)
  }

  /// Returns the error for an update that finds no row; `nil` when the record has no key.
  private func keyError(_ db: Database) throws -> RecordError? {
    try withValues(db) { statements, values in
      let key = try statements.primaryKey(db)
      return statements.keyIndexes(key, in: values) == nil
        ? nil : statements.notFound(key, in: values)
    }
  }
}
