/// A change of a database by other connections.
public struct ExternalChange: Hashable, Sendable {
  /// The tables that may have changed; `nil` if any table may have.
  ///
  /// SQLite reveals that another connection committed, but not what: tables are known only where a
  /// ``ChangeHistory`` records them. The set contains the tables with recorded changes, possibly
  /// including own ones if own and other commits coincided, and always all tables that the history
  /// does not cover: virtual tables and their shadows, but not SQLite's own tables nor the
  /// history's. It is `nil` in any doubt, such as after a change of the schema, a VACUUM, a purge
  /// of changes that were not yet read, a suspension, and for the first change.
  ///
  /// Names that are equal as strings but differ in their bytes are one element, as in every set of
  /// strings.
  ///
  /// Changes that the history does not record are not included: those made through incremental
  /// blobs, and by connections that have triggers disabled.
  public var tables: Set<String>?

  /// Creates a change.
  ///
  /// - Parameter tables: The tables that may have changed; `nil` if any table may have.
  public init(tables: Set<String>?) {
    self.tables = tables
  }

  /// Returns both changes as one.
  func union(_ other: ExternalChange) -> ExternalChange {
    guard let tables, let others = other.tables else { return ExternalChange(tables: nil) }
    return ExternalChange(tables: tables.union(others))
  }
}
