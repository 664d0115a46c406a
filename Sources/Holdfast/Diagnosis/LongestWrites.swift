import HoldfastSQLite
import Synchronization

/// The longest of many writes.
final class LongestWrites: Sendable {
  private let limit: Int
  private let writes = Mutex<[LongWrite]>([])

  /// - Parameter limit: How many are kept; with none there is nothing to make.
  init?(limit: Int) {
    guard limit > 0 else { return nil }
    self.limit = limit
  }

  /// The longest first.
  var all: [LongWrite] { writes.withLock { $0 } }

  /// Whether a write of this duration would be kept.
  func isLong(_ duration: Duration) -> Bool {
    writes.withLock { writes in
      writes.count < limit || writes.last.map { $0.duration < duration } ?? true
    }
  }

  func add(_ write: LongWrite) {
    writes.withLock { writes in
      let place = writes.firstIndex { $0.duration < write.duration } ?? writes.endIndex
      writes.insert(write, at: place)
      if writes.count > limit { writes.removeLast() }
    }
  }

  /// Has the writes of a connection measured.
  func measureWrites(of database: Database) {
    database.measureWrites(isLong: { self.isLong($0) }, tell: { self.add($0) })
  }

  func removeAll() {
    writes.withLock { $0.removeAll() }
  }
}

extension DatabasePool {
  /// The longest writes since the pool was opened, the longest first.
  ///
  /// As many as `Configuration.longestWriteCount` says. Those who share a database with other
  /// processes are nice to them by keeping these short.
  public var longestWrites: [LongWrite] { pool.longestWrites?.all ?? [] }

  /// Forgets the longest writes, to see those that come.
  public func forgetLongestWrites() { pool.longestWrites?.removeAll() }
}

extension DatabaseQueue {
  /// The longest writes since the queue was opened, the longest first.
  ///
  /// As many as `Configuration.longestWriteCount` says. Those who share a database with other
  /// processes are nice to them by keeping these short.
  public var longestWrites: [LongWrite] { pool.longestWrites?.all ?? [] }

  /// Forgets the longest writes, to see those that come.
  public func forgetLongestWrites() { pool.longestWrites?.removeAll() }
}
