// Operations on single rows of a table, by key. Only fetching is optimized: it caches its
// statement.

extension TableRecord {
  /// Returns whether there is a row with a primary key of one column.
  ///
  /// - Parameters:
  ///   - db: The connection of the current access.
  ///   - key: The key's value.
  /// - Returns: Whether there is one.
  /// - Throws: ``DatabaseError`` with SQLite's code, with `SQLITE_MISUSE` when the primary
  ///   key has several columns.
  public static func exists(_ db: Database, key: some DatabaseValueConvertible) throws -> Bool {
    try !filter(key: key).isEmpty(db)
  }

  /// Returns whether there is a row with a primary or unique key.
  ///
  /// - Parameters:
  ///   - db: The connection of the current access.
  ///   - key: The columns of the key with their values.
  /// - Returns: Whether there is one.
  /// - Throws: ``DatabaseError`` with SQLite's code, with `SQLITE_MISUSE` when the columns
  ///   are not a unique key.
  public static func exists(
    _ db: Database, key: [String: (any DatabaseValueConvertible)?]
  ) throws -> Bool {
    try !filter(key: key).isEmpty(db)
  }

  /// Deletes the row with a primary key of one column.
  ///
  /// - Parameters:
  ///   - db: The connection of the current access.
  ///   - key: The key's value.
  /// - Returns: Whether there was one.
  /// - Throws: ``DatabaseError`` with SQLite's code, with `SQLITE_MISUSE` when the primary
  ///   key has several columns.
  @discardableResult
  public static func deleteOne(_ db: Database, key: some DatabaseValueConvertible) throws -> Bool {
    try filter(key: key).deleteAll(db) > 0
  }

  /// Deletes the row with a primary or unique key.
  ///
  /// - Parameters:
  ///   - db: The connection of the current access.
  ///   - key: The columns of the key with their values.
  /// - Returns: Whether there was one.
  /// - Throws: ``DatabaseError`` with SQLite's code, with `SQLITE_MISUSE` when the columns
  ///   are not a unique key.
  @discardableResult
  public static func deleteOne(
    _ db: Database, key: [String: (any DatabaseValueConvertible)?]
  ) throws -> Bool {
    try filter(key: key).deleteAll(db) > 0
  }

  /// Deletes the rows with primary keys of one column.
  ///
  /// - Parameters:
  ///   - db: The connection of the current access.
  ///   - keys: The keys' values, at most 32766 of them.
  /// - Returns: The number of deleted rows.
  /// - Throws: ``DatabaseError`` with SQLite's code, with `SQLITE_MISUSE` when the primary
  ///   key has several columns.
  @discardableResult
  public static func deleteAll(
    _ db: Database, keys: some Sequence<some DatabaseValueConvertible>
  ) throws -> Int {
    try filter(keys: keys).deleteAll(db)
  }

  /// Deletes the rows with primary or unique keys.
  ///
  /// - Parameters:
  ///   - db: The connection of the current access.
  ///   - keys: The columns of each key with their values.
  /// - Returns: The number of deleted rows.
  /// - Throws: ``DatabaseError`` with SQLite's code, with `SQLITE_MISUSE` when the columns
  ///   are not a unique key.
  @discardableResult
  public static func deleteAll(
    _ db: Database, keys: [[String: (any DatabaseValueConvertible)?]]
  ) throws -> Int {
    try filter(keys: keys).deleteAll(db)
  }

  /// Returns the error for a missing row with a primary key of one column.
  ///
  /// - Parameters:
  ///   - db: The connection of the current access.
  ///   - key: The key's value.
  /// - Returns: A ``RecordError``, or the ``DatabaseError`` that occurred instead.
  public static func recordNotFound(
    _ db: Database, key: some DatabaseValueConvertible
  ) -> any Error {
    do {
      let column = try db.recordStatementCache(for: Self.self).singleKeyColumn(db)
      return RecordError.recordNotFound(
        databaseTableName: databaseTableName, key: [column: key.databaseValue])
    } catch {
      return error
    }
  }

  /// Returns the error for a missing row with a key.
  ///
  /// - Parameter key: The columns of the key with their values.
  /// - Returns: An error with the table's name and the columns of the key.
  public static func recordNotFound(
    key: [String: (any DatabaseValueConvertible)?]
  ) -> RecordError {
    .recordNotFound(
      databaseTableName: databaseTableName, key: key.mapValues { $0?.databaseValue ?? .null })
  }
}

extension TableRecord where Self: EncodableRecord {
  /// Returns the error for a missing row with the record's primary key.
  ///
  /// - Parameter db: The connection of the current access.
  /// - Returns: A ``RecordError``, or the error that occurred instead.
  public func recordNotFound(_ db: Database) -> any Error {
    do {
      let statements = db.recordStatementCache(for: type(of: self))
      return statements.notFound(
        try statements.primaryKey(db), in: try PersistenceContainer(self))
    } catch {
      return error
    }
  }
}

extension TableRecord where Self: Identifiable, ID: DatabaseValueConvertible {
  /// Returns whether there is a row with an identifier, which is the primary key.
  ///
  /// - Parameters:
  ///   - db: The connection of the current access.
  ///   - id: The identifier.
  /// - Returns: Whether there is one.
  /// - Throws: ``DatabaseError`` with SQLite's code.
  public static func exists(_ db: Database, id: ID) throws -> Bool {
    try exists(db, key: id)
  }

  /// Deletes the row with an identifier, which is the primary key.
  ///
  /// - Parameters:
  ///   - db: The connection of the current access.
  ///   - id: The identifier.
  /// - Returns: Whether there was one.
  /// - Throws: ``DatabaseError`` with SQLite's code.
  @discardableResult
  public static func deleteOne(_ db: Database, id: ID) throws -> Bool {
    try deleteOne(db, key: id)
  }

  /// Deletes the rows with identifiers, which are the primary keys.
  ///
  /// - Parameters:
  ///   - db: The connection of the current access.
  ///   - ids: The identifiers, at most 32766 of them.
  /// - Returns: The number of deleted rows.
  /// - Throws: ``DatabaseError`` with SQLite's code.
  @discardableResult
  public static func deleteAll(_ db: Database, ids: some Sequence<ID>) throws -> Int {
    try deleteAll(db, keys: ids)
  }

  /// Returns the error for a missing row with an identifier.
  ///
  /// - Parameters:
  ///   - db: The connection of the current access.
  ///   - id: The identifier.
  /// - Returns: A ``RecordError``, or the ``DatabaseError`` that occurred instead.
  public static func recordNotFound(_ db: Database, id: ID) -> any Error {
    recordNotFound(db, key: id)
  }
}
