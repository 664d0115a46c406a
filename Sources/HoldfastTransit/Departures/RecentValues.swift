/// A cache of bounded cost that keeps what was used last.
///
/// When the newer half is full it becomes the older half, whose values are dropped unless they are
/// used again. A value that fills a half alone is not kept.
struct RecentValues<Key: Hashable, Value> {
  private let limit: Int
  private var newer: [Key: (value: Value, cost: Int)] = [:]
  private var older: [Key: (value: Value, cost: Int)] = [:]
  private var cost = 0

  /// Creates an empty cache.
  ///
  /// - Parameter limit: The cost of one half.
  init(limit: Int) {
    self.limit = limit
  }

  /// Returns a value, and notes that it was used.
  mutating func value(_ key: Key) -> Value? {
    if let found = newer[key] { return found.value }
    guard let found = older[key] else { return nil }
    insert(found.value, for: key, cost: found.cost)
    return found.value
  }

  mutating func insert(_ value: Value, for key: Key, cost: Int = 1) {
    guard cost <= limit else { return }
    if self.cost + cost > limit {
      (older, newer) = (newer, [:])
      self.cost = 0
    }
    if let replaced = newer.updateValue((value, cost), forKey: key) { self.cost -= replaced.cost }
    self.cost += cost
  }
}
