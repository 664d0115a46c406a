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
    let tables = try String.fetchAll(
      db, sql: "SELECT name FROM main.sqlite_schema WHERE type = 'table' AND rootpage > 0")
    for table in tables {
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
    let tables = try String.fetchAll(
      db, sql: "SELECT name FROM main.sqlite_schema WHERE type = 'table' AND rootpage > 0")
    let parents = Set(
      try String.fetchAll(
        db, sql: "SELECT name FROM main.sqlite_schema WHERE type IN ('table', 'view')"
      ).map(\.foldedDatabaseIdentifier))
    return try tables.flatMap { table in
      try keys(of: table, db).compactMap { key in
        guard !parents.contains(key.parent.foldedDatabaseIdentifier) else { return nil }
        return Mismatch(
          table: table, columns: key.columns,
          description: "the foreign key of \(table) refers to \(key.parent), which does not exist")
      }
    }
  }

  private static func mismatches(of table: String, _ db: Database) throws -> [Mismatch] {
    try keys(of: table, db).compactMap { key in
      // Without columns it refers to the primary key.
      guard !key.parentColumns.isEmpty, try !isUnique(key.parentColumns, in: key.parent, db) else {
        return nil
      }
      return Mismatch(
        table: table, columns: key.columns,
        description: "the foreign key of \(table) needs a unique index on "
          + "\(key.parent)(\(key.parentColumns.joined(separator: ", ")))")
    }
  }

  private static func isUnique(
    _ columns: [String], in table: String, _ db: Database
  ) throws -> Bool {
    // One that does not exist is noted as that.
    guard try db.tableExists(table, in: "main") else {
      return try !db.viewExists(table, in: "main")
    }
    let columns = Set(columns.map(\.foldedDatabaseIdentifier))
    func isOf(_ names: [String]) -> Bool { Set(names.map(\.foldedDatabaseIdentifier)) == columns }
    let indexes = try db.indexes(on: table, in: "main")
    return try isOf(db.primaryKey(table, in: "main").columns)
      || indexes.contains { $0.isUnique && !$0.isPartial && isOf($0.columns) }
  }

  private struct ForeignKey {
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
