extension DatabaseWriter {
  /// Notifies the observer of the database's changes and transactions from now on.
  ///
  /// This method waits for the writer. An observer of a closed database is not notified.
  ///
  /// - Parameters:
  ///   - transactionObserver: The observer, which is called on any thread that writes.
  ///   - extent: How long the observer is notified; by default as long as it is referenced
  ///     elsewhere.
  public func add(
    transactionObserver: some TransactionObserver,
    extent: Database.TransactionObservationExtent = .observerLifetime
  ) {
    usingWriter { db in db.add(transactionObserver: transactionObserver, extent: extent) }
  }

  /// Stops notifying the observer.
  ///
  /// This method waits for the writer.
  ///
  /// - Parameter transactionObserver: The observer to remove.
  public func remove(transactionObserver: some TransactionObserver) {
    usingWriter { db in db.remove(transactionObserver: transactionObserver) }
  }

  private func usingWriter(_ body: (Database) -> Void) {
    do {
      try writeWithoutTransaction(body)
    } catch _ {
      // A database that is closed or cannot be opened has no writes to report.
    }
  }
}
