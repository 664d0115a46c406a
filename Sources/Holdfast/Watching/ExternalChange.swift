/// That others have changed a database.
public struct ExternalChange: Hashable, Sendable {
  /// The tables that may have changed, `nil` when it may be any.
  ///
  /// SQLite tells that somebody committed, and not what: tables are named only where a
  /// ``ChangeHistory`` knows them. Named are those that have changes in it, own ones perhaps
  /// included where own and other commits came together, and always all that take no part in it:
  /// virtual tables and their shadows, but not SQLite's own tables nor the history's. It is `nil`
  /// in any doubt, such as after a change of the schema, a VACUUM, a purge of changes that were not
  /// seen yet, a suspension, and when it is asked for the first time.
  ///
  /// Names that read alike and differ in their bytes are one element, as in every set of strings.
  ///
  /// What the history does not note is not named: what is written through incremental blobs, and by
  /// connections that have triggers switched off.
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
