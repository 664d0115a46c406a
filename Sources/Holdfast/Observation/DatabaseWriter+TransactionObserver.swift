extension DatabaseWriter {
  /// Tells the observer of the database's changes and transactions from now on.
  ///
  /// It waits for the writer. A closed database tells nothing.
  ///
  /// - Parameters:
  ///   - transactionObserver: The observer, called on whatever thread writes.
  ///   - extent: How long; as long as somebody else keeps the observer by default.
  public func add(
    transactionObserver: some TransactionObserver,
    extent: Database.TransactionObservationExtent = .observerLifetime
  ) {
    usingWriter { db in db.add(transactionObserver: transactionObserver, extent: extent) }
  }

  /// Tells the observer of nothing any more.
  ///
  /// It waits for the writer.
  ///
  /// - Parameter transactionObserver: The observer.
  public func remove(transactionObserver: some TransactionObserver) {
    usingWriter { db in db.remove(transactionObserver: transactionObserver) }
  }

  private func usingWriter(_ body: (Database) -> Void) {
    do {
      try writeWithoutTransaction(body)
    } catch _ {
      // Nobody writes to a database that is closed or cannot be opened: there is nothing to tell.
    }
  }
}
