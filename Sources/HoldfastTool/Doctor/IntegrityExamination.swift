import Foundation
import Holdfast
import HoldfastFiles
import HoldfastMaps

/// The findings of SQLite's check of a database, apart from parts that only another version, engine or
/// app can evaluate.
struct IntegrityExamination {
  /// A part of the schema that this SQLite cannot evaluate.
  struct Unexamined: Hashable, Sendable {
    enum Kind: String, Sendable {
      case index, constraint, table, view, trigger, schema
      case foreignKey = "foreign key"
    }

    var kind: Kind
    /// The name of an index or of what else stands in the schema; `nil` for a constraint or a foreign key.
    var name: String?
    /// The table, if it is known.
    var table: String?
    /// The reason, in SQLite's words.
    var reason: String

    /// "the index 'i' of 't'".
    var subject: String {
      let name = name.map { " '\($0)'" } ?? ""
      guard let table, table != self.name else { return "the \(kind.rawValue)\(name)" }
      let isNameless = kind == .constraint || kind == .foreignKey
      return "\(isNameless ? "a" : "the") \(kind.rawValue)\(name) of '\(table)'"
    }
  }

  /// An index whose entries another version or build of SQLite has computed, and the number of the wrong ones.
  struct StaleIndex: Hashable, Sendable {
    var name: String
    var table: String
    var count: Int
  }

  /// Damage, as SQLite words it.
  private(set) var problems: [String] = []
  private(set) var brokenConstraints: [BrokenConstraint] = []
  private(set) var staleIndexes: [StaleIndex] = []
  private(set) var unexamined: [Unexamined] = []
  private(set) var versionDependent: [VersionDependentExpression] = []
  private(set) var unresolvable: [UnresolvableStatement] = []
  private(set) var foreignKeys: ForeignKeyExamination?
  /// The places of a tileset without contents, to which no foreign key leads.
  private(set) var lostContents: TilesetProblem?

  private var isPartOfSchemaUnknown = false
  /// The table of which SQLite could not read a constraint or a generated column.
  private var halfReadTable: String?
  /// The tables of the indexes whose entries are computed, by the names of the indexes.
  private var computedIndexes: [String: String] = [:]
  /// The indexes that have an entry for each row, whatever is computed.
  private var wholeIndexes: Set<String> = []

  /// Whether only a private copy can be examined: what SQLite lacks must be left out.
  private(set) var needsCopy = false

  /// Examines the main database.
  ///
  /// - Parameters:
  ///   - db: A connection.
  ///   - isCopy: Whether the database is a private copy, in which an index may be dropped.
  /// - Throws: `DatabaseError` when the file is too damaged to be examined.
  init(_ db: Database, isCopy: Bool) throws {
    try readSchema(db)
    versionDependent = try db.versionDependentExpressions()
    // Otherwise the names of what was left out are not known.
    if !isPartOfSchemaUnknown {
      if let found = try db.unresolvableStatements() {
        unresolvable = found
      } else {
        unexamined.append(
          Unexamined(
            kind: .schema,
            reason: "it has too many views and triggers, or one that would take too long"))
      }
    }
    computedIndexes = try db.computedIndexes()
    wholeIndexes = Set(
      try String.fetchAll(
        db,
        sql: """
          SELECT list.name FROM main.sqlite_schema AS stored
          JOIN pragma_index_list(stored.name, 'main') AS list
          WHERE stored.type = 'table' AND stored.rootpage > 0 AND NOT list.partial
          """))
    // Before an index is dropped to which one refers, and not where one may refer to what was left out.
    if !isPartOfSchemaUnknown {
      let foreignKeys = try ForeignKeyExamination(db)
      unexamined += foreignKeys.unexamined
      self.foreignKeys = foreignKeys
      lostContents = try Self.lostContents(db, foreignKeys)
    }
    if !isCopy { needsCopy = try Self.hasChecks(db) }
    let rootless = try Self.tablesWithoutIndex(db)
    for table in rootless { note(tableWithoutIndex: table) }
    var lines = Lines()
    do {
      // Of such a table SQLite says only that the whole database is malformed.
      lines = try rootless.isEmpty ? check(db) : examineTables(db, without: rootless)
    } catch ResultCode.SQLITE_ERROR {
      lines = try examineRest(db, isCopy: isCopy)
    }
    note(lines)
  }

  private static func lostContents(
    _ db: Database, _ foreignKeys: ForeignKeyExamination
  ) throws -> TilesetProblem? {
    do {
      guard let lost = try LostContents(db),
        !foreignKeys.violations.contains(where: {
          $0.table.foldedDatabaseIdentifier == lost.table.foldedDatabaseIdentifier
            && $0.parent.foldedDatabaseIdentifier == lost.contents.foldedDatabaseIdentifier
        })
      else { return nil }
      return lost.problem
    } catch ResultCode.SQLITE_CORRUPT {
      // The check of the database says what is damaged.
      return nil
    }
  }

