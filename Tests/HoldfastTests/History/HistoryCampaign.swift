import Foundation
import Holdfast

/// A randomized test of the change history, with random tables and writers, checked by the table.
///
/// Before and after each batch of statements the whole table is read. Each row that was inserted,
/// deleted or changed must be in the history, with the right kind; replaying every change must lead
/// from one state to the other; and a reader that stops at any change must get the rest.
struct HistoryCampaign {
  /// Whether texts occur in several normalizations.
  static let mixesNormalizations = true

  /// The seed that determines the whole run.
  let seed: UInt64

  /// The number of checked batches.
  private(set) var checkCount = 0

  private var random: CampaignRandom
  private var table: CampaignTable
  private let path: String
  private let folder: URL
  private var author: DatabasePool
  private let foreigner: DatabaseQueue
  private var token: ChangeHistory.Token
  private var log: [String] = []

  /// Whether a user's trigger was created after those of the history, so that its changes are
  /// recorded before the change that fired it.
  private var hasLateTrigger = false
  private var hasTriggers = false

  /// Creates a database with a random tracked table.
  init(seed: UInt64) throws {
    self.seed = seed
    random = CampaignRandom(state: seed)
    table = CampaignTable(&random)
    folder = FileManager.default.temporaryDirectory.appending(path: "holdfast-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    path = folder.appending(path: "t.db").path
    author = try Self.open(path)
    var configuration = Configuration()
    configuration.acceptsDoubleQuotedStringLiterals = true
    foreigner = try DatabaseQueue(path: path, configuration: configuration)
    let sql = table.creation
    log.append(sql)
    let name = table.name
    token = try author.write { db in
      try db.execute(sql: sql)
      try ChangeHistory.install(on: db, tables: [name])
      return try ChangeHistory.currentToken(db)
    }
  }

  /// Runs random steps.
  ///
  /// - Returns: The failure, in one line with the call that reproduces it; `nil` for success.
  mutating func run(steps: Int) throws -> String? {
    defer { end() }
    for step in 0..<steps {
      let count = log.count
      do {
        if random.oneIn(6) { try changeSchema() } else { try changeRows() }
      } catch let wrong as Wrong {
        return line(step, steps, wrong.text, since: count)
      } catch let error as DatabaseError {
        return line(step, steps, error.description, since: count)
      }
    }
    return nil
  }

  private func line(_ step: Int, _ steps: Int, _ text: String, since count: Int) -> String {
    // The statements that created the schema, and those of the step.
    let schema = log[..<count].filter { !$0.hasPrefix("  ") }
    let statements = (schema + log[count...]).joined(separator: "; ")
    return "HistoryCampaign(seed: \(seed)).run(steps: \(steps)), step \(step): \(text); "
      + statements.replacing("\n", with: "\\n")
  }

  private func end() {
    for close in [author.close, foreigner.close] {
      do { try close() } catch { print("\(path): \(error)") }
    }
    do { try FileManager.default.removeItem(at: folder) } catch { print("\(path): \(error)") }
  }

  private static func open(_ path: String) throws -> DatabasePool {
    var configuration = Configuration()
    configuration.historyAuthor = "app"
    return try DatabasePool(path: path, configuration: configuration)
  }

  struct Wrong: Error {
    var text: String
  }

  // MARK: - Rows

  private mutating func changeRows() throws {
    let before = try author.read { [table] db in try table.snapshot(db) }
    let isForeign = random.oneIn(2)
    let statements = (0...random.below(3)).map { _ in "  " + table.statement(&random) }
    log += statements
    // SQLite then fires the delete triggers of rows that a REPLACE removes.
    let isRecursive = isForeign && !hasTriggers && random.oneIn(4)
    let writer: any DatabaseWriter = isForeign ? foreigner : author
    try writer.write { db in
      if isForeign { try db.execute(sql: "PRAGMA recursive_triggers = \(isRecursive)") }
      for sql in statements { try Self.execute(sql, db) }
    }
    try judge(from: before, author: isForeign ? nil : "app")
  }

  /// Runs a statement that may violate a constraint, but must not fail in another way.
  private static func execute(_ sql: String, _ db: Database) throws {
    do {
      try db.execute(sql: sql)
    } catch let error as DatabaseError
      where [.SQLITE_CONSTRAINT, .SQLITE_MISMATCH].contains(error.resultCode)
    {
      return
    }
  }

  private mutating func judge(from before: Snapshot, author name: String?) throws {
    let (token, table) = (token, table)
    let (after, rows, all) = try author.read { db in
      (
        try table.snapshot(db), try ChangeHistory.changes(db, after: token),
        try ChangeHistory.changes(db, after: token, .everyChange)
      )
    }
    guard case .changes(let rowChanges, upTo: let last) = rows,
      case .changes(let every, upTo: _) = all
    else { throw Wrong(text: "expired without a reason: \(rows)") }
    checkCount += 1
    if let change = (rowChanges + every).first(where: { $0.author != name }) {
      throw Wrong(text: "\(change) has another author")
    }
    try judgeRows(rowChanges, before, after)
    if !hasLateTrigger { try replay(every, before, after) }
    if let index = every.indices.randomElement(using: &random) {
      let rest = try author.read { db in
        try ChangeHistory.changes(db, after: every[index].token, .everyChange)
      }
      guard case .changes(let rest, upTo: _) = rest,
        rest.suffix(every.count - index - 1).map(\.key) == every[(index + 1)...].map(\.key)
      else { throw Wrong(text: "after change \(index) of \(every) comes \(rest)") }
    }
    self.token = last
  }

  private func judgeRows(
    _ rowChanges: [ChangeHistory.Change], _ before: Snapshot, _ after: Snapshot
  ) throws {
    let changes = Dictionary(grouping: rowChanges) { Snapshot.encode($0.key) }
    for key in Set(before.rows.keys).union(after.rows.keys).union(changes.keys) {
      let (old, new) = (before.rows[key] ?? [], after.rows[key] ?? [])
      let kinds = changes[key]?.map(\.kind) ?? []
      let balance =
        kinds.count { $0 == .insert } - kinds.count { $0 == .delete }
      guard old == new || !kinds.isEmpty else {
        throw Wrong(text: "\(key) changed from \(old) to \(new), and no change is returned")
      }
      let isShared = key.contains("null") && table.sharesKeys
      if hasLateTrigger && !isShared {
        // It may then be returned as an update, or as a deletion of a row that never existed.
        guard new.isEmpty == (kinds == [.delete] || (kinds.isEmpty && old.isEmpty)) || old == new
        else { throw Wrong(text: "\(key) from \(old) to \(new) is returned as \(kinds)") }
      } else {
        guard balance == new.count - old.count, isShared || kinds.count <= 1 else {
          throw Wrong(text: "\(key) from \(old) to \(new) is returned as \(kinds)")
        }
      }
    }
  }

  private func replay(
    _ changes: [ChangeHistory.Change], _ before: Snapshot, _ after: Snapshot
  ) throws {
    var counts = before.rows.mapValues(\.count)
    for change in changes {
      let key = Snapshot.encode(change.key)
      let isShared = key.contains("null") && table.sharesKeys
      let count = counts[key] ?? 0
      switch change.kind {
      case .insert where count == 0 || isShared: counts[key] = count + 1
      case .update where count > 0: break
      case .delete where count > 0: counts[key] = count == 1 ? nil : count - 1
      default:
        throw Wrong(text: "\(change.kind) of \(key) follows \(count) rows in \(changes)")
      }
    }
    guard counts == after.rows.mapValues(\.count) else {
      throw Wrong(text: "\(changes) lead to \(counts), not to \(after.rows)")
    }
  }

  // MARK: - The schema

  private enum Expectation { case kept, any, expired }

  private mutating func changeSchema() throws {
    let expectation = try changeSchemaOnce()
    let answer = try author.read { [token] db in try ChangeHistory.changes(db, after: token) }
    if case .changes = answer, expectation == .expired {
      throw Wrong(text: "changes may have been missed, and the token has not expired")
    }
    if random.oneIn(2) {
      // No problem may prevent opening with an author, and all problems here can be repaired.
      try author.close()
      author = try Self.open(path)
      let problems = try author.read { db in try ChangeHistory.problems(db) }
      guard problems.isEmpty else { throw Wrong(text: "\(problems)") }
    } else {
      try author.write { db in try ChangeHistory.install(on: db) }
      hasLateTrigger = false
    }
    switch try author.read({ [token] db in try ChangeHistory.changes(db, after: token) }) {
    case .changes(_, upTo: let next):
      guard expectation != .expired else { throw Wrong(text: "the token is good after a repair") }
      token = next
    case .expired(let reason, startingAt: let next):
      guard expectation != .kept else { throw Wrong(text: "expired for nothing: \(reason)") }
      token = next
    }
  }

  private mutating func changeSchemaOnce() throws -> Expectation {
    switch random.below(9) {
    case 0:
      // VACUUM may assign other rowids to the rows of a table without a key.
      guard table.hasKey else { return .kept }
      try alter("VACUUM")
      return .kept
    case 1:
      try alter("ALTER TABLE \(table.quotedName) ADD COLUMN \(table.addColumn())")
      return .kept
    case 2:
      let old = table.quotedName
      table.rename(&random)
      try alter("ALTER TABLE \(old) RENAME TO \(table.quotedName)")
      return .kept
    case 3:
      let sql = table.index(&random)
      log.append(sql)
      try author.write { db in
        try Self.execute(sql.replacing("\"no column\"", with: "'no column'"), db)
        try ChangeHistory.install(on: db)
      }
      return .kept
    case 4:
      let sql = table.index(&random)
      log.append(sql)
      try foreigner.write { db in try Self.execute(sql, db) }
      return .any
    case 5:
      let found = try foreigner.read { db in
        try String.fetchAll(
          db, sql: "SELECT name FROM sqlite_schema WHERE type = 'index' AND sql NOT NULL")
      }
      guard let name = found.randomElement(using: &random) else { return .kept }
      try alter("DROP INDEX \(name.quotedDatabaseIdentifier)")
      return .any
    case 6:
      try rebuild()
      return .expired
    case 7:
      let found = try foreigner.read { db in
        try Row.fetchAll(
          db,
          sql: """
            SELECT name, sql FROM sqlite_schema WHERE type = 'trigger' AND name LIKE 'holdfast%'
            """
        ).map { ($0[0] as String, $0[1] as String) }
      }
      guard let (name, sql) = found.randomElement(using: &random) else { return .kept }
      try alter("DROP TRIGGER \(name); \(sql)")
      return .expired
    default:
      guard !hasTriggers else { return .kept }
      hasTriggers = true
      hasLateTrigger = true
      try alter(table.trigger(&random))
      return .kept
    }
  }

  private mutating func alter(_ sql: String) throws {
    log.append(sql)
    try foreigner.writeWithoutTransaction { db in try db.execute(sql: sql) }
  }

  /// Rebuilds the table as SQLite's manual describes for changes that ALTER TABLE cannot make.
  private mutating func rebuild() throws {
    log.append("rebuild")
    let (name, quoted) = (table.name, table.quotedName)
    try foreigner.write { db in
      let sql = try String.fetchOne(
        db, sql: "SELECT sql FROM sqlite_schema WHERE type = 'table' AND name = ?",
        arguments: [name])
      let others = try String.fetchAll(
        db,
        sql: """
          SELECT sql FROM sqlite_schema WHERE type IN ('index', 'trigger') AND tbl_name = ?
            AND sql NOT NULL ORDER BY rowid
          """, arguments: [name])
      let body = sql.map { $0[($0.firstIndex(of: "(") ?? $0.startIndex)...] } ?? ""
      try db.execute(sql: "CREATE TABLE \"new table\" \(body)")
      let columns = try db.columns(in: name).filter { !$0.isGenerated }
        .map(\.name.quotedDatabaseIdentifier).joined(separator: ", ")
      try db.execute(
        sql: "INSERT INTO \"new table\" (\(columns)) SELECT \(columns) FROM \(quoted)")
      try db.execute(sql: "DROP TABLE \(quoted)")
      try db.execute(sql: "ALTER TABLE \"new table\" RENAME TO \(quoted)")
      for sql in others { try db.execute(sql: sql) }
    }
    // The triggers were recreated in their order.
    hasLateTrigger = hasTriggers
  }
}

// MARK: - Tables and rows

/// The rows of a table by key; rows share a key only where it contains a NULL.
struct Snapshot {
  var rows: [String: [String]] = [:]

