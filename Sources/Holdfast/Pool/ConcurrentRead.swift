import Dispatch
import HoldfastSQLite

// Reads that see the state after a write, and run concurrently with the next write.

extension ConnectionPool {
  /// Calls the closure with a connection that sees what the calling write has committed so far.
  ///
  /// Returns as soon as the state is fixed; the closure runs on a reader's queue. Without readers
  /// it runs immediately, on the writer's connection.
  func spawnConcurrentRead(_ value: @escaping @Sendable (Result<Database, any Error>) -> Void) {
    guard slots[0].token.isHeldByCurrentThread, let writer = slots[0].openedDatabase else {
      Misuse.trap(Misuse.concurrentReadOutsideWrite)
    }
    if writer.isInsideTransaction { Misuse.trap(Misuse.insideTransaction("A concurrent read")) }
    guard slots.count > 1 else {
      Self.callBack(value) { body in
        try writer.readOnly {
          try writer.afterTransaction { try writer.withIsolation(.snapshot, body) }
        }
      }
      return
    }
    if isBarrierHeld { Misuse.trap(Misuse.concurrentReadInBarrier) }
    let permit: Suspension.AccessPermit
    let number: Int
    do {
      permit = try admitNow()
      number = try acquire(.read)
    } catch {
      return value(.failure(error))
    }
    let slot = slots[number]
    do {
      // Here and not on the reader's queue, so that the next write cannot begin before.
      try connection(number, permit).withAccess(isReadOnly: true) { db in try db.beginSnapshot() }
    } catch {
      release(number)
      return value(.failure(error))
    }
    slot.queue.async { [self] in
      Self.callBack(value) { body in
        // Not a new connection, which would see another state.
        guard let database = slot.openedDatabase else { throw suspended }
        try database.withAccess(isReadOnly: true) { db in
          defer { db.endSnapshot() }
          db.continuingTransaction { body(db) }
        }
      }
      release(number)
    }
  }
}
