/// The rows that a statement has changed so far in one run.
struct PendingRowChanges {
  /// The statement, which runs once at a time.
  let statement: ObservedStatement

  /// The observations to notify of them.
  let observations: [RowObservation]

  /// Whether the rows' ids are kept, which ends when there are too many of them.
  private(set) var keepsIDs: Bool

  /// The ids of the rows changed so far, by the name of their table.
  private var rowIDs: [DatabaseIdentifier: Set<Int64>] = [:]
  private var idCount = 0
  private var eventCount = 0

  // The latest deletions that SQLite has announced and not yet reported.
  private var announced: [DatabaseEvent] = []

  init(_ statement: ObservedStatement, observations: [RowObservation], keepsIDs: Bool) {
    self.statement = statement
    self.observations = observations
    self.keepsIDs = keepsIDs
  }

  /// Records that a row is about to change.
  mutating func announce(_ event: DatabaseEvent, rowIDAfter: Int64) {
    if keepsIDs {
      keep(event.rowID, of: event)
      keep(rowIDAfter, of: event)
    }
    if event.kind == .delete { announced.append(event) }
  }

  /// Records that a row has changed.
  ///
  /// - Returns: The replaced rows, which SQLite does not report, as events to report before this
  ///   one; `nil` when there are none.
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
    // A row without a rowid is announced too, but its change is never reported.
    let silent = announced.filter { $0.isBeside(event) }
    announced.removeAll { $0.isBeside(event) }
    return silent
  }

  private mutating func keep(_ rowID: Int64, of event: DatabaseEvent) {
    let isNew = rowIDs[event.tableName.foldedDatabaseIdentifier, default: []].insert(rowID).inserted
    idCount += isNew ? 1 : 0
    if idCount > TransactionChanges.maximumRowCount { forgetIDs() }
  }

  /// Forgets the rows, and keeps no others.
  mutating func forgetIDs() {
    rowIDs = [:]
    keepsIDs = false
  }

  /// Returns the rows if SQLite reported as many as it counted, and `nil` otherwise.
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
