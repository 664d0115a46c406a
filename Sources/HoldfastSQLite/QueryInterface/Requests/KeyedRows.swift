/// The only rows of a table that a query can read, known before it runs from the keys in its conditions.
struct KeyedRows {
  var table: DatabaseIdentifier
  var rowIDs: Set<Int64>
}

/// A request that may know the rows that it reads.
protocol KeyedRowsRequest {
  /// Returns the rows; `nil` for all of the table, or if they are not known.
  func keyedRows(_ db: Database) throws -> KeyedRows?
}

extension QueryInterfaceRequest: KeyedRowsRequest {
  func keyedRows(_ db: Database) throws -> KeyedRows? { try query.keyedRows(db) }
}

extension AdaptedFetchRequest: KeyedRowsRequest {
  func keyedRows(_ db: Database) throws -> KeyedRows? {
    try (base as? any KeyedRowsRequest)?.keyedRows(db)
  }
}

extension DatabaseRegion {
  /// Returns the region without the rows that a request cannot read.
  func narrowed(to rows: KeyedRows?) -> DatabaseRegion {
    rows.map { narrowed($0.table, to: $0.rowIDs) } ?? self
  }
}

extension SelectQuery {
  /// Returns the rows that the conditions allow, if the table has an INTEGER PRIMARY KEY.
  func keyedRows(_ db: Database) throws -> KeyedRows? {
    // A query inside of this one may read other rows of the same table.
    guard commonTables.isEmpty, !hasSubquery else { return nil }
    let key = try source.primaryKeyIfAny(db)
    guard let column = key.rowIDColumn else { return nil }
    let names = Set(([column] + key.rowIDNames).map(\.foldedDatabaseIdentifier))
    guard let rowIDs = try conditions.map({ try $0.rowIDs(names, db) }).intersected else {
      return nil
    }
    return KeyedRows(table: source.name(db).foldedDatabaseIdentifier, rowIDs: rowIDs)
  }

  /// Whether a part of the query is another query, or may be one.
  private var hasSubquery: Bool {
    conditions.contains(where: \.hasSubquery) || groups.contains(where: \.hasSubquery)
      || groupConditions.contains(where: \.hasSubquery)
      || orderings.contains(where: \.hasSubquery)
      || (selection ?? source.selection).contains(where: \.hasSubquery)
  }
}

extension SQLSelection {
  fileprivate var hasSubquery: Bool {
    switch content {
    case .allColumns, .allColumnsExcluding: false
    case .expression(let expression), .named(let expression, _): expression.hasSubquery
    case .inTable(_, let selection): selection.hasSubquery
    }
  }
}

extension SQLExpression {
  /// Returns the rows for which the condition on the rowid, by any of its names, may be true; `nil` if they are
  /// not known.
  fileprivate func rowIDs(_ names: Set<DatabaseIdentifier>, _ db: Database) throws -> Set<Int64>? {
    func isKey(_ expression: SQLExpression) -> Bool {
      if case .column(let name) = expression.node {
        names.contains(name.foldedDatabaseIdentifier)
      } else {
        false
      }
    }

    switch node {
    case .binary(let left, .equal, let right), .binary(let left, .identical, let right):
      guard isKey(left) || isKey(right) else { return nil }
      return (isKey(left) ? right : left).equalRowIDs
    case .isIn(let value, let list, isNegated: false):
      guard isKey(value) || list.isEmpty else { return nil }
      let known = list.compactMap(\.equalRowIDs)
      return known.count == list.count ? known.reduce([]) { $0.union($1) } : nil
    case .constant(let value):
      return value == 0.databaseValue ? [] : nil
    case .chain(.and, let conditions):
      return try conditions.map { try $0.rowIDs(names, db) }.intersected
    case .chain(.or, let conditions):
      let known = try conditions.compactMap { try $0.rowIDs(names, db) }
      return known.count == conditions.count ? known.reduce([]) { $0.union($1) } : nil
    case .resolved(let resolve):
      return try resolve(db).rowIDs(names, db)
    default:
      return nil
    }
  }

  /// The rowids that equal the value, none of which is NULL; `nil` for a text, which SQLite converts.
  private var equalRowIDs: Set<Int64>? {
    guard case .value(let value) = node else { return nil }
    switch value.storage {
    case .int64(let rowID): return [rowID]
    case .null: return []
    case .double, .string, .blob: return nil
    }
  }
}

extension [Set<Int64>?] {
  /// The elements that all known sets have in common; `nil` if no set is known.
  fileprivate var intersected: Set<Int64>? {
    let known = compactMap(\.self)
    return known.first.map { first in known.dropFirst().reduce(first) { $0.intersection($1) } }
  }
}
