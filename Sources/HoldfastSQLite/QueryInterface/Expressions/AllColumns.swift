/// All columns of a table.
public struct AllColumns: SQLSelectable, Sendable {
  /// Creates a selection of all columns.
  public init() {}

  /// The SQL `*`.
  public var sqlSelection: SQLSelection { SQLSelection(.allColumns) }
}

/// All columns of a table except some.
///
/// The names of the others are read from the schema, when the request is fetched.
public struct AllColumnsExcluding: SQLSelectable, Sendable {
  private let excluded: Set<DatabaseIdentifier>

  /// Creates a selection.
  ///
  /// - Parameter excludedColumns: The names of the columns that are not selected; names that the
  ///   table does not have are ignored.
  public init(_ excludedColumns: some Sequence<String>) {
    excluded = Set(excludedColumns.map(\.foldedDatabaseIdentifier))
  }

  /// Creates a selection.
  ///
  /// - Parameter excludedColumns: The columns that are not selected.
  public init(_ excludedColumns: some Sequence<any ColumnExpression>) {
    self.init(excludedColumns.map(\.name))
  }

  /// The names of the other columns.
  public var sqlSelection: SQLSelection { SQLSelection(.allColumnsExcluding(excluded)) }
}

extension SQLSelectable where Self == AllColumns {
  /// All columns.
  public static var allColumns: AllColumns { AllColumns() }
}

extension SQLSelectable where Self == AllColumnsExcluding {
  /// Returns all columns except some.
  ///
  /// - Parameter excludedColumns: The names of the columns that are not selected.
  /// - Returns: The other columns, in their order.
  public static func allColumns(excluding excludedColumns: some Sequence<String>) -> Self {
    AllColumnsExcluding(excludedColumns)
  }

  /// Returns all columns except some.
  ///
  /// - Parameter excludedColumns: The columns that are not selected.
  /// - Returns: The other columns, in their order.
  public static func allColumns(
    excluding excludedColumns: some Sequence<any ColumnExpression>
  ) -> Self {
    AllColumnsExcluding(excludedColumns)
  }
}

extension SQLSelectable where Self == Column {
  /// The column `rowid`.
  public static var rowID: Column { Column.rowID }
}
