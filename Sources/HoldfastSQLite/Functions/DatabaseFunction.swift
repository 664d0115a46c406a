#if SQLCipher
  internal import CSQLCipher
#else
  internal import CSQLite
#endif

/// A SQL function written in Swift.
///
/// ```swift
/// let shout = DatabaseFunction("shout", argumentCount: 1, pure: true) { values in
///   String.fromDatabaseValue(values[0]).map { $0.uppercased() + "!" }
/// }
/// configuration.prepareDatabase { db in db.add(function: shout) }
/// ```
///
/// A function of one row is a closure, an aggregate function a ``DatabaseAggregate``, and a window
/// function a ``DatabaseWindowAggregate``.
///
/// An error that they throw becomes the error of the statement: a ``DatabaseError`` with its code
/// and message, any other error with `SQLITE_ERROR` and its description.
///
/// - SeeAlso: <https://www.sqlite.org/appfunc.html>
public final class DatabaseFunction: Identifiable, Sendable {
  /// The identity of a function: its name and number of arguments.
  public struct ID: Hashable, Sendable {
    let name: DatabaseIdentifier
    let argumentCount: CInt
  }

  /// The closure that computes a result from the arguments.
  public typealias Function =
    @Sendable (_ values: [DatabaseValue]) throws -> (any DatabaseValueConvertible)?

  /// The name in SQL, which is case-insensitive.
  public let name: String

  /// The identity of the function.
  public var id: ID {
    ID(name: name.foldedDatabaseIdentifier, argumentCount: argumentCount)
  }

  private let argumentCount: CInt
  private let isPure: Bool
  private let kind: Kind

  private enum Kind: Sendable {
    case scalar(ScalarFunction)
    case aggregate(AggregateKind)
  }

  /// The functions that SQLite calls for each group of an aggregate function.
  struct AggregateKind: Sendable {
    let makeGroup: @Sendable () -> AggregateGroup
    let isWindowFunction: Bool
  }

  /// Creates a function.
  ///
  /// - Parameters:
  ///   - name: The name in SQL, up to 255 bytes.
  ///   - argumentCount: The number of arguments; any number if `nil`.
  ///   - pure: Whether equal arguments always have equal results; only then can the function be
  ///     used in an index, and SQLite may call it less often.
  ///   - function: Computes the result from one value per argument; `nil` is NULL. It runs on the
  ///     thread that runs the statement.
  public init(
    _ name: String, argumentCount: Int? = nil, pure: Bool = false, function: @escaping Function
  ) {
    self.name = name
    self.argumentCount = argumentCount.map { CInt(clamping: $0) } ?? -1
    isPure = pure
    kind = .scalar(ScalarFunction(function))
  }

  /// Creates an aggregate function, and a window function if its aggregate is one.
  ///
  /// - Parameters:
  ///   - name: The name in SQL, up to 255 bytes.
  ///   - argumentCount: The number of arguments; any number if `nil`.
  ///   - pure: Whether equal rows always have equal results.
  ///   - aggregate: The type that computes the value of a group; with a
  ///     ``DatabaseWindowAggregate``, the function can also be used with `OVER`.
  public init<Aggregate: DatabaseAggregate>(
    _ name: String, argumentCount: Int? = nil, pure: Bool = false, aggregate: Aggregate.Type
  ) {
    self.name = name
    self.argumentCount = argumentCount.map { CInt(clamping: $0) } ?? -1
    isPure = pure
    kind = .aggregate(AggregateKind(aggregate))
  }

  fileprivate func install(on handle: ConnectionHandle) -> CInt {
    let flags =
      SQLITE_UTF8 | (isPure ? SQLITE_DETERMINISTIC : 0)
      | (handle.hasForeignSchema ? SQLITE_DIRECTONLY : 0)
    // SQLite releases the function when it is replaced or removed, when the connection closes, and
    // when this call fails.
    switch kind {
    case .aggregate(let kind):
      return unsafe AggregateFunction(kind, gate: handle.gate)
        .install(on: handle.pointer, as: name, argumentCount, flags: flags)
    case .scalar(let function):
      return unsafe function.install(on: handle.pointer, as: name, argumentCount, flags: flags)
    }
  }

  fileprivate func uninstall(from connection: OpaquePointer) -> CInt {
    unsafe sqlite3_create_function_v2(
      connection, name, argumentCount, SQLITE_UTF8, nil, nil, nil, nil, nil)
  }
}

extension DatabaseFunction.AggregateKind {
  fileprivate init<Aggregate: DatabaseAggregate>(_ type: Aggregate.Type) {
    if let type = type as? any DatabaseWindowAggregate.Type {
      self = Self(window: type)
    } else {
      makeGroup = { TypedAggregateGroup<Aggregate>() }
      isWindowFunction = false
    }
  }

  private init<Aggregate: DatabaseWindowAggregate>(window: Aggregate.Type) {
    makeGroup = { TypedWindowGroup<Aggregate>() }
    isWindowFunction = true
  }
}

extension Database {
  /// Adds a function to the connection, or replaces the one of the same name and argument count.
  ///
  /// Add it in ``Configuration/prepareDatabase(_:)``, so that every connection has it.
  ///
  /// - Parameter function: The function.
  /// - Precondition: Its name has 1 to 255 bytes, it takes at most 127 arguments, and no statement
  ///   is active if a function is replaced.
  public func add(function: DatabaseFunction) {
    checkAccess()
    // A connection that a suspension closed does not need it.
    let code = handle.ifPresent { function.install(on: handle) } ?? SQLITE_OK
    guard code == SQLITE_OK else { Misuse.trap(Misuse.refused("function", function.name, code)) }
  }

  /// Removes a function from the connection.
  ///
  /// - Parameter function: A function with the name and the argument count of the one to remove.
  /// - Precondition: No statement is active.
  public func remove(function: DatabaseFunction) {
    checkAccess()
    // A connection that a suspension closed does not have it.
    let code = handle.ifPresent { unsafe function.uninstall(from: handle.pointer) } ?? SQLITE_OK
    guard code == SQLITE_OK else { Misuse.trap(Misuse.refused("function", function.name, code)) }
  }
}
