// Creating and removing indexes.

extension Database {
  /// Creates an index on columns.
  ///
  /// ```swift
  /// try db.create(
  ///   index: "player_by_email", on: "player", columns: ["email"], options: .unique,
  ///   condition: Column("email") != nil)
  /// ```
  ///
  /// - Parameters:
  ///   - name: The index's name.
  ///   - table: The table.
  ///   - columns: The names of its columns.
  ///   - options: The options for creating it.
  ///   - condition: The condition of the rows that it covers, whose values become literals; all rows
  ///     if `nil`.
  /// - Throws: ``DatabaseError`` with SQLite's code.
  /// - SeeAlso: <https://www.sqlite.org/lang_createindex.html>
  public func create(
    index name: String, on table: String, columns: [String], options: IndexOptions = [],
    condition: (any SQLExpressible)? = nil
  ) throws {
    try create(
      index: name, on: table, expressions: columns.map { Column($0) }, options: options,
      condition: condition)
  }

  /// Creates an index on columns, optionally unique; see
  /// ``create(index:on:columns:options:condition:)``.
  public func create(
    index name: String, on table: String, columns: [String], unique: Bool,
    ifNotExists: Bool = false, condition: (any SQLExpressible)? = nil
  ) throws {
    var options: IndexOptions = []
    if unique { options.insert(.unique) }
    if ifNotExists { options.insert(.ifNotExists) }
    try create(index: name, on: table, columns: columns, options: options, condition: condition)
  }

  /// Creates an index on expressions.
  ///
  /// - Parameters:
  ///   - name: The index's name.
  ///   - table: The table.
  ///   - expressions: The expressions that order it, such as `Column("name").collating(.nocase)`;
  ///     values become literals.
  ///   - options: The options for creating it.
  ///   - condition: The condition of the rows that it covers, whose values become literals; all rows
  ///     if `nil`.
  /// - Throws: ``DatabaseError`` with SQLite's code.
  /// - SeeAlso: <https://www.sqlite.org/expridx.html>
  public func create(
    index name: String, on table: String, expressions: [any SQLExpressible],
    options: IndexOptions = [], condition: (any SQLExpressible)? = nil
  ) throws {
    let index = TableIndex(
      name, on: table, expressions.map(\.sqlExpression), isUnique: options.contains(.unique),
      condition: condition?.sqlExpression)
    try execute(sql: index.sql(self, ifNotExists: options.contains(.ifNotExists)))
  }

  /// Creates an index on columns, named after the table and the columns: `index_player_on_email`;
  /// see ``create(index:on:columns:options:condition:)``.
  public func create(
    indexOn table: String, columns: [String], options: IndexOptions = [],
    condition: (any SQLExpressible)? = nil
  ) throws {
    try create(
      index: "index_\(table)_on_\(columns.joined(separator: "_"))", on: table, columns: columns,
      options: options, condition: condition)
  }

  /// Removes an index.
  ///
  /// - Parameter name: The index's name.
  /// - Throws: ``DatabaseError`` with SQLite's code.
  public func drop(index name: String) throws {
    try execute(sql: "DROP INDEX \(name.quotedDatabaseIdentifier)")
  }

  /// Removes the indexes on columns, whatever their names are, if there are any.
  ///
  /// - Parameters:
  ///   - table: The table.
  ///   - columns: The names of the columns, in the order of the index. Indexes of constraints stay.
  /// - Throws: ``DatabaseError`` with SQLite's code, with `SQLITE_ERROR` when there is no such table.
  public func drop(indexOn table: String, columns: [String]) throws {
    let names = columns.map(\.foldedDatabaseIdentifier)
    let found = try indexes(on: table).filter { index in
      index.origin == .createIndex && index.isOnColumns
        && index.columns.map(\.foldedDatabaseIdentifier) == names
    }
    for index in found { try drop(index: index.name) }
  }

  /// Recreates every index that uses a collation.
  ///
  /// - Parameter collation: The name of the collation whose order has changed.
  /// - Throws: ``DatabaseError`` with SQLite's code.
  /// - SeeAlso: <https://www.sqlite.org/lang_reindex.html>
  public func reindex(collation: CollationName) throws {
    let name = collation.rawValue.quotedDatabaseIdentifier
    // Unlike a comparison, REINDEX does not ask for a collation that the connection does not have yet.
    _ = try makeStatement(sql: "SELECT '' < '' COLLATE \(name)")
    try execute(sql: "REINDEX \(name)")
  }
}
