extension Database {
  /// The action of a statement when a row would violate a constraint.
  ///
  /// - SeeAlso: <https://www.sqlite.org/lang_conflict.html>
  public enum ConflictResolution: String, Sendable {
    /// The statement fails and the transaction is rolled back.
    case rollback = "ROLLBACK"
    /// The statement fails and its changes are undone; SQLite's default.
    case abort = "ABORT"
    /// The statement fails, and its earlier changes are kept.
    case fail = "FAIL"
    /// The row is skipped, and the statement continues.
    case ignore = "IGNORE"
    /// The conflicting rows are deleted first; delete triggers fire only if triggers are recursive.
    case replace = "REPLACE"
  }
}

extension Database.ConflictResolution {
  /// The SQL between the verb and the table.
  var sql: String { self == .abort ? "" : " OR " + rawValue }
}

/// The conflict resolutions of a record type.
public struct PersistenceConflictPolicy: Sendable {
  /// The action of an insertion.
  public let conflictResolutionForInsert: Database.ConflictResolution

  /// The action of an update.
  public let conflictResolutionForUpdate: Database.ConflictResolution

  /// Creates a policy.
  ///
  /// - Parameters:
  ///   - insert: The action of an insertion; by default it fails and its changes are undone.
  ///   - update: The action of an update; by default it fails and its changes are undone.
  public init(
    insert: Database.ConflictResolution = .abort, update: Database.ConflictResolution = .abort
  ) {
    conflictResolutionForInsert = insert
    conflictResolutionForUpdate = update
  }
}