  /// Returns a key as text, in which different bytes are different texts.
  static func encode(_ values: some Sequence<DatabaseValue>) -> String {
    values.map { value in
      switch value.storage {
      case .null: "null"
      case .int64(let number): "i\(number)"
      case .double(let number): "d\(number.bitPattern)"
      case .string(let text): "t" + text.utf8.map { String($0, radix: 16) }.joined(separator: ".")
      case .blob(let data): "b" + data.map { String($0, radix: 16) }.joined(separator: ".")
      }
    }.joined(separator: ",")
  }
}

/// A random table, and the statements that change it.
private struct CampaignTable {
  private(set) var name: String

  /// The writable columns, starting with those of the key.
  private var columns: [String]
  private let keyColumns: [String]
  private var addedCount = 0
  private let hasRowIDKey: Bool
  let sharesKeys: Bool
  let hasKey: Bool
  let creation: String

  var quotedName: String { name.quotedDatabaseIdentifier }

  private static let names = ["t", "T t", "se\"lect", "ü", "[x]", "holdfast"]

  init(_ random: inout CampaignRandom) {
    name = random.pick(Self.names)
    var columns = [
      "a", "b", "desc", "asc", "q\"q", "NEW", "old", "x y", "oid", "é", "a\nb", "end", "like", "x",
    ].shuffled(using: &random).prefix(2 + random.below(3)).map(\.self)
    let kind = random.below(6)
    var definitions = columns.map { Self.definition($0, &random) }
    var suffix = ""
    switch kind {
    case 0:
      keyColumns = ["id"]
      definitions.insert("id INTEGER PRIMARY KEY\(random.pick(["", " AUTOINCREMENT"]))", at: 0)
      columns.insert("id", at: 0)
    case 1, 2:
      keyColumns = Array(columns.prefix(kind))
      definitions.append("PRIMARY KEY (\(Self.list(keyColumns)))")
    case 3, 4:
      keyColumns = Array(columns.prefix(kind - 2))
      definitions.append("PRIMARY KEY (\(Self.list(keyColumns)))")
      suffix = " WITHOUT ROWID"
    default: keyColumns = []
    }
    let plain = columns.filter { $0 != "id" }
    if random.oneIn(3) {
      let (one, two) = (random.pick(plain), random.pick(plain))
      let expression =
        "ifnull(\(one.quotedDatabaseIdentifier), 'q') || \(two.quotedDatabaseIdentifier)"
      definitions.insert(
        "g \(random.pick(["", "TEXT COLLATE NOCASE"])) AS (\(expression)) "
          + random.pick(["VIRTUAL", "STORED"]) + random.pick([" UNIQUE", ""]),
        at: columns.count)
    }
    if random.oneIn(2) {
      let unique = plain.shuffled(using: &random).prefix(1 + random.below(2))
      definitions.append(
        "UNIQUE (\(Self.list(unique)))" + random.pick(["", " ON CONFLICT REPLACE"]))
    }
    self.columns = columns
    hasRowIDKey = kind == 0
    hasKey = kind < 5
    sharesKeys = kind == 1 || kind == 2
    creation =
      "CREATE TABLE \(name.quotedDatabaseIdentifier) (\(definitions.joined(separator: ", ")))\(suffix)"
  }

