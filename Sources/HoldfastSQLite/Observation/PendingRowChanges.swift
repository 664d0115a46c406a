/// What is gathered of the rows that one run of a statement changes.
struct PendingRowChanges {
  /// Who is told of them.
  let observations: [RowObservation]

  /// Whether their ids are kept.
  let keepsIDs: Bool

  /// The rows changed so far, by the name of their table.
  private var rowIDs: [DatabaseIdentifier: Set<Int64>] = [:]
  private var eventCount = 0

  // The latest ones, which SQLite has announced and not yet told as deleted.
  private var announced: [DatabaseEvent] = []

  init(observations: [RowObservation], keepsIDs: Bool) {
    self.observations = observations
    self.keepsIDs = keepsIDs
  }

  /// Notes what is about to happen to a row.
  mutating func announce(_ event: DatabaseEvent, rowIDAfter: Int64) {
    if keepsIDs {
      keep(event.rowID, of: event)
      keep(rowIDAfter, of: event)
    }
    if event.kind == .delete { announced.append(event) }
  }

  /// Notes what has happened to a row.
  ///
  /// - Returns: The events to tell, rows that silently made place first.
  mutating func note(_ event: DatabaseEvent) -> [DatabaseEvent]? {
    eventCount += 1
    if keepsIDs { keep(event.rowID, of: event) }
    guard !announced.isEmpty else { return nil }
    if event.kind == .delete {
      if let index = announced.lastIndex(where: { $0.rowID == event.rowID && $0.isBeside(event) }) {
        announced.remove(at: index)
      }
      return nil
    }
    // A row without a rowid is announced too, and nothing more is told of its table.
    let silent = announced.filter { $0.isBeside(event) }
    announced.removeAll { $0.isBeside(event) }
    return silent
  }

  private mutating func keep(_ rowID: Int64, of event: DatabaseEvent) {
    rowIDs[event.tableName.foldedDatabaseIdentifier, default: []].insert(rowID)
  }

  /// Returns the rows, if SQLite told of as many as it counted.
  func knownRowIDs(changeCount: Int, _ effects: StatementEffects) -> [DatabaseIdentifier: Set<
    Int64
  >]? {
    guard keepsIDs, !effects.changesSchema, changeCount == eventCount else { return nil }
    let onlyDeletes = effects.eventKinds.allSatisfy { kind in
      if case .delete = kind { true } else { false }
    }
    return ChangeHooks.seeReplacedRows || onlyDeletes ? rowIDs : nil
  }
}
