/// The triggers that record a table's changes in the history.
///
/// SQLite fires no delete trigger for a row that a REPLACE removes, unless the writer has set
/// `recursive_triggers`. So each row that conflicts with a new one is recorded *before*, as a
/// candidate; whether it was deleted is determined when the history is read.
///
/// - SeeAlso: <https://www.sqlite.org/lang_conflict.html>
struct HistoryTriggers {
  private let source: HistorySource

  init(of source: HistorySource) {
    self.source = source
  }

  /// The text of each trigger, by name.
  ///
  /// Equal texts have the same effect, so a difference shows that the table was changed.
  var all: [String: String] {
    let same = sameKey
    let (any, named) = (updateConflicts.filter { $0.columns == nil }, namedUpdateConflicts)
    var parts: [(name: String, event: String, condition: String?, body: String)] = [
      (
        "conflict_insert", "BEFORE INSERT", isInTheWay(insertConflicts),
        candidates(insertConflicts)
      ),
      ("insert", "AFTER INSERT", nil, note(.insert, "NEW")),
      ("update", "AFTER UPDATE", same, note(.update, "NEW")),
      (
        "rekey", "AFTER UPDATE", "NOT (\(same))",
        note(.delete, "OLD") + "\n" + note(.insert, "NEW")
      ),
      ("delete", "AFTER DELETE", nil, note(.delete, "OLD")),
    ]
    if !any.isEmpty {
      parts.append(
        (
          "conflict_update", "BEFORE UPDATE", "(\(mayConflict)) AND (\(isInTheWay(any)))",
          candidates(any)
        ))
    }
    if !named.isEmpty {
      let columns = Set(named.compactMap(\.columns).joined())
      let list = source.columns.filter { columns.contains($0.foldedDatabaseIdentifier) }
        .map(\.quotedDatabaseIdentifier).joined(separator: ", ")
      parts.append(
        ("conflict_update_of", "BEFORE UPDATE OF \(list)", isInTheWay(named), candidates(named)))
    }
    let pairs = parts.map { part in
      let name = "\(Self.prefix)\(source.id)_\(part.name)"
      return (
        name,
        "CREATE TRIGGER \(name) \(part.event) ON \(source.table.quotedDatabaseIdentifier)"
          + "\(part.condition.map { " WHEN \($0)" } ?? "") BEGIN\n\(part.body)\nEND"
      )
    }
    return Dictionary(uniqueKeysWithValues: pairs)
  }

  /// Returns whether a table's existing triggers are these, byte for byte.
  func areSame(as triggers: [String: String]) -> Bool {
    let all = all
    return all.count == triggers.count
      && all.allSatisfy { triggers[$0]?.hasSameBytes(as: $1) == true }
  }

  /// Returns whether the trigger with a name is needed only for certain indexes.
  static func isForSomeIndexes(_ name: String) -> Bool { name.hasSuffix("_conflict_update_of") }

  /// Returns the number of the table whose trigger has a name; `nil` for other triggers.
  static func source(ofTrigger name: String) -> Int64? {
    guard name.foldedDatabaseIdentifier.hasPrefix(prefix) else { return nil }
    let rest = name.utf8.dropFirst(prefix.utf8.count)
    let digits = String(decoding: rest.prefix { $0 != UInt8(ascii: "_") }, as: UTF8.self)
    // Only as the history writes it: `Int64` also accepts signs and leading zeros.
    guard let source = Int64(digits), source >= 0, "\(source)".hasSameBytes(as: digits) else {
      return nil
    }
    return source
  }

  /// Returns the names of all triggers of the history.
  static func names(_ db: Database) throws -> [String] {
    try String.fetchAll(db, sql: "SELECT name FROM main.sqlite_schema WHERE type = 'trigger'")
      .filter { source(ofTrigger: $0) != nil }
  }

  /// The prefix of the names of all triggers, before the number of the source.
  private static let prefix = "holdfast_history_"

  /// Makes the triggers, in place of others.
  func remake(insteadOf old: some Sequence<String>, _ db: Database) throws {
    try HistoryStore.widen(to: source.subjectCount, db)
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
    (0..<source.subjectCount).map { "key\($0)" }.joined(separator: ", ")
  }

  /// Returns SQL for the values that identify a row.
  private func subject(_ prefix: String) -> String {
    let key = source.keyColumns.map { prefix + $0.quotedDatabaseIdentifier }
    var values = key
    if source.mayShareKeys, let rowID = source.rowID {
      let isNull = key.map { "\($0) IS NULL" }.joined(separator: " OR ")
      values.append("CASE WHEN \(isNull) THEN \(prefix)\(rowID.quotedDatabaseIdentifier) END")
    }
    return values.joined(separator: ", ")
  }

