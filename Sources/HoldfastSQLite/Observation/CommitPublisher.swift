import Synchronization

/// One who is told of the commits of a database.
package protocol CommitObserver: AnyObject, Sendable {
  /// Looks at what was committed.
  ///
  /// - Parameters:
  ///   - changes: What was changed, or may have been.
  ///   - db: The connection that committed, `nil` when it was another process's or is not at hand.
  func didCommit(_ changes: TransactionChanges, _ db: Database?)
}

/// The one place where "something changed in that region" enters, and all who follow hear of it.
///
/// A database has one, whatever connections it opens and closes meanwhile.
package final class CommitPublisher: Sendable {
  private let followers = Mutex<[any CommitObserver]>([])
  private let count = Atomic(0)

  // Once rows have mattered to somebody they are counted on.
  private let rowsMatter = Atomic(false)

  package init() {}

  /// Whether anybody follows.
  ///
  /// Whoever begins to follow and then reads sees every commit that finds this false: the writer
  /// asks after its commit is visible.
  package var isFollowed: Bool { count.load(ordering: .sequentiallyConsistent) > 0 }

  /// Whether somebody asked for rows, and not only tables and columns.
  var namesRows: Bool { rowsMatter.load(ordering: .relaxed) }

  /// Has SQLite tell of single rows, because a region that is followed names some.
  package func nameRows() {
    rowsMatter.store(true, ordering: .relaxed)
  }

  /// Tells the follower of all commits from now on, and of the transaction that is open.
  package func add(_ follower: any CommitObserver) {
    followers.withLock { followers in
      followers.append(follower)
      count.store(followers.count, ordering: .sequentiallyConsistent)
    }
  }

  /// Tells the follower of nothing any more.
  package func remove(_ follower: any CommitObserver) {
    followers.withLock { followers in
      followers.removeAll { $0 === follower }
      count.store(followers.count, ordering: .sequentiallyConsistent)
    }
  }

  /// Tells all followers of a commit.
  ///
  /// - Parameters:
  ///   - changes: What was changed, or may have been.
  ///   - db: The connection that committed, if it is at hand.
  package func publish(_ changes: TransactionChanges, _ db: Database? = nil) {
    // Outside of the lock, because a follower may leave, or another one come, meanwhile.
    for follower in followers.withLock({ $0 }) {
      follower.didCommit(changes, db)
    }
  }
}

extension Database {
  /// Has the connection's commits enter a feed, before its first statement that writes.
  package func enter(_ feed: CommitPublisher) {
    makeBroker().feed = feed
  }

  /// The connection's broker; one that has no feed of others gets its own.
  func makeBroker() -> ChangeBroker {
    if let broker { return broker }
    let broker = ChangeBroker(self, feed: CommitPublisher())
    self.broker = broker
    return broker
  }
}
