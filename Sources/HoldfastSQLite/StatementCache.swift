import Foundation

/// Prepared statements kept for the next use, by their SQL; the one unused longest goes first.
///
/// A statement that is taken is in use until it is put back, so that SQL nested in itself gets a
/// second one.
struct StatementCache {
  private struct Entry {
    let sql: String
    let statement: Statement
  }

  private var entries: [String: Entry] = [:]

  /// The entries used last, by the length of their SQL: most SQL is found here without a hash.
  private var recent: [Entry?] = Array(repeating: nil, count: 16)
  private var clock: UInt64 = 0
  private let capacity: Int

  init(capacity: Int) {
    self.capacity = capacity
  }

  var count: Int { entries.count }

  /// Takes a statement, which nobody else is given until it is put back.
  mutating func take(_ sql: String) -> Statement? {
    guard let statement = find(sql), !statement.isInUse else { return nil }
    statement.isInUse = true
    return statement
  }

  private mutating func find(_ sql: String) -> Statement? {
    let place = sql.utf8.count & 15
    if let entry = recent[place], Self.areSame(entry.sql, sql) { return entry.statement }
    // Swift finds "é" and "e\u{301}" equal, SQL does not.
    guard let entry = entries[sql], Self.areSame(entry.sql, sql) else { return nil }
    recent[place] = entry
    return entry.statement
  }

  /// Puts a statement in; it must not be running.
  mutating func put(_ statement: Statement, for sql: String) {
    clock += 1
    statement.lastUse = clock
    statement.isInUse = false
    guard !statement.isCached else { return }
    // A second statement of the same SQL was needed while the first one was in use.
    guard entries[sql] == nil else { return }
    statement.isCached = true
    let entry = Entry(sql: sql, statement: statement)
    entries[sql] = entry
    recent[sql.utf8.count & 15] = entry
    removeOldest()
  }

  private mutating func removeOldest() {
    guard entries.count > capacity,
      let oldest = entries.min(by: { $0.value.statement.lastUse < $1.value.statement.lastUse })
    else { return }
    entries[oldest.key] = nil
    oldest.value.statement.isCached = false
    for place in recent.indices where recent[place]?.statement === oldest.value.statement {
      recent[place] = nil
    }
  }

  mutating func removeAll() {
    entries = [:]
    recent = Array(repeating: nil, count: 16)
  }

  /// Whether two texts have the same bytes.
  private static func areSame(_ one: String, _ other: String) -> Bool {
    let isSame = unsafe one.utf8.withContiguousStorageIfAvailable { one in
      unsafe other.utf8.withContiguousStorageIfAvailable { other in
        guard one.count == other.count else { return false }
        guard let first = one.baseAddress, let second = other.baseAddress else { return true }
        return unsafe first == second || memcmp(first, second, one.count) == 0
      }
    }
    return (isSame ?? nil) ?? one.utf8.elementsEqual(other.utf8)
  }
}