  private static func list(_ names: some Sequence<String>) -> String {
    names.map(\.quotedDatabaseIdentifier).joined(separator: ", ")
  }

  private static func definition(_ name: String, _ random: inout CampaignRandom) -> String {
    let type = random.pick(["", "TEXT", "INTEGER", "REAL", "BLOB", "NUMERIC"])
    let collation = random.pick(["", "", " COLLATE NOCASE", " COLLATE RTRIM"])
    let value = random.pick(["'x'", "5", "1e-5", "(1 + 1)", "x'61'", "word", "('1' || 0 /* , */)"])
    let constraint = random.pick([
      "", "", " UNIQUE", " NOT NULL DEFAULT \(value)", " UNIQUE NOT NULL DEFAULT \(value)",
      " NOT NULL ON CONFLICT REPLACE DEFAULT \(value)", " UNIQUE ON CONFLICT REPLACE",
      " DEFAULT \(value)",
    ])
    return "\(name.quotedDatabaseIdentifier) \(type)\(collation)\(constraint)"
  }

  func snapshot(_ db: Database) throws -> Snapshot {
    let keys = hasKey ? keyColumns.map(\.quotedDatabaseIdentifier) : ["_rowid_"]
    let values = columns.map(\.quotedDatabaseIdentifier)
    let rows = try Row.fetchAll(
      db, sql: "SELECT \((keys + values).joined(separator: ", ")) FROM \(quotedName)")
    var snapshot = Snapshot()
    for row in rows {
      let all = (0..<row.count).map { row[$0] as DatabaseValue }
      snapshot.rows[Snapshot.encode(all.prefix(keys.count)), default: []]
        .append(Snapshot.encode(all.dropFirst(keys.count)))
    }
    snapshot.rows = snapshot.rows.mapValues { $0.sorted() }
    return snapshot
  }

