/// An adapter that presents all columns with other names.
public struct RenameColumnAdapter: RowAdapter {
  private let transform: @Sendable (String) -> String

  /// Creates an adapter.
  ///
  /// - Parameter transform: Returns the new name of a column.
  public init(_ transform: @escaping @Sendable (String) -> String) {
    self.transform = transform
  }

  /// Returns all columns, with their new names.
  public func layout(of columnNames: [String]) -> AdaptedRowLayout {
    AdaptedRowLayout(columnNames.map(transform)[...])
  }
}
