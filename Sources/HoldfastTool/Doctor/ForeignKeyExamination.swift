import Holdfast

/// The foreign keys of a database that refer to no row, or that SQLite cannot follow.
///
/// Rows break a foreign key when they were written by a connection that does not enforce it, as SQLite's do
/// unless they are told to.
///
/// - SeeAlso: <https://www.sqlite.org/pragma.html#pragma_foreign_key_check>
struct ForeignKeyExamination {
  /// A foreign key by which rows refer to rows that do not exist.
  struct Violation: Hashable, Sendable {
    let table: String
    let columns: [String]
    let parent: String
    /// The rowids of the rows that are listed one by one; `nil` in a table without rowids.
    fileprivate(set) var rows: [Int64?] = []
    fileprivate(set) var count = 0

    /// "2 rows of 'b' refer to no row of 'a'", without a period.
    var description: String {
      count == 1
        ? "1 row of '\(table)' refers to no row of '\(parent)'"
        : "\(count) rows of '\(table)' refer to no row of '\(parent)'"
    }

    /// A sentence for each row that is listed, and one for the others, without periods.
    fileprivate var sentences: [String] {
      let listed = rows.map { row in
        "row \(row.map(String.init) ?? "?") of \(table) refers to no row of \(parent)"
      }
      let others = count - rows.count
      guard others > 0 else { return listed }
      return listed + ["\(others) more rows of \(table) refer to no row of \(parent)"]
    }
  }

  /// A foreign key that SQLite cannot follow, because its parent columns are not unique or do not exist.
  struct Mismatch: Hashable, Sendable {
    let table: String
    var columns: [String] = []
    /// "the foreign key of b needs a unique index on a(x)", without a period.
    let description: String
    /// Whether the parent can be given what it lacks.
    var isMendedByParent = true
  }

  private(set) var violations: [Violation] = []
  private(set) var mismatches: [Mismatch] = []
  private(set) var unexamined: [IntegrityExamination.Unexamined] = []

  /// The rows that are listed one by one; all may be millions.
  private static let mostRows = 100

  /// All problems, without periods.
  var sentences: [String] { mismatches.map(\.description) + violations.flatMap(\.sentences) }

  /// Examines the main database.
  ///
  /// - Throws: `DatabaseError` when the schema cannot be read.
  init(_ db: Database) throws {
    mismatches = try Self.keysWithoutParent(db)
    do {
      violations = try Self.violations("PRAGMA main.foreign_key_check", db)
      return
    } catch let error as DatabaseError
      where [.SQLITE_ERROR, .SQLITE_CORRUPT].contains(error.resultCode)
    {
      // One table can stop the examination of all.
    }
    for table in try Self.tables(db) {
      do {
        violations += try Self.violations(
          "PRAGMA main.foreign_key_check(\(table.quotedDatabaseIdentifier))", db)
      } catch let error as DatabaseError where error.resultCode == .SQLITE_ERROR {
        note(error.message ?? error.description, of: table, try Self.mismatches(of: table, db))
      } catch ResultCode.SQLITE_CORRUPT {
        // The check of the database says what is damaged.
      }
    }
  }

  /// Returns the foreign keys that an index was made for and does not serve, as sentences without periods.
  ///
  /// - Throws: `DatabaseError` when the schema cannot be read.
  func unserved(_ db: Database) throws -> [String] {
    // What SQLite cannot follow needs no index.
    let broken = Set(mismatches.map(\.table))
    var sentences: [String] = []
    for table in try Self.tables(db) where !broken.contains(table) {
      do {
        let leaders = try ForeignKey.leaders(of: table, db)
        for key in leaders.isEmpty ? [] : try Self.keys(of: table, db) {
          sentences += try [key.reasonUnserved(in: table, leaders, db)].compactMap(\.self)
        }
      } catch ResultCode.SQLITE_ERROR {
        // A table of a module that is not there.
      }
    }
    return sentences
  }

