/// An adapter that presents parts of rows as rows of their own, in scopes.
///
/// ```swift
/// let adapter = ScopeAdapter(["team": SuffixRowAdapter(fromIndex: 2)])
/// let row = try Row.fetchOne(db, sql: "SELECT 1, 'Arthur', 3, 'Reds'", adapter: adapter)
/// let team = row?.scopes["team"]
/// ```
public struct ScopeAdapter: RowAdapter {
  private let base: any RowAdapter
  private let scopes: [String: any RowAdapter]

  /// Creates an adapter that presents all columns, and scopes.
  ///
  /// - Parameter scopes: The adapters of the scopes by name.
  public init(_ scopes: [String: any RowAdapter]) {
    self.init(base: SuffixRowAdapter(fromIndex: 0), scopes: scopes)
  }

  /// Creates an adapter that presents the columns and scopes of another one, and more scopes.
  ///
  /// - Parameters:
  ///   - base: The adapter of the columns.
  ///   - scopes: The adapters of the scopes by name; they replace scopes of equal names.
  public init(base: any RowAdapter, scopes: [String: any RowAdapter]) {
    self.base = base
    self.scopes = scopes
  }

  /// Returns the columns of the other adapter, and all scopes.
  ///
  /// - Throws: Whatever one of the adapters throws.
  public func layout(of columnNames: [String]) throws -> AdaptedRowLayout {
    var layout = try base.layout(of: columnNames)
    for (name, adapter) in scopes {
      layout.scopes[name] = try adapter.layout(of: columnNames)
    }
    return layout
  }
}
