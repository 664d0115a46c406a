// Records fetched from their own table: all of them, or some by their keys.

extension FetchableRecord where Self: TableRecord {
  /// Returns the records of all rows of the table, in no particular order; see
  /// ``FetchableRecord/fetchAll(_:sql:arguments:)``.
  public static func fetchAll(_ db: Database) throws -> [Self] {
    try fetchAll(db, all())
  }

  /// Returns the record of the first row, or `nil` if the table is empty; see
  /// ``FetchableRecord/fetchOne(_:sql:arguments:)``.
  public static func fetchOne(_ db: Database) throws -> Self? {
    try fetchOne(db, all())
  }

  /// Returns a cursor of the records of all rows of the table; see
  /// ``FetchableRecord/fetchCursor(_:sql:arguments:)``.
  public static func fetchCursor(_ db: Database) throws -> RecordCursor<Self> {
    try fetchCursor(db, all())
  }

  /// Returns the record with a primary key of one column.
  ///
  /// The statement is cached, so that it is prepared only once for many lookups.
  ///
  /// - Parameters:
  ///   - db: The connection of the current access.
  ///   - key: The key's value, which the record's encoding strategies apply to; NULL matches no row.
  /// - Returns: The record; `nil` when there is no such row.
  /// - Throws: ``DatabaseError`` with SQLite's code, with `SQLITE_MISUSE` when the primary
  ///   key has several columns; ``RowDecodingError`` when the row does not convert.
  @inlinable
  public static func fetchOne<Key: DatabaseValueConvertible>(
    _ db: Database, key: Key
  ) throws -> Self? {
    let statements = db.recordStatementCache(for: Self.self)
    let stored = Key.mayHaveStrategy ? try statements.stored(StrategicValue(key), db) : nil
    let value = stored ?? key.databaseValue
    guard !value.isNull else { return nil }
    var rows = try statements.startLookup(value, db)
    defer { rows.end() }
    return try rows.next() ? try Self(row: rows.row) : nil
  }

  /// Returns the record with a primary or unique key.
  ///
  /// - Parameters:
  ///   - db: The connection of the current access.
  ///   - key: The columns of the key with their values; `nil` matches no row.
  /// - Returns: The record; `nil` when there is no such row.
  /// - Throws: ``DatabaseError`` with SQLite's code, with `SQLITE_MISUSE` when the columns
  ///   are not a unique key; ``RowDecodingError`` when the row does not convert.
  public static func fetchOne(
    _ db: Database, key: [String: (any DatabaseValueConvertible)?]?
  ) throws -> Self? {
    guard let key else { return nil }
    return try fetchOne(db, filter(key: key))
  }

  /// Returns the record with a primary key of one column, or throws an error if there is none.
  ///
  /// - Parameters:
  ///   - db: The connection of the current access.
  ///   - key: The key's value.
  /// - Returns: The only record with that key.
  /// - Throws: ``RecordError`` when there is no such row; whatever `fetchOne` throws.
  public static func find(_ db: Database, key: some DatabaseValueConvertible) throws -> Self {
    guard let record = try fetchOne(db, key: key) else { throw recordNotFound(db, key: key) }
    return record
  }

  /// Returns the record with a primary or unique key, or throws an error if there is none.
  ///
  /// - Parameters:
  ///   - db: The connection of the current access.
  ///   - key: The columns of the key with their values.
  /// - Returns: The only record with that key.
  /// - Throws: ``RecordError`` when there is no such row; whatever `fetchOne` throws.
  public static func find(
    _ db: Database, key: [String: (any DatabaseValueConvertible)?]
  ) throws -> Self {
    guard let record = try fetchOne(db, key: key) else { throw recordNotFound(key: key) }
    return record
  }

  /// Returns the records with primary keys of one column.
  ///
  /// - Parameters:
  ///   - db: The connection of the current access.
  ///   - keys: The keys' values, at most 32766 of them.
  /// - Returns: The records, in no particular order.
  /// - Throws: ``DatabaseError`` with SQLite's code; ``RowDecodingError`` when a row does not
  ///   convert.
  public static func fetchAll(
    _ db: Database, keys: some Sequence<some DatabaseValueConvertible>
  ) throws -> [Self] {
    try fetchAll(db, filter(keys: keys))
  }

