import HoldfastSQLite
import Synchronization

/// The longest writes of a pool.
final class LongestWrites: Sendable {
  private let limit: Int
  private let writes = Mutex<[LongWrite]>([])

  /// - Parameter limit: The number of writes to keep; with 0 there is no instance.
  init?(limit: Int) {
    guard limit > 0 else { return nil }
    self.limit = limit
  }

  /// The writes, longest first.
  var all: [LongWrite] { writes.withLock { $0 } }

  /// Whether a write of this duration would be kept.
  func isLong(_ duration: Duration) -> Bool {
    writes.withLock { writes in
      writes.count < limit || writes.last.map { $0.duration < duration } ?? true
    }
  }

  func add(_ write: LongWrite) {
    writes.withLock { writes in
      let index = writes.firstIndex { $0.duration < write.duration } ?? writes.endIndex
      writes.insert(write, at: index)
      if writes.count > limit { writes.removeLast() }
    }
  }

  /// Measures the writes of a connection.
  func measureWrites(of database: Database) {
    database.measureWrites(isLong: { self.isLong($0) }, report: { self.add($0) })
  }

  func removeAll() {
    writes.withLock { $0.removeAll() }
  }
}
