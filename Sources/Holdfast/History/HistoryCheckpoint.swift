/// Where a change history stood when somebody looked at it, by which it is known what changed since.
struct HistoryCheckpoint: Equatable, Sendable {
  /// What a table's part in the history rests on: while it is the same, so are the tables.
  struct Basis: Equatable, Sendable {
    /// Which history.
    var store: String
    /// The schema.
    var schemaVersion: Int64
  }

  /// The names in the schema, SQLite's own and the history's left out.
  struct Tables: Equatable, Sendable {
    /// The tables whose changes are noted, by their numbers in the history.
    var noted: [Int64: String]
    /// All other tables, virtual ones and their shadows included.
    var others: Set<String>
  }

  /// A change in the history.
  struct Place: Equatable, Sendable {
    var number: Int64
    /// When it was made; `nil` when no change has the number.
    var time: Int64?
  }

  /// What a later look finds.
  struct Finding: Equatable, Sendable {
    var basis: Basis
    /// Whether somebody has noted that the triggers are right for this schema.
    var isNotedAsRight: Bool
    /// The lowest number after which everything is kept.
    var start: Int64
    /// The last change.
    var last: Place
    /// When the change was made that was the last one before.
    var timeOfPlace: Int64?
    /// The numbers of the tables that have changed since.
    var sources: Set<Int64>
  }

  /// What a later look says of the time in between.
  enum Answer: Equatable, Sendable {
    /// These tables may have changed; any when `nil`.
    case tables(Set<String>?)
    /// Nothing, for this moment is no longer worth anything, and a new one must be learnt: the
    /// history does not reach back to it, is another one, the schema has changed, or triggers were
    /// made right.
    case outdated
  }

  let basis: Basis
  /// `nil` when some table's triggers are not right.
  let tables: Tables?
  private(set) var place: Place

  init(_ basis: Basis, _ tables: Tables?, at place: Place) {
    self.basis = basis
    self.tables = tables
    self.place = place
  }

  /// Goes on to what a later look found.
  ///
  /// - Returns: What may have changed in between.
  mutating func advance(to finding: Finding) -> Answer {
    guard finding.basis == basis, finding.start <= place.number,
      place.number <= finding.last.number
    else { return .outdated }
    if tables == nil && finding.isNotedAsRight { return .outdated }
    // An older copy of the database that went another way since. What was purged has no time.
    if let before = place.time, let now = finding.timeOfPlace, before != now { return .outdated }
    place = finding.last
    guard let tables, finding.sources.allSatisfy({ tables.noted[$0] != nil }) else {
      return .tables(nil)
    }
    return .tables(tables.others.union(finding.sources.compactMap { tables.noted[$0] }))
  }
}
