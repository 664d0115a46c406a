/// What was changed by one transaction, statement by statement.
package struct TransactionChanges: Sendable {
  /// What one statement changed, in all of its runs.
  struct Part: Sendable {
    let effects: StatementEffects

    /// The rows by their table's name, `nil` when they are not known.
    var rowIDs: [DatabaseIdentifier: Set<Int64>]?
  }

  private(set) var parts: [Part] = []

  init() {}

  /// Creates changes of which nothing is known but where they are.
  package init(in region: DatabaseRegion) {
    parts = [Part(effects: StatementEffects(modifying: region))]
  }

  package var isEmpty: Bool { parts.isEmpty }

  var count: Int { parts.count }

  /// Adds a part, unless that statement has one already.
  ///
  /// - Parameters:
  ///   - part: The part.
  ///   - place: Where the statement's last part went.
  mutating func insert(_ part: Part, at place: inout Int) {
    if parts.indices.contains(place), parts[place].effects === part.effects,
      parts[place].rowIDs == nil
    {
      return
    }
    place = parts.count
    parts.append(part)
  }

  mutating func insert(contentsOf other: TransactionChanges) {
    for part in other.parts
    where part.rowIDs != nil || !parts.contains(where: { $0.effects === part.effects }) {
      parts.append(part)
    }
  }

  /// Forgets what was added last, until so much is left.
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
