/// A cursor of a statement's rows, each converted to a record.
public final class RecordCursor<Record: FetchableRecord>: StatementCursor, DatabaseCursor {
  /// Returns the next row's record, or `nil` at the end.
  @inlinable
  public func next() throws -> Record? {
    guard try advance() else { return nil }
    defer { if isSuspendable { pause() } }
    // One call, which is then compiled into the loop.
    return try unsafe Record.record(of: isUnadapted ? rows.row : adaptedRow())
  }
}

/// A cursor of rows.
///
/// Reading a row of the loop copies nothing. A row that is kept copies its values before the cursor
/// moves on.
public typealias RowCursor = RecordCursor<Row>

extension FetchableRecord {
  /// Returns the record of a row; a row is its own, and copies its values when it is kept.
  @inlinable
  @inline(__always)
  static func record(of row: Row) throws -> Self {
    if Self.self == Row.self, let row = row as? Self { return row }
    return try Self(row: row)
  }
}