  /// Returns the records with primary or unique keys, in no particular order; see
  /// ``FetchableRecord/fetchAll(_:sql:arguments:)``.
  public static func fetchAll(
    _ db: Database, keys: [[String: (any DatabaseValueConvertible)?]]
  ) throws -> [Self] {
    try fetchAll(db, filter(keys: keys))
  }

  /// Returns a cursor of the records with primary keys of one column, at most 32766 of them; see
  /// ``FetchableRecord/fetchCursor(_:sql:arguments:)``.
  public static func fetchCursor(
    _ db: Database, keys: some Sequence<some DatabaseValueConvertible>
  ) throws -> RecordCursor<Self> {
    try fetchCursor(db, filter(keys: keys))
  }

  /// Returns a cursor of the records with primary or unique keys; see
  /// ``FetchableRecord/fetchCursor(_:sql:arguments:)``.
  public static func fetchCursor(
    _ db: Database, keys: [[String: (any DatabaseValueConvertible)?]]
  ) throws -> RecordCursor<Self> {
    try fetchCursor(db, filter(keys: keys))
  }
}

extension FetchableRecord where Self: TableRecord & Hashable {
  /// Returns the distinct records of all rows of the table; see
  /// ``FetchableRecord/fetchAll(_:sql:arguments:)``.
  public static func fetchSet(_ db: Database) throws -> Set<Self> {
    try fetchSet(db, all())
  }

  /// Returns the distinct records with primary keys of one column, at most 32766 of them; see
  /// ``FetchableRecord/fetchAll(_:sql:arguments:)``.
  public static func fetchSet(
    _ db: Database, keys: some Sequence<some DatabaseValueConvertible>
  ) throws -> Set<Self> {
    try fetchSet(db, filter(keys: keys))
  }

  /// Returns the distinct records with primary or unique keys; see
  /// ``FetchableRecord/fetchAll(_:sql:arguments:)``.
  public static func fetchSet(
    _ db: Database, keys: [[String: (any DatabaseValueConvertible)?]]
  ) throws -> Set<Self> {
    try fetchSet(db, filter(keys: keys))
  }
}

extension FetchableRecord where Self: TableRecord & Identifiable, ID: DatabaseValueConvertible {
  /// Returns the record with an identifier, which is the primary key, or `nil` if there is none;
  /// see ``FetchableRecord/fetchOne(_:sql:arguments:)``.
  public static func fetchOne(_ db: Database, id: ID) throws -> Self? {
    try fetchOne(db, key: id)
  }

  /// Returns the record with an identifier, which is the primary key.
  ///
  /// - Parameters:
  ///   - db: The connection of the current access.
  ///   - id: The identifier.
  /// - Returns: The record; a missing one is an error, and not `nil`.
  /// - Throws: ``RecordError`` when there is no such row; whatever `fetchOne` throws.
  public static func find(_ db: Database, id: ID) throws -> Self {
    try find(db, key: id)
  }

  /// Returns the records with identifiers, which are the primary keys, at most 32766 of them; see
  /// ``FetchableRecord/fetchAll(_:sql:arguments:)``.
  public static func fetchAll(_ db: Database, ids: some Sequence<ID>) throws -> [Self] {
    try fetchAll(db, keys: ids)
  }

  /// Returns a cursor of the records with identifiers, which are the primary keys, at most 32766 of
  /// them; see ``FetchableRecord/fetchCursor(_:sql:arguments:)``.
  public static func fetchCursor(_ db: Database, ids: some Sequence<ID>) throws -> RecordCursor<
    Self
  > {
    try fetchCursor(db, keys: ids)
  }
}

extension FetchableRecord
where Self: TableRecord & Identifiable & Hashable, ID: DatabaseValueConvertible {
  /// Returns the distinct records with identifiers, which are the primary keys, at most 32766 of
  /// them; see ``FetchableRecord/fetchAll(_:sql:arguments:)``.
  public static func fetchSet(_ db: Database, ids: some Sequence<ID>) throws -> Set<Self> {
    try fetchSet(db, keys: ids)
  }
}
