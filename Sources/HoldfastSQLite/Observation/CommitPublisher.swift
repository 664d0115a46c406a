import Synchronization

/// An observer of the commits of a database.
package protocol CommitObserver: AnyObject, Sendable {
  /// Called after each commit.
  ///
  /// - Parameters:
  ///   - changes: What was changed, or may have been.
  ///   - db: The connection that committed; `nil` when it belongs to another process or is not
  ///     available.
  func didCommit(_ changes: TransactionChanges, _ db: Database?)
}

/// Notifies the observers of a database of each commit, whichever connection makes it.
///
/// A database has one publisher for all connections that it opens and closes.
package final class CommitPublisher: Sendable {
  private let observers = Mutex<[any CommitObserver]>([])
  private let count = Atomic(0)

  // Row ids are collected from the moment an observer needs them, and only of the tables whose rows it names.
  private let rowsMatter = Atomic(false)
  private let regionOfRows = Mutex(DatabaseRegion())

  package init() {}

  /// Whether there are observers.
  ///
  /// A writer checks it after its commit is visible. So an observer that is added and then reads
  /// sees every commit for which this was false.
  package var hasObservers: Bool { count.load(ordering: .sequentiallyConsistent) > 0 }

  /// Whether an observer needs row ids, and not only tables and columns.
  var namesRows: Bool { rowsMatter.load(ordering: .relaxed) }

  /// Returns whether an observer needs the ids of the rows that a statement changes.
  func namesRows(changedBy effects: StatementEffects) -> Bool {
    namesRows && regionOfRows.withLock { $0.intersects(effects.modifiedRegion) }
  }

  /// Makes later changes name single rows of the tables of which an observed region does.
  package func nameRows(of region: DatabaseRegion) {
    guard let tables = region.tablesOfRows else { return }
    regionOfRows.withLock { $0.formUnion(tables) }
    rowsMatter.store(true, ordering: .relaxed)
  }

  /// Adds an observer, which is notified of all later commits, also of the open transaction.
  package func add(_ observer: any CommitObserver) {
    observers.withLock { observers in
      observers.append(observer)
      count.store(observers.count, ordering: .sequentiallyConsistent)
    }
  }

  /// Removes an observer.
  package func remove(_ observer: any CommitObserver) {
    observers.withLock { observers in
      observers.removeAll { $0 === observer }
      count.store(observers.count, ordering: .sequentiallyConsistent)
    }
  }

  /// Notifies all observers of a commit.
  ///
  /// - Parameters:
  ///   - changes: What was changed, or may have been.
  ///   - db: The connection that committed, if it is available.
  package func publish(_ changes: TransactionChanges, _ db: Database? = nil) {
    // Outside of the lock, because observers may be added and removed meanwhile.
    for observer in observers.withLock({ $0 }) {
      observer.didCommit(changes, db)
    }
  }
}

extension Database {
  /// Sets the publisher of the connection's commits; called before its first statement that writes.
  package func publishCommits(to publisher: CommitPublisher) {
    makeBroker().publisher = publisher
  }

  /// Returns the connection's broker; a new one notifies observers of this connection only.
  func makeBroker() -> ChangeBroker {
    if let broker { return broker }
    let broker = ChangeBroker(self, publisher: CommitPublisher())
    self.broker = broker
    return broker
  }
}
