public import HoldfastSQLite

// An access that is awaited takes a closure, whose result is sent to the caller. A function, such as a
// method of an app's own type, promises no such thing: its result is `Sendable` instead. For closures
// the compiler prefers the other forms.

extension DatabaseReader {
  /// Reads with a function while the task is suspended.
  ///
  /// ```swift
  /// let names = try await queue.read(migrator.appliedMigrations)
  /// ```
  ///
  /// - Parameter value: The function.
  /// - Returns: The return value of the function.
  /// - Throws: As the form with a closure.
  @_disfavoredOverload
  public func read<Value: Sendable>(
    _ value: @escaping @Sendable (Database) throws -> Value
  ) async throws -> Value {
    try await read { db in try value(db) }
  }

  /// Reads with a function, without a transaction, while the task is suspended, as the form with a
  /// closure does.
  @_disfavoredOverload
  public func unsafeRead<Value: Sendable>(
    _ value: @escaping @Sendable (Database) throws -> Value
  ) async throws -> Value {
    try await unsafeRead { db in try value(db) }
  }
}

extension DatabaseWriter {
  /// Writes with a function, in one transaction, while the task is suspended, as the form with a
  /// closure does.
  @_disfavoredOverload
  public func write<Value: Sendable>(
    _ updates: @escaping @Sendable (Database) throws -> Value
  ) async throws -> Value {
    try await write { db in try updates(db) }
  }

  /// Writes with a function, without beginning a transaction, while the task is suspended, as the
  /// form with a closure does.
  @_disfavoredOverload
  public func writeWithoutTransaction<Value: Sendable>(
    _ updates: @escaping @Sendable (Database) throws -> Value
  ) async throws -> Value {
    try await writeWithoutTransaction { db in try updates(db) }
  }

  /// Writes with a function while no read runs and the task is suspended, as the form with a
  /// closure does.
  @_disfavoredOverload
  public func barrierWriteWithoutTransaction<Value: Sendable>(
    _ updates: @escaping @Sendable (Database) throws -> Value
  ) async throws -> Value {
    try await barrierWriteWithoutTransaction { db in try updates(db) }
  }
}
