/// A least-recently-used cache of prepared statements, by their SQL.
///
/// A statement that is taken is in use until it is put back, so that nested uses of the same SQL
/// get a second one.
@safe
struct StatementCache {
  // By their bytes: "é" and "e\u{301}" are equal in Swift, but not in SQL.
  private var statements: [ExactText: Statement] = [:]

  // The last used ones, by the length of their SQL: most SQL is found here without hashing. They
  // are retained by `statements`, so that a lookup here needs no retain and release.
  private var recent: [Unmanaged<Statement>?] = unsafe Array(repeating: nil, count: 16)
  private var clock: UInt64 = 0
  private let capacity: Int

  init(capacity: Int) {
    self.capacity = capacity
  }

  var count: Int { statements.count }

  /// Returns a statement for exclusive use until it is put back; `nil` when there is none.
  mutating func take(_ sql: String) -> Statement? {
    let bucket = sql.utf8.count & 15
    if let recent = unsafe recent[bucket],
      unsafe recent.withBorrowed({ $0.cacheKey.hasSameBytes(as: sql) })
    {
      guard unsafe recent.withBorrowed({ $0.use() }) else { return nil }
      return unsafe recent.takeUnretainedValue()
    }
    guard let statement = statements[ExactText(sql)] else { return nil }
    unsafe recent[bucket] = Unmanaged.passUnretained(statement)
    return statement.use() ? statement : nil
  }

  /// Adds a statement or puts it back; it must not be running.
  mutating func put(_ statement: Statement, for sql: String) {
    giveBack(statement)
    guard !statement.isCached else { return }
    // A second statement of the same SQL was needed while the first one was in use.
    guard statements[ExactText(sql)] == nil else { return }
    statement.isCached = true
    statement.cacheKey = sql
    statements[ExactText(sql)] = statement
    unsafe recent[sql.utf8.count & 15] = Unmanaged.passUnretained(statement)
    removeOldest()
  }

  /// Puts a statement back that was taken; one that left the cache meanwhile is not added again.
  mutating func giveBack(_ statement: Statement) {
    clock += 1
    statement.lastUse = clock
    statement.isInUse = false
  }

  private mutating func removeOldest() {
    guard statements.count > capacity,
      let oldest = statements.values.min(by: { $0.lastUse < $1.lastUse })
    else { return }
    let link = unsafe Unmanaged.passUnretained(oldest).toOpaque()
    for bucket in 0..<16 where unsafe recent[bucket]?.toOpaque() == link {
      unsafe recent[bucket] = nil
    }
    oldest.isCached = false
    statements[ExactText(oldest.cacheKey)] = nil
  }

  mutating func removeAll() {
    unsafe recent = unsafe Array(repeating: nil, count: 16)
    for statement in statements.values { statement.isCached = false }
    statements = [:]
  }
}

extension Statement {
  /// Marks the statement as in use; returns false when it already is.
  fileprivate func use() -> Bool {
    guard !isInUse else { return false }
    isInUse = true
    return true
  }
}
