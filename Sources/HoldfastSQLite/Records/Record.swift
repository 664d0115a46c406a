/// A class whose instances are stored as rows, and know whether they differ from them.
///
/// It is old, and exists for apps that have subclasses of it. A new record is a structure with
/// `Codable`, ``FetchableRecord`` and ``PersistableRecord``; a kept copy and
/// ``EncodableRecord/databaseChanges(from:)`` say what has changed.
///
/// ```swift
/// class Player: Record {
///   var id: Int64?
///   var name: String
///
///   override class var databaseTableName: String { "player" }
///
///   required init(row: Row) throws {
///     id = row["id"]
///     name = row["name"]
///     try super.init(row: row)
///   }
///
///   override func encode(to container: inout PersistenceContainer) throws {
///     container["id"] = id
///     container["name"] = name
///   }
///
///   override func didInsert(_ inserted: InsertionSuccess) {
///     super.didInsert(inserted)
///     id = inserted.rowID
///   }
/// }
/// ```
///
/// An override of a callback calls the one of `super`.
open class Record: FetchableRecord, PersistableRecord {
  /// The stored values, as far as they are known.
  private var stored: Row?

  /// Creates a record that is not stored yet.
  public init() {}

  /// Creates a record from a row, whose values are the stored ones if it was fetched.
  ///
  /// - Parameter row: The row.
  /// - Throws: Whatever an override throws.
  public required init(row: Row) throws {
    if row.isFetched { stored = row.copy() }
  }

  // MARK: - Storing

  /// The name of the table; a subclass must override it.
  open class var databaseTableName: String { Misuse.trap(Misuse.recordWithoutTable(self)) }

  /// The action if a row would violate a constraint; an error by default.
  open class var persistenceConflictPolicy: PersistenceConflictPolicy {
    PersistenceConflictPolicy()
  }

  /// The columns that are fetched; all columns by default.
  open class var databaseSelection: [any SQLSelectable] { [AllColumns()] }

  /// Encodes a value for each column, primary key included; none by default.
  ///
  /// - Parameter container: The container for the values.
  /// - Throws: Any error; no row is stored then.
  open func encode(to container: inout PersistenceContainer) throws {}

  /// Updates the columns that have changed.
  ///
  /// - Parameter db: The connection of the current access.
  /// - Returns: Whether a column differed; if not, no statement runs.
  /// - Throws: ``RecordError`` when there is no such row; ``DatabaseError`` with SQLite's code;
  ///   whatever the callbacks or `encode(to:)` throw.
  @discardableResult
  public final func updateChanges(_ db: Database) throws -> Bool {
    let columns = try databaseChanges.keys
    guard !columns.isEmpty else { return false }
    try update(db, columns: columns)
    return true
  }

  // MARK: - Changes

  /// Whether the record has values that, as far as it knows, are not stored.
  ///
  /// It is true for a record that was neither fetched nor stored, and for one that was fetched without
  /// some of its columns. Fetching, inserting and updating it make it false, deleting it true.
  public var hasDatabaseChanges: Bool {
    do {
      return try !databaseChanges.isEmpty
    } catch _ {
      // A record that cannot be encoded is not what is stored.
      return true
    }
  }

  /// The columns whose values, as far as the record knows, are not stored, with the stored values.
  ///
  /// The stored value is `nil` where it is not known.
  ///
  /// - Throws: Whatever `encode(to:)` throws.
  public var databaseChanges: [String: DatabaseValue?] {
    get throws {
      let changes = try PersistenceContainer(self).pairs.compactMap {
        column, value -> (String, DatabaseValue?)? in
        let before = stored.flatMap { $0[column] as DatabaseValue? }
        return before == value ? nil : (column, before)
      }
      return Dictionary(changes) { $1 }
    }
  }

  /// Remembers the values as the stored ones.
  private func remember(_ pairs: some Sequence<(String, DatabaseValue)>) {
    let pairs = Array(pairs)
    stored = Row(names: pairs.map(\.0), values: pairs.map(\.1))
  }

  // MARK: - Callbacks

  /// Called before the record is inserted.
  open func willInsert(_ db: Database) throws {}

  /// Called around the insertion; an override calls `super`, which calls `insert`.
  open func aroundInsert(_ db: Database, insert: () throws -> InsertionSuccess) throws {
    let inserted = try insert()
    guard inserted.isStored else { return }
    // The key is the one that `didInsert(_:)` will set.
    let key = inserted.rowIDColumn?.foldedDatabaseIdentifier
    remember(
      try PersistenceContainer(self).pairs.map { column, value in
        (column, column.foldedDatabaseIdentifier == key ? inserted.rowID.databaseValue : value)
      })
  }

  /// Called after the record was inserted.
  open func didInsert(_ inserted: InsertionSuccess) {}

  /// Called before the record is updated.
  open func willUpdate(_ db: Database, columns: Set<String>) throws {}

  /// Called around the update; an override calls `super`, which calls `update`.
  open func aroundUpdate(
    _ db: Database, columns: Set<String>, update: () throws -> PersistenceSuccess
  ) throws {
    guard try update().isStored else { return }
    let updated = Set(columns.map(\.foldedDatabaseIdentifier))
    let others = try db.recordStatementCache(for: Self.self).tableColumns(db)
      .filter { !updated.contains($0.foldedDatabaseIdentifier) }
    let skipped = Set(others.map(\.foldedDatabaseIdentifier))
    remember(
      try PersistenceContainer(self).pairs.compactMap { column, value in
        guard skipped.contains(column.foldedDatabaseIdentifier) else { return (column, value) }
        return stored.flatMap { $0[column] as DatabaseValue? }.map { (column, $0) }
      })
  }

  /// Called after the record was updated.
  open func didUpdate(_ updated: PersistenceSuccess) {}

  /// Called before the record is inserted or updated.
  open func willSave(_ db: Database) throws {}

  /// Called around the insertion or update; an override calls `super`, which calls `save`.
  open func aroundSave(_ db: Database, save: () throws -> PersistenceSuccess) throws {
    _ = try save()
  }

  /// Called after the record was inserted or updated.
  open func didSave(_ saved: PersistenceSuccess) {}

  /// Called before the record is deleted.
  open func willDelete(_ db: Database) throws {}

  /// Called around the deletion; an override calls `super`, which calls `delete`.
  open func aroundDelete(_ db: Database, delete: () throws -> Bool) throws {
    _ = try delete()
    stored = nil
  }

  /// Called after the deletion, with whether a row was deleted.
  open func didDelete(deleted: Bool) {}
}

/// A record is changed when it is stored, and belongs to one access at a time.
@available(*, unavailable)
extension Record: Sendable {}