  // MARK: - Statements

  private func value(_ random: inout CampaignRandom) -> String {
    let plain = [
      "NULL", "NULL", "0", "1", "2", "'1'", "'x'", "'X'", "'x '", "1.0", "1.5", "x'61'", "'word'",
      "5",
    ]
    let others = ["'caf\u{E9}'", "'cafe\u{301}'", "'\u{212B}'", "'\u{C5}'"]
    return random.pick(HistoryCampaign.mixesNormalizations ? plain + others : plain)
  }

  private func condition(_ random: inout CampaignRandom) -> String {
    let column = random.pick(columns).quotedDatabaseIdentifier
    return random.pick([
      "\(column) IS \(value(&random))", "\(column) IN (\(value(&random)), \(value(&random)))",
      "\(column) > \(value(&random))", "\(column) IS NULL",
    ])
  }

  func statement(_ random: inout CampaignRandom) -> String {
    let conflict = random.pick(["", " OR REPLACE", " OR REPLACE", " OR IGNORE", " OR FAIL"])
    let changed = Array(columns.shuffled(using: &random).prefix(1 + random.below(columns.count)))
    let row = { (random: inout CampaignRandom) in
      "(" + changed.map { _ in value(&random) }.joined(separator: ", ") + ")"
    }
    let insertion = "INTO \(quotedName) (\(Self.list(changed)))"
    let assignments = { (random: inout CampaignRandom) in
      changed.prefix(2).map { "\($0.quotedDatabaseIdentifier) = \(value(&random))" }
        .joined(separator: ", ")
    }
    switch random.below(10) {
    case 0, 1, 2, 3:
      return "INSERT\(conflict) \(insertion) VALUES \(row(&random)), \(row(&random))"
    case 4:
      return "INSERT\(conflict) \(insertion) VALUES \(row(&random)) ON CONFLICT DO UPDATE SET "
        + assignments(&random)
    case 5:
      return "INSERT\(conflict) \(insertion) SELECT \(Self.list(changed.reversed())) "
        + "FROM \(quotedName) LIMIT 2"
    case 6, 7, 8:
      return "UPDATE\(conflict) \(quotedName) SET \(assignments(&random)) "
        + "WHERE \(condition(&random))"
    default: return "DELETE FROM \(quotedName) WHERE \(condition(&random))"
    }
  }

