public import HoldfastSQLite

/// A reader that forwards every access to another one.
///
/// Use it where a concrete type is required; otherwise `any DatabaseReader` suffices.
public final class AnyDatabaseReader: DatabaseReader {
  let base: any DatabaseReader

  /// Creates a reader that forwards to another one.
  ///
  /// - Parameter base: A queue, a pool, a snapshot, or any other reader.
  public init(_ base: any DatabaseReader) {
    self.base = base
  }

  /// The configuration with which the database was opened.
  public var configuration: Configuration { base.configuration }

  /// The path of the file; `nil` in memory.
  public var path: String? { base.path }

  /// Reads on the caller's thread; see ``DatabaseReader``.
  @available(
    *, noasync,
    message:
      "Write `try await read { … }`, which blocks no thread; at the top level of main.swift, in a function."
  )
  public func read<Value>(_ value: (Database) throws -> Value) throws -> Value {
    try base.read(value)
  }

  /// Reads while the task is suspended; see ``DatabaseReader``.
  public func read<Value>(
    _ value: sending @escaping (Database) throws -> sending Value
  ) async throws -> sending Value {
    try await base.read(value)
  }

  /// Schedules a read and returns immediately; see ``DatabaseReader``.
  public func asyncRead(_ value: @escaping @Sendable (Result<Database, any Error>) -> Void) {
    base.asyncRead(value)
  }

  /// Reads on the caller's thread without a transaction; see ``DatabaseReader``.
  @available(
    *, noasync,
    message:
      "Write `try await unsafeRead { … }`, which blocks no thread; at the top level of main.swift, in a function."
  )
  public func unsafeRead<Value>(_ value: (Database) throws -> Value) throws -> Value {
    try base.unsafeRead(value)
  }

  /// Reads without a transaction while the task is suspended; see ``DatabaseReader``.
  public func unsafeRead<Value>(
    _ value: sending @escaping (Database) throws -> sending Value
  ) async throws -> sending Value {
    try await base.unsafeRead(value)
  }

  /// Reads on a thread that may be inside another read; see ``DatabaseReader``.
  public func unsafeReentrantRead<Value>(_ value: (Database) throws -> Value) throws -> Value {
    try base.unsafeReentrantRead(value)
  }

  /// Interrupts the statements that run; see ``DatabaseReader``.
  public func interrupt() {
    base.interrupt()
  }

  /// Closes the connections of the wrapped object; see ``DatabaseReader``.
  public func close() throws {
    try base.close()
  }
}

extension DatabaseReader {
  /// The reader to which a type-erased one forwards.
  var unerased: any DatabaseReader {
    switch self {
    case let reader as AnyDatabaseReader: reader.base.unerased
    case let writer as AnyDatabaseWriter: writer.base.unerased
    default: self
    }
  }
}
