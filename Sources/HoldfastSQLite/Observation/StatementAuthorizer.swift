#if SQLCipher
  internal import CSQLCipher
#else
  internal import CSQLite
#endif

/// SQLite's authorizer on one connection, called while statements are prepared.
///
/// It is installed when it is first needed, because SQLite then prepares all statements again.
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

  /// The last action that SQLite asked about, if it was allowed.
  private var latest: AuthorizedAction?

  init(connection: OpaquePointer) {
    unsafe self.connection = connection
  }

  /// Returns the effects that SQLite reports while the closure prepares a statement.
  func recording(_ prepare: () -> Void) -> StatementEffects.Record {
    if !isInstalled { install() }
    let outer = record
    defer { record = outer }
    record = StatementEffects.Record()
    prepare()
    return record ?? StatementEffects.Record()
  }

  /// Makes `DELETE` without `WHERE` delete the rows of the table one by one.
  func deleteRowByRow(_ table: String) {
    // Installed again, so that SQLite prepares every statement again and asks about its deletions.
    if rowByRowTables.insert(ExactText(table)).inserted { install() }
  }

  /// Lets `DELETE` without `WHERE` clear whole tables at once again.
  func deleteAtOnce() {
    guard !rowByRowTables.isEmpty else { return }
    rowByRowTables = []
    install()
  }

  /// Sets the app's closure, which decides first; `nil` removes it.
  func setUser(_ decide: ((AuthorizedAction) -> AuthorizedAction.Decision)?) {
    user = decide
    install()
  }

  /// Runs the closure while the user's closure is not asked.
  func withoutUser(_ body: () -> Void) {
    let user = user
    self.user = nil
    defer { self.user = user }
    body()
  }

  private func install() {
    isInstalled = true
    _ = unsafe sqlite3_set_authorizer(
      connection,
      { context, code, first, second, database, trigger in
        guard let context = unsafe context else { return SQLITE_OK }
        let own = unsafe Unmanaged<StatementAuthorizer>.fromOpaque(context).takeUnretainedValue()
        // Most statements are prepared while nothing is recorded.
        guard own.isListening else { return SQLITE_OK }
        return own.judge(
          unsafe AuthorizedAction(
            code: .init(rawValue: code), first: text(first), second: text(second),
            databaseName: text(database), triggerOrViewName: text(trigger)))
      }, Unmanaged.passUnretained(self).toOpaque())
  }

  /// Makes SQLite prepare every statement again before its next run.
  func expireStatements() {
    if isInstalled { install() } else { unsafe Self.expireStatements(of: connection) }
  }

  /// Makes SQLite prepare every statement again, on a connection without an authorizer.
  static func expireStatements(of connection: OpaquePointer) {
    _ = unsafe sqlite3_set_authorizer(connection, { _, _, _, _, _, _ in SQLITE_OK }, nil)
    _ = unsafe sqlite3_set_authorizer(connection, nil, nil)
  }

  func uninstall() {
    _ = unsafe sqlite3_set_authorizer(connection, nil, nil)
  }

  private var isListening: Bool {
    record != nil || user != nil || !rowByRowTables.isEmpty
  }

  private func judge(_ action: AuthorizedAction) -> CInt {
    let before = latest
    // An action that the app's closure refuses has no successor.
    latest = nil
    if let user {
      let decision = user(action)
      guard case .allow = decision else { return decision.code }
    }
    latest = action
    record?.note(action)
    // "If the action code is SQLITE_DELETE and the callback returns SQLITE_IGNORE then the DELETE
    // operation proceeds but the truncate optimization is disabled". Nothing else is ever ignored
    // here: other actions that are ignored are silently not done.
    guard action.code == .delete, let table = action.first,
      rowByRowTables.contains(ExactText(table)),
      before.map({ action.isOfDrop(after: $0) }) != true
    else { return SQLITE_OK }
    return SQLITE_IGNORE
  }
}

extension AuthorizedAction {
  /// Whether a deletion is part of dropping a table or view, which was authorized just before.
  ///
  /// SQLite asks about both in a row, and drops nothing if the second one is ignored.
  fileprivate func isOfDrop(after action: AuthorizedAction) -> Bool {
    switch action.code.rawValue {
    case SQLITE_DROP_TABLE, SQLITE_DROP_TEMP_TABLE, SQLITE_DROP_VTABLE, SQLITE_DROP_VIEW,
      SQLITE_DROP_TEMP_VIEW:
      action.first.map(ExactText.init) == first.map(ExactText.init)
        && action.databaseName.map(ExactText.init) == databaseName.map(ExactText.init)
    default:
      false
    }
  }
}

private func text(_ bytes: UnsafePointer<CChar>?) -> String? {
  unsafe bytes.map { unsafe String(cString: $0) }
}
