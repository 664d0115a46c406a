/// A type whose values are stored as rows, and that may be modified when it is inserted.
///
/// Use it for structs that receive their key from the database:
///
/// ```swift
/// struct Stop: Codable, FetchableRecord, MutablePersistableRecord {
///   var id: Int64?
///   var name: String
///
///   mutating func didInsert(_ inserted: InsertionSuccess) {
///     id = inserted.rowID
///   }
/// }
/// var stop = Stop(id: nil, name: "Circular Quay")
/// try stop.insert(db)
/// ```
///
/// Use ``PersistableRecord`` for types that are not modified, and for classes.
///
/// The callbacks run in this order: `willSave`, `aroundSave`, `willInsert`, `aroundInsert`,
/// `didInsert`, `didSave`, and likewise for an update. No `did…` callback runs if the statement
/// fails, or stores no row because of an ignored conflict.
public protocol MutablePersistableRecord: EncodableRecord, TableRecord {
  /// The action if a row would violate a constraint; an error by default.
  static var persistenceConflictPolicy: PersistenceConflictPolicy { get }

  // MARK: - Insertion

  /// Called before the record is inserted.
  mutating func willInsert(_ db: Database) throws

  /// Called around the insertion; it must call `insert` and rethrow its errors.
  func aroundInsert(_ db: Database, insert: () throws -> InsertionSuccess) throws

  /// Called after the record was inserted.
  mutating func didInsert(_ inserted: InsertionSuccess)

  // MARK: - Update

  /// Called before the record is updated.
  func willUpdate(_ db: Database, columns: Set<String>) throws

  /// Called around the update; it must call `update` and rethrow its errors.
  func aroundUpdate(
    _ db: Database, columns: Set<String>, update: () throws -> PersistenceSuccess) throws

  /// Called after the record was updated.
  func didUpdate(_ updated: PersistenceSuccess)

  // MARK: - Save

  /// Called before the record is inserted or updated.
  func willSave(_ db: Database) throws

  /// Called around the insertion or update; it must call `save` and rethrow its errors.
  func aroundSave(_ db: Database, save: () throws -> PersistenceSuccess) throws

  /// Called after the record was inserted or updated.
  func didSave(_ saved: PersistenceSuccess)

  // MARK: - Deletion

  /// Called before the record is deleted.
  func willDelete(_ db: Database) throws

  /// Called around the deletion; it must call `delete` and rethrow its errors.
  func aroundDelete(_ db: Database, delete: () throws -> Bool) throws

  /// Called after the deletion, with whether a row was deleted.
  func didDelete(deleted: Bool)
}

extension MutablePersistableRecord {
  /// The policy that makes a conflict an error and undoes the statement's changes.
  @inlinable
  public static var persistenceConflictPolicy: PersistenceConflictPolicy {
    PersistenceConflictPolicy()
  }

  // Inlined, so that empty callbacks cost nothing.

  /// Does nothing.
  @inlinable
  public mutating func willInsert(_ db: Database) throws {}

  /// Calls `insert`.
  @inlinable
  public func aroundInsert(_ db: Database, insert: () throws -> InsertionSuccess) throws {
    _ = try insert()
  }

  /// Does nothing.
  @inlinable
  public mutating func didInsert(_ inserted: InsertionSuccess) {}

  /// Does nothing.
  @inlinable
  public func willUpdate(_ db: Database, columns: Set<String>) throws {}

  /// Calls `update`.
  @inlinable
  public func aroundUpdate(
    _ db: Database, columns: Set<String>, update: () throws -> PersistenceSuccess
  ) throws {
    _ = try update()
  }

  /// Does nothing.
  @inlinable
  public func didUpdate(_ updated: PersistenceSuccess) {}

  /// Does nothing.
  @inlinable
  public func willSave(_ db: Database) throws {}

  /// Calls `save`.
  @inlinable
  public func aroundSave(_ db: Database, save: () throws -> PersistenceSuccess) throws {
    _ = try save()
  }

  /// Does nothing.
  @inlinable
  public func didSave(_ saved: PersistenceSuccess) {}

  /// Does nothing.
  @inlinable
  public func willDelete(_ db: Database) throws {}

  /// Calls `delete`.
  @inlinable
  public func aroundDelete(_ db: Database, delete: () throws -> Bool) throws {
    _ = try delete()
  }

  /// Does nothing.
  @inlinable
  public func didDelete(deleted: Bool) {}
}

extension MutablePersistableRecord {
  /// Runs the closure with the connection's statement cache for the type and the record's values.
  @inlinable
  func withValues<Value>(
    _ db: Database, _ body: (RecordStatementCache, PersistenceContainer) throws -> Value
  ) throws -> Value {
    let statements = db.recordStatementCache(for: type(of: self))
    var container = statements.takeContainer()
    try encode(to: &container)
    try statements.adopt(&container, db)
    let value = try body(statements, container)
    statements.keep(&container)
    return value
  }

  /// Runs the save callbacks around a closure that inserts or updates.
  @inlinable
  mutating func saving<Value>(
    _ db: Database, _ body: (inout Self) throws -> (PersistenceSuccess, Value)
  ) throws -> Value {
    try willSave(db)
    var result: (success: PersistenceSuccess, value: Value)?
    try aroundSave(db) {
      let saved = try body(&self)
      result = saved
      return saved.0
    }
    guard let result else { throw DatabaseError.callbackMisuse("aroundSave", of: Self.self) }
    if result.success.isStored { didSave(result.success) }
    return result.value
  }

  /// Runs the insertion callbacks around a closure that inserts.
  @inlinable
  mutating func inserting<Value>(
    _ db: Database,
    _ body: (RecordStatementCache, PersistenceContainer) throws -> (InsertionSuccess, Value)
  ) throws -> (PersistenceSuccess, Value) {
    try willInsert(db)
    var result: (success: InsertionSuccess, value: Value)?
    try aroundInsert(db) {
      let inserted = try withValues(db, body)
      result = inserted
      return inserted.0
    }
    guard let result else { throw DatabaseError.callbackMisuse("aroundInsert", of: Self.self) }
    if result.success.isStored { didInsert(result.success) }
    return (PersistenceSuccess(result.success), result.value)
  }

  /// Runs the update callbacks around a closure that updates.
  @inlinable
  func updating<Value>(
    _ db: Database, columns: [String]?,
    _ body: (RecordStatementCache, PersistenceContainer) throws -> (PersistenceSuccess, Value)
  ) throws -> (PersistenceSuccess, Value) {
    let columns =
      try columns.map { Set($0) } ?? db.recordStatementCache(for: type(of: self)).tableColumns(db)
    try willUpdate(db, columns: columns)
    var result: (success: PersistenceSuccess, value: Value)?
    try aroundUpdate(db, columns: columns) {
      let updated = try withValues(db, body)
      result = updated
      return updated.0
    }
    guard let result else { throw DatabaseError.callbackMisuse("aroundUpdate", of: Self.self) }
    didUpdate(result.success)
    return (result.success, result.value)
  }
}
