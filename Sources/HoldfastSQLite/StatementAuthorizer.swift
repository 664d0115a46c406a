internal import CSQLite

/// Listens to SQLite while statements are prepared.
///
/// It is installed when somebody first asks, because SQLite prepares all statements again then.
///
/// - SeeAlso: <https://www.sqlite.org/c3ref/set_authorizer.html>
@safe
final class StatementAuthorizer {
  private let connection: OpaquePointer
  private var record: StatementEffects.Record?
  private var user: ((AuthorizedAction) -> AuthorizedAction.Decision)?
  private var isInstalled = false

  /// The tables whose rows must be deleted one by one, for the update hook to see each.
  private var rowByRowTables: Set<ExactText> = []
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
    if rowByRowTables.insert(ExactText(table)).inserted { install() }
  }

  /// Lets `DELETE` without `WHERE` clear tables at once again.
  func deleteAtOnce() {
    guard !rowByRowTables.isEmpty else { return }
    rowByRowTables = []
    install()
  }

  /// Has a closure of the user's decide, before anything else is looked at.
  func setUser(_ decide: ((AuthorizedAction) -> AuthorizedAction.Decision)?) {
    user = decide
    install()
  }

  private func install() {
    isInstalled = true
    _ = unsafe sqlite3_set_authorizer(
      connection,
      { context, code, first, second, database, trigger in
        guard let context = unsafe context else { return SQLITE_OK }
        let own = unsafe Unmanaged<StatementAuthorizer>.fromOpaque(context).takeUnretainedValue()
        // Most statements are prepared while nobody listens.
        guard own.isListening else { return SQLITE_OK }
        return own.judge(
          unsafe AuthorizedAction(
            code: .init(rawValue: code), first: text(first), second: text(second),
            databaseName: text(database), triggerOrViewName: text(trigger)))
      }, Unmanaged.passUnretained(self).toOpaque())
  }

  func uninstall() {
    _ = unsafe sqlite3_set_authorizer(connection, nil, nil)
  }

  private var isListening: Bool {
    record != nil || user != nil || !rowByRowTables.isEmpty
  }

  private func judge(_ action: AuthorizedAction) -> CInt {
    if let user {
      let decision = user(action)
      guard case .allow = decision else { return decision.code }
    }
    record?.note(action)
    switch action.code.rawValue {
    case SQLITE_DROP_TABLE, SQLITE_DROP_TEMP_TABLE, SQLITE_DROP_VTABLE:
      dropped = action.first
    case SQLITE_DELETE:
      defer { dropped = nil }
      // "If the action code is SQLITE_DELETE and the callback returns SQLITE_IGNORE then the DELETE
      // operation proceeds but the truncate optimization is disabled". A DROP TABLE asks the same
      // question, and would do nothing.
      if let table = action.first, table != dropped, rowByRowTables.contains(ExactText(table)) {
        return SQLITE_IGNORE
      }
    default:
      break
    }
    return SQLITE_OK
  }
}

private func text(_ bytes: UnsafePointer<CChar>?) -> String? {
  unsafe bytes.map { unsafe String(cString: $0) }
}
