/// An adapter that presents the columns from a position on.
public struct SuffixRowAdapter: RowAdapter {
  private let index: Int

  /// Creates an adapter.
  ///
  /// - Parameter index: The position of the first column, from 0.
  public init(fromIndex index: Int) {
    self.index = index
  }

  /// Returns the columns from the position on.
  ///
  /// - Throws: ``DatabaseError`` with `SQLITE_MISUSE` when the rows have fewer columns.
  public func layout(of columnNames: [String]) throws -> AdaptedRowLayout {
    guard index >= 0, index <= columnNames.count else {
      throw DatabaseError.noColumn(at: index, count: columnNames.count)
    }
    return AdaptedRowLayout(columnNames[index...])
  }
}
