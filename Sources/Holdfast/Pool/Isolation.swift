/// The transaction in which an access runs.
enum Isolation: Sendable {
  /// A snapshot: one committed state of the database, whatever is written meanwhile.
  case snapshot
  /// A transaction of the configured kind, which is committed or rolled back as a whole.
  case transaction
  /// No transaction: the access begins and ends its own.
  case none
  /// No transaction; the access only reads, even on the writer's connection, and is not a write.
  case readOnly
  /// A transaction that was begun before the access and remains open after it.
  case held
  /// The same, on one of several connections that see one state: one that loses it is opened again.
  case shared

  /// The isolation of an access that does nothing but open its connection.
  ///
  /// Only what a preparation writes is a write, of which other processes are told.
  static func opening(_ configuration: Configuration) -> Isolation {
    configuration.hasPreparations ? .none : .readOnly
  }
}

extension Database {
  /// Runs the closure with the given isolation.
  func withIsolation<Value>(
    _ isolation: Isolation, _ body: (Database) throws -> Value
  ) throws -> Value {
    switch isolation {
    case .snapshot:
      return try snapshot(body)
    case .transaction:
      return try transaction(nil, body)
    case .none, .readOnly:
      return try withoutTransaction(body)
    case .held, .shared:
      guard isInsideTransaction else { throw lostSnapshot }
      // A transaction that the closure began in its place sees another state.
      defer { if !continuesTransaction { endSnapshot() } }
      let value = try continuingTransaction { try resettingCursors(body) }
      if continuesTransaction { return value }
      // The closure may end the transaction of a connection that is opened again; nothing else may.
      guard isolation == .shared, !isTransactionGone, !openConnection.isClaimed else {
        throw lostSnapshot
      }
      return value
    }
  }

  private func withoutTransaction<Value>(_ body: (Database) throws -> Value) throws -> Value {
    let value: Value
    do {
      value = try resettingCursors(body)
    } catch {
      // The closure's own error explains why the transaction was left open.
      if isInsideTransaction { do { try rollback() } catch _ {} }
      throw error
    }
    guard isInsideTransaction else { return value }
    try rollback()
    throw DatabaseError.transactionLeftOpen(path: path)
  }

  /// The error that explains why the transaction of a snapshot has ended.
  private var lostSnapshot: DatabaseError {
    openConnection.isClaimed ? .snapshotSuspended(path: path) : .snapshotEnded(path: path)
  }

  /// Ends the transaction, in which nothing was written.
  func endSnapshot() {
    resetActiveStatements()
    // No change is lost when it fails, and the next access then fails as it begins.
    do { try rollback() } catch _ {}
  }

  /// Runs the closure and resets the cursors it leaves open, which would prevent a commit.
  private func resettingCursors<Value>(_ body: (Database) throws -> Value) throws -> Value {
    defer { resetActiveStatements() }
    return try body(self)
  }
}