  private mutating func note(_ message: String, of table: String, _ found: [Mismatch]) {
    if !found.isEmpty {
      mismatches += found
    } else if message.hasPrefix("foreign key mismatch") {
      mismatches.append(Mismatch(table: table, description: message))
    } else {
      unexamined.append(
        IntegrityExamination.Unexamined(kind: .foreignKey, table: table, reason: message))
    }
  }

  private static func violations(_ pragma: String, _ db: Database) throws -> [Violation] {
    struct Key: Hashable {
      let table: String
      let number: Int
    }
    var violations: [Violation] = []
    var places: [Key: Int] = [:]
    var listedCount = 0
    let rows = try Row.fetchCursor(db, sql: pragma)
    while let row = try rows.next() {
      let key = Key(table: try row.decode(atIndex: 0), number: try row.decode(atIndex: 3))
      let place = places[key] ?? violations.count
      if place == violations.count {
        places[key] = place
        let columns = try keys(of: key.table, db).first { $0.number == key.number }?.columns ?? []
        violations.append(
          Violation(table: key.table, columns: columns, parent: try row.decode(atIndex: 2)))
      }
      violations[place].count += 1
      guard listedCount < mostRows else { continue }
      violations[place].rows.append(try row.decode(atIndex: 1))
      listedCount += 1
    }
    return violations
  }

  /// Returns the foreign keys to tables that do not exist, by which each change fails that SQLite must follow.
  private static func keysWithoutParent(_ db: Database) throws -> [Mismatch] {
    let parents = Set(
      try String.fetchAll(
        db,
        sql: """
          SELECT name FROM main.sqlite_schema WHERE type IN ('table', 'view')
          UNION ALL VALUES ('sqlite_schema'), ('sqlite_master')
          """
      ).map(\.foldedDatabaseIdentifier))
    return try tables(db).flatMap { table in
      try keys(of: table, db).compactMap { key in
        guard !parents.contains(key.parent.foldedDatabaseIdentifier) else { return nil }
        return Mismatch(
          table: table, columns: key.columns,
          description: "the foreign key of \(table) refers to \(key.parent), which does not exist",
          // "object name reserved for internal use"
          isMendedByParent: !key.parent.foldedDatabaseIdentifier.hasPrefix("sqlite_"))
      }
    }
  }

  private static func mismatches(of table: String, _ db: Database) throws -> [Mismatch] {
    try keys(of: table, db).compactMap { key in
      guard let (flaw, isMended) = try key.flaw(db) else { return nil }
      return Mismatch(
        table: table, columns: key.columns, description: "the foreign key of \(table) \(flaw)",
        isMendedByParent: isMended)
    }
  }

  fileprivate static func isUnique(
    _ columns: [String], in table: String, _ db: Database
  ) throws -> Bool {
    // One that does not exist is noted as that.
    guard try db.tableExists(table, in: "main") else { return true }
    let columns = Set(columns.map(\.foldedDatabaseIdentifier))
    func isOf(_ names: [String]) -> Bool { Set(names.map(\.foldedDatabaseIdentifier)) == columns }
    let indexes = try db.indexes(on: table, in: "main")
    return try isOf(db.primaryKey(table, in: "main").columns)
      || indexes.contains { $0.isUnique && !$0.isPartial && isOf($0.columns) }
  }

  private static func tables(_ db: Database) throws -> [String] {
    try String.fetchAll(
      db, sql: "SELECT name FROM main.sqlite_schema WHERE type = 'table' AND rootpage > 0")
  }

  fileprivate struct ForeignKey {
    let number: Int
    let parent: String
    var columns: [String] = []
    var parentColumns: [String] = []
  }

  /// Returns the foreign keys of a table, also of one that this SQLite reads in part.
  private static func keys(of table: String, _ db: Database) throws -> [ForeignKey] {
    let rows = try Row.fetchAll(
      db,
      sql: """
        SELECT id, "table", "from", "to" FROM pragma_foreign_key_list(?, 'main') ORDER BY id, seq
        """, arguments: [table])
    var keys: [ForeignKey] = []
    for row in rows {
      let number: Int = try row.decode(atIndex: 0)
      if keys.last?.number != number {
        keys.append(ForeignKey(number: number, parent: try row.decode(atIndex: 1)))
      }
      keys[keys.count - 1].columns += [try row.decode(String?.self, atIndex: 2)].compactMap(\.self)
      keys[keys.count - 1].parentColumns +=
        [try row.decode(String?.self, atIndex: 3)].compactMap(\.self)
    }
    return keys
  }
}