  // MARK: - Schema

  mutating func addColumn() -> String {
    addedCount += 1
    return "added\(addedCount) DEFAULT 5"
  }

  mutating func rename(_ random: inout CampaignRandom) {
    name = random.pick(Self.names.filter { $0 != name })
  }

  func index(_ random: inout CampaignRandom) -> String {
    // The rowid that SQLite chooses is known only after the insertion.
    let plain = columns.filter { !hasRowIDKey || $0 != "id" }.map(\.quotedDatabaseIdentifier)
    let terms = (0...random.below(2)).map { _ in
      let (one, two) = (random.pick(plain), random.pick(plain))
      return random.pick([
        "\(one)", "\(one) DESC", "\(one) COLLATE NOCASE", "lower(\(one)) /* ( */ ASC",
        "ifnull(\(one), x'00')", "\(one) || \(two) DESC", "typeof(\(one)) COLLATE \"rtrim\"",
        "\(one) & 0x1F", "\(one) || \"no column\"", "CAST(\(one) AS \"text\")",
        "CASE WHEN \(one) THEN 1e-5 ELSE -- else\n .5E+1 END", "- - 1",
        "(\(one), \(two)) IS (1, 2)",
      ])
    }
    let one = random.pick(plain)
    let predicate = random.pick([
      "", "", " WHERE \(one) NOT NULL", " WHERE \(one) <> 1e-5 --",
      " WHERE \(quotedName).\(one) > x'00'",
      " WHERE \(one) NOT LIKE 'x (%' ESCAPE '\\'", " WHERE \(one) IN (1, '1', 'x''')",
    ])
    let name = "index \(random.below(1_000_000))".quotedDatabaseIdentifier
    return
      "CREATE UNIQUE INDEX \(name) ON \(quotedName) (\(terms.joined(separator: ",")))\(predicate)"
  }

