/// The changes of one transaction, statement by statement.
package struct TransactionChanges: Sendable {
  /// The changes of one statement, in all of its runs.
  struct Part: Sendable {
    let effects: StatementEffects

    /// The changed rows by the name of their table; `nil` when they are not known.
    var rowIDs: [DatabaseIdentifier: Set<Int64>]?
  }

  /// The largest number of rows that a part names; changes of more rows are changes of all.
  static let maximumRowCount = 1000

  private(set) var parts: [Part] = []

  init() {}

  /// Creates changes of which only the region is known.
  package init(in region: DatabaseRegion) {
    parts = [Part(effects: StatementEffects(modifying: region))]
  }

  package var isEmpty: Bool { parts.isEmpty }

  var count: Int { parts.count }

  /// Adds a part, or adds its rows to the part of the same statement.
  ///
  /// - Parameters:
  ///   - part: The part.
  ///   - index: The index of the statement's last part; updated when the part is added.
  ///   - mark: The number of parts before the innermost savepoint, which stay as they are.
  mutating func insert(_ part: Part, at index: inout Int, after mark: Int) {
    if index >= mark, parts.indices.contains(index), parts[index].effects === part.effects {
      return parts[index].add(part.rowIDs)
    }
    index = parts.count
    parts.append(part)
  }

  /// Adds the changes of another transaction, and joins the changes of equal statements.
  mutating func insert(contentsOf other: TransactionChanges) {
    for part in other.parts {
      if let index = parts.firstIndex(where: { $0.effects === part.effects }) {
        parts[index].add(part.rowIDs)
      } else {
        parts.append(part)
      }
    }
  }

  /// Removes the last parts until `count` are left.
  mutating func removeLast(downTo count: Int) {
    parts.removeLast(max(0, parts.count - count))
  }

  mutating func removeAll() {
    parts.removeAll(keepingCapacity: true)
  }

  /// Returns whether any of the changes may be in the region.
  package func touch(_ region: DatabaseRegion) -> Bool {
    parts.contains { $0.touches(region) }
  }
}

extension TransactionChanges.Part {
  /// Adds the rows of another run of the statement.
  fileprivate mutating func add(_ others: [DatabaseIdentifier: Set<Int64>]?) {
    guard rowIDs != nil else { return }
    guard let others else { return rowIDs = nil }
    for (table, rows) in others { rowIDs?[table, default: []].formUnion(rows) }
    let count = rowIDs?.values.reduce(0) { $0 + $1.count } ?? 0
    if count > TransactionChanges.maximumRowCount { rowIDs = nil }
  }

  func touches(_ region: DatabaseRegion) -> Bool {
    var modified = effects.modifiedRegion
    if region.namesRows, let rowIDs {
      for (table, rows) in rowIDs {
        modified = modified.narrowed(table, to: rows)
      }
    }
    return region.intersects(modified)
  }
}
