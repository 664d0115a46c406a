import Dispatch
import HoldfastSQLite
import Synchronization

/// The database of an observation.
enum ObservedDatabase: Sendable {
  /// A database that changes, and whose pool publishes its commits.
  case changing(ConnectionPool)

  /// A snapshot, which never changes.
  case fixed(any DatabaseReader)

  init(_ reader: any DatabaseReader) {
    if let pooled = reader.unerased as? any PooledWriter {
      self = .changing(pooled.pool)
    } else {
      self = .fixed(reader)
    }
  }

  /// Whether the database can be used again after a suspension; a snapshot cannot.
  var outlivesSuspension: Bool {
    if case .changing = self { true } else { false }
  }

  /// Whether accesses are refused until the database is resumed.
  var isSuspended: Bool {
    switch self {
    case .changing(let pool): pool.suspension.map { !$0.isResumed } ?? false
    case .fixed: false
    }
  }

  /// The number of times that suspensions or leases ended connections; see ``cause(of:since:)``.
  var endingCount: Int {
    switch self {
    case .changing(let pool): pool.suspension?.endingCount ?? 0
    case .fixed: 0
    }
  }

  /// Returns the reason an access failed: a suspension if one ended connections meanwhile.
  ///
  /// The app's code may have replaced the suspension's error by one of its own, which cannot be
  /// distinguished from an unrelated error; an unrelated one occurs again after the resume.
  ///
  /// - Parameters:
  ///   - error: The error of the access.
  ///   - count: The ``endingCount`` before the access began.
  /// - Returns: The error to act on.
  func cause(of error: any Error, since count: Int) -> any Error {
    endingCount == count ? error : DatabaseError.suspended(path: nil)
  }

  /// The publisher of the database's commits; `nil` for a snapshot.
  var publisher: CommitPublisher? {
    switch self {
    case .changing(let pool): pool.publisher
    case .fixed: nil
    }
  }

  /// Notifies the observer of all commits from now on, including commits of other connections.
  ///
  /// - Parameters:
  ///   - observer: The observer.
  ///   - region: The region that it observes; `nil` if that is determined at the first commit.
  func add(_ observer: any CommitObserver, observing region: DatabaseRegion?) {
    guard case .changing(let pool) = self else { return }
    pool.publisher.add(observer, observing: region)
    pool.externalCommits.addObserver(for: pool)
  }

  /// Stops notifying the observer.
  func remove(_ observer: any CommitObserver) {
    guard case .changing(let pool) = self else { return }
    pool.publisher.remove(observer)
    pool.externalCommits.removeObserver()
  }

  /// Reads on the caller's thread, which blocks until a connection is free.
  func access<Value>(
    _ purpose: ConnectionPool.Purpose, _ body: (Database) throws -> Value
  ) throws -> Value {
    switch self {
    case .changing(let pool): try pool.access(purpose, .none, body)
    case .fixed(let reader): try reader.read(body)
    }
  }

  /// Schedules a read and returns immediately.
  ///
  /// - Parameters:
  ///   - purpose: The purpose of the access.
  ///   - body: Reads, and returns a closure that is called after the connection was released.
  func schedule(
    _ purpose: ConnectionPool.Purpose,
    _ body: @escaping @Sendable (Result<Database, any Error>) -> @Sendable () -> Void
  ) {
    switch self {
    case .changing(let pool):
      pool.schedule(purpose, .none, body) { next in next() }
    case .fixed(let reader):
      DispatchQueue.global().async {
        let outcome = Result { try reader.read { db in body(.success(db)) } }
        switch outcome {
        case .success(let next): next()
        case .failure(let error): body(.failure(error))()
        }
      }
    }
  }
}
