import HoldfastSQLite

/// A reader that forwards every access to another one.
protocol ForwardingReader: DatabaseReader {
  /// The reader to which accesses are forwarded.
  var forwardedReader: any DatabaseReader { get }
}

// Public, because these members implement the requirements of a public protocol.

extension ForwardingReader {
  /// The configuration with which the database was opened.
  public var configuration: Configuration { forwardedReader.configuration }

  /// The path of the file; `nil` in memory.
  public var path: String? { forwardedReader.path }

  /// Reads on the caller's thread; see ``DatabaseReader``.
  @available(
    *, noasync,
    message:
      "Write `try await read { … }`, which blocks no thread; at the top level of main.swift, in a function."
  )
  public func read<Value>(_ value: (Database) throws -> Value) throws -> Value {
    try forwardedReader.read(value)
  }

  /// Reads while the task is suspended; see ``DatabaseReader``.
  public func read<Value>(
    _ value: sending @escaping (Database) throws -> sending Value
  ) async throws -> sending Value {
    try await forwardedReader.read(value)
  }

  /// Schedules a read and returns immediately; see ``DatabaseReader``.
  public func asyncRead(_ value: @escaping @Sendable (Result<Database, any Error>) -> Void) {
    forwardedReader.asyncRead(value)
  }

  /// Reads on the caller's thread without a transaction; see ``DatabaseReader``.
  @available(
    *, noasync,
    message:
      "Write `try await unsafeRead { … }`, which blocks no thread; at the top level of main.swift, in a function."
  )
  public func unsafeRead<Value>(_ value: (Database) throws -> Value) throws -> Value {
    try forwardedReader.unsafeRead(value)
  }

  /// Reads without a transaction while the task is suspended; see ``DatabaseReader``.
  public func unsafeRead<Value>(
    _ value: sending @escaping (Database) throws -> sending Value
  ) async throws -> sending Value {
    try await forwardedReader.unsafeRead(value)
  }

  /// Reads on a thread that may be inside another read; see ``DatabaseReader``.
  public func unsafeReentrantRead<Value>(_ value: (Database) throws -> Value) throws -> Value {
    try forwardedReader.unsafeReentrantRead(value)
  }

  /// Interrupts the statements that run; see ``DatabaseReader``.
  public func interrupt() {
    forwardedReader.interrupt()
  }

  /// Closes the connections of the wrapped object; see ``DatabaseReader``.
  public func close() throws {
    try forwardedReader.close()
  }
}
