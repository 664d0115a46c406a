/// A type whose values are stored as rows, and that is not modified when it is inserted.
///
/// ```swift
/// struct Country: Codable, FetchableRecord, PersistableRecord {
///   var code: String
///   var name: String
/// }
/// try Country(code: "AU", name: "Australia").insert(db)
/// ```
public protocol PersistableRecord: MutablePersistableRecord {
  /// Called before the record is inserted.
  func willInsert(_ db: Database) throws

  /// Called after the record was inserted.
  func didInsert(_ inserted: InsertionSuccess)
}

extension PersistableRecord {
  /// Does nothing.
  @inlinable
  public func willInsert(_ db: Database) throws {}

  /// Does nothing.
  @inlinable
  public func didInsert(_ inserted: InsertionSuccess) {}

  /// Inserts a row.
  ///
  /// - Parameters:
  ///   - db: The connection of the current access.
  ///   - conflictResolution: The action if the row would violate a constraint; if `nil`, the
  ///     type's ``MutablePersistableRecord/persistenceConflictPolicy``.
  /// - Throws: ``DatabaseError`` with SQLite's code; whatever the callbacks or `encode(to:)`
  ///   throw.
  @inlinable
  public func insert(
    _ db: Database, onConflict conflictResolution: Database.ConflictResolution? = nil
  ) throws {
    // Not implemented by the mutating function, which needs a copy of the record.
    try willSave(db)
    var saved: PersistenceSuccess?
    try aroundSave(db) {
      try willInsert(db)
      var inserted: InsertionSuccess?
      try aroundInsert(db) {
        let success = try withValues(db) { statements, values in
          try statements.insert(values, db, conflictResolution ?? insertResolution)
        }
        inserted = success
        return success
      }
      guard let inserted else { throw DatabaseError.callbackMisuse("aroundInsert", of: Self.self) }
      if inserted.isStored { didInsert(inserted) }
      let success = PersistenceSuccess(inserted)
      saved = success
      return success
    }
    guard let saved else { throw DatabaseError.callbackMisuse("aroundSave", of: Self.self) }
    if saved.isStored { didSave(saved) }
  }

  /// Inserts a row, and returns it as stored; see
  /// ``MutablePersistableRecord/insertAndFetch(_:onConflict:as:)``.
  public func insertAndFetch<Returned: FetchableRecord & TableRecord>(
    _ db: Database, onConflict conflictResolution: Database.ConflictResolution? = nil,
    as returnedType: Returned.Type
  ) throws -> Returned {
    try copyInserted(db, conflictResolution, as: returnedType)
  }

  /// Inserts a row, and lets a closure fetch the returned columns; see
  /// ``MutablePersistableRecord/insertAndFetch(_:onConflict:selection:fetch:)``.
  public func insertAndFetch<Value>(
    _ db: Database, onConflict conflictResolution: Database.ConflictResolution? = nil,
    selection: [any SQLSelectable], fetch: (Statement) throws -> Value
  ) throws -> Value {
    try copyInserted(db, conflictResolution, selection, fetch)
  }

  /// Inserts a row, and lets a closure fetch the columns that another one returns; see
  /// ``MutablePersistableRecord/insertAndFetch(_:onConflict:fetch:select:)``.
  public func insertAndFetch<Value>(
    _ db: Database, onConflict conflictResolution: Database.ConflictResolution? = nil,
    fetch: (Statement) throws -> Value,
    select selection: (DatabaseComponents) throws -> [any SQLSelectable]
  ) throws -> Value {
    try insertAndFetch(
      db, onConflict: conflictResolution, selection: selection(Self.databaseComponents),
      fetch: fetch)
  }

  /// Updates the row with the record's primary key, or inserts one if there is none; see
  /// ``MutablePersistableRecord/save(_:onConflict:)``.
  public func save(
    _ db: Database, onConflict conflictResolution: Database.ConflictResolution? = nil
  ) throws {
    _ = try saved(db, onConflict: conflictResolution)
  }

  /// Updates or inserts a row, and returns it as stored; see
  /// ``MutablePersistableRecord/saveAndFetch(_:onConflict:as:)``.
  public func saveAndFetch<Returned: FetchableRecord & TableRecord>(
    _ db: Database, onConflict conflictResolution: Database.ConflictResolution? = nil,
    as returnedType: Returned.Type
  ) throws -> Returned {
    try copySaved(db, conflictResolution, as: returnedType)
  }

