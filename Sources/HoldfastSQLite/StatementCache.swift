/// Prepared statements kept for the next use, by their SQL; the one unused longest goes first.
///
/// A statement that is in use is not in the cache, so that SQL nested in itself gets a second one.
struct StatementCache {
  private var statements: [String: (statement: Statement, lastUse: UInt64)] = [:]
  private var clock: UInt64 = 0
  private let capacity: Int

  init(capacity: Int) {
    self.capacity = capacity
  }

  var count: Int { statements.count }

  /// Takes a statement out.
  mutating func take(_ sql: String) -> Statement? {
    statements.removeValue(forKey: sql)?.statement
  }

  /// Puts a statement in; it must not be running.
  mutating func put(_ statement: Statement, for sql: String) {
    clock += 1
    statements[sql] = (statement, clock)
    if statements.count > capacity,
      let oldest = statements.min(by: { $0.value.lastUse < $1.value.lastUse })
    {
      statements[oldest.key] = nil
    }
  }

  mutating func removeAll() {
    statements = [:]
  }
}
