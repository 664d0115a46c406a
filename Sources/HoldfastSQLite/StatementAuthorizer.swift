internal import CSQLite

/// One thing a statement that is being prepared will do.
///
/// - SeeAlso: <https://www.sqlite.org/c3ref/c_alter_table.html>
struct AuthorizedAction {
  let code: CInt
  let first: String?
  let second: String?
}

/// Listens to SQLite while statements are prepared.
///
/// It is installed when somebody first asks, because SQLite prepares all statements again then.
///
/// - SeeAlso: <https://www.sqlite.org/c3ref/set_authorizer.html>
@safe
final class StatementAuthorizer {
  private let connection: OpaquePointer
  private var record: StatementEffects.Record?
  private var isInstalled = false

  /// The tables whose rows must be deleted one by one, for the update hook to see each.
  private var rowByRowTables: Set<String> = []
  private var dropped: String?

  init(connection: OpaquePointer) {
    unsafe self.connection = connection
  }

  /// Returns what SQLite tells while the closure prepares a statement.
  func recording(_ prepare: () -> Void) -> StatementEffects.Record {
    if !isInstalled { install() }
    let outer = record
    defer { record = outer }
    record = StatementEffects.Record()
    prepare()
    return record ?? StatementEffects.Record()
  }

  /// Has `DELETE` without `WHERE` take the rows of the table one by one.
  func deleteRowByRow(_ table: String) {
    // Installing it again has every statement prepared again, and its deletions judged again.
    if rowByRowTables.insert(table).inserted { install() }
  }

  /// Lets `DELETE` without `WHERE` clear tables at once again.
  func deleteAtOnce() {
    guard !rowByRowTables.isEmpty else { return }
    rowByRowTables = []
    install()
  }

  func install() {
    isInstalled = true
    _ = unsafe sqlite3_set_authorizer(
      connection,
      { context, code, first, second, _, _ in
        guard let context = unsafe context else { return SQLITE_OK }
        let own = unsafe Unmanaged<StatementAuthorizer>.fromOpaque(context).takeUnretainedValue()
        return unsafe own.judge(code, first, second)
      }, Unmanaged.passUnretained(self).toOpaque())
  }

  private func judge(
    _ code: CInt, _ first: UnsafePointer<CChar>?, _ second: UnsafePointer<CChar>?
  ) -> CInt {
    record?.note(
      AuthorizedAction(
        code: code, first: unsafe first.map { unsafe String(cString: $0) },
        second: unsafe second.map { unsafe String(cString: $0) }))
    guard !rowByRowTables.isEmpty else { return SQLITE_OK }
    switch code {
    case SQLITE_DROP_TABLE, SQLITE_DROP_TEMP_TABLE, SQLITE_DROP_VTABLE:
      dropped = unsafe first.map { unsafe String(cString: $0) }
    case SQLITE_DELETE:
      let table = unsafe first.map { unsafe String(cString: $0) }
      defer { dropped = nil }
      // "If the action code is SQLITE_DELETE and the callback returns SQLITE_IGNORE then the DELETE
      // operation proceeds but the truncate optimization is disabled". A DROP TABLE asks the same
      // question, and would do nothing.
      if let table, table != dropped, rowByRowTables.contains(table) { return SQLITE_IGNORE }
    default:
      break
    }
    return SQLITE_OK
  }
}
