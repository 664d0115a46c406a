import Holdfast

/// The check of a full-text table: whether its index matches its texts.
enum SearchIndexCheck {
  enum Outcome: Equatable, Sendable {
    case sound
    case stale(because: String?)
    /// This SQLite lacks a module, a tokenizer or something else.
    case notExamined(String)
  }

  /// A virtual table of the main database.
  struct Table: Sendable {
    var name: String
    var sql: String
  }

  static func virtualTables(_ db: Database) throws -> [Table] {
    try Row.fetchAll(
      db,
      sql: """
        SELECT name, sql FROM main.sqlite_schema
        WHERE type = 'table' AND rootpage = 0 AND sql IS NOT NULL ORDER BY rowid
        """
    ).map { row in
      try Table(name: row.decode(forColumn: "name"), sql: row.decode(forColumn: "sql"))
    }
  }

  /// Examines a virtual table, which needs a connection that may write.
  ///
  /// - Parameters:
  ///   - table: The table; one that is not for full text is sound.
  ///   - db: A connection to a private copy.
  /// - Returns: What was found.
  /// - Throws: `DatabaseError` when SQLite cannot examine it for another reason.
  static func outcome(of table: Table, _ db: Database) throws -> Outcome {
    guard let declaration = VirtualTableDeclaration(table.sql) else { return .sound }
    let isKnown = try Bool.fetchOne(
      db, sql: "SELECT count(*) > 0 FROM pragma_module_list WHERE name = ? COLLATE NOCASE",
      arguments: [declaration.module])
    guard isKnown == true else { return .notExamined("the module '\(declaration.module)'") }
    let name = table.name.quotedDatabaseIdentifier
    let isContentless = declaration.options["content"] == ""
    do {
      _ = try db.makeStatement(sql: "SELECT rowid FROM \(name) LIMIT 1")
      // Those of FTS3 and FTS4 have no check without their texts.
      guard !isContentless || declaration.module == "fts5" else { return .sound }
      switch declaration.module {
      case "fts5": try db.checkFTS5Integrity(inTable: table.name)
      case "fts3", "fts4":
        try db.execute(sql: "INSERT INTO \(name) (\(name)) VALUES ('integrity-check')")
      default: break
      }
      return .sound
    } catch let error as DatabaseError where !db.stepLimit.isReached {
      let message = error.message ?? error.description
      switch error.resultCode {
      case .SQLITE_CORRUPT: return .stale(because: nil)
      case .SQLITE_ERROR where message.hasPrefix("no such table"): return .stale(because: message)
      case .SQLITE_ERROR: return .notExamined(message)
      default: throw error
      }
    }
  }

  /// The finding about an index that does not match, as a sentence.
  static func sentence(_ table: String, because problem: String?) -> String {
    "The index of the full-text table '\(table)' does not match its texts"
      + (problem.map { ": \($0)." } ?? ".")
  }
}

extension Database {
  /// Runs an examination of a file whose schema somebody else wrote, within steps and a time that are
  /// far above what files of its size need.
  ///
  /// - Throws: `DatabaseError` with `SQLITE_INTERRUPT` after more of them; whatever `body` throws.
  func examining<Value>(_ body: (Database) throws -> Value) throws -> Value {
    let pages = try Int.fetchOne(self, sql: "PRAGMA page_count") ?? 0
    let pageSize = try Int.fetchOne(self, sql: "PRAGMA page_size") ?? 0
    let byteCount = pages * pageSize
    let limit = stepLimit
    limit.begin(5_000_000 + 100 * byteCount, until: .now + .seconds(120 + byteCount >> 20))
    defer { limit.end() }
    do {
      return try body(self)
    } catch  where limit.isReached {
      throw DatabaseError(resultCode: .SQLITE_INTERRUPT)
    }
  }
}
