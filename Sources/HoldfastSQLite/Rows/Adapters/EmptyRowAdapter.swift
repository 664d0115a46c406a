/// An adapter that presents no columns, mostly to present scopes only.
public struct EmptyRowAdapter: RowAdapter {
  /// Creates an adapter.
  public init() {}

  /// Returns a layout without columns.
  public func layout(of columnNames: [String]) -> AdaptedRowLayout {
    AdaptedRowLayout(columns: [])
  }
}
