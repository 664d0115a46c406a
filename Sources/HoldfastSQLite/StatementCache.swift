import Foundation

/// Prepared statements kept for the next use, by their SQL; the one unused longest goes first.
///
/// A statement that is taken is in use until it is put back, so that SQL nested in itself gets a
/// second one.
@safe
struct StatementCache {
  private var statements: [String: Statement] = [:]

  // Those used last, by the length of their SQL: most SQL is found here without a hash. They are
  // held by `statements`, and here without a retain and a release for each look.
  private var recent: [Unmanaged<Statement>?] = unsafe Array(repeating: nil, count: 16)
  private var clock: UInt64 = 0
  private let capacity: Int

  init(capacity: Int) {
    self.capacity = capacity
  }

  var count: Int { statements.count }

  /// Takes a statement, which nobody else is given until it is put back.
  mutating func take(_ sql: String) -> Statement? {
    let place = sql.utf8.count & 15
    if let recent = unsafe recent[place],
      unsafe recent._withUnsafeGuaranteedRef({ Self.areSame($0.cacheKey, sql) })
    {
      guard unsafe recent._withUnsafeGuaranteedRef({ $0.use() }) else { return nil }
      return unsafe recent.takeUnretainedValue()
    }
    // Swift finds "é" and "e\u{301}" equal, SQL does not.
    guard let statement = statements[sql], Self.areSame(statement.cacheKey, sql) else { return nil }
    unsafe recent[place] = Unmanaged.passUnretained(statement)
    return statement.use() ? statement : nil
  }

  /// Puts a statement in; it must not be running.
  mutating func put(_ statement: Statement, for sql: String) {
    clock += 1
    statement.lastUse = clock
    statement.isInUse = false
    guard !statement.isCached else { return }
    // A second statement of the same SQL was needed while the first one was in use.
    guard statements[sql] == nil else { return }
    statement.isCached = true
    statement.cacheKey = sql
    statements[sql] = statement
    unsafe recent[sql.utf8.count & 15] = Unmanaged.passUnretained(statement)
    removeOldest()
  }

  private mutating func removeOldest() {
    guard statements.count > capacity,
      let oldest = statements.values.min(by: { $0.lastUse < $1.lastUse })
    else { return }
    let link = unsafe Unmanaged.passUnretained(oldest).toOpaque()
    for place in 0..<16 where unsafe recent[place]?.toOpaque() == link {
      unsafe recent[place] = nil
    }
    oldest.isCached = false
    statements[oldest.cacheKey] = nil
  }

  mutating func removeAll() {
    unsafe recent = unsafe Array(repeating: nil, count: 16)
    for statement in statements.values { statement.isCached = false }
    statements = [:]
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

extension Statement {
  /// Marks the statement as used; false when it is so already.
  fileprivate func use() -> Bool {
    guard !isInUse else { return false }
    isInUse = true
    return true
  }
}
