/// The triggers by which a table writes its history.
///
/// SQLite fires no delete trigger for a row that a REPLACE takes away, unless the writer has set
/// `recursive_triggers`. So each row that stands in the way of a new one is noted *before*, as a
/// candidate; whether it is gone is seen when the history is read.
///
/// - SeeAlso: <https://www.sqlite.org/lang_conflict.html>
struct HistoryTriggers {
  private let source: HistorySource

  init(of source: HistorySource) {
    self.source = source
  }

  /// The text of each trigger, by name.
  ///
  /// Equal texts do the same: by them it is seen whether a table was changed since.
  var all: [String: String] {
    let same = sameKey
    let parts: [(name: String, event: String, body: String)] = [
      ("conflict_insert", "BEFORE INSERT", candidates(ofUpdate: false)),
      ("insert", "AFTER INSERT", note(.insert, "NEW")),
      ("conflict_update", "BEFORE UPDATE", candidates(ofUpdate: true)),
      ("update", "AFTER UPDATE", note(.update, "NEW")),
      ("rekey", "AFTER UPDATE", note(.delete, "OLD") + "\n" + note(.insert, "NEW")),
      ("delete", "AFTER DELETE", note(.delete, "OLD")),
    ]
    let pairs = parts.map { part in
      let name = "holdfast_history_\(source.id)_\(part.name)"
      let condition =
        switch part.name {
        case "update": " WHEN \(same)"
        case "rekey": " WHEN NOT (\(same))"
        case "conflict_insert": " WHEN \(isInTheWay(ofUpdate: false))"
        case "conflict_update": " WHEN (\(mayConflict)) AND (\(isInTheWay(ofUpdate: true)))"
        default: ""
        }
      return (
        name,
        "CREATE TRIGGER \(name) \(part.event) ON \(source.table.quotedDatabaseIdentifier)"
          + "\(condition) BEGIN\n\(part.body)\nEND"
      )
    }
    return Dictionary(uniqueKeysWithValues: pairs)
  }

  /// Whether triggers that a table has are these, byte for byte.
  func areSame(as triggers: [String: String]) -> Bool {
    let all = all
    return all.count == triggers.count
      && all.allSatisfy { triggers[$0]?.hasSameBytes(as: $1) == true }
  }

  /// The source whose trigger has the name; `nil` when it is none of these.
  static func source(ofTrigger name: String) -> Int64? {
    let parts = name.split(separator: "_", maxSplits: 3)
    return parts.count == 4 ? Int64(parts[2]) : nil
  }

  /// Makes the triggers, in place of others.
  func remake(insteadOf old: some Sequence<String>, _ db: Database) throws {
    try HistoryStore.widen(to: source.keyColumns.count, db)
    try Self.drop(old, db)
    for (_, sql) in all.sorted(by: { $0.key < $1.key }) {
      try db.execute(sql: sql)
    }
  }

  static func drop(_ names: some Sequence<String>, _ db: Database) throws {
    for name in names.sorted() {
      try db.execute(sql: "DROP TRIGGER main.\(name)")
    }
  }

  // MARK: - Notes

  private var keyList: String {
    source.keyColumns.indices.map { "key\($0)" }.joined(separator: ", ")
  }

  private func note(_ kind: HistoryEvent.Kind, _ row: String) -> String {
    let key = source.keyColumns.map { "\(row).\($0.quotedDatabaseIdentifier)" }
    return """
      INSERT INTO holdfast_history (source, kind, time, \(keyList)) \
      VALUES (\(source.id), \(kind.rawValue), \(HistoryStore.now), \(key.joined(separator: ", ")));
      """
  }

  /// That an UPDATE keeps the key, byte for byte and in its storage class.
  private var sameKey: String {
    source.keyColumns.map { name in
      let column = name.quotedDatabaseIdentifier
      guard !source.isKeyedByRowID else { return "OLD.\(column) = NEW.\(column)" }
      return "OLD.\(column) IS NEW.\(column) COLLATE BINARY"
        + " AND typeof(OLD.\(column)) = typeof(NEW.\(column))"
    }.joined(separator: " AND ")
  }

  // MARK: - Candidates

  private func candidates(ofUpdate isUpdate: Bool) -> String {
    let columns = source.keyColumns.map(\.quotedDatabaseIdentifier).joined(separator: ", ")
    return rowsInTheWay(ofUpdate: isUpdate).map { rows in
      """
      INSERT INTO holdfast_history (source, kind, time, \(keyList)) \
      SELECT \(source.id), \(HistoryEvent.Kind.candidate.rawValue), \(HistoryStore.now), \(columns) \
      \(rows);
      """
    }.joined(separator: "\n")
  }

  /// That there is a candidate.
  ///
  /// It is asked first because there mostly is none: inserting what a SELECT finds makes SQLite
  /// gather it in a table of its own, which costs more than all else.
  private func isInTheWay(ofUpdate isUpdate: Bool) -> String {
    rowsInTheWay(ofUpdate: isUpdate).map { "EXISTS (SELECT 1 \($0))" }.joined(separator: " OR ")
  }

  /// The rows that are in the way of the new one, for each constraint.
  private func rowsInTheWay(ofUpdate isUpdate: Bool) -> [String] {
    let isOther =
      isUpdate
      ? source.rowID.map {
        " AND \($0.quotedDatabaseIdentifier) <> OLD.\($0.quotedDatabaseIdentifier)"
      } ?? "" : ""
    return source.constraints.map { constraint in
      "FROM \(source.table.quotedDatabaseIdentifier) "
        + "WHERE \(conflict(with: constraint))\(isOther)"
    }
  }

  /// That a row of the table is in the way of the new one.
  private func conflict(with constraint: UniqueConstraint) -> String {
    switch constraint {
    case .rowID(let name):
      return "\(name.quotedDatabaseIdentifier) = NEW.\(name.quotedDatabaseIdentifier)"
    case .index(let terms, let predicate):
      // Null is different from null here, as it is in an index: no comparison holds.
      let comparisons = terms.map { term in
        "(\(term.sql)) = \(value(of: term)) COLLATE \(term.collation.quotedDatabaseIdentifier)"
      }
      return (comparisons + (predicate.map { ["(\($0))"] } ?? [])).joined(separator: " AND ")
    }
  }

  /// What the term is for the new row.
  private func value(of term: UniqueConstraint.Term) -> String {
    if let column = term.column { return "NEW.\(column.quotedDatabaseIdentifier)" }
    // The names in an expression cannot be qualified; here they mean the new row's columns.
    // Only those that it names, because no other could be dropped from the table any more.
    let words = Set(SQLTokens(term.sql).map(\.unquotedName))
    let columns = source.columns.filter { words.contains($0.foldedDatabaseIdentifier) }
      .map(\.quotedDatabaseIdentifier)
    let row =
      columns.isEmpty
      ? "1" : columns.map { "NEW.\($0) AS \($0)" }.joined(separator: ", ")
    return "(SELECT \(term.sql) FROM (SELECT \(row)))"
  }

  /// That an UPDATE touches what must be unique, as far as can be said without expressions.
  private var mayConflict: String {
    var columns: [String] = []
    for constraint in source.constraints {
      switch constraint {
      case .rowID(let name): columns.append(name)
      case .index(let terms, nil) where terms.allSatisfy { $0.column != nil }:
        columns += terms.compactMap(\.column)
      case .index: return "1"
      }
    }
    let names = Set(columns.map(ExactText.init)).sorted().map(\.text.quotedDatabaseIdentifier)
    return names.map { "OLD.\($0) IS NOT NEW.\($0) COLLATE BINARY" }.joined(separator: " OR ")
  }
}