  // MARK: - The schema

  /// Makes SQLite leave out what it cannot read of the schema, which otherwise ends each statement, and
  /// limits its memory, which a single value may fill.
  ///
  /// - Parameter configuration: The configuration of the connection that is examined.
  static func prepare(_ configuration: inout Configuration) {
    configuration.prepareDatabase { db in
      try db.execute(sql: "PRAGMA hard_heap_limit = \(ReadingLimit.examinedMemory.most)")
      try leaveOutForeignSyntax(db)
    }
  }

  /// Does the same for a connection whose database was replaced since it was opened.
  static func leaveOutForeignSyntax(_ db: Database) throws {
    do {
      _ = try Int.fetchOne(db, sql: "SELECT count(*) FROM sqlite_schema")
    } catch let error as DatabaseError {
      // Other errors come again, where they are handled.
      if error.foreignSyntax != nil { try db.execute(sql: "PRAGMA writable_schema = ON") }
    }
  }

  /// Notes what SQLite has left out of the schema.
  private mutating func readSchema(_ db: Database) throws {
    guard try Bool.fetchOne(db, sql: "PRAGMA writable_schema") == true else { return }
    do {
      // The schema is loaded again, which fails with the reason.
      try db.execute(sql: "PRAGMA writable_schema = RESET")
      _ = try Int.fetchOne(db, sql: "SELECT count(*) FROM sqlite_schema")
    } catch let error as DatabaseError where error.foreignSyntax != nil {
      // With this, the rest of the schema is loaded.
      try db.execute(sql: "PRAGMA writable_schema = ON")
      isPartOfSchemaUnknown = true
      let reason = error.foreignSyntax ?? ""
      let rows = try Row.fetchAll(
        db,
        sql: """
          SELECT type, name, tbl_name, CAST(sql AS BLOB) AS sql FROM sqlite_schema AS stored
          WHERE sql IS NOT NULL AND CASE type
            WHEN 'table' THEN name NOT IN (SELECT name FROM pragma_table_list WHERE schema = 'main')
            WHEN 'view' THEN name NOT IN (SELECT name FROM pragma_table_list WHERE schema = 'main')
            WHEN 'index' THEN name NOT IN (SELECT name FROM pragma_index_list(stored.tbl_name))
            ELSE 0 END
          """)
      for row in rows {
        let name: String = try row.decode(forColumn: "name")
        guard Self.isWhole(try row.decode(forColumn: "sql")) else {
          problems.append("the schema of '\(name)' is damaged: \(reason)")
          continue
        }
        unexamined.append(
          Unexamined(
            kind: Unexamined.Kind(rawValue: try row.decode(forColumn: "type")) ?? .table,
            name: name,
            table: try row.decode(forColumn: "tbl_name"),
            reason: rows.count == 1 ? reason : "it is written for another version or engine"))
      }
      guard rows.isEmpty else { return }
      // SQLite has the table all the same, when it cannot read a constraint of it.
      if let table = try Self.tables(db).first(where: { error.names($0) }) {
        unexamined.append(Unexamined(kind: .constraint, table: table, reason: reason))
        halfReadTable = table
        return
      }
      let triggers = try Data.fetchAll(
        db, sql: "SELECT CAST(sql AS BLOB) FROM sqlite_schema WHERE type = 'trigger'")
      if triggers.allSatisfy(Self.isWhole) {
        unexamined.append(Unexamined(kind: .trigger, reason: reason))
      } else {
        problems.append("the schema of a trigger is damaged: \(reason)")
      }
    }
  }

  /// Returns the tables of whose primary key or UNIQUE constraint the schema has no index.
  private static func tablesWithoutIndex(_ db: Database) throws -> [String] {
    try String.fetchAll(
      db,
      sql: """
        SELECT DISTINCT stored.name FROM main.sqlite_schema AS stored
        JOIN pragma_table_list AS t ON t.schema = 'main' AND t.name = stored.name
        JOIN pragma_index_list(stored.name) AS i ON i.origin IN ('pk', 'u')
        WHERE stored.type = 'table' AND stored.rootpage > 0 AND NOT (t.wr AND i.origin = 'pk')
          AND i.name NOT IN (SELECT name FROM main.sqlite_schema WHERE type = 'index')
        ORDER BY stored.rowid
        """)
  }