  /// Returns a user's trigger that changes the table whose change fires it.
  func trigger(_ random: inout CampaignRandom) -> String {
    let plain = columns.filter { !keyColumns.contains($0) }
    let one = random.pick(plain.isEmpty ? columns : plain).quotedDatabaseIdentifier
    let two = random.pick(columns).quotedDatabaseIdentifier
    let (event, body) = random.pick([
      ("BEFORE INSERT", "UPDATE \(quotedName) SET \(one) = NEW.\(one) WHERE \(two) = 1"),
      (
        "BEFORE INSERT",
        "UPDATE OR REPLACE \(quotedName) SET \(two) = NEW.\(two) WHERE \(one) = 'x'"
      ),
      ("BEFORE INSERT", "INSERT OR IGNORE INTO \(quotedName) (\(two)) VALUES (NEW.\(two))"),
      ("AFTER INSERT", "UPDATE \(quotedName) SET \(one) = 2 WHERE \(two) IS NEW.\(two)"),
      ("AFTER DELETE", "INSERT OR IGNORE INTO \(quotedName) (\(two)) VALUES (OLD.\(two))"),
      ("AFTER INSERT", "DELETE FROM \(quotedName) WHERE \(two) = NEW.\(one)"),
    ])
    return "CREATE TRIGGER mine \(event) ON \(quotedName) BEGIN \(body); END"
  }
}

/// A random number generator with a seed.
private struct CampaignRandom: RandomNumberGenerator {
  var state: UInt64

  // SplitMix64, https://prng.di.unimi.it/splitmix64.c
  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  mutating func below(_ limit: Int) -> Int { Int.random(in: 0..<limit, using: &self) }

  mutating func oneIn(_ count: Int) -> Bool { below(count) == 0 }

  mutating func pick<Element>(_ elements: [Element]) -> Element { elements[below(elements.count)] }
}
