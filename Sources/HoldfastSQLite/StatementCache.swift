/// Prepared statements kept for the next use, by their SQL; the one unused longest goes first.
///
/// A statement that is in use is not in the cache, so that SQL nested in itself gets a second one.
struct StatementCache {
  private struct Entry {
    let sql: String
    let statement: Statement
    let lastUse: UInt64
  }

  private var entries: [String: Entry] = [:]
  private var clock: UInt64 = 0
  private let capacity: Int

  init(capacity: Int) {
    self.capacity = capacity
  }

  var count: Int { entries.count }

  /// Takes a statement out.
  mutating func take(_ sql: String) -> Statement? {
    // Swift finds "é" and "e\u{301}" equal, SQL does not.
    guard let entry = entries[sql], entry.sql.utf8.elementsEqual(sql.utf8) else { return nil }
    entries[sql] = nil
    return entry.statement
  }

  /// Puts a statement in; it must not be running.
  mutating func put(_ statement: Statement, for sql: String) {
    clock += 1
    entries[sql] = Entry(sql: sql, statement: statement, lastUse: clock)
    if entries.count > capacity,
      let oldest = entries.min(by: { $0.value.lastUse < $1.value.lastUse })
    {
      entries[oldest.key] = nil
    }
  }

  mutating func removeAll() {
    entries = [:]
  }
}
