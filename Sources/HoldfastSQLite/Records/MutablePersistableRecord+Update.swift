extension MutablePersistableRecord {
  @inlinable var updateResolution: Database.ConflictResolution {
    type(of: self).persistenceConflictPolicy.conflictResolutionForUpdate
  }

  /// Updates the row with the record's primary key, in all columns.
  ///
  /// - Parameters:
  ///   - db: The connection of the current access.
  ///   - conflictResolution: The action if the row would violate a constraint; if `nil`, the
  ///     type's ``persistenceConflictPolicy``.
  /// - Throws: ``RecordError`` when there is no such row; ``DatabaseError`` with SQLite's
  ///   code; whatever the callbacks or `encode(to:)` throw.
  @inlinable
  public func update(
    _ db: Database, onConflict conflictResolution: Database.ConflictResolution? = nil
  ) throws {
    var record = self
    try record.update(db, onConflict: conflictResolution, selected: nil)
  }

  /// Updates the row with the record's primary key, in some columns.
  ///
  /// - Parameters:
  ///   - db: The connection of the current access.
  ///   - conflictResolution: The action if the row would violate a constraint; if `nil`, the
  ///     type's ``persistenceConflictPolicy``.
  ///   - columns: The columns to update, whose names are case-insensitive.
  /// - Throws: Whatever ``update(_:onConflict:)`` throws.
  public func update(
    _ db: Database, onConflict conflictResolution: Database.ConflictResolution? = nil,
    columns: some Sequence<String>
  ) throws {
    var record = self
    try record.update(db, onConflict: conflictResolution, selected: Array(columns))
  }

  /// Updates the row with the record's primary key, in some columns, as the function that takes
  /// their names does.
  public func update(
    _ db: Database, onConflict conflictResolution: Database.ConflictResolution? = nil,
    columns: some Sequence<some ColumnExpression>
  ) throws {
    try update(db, onConflict: conflictResolution, columns: columns.map(\.name))
  }

  @inlinable
  mutating func update(
    _ db: Database, onConflict conflictResolution: Database.ConflictResolution?,
    selected: [String]?
  ) throws {
    let resolution = conflictResolution ?? updateResolution
    try saving(db) { record in
      try record.updating(db, columns: selected) { statements, values in
        return (try statements.update(values, db, resolution, columns: selected), ())
      }
    }
  }

  // MARK: - Changes

  /// Updates the columns that differ from an earlier state of the record, if there are any.
  ///
  /// - Parameters:
  ///   - db: The connection of the current access.
  ///   - conflictResolution: The action if the row would violate a constraint; if `nil`, the
  ///     type's ``persistenceConflictPolicy``.
  ///   - record: The earlier state of the record.
  /// - Returns: Whether any column differed.
  /// - Throws: Whatever ``update(_:onConflict:)`` throws.
  @discardableResult
  public func updateChanges(
    _ db: Database, onConflict conflictResolution: Database.ConflictResolution? = nil,
    from record: some MutablePersistableRecord
  ) throws -> Bool {
    try updateChanges(
      db, onConflict: conflictResolution, from: PersistenceContainer(record))
  }

  /// Modifies the record, and updates the changed columns, if there are any.
  ///
  /// - Parameters:
  ///   - db: The connection of the current access.
  ///   - conflictResolution: The action if the row would violate a constraint; if `nil`, the
  ///     type's ``persistenceConflictPolicy``.
  ///   - modify: Changes the record.
  /// - Returns: Whether any column differed.
  /// - Throws: Whatever ``update(_:onConflict:)`` or `modify` throws.
  @discardableResult
  public mutating func updateChanges(
    _ db: Database, onConflict conflictResolution: Database.ConflictResolution? = nil,
    modify: (inout Self) throws -> Void
  ) throws -> Bool {
    let before = try PersistenceContainer(self)
    try modify(&self)
    return try updateChanges(db, onConflict: conflictResolution, from: before)
  }

  private func updateChanges(
    _ db: Database, onConflict conflictResolution: Database.ConflictResolution?,
    from before: PersistenceContainer
  ) throws -> Bool {
    let changes = try PersistenceContainer(self).changes(from: before)
    guard !changes.isEmpty else { return false }
    try update(db, onConflict: conflictResolution, columns: changes.map(\.column))
    return true
  }

  // MARK: - RETURNING

  /// Updates the row with the record's primary key, and returns it as stored; see
  /// ``updateAndFetch(_:onConflict:as:)``.
  public func updateAndFetch(
    _ db: Database, onConflict conflictResolution: Database.ConflictResolution? = nil
  ) throws -> Self where Self: FetchableRecord {
    try updateAndFetch(db, onConflict: conflictResolution, as: Self.self)
  }

  /// Updates the row with the record's primary key, and returns it as stored.
  ///
  /// - Parameters:
  ///   - db: The connection of the current access.
  ///   - conflictResolution: The action if the row would violate a constraint; if `nil`, the
  ///     type's ``persistenceConflictPolicy``.
  ///   - returnedType: The type of the returned record, whose selection is returned.
  /// - Returns: A new record with the row's values.
  /// - Throws: ``RecordError`` when there is no such row, or a conflict was ignored; whatever
  ///   ``update(_:onConflict:)`` throws.
  public func updateAndFetch<Returned: FetchableRecord & TableRecord>(
    _ db: Database, onConflict conflictResolution: Database.ConflictResolution? = nil,
    as returnedType: Returned.Type
  ) throws -> Returned {
    let row = try updateAndFetch(
      db, onConflict: conflictResolution, selection: Returned.databaseSelection
    ) { try Returned.fetchOne($0) }
    guard let row else { throw recordNotFound(db) }
    return row
  }

  /// Updates the row with the record's primary key, and lets a closure fetch the returned columns.
  ///
  /// - Parameters:
  ///   - db: The connection of the current access.
  ///   - conflictResolution: The action if the row would violate a constraint; if `nil`, the
  ///     type's ``persistenceConflictPolicy``.
  ///   - columns: The columns to update; all columns if `nil`.
  ///   - selection: The columns to return, at least one.
  ///   - fetch: Fetches from the statement, which returns no row when there is none to update.
  /// - Returns: The result of `fetch`.
  /// - Throws: Whatever ``update(_:onConflict:)`` or `fetch` throws.
  /// - SeeAlso: <https://www.sqlite.org/lang_returning.html>
  public func updateAndFetch<Value>(
    _ db: Database, onConflict conflictResolution: Database.ConflictResolution? = nil,
    columns: [String]? = nil, selection: [any SQLSelectable],
    fetch: (Statement) throws -> Value
  ) throws -> Value {
    var record = self
    return try record.saving(db) { record in
      try record.updateAndFetch(db, conflictResolution, columns, selection, fetch)
    }
  }

  /// Updates the row with the record's primary key in some columns, whose names are
  /// case-insensitive, and lets a closure fetch the returned ones.
  ///
  /// - Throws: Whatever ``update(_:onConflict:)`` or `fetch` throws.
  public func updateAndFetch<Value>(
    _ db: Database, onConflict conflictResolution: Database.ConflictResolution? = nil,
    columns: some Sequence<String>, selection: [any SQLSelectable],
    fetch: (Statement) throws -> Value
  ) throws -> Value {
    try updateAndFetch(
      db, onConflict: conflictResolution, columns: Array(columns) as [String]?,
      selection: selection, fetch: fetch)
  }

  /// Updates the row with the record's primary key in some columns, and lets a closure fetch the
  /// returned ones.
  ///
  /// - Throws: Whatever ``update(_:onConflict:)`` or `fetch` throws.
  public func updateAndFetch<Value>(
    _ db: Database, onConflict conflictResolution: Database.ConflictResolution? = nil,
    columns: some Sequence<some ColumnExpression>, selection: [any SQLSelectable],
    fetch: (Statement) throws -> Value
  ) throws -> Value {
    try updateAndFetch(
      db, onConflict: conflictResolution, columns: columns.map(\.name), selection: selection,
      fetch: fetch)
  }

  func updateAndFetch<Value>(
    _ db: Database, _ conflictResolution: Database.ConflictResolution?, _ columns: [String]?,
    _ selection: [any SQLSelectable], _ fetch: (Statement) throws -> Value
  ) throws -> (PersistenceSuccess, Value) {
    try updating(db, columns: columns) { statements, values in
      try statements.updateAndFetch(
        values, db, conflictResolution ?? updateResolution, columns: columns,
        selection: selection, fetch)
    }
  }

  /// Modifies the record, updates the changed columns, and returns the row as stored; see
  /// ``updateChangesAndFetch(_:onConflict:as:modify:)``.
  public mutating func updateChangesAndFetch(
    _ db: Database, onConflict conflictResolution: Database.ConflictResolution? = nil,
    modify: (inout Self) throws -> Void
  ) throws -> Self? where Self: FetchableRecord {
    try updateChangesAndFetch(db, onConflict: conflictResolution, as: Self.self, modify: modify)
  }

  /// Modifies the record, updates the changed columns, and returns the row as stored.
  ///
  /// - Parameters:
  ///   - db: The connection of the current access.
  ///   - conflictResolution: The action if the row would violate a constraint; if `nil`, the
  ///     type's ``persistenceConflictPolicy``.
  ///   - returnedType: The type of the returned record, whose selection is returned.
  ///   - modify: Changes the record.
  /// - Returns: A new record with the row's values; `nil` when no column differed, or a conflict
  ///   was ignored.
  /// - Throws: Whatever ``update(_:onConflict:)`` or `modify` throws.
  public mutating func updateChangesAndFetch<Returned: FetchableRecord & TableRecord>(
    _ db: Database, onConflict conflictResolution: Database.ConflictResolution? = nil,
    as returnedType: Returned.Type, modify: (inout Self) throws -> Void
  ) throws -> Returned? {
    try updateChangesAndFetch(
      db, onConflict: conflictResolution, selection: Returned.databaseSelection,
      fetch: { try Returned.fetchOne($0) }, modify: modify)
  }

  /// Modifies the record, updates the changed columns, and lets a closure fetch the returned columns.
  ///
  /// - Parameters:
  ///   - db: The connection of the current access.
  ///   - conflictResolution: The action if the row would violate a constraint; if `nil`, the
  ///     type's ``persistenceConflictPolicy``.
  ///   - selection: The columns to return, at least one.
  ///   - fetch: Fetches from the statement, which returns no row when a conflict was ignored.
  ///   - modify: Changes the record.
  /// - Returns: The result of `fetch`; `nil` when no column differed.
  /// - Throws: Whatever ``update(_:onConflict:)``, `fetch` or `modify` throws.
  public mutating func updateChangesAndFetch<Value>(
    _ db: Database, onConflict conflictResolution: Database.ConflictResolution? = nil,
    selection: [any SQLSelectable], fetch: (Statement) throws -> Value?,
    modify: (inout Self) throws -> Void
  ) throws -> Value? {
    let before = try PersistenceContainer(self)
    try modify(&self)
    let changes = try PersistenceContainer(self).changes(from: before)
    guard !changes.isEmpty else { return nil }
    return try updateAndFetch(
      db, onConflict: conflictResolution, columns: changes.map(\.column), selection: selection,
      fetch: fetch)
  }
}
