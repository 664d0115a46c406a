/// That others have changed a database.
public struct ExternalChange: Hashable, Sendable {
  /// The tables that may have changed, `nil` when it may be any.
  ///
  /// SQLite tells that somebody committed, and not what: tables are named only where a history of
  /// changes knows them.
  public var tables: Set<String>?

  /// Creates a change.
  ///
  /// - Parameter tables: The tables that may have changed, `nil` when it may be any.
  public init(tables: Set<String>?) {
    self.tables = tables
  }

  /// Both changes as one.
  func union(_ other: ExternalChange) -> ExternalChange {
    guard let tables, let others = other.tables else { return ExternalChange(tables: nil) }
    return ExternalChange(tables: tables.union(others))
  }
}