  /// Notes a table without the index of a constraint, which Turso leaves out of its own tables.
  private mutating func note(tableWithoutIndex table: String) {
    let reason = "it has no index for its primary key or a UNIQUE constraint"
    if table.foldedDatabaseIdentifier.hasPrefix("__turso_internal_") {
      unexamined.append(Unexamined(kind: .table, name: table, table: table, reason: reason))
    } else {
      problems.append("the schema of '\(table)' is damaged: \(reason)")
    }
  }

  /// Whether a part of the schema may be in a syntax that this SQLite does not know.
  ///
  /// Damage leaves bytes that are not text.
  private static func isWhole(_ sql: Data) -> Bool {
    guard let text = String(validating: sql, as: UTF8.self) else { return false }
    return text.uppercased().hasPrefix("CREATE ")
      && text.unicodeScalars.allSatisfy { scalar in
        scalar.value >= 0x20 || [0x09, 0x0A, 0x0D].contains(scalar.value)
      }
  }

  // MARK: - The check

  /// Whether a table has a CHECK constraint, which SQLite neither reads nor checks on a connection that
  /// cannot write.
  private static func hasChecks(_ db: Database) throws -> Bool {
    try String.fetchAll(
      db, sql: "SELECT sql FROM main.sqlite_schema WHERE type = 'table' AND sql IS NOT NULL"
    ).contains { sql in
      let tokens = Array(SQLTokens(sql))
      return zip(tokens, tokens.dropFirst()).contains { $0.uppercased() == "CHECK" && $1 == "(" }
    }
  }

  private func check(_ db: Database) throws -> Lines {
    var lines = Lines()
    try db.forEachLine(ofCheck: "integrity_check", most: 100, isDamage: { kind(of: $0) == .damage })
    { line, count in lines.add(line, kind(of: line), count: count) }
    return lines
  }

  /// Examines all but what needs a function, a collation or a form of JSON that this SQLite lacks.
  private mutating func examineRest(_ db: Database, isCopy: Bool) throws -> Lines {
    guard isCopy else {
      needsCopy = true
      return Lines()
    }
    for (index, table) in try Self.indexes(db) {
      guard let reason = try Self.reasonNotEvaluated(index, db) else { continue }
      unexamined.append(Unexamined(kind: .index, name: index, table: table, reason: reason))
      try db.execute(sql: "DROP INDEX main.\(index.quotedDatabaseIdentifier)")
    }
    do {
      return try check(db)
    } catch let error as DatabaseError where error.resultCode == .SQLITE_ERROR {
      try noteTables(db, otherwise: error)
    }
    try db.execute(sql: "PRAGMA ignore_check_constraints = ON")
    var lines: Lines
    do {
      lines = try check(db)
    } catch let error as DatabaseError where error.resultCode == .SQLITE_ERROR {
      lines = try examineTables(db)
    }
    try db.execute(sql: "PRAGMA ignore_check_constraints = OFF")
    try addConditions(to: &lines, db)
    return lines
  }

  /// Adds the CHECK constraints that rows break, of tables whose constraints SQLite can evaluate.
  private func addConditions(to lines: inout Lines, _ db: Database) throws {
    for table in try Self.tables(db) {
      do {
        // Of this alone SQLite lists what is wrong with the rows of a table.
        for line in try db.linesOfCheck("integrity_check", of: table) {
          guard let broken = BrokenConstraint(line), broken.requirement == .condition else {
            continue
          }
          lines.add(line, .constraint(broken))
        }
      } catch let error as DatabaseError where error.resultCode == .SQLITE_ERROR {
        // It was noted before.
      }
    }
  }

  /// Notes the tables whose constraints SQLite cannot prepare.
  private mutating func noteTables(_ db: Database, otherwise first: DatabaseError) throws {
    let before = unexamined.count
    for table in try Self.tables(db) {
      do {
        _ = try db.makeStatement(sql: "PRAGMA integrity_check(\(table.quotedDatabaseIdentifier))")
      } catch let error as DatabaseError where error.resultCode == .SQLITE_ERROR {
        unexamined.append(
          Unexamined(
            kind: .constraint, table: table, reason: error.message ?? error.description))
      }
    }
    guard unexamined.count == before else { return }
    unexamined.append(Unexamined(kind: .constraint, reason: first.message ?? first.description))
  }

  /// The tables of the schema, but for those that SQLite has left out.
  private static func tables(_ db: Database) throws -> [String] {
    try String.fetchAll(
      db,
      sql: """
        SELECT name FROM main.sqlite_schema WHERE type = 'table' AND rootpage > 0
          AND name IN (SELECT name FROM pragma_table_list WHERE schema = 'main')
        """)
  }

