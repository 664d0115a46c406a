/// An adapter that presents the columns in a range of positions.
public struct RangeRowAdapter: RowAdapter {
  private let range: Range<Int>

  /// Creates an adapter.
  ///
  /// - Parameter range: The positions of the columns, from 0.
  public init(_ range: Range<Int>) {
    self.range = range
  }

  /// Creates an adapter.
  ///
  /// - Parameter range: The positions of the columns, from 0.
  public init(_ range: ClosedRange<Int>) {
    self.init(Range(range))
  }

  /// Returns the columns in the range.
  ///
  /// - Throws: ``DatabaseError`` with `SQLITE_MISUSE` when the rows have fewer columns.
  public func layout(of columnNames: [String]) throws -> AdaptedRowLayout {
    guard range.lowerBound >= 0, range.upperBound <= columnNames.count else {
      let index = range.lowerBound < 0 ? range.lowerBound : range.upperBound - 1
      throw DatabaseError.noColumn(at: index, count: columnNames.count)
    }
    return AdaptedRowLayout(columnNames[range])
  }
}
