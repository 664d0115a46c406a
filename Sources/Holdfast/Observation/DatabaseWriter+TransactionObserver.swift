extension DatabaseWriter {
  /// Notifies the observer of the database's changes and transactions from now on.
  ///
  /// This method waits for the writer. An observer that is added while the database is suspended is notified
  /// after the resume, one of a closed database never.
  ///
  /// - Parameters:
  ///   - transactionObserver: The observer, which is called on any thread that writes.
  ///   - extent: How long the observer is notified; by default as long as it is referenced
  ///     elsewhere.
  public func add(
    transactionObserver: some TransactionObserver,
    extent: Database.TransactionObservationExtent = .observerLifetime
  ) {
    // One of its own lifetime is not kept until the resume.
    let kept = extent == .observerLifetime ? nil : transactionObserver
    changeObservers { [weak transactionObserver] db in
      guard let observer = kept ?? transactionObserver else { return }
      db.add(transactionObserver: observer, extent: extent)
    }
  }

  /// Stops notifying the observer.
  ///
  /// This method waits for the writer.
  ///
  /// - Parameter transactionObserver: The observer to remove.
  public func remove(transactionObserver: some TransactionObserver) {
    // Not the observer itself, which may be in its deinitializer.
    let identifier = ObjectIdentifier(transactionObserver)
    changeObservers { db in db.removeTransactionObserver(identifier) }
  }

  private func changeObservers(_ change: @escaping (Database) -> Void) {
    if let connectionPool { return connectionPool.changeObservers(change) }
    do {
      try writeWithoutTransaction(change)
    } catch _ {
      // A database that is closed or cannot be opened has no writes to report.
    }
  }
}