  private func note(_ kind: HistoryEvent.Kind, _ row: String) -> String {
    """
    INSERT INTO holdfast_history (source, kind, time, \(keyList)) \
    VALUES (\(source.id), \(kind.rawValue), \(HistoryStore.now), \(subject("\(row).")));
    """
  }

  /// The condition that an UPDATE keeps the key, byte for byte and in its storage class.
  private var sameKey: String {
    var parts = source.keyColumns.map { name in
      let column = name.quotedDatabaseIdentifier
      guard !source.isKeyedByRowID else { return "OLD.\(column) = NEW.\(column)" }
      return "OLD.\(column) IS NEW.\(column) COLLATE BINARY"
        + " AND typeof(OLD.\(column)) = typeof(NEW.\(column))"
    }
    if source.mayShareKeys, let rowID = source.rowID?.quotedDatabaseIdentifier {
      let isKey = source.keyColumns.map { "OLD.\($0.quotedDatabaseIdentifier) IS NOT NULL" }
      parts.append(
        "(OLD.\(rowID) = NEW.\(rowID) OR (\(isKey.joined(separator: " AND "))))")
    }
    return parts.joined(separator: " AND ")
  }

  // MARK: - Candidates

  /// Rows that may conflict with the new one.
  private struct Conflict {
    /// The condition for such a row.
    var condition: String

    /// The folded names of the columns of which an UPDATE must set one to conflict, if all are
    /// known.
    var columns: Set<DatabaseIdentifier>?
  }

  private func candidates(_ conflicts: [Conflict]) -> String {
    conflicts.map { conflict in
      """
      INSERT INTO holdfast_history (source, kind, time, \(keyList)) \
      SELECT \(source.id), \(HistoryEvent.Kind.candidate.rawValue), \(HistoryStore.now), \
      \(subject("")) \(rows(in: conflict));
      """
    }.joined(separator: "\n")
  }

  /// Returns the condition that there is a candidate.
  ///
  /// It is tested first because there usually is none: for an INSERT from a SELECT, SQLite collects
  /// the rows in a temporary table, which costs more than everything else.
  private func isInTheWay(_ conflicts: [Conflict]) -> String {
    conflicts.map { "EXISTS (SELECT 1 \(rows(in: $0)))" }.joined(separator: " OR ")
  }

  private func rows(in conflict: Conflict) -> String {
    "FROM \(source.table.quotedDatabaseIdentifier) WHERE \(conflict.condition)"
  }

  private var insertConflicts: [Conflict] {
    source.constraints.flatMap(conflicts)
  }

  private var updateConflicts: [Conflict] {
    let isOther =
      source.rowID.map {
        " AND \($0.quotedDatabaseIdentifier) <> OLD.\($0.quotedDatabaseIdentifier)"
      } ?? ""
    return insertConflicts.map { Conflict(condition: $0.condition + isOther, columns: $0.columns) }
  }

  /// The conflicts that only an UPDATE of certain columns can cause.
  ///
  /// SQLite compiles a trigger OF columns only for a statement that sets one of them: so a writer
  /// that lacks a function or a collation of an index can still update columns that the index does
  /// not use, as it can without a history.
  private var namedUpdateConflicts: [Conflict] {
    updateConflicts.filter { $0.columns?.isEmpty == false }
  }

  /// Returns the rows that conflict with the new one by a constraint.
  private func conflicts(with constraint: UniqueConstraint) -> [Conflict] {
    guard case .index(let terms, let predicate) = constraint else {
      guard case .rowID(let name) = constraint else { return [] }
      let column = name.quotedDatabaseIdentifier
      return [Conflict(condition: "\(column) = NEW.\(column)", columns: nil)]
    }
    let columns = namedColumns(of: terms, predicate)
    // NULL is different from NULL here, as it is in an index: no comparison is true.
    let comparisons = terms.map { term in
      "(\(term.sql)) = \(value(of: term)) COLLATE \(term.collation.quotedDatabaseIdentifier)"
    }
    let condition = (predicate.map { ["(\($0.sql))"] } ?? []) + references(from: terms)
    var found = [
      Conflict(condition: (comparisons + condition).joined(separator: " AND "), columns: columns)
    ]
    let doubts = terms.map(columnsInDoubt)
    let doubtful = spellings(of: Set(doubts.joined()))
    if !doubtful.isEmpty {
      // The values of these terms are not known yet, so each row that matches the others may
      // conflict.
      let isNull = doubtful.map { "NEW.\($0.quotedDatabaseIdentifier) IS NULL" }
      let certain = zip(comparisons, doubts).filter(\.1.isEmpty).map(\.0)
      let parts = ["(\(isNull.joined(separator: " OR ")))"] + certain + condition
      found.append(Conflict(condition: parts.joined(separator: " AND "), columns: columns))
    }
    return found
  }

