// Requests from the columns that a record type declares in its `Columns`.

extension TableRecord {
  /// Returns a request for the rows that satisfy a condition.
  ///
  /// ```swift
  /// let players = try Player.filter { $0.score > 100 }.fetchAll(db)
  /// ```
  ///
  /// - Parameter predicate: Returns the condition from the record's `Columns`.
  /// - Returns: A request for those rows only.
  public static func filter(
    _ predicate: (DatabaseComponents) throws -> any SQLSpecificExpressible
  ) rethrows -> QueryInterfaceRequest<Self> {
    try all().filter(predicate)
  }

  /// Returns a request for all rows in an order, whose only term the closure returns from the
  /// record's `Columns`.
  public static func order(
    _ ordering: (DatabaseComponents) throws -> any SQLOrderingTerm
  ) rethrows -> QueryInterfaceRequest<Self> {
    try all().order(ordering)
  }

  /// Returns a request for all rows in an order, whose terms the closures return from the record's
  /// `Columns`, such as `\.score.desc`.
  public static func order(
    _ orderings: (DatabaseComponents) -> any SQLOrderingTerm...
  ) -> QueryInterfaceRequest<Self> {
    all().order(orderings.map { $0(databaseComponents) })
  }

  /// Returns a request for all rows in an order, whose terms the closure returns from the record's
  /// `Columns`.
  public static func order(
    _ orderings: (DatabaseComponents) throws -> [any SQLOrderingTerm]
  ) rethrows -> QueryInterfaceRequest<Self> {
    try all().order(orderings)
  }

  /// Returns a request for a column of all rows, which the closure returns from the record's
  /// `Columns`.
  public static func select(
    _ selection: (DatabaseComponents) throws -> any SQLSelectable
  ) rethrows -> QueryInterfaceRequest<Self> {
    try all().select(selection)
  }

  /// Returns a request for some columns of all rows, which the closures return from the record's
  /// `Columns`.
  public static func select(
    _ selection: (DatabaseComponents) -> any SQLSelectable...
  ) -> QueryInterfaceRequest<Self> {
    all().select(selection.map { $0(databaseComponents) })
  }

  /// Returns a request for some columns of all rows, which the closure returns from the record's
  /// `Columns`.
  public static func select(
    _ selection: (DatabaseComponents) throws -> [any SQLSelectable]
  ) rethrows -> QueryInterfaceRequest<Self> {
    try all().select(selection)
  }

  /// Returns a request for a column of all rows, with its type.
  ///
  /// ```swift
  /// let best = try Player.select(as: Int.self) { max($0.score) }.fetchOne(db)
  /// ```
  ///
  /// - Parameters:
  ///   - type: The type to which each row is converted.
  ///   - selection: Returns a column from the record's `Columns`.
  /// - Returns: A request for those columns only.
  public static func select<Other>(
    as type: Other.Type,
    _ selection: (DatabaseComponents) throws -> any SQLSelectable
  ) rethrows -> QueryInterfaceRequest<Other> {
    try all().select(as: type, selection)
  }

  /// Returns a request for a column of all rows, with its type; see ``select(as:_:)``.
  public static func select<Other>(
    _ selection: (DatabaseComponents) throws -> any SQLSelectable,
    as type: Other.Type = Other.self
  ) rethrows -> QueryInterfaceRequest<Other> {
    try all().select(as: type, selection)
  }

  /// Returns a request for all rows with an additional column, which the closure returns from the
  /// record's `Columns`.
  public static func annotated(
    with selection: (DatabaseComponents) throws -> any SQLSelectable
  ) rethrows -> QueryInterfaceRequest<Self> {
    try all().annotated(with: selection)
  }

  /// Returns a request for all rows with additional columns, which the closure returns from the
  /// record's `Columns`.
  public static func annotated(
    with selection: (DatabaseComponents) throws -> [any SQLSelectable]
  ) rethrows -> QueryInterfaceRequest<Self> {
    try all().annotated(with: selection)
  }

  /// Returns a request for all rows with additional columns, which the closures return from the
  /// record's `Columns`.
  public static func annotated(
    with selection: (DatabaseComponents) -> any SQLSelectable...
  ) -> QueryInterfaceRequest<Self> {
    all().annotated(with: selection.map { $0(databaseComponents) })
  }
}

extension TableRecord {
  /// Updates all rows of the table.
  ///
  /// - Parameters:
  ///   - db: The connection of the current access.
  ///   - conflictResolution: The action when a row would violate a constraint; the record type's
  ///     own one if `nil`.
  ///   - assignments: The columns with their new values; without any, no statement runs.
  /// - Returns: The number of updated rows.
  /// - Throws: ``DatabaseError`` with SQLite's code.
  @discardableResult
  public static func updateAll(
    _ db: Database, onConflict conflictResolution: Database.ConflictResolution? = nil,
    _ assignments: [ColumnAssignment]
  ) throws -> Int {
    try all().updateAll(db, onConflict: conflictResolution, assignments)
  }

  /// Updates all rows of the table with a list of assignments, as the function that takes an array
  /// does.
  @discardableResult
  public static func updateAll(
    _ db: Database, onConflict conflictResolution: Database.ConflictResolution? = nil,
    _ assignments: ColumnAssignment...
  ) throws -> Int {
    try all().updateAll(db, onConflict: conflictResolution, assignments)
  }

  /// Updates all rows of the table.
  ///
  /// - Parameters:
  ///   - db: The connection of the current access.
  ///   - conflictResolution: The action when a row would violate a constraint; the record type's
  ///     own one if `nil`.
  ///   - assignments: Returns the columns with their new values, from the record's `Columns`.
  /// - Returns: The number of updated rows.
  /// - Throws: ``DatabaseError`` with SQLite's code; whatever `assignments` throws.
  @discardableResult
  public static func updateAll(
    _ db: Database, onConflict conflictResolution: Database.ConflictResolution? = nil,
    assignments: (DatabaseComponents) throws -> [ColumnAssignment]
  ) throws -> Int {
    try all().updateAll(db, onConflict: conflictResolution, assignments: assignments)
  }

  /// Updates all rows of the table with an assignment; see
  /// ``updateAll(_:onConflict:assignments:)``.
  @discardableResult
  public static func updateAll(
    _ db: Database, onConflict conflictResolution: Database.ConflictResolution? = nil,
    assignment: (DatabaseComponents) throws -> ColumnAssignment
  ) throws -> Int {
    try all().updateAll(db, onConflict: conflictResolution, assignment: assignment)
  }
}
