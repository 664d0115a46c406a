/// An observer of a connection's row changes and transactions.
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
/// The observer is notified of changes that can still be committed: a change inside a savepoint is
/// reported when the outermost savepoint is released, and never if it was rolled back.
/// Transactions that only read are not reported. Rows that are replaced (`REPLACE`) are reported
/// as deleted if SQLite was built with its pre-update hook. Rows of `WITHOUT ROWID` tables and of
/// virtual tables are not reported, because SQLite has no event for them;
/// `DatabaseRegionObservation` and `ValueObservation` notice those too.
///
/// - SeeAlso: <https://www.sqlite.org/c3ref/update_hook.html>
public protocol TransactionObserver: AnyObject {
  /// Returns whether the observer is notified of rows that are changed in the given way.
  ///
  /// This function is called before each statement that may make such changes. If it returns true
  /// for deletions, SQLite deletes the rows of the table one by one, even for a `DELETE` without
  /// `WHERE`.
  ///
  /// - Parameter eventKind: A change that a statement may make.
  /// - Returns: Whether to call ``databaseDidChange(with:)`` for the rows.
  func observes(eventsOfKind eventKind: DatabaseEventKind) -> Bool

  /// Called for a change that SQLite cannot report; see ``Database/notifyChanges(in:)``.
  ///
  /// It must not use the database. By default it does nothing.
  func databaseDidChange()

  /// Called after each row change.
  ///
  /// It must not use the database. The change is pending until the transaction ends.
  ///
  /// - Parameter event: The row change, valid only during the call; to keep it, make a
  ///   ``DatabaseEvent/copy()``.
  func databaseDidChange(with event: DatabaseEvent)

  /// Called before a transaction is committed; an error rolls it back.
  ///
  /// It must not use the database. By default it does nothing.
  ///
  /// - Throws: An error that rolls the transaction back; the committing statement rethrows it.
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

  /// Stops notifying the observer of changes until the next transaction.
  ///
  /// The observer is still notified of the end of the transaction. Call this function from
  /// ``databaseDidChange()`` or ``databaseDidChange(with:)``; anywhere else it ends the process.
  public func stopObservingDatabaseChangesUntilNextTransaction() {
    let brokers = ChangeBroker.notifying.current
    if brokers.isEmpty { Misuse.trap(Misuse.stopOutsideOfChange) }
    _ = brokers.contains { $0.disable(self) }
  }
}

extension Database {
  /// The lifetime of a transaction observation.
  public enum TransactionObservationExtent: Sendable {
    /// Until the observer is deallocated; the connection holds it weakly.
    case observerLifetime
    /// Until the open transaction ends, or else the next one.
    case nextTransaction
    /// Until the connection is closed.
    case databaseLifetime
  }

  /// Adds an observer of the connection's changes and transactions.
  ///
  /// It has no effect in an access that only reads.
  ///
  /// - Parameters:
  ///   - transactionObserver: The observer, called on the thread that writes.
  ///   - extent: The lifetime of the observation; by default the observer is held weakly.
  public func add(
    transactionObserver: some TransactionObserver,
    extent: TransactionObservationExtent = .observerLifetime
  ) {
    checkAccess()
    guard !isReadOnly else { return }
    observe(TransactionObservation(transactionObserver, extent: extent))
  }

  private func observe(_ observation: TransactionObservation) {
    // The caller means the transaction that SQLite already rolled back, not the next one.
    guard observation.isOfOneTransaction, isTransactionGone else {
      return makeBroker().add(observation)
    }
    notifyingOfEnd { observation.observerOfEnd()?.databaseDidRollback(self) }
  }

  /// Runs a closure that notifies observers of the end of a transaction, also if the access is cancelled.
  func notifyingOfEnd(_ notify: () -> Void) {
    handle.deferringInterruption { afterTransaction(notify) }
  }

  /// Removes an observer.
  ///
  /// - Parameter transactionObserver: The observer.
  public func remove(transactionObserver: some TransactionObserver) {
    removeTransactionObserver(ObjectIdentifier(transactionObserver))
  }

  package func removeTransactionObserver(_ identifier: ObjectIdentifier) {
    checkAccess()
    broker?.remove(identifier)
  }

  /// Calls one of two closures when the open transaction ends, or else the next one.
  ///
  /// In an access that only reads it ends the process, because neither would ever be called.
  ///
  /// - Parameters:
  ///   - onCommit: Called after the commit; no transaction is open.
  ///   - onRollback: Called after the rollback; no transaction is open. Does nothing by default.
  public func afterNextTransaction(
    onCommit: @escaping (Database) -> Void,
    onRollback: @escaping (Database) -> Void = { _ in }
  ) {
    checkAccess()
    guard !isReadOnly else { Misuse.trap(Misuse.observedRead) }
    let observer = TransactionEnd(onCommit: onCommit, onRollback: onRollback)
    observe(TransactionObservation(observer, extent: .nextTransaction))
  }

  /// Notifies observers and observations of a change in a region that SQLite cannot see.
  ///
  /// Inside a transaction they are notified when it is committed, otherwise at once. It has no
  /// effect in an access that only reads. Only the tables and columns of the region count, not its
  /// rows. The whole database is all of its tables, including the tables of attached and temporary
  /// databases, but not `sqlite_master`: name it where the schema has changed.
  ///
  /// - Parameter region: The changed region.
  /// - Throws: ``DatabaseError`` when the region or the schema cannot be read; outside of a
  ///   transaction, whatever ``TransactionObserver/databaseWillCommit()`` throws.
  public func notifyChanges(in region: some DatabaseRegionConvertible) throws {
    checkAccess()
    guard !isReadOnly else { return }
    try makeBroker().notifyChanges(in: region.databaseRegion(self))
  }
}

/// An observer of the end of one transaction.
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
