/// A cursor of a statement's rows, each converted to an element.
///
/// ``RowCursor``, ``RecordCursor`` and ``DatabaseValueCursor`` are its names for rows, records and
/// values.
public final class StatementCursor<Element>: Cursor {
  private var rows: RunningRows
  private let decode: (Row) throws -> Element

  @usableFromInline
  init(
    _ statement: Statement, arguments: StatementArguments?,
    decode: @escaping (Row) throws -> Element
  ) throws {
    rows = try RunningRows(statement, arguments: arguments)
    self.decode = decode
    rows.pause()
  }

  deinit {
    rows.abandon()
  }

  /// Returns the next row's element, or `nil` at the end.
  public func next() throws -> Element? {
    rows.statement.checkAccess()
    try rows.resume()
    defer { rows.pause() }
    guard try rows.next() else { return nil }
    return try decode(rows.row)
  }

  // MARK: - Statement

  /// The SQL of the statement.
  public var sql: String { rows.statement.sql }

  /// The values of the statement's parameters.
  public var arguments: StatementArguments { rows.statement.arguments }

  /// The names of the columns of the statement's rows.
  public var columnNames: [String] { rows.statement.columnNames }

  /// The number of columns of the statement's rows.
  public var columnCount: Int { rows.statement.columnCount }

  /// The region that the statement reads.
  public var databaseRegion: DatabaseRegion { rows.statement.databaseRegion }
}

/// A cursor of rows.
public typealias RowCursor = StatementCursor<Row>

/// A cursor of records.
public typealias RecordCursor<Record: FetchableRecord> = StatementCursor<Record>

/// A cursor of the values of the first column.
public typealias DatabaseValueCursor<Value: DatabaseValueConvertible> = StatementCursor<Value>

/// A cursor of the values of the first column, as fast as ``DatabaseValueCursor``.
public typealias FastDatabaseValueCursor<Value: DatabaseValueConvertible> = StatementCursor<Value>
