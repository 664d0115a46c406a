// Requests are fetched with the same functions as SQL, such as `fetchAll(_:sql:arguments:)`.

extension FetchableRecord {
  /// Returns the records of all rows of a request, whose element type is ignored; see
  /// ``fetchAll(_:sql:arguments:)``.
  @inlinable
  public static func fetchAll(_ db: Database, _ request: some FetchRequest) throws -> [Self] {
    let literal = try db.sqlToFetch(request)
    guard let adapter = try request.makeRowAdapter(db) else {
      return try fetchAll(db, literal: literal)
    }
    let (sql, arguments) = try literal.build(db)
    return try fetchAll(db, sql: sql, arguments: arguments, adapter: adapter)
  }

  /// Returns the records of all rows of a statement; see ``fetchAll(_:sql:arguments:)``.
  public static func fetchAll(_ db: Database, literal sqlLiteral: SQL) throws -> [Self] {
    let (sql, arguments) = try sqlLiteral.build(db)
    return try fetchAll(db, sql: sql, arguments: arguments)
  }

  /// Returns the record of the first row of a request, whose element type is ignored; see
  /// ``fetchOne(_:sql:arguments:)``.
  @inlinable
  public static func fetchOne(_ db: Database, _ request: some FetchRequest) throws -> Self? {
    let literal = try db.sqlToFetch(request, forSingleResult: true)
    guard let adapter = try request.makeRowAdapter(db) else {
      return try fetchOne(db, literal: literal)
    }
    let (sql, arguments) = try literal.build(db)
    return try fetchOne(db, sql: sql, arguments: arguments, adapter: adapter)
  }

  /// Returns the record of the first row of a statement; see ``fetchOne(_:sql:arguments:)``.
  public static func fetchOne(_ db: Database, literal sqlLiteral: SQL) throws -> Self? {
    let (sql, arguments) = try sqlLiteral.build(db)
    return try fetchOne(db, sql: sql, arguments: arguments)
  }

  /// Returns a cursor of the records of a request, whose element type is ignored; see
  /// ``fetchCursor(_:sql:arguments:)``.
  @inlinable
  public static func fetchCursor(_ db: Database, _ request: some FetchRequest) throws
    -> RecordCursor<Self>
  {
    let literal = try db.sqlToFetch(request)
    guard let adapter = try request.makeRowAdapter(db) else {
      return try fetchCursor(db, literal: literal)
    }
    let (sql, arguments) = try literal.build(db)
    return try fetchCursor(db, sql: sql, arguments: arguments, adapter: adapter)
  }

  /// Returns a cursor of the records of a statement; see ``fetchCursor(_:sql:arguments:)``.
  public static func fetchCursor(_ db: Database, literal sqlLiteral: SQL) throws -> RecordCursor<
    Self
  > {
    let (sql, arguments) = try sqlLiteral.build(db)
    return try fetchCursor(db, sql: sql, arguments: arguments)
  }
}

extension FetchableRecord where Self: Hashable {
  /// Returns the distinct records of a request, whose element type is ignored; see
  /// ``fetchAll(_:sql:arguments:)``.
  @inlinable
  public static func fetchSet(_ db: Database, _ request: some FetchRequest) throws -> Set<Self> {
    Set(try fetchAll(db, request))
  }

  /// Returns the distinct records of a statement; see ``fetchAll(_:sql:arguments:)``.
  public static func fetchSet(_ db: Database, literal sqlLiteral: SQL) throws -> Set<Self> {
    Set(try fetchAll(db, literal: sqlLiteral))
  }
}

extension DatabaseValueConvertible {
  /// Returns the first column of all rows of a request, whose element type is ignored; see
  /// ``fetchAll(_:sql:arguments:)``.
  @inlinable
  public static func fetchAll(_ db: Database, _ request: some FetchRequest) throws -> [Self] {
    let literal = try db.sqlToFetch(request)
    guard let adapter = try request.makeRowAdapter(db) else {
      return try fetchAll(db, literal: literal)
    }
    let (sql, arguments) = try literal.build(db)
    return try fetchAll(db, sql: sql, arguments: arguments, adapter: adapter)
  }

  /// Returns the first column of all rows of a statement; see ``fetchAll(_:sql:arguments:)``.
  public static func fetchAll(_ db: Database, literal sqlLiteral: SQL) throws -> [Self] {
    let (sql, arguments) = try sqlLiteral.build(db)
    return try fetchAll(db, sql: sql, arguments: arguments)
  }

  /// Returns the first column of the first row of a request, whose element type is ignored; see
  /// ``fetchOne(_:sql:arguments:)``.
  @inlinable
  public static func fetchOne(_ db: Database, _ request: some FetchRequest) throws -> Self? {
    let literal = try db.sqlToFetch(request, forSingleResult: true)
    guard let adapter = try request.makeRowAdapter(db) else {
      return try fetchOne(db, literal: literal)
    }
    let (sql, arguments) = try literal.build(db)
    return try fetchOne(db, sql: sql, arguments: arguments, adapter: adapter)
  }