  /// Updates or inserts a row, and lets a closure fetch the returned columns; see
  /// ``MutablePersistableRecord/saveAndFetch(_:onConflict:selection:fetch:)``.
  public func saveAndFetch<Value>(
    _ db: Database, onConflict conflictResolution: Database.ConflictResolution? = nil,
    selection: [any SQLSelectable], fetch: (Statement) throws -> Value
  ) throws -> Value {
    try copySaved(db, conflictResolution, selection, fetch)
  }

  /// Inserts a row, or updates the conflicting row; see ``MutablePersistableRecord/upsert(_:)``.
  public func upsert(_ db: Database) throws {
    try copyUpserted(db)
  }

  /// Inserts a row or updates the conflicting row, and returns it as stored; see
  /// ``MutablePersistableRecord/upsertAndFetch(_:onConflict:updating:doUpdate:)``.
  public func upsertAndFetch(
    _ db: Database, onConflict conflictTarget: [String] = [],
    updating strategy: UpsertUpdateStrategy = .allColumns,
    doUpdate assignments: ((_ excluded: TableAlias<Self>) -> [ColumnAssignment])? = nil
  ) throws -> Self where Self: FetchableRecord {
    try copyUpserted(db, as: Self.self, onConflict: conflictTarget, strategy, assignments)
  }

  /// Inserts a row or updates the conflicting row, and returns it as stored; see
  /// ``MutablePersistableRecord/upsertAndFetch(_:as:onConflict:updating:doUpdate:)``.
  public func upsertAndFetch<Returned: FetchableRecord & TableRecord>(
    _ db: Database, as returnedType: Returned.Type, onConflict conflictTarget: [String] = [],
    updating strategy: UpsertUpdateStrategy = .allColumns,
    doUpdate assignments: ((_ excluded: TableAlias<Self>) -> [ColumnAssignment])? = nil
  ) throws -> Returned {
    try copyUpserted(db, as: returnedType, onConflict: conflictTarget, strategy, assignments)
  }
}

// In an extension of `PersistableRecord` these calls would recurse: here only the mutating
// functions are visible. A class is modified through the copy too, and a struct need not be
// modified.
extension MutablePersistableRecord {
  fileprivate func copyInserted<Returned: FetchableRecord & TableRecord>(
    _ db: Database, _ resolution: Database.ConflictResolution?, as type: Returned.Type
  ) throws -> Returned {
    var record = self
    return try record.insertAndFetch(db, onConflict: resolution, as: type)
  }

  fileprivate func copyInserted<Value>(
    _ db: Database, _ resolution: Database.ConflictResolution?, _ selection: [any SQLSelectable],
    _ fetch: (Statement) throws -> Value
  ) throws -> Value {
    var record = self
    return try record.insertAndFetch(
      db, onConflict: resolution, selection: selection, fetch: fetch)
  }

  fileprivate func copySaved<Returned: FetchableRecord & TableRecord>(
    _ db: Database, _ resolution: Database.ConflictResolution?, as type: Returned.Type
  ) throws -> Returned {
    var record = self
    return try record.saveAndFetch(db, onConflict: resolution, as: type)
  }

  fileprivate func copySaved<Value>(
    _ db: Database, _ resolution: Database.ConflictResolution?, _ selection: [any SQLSelectable],
    _ fetch: (Statement) throws -> Value
  ) throws -> Value {
    var record = self
    return try record.saveAndFetch(db, onConflict: resolution, selection: selection, fetch: fetch)
  }

  fileprivate func copyUpserted(_ db: Database) throws {
    var record = self
    try record.upsert(db)
  }

  fileprivate func copyUpserted<Returned: FetchableRecord & TableRecord>(
    _ db: Database, as type: Returned.Type, onConflict target: [String],
    _ strategy: UpsertUpdateStrategy, _ assignments: ((TableAlias<Self>) -> [ColumnAssignment])?
  ) throws -> Returned {
    var record = self
    return try record.upsertAndFetch(
      db, as: type, onConflict: target, updating: strategy, doUpdate: assignments)
  }
}
