/// The savepoints of a transaction, each with the number of changes recorded before it.
///
/// - SeeAlso: <https://www.sqlite.org/lang_savepoint.html>
struct SavepointStack {
  /// The number of changes and events recorded at some time.
  struct Mark: Equatable {
    var changes = 0
    var events = 0
  }

  private var savepoints: [(name: DatabaseIdentifier, mark: Mark)] = []

  var isEmpty: Bool { savepoints.isEmpty }

  /// The mark of the innermost savepoint, or of the transaction's beginning.
  var mark: Mark { savepoints.last?.mark ?? Mark() }

  /// Adds a savepoint.
  mutating func begin(_ name: DatabaseIdentifier, at mark: Mark) {
    savepoints.append((name, mark))
  }

  /// Rolls back to a savepoint, which stays on the stack, and returns its mark.
  ///
  /// An unknown savepoint began before anything was recorded.
  mutating func rollBack(to name: DatabaseIdentifier) -> Mark {
    while let last = savepoints.last, last.name != name { savepoints.removeLast() }
    return mark
  }

  /// Removes a savepoint and those inside it; their changes become part of the enclosing one.
  mutating func release(_ name: DatabaseIdentifier) {
    while let last = savepoints.popLast(), last.name != name {}
  }

  mutating func removeAll() {
    savepoints.removeAll(keepingCapacity: true)
  }
}