  /// Returns the first column of the first row of a statement; see ``fetchOne(_:sql:arguments:)``.
  public static func fetchOne(_ db: Database, literal sqlLiteral: SQL) throws -> Self? {
    let (sql, arguments) = try sqlLiteral.build(db)
    return try fetchOne(db, sql: sql, arguments: arguments)
  }

  /// Returns a cursor of the first column of a request's rows, whose element type is ignored; see
  /// ``fetchCursor(_:sql:arguments:)``.
  @inlinable
  public static func fetchCursor(_ db: Database, _ request: some FetchRequest) throws
    -> DatabaseValueCursor<Self>
  {
    let literal = try db.sqlToFetch(request)
    guard let adapter = try request.makeRowAdapter(db) else {
      return try fetchCursor(db, literal: literal)
    }
    let (sql, arguments) = try literal.build(db)
    return try fetchCursor(db, sql: sql, arguments: arguments, adapter: adapter)
  }

  /// Returns a cursor of the first column of a statement's rows; see
  /// ``fetchCursor(_:sql:arguments:)``.
  public static func fetchCursor(_ db: Database, literal sqlLiteral: SQL) throws
    -> DatabaseValueCursor<Self>
  {
    let (sql, arguments) = try sqlLiteral.build(db)
    return try fetchCursor(db, sql: sql, arguments: arguments)
  }
}

extension DatabaseValueConvertible where Self: Hashable {
  /// Returns the distinct values of the first column of a request's rows, whose element type is
  /// ignored; see ``fetchAll(_:sql:arguments:)``.
  @inlinable
  public static func fetchSet(_ db: Database, _ request: some FetchRequest) throws -> Set<Self> {
    Set(try fetchAll(db, request))
  }

  /// Returns the distinct values of the first column of a statement's rows; see
  /// ``fetchAll(_:sql:arguments:)``.
  public static func fetchSet(_ db: Database, literal sqlLiteral: SQL) throws -> Set<Self> {
    Set(try fetchAll(db, literal: sqlLiteral))
  }
}

extension FetchRequest where RowDecoder: FetchableRecord {
  /// Returns the records of all rows; see ``FetchableRecord/fetchAll(_:sql:arguments:)``.
  @inlinable
  public func fetchAll(_ db: Database) throws -> [RowDecoder] {
    try RowDecoder.fetchAll(db, self)
  }

  /// Returns the record of the first row, or `nil` if there is no row; see
  /// ``FetchableRecord/fetchOne(_:sql:arguments:)``.
  @inlinable
  public func fetchOne(_ db: Database) throws -> RowDecoder? {
    try RowDecoder.fetchOne(db, self)
  }

  /// Returns a cursor of the records of all rows; see
  /// ``FetchableRecord/fetchCursor(_:sql:arguments:)``.
  @inlinable
  public func fetchCursor(_ db: Database) throws -> RecordCursor<RowDecoder> {
    try RowDecoder.fetchCursor(db, self)
  }
}

extension FetchRequest where RowDecoder: FetchableRecord & Hashable {
  /// Returns the distinct records of all rows; see ``FetchableRecord/fetchAll(_:sql:arguments:)``.
  @inlinable
  public func fetchSet(_ db: Database) throws -> Set<RowDecoder> {
    try RowDecoder.fetchSet(db, self)
  }
}

extension FetchRequest where RowDecoder: DatabaseValueConvertible {
  /// Returns the first column of all rows; see
  /// ``DatabaseValueConvertible/fetchAll(_:sql:arguments:)``.
  @inlinable
  public func fetchAll(_ db: Database) throws -> [RowDecoder] {
    try RowDecoder.fetchAll(db, self)
  }

  /// Returns the first column of the first row, or `nil` if there is no row or the column is NULL;
  /// see ``DatabaseValueConvertible/fetchOne(_:sql:arguments:)``.
  @inlinable
  public func fetchOne(_ db: Database) throws -> RowDecoder? {
    try RowDecoder.fetchOne(db, self)
  }

  /// Returns a cursor of the first column of all rows; see
  /// ``DatabaseValueConvertible/fetchCursor(_:sql:arguments:)``.
  @inlinable
  public func fetchCursor(_ db: Database) throws -> DatabaseValueCursor<RowDecoder> {
    try RowDecoder.fetchCursor(db, self)
  }
}

extension FetchRequest where RowDecoder: DatabaseValueConvertible & Hashable {
  /// Returns the distinct values of the first column of all rows; see
  /// ``DatabaseValueConvertible/fetchAll(_:sql:arguments:)``.
  @inlinable
  public func fetchSet(_ db: Database) throws -> Set<RowDecoder> {
    try RowDecoder.fetchSet(db, self)
  }
}
