/// A type that presents the columns of a row differently.
///
/// With an adapter a query in which two tables have columns of the same name can be decoded by the
/// records of both tables:
///
/// ```swift
/// let adapter = ScopeAdapter([
///   "player": RangeRowAdapter(0..<2),
///   "team": SuffixRowAdapter(fromIndex: 2),
/// ])
/// let sql = "SELECT player.id, player.name, team.id, team.name FROM player JOIN team USING (teamId)"
/// for row in try Row.fetchAll(db, sql: sql, adapter: adapter) {
///   let player: Player = row["player"]
///   let team: Team = row["team"]
/// }
/// ```
///
/// The columns are chosen once for each run of a statement. Each adapted row has its own values.
public protocol RowAdapter: Sendable {
  /// Returns the columns of the adapted rows.
  ///
  /// - Parameter columnNames: The names of the columns of the statement's rows.
  /// - Returns: The columns and the scopes.
  /// - Throws: ``DatabaseError`` with `SQLITE_MISUSE` when there is no column that the adapter needs.
  func layout(of columnNames: [String]) throws -> AdaptedRowLayout
}

extension RowAdapter {
  /// Returns an adapter with the same columns and additional scopes.
  ///
  /// - Parameter scopes: The adapters of the scopes by name; they replace scopes of equal names.
  /// - Returns: An adapter with the scopes of this one and the additional ones.
  public func addingScopes(_ scopes: [String: any RowAdapter]) -> any RowAdapter {
    scopes.isEmpty ? self : ScopeAdapter(base: self, scopes: scopes)
  }
}

/// Returns adapters that divide the columns of rows into ranges, from the left.
///
/// - Parameter columnCounts: The number of columns of each range.
/// - Returns: One adapter per count, and a last one for all columns that remain.
public func splittingRowAdapters(columnCounts: [Int]) -> [any RowAdapter] {
  var start = 0
  var adapters: [any RowAdapter] = []
  for count in columnCounts {
    adapters.append(RangeRowAdapter(start..<start + count))
    start += count
  }
  return adapters + [SuffixRowAdapter(fromIndex: start)]
}
