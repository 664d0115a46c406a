// The typed cursors again for up to eight columns, which the compiler then specializes: it does not unroll a
// loop over a parameter pack, and asks each column's type for everything at run time. Only a program that calls
// one has its code, which as unspecialized code of the library would be fifty kilobytes in each program.

extension Row {
  /// Returns a cursor of the first 2 columns of all rows, as tuples of values.
  @_alwaysEmitIntoClient
  public static func fetchCursor<A: DatabaseValueConvertible, B: DatabaseValueConvertible>(
    _ db: Database, sql: String, arguments: StatementArguments = StatementArguments(),
    as types: (A.Type, B.Type)
  ) throws -> ColumnsCursor<(A, B)> {
    try fetchCursor(db.makeStatement(sql: sql), arguments: arguments, as: types)
  }

  /// Returns a cursor of the first 2 columns of a statement's rows, as tuples of values.
  @_alwaysEmitIntoClient
  public static func fetchCursor<A: DatabaseValueConvertible, B: DatabaseValueConvertible>(
    _ statement: Statement, arguments: StatementArguments? = nil,
    as types: (A.Type, B.Type)
  ) throws -> ColumnsCursor<(A, B)> {
    try ColumnsCursor(statement, arguments: arguments, count: 2) {
      try ($0.value(at: 0), $0.value(at: 1))
    }
  }

  /// Returns a cursor of the first 3 columns of all rows, as tuples of values.
  @_alwaysEmitIntoClient
  public static func fetchCursor<
    A: DatabaseValueConvertible, B: DatabaseValueConvertible, C: DatabaseValueConvertible
  >(
    _ db: Database, sql: String, arguments: StatementArguments = StatementArguments(),
    as types: (A.Type, B.Type, C.Type)
  ) throws -> ColumnsCursor<(A, B, C)> {
    try fetchCursor(db.makeStatement(sql: sql), arguments: arguments, as: types)
  }

  /// Returns a cursor of the first 3 columns of a statement's rows, as tuples of values.
  @_alwaysEmitIntoClient
  public static func fetchCursor<
    A: DatabaseValueConvertible, B: DatabaseValueConvertible, C: DatabaseValueConvertible
  >(
    _ statement: Statement, arguments: StatementArguments? = nil,
    as types: (A.Type, B.Type, C.Type)
  ) throws -> ColumnsCursor<(A, B, C)> {
    try ColumnsCursor(statement, arguments: arguments, count: 3) {
      try ($0.value(at: 0), $0.value(at: 1), $0.value(at: 2))
    }
  }

  /// Returns a cursor of the first 4 columns of all rows, as tuples of values.
  @_alwaysEmitIntoClient
  public static func fetchCursor<
    A: DatabaseValueConvertible, B: DatabaseValueConvertible, C: DatabaseValueConvertible,
    D: DatabaseValueConvertible
  >(
    _ db: Database, sql: String, arguments: StatementArguments = StatementArguments(),
    as types: (A.Type, B.Type, C.Type, D.Type)
  ) throws -> ColumnsCursor<(A, B, C, D)> {
    try fetchCursor(db.makeStatement(sql: sql), arguments: arguments, as: types)
  }

  /// Returns a cursor of the first 4 columns of a statement's rows, as tuples of values.
  @_alwaysEmitIntoClient
  public static func fetchCursor<
    A: DatabaseValueConvertible, B: DatabaseValueConvertible, C: DatabaseValueConvertible,
    D: DatabaseValueConvertible
  >(
    _ statement: Statement, arguments: StatementArguments? = nil,
    as types: (A.Type, B.Type, C.Type, D.Type)
  ) throws -> ColumnsCursor<(A, B, C, D)> {
    try ColumnsCursor(statement, arguments: arguments, count: 4) {
      try ($0.value(at: 0), $0.value(at: 1), $0.value(at: 2), $0.value(at: 3))
    }
  }

  /// Returns a cursor of the first 5 columns of all rows, as tuples of values.
  @_alwaysEmitIntoClient
  public static func fetchCursor<
    A: DatabaseValueConvertible, B: DatabaseValueConvertible, C: DatabaseValueConvertible,
    D: DatabaseValueConvertible, E: DatabaseValueConvertible
  >(
    _ db: Database, sql: String, arguments: StatementArguments = StatementArguments(),
    as types: (A.Type, B.Type, C.Type, D.Type, E.Type)
  ) throws -> ColumnsCursor<(A, B, C, D, E)> {
    try fetchCursor(db.makeStatement(sql: sql), arguments: arguments, as: types)
  }

  /// Returns a cursor of the first 5 columns of a statement's rows, as tuples of values.
  @_alwaysEmitIntoClient
  public static func fetchCursor<
    A: DatabaseValueConvertible, B: DatabaseValueConvertible, C: DatabaseValueConvertible,
    D: DatabaseValueConvertible, E: DatabaseValueConvertible
  >(
    _ statement: Statement, arguments: StatementArguments? = nil,
    as types: (A.Type, B.Type, C.Type, D.Type, E.Type)
  ) throws -> ColumnsCursor<(A, B, C, D, E)> {
    try ColumnsCursor(statement, arguments: arguments, count: 5) {
      try ($0.value(at: 0), $0.value(at: 1), $0.value(at: 2), $0.value(at: 3), $0.value(at: 4))
    }
  }

