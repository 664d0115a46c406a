#if SQLCipher
  internal import CSQLCipher
#else
  internal import CSQLite
#endif

/// SQLite's hooks on one connection, installed while changes are observed.
///
/// - SeeAlso: <https://www.sqlite.org/c3ref/commit_hook.html>
@safe
final class ChangeHooks {
  private let connection: OpaquePointer
  private var seesTransactions = false
  private var seesRows = false

  private static let preUpdateHook = unsafe holdfast_find_preupdate_hook()

  /// Whether replaced rows are reported.
  ///
  /// "The update hook is not invoked when conflicting rows are deleted because of an ON CONFLICT
  /// REPLACE clause", but the pre-update hook is, in builds of SQLite that have it.
  static let seeReplacedRows = unsafe preUpdateHook != nil

  init(connection: OpaquePointer) {
    unsafe self.connection = connection
  }

  /// Installs hooks that call the broker before each commit and at each rollback.
  func installTransactionHooks(for broker: ChangeBroker) {
    guard !seesTransactions else { return }
    seesTransactions = true
    let context = unsafe Unmanaged.passUnretained(broker).toOpaque()
    _ = unsafe sqlite3_commit_hook(
      connection,
      { context in unsafe called(context)?.willCommit() == false ? 1 : 0 }, context)
    _ = unsafe sqlite3_rollback_hook(
      connection,
      { context in unsafe called(context)?.rolledBack() }, context)
  }

  func removeTransactionHooks() {
    guard seesTransactions else { return }
    seesTransactions = false
    _ = unsafe sqlite3_commit_hook(connection, nil, nil)
    _ = unsafe sqlite3_rollback_hook(connection, nil, nil)
  }

  /// Installs hooks that call the broker before and after each row change.
  func installRowHooks(for broker: ChangeBroker) {
    guard !seesRows else { return }
    seesRows = true
    let context = unsafe Unmanaged.passUnretained(broker).toOpaque()
    _ = unsafe sqlite3_update_hook(
      connection,
      { context, operation, database, table, rowID in
        guard let broker = unsafe called(context), let database = unsafe database,
          let table = unsafe table, let kind = DatabaseEvent.Kind(rawValue: operation)
        else { return }
        broker.changed(
          unsafe DatabaseEvent(kind: kind, rowID: rowID, database: database, table: table))
      }, context)
    _ = unsafe Self.preUpdateHook?(
      connection,
      { context, _, operation, database, table, before, after in
        guard let broker = unsafe called(context), let database = unsafe database,
          let table = unsafe table, let kind = DatabaseEvent.Kind(rawValue: operation)
        else { return }
        broker.willChange(
          unsafe DatabaseEvent(kind: kind, rowID: before, database: database, table: table),
          rowIDAfter: after)
      }, context)
  }
}

extension ChangeHooks {
  /// Removes every hook, so that a rollback from outside of the access calls no observer.
  static func remove(from connection: OpaquePointer) {
    _ = unsafe sqlite3_commit_hook(connection, nil, nil)
    _ = unsafe sqlite3_rollback_hook(connection, nil, nil)
    _ = unsafe sqlite3_update_hook(connection, nil, nil)
    _ = unsafe preUpdateHook?(connection, nil, nil)
  }

  func removeRowHooks() {
    guard seesRows else { return }
    seesRows = false
    _ = unsafe sqlite3_update_hook(connection, nil, nil)
    _ = unsafe Self.preUpdateHook?(connection, nil, nil)
  }
}

private func called(_ context: UnsafeMutableRawPointer?) -> ChangeBroker? {
  unsafe context.map { unsafe Unmanaged.fromOpaque($0).takeUnretainedValue() }
}

extension Database {
  /// Whether observations distinguish the rows that are inserted from those that are replaced.
  package static var reportsReplacedRows: Bool { ChangeHooks.seeReplacedRows }
}