extension ForeignKeyExamination.ForeignKey {
  /// Returns what keeps SQLite from following the key, as the end of a sentence, and whether the parent can be given
  /// what it lacks; `nil` where nothing does that is known.
  ///
  /// - SeeAlso: <https://www.sqlite.org/foreignkeys.html#fk_indexes>, "foreign key DML errors"
  fileprivate func flaw(_ db: Database) throws -> (text: String, isMendedByParent: Bool)? {
    switch try db.tableType(parent) {
    case "view":
      return ("refers to the view \(parent), and SQLite follows it to a table only", false)
    case "virtual":
      return ("refers to the virtual table \(parent), which can have no unique index", false)
    // One that does not exist is noted as that.
    case nil: return nil
    // "table sqlite_stat1 may not be indexed"
    case _ where parent.foldedDatabaseIdentifier.hasPrefix("sqlite_"):
      return ("refers to SQLite's own table \(parent), which can have no unique index", false)
    default: break
    }
    let known = try Row.fetchAll(
      db, sql: "SELECT name, pk FROM pragma_table_xinfo(?, 'main')", arguments: [parent])
    let names = Set(
      try known.map { try $0.decode(String.self, atIndex: 0).foldedDatabaseIdentifier })
    if let lost = parentColumns.first(where: { !names.contains($0.foldedDatabaseIdentifier) }) {
      // A rowid is found by its names, and is no column.
      let isRowID = ["rowid", "oid", "_rowid_"].contains { lost.isSameIdentifier(as: $0) }
      return isRowID
        ? ("refers to the rowid of \(parent), which is no column", false)
        : ("refers to \(parent)(\(lost)), which does not exist", true)
    }
    guard parentColumns.isEmpty else {
      let isUnique = try ForeignKeyExamination.isUnique(parentColumns, in: parent, db)
      return isUnique
        ? nil
        : ("needs a unique index on \(parent)(\(parentColumns.joined(separator: ", ")))", true)
    }
    // Without columns it refers to the primary key.
    let keyCount = try known.count { try $0.decode(Int.self, atIndex: 1) > 0 }
    guard keyCount > 0 else {
      return ("refers to the primary key of \(parent), which has none", true)
    }
    guard keyCount != columns.count else { return nil }
    return (
      "has \(Count.of(columns.count, "column")), and the primary key of \(parent) has \(keyCount)",
      false
    )
  }

  /// A column at the beginning of an index.
  fileprivate struct Leader {
    let index: String
    let column: String
    let collation: String
    let isPartial: Bool
  }

  /// Returns why SQLite passes over each index that begins with a column of the key, as a sentence without a period;
  /// `nil` where one serves, or none begins so.
  ///
  /// When a row of the parent is deleted, SQLite compares its key with those of the rows that may refer to it: with
  /// the parent's collation, and as numbers where the parent has numbers.
  ///
  /// - SeeAlso: <https://www.sqlite.org/foreignkeys.html#fk_indexes>,
  ///   <https://www.sqlite.org/datatype3.html#type_conversions_prior_to_comparison>
  fileprivate func reasonUnserved(
    in table: String, _ leaders: [Leader], _ db: Database
  ) throws -> String? {
    guard try db.tableExists(parent, in: "main") else { return nil }
    let parentKey = try db.primaryKey(parent, in: "main")
    let targets = parentColumns.isEmpty ? parentKey.columns : parentColumns
    let rowIDColumn = try db.primaryKey(table, in: "main").rowIDColumn
    // A key that is the rowid needs no index, and one that SQLite cannot follow has another problem.
    guard targets.count == columns.count,
      try ForeignKeyExamination.isUnique(targets, in: parent, db),
      !columns.contains(where: { rowIDColumn?.isSameIdentifier(as: $0) == true })
    else { return nil }
    var reason: String?
    var accepted: [Int: [String]] = [:]
    for leader in leaders {
      let place = columns.firstIndex { $0.isSameIdentifier(as: leader.column) }
      guard let place else { continue }
      // Rowids have no collation.
      let isRowID = parentKey.rowIDColumn?.isSameIdentifier(as: targets[place]) == true
      let known =
        try accepted[place] ?? (isRowID ? [] : collations(of: targets[place], in: targets, db))
      accepted[place] = known
      guard
        let cause = try difference(of: leader, in: table, from: targets[place], accepted: known, db)
      else { return nil }
      guard reason == nil, !leader.isPartial else { continue }
      reason =
        "for each row of \(parent) that is deleted, all rows of \(table) are read in spite of the index "
        + "'\(leader.index)': \(cause)"
    }
    return reason
  }

