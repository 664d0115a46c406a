extension Database {
  /// What a statement does when a row would violate a constraint.
  ///
  /// - SeeAlso: <https://www.sqlite.org/lang_conflict.html>
  public enum ConflictResolution: String, Sendable {
    /// The statement fails and the transaction is rolled back.
    case rollback = "ROLLBACK"
    /// The statement fails and what it did is undone; SQLite's own choice.
    case abort = "ABORT"
    /// The statement fails, and what it did before stays.
    case fail = "FAIL"
    /// The row is left out, and the statement goes on.
    case ignore = "IGNORE"
    /// The rows in the way are deleted first, without delete triggers unless those are recursive.
    case replace = "REPLACE"
  }
}

extension Database.ConflictResolution {
  /// The words between the verb and the table.
  var sql: String { self == .abort ? "" : " OR " + rawValue }
}

/// What a record type does when one of its rows would violate a constraint.
public struct PersistenceConflictPolicy: Sendable {
  /// What an insertion does.
  public let conflictResolutionForInsert: Database.ConflictResolution

  /// What an update does.
  public let conflictResolutionForUpdate: Database.ConflictResolution

  /// Creates a policy.
  ///
  /// - Parameters:
  ///   - insert: What an insertion does; it fails and undoes itself by default.
  ///   - update: What an update does; it fails and undoes itself by default.
  public init(
    insert: Database.ConflictResolution = .abort, update: Database.ConflictResolution = .abort
  ) {
    conflictResolutionForInsert = insert
    conflictResolutionForUpdate = update
  }
}
