/// The columns that an upsert updates without an assignment in its `doUpdate` closure.
///
/// ```swift
/// // A stored tag with this name stays as it is, and is returned.
/// let tag = try Tag(name: "sailing")
///   .upsertAndFetch(db, onConflict: ["name"], updating: .noColumnUnlessSpecified)
/// ```
public enum UpsertUpdateStrategy: Sendable {
  /// All columns of the record except the primary key and the key that conflicts.
  case allColumns
  /// None: the conflicting row keeps all values that the closure does not assign.
  ///
  /// SQLite returns no row that it does not update, so a row that keeps all values is updated nevertheless, as in
  /// GRDB: observers are notified, and triggers of each update, or of one of the primary key, run.
  case noColumnUnlessSpecified
}
