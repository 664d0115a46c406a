import Synchronization

/// An observer of the commits of a database.
package protocol CommitObserver: AnyObject, Sendable {
  /// Called after each commit.
  ///
  /// - Parameters:
  ///   - changes: The changes, including possible ones.
  ///   - db: The connection that committed; `nil` when it belongs to another process or is not
  ///     available.
  func didCommit(_ changes: TransactionChanges, _ db: Database?)
}

/// Notifies the observers of a database of each commit, whichever connection makes it.
///
/// A database has one publisher for all connections that it opens and closes.
package final class CommitPublisher: Sendable {
  private struct Observation {
    let observer: any CommitObserver
    /// The tables whose rows the observer names, in whole; `nil` for none.
    var regionOfRows: DatabaseRegion?
  }

  private let observations = Mutex<[Observation]>([])
  private let count = Atomic(0)

  // Row ids are collected only while an observer needs them, and only of the tables whose rows it names.
  private let rowsMatter = Atomic(false)

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
    namesRows
      && observations.withLock { observations in
        observations.contains { $0.regionOfRows?.intersects(effects.modifiedRegion) == true }
      }
  }

  /// Makes later changes name single rows of the tables of which an observer's region does.
  package func nameRows(of region: DatabaseRegion, for observer: any CommitObserver) {
    update { observations in
      guard let index = observations.firstIndex(where: { $0.observer === observer }) else { return }
      observations[index].regionOfRows = region.tablesOfRows
    }
  }

  /// Adds an observer, which is notified of all later commits, also of the open transaction.
  ///
  /// - Parameters:
  ///   - observer: The observer.
  ///   - region: The region that it observes. `nil` if that is determined at the first commit,
  ///     which has to name the rows of all tables, because the region may be one of single rows.
  package func add(_ observer: any CommitObserver, observing region: DatabaseRegion?) {
    let tables: DatabaseRegion? = if let region { region.tablesOfRows } else { .fullDatabase }
    update { $0.append(Observation(observer: observer, regionOfRows: tables)) }
  }

  /// Removes an observer.
  package func remove(_ observer: any CommitObserver) {
    update { $0.removeAll { $0.observer === observer } }
  }

  private func update(_ body: (inout [Observation]) -> Void) {
    observations.withLock { observations in
      body(&observations)
      count.store(observations.count, ordering: .sequentiallyConsistent)
      rowsMatter.store(observations.contains { $0.regionOfRows != nil }, ordering: .relaxed)
    }
  }

  /// Notifies all observers of a commit.
  ///
  /// - Parameters:
  ///   - changes: The changes, including possible ones.
  ///   - db: The connection that committed, if it is available.
  package func publish(_ changes: TransactionChanges, _ db: Database? = nil) {
    // Outside of the lock, because observers may be added and removed meanwhile.
    for observation in observations.withLock({ $0 }) {
      observation.observer.didCommit(changes, db)
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
