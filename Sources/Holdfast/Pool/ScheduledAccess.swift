import Dispatch
import HoldfastSQLite
import Synchronization

// Accesses that nobody waits for: they stand in line from the moment of the call.

extension ConnectionPool {
  /// Gives the closure a connection when it is its turn; returns at once.
  ///
  /// The closure runs on the connection's queue, or gets the error that keeps it from one.
  func schedule(
    _ purpose: Purpose, _ isolation: Isolation,
    _ value: @escaping @Sendable (Result<Database, any Error>) -> Void
  ) {
    let permit: Suspension.AccessPermit
    do {
      permit = try suspension?.admitNow(to: self) ?? Suspension.AccessPermit()
    } catch {
      return slots[0].queue.async { value(.failure(error)) }
    }
    let waiter = Waiter { [self] outcome in begin(outcome, purpose, isolation, permit, value) }
    switch state.withLock({ $0.wait(waiter, for: purpose) }) {
    case .waiting: break
    case .granted(let slot): waiter.end(.granted(slot: slot))
    case .refused: waiter.end(.refused)
    }
  }

  private func begin(
    _ outcome: Waiter.Outcome, _ purpose: Purpose, _ isolation: Isolation,
    _ permit: Suspension.AccessPermit,
    _ value: @escaping @Sendable (Result<Database, any Error>) -> Void
  ) {
    let number: Int
    do {
      number = try slotNumber(outcome)
    } catch {
      // Never in the thread of the caller, who may hold a lock that the closure wants.
      return slots[0].queue.async { value(.failure(error)) }
    }
    slots[number].queue.async { [self] in
      Self.callBack(value) { body in
        try run(body, on: slots[number], for: purpose, isolation, permit)
      }
      giveBack(number)
    }
  }

  /// Writes in a transaction and tells how it went, both in one access.
  func scheduleWrite<Value>(
    _ updates: @escaping @Sendable (Database) throws -> Value,
    completion: @escaping @Sendable (Database, Result<Value, any Error>) -> Void
  ) {
    schedule(.write, .none) { result in
      switch result {
      case .success(let db):
        completion(
          db, Result { try DatabaseError.addingLockHolder { try db.run(.transaction, updates) } })
      case .failure(let error):
        // Whoever waits for the completion must not wait for ever, and it needs some connection.
        Self.callBack({ empty in
          if case .success(let db) = empty { completion(db, .failure(error)) }
        }) { body in
          let db = try Database(
            at: .memory, isReadOnly: false, configuration: Configuration(), token: AccessToken())
          try db.lend(isReadOnly: true, body)
        }
      }
    }
  }
}
