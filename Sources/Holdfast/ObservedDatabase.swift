import Dispatch
import HoldfastSQLite

/// A database as observations see it.
enum ObservedDatabase: Sendable {
  /// It changes, and its pool tells when.
  case changing(ConnectionPool)

  /// It never changes.
  case fixed(any DatabaseReader)

  init(_ reader: any DatabaseReader) {
    if let pooled = reader as? any PooledDatabase {
      self = .changing(pooled.pool)
    } else {
      self = .fixed(reader)
    }
  }

  /// Where its commits are told.
  var feed: ChangeFeed? {
    switch self {
    case .changing(let pool): pool.feed
    case .fixed: nil
    }
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
      pool.schedule(purpose, body)
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

/// A database whose connections are those of a pool.
protocol PooledDatabase: DatabaseReader {
  var pool: ConnectionPool { get }
}

extension DatabaseQueue: PooledDatabase {}
extension DatabasePool: PooledDatabase {}

extension ConnectionPool {
  /// Runs the closure on the connection's queue when its turn comes, and holds no thread until then.
  ///
  /// - Parameters:
  ///   - purpose: What the access does.
  ///   - body: Uses the connection, in no transaction; what it returns is called when the connection
  ///     was given back.
  func schedule(
    _ purpose: Purpose,
    _ body: @escaping @Sendable (Result<Database, any Error>) -> @Sendable () -> Void
  ) {
    take(purpose) { [self] taken in
      switch taken {
      case .failure(let error):
        body(.failure(error))()
      case .success(let number):
        let slot = slots[number]
        slot.queue.async { [self] in
          var next: (@Sendable () -> Void)?
          do {
            next = try run({ db in body(.success(db)) }, on: slot, for: purpose, .none)
          } catch {
            next = body(.failure(error))
          }
          giveBack(number)
          next?()
        }
      }
    }
  }
}
