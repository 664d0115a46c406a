#if SQLCipher
  internal import CSQLCipher
#else
  internal import CSQLite
#endif

/// An aggregate function as one connection has it, and SQLite's callbacks for it.
///
/// SQLite keeps a few bytes for each group, in which the callbacks store a reference to the group's
/// ``AggregateGroup``. It calls `xFinal` once for each group that had a row, also if the statement
/// fails or is reset; there the reference is released.
final class AggregateFunction {
  private let kind: DatabaseFunction.AggregateKind

  // Not the handle, which would keep itself alive: SQLite releases the function as it closes.
  private let gate: ConnectionGate?

  init(_ kind: DatabaseFunction.AggregateKind, gate: ConnectionGate?) {
    self.kind = kind
    self.gate = gate
  }

  func install(on connection: OpaquePointer, as name: String, _ count: CInt, flags: CInt) -> CInt {
    unsafe sqlite3_create_window_function(
      connection, name, count, flags, Unmanaged.passRetained(self).toOpaque(),
      { context, count, values in
        guard let context = unsafe context else { return }
        unsafe AggregateFunction.change(context, in: AggregateFunction.storage(context)) { group in
          try group.step(unsafe [DatabaseValue](borrowed: values, count: count))
        }
      },
      { context in
        guard let context = unsafe context else { return }
        unsafe AggregateFunction.finalize(context)
      },
      // SQLite takes a function without these two for one that cannot be used with `OVER`.
      kind.isWindowFunction
        ? { context in
          guard let context = unsafe context else { return }
          unsafe AggregateFunction.write({ try $0.value() }, to: context)
        } : nil,
      kind.isWindowFunction
        ? { context, count, values in
          guard let context = unsafe context else { return }
          unsafe AggregateFunction.change(context, in: AggregateFunction.existing(context)) {
            group in
            try group.inverse(unsafe [DatabaseValue](borrowed: values, count: count))
          }
        } : nil,
      { function in
        guard let function = unsafe function else { return }
        unsafe Unmanaged<AggregateFunction>.fromOpaque(function).release()
      })
  }

  // MARK: - Callbacks

  /// The place of the reference to a group; empty after the group has failed.
  private typealias Storage = UnsafeMutablePointer<UnsafeMutableRawPointer?>

  private static func function(_ context: OpaquePointer) -> AggregateFunction? {
    guard let user = unsafe sqlite3_user_data(context) else { return nil }
    return unsafe Unmanaged<AggregateFunction>.fromOpaque(user).takeUnretainedValue()
  }

  /// Returns the storage of a group that has a row; `nil` for one that has none.
  private static func existing(_ context: OpaquePointer) -> Storage? {
    // With 0 bytes SQLite allocates none.
    unsafe sqlite3_aggregate_context(context, 0)?.assumingMemoryBound(
      to: UnsafeMutableRawPointer?.self)
  }

  /// Returns the storage of a group, with a new aggregate for its first row; `nil` without memory.
  private static func storage(_ context: OpaquePointer) -> Storage? {
    if let storage = unsafe existing(context) { return unsafe storage }
    let size = unsafe CInt(MemoryLayout<UnsafeMutableRawPointer?>.size)
    guard let bytes = unsafe sqlite3_aggregate_context(context, size),
      let function = unsafe function(context)
    else {
      unsafe sqlite3_result_error_nomem(context)
      return nil
    }
    let storage = unsafe bytes.bindMemory(to: UnsafeMutableRawPointer?.self, capacity: 1)
    unsafe storage.pointee = unsafe Unmanaged.passRetained(function.kind.makeGroup()).toOpaque()
    return unsafe storage
  }

  private static func change(
    _ context: OpaquePointer, in storage: Storage?, _ body: (AggregateGroup) throws -> Void
  ) {
    guard let storage = unsafe storage, let group = unsafe storage.pointee else { return }
    do {
      try unsafe Unmanaged<AggregateGroup>.fromOpaque(group).withBorrowed(body)
    } catch {
      unsafe error.hand(to: context)
      unsafe release(storage)
    }
  }

  /// Sets the result of the group, which may have no rows.
  private static func write(
    _ value: (AggregateGroup) throws -> (any DatabaseValueConvertible)?, to context: OpaquePointer
  ) {
    func write(_ group: AggregateGroup) throws {
      unsafe (try value(group)?.databaseValue ?? .null).hand(to: context)
    }
    if let storage = unsafe existing(context) {
      return unsafe change(context, in: storage, write)
    }
    do {
      if let group = unsafe function(context)?.kind.makeGroup() { try write(group) }
    } catch {
      unsafe error.hand(to: context)
    }
  }

  private static func finalize(_ context: OpaquePointer) {
    // A suspension closes the connection from another thread, which must not run the app's code. A
    // statement that still runs must not go on with NULL as the value.
    if unsafe function(context)?.gate?.isClaimed == true {
      unsafe sqlite3_result_error_code(context, SQLITE_INTERRUPT)
    } else {
      unsafe write({ try $0.finalize() }, to: context)
    }
    if let storage = unsafe existing(context) { unsafe release(storage) }
  }

  private static func release(_ storage: Storage) {
    guard let group = unsafe storage.pointee else { return }
    unsafe storage.pointee = nil
    unsafe Unmanaged<AggregateGroup>.fromOpaque(group).release()
  }
}
