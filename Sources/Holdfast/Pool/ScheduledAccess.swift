import Dispatch
import HoldfastSQLite

// Accesses that are queued at the moment of the call, and for which the caller does not wait.

extension ConnectionPool {
  /// Schedules the closure on a connection's queue and returns immediately.
  ///
  /// - Parameters:
  ///   - purpose: The purpose of the access.
  ///   - isolation: The transaction in which the closure runs.
  ///   - granted: Called when the connection is acquired, before there is a thread for `body`.
  ///   - body: Receives the connection, or the error for which there is none; called once.
  ///   - then: Receives the return value of `body` after the connection was released.
  func schedule<Output>(
    _ purpose: Purpose, _ isolation: Isolation,
    granted: @escaping @Sendable () -> Void = {},
    _ body: @escaping @Sendable (Result<Database, any Error>) -> Output,
    then: @escaping @Sendable (Output) -> Void = { (_: Output) in }
  ) {
    let permit: Suspension.AccessPermit
    do {
      permit = try admitNow()
    } catch {
      return slots[0].queue.async { then(body(.failure(error))) }
    }
    let waiter = Waiter<Outcome> { [self] outcome in
      let number: Int
      do {
        number = try self.number(of: outcome)
      } catch {
        // Never on the caller's thread, which may hold a lock that the closure needs.
        return slots[0].queue.async { then(body(.failure(error))) }
      }
      granted()
      slots[number].queue.async { [self] in
        let output = Self.callBack(body) { body in
          try run(body, on: number, for: purpose, isolation, permit)
        }
        release(number)
        then(output)
      }
    }
    enqueue(waiter, for: purpose)
  }

  /// Schedules a transaction and a callback with its outcome, both in one access.
  func scheduleWrite<Value>(
    _ updates: @escaping @Sendable (Database) throws -> Value,
    completion: @escaping @Sendable (Database, Result<Value, any Error>) -> Void
  ) {
    schedule(.write, .none) { result in
      switch result {
      case .success(let db):
        completion(
          db,
          Result {
            try DatabaseError.addingLockHolder { try db.withIsolation(.transaction, updates) }
          })
      case .failure(let error):
        // A caller that waits for the completion must not wait forever, and it needs a connection.
        Self.callBack({ empty in
          if case .success(let db) = empty { completion(db, .failure(error)) }
        }) { body in
          let db = try Database(
            at: .memory, isReadOnly: false, configuration: Configuration(), token: AccessToken())
          try db.withAccess(isReadOnly: true, body)
        }
      }
    }
  }

  /// Calls the closure once, with the connection of an access or the error that prevented it.
  ///
  /// - Parameters:
  ///   - body: The closure.
  ///   - access: Runs a closure on a connection, or throws.
  /// - Returns: The return value of `body`.
  @discardableResult
  static func callBack<Output>(
    _ body: @escaping (Result<Database, any Error>) -> Output,
    _ access: ((Database) -> Void) throws -> Void
  ) -> Output {
    var output: Output?
    do {
      try access { db in output = body(.success(db)) }
    } catch {
      // An error at the end of an access that has called back concerns that access alone.
      return output ?? body(.failure(error))
    }
    guard let output else { preconditionFailure("An access neither ran its closure nor threw.") }
    return output
  }
}
