/// One who is told of each changed row of a connection, and of its transactions.
///
/// ```swift
/// final class PlayerObserver: TransactionObserver {
///   func observes(eventsOfKind eventKind: DatabaseEventKind) -> Bool {
///     eventKind.tableName == "player"
///   }
///   func databaseDidChange(with event: DatabaseEvent) { … }
///   func databaseDidCommit(_ db: Database) { … }
///   func databaseDidRollback(_ db: Database) { … }
/// }
/// ```
///
/// Told are changes that still may be committed: what happens inside a savepoint is told when the
/// outermost one is released, and never if it was rolled back. Transactions that only read are not
/// told. Rows that make place for others (`REPLACE`) are told as deleted where SQLite has its
/// pre-update hook. Not told are rows of tables `WITHOUT ROWID` and of virtual tables, for which
/// SQLite has no event; `DatabaseRegionObservation` and `ValueObservation` notice those too.
///
/// - SeeAlso: <https://www.sqlite.org/c3ref/update_hook.html>
public protocol TransactionObserver: AnyObject {
  /// Returns whether the rows changed in that way are told to ``databaseDidChange(with:)``.
  ///
  /// It is asked before each statement that may do so. An answer of true for deletions has SQLite
  /// delete the rows of the table one by one, also for a `DELETE` without `WHERE`.
  ///
  /// - Parameter eventKind: What a statement may do.
  /// - Returns: Whether it is of interest.
  func observes(eventsOfKind eventKind: DatabaseEventKind) -> Bool

  /// Called when something was changed that SQLite cannot tell; see ``Database/notifyChanges(in:)``.
  ///
  /// It must not use the database. By default it does nothing.
  func databaseDidChange()

  /// Called for each row that was changed.
  ///
  /// It must not use the database. The change is pending until the transaction ends.
  ///
  /// - Parameter event: The row, valid during the call; keep a ``DatabaseEvent/copy()``.
  func databaseDidChange(with event: DatabaseEvent)

  /// Called before a transaction is committed; an error rolls it back.
  ///
  /// It must not use the database. By default it does nothing.
  ///
  /// - Throws: What the statement that commits is to throw.
  func databaseWillCommit() throws

  /// Called when a transaction has been committed.
  ///
  /// - Parameter db: The connection, on which no transaction is open.
  func databaseDidCommit(_ db: Database)

  /// Called when a transaction has been rolled back.
  ///
  /// - Parameter db: The connection, on which no transaction is open.
  func databaseDidRollback(_ db: Database)
}

extension TransactionObserver {
  /// Does nothing.
  public func databaseDidChange() {}

  /// Does nothing.
  public func databaseWillCommit() throws {}

  /// Does without further events until the next transaction.
  ///
  /// The end of the transaction is told all the same. It must be called from
  /// ``databaseDidChange()`` or ``databaseDidChange(with:)``; anywhere else it ends the process.
  public func stopObservingDatabaseChangesUntilNextTransaction() {
    guard let broker = ChangeBroker.notifying.current else {
      Misuse.trap(Misuse.stopOutsideOfChange)
    }
    broker.disable(self)
  }
}

extension Database {
  /// How long an observer is told.
  public enum TransactionObservationExtent: Sendable {
    /// As long as somebody else keeps the observer.
    case observerLifetime
    /// To the end of the open transaction, or of the next one.
    case nextTransaction
    /// Until the connection is closed.
    case databaseLifetime
  }

  /// Tells the observer of the connection's changes and transactions from now on.
  ///
  /// It has no effect in an access that only reads.
  ///
  /// - Parameters:
  ///   - transactionObserver: The observer, called on whatever thread writes.
  ///   - extent: How long; as long as somebody else keeps the observer by default.
  public func add(
    transactionObserver: some TransactionObserver,
    extent: TransactionObservationExtent = .observerLifetime
  ) {
    checkAccess()
    guard !isReadOnly else { return }
    observe(TransactionObservation(transactionObserver, extent: extent))
  }

  private func observe(_ observation: TransactionObservation) {
    // The next transaction is not the one that its code means.
    guard observation.isOfOneTransaction, isTransactionGone else {
      return makeBroker().add(observation)
    }
    afterTransaction { observation.observerOfEnd()?.databaseDidRollback(self) }
  }

  /// Tells the observer of nothing any more.
  ///
  /// - Parameter transactionObserver: The observer.
  public func remove(transactionObserver: some TransactionObserver) {
    checkAccess()
    broker?.remove(transactionObserver)
  }

  /// Calls one of two closures at the end of the open transaction, or else of the next one.
  ///
  /// In an access that only reads it ends the process, because neither would ever be called.
  ///
  /// - Parameters:
  ///   - onCommit: Called after the commit; no transaction is open.
  ///   - onRollback: Called after the rollback; no transaction is open. Nothing by default.
  public func afterNextTransaction(
    onCommit: @escaping (Database) -> Void,
    onRollback: @escaping (Database) -> Void = { _ in }
  ) {
    checkAccess()
    guard !isReadOnly else { Misuse.trap(Misuse.observedRead) }
    let observer = TransactionEnd(onCommit: onCommit, onRollback: onRollback)
    observe(TransactionObservation(observer, extent: .nextTransaction))
  }

  /// Tells observers and observations that a region was changed by what SQLite does not see.
  ///
  /// Inside a transaction they are told when it is committed, outside of one at once. In an access
  /// that only reads nothing happens. Rows are not looked at, only tables and columns.
  ///
  /// - Parameter region: What was changed.
  /// - Throws: ``DatabaseError`` when the region or the schema cannot be read; outside of a
  ///   transaction what ``TransactionObserver/databaseWillCommit()`` throws.
  public func notifyChanges(in region: some DatabaseRegionConvertible) throws {
    checkAccess()
    guard !isReadOnly else { return }
    try makeBroker().notifyChanges(in: region.databaseRegion(self))
  }
}

/// Waits for the end of one transaction.
private final class TransactionEnd: TransactionObserver {
  private let onCommit: (Database) -> Void
  private let onRollback: (Database) -> Void

  init(onCommit: @escaping (Database) -> Void, onRollback: @escaping (Database) -> Void) {
    self.onCommit = onCommit
    self.onRollback = onRollback
  }

  func observes(eventsOfKind eventKind: DatabaseEventKind) -> Bool { false }

  func databaseDidChange(with event: DatabaseEvent) {}

  func databaseDidCommit(_ db: Database) { onCommit(db) }

  func databaseDidRollback(_ db: Database) { onRollback(db) }
}
