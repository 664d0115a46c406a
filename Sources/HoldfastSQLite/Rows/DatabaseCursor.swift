/// A cursor of what a statement returns.
public protocol DatabaseCursor<Element>: Cursor {
  /// The SQL of the statement.
  var sql: String { get }

  /// The values of the statement's parameters.
  var arguments: StatementArguments { get }

  /// The names of the columns of the statement's rows.
  var columnNames: [String] { get }

  /// The number of columns of the statement's rows.
  var columnCount: Int { get }

  /// The region that the statement reads.
  var databaseRegion: DatabaseRegion { get }
}
