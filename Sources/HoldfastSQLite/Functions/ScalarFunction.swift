#if SQLCipher
  internal import CSQLCipher
#else
  internal import CSQLite
#endif

/// A function of the values of one row as SQLite holds it, and its callback.
///
/// All connections share it.
final class ScalarFunction: Sendable {
  private let function: DatabaseFunction.Function

  init(_ function: @escaping DatabaseFunction.Function) {
    self.function = function
  }

  func install(on connection: OpaquePointer, as name: String, _ count: CInt, flags: CInt) -> CInt {
    // Every connection installs some functions when it opens, and a `String` argument would be copied.
    unsafe name.withCString { name in
      unsafe sqlite3_create_function_v2(
        connection, name, count, flags, Unmanaged.passRetained(self).toOpaque(),
        { context, count, values in
          guard let context = unsafe context, let user = unsafe sqlite3_user_data(context)
          else { return }
          let own = unsafe Unmanaged<ScalarFunction>.fromOpaque(user).takeUnretainedValue()
          do {
            let result = try own.function(unsafe [DatabaseValue](borrowed: values, count: count))
            unsafe (result?.databaseValue ?? .null).hand(to: context)
          } catch {
            unsafe error.hand(to: context)
          }
        },
        nil, nil,
        { function in
          guard let function = unsafe function else { return }
          unsafe Unmanaged<ScalarFunction>.fromOpaque(function).release()
        })
    }
  }
}
