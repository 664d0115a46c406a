/// A type whose values are stored as rows, and that does not change when it is inserted.
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
  ///   - conflictResolution: What happens when the row would violate a constraint; the type's
  ///     ``MutablePersistableRecord/persistenceConflictPolicy`` when `nil`.
  /// - Throws: ``DatabaseError`` with SQLite's code; what the callbacks and `encode(to:)`
  ///   throw.
  @inlinable
  public func insert(
    _ db: Database, onConflict conflictResolution: Database.ConflictResolution? = nil
  ) throws {
    // Written out, because the mutating function needs a copy of the record.
    try willSave(db)
    var saved: PersistenceSuccess?
    try aroundSave(db) {
      try willInsert(db)
      var inserted: InsertionSuccess?
      try aroundInsert(db) {
        let success = try withValues(db) { plan, values in
          try plan.insert(values, db, conflictResolution ?? Self.insertResolution)
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

  /// Inserts a row, and returns it as the database has stored it.
  ///
  /// - Parameters:
  ///   - db: The connection of the current access.
  ///   - conflictResolution: What happens when the row would violate a constraint; the type's
  ///     ``MutablePersistableRecord/persistenceConflictPolicy`` when `nil`.
  ///   - returnedType: What the row becomes; its own selection is given back.
  /// - Returns: A new record with default and generated values.
  /// - Throws: ``RecordError`` when a conflict was ignored; whatever ``insert(_:onConflict:)``
  ///   throws.
  public func insertAndFetch<Returned: FetchableRecord & TableRecord>(
    _ db: Database, onConflict conflictResolution: Database.ConflictResolution? = nil,
    as returnedType: Returned.Type
  ) throws -> Returned {
    try copyInserted(db, conflictResolution, as: returnedType)
  }

  /// Inserts a row, and lets a closure fetch what the database gives back.
  ///
  /// - Parameters:
  ///   - db: The connection of the current access.
  ///   - conflictResolution: What happens when the row would violate a constraint; the type's
  ///     ``MutablePersistableRecord/persistenceConflictPolicy`` when `nil`.
  ///   - selection: The columns to give back, at least one.
  ///   - fetch: Fetches from the statement, which gives no row when a conflict was ignored.
  /// - Returns: What `fetch` returns.
  /// - Throws: What ``insert(_:onConflict:)`` and `fetch` throw.
  public func insertAndFetch<Value>(
    _ db: Database, onConflict conflictResolution: Database.ConflictResolution? = nil,
    selection: [any SQLSelectable], fetch: (Statement) throws -> Value
  ) throws -> Value {
    try copyInserted(db, conflictResolution, selection, fetch)
  }

  /// Updates the row with the record's primary key, or inserts one if there is none.
  ///
  /// - Parameters:
  ///   - db: The connection of the current access.
  ///   - conflictResolution: What happens when the row would violate a constraint; the type's
  ///     ``MutablePersistableRecord/persistenceConflictPolicy`` when `nil`.
  /// - Throws: What ``insert(_:onConflict:)`` throws.
  public func save(
    _ db: Database, onConflict conflictResolution: Database.ConflictResolution? = nil
  ) throws {
    _ = try saved(db, onConflict: conflictResolution)
  }

  /// Updates or inserts a row, and returns it as the database has stored it.
  ///
  /// - Parameters:
  ///   - db: The connection of the current access.
  ///   - conflictResolution: What happens when the row would violate a constraint; the type's
  ///     ``MutablePersistableRecord/persistenceConflictPolicy`` when `nil`.
  ///   - returnedType: What the row becomes; its own selection is given back.
  /// - Returns: A new record with the row's values.
  /// - Throws: ``RecordError`` when a conflict was ignored; whatever ``insert(_:onConflict:)``
  ///   throws.
  public func saveAndFetch<Returned: FetchableRecord & TableRecord>(
    _ db: Database, onConflict conflictResolution: Database.ConflictResolution? = nil,
    as returnedType: Returned.Type
  ) throws -> Returned {
    try copySaved(db, conflictResolution, as: returnedType)
  }

  /// Updates or inserts a row, and lets a closure fetch what the database gives back.
  ///
  /// - Parameters:
  ///   - db: The connection of the current access.
  ///   - conflictResolution: What happens when the row would violate a constraint; the type's
  ///     ``MutablePersistableRecord/persistenceConflictPolicy`` when `nil`.
  ///   - selection: The columns to give back, at least one.
  ///   - fetch: Fetches from the statement. It is called for the update, which may give no row, and
  ///     then once more for the insertion.
  /// - Returns: What `fetch` returns the last time.
  /// - Throws: What ``insert(_:onConflict:)`` and `fetch` throw.
  public func saveAndFetch<Value>(
    _ db: Database, onConflict conflictResolution: Database.ConflictResolution? = nil,
    selection: [any SQLSelectable], fetch: (Statement) throws -> Value
  ) throws -> Value {
    try copySaved(db, conflictResolution, selection, fetch)
  }

  /// Inserts a row, or overwrites the one that is in the way.
  ///
  /// - Parameter db: The connection of the current access.
  /// - Throws: What ``insert(_:onConflict:)`` throws.
  public func upsert(_ db: Database) throws {
    try copyUpserted(db)
  }

  /// Inserts a row or overwrites the one that is in the way, and returns it as it is stored.
  ///
  /// - Parameters:
  ///   - db: The connection of the current access.
  ///   - conflictTarget: The columns of the only key that may be in the way; any key when empty.
  /// - Returns: A new record with the row's values.
  /// - Throws: What ``insert(_:onConflict:)`` throws; ``RowDecodingError`` when the row does not
  ///   convert.
  public func upsertAndFetch(
    _ db: Database, onConflict conflictTarget: [String] = []
  ) throws -> Self where Self: FetchableRecord {
    try copyUpserted(db, as: Self.self, onConflict: conflictTarget)
  }

  /// Inserts a row or overwrites the one that is in the way, and returns it as it is stored.
  ///
  /// - Parameters:
  ///   - db: The connection of the current access.
  ///   - returnedType: What the row becomes; its own selection is given back.
  ///   - conflictTarget: The columns of the only key that may be in the way; any key when empty.
  /// - Returns: A new record with the row's values.
  /// - Throws: What ``insert(_:onConflict:)`` throws; ``RowDecodingError`` when the row does not
  ///   convert.
  public func upsertAndFetch<Returned: FetchableRecord & TableRecord>(
    _ db: Database, as returnedType: Returned.Type, onConflict conflictTarget: [String] = []
  ) throws -> Returned {
    try copyUpserted(db, as: returnedType, onConflict: conflictTarget)
  }
}

// What a ``PersistableRecord`` names alike would call itself: here only the mutating functions are
// seen. A class changes all the same, a struct has nothing to change.
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
    _ db: Database, as type: Returned.Type, onConflict target: [String]
  ) throws -> Returned {
    var record = self
    return try record.upsertAndFetch(db, as: type, onConflict: target)
  }
}