  /// The indexes that can be dropped.
  private static func indexes(_ db: Database) throws -> [(name: String, table: String)] {
    try Row.fetchAll(
      db,
      sql: "SELECT name, tbl_name FROM main.sqlite_schema WHERE type = 'index' AND sql IS NOT NULL"
    ).map { row in (try row.decode(atIndex: 0), try row.decode(atIndex: 1)) }
  }

  /// Returns why SQLite cannot compute the entries of an index; `nil` when it can.
  private static func reasonNotEvaluated(_ index: String, _ db: Database) throws -> String? {
    var reason: String?
    try db.execute(sql: "SAVEPOINT holdfast_probe")
    do {
      try db.execute(sql: "REINDEX main.\(index.quotedDatabaseIdentifier)")
    } catch let error as DatabaseError where error.resultCode == .SQLITE_ERROR {
      reason = error.message ?? error.description
    } catch let error as DatabaseError
      where [.SQLITE_CONSTRAINT, .SQLITE_CORRUPT].contains(error.resultCode)
    {
      // Damage or duplicates, which the check finds.
    }
    if db.isInsideTransaction {
      try db.execute(sql: "ROLLBACK TO holdfast_probe; RELEASE holdfast_probe")
    }
    return reason
  }

  /// Examines table by table, if what SQLite lacks cannot be left out.
  private mutating func examineTables(
    _ db: Database, without excluded: [String] = []
  ) throws -> Lines {
    var lines = Lines()
    for table in try Self.tables(db) where !excluded.contains(table) {
      for pragma in ["integrity_check", "quick_check"] {
        do {
          for line in try db.linesOfCheck(pragma, of: table) { lines.add(line, kind(of: line)) }
          break
        } catch let error as DatabaseError where error.resultCode == .SQLITE_ERROR {
          let part = Unexamined(
            kind: .constraint, table: table, reason: error.message ?? error.description)
          if !unexamined.contains(part) { unexamined.append(part) }
        }
      }
    }
    return lines
  }

  // MARK: - What the check says

  /// How lines about full-text tables begin.
  private static let searchLines = [
    "malformed inverted index for FTS", "unable to validate the inverted index for FTS",
  ]

  /// What a line of the check is about.
  private enum LineKind: Equatable {
    case damage
    case constraint(BrokenConstraint)
    /// A wrong entry of an index whose entries are computed.
    case entry(index: String)
    /// What another check examines, or what is no damage.
    case nothing
  }

  /// The lines of the check, those of one constraint or index together.
  private struct Lines {
    var problems: [String] = []
    var brokenConstraints: [BrokenConstraint] = []
    /// The numbers of wrong entries of indexes whose entries are computed.
    var entries: [String: Int] = [:]

    mutating func add(_ line: String, _ kind: LineKind, count: Int = 1) {
      switch kind {
      case .damage: problems.append(line)
      case .constraint(var broken):
        broken.count = count
        brokenConstraints.add(broken)
      case .entry(let index): entries[index, default: 0] += count
      case .nothing: break
      }
    }
  }

  private func kind(of line: String) -> LineKind {
    // Full-text tables have a check of their own, and a missing tokenizer is no damage.
    if Self.searchLines.contains(where: line.hasPrefix) { return .nothing }
    // Pages of what was left out of the schema.
    if isPartOfSchemaUnknown, line.contains("never used") { return .nothing }
    if let index = Self.index(withWrongEntries: line), let table = computedIndexes[index] {
      if table == halfReadTable { return .nothing }
      // Another version computes other entries, but not more or fewer: rows or entries are lost.
      let isDamage = line.hasPrefix("wrong # of entries") && wholeIndexes.contains(index)
      return isDamage ? .damage : .entry(index: index)
    }
    return BrokenConstraint(line).map(LineKind.constraint) ?? .damage
  }

  private mutating func note(_ lines: Lines) {
    problems += lines.problems
    brokenConstraints = lines.brokenConstraints
    for (name, count) in lines.entries.sorted(by: { $0.key < $1.key }) {
      let table = computedIndexes[name] ?? ""
      staleIndexes.append(StaleIndex(name: name, table: table, count: count))
    }
    versionDependent.removeAll { expression in
      staleIndexes.contains { expression.place == .index($0.name) }
    }
  }

  /// Returns the index of which a line says that its entries do not match the table.
  private static func index(withWrongEntries line: String) -> String? {
    for form in [
      " missing from index ", "wrong # of entries in index ", "non-unique entry in index ",
    ] {
      if let range = line.range(of: form) { return String(line[range.upperBound...]) }
    }
    return nil
  }
}

extension DatabaseError {
  /// Whether SQLite says that this part of the schema is malformed.
  fileprivate func names(_ part: String) -> Bool {
    message?.hasPrefix("malformed database schema (\(part)) - ") == true
  }
}
