import HoldfastSQLite

/// An observer that records all notifications.
final class TransactionDiary: TransactionObserver {
  var lines: [String] = []
  var observed: (DatabaseEventKind) -> Bool = { _ in true }
  var onEvent: (TransactionDiary, DatabaseEvent) -> Void = { _, _ in }
  var willCommit: () throws -> Void = {}

  func observes(eventsOfKind eventKind: DatabaseEventKind) -> Bool { observed(eventKind) }

  func databaseDidChange() { lines.append("change") }

  func databaseDidChange(with event: DatabaseEvent) {
    lines.append("\(event.kind) \(event.tableName) \(event.rowID)")
    onEvent(self, event)
  }

  func databaseWillCommit() throws {
    lines.append("will commit")
    try willCommit()
  }

  func databaseDidCommit(_ db: Database) {
    lines.append(db.isInsideTransaction ? "commit inside" : "commit")
  }

  func databaseDidRollback(_ db: Database) {
    lines.append(db.isInsideTransaction ? "rollback inside" : "rollback")
  }

  /// Returns the entries recorded since the last call.
  func take() -> [String] {
    defer { lines = [] }
    return lines
  }
}
