/// A reader whose accesses all see one committed state of the database.
///
/// It is a ``DatabaseSnapshot`` or a ``DatabaseSnapshotPool``.
public protocol DatabaseSnapshotReader: DatabaseReader {}

extension DatabaseSnapshotReader {
  /// Reads on the caller's thread, which may already be inside an access to this snapshot.
  ///
  /// Inside an access the closure receives the connection of that access.
  ///
  /// - Parameter value: Reads through the connection, which is valid only during the closure.
  /// - Returns: The return value of `value`.
  /// - Throws: `DatabaseError` as `unsafeRead` does; whatever `value` throws.
  public func reentrantRead<Value>(_ value: (Database) throws -> Value) throws -> Value {
    try unsafeReentrantRead(value)
  }
}
