/// The savepoints of a transaction, each with how much had been noted when it began.
///
/// - SeeAlso: <https://www.sqlite.org/lang_savepoint.html>
struct SavepointStack {
  /// How much had been noted at some moment.
  struct Mark: Equatable {
    var changes = 0
    var events = 0
  }

  private var savepoints: [(name: DatabaseIdentifier, mark: Mark)] = []

  var isEmpty: Bool { savepoints.isEmpty }

  /// Notes that a savepoint of that name began.
  mutating func begin(_ name: DatabaseIdentifier, at mark: Mark) {
    savepoints.append((name, mark))
  }

  /// Returns how much stays of what was noted when a transaction goes back to a savepoint, which
  /// stays on the stack itself.
  ///
  /// One that is not known began before anything was noted.
  mutating func rollBack(to name: DatabaseIdentifier) -> Mark {
    while let last = savepoints.last, last.name != name { savepoints.removeLast() }
    return savepoints.last?.mark ?? Mark()
  }

  /// Notes that a savepoint, and all inside of it, became part of what is around them.
  mutating func release(_ name: DatabaseIdentifier) {
    while let last = savepoints.popLast(), last.name != name {}
  }

  mutating func removeAll() {
    savepoints.removeAll(keepingCapacity: true)
  }
}
