public import HoldfastSQLite

/// A writer that forwards every access to another one.
///
/// Use it where a concrete type is required; otherwise `any DatabaseWriter` suffices.
public final class AnyDatabaseWriter: ForwardingReader, DatabaseWriter {
  let base: any DatabaseWriter

  var forwardedReader: any DatabaseReader { base }

  /// Creates a writer that forwards to another one.
  ///
  /// - Parameter base: A queue, a pool, or any other writer.
  public init(_ base: any DatabaseWriter) {
    self.base = base
  }

  /// Writes on the caller's thread; see ``DatabaseWriter``.
  @available(
    *, noasync,
    message:
      "Write `try await write { … }`, which blocks no thread; at the top level of main.swift, in a function."
  )
  public func write<Value>(_ updates: (Database) throws -> Value) throws -> Value {
    try base.write(updates)
  }

  /// Writes while the task is suspended; see ``DatabaseWriter``.
  public func write<Value>(
    _ updates: sending @escaping (Database) throws -> sending Value
  ) async throws -> sending Value {
    try await base.write(updates)
  }

  /// Schedules a write and returns immediately; see ``DatabaseWriter``.
  public func asyncWrite<Value>(
    _ updates: @escaping @Sendable (Database) throws -> Value,
    completion: @escaping @Sendable (Database, Result<Value, any Error>) -> Void
  ) {
    base.asyncWrite(updates, completion: completion)
  }

  /// Writes on the caller's thread without beginning a transaction; see ``DatabaseWriter``.
  @available(
    *, noasync,
    message:
      "Write `try await writeWithoutTransaction { … }`, which blocks no thread; at the top level of main.swift, in a function."
  )
  public func writeWithoutTransaction<Value>(
    _ updates: (Database) throws -> Value
  ) throws -> Value {
    try base.writeWithoutTransaction(updates)
  }

  /// Writes without beginning a transaction while the task is suspended; see ``DatabaseWriter``.
  public func writeWithoutTransaction<Value>(
    _ updates: sending @escaping (Database) throws -> sending Value
  ) async throws -> sending Value {
    try await base.writeWithoutTransaction(updates)
  }

  /// Schedules a write without a transaction and returns immediately; see ``DatabaseWriter``.
  public func asyncWriteWithoutTransaction(_ updates: @escaping @Sendable (Database) -> Void) {
    base.asyncWriteWithoutTransaction(updates)
  }

  /// Writes on the caller's thread while no read runs; see ``DatabaseWriter``.
  @available(
    *, noasync,
    message:
      "Write `try await barrierWriteWithoutTransaction { … }`, which blocks no thread; at the top level of main.swift, in a function."
  )
  public func barrierWriteWithoutTransaction<Value>(
    _ updates: (Database) throws -> Value
  ) throws -> Value {
    try base.barrierWriteWithoutTransaction(updates)
  }

  /// Writes while the task is suspended and no read runs; see ``DatabaseWriter``.
  public func barrierWriteWithoutTransaction<Value>(
    _ updates: sending @escaping (Database) throws -> sending Value
  ) async throws -> sending Value {
    try await base.barrierWriteWithoutTransaction(updates)
  }

  /// Schedules a write during which no read runs and returns immediately; see ``DatabaseWriter``.
  public func asyncBarrierWriteWithoutTransaction(
    _ updates: @escaping @Sendable (Result<Database, any Error>) -> Void
  ) {
    base.asyncBarrierWriteWithoutTransaction(updates)
  }

  /// Writes on a thread that may be inside another write; see ``DatabaseWriter``.
  public func unsafeReentrantWrite<Value>(_ updates: (Database) throws -> Value) throws -> Value {
    try base.unsafeReentrantWrite(updates)
  }

  /// Reads what the calling write has committed so far; see ``DatabaseWriter``.
  public func spawnConcurrentRead(
    _ value: @escaping @Sendable (Result<Database, any Error>) -> Void
  ) {
    base.spawnConcurrentRead(value)
  }
}
