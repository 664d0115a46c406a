/// What a statement may do to the rows of a table.
///
/// - SeeAlso: ``TransactionObserver/observes(eventsOfKind:)``
public enum DatabaseEventKind: Hashable, Sendable {
  /// Rows are inserted.
  case insert(tableName: String)

  /// Rows are deleted.
  case delete(tableName: String)

  /// Columns of rows are changed.
  case update(tableName: String, columnNames: Set<String>)

  /// The name of the table.
  public var tableName: String {
    switch self {
    case .insert(let tableName), .delete(let tableName), .update(let tableName, _): tableName
    }
  }

  /// What a change of this kind may touch.
  var modifiedRegion: DatabaseRegion {
    switch self {
    case .insert(let tableName), .delete(let tableName):
      DatabaseRegion(table: tableName)
    case .update(let tableName, let columnNames):
      DatabaseRegion(table: tableName, columns: columnNames)
    }
  }
}