  /// Returns conditions that are always true, and name the columns that generated columns use.
  ///
  /// In a BEFORE UPDATE trigger, SQLite uses NULL for each unchanged column that the trigger does
  /// not name, and computes the generated columns of NEW from that.
  private func references(from terms: [UniqueConstraint.Term]) -> [String] {
    spellings(of: bases(of: Set(terms.flatMap(\.names)))).map {
      "typeof(NEW.\($0.quotedDatabaseIdentifier)) <> ''"
    }
  }

  /// Returns the names of columns as the table spells them, in the table's order.
  private func spellings(of names: Set<DatabaseIdentifier>) -> [String] {
    source.columns.filter { names.contains($0.foldedDatabaseIdentifier) }
  }

  /// Returns the columns from which the generated ones among some columns are computed.
  private func bases(of names: Set<DatabaseIdentifier>) -> Set<DatabaseIdentifier> {
    Set(names.compactMap { source.generatedColumns[$0] }.joined())
  }

  /// Returns SQL for the term's value in the new row.
  private func value(of term: UniqueConstraint.Term) -> String {
    if let column = term.column {
      let value = "NEW.\(column.quotedDatabaseIdentifier)"
      guard case .known(let sql)? = source.defaults[column.foldedDatabaseIdentifier] else {
        return value
      }
      // A REPLACE substitutes the default for NULL, after this trigger.
      return "ifnull(\(value), (\(sql)))"
    }
    // The names in an expression cannot be qualified; here they mean the new row's columns. Only
    // the columns that it names are listed, because a listed one can no longer be dropped.
    let columns = source.columns.filter { term.names.contains($0.foldedDatabaseIdentifier) }
      .map(\.quotedDatabaseIdentifier)
    let row =
      columns.isEmpty
      ? "1" : columns.map { "NEW.\($0) AS \($0)" }.joined(separator: ", ")
    return "(SELECT \(term.sql) FROM (SELECT \(row)))"
  }

  /// Returns the columns for which the term's value is not known if they are NULL in the new row.
  private func columnsInDoubt(_ term: UniqueConstraint.Term) -> Set<DatabaseIdentifier> {
    let isComputed = term.column == nil || source.generatedColumns[term.names.first ?? ""] != nil
    return term.names.union(bases(of: term.names)).filter { name in
      isComputed ? source.defaults[name] != nil : source.defaults[name] == .unknown
    }
  }

  /// Returns the columns of which an UPDATE must set one to conflict; `nil` if others may matter.
  private func namedColumns(
    of terms: [UniqueConstraint.Term], _ predicate: UniqueConstraint.Condition?
  ) -> Set<DatabaseIdentifier>? {
    let ofAllConnections: [DatabaseIdentifier] = ["binary", "nocase", "rtrim"]
    let isPlain =
      predicate == nil
      && terms.allSatisfy {
        $0.column != nil && ofAllConnections.contains($0.collation.foldedDatabaseIdentifier)
      }
    let names = terms.reduce(predicate?.names ?? []) { $0.union($1.names) }
    // The rowid has several names, and a generated column changes with others.
    let changesWithOthers =
      !names.isDisjoint(with: source.generatedColumns.keys)
      || !names.isDisjoint(with: PrimaryKeyInfo.allRowIDNames.map(\.foldedDatabaseIdentifier))
      || source.rowID.map { names.contains($0.foldedDatabaseIdentifier) } == true
    return isPlain || changesWithOthers ? nil : names
  }

  /// The condition that an UPDATE may change unique columns, as far as known without expressions.
  private var mayConflict: String {
    var columns: Set<ExactText> = []
    var doubtful: Set<DatabaseIdentifier> = []
    for constraint in source.constraints {
      switch constraint {
      case .rowID(let name): columns.insert(ExactText(name))
      case .index(let terms, let predicate):
        guard namedColumns(of: terms, predicate) == nil else { continue }
        guard predicate == nil, terms.allSatisfy({ $0.column != nil }) else { return "1" }
        columns.formUnion(terms.compactMap(\.column).map(ExactText.init))
        doubtful.formUnion(terms.flatMap(columnsInDoubt))
      }
    }
    let changes = columns.sorted().map(\.text.quotedDatabaseIdentifier).map {
      "OLD.\($0) IS NOT NEW.\($0) COLLATE BINARY"
    }
    let doubts = spellings(of: doubtful).map { "NEW.\($0.quotedDatabaseIdentifier) IS NULL" }
    return (changes + doubts).joined(separator: " OR ")
  }
}