  /// Returns a cursor of the first 6 columns of all rows, as tuples of values.
  @_alwaysEmitIntoClient
  public static func fetchCursor<
    A: DatabaseValueConvertible, B: DatabaseValueConvertible, C: DatabaseValueConvertible,
    D: DatabaseValueConvertible, E: DatabaseValueConvertible, F: DatabaseValueConvertible
  >(
    _ db: Database, sql: String, arguments: StatementArguments = StatementArguments(),
    as types: (A.Type, B.Type, C.Type, D.Type, E.Type, F.Type)
  ) throws -> ColumnsCursor<(A, B, C, D, E, F)> {
    try fetchCursor(db.makeStatement(sql: sql), arguments: arguments, as: types)
  }

  /// Returns a cursor of the first 6 columns of a statement's rows, as tuples of values.
  @_alwaysEmitIntoClient
  public static func fetchCursor<
    A: DatabaseValueConvertible, B: DatabaseValueConvertible, C: DatabaseValueConvertible,
    D: DatabaseValueConvertible, E: DatabaseValueConvertible, F: DatabaseValueConvertible
  >(
    _ statement: Statement, arguments: StatementArguments? = nil,
    as types: (A.Type, B.Type, C.Type, D.Type, E.Type, F.Type)
  ) throws -> ColumnsCursor<(A, B, C, D, E, F)> {
    try ColumnsCursor(statement, arguments: arguments, count: 6) {
      try (
        $0.value(at: 0), $0.value(at: 1), $0.value(at: 2), $0.value(at: 3), $0.value(at: 4),
        $0.value(at: 5)
      )
    }
  }

  /// Returns a cursor of the first 7 columns of all rows, as tuples of values.
  @_alwaysEmitIntoClient
  public static func fetchCursor<
    A: DatabaseValueConvertible, B: DatabaseValueConvertible, C: DatabaseValueConvertible,
    D: DatabaseValueConvertible, E: DatabaseValueConvertible, F: DatabaseValueConvertible,
    G: DatabaseValueConvertible
  >(
    _ db: Database, sql: String, arguments: StatementArguments = StatementArguments(),
    as types: (A.Type, B.Type, C.Type, D.Type, E.Type, F.Type, G.Type)
  ) throws -> ColumnsCursor<(A, B, C, D, E, F, G)> {
    try fetchCursor(db.makeStatement(sql: sql), arguments: arguments, as: types)
  }

  /// Returns a cursor of the first 7 columns of a statement's rows, as tuples of values.
  @_alwaysEmitIntoClient
  public static func fetchCursor<
    A: DatabaseValueConvertible, B: DatabaseValueConvertible, C: DatabaseValueConvertible,
    D: DatabaseValueConvertible, E: DatabaseValueConvertible, F: DatabaseValueConvertible,
    G: DatabaseValueConvertible
  >(
    _ statement: Statement, arguments: StatementArguments? = nil,
    as types: (A.Type, B.Type, C.Type, D.Type, E.Type, F.Type, G.Type)
  ) throws -> ColumnsCursor<(A, B, C, D, E, F, G)> {
    try ColumnsCursor(statement, arguments: arguments, count: 7) {
      try (
        $0.value(at: 0), $0.value(at: 1), $0.value(at: 2), $0.value(at: 3), $0.value(at: 4),
        $0.value(at: 5), $0.value(at: 6)
      )
    }
  }

  /// Returns a cursor of the first 8 columns of all rows, as tuples of values.
  @_alwaysEmitIntoClient
  public static func fetchCursor<
    A: DatabaseValueConvertible, B: DatabaseValueConvertible, C: DatabaseValueConvertible,
    D: DatabaseValueConvertible, E: DatabaseValueConvertible, F: DatabaseValueConvertible,
    G: DatabaseValueConvertible, H: DatabaseValueConvertible
  >(
    _ db: Database, sql: String, arguments: StatementArguments = StatementArguments(),
    as types: (A.Type, B.Type, C.Type, D.Type, E.Type, F.Type, G.Type, H.Type)
  ) throws -> ColumnsCursor<(A, B, C, D, E, F, G, H)> {
    try fetchCursor(db.makeStatement(sql: sql), arguments: arguments, as: types)
  }

  /// Returns a cursor of the first 8 columns of a statement's rows, as tuples of values.
  @_alwaysEmitIntoClient
  public static func fetchCursor<
    A: DatabaseValueConvertible, B: DatabaseValueConvertible, C: DatabaseValueConvertible,
    D: DatabaseValueConvertible, E: DatabaseValueConvertible, F: DatabaseValueConvertible,
    G: DatabaseValueConvertible, H: DatabaseValueConvertible
  >(
    _ statement: Statement, arguments: StatementArguments? = nil,
    as types: (A.Type, B.Type, C.Type, D.Type, E.Type, F.Type, G.Type, H.Type)
  ) throws -> ColumnsCursor<(A, B, C, D, E, F, G, H)> {
    try ColumnsCursor(statement, arguments: arguments, count: 8) {
      try (
        $0.value(at: 0), $0.value(at: 1), $0.value(at: 2), $0.value(at: 3), $0.value(at: 4),
        $0.value(at: 5), $0.value(at: 6), $0.value(at: 7)
      )
    }
  }
}
