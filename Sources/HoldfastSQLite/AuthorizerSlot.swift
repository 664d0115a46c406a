internal import CSQLite

/// Hears what statements will do, while they are prepared.
protocol AuthorizerListener: AnyObject {
  /// Returns `SQLITE_OK`, `SQLITE_IGNORE` or `SQLITE_DENY` for one thing that a statement will do.
  ///
  /// - SeeAlso: <https://www.sqlite.org/c3ref/c_alter_table.html>
  func judge(
    _ code: CInt, _ first: UnsafePointer<CChar>?, _ second: UnsafePointer<CChar>?,
    _ schema: UnsafePointer<CChar>?, _ trigger: UnsafePointer<CChar>?
  ) -> CInt
}

/// SQLite's one place for an authorizer, shared by those who follow changes and the user's own.
@safe
final class AuthorizerSlot {
  /// Those who follow changes.
  var follower: (any AuthorizerListener)?

  /// The user's own.
  var user: (any AuthorizerListener)?

  /// Has SQLite call whoever is there.
  ///
  /// SQLite prepares all statements again after this, also when it was in place before.
  func install(on connection: OpaquePointer) {
    guard follower != nil || user != nil else {
      _ = unsafe sqlite3_set_authorizer(connection, nil, nil)
      return
    }
    _ = unsafe sqlite3_set_authorizer(
      connection,
      { context, code, first, second, schema, trigger in
        guard let context = unsafe context else { return SQLITE_OK }
        let slot = unsafe Unmanaged<AuthorizerSlot>.fromOpaque(context).takeUnretainedValue()
        return unsafe slot.judge(code, first, second, schema, trigger)
      }, Unmanaged.passUnretained(self).toOpaque())
  }

  private func judge(
    _ code: CInt, _ first: UnsafePointer<CChar>?, _ second: UnsafePointer<CChar>?,
    _ schema: UnsafePointer<CChar>?, _ trigger: UnsafePointer<CChar>?
  ) -> CInt {
    // What the user refuses does not happen, and nobody needs to follow it.
    let verdict = unsafe user?.judge(code, first, second, schema, trigger) ?? SQLITE_OK
    guard verdict == SQLITE_OK else { return verdict }
    return unsafe follower?.judge(code, first, second, schema, trigger) ?? SQLITE_OK
  }
}
