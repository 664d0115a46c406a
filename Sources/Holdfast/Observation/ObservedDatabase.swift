import Dispatch
import HoldfastSQLite
import Synchronization

/// A database as observations see it.
enum ObservedDatabase: Sendable {
  /// It changes, and its pool tells when.
  case changing(ConnectionPool)

  /// It never changes.
  case fixed(any DatabaseReader)

  init(_ reader: any DatabaseReader) {
    if let pooled = reader as? any PooledWriter {
      self = .changing(pooled.pool)
    } else {
      self = .fixed(reader)
    }
  }

  /// Whether it can be used again after a suspension; a snapshot cannot.
  var outlivesSuspension: Bool {
    if case .changing = self { true } else { false }
  }

  /// Whether accesses are refused until a resume.
  var isSuspended: Bool {
    switch self {
    case .changing(let pool): pool.suspension.map { !$0.isResumed } ?? false
    case .fixed: false
    }
  }

  /// What an access that begins now is compared with when it fails; see ``cause(of:since:)``.
  var endingCount: Int {
    switch self {
    case .changing(let pool): pool.suspension?.endingCount ?? 0
    case .fixed: 0
    }
  }

  /// Why an access failed: a suspension that ended connections meanwhile comes first.
  ///
  /// What the app's code throws in place of the suspension's error is not known from others, and comes
  /// once more after the resume if something else was the cause.
  ///
  /// - Parameters:
  ///   - error: What the access threw.
  ///   - count: The ``endingCount`` before it began.
  /// - Returns: The error to act on.
  func cause(of error: any Error, since count: Int) -> any Error {
    endingCount == count ? error : DatabaseError.suspended(path: nil)
  }

  /// Where its commits are told.
  var publisher: CommitPublisher? {
    switch self {
    case .changing(let pool): pool.publisher
    case .fixed: nil
    }
  }

  /// Tells the follower of all commits from now on, whoever makes them.
  func add(_ follower: any CommitObserver) {
    guard case .changing(let pool) = self else { return }
    pool.publisher.add(follower)
    pool.externalCommits.addObserver(for: pool)
  }

  /// Tells the follower of nothing any more.
  func remove(_ follower: any CommitObserver) {
    guard case .changing(let pool) = self else { return }
    pool.publisher.remove(follower)
    pool.externalCommits.removeObserver()
  }

  /// Reads on the caller's thread.
  func access<Value>(
    _ purpose: ConnectionPool.Purpose, _ body: (Database) throws -> Value
  ) throws -> Value {
    switch self {
    case .changing(let pool): try pool.access(purpose, .none, body)
    case .fixed(let reader): try reader.read(body)
    }
  }

  /// Reads when a connection is free, and waits for none.
  ///
  /// - Parameters:
  ///   - purpose: What the access does.
  ///   - body: Reads; what it returns is called when the connection was given back.
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