  /// Returns in what a column at the beginning of an index differs from the column to which it refers, and what to do;
  /// `nil` where SQLite uses the index.
  private func difference(
    of leader: Leader, in table: String, from column: String, accepted: [String], _ db: Database
  ) throws -> String? {
    let (ends, begins) = ("\(parent)(\(column))", "\(table)(\(leader.column))")
    if try Self.affinity(of: column, in: parent, db)?.isNumeric == true,
      try Self.affinity(of: leader.column, in: table, db)?.isNumeric == false
    {
      return "\(ends) has a type for numbers and \(begins) has not, so declare both alike"
    }
    // SQLite asks for that of the column, which no pragma tells where unique indexes have several.
    guard let collation = accepted.first,
      accepted.allSatisfy({ $0.isSameIdentifier(as: collation) }),
      !leader.collation.isSameIdentifier(as: collation)
    else { return nil }
    return "\(ends) has the collation \(collation) and the index \(leader.collation), "
      + "so declare both alike, or index \(table)(\(leader.column) COLLATE \(collation))"
  }

  fileprivate static func leaders(of table: String, _ db: Database) throws -> [Leader] {
    try Row.fetchAll(
      db,
      sql: """
        SELECT list.name, part.name, part.coll, list.partial
        FROM pragma_index_list(?, 'main') AS list, pragma_index_xinfo(list.name, 'main') AS part
        WHERE part.seqno = 0 AND part.name IS NOT NULL ORDER BY list.seq DESC
        """, arguments: [table]
    ).map { row in
      Leader(
        index: try row.decode(atIndex: 0), column: try row.decode(atIndex: 1),
        collation: try row.decode(atIndex: 2), isPartial: try row.decode(atIndex: 3))
    }
  }

  /// Returns the collations that a column of the parent has in the unique indexes of the key.
  private func collations(
    of column: String, in key: [String], _ db: Database
  ) throws -> [String] {
    let names = Set(key.map(\.foldedDatabaseIdentifier))
    return try db.indexes(on: parent, in: "main").filter { index in
      index.isUnique && !index.isPartial
        && Set(index.columns.map(\.foldedDatabaseIdentifier)) == names
    }.flatMap { index in
      try Row.fetchAll(
        db, sql: "SELECT name, coll FROM pragma_index_xinfo(?, 'main') WHERE key",
        arguments: [index.name]
      ).filter { try $0.decode(String?.self, atIndex: 0)?.isSameIdentifier(as: column) == true }
        .map { try $0.decode(String.self, atIndex: 1) }
    }
  }

  /// Returns the affinity of a column; `nil` where it depends on whether the table is STRICT.
  private static func affinity(
    of column: String, in table: String, _ db: Database
  ) throws -> ColumnAffinity? {
    let declared = try db.columns(in: table, in: "main")
      .first { $0.name.isSameIdentifier(as: column) }
    guard let type = declared?.type, !type.isSameIdentifier(as: "ANY") else { return nil }
    return ColumnAffinity(type: type)
  }
}
