/// An adapter that presents some columns under other names.
///
/// ```swift
/// // [name: 'Arthur']
/// let adapter = ColumnMapping(["name": "playerName"])
/// try Row.fetchOne(db, sql: "SELECT 1 AS id, 'Arthur' AS playerName", adapter: adapter)
/// ```
public struct ColumnMapping: RowAdapter {
  private let mapping: [String: String]

  /// Creates an adapter.
  ///
  /// - Parameter mapping: The names of the statement's columns by the names in the adapted rows. The
  ///   columns are in the order of the statement's; others are not in the adapted rows.
  public init(_ mapping: [String: String]) {
    self.mapping = mapping
  }

  /// Returns the columns that are mapped.
  ///
  /// - Throws: ``DatabaseError`` with `SQLITE_MISUSE` when there is no such column.
  public func layout(of columnNames: [String]) throws -> AdaptedRowLayout {
    let source = RowLayout(names: columnNames)
    let columns = try mapping.map { name, original in
      guard let index = source.index(of: original) else {
        throw DatabaseError.noColumn(named: original, among: columnNames)
      }
      return AdaptedRowLayout.Column(index: index, name: name)
    }
    return AdaptedRowLayout(
      columns: columns.sorted { ($0.index, ExactText($0.name)) < ($1.index, ExactText($1.name)) })
  }
}
