/// Prepared statements kept for the next use, by their SQL; the one unused longest goes first.
///
/// A statement that is taken is in use until it is put back, so that SQL nested in itself gets a
/// second one.
@safe
struct StatementCache {
  // By their bytes: Swift finds "é" and "e\u{301}" equal, SQL does not.
  private var statements: [ExactText: Statement] = [:]

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
      unsafe recent._withUnsafeGuaranteedRef({ $0.cacheKey.hasSameBytes(as: sql) })
    {
      guard unsafe recent._withUnsafeGuaranteedRef({ $0.use() }) else { return nil }
      return unsafe recent.takeUnretainedValue()
    }
    guard let statement = statements[ExactText(sql)] else { return nil }
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
    guard statements[ExactText(sql)] == nil else { return }
    statement.isCached = true
    statement.cacheKey = sql
    statements[ExactText(sql)] = statement
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
    statements[ExactText(oldest.cacheKey)] = nil
  }

  mutating func removeAll() {
    unsafe recent = unsafe Array(repeating: nil, count: 16)
    for statement in statements.values { statement.isCached = false }
    statements = [:]
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
