/// What an access is wrapped in.
enum Isolation: Sendable {
  /// One committed state of the database, whatever is written meanwhile.
  case snapshot
  /// A transaction of the configured kind, all of it or nothing.
  case transaction
  /// Nothing: the access begins and ends its own transactions.
  case none
  /// Nothing: the access reads only, also on the writer's connection, and does not count as a write.
  case readOnly
  /// A transaction that was begun before, and goes on after.
  case held
}

extension Database {
  /// Runs the closure inside of what the isolation asks for.
  func run<Value>(_ isolation: Isolation, _ body: (Database) throws -> Value) throws -> Value {
    switch isolation {
    case .snapshot:
      return try snapshot(body)
    case .transaction:
      return try transaction(nil, body)
    case .none, .readOnly:
      let result = Result { try giving(body) }
      guard isInsideTransaction else { return try result.get() }
      let rolledBack = Result { try rollback() }
      // The closure's own error comes first: it says why the transaction was left.
      _ = try result.get()
      try rolledBack.get()
      throw DatabaseError.transactionLeftOpen(path: path)
    case .held:
      guard isInsideTransaction else { throw lostSnapshot }
      let value = try continuingTransaction { try giving(body) }
      guard isInsideTransaction else { throw lostSnapshot }
      return value
    }
  }

  /// Why the transaction of a snapshot is no more.
  private var lostSnapshot: DatabaseError {
    openConnection.isClaimed ? .snapshotSuspended(path: path) : .snapshotEnded(path: path)
  }

  /// Ends the transaction, in which nothing was written.
  func endSnapshot() {
    resetActiveStatements()
    // Nothing is lost when it fails, and the next access begins by failing.
    do { try rollback() } catch _ {}
  }

  /// Runs the closure and ends the cursors it leaves, which would be in the way of a commit.
  private func giving<Value>(_ body: (Database) throws -> Value) throws -> Value {
    defer { resetActiveStatements() }
    return try body(self)
  }
}
