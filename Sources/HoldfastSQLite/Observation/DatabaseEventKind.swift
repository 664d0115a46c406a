/// A kind of change that a statement may make to the rows of a table.
///
/// - SeeAlso: ``TransactionObserver/observes(eventsOfKind:)``
public enum DatabaseEventKind: Sendable {
  /// Rows are inserted.
  case insert(tableName: String)

  /// Rows are deleted.
  case delete(tableName: String)

  /// Columns of rows are changed; generated columns are included, whatever they depend on.
  case update(tableName: String, columnNames: Set<String>)

  /// Returns kinds for updates of columns whose names differ in their bytes.
  ///
  /// It is one kind for all columns, unless a `Set` would treat some names as equal.
  static func updates(_ tableName: String, _ columnNames: [String]) -> [DatabaseEventKind] {
    let names = Set(columnNames)
    guard names.count < columnNames.count else {
      return [.update(tableName: tableName, columnNames: names)]
    }
    return columnNames.map { .update(tableName: tableName, columnNames: [$0]) }
  }

  /// The name of the table.
  public var tableName: String {
    switch self {
    case .insert(let tableName), .delete(let tableName), .update(let tableName, _): tableName
    }
  }

  /// The name by which SQLite reports an update of the rowid, however the statement spells it.
  static let rowIDName = "ROWID"

  /// The region that a change of this kind may modify.
  var modifiedRegion: DatabaseRegion {
    switch self {
    case .insert(let tableName), .delete(let tableName):
      DatabaseRegion(table: tableName)
    case .update(let tableName, let columnNames):
      // A statement that reads the same INTEGER PRIMARY KEY is reported with the column's name.
      columnNames.contains(Self.rowIDName)
        ? DatabaseRegion(table: tableName)
        : DatabaseRegion(table: tableName, columns: columnNames)
    }
  }
}

extension DatabaseEventKind: Hashable {
  /// Compares names by their bytes, as SQLite does.
  public static func == (lhs: DatabaseEventKind, rhs: DatabaseEventKind) -> Bool {
    switch (lhs, rhs) {
    case (.insert(let left), .insert(let right)), (.delete(let left), .delete(let right)):
      left.hasSameBytes(as: right)
    case (.update(let left, let leftColumns), .update(let right, let rightColumns)):
      left.hasSameBytes(as: right)
        && Set(leftColumns.map(ExactText.init)) == Set(rightColumns.map(ExactText.init))
    default: false
    }
  }

  /// Hashes the table's name, not the columns.
  public func hash(into hasher: inout Hasher) {
    ExactText(tableName).hash(into: &hasher)
  }
}
