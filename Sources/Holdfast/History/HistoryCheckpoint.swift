/// The state of a change history at one moment, from which later changes are determined.
struct HistoryCheckpoint: Equatable, Sendable {
  /// The identity of a history and of its schema: while it is the same, so are the tables.
  struct Basis: Equatable, Sendable {
    /// The identifier of the history.
    var store: String
    /// The version of the schema.
    var schemaVersion: Int64
  }

  /// The tables in the schema, without SQLite's own and the history's.
  struct Tables: Equatable, Sendable {
    /// The tracked tables, by their numbers in the history.
    var noted: [Int64: String]
    /// All other tables, including virtual ones and their shadow tables.
    var others: Set<String>
  }

  /// A position in the history.
  struct Position: Equatable, Sendable {
    var number: Int64
    /// The time of the change; `nil` when no change has the number.
    var time: Int64?
  }

  /// The result of a later query.
  struct Finding: Equatable, Sendable {
    var basis: Basis
    /// Whether the triggers are recorded as correct for this schema.
    var isRecordedAsIntact: Bool
    /// The lowest number after which all changes are kept.
    var start: Int64
    /// The last change.
    var last: Position
    /// The time of the change that was the last one at the earlier query.
    var timeOfPosition: Int64?
    /// The numbers of the tables that have changed since.
    var sources: Set<Int64>
  }

  /// The changes between two queries.
  enum Answer: Equatable, Sendable {
    /// These tables may have changed; any when `nil`.
    case tables(Set<String>?)
    /// The checkpoint is no longer valid and must be read again: the history does not reach back to
    /// it, is another one, the schema has changed, or triggers were repaired.
    case outdated
  }

  let basis: Basis
  /// The tables; `nil` when some table's triggers are incorrect.
  let tables: Tables?
  private(set) var position: Position

  init(_ basis: Basis, _ tables: Tables?, at position: Position) {
    self.basis = basis
    self.tables = tables
    self.position = position
  }

  /// Advances to the result of a later query.
  ///
  /// - Returns: The tables that may have changed in between.
  mutating func advance(to finding: Finding) -> Answer {
    guard finding.basis == basis, finding.start <= position.number,
      position.number <= finding.last.number
    else { return .outdated }
    if tables == nil && finding.isRecordedAsIntact { return .outdated }
    // An older copy of the database that has diverged since. A purged change has no time.
    if let before = position.time, let now = finding.timeOfPosition, before != now {
      return .outdated
    }
    position = finding.last
    guard let tables, finding.sources.allSatisfy({ tables.noted[$0] != nil }) else {
      return .tables(nil)
    }
    return .tables(tables.others.union(finding.sources.compactMap { tables.noted[$0] }))
  }
}
