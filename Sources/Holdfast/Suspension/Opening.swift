import HoldfastSQLite

/// What a connection of a pool is opened with.
final class Opening {
  /// Tells which thread the connection is lent to.
  let token: AccessToken

  /// What the access was let in with for which it is opened.
  let permit: Suspension.AccessPermit

  /// Is told of the connection before it touches the file.
  let suspension: Suspension?

  private var registered: OpenConnection?

  init(token: AccessToken, permit: Suspension.AccessPermit, suspension: Suspension?) {
    self.token = token
    self.permit = permit
    self.suspension = suspension
  }

  /// Opens a connection.
  ///
  /// - Parameters:
  ///   - location: Where the database lies.
  ///   - isReadOnly: Whether it is opened for reading only, and never created.
  ///   - configuration: What was decided before.
  /// - Returns: The connection.
  /// - Throws: `DatabaseError` with the code SQLite gave, with `SQLITE_ABORT` when the database was
  ///   suspended meanwhile; what a preparation throws.
  func callAsFunction(
    _ location: DatabaseLocation, isReadOnly: Bool, configuration: Configuration
  ) throws -> Database {
    guard let suspension else {
      return try Database(
        at: location, isReadOnly: isReadOnly, configuration: configuration, token: token)
    }
    // What is opened for reading in a suspended database writes nothing, not even a checkpoint.
    return try Database(
      at: location, isReadOnly: isReadOnly || permit.isForReading, configuration: configuration,
      token: token, isSuspended: permit.isForReading
    ) { [self] connection in
      try suspension.register(connection, for: permit)
      registered = connection
    }
  }

  /// Closes what was opened and strikes it out, because the opening failed after all.
  func giveUp() {
    guard let registered else { return }
    // First, because a suspension that does not find it any more counts on its locks to be gone.
    registered.close()
    suspension?.remove(registered)
    self.registered = nil
  }
}
