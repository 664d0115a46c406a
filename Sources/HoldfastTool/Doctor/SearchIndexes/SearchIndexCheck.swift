import Holdfast

/// The check of a virtual table with an index: whether a full-text table's matches its texts, and whether an
/// R*Tree's is whole.
enum SearchIndexCheck {
  enum Outcome: Equatable, Sendable {
    case sound
    case stale(because: String?, Mending = .rebuild)
    /// The table of the texts, or a column of it, does not exist.
    case unreadable(String)
    /// An index that has no texts is damaged, as the sentence says.
    case damaged(String)
    /// This SQLite lacks a module, a tokenizer or something else.
    case notExamined(String)
  }

  /// What makes a full-text index match its texts again.
  enum Mending: Sendable {
    case rebuild
    /// The number of a version, without which FTS5 reads no index, and then what makes others match.
    case version
    /// Another table: this one lacks a table or a column of its own, without which nothing rebuilds it.
    case replacement
  }

  /// A virtual table of the main database.
  struct Table: Sendable {
    var name: String
    var sql: String

    /// Whether it has an index of texts that it does not store.
    var isContentless: Bool {
      guard let declaration = VirtualTableDeclaration(sql) else { return false }
      // In FTS3 an option is the name of a column.
      return declaration.module != "fts3" && declaration.options["content"] == ""
    }

    /// The tables next to it that have only its index, and no values of the app.
    ///
    /// The values of an R*Tree's auxiliary columns are in its table of rowids.
    var indexTables: [String] {
      let parts: [String] =
        switch VirtualTableDeclaration(sql)?.module {
        case "fts5": ["data", "idx", "docsize", "config"]
        case "fts3", "fts4": ["segments", "segdir", "docsize", "stat"]
        case let module? where SearchIndexCheck.trees.contains(module): ["node", "parent"]
        default: []
        }
      return parts.map { "\(name)_\($0)" }
    }
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

  fileprivate static let trees: Set = ["rtree", "rtree_i32", "geopoly"]

  /// Examines a virtual table, which needs a connection that may write.
  ///
  /// - Parameters:
  ///   - table: The table; one of another module is sound.
  ///   - db: A connection to a private copy.
  /// - Returns: The state of the table's index.
  /// - Throws: `DatabaseError` when SQLite cannot examine it for another reason.
  static func outcome(of table: Table, _ db: Database) throws -> Outcome {
    guard let declaration = VirtualTableDeclaration(table.sql) else { return .sound }
    let isKnown = try Bool.fetchOne(
      db, sql: "SELECT count(*) > 0 FROM pragma_module_list WHERE name = ? COLLATE NOCASE",
      arguments: [declaration.module])
    guard isKnown == true else { return .notExamined("the module '\(declaration.module)'") }
    let name = table.name.quotedDatabaseIdentifier
    do {
      if let problem = try missingPart(of: table.name, declaration, db) {
        return trees.contains(declaration.module)
          ? .damaged("the R*Tree '\(table.name)' is damaged: \(problem)")
          : .stale(because: problem, .replacement)
      }
      if let problem = try contentProblem(of: table.name, declaration, db) {
        return .unreadable(problem)
      }
      _ = try db.makeStatement(sql: "SELECT rowid FROM \(name) LIMIT 1")
      switch declaration.module {
      case "fts5":
        try db.checkFTS5Integrity(inTable: table.name)
        if let problem = try sizeProblem(of: table, declaration, db) {
          return .stale(because: problem)
        }
      case "fts3", "fts4": return try FTS4Check(table, declaration, db).outcome()
      case _ where trees.contains(declaration.module):
        return try outcome(ofTree: table.name, db)
      default: break
      }
      return .sound
    } catch let error as DatabaseError where !db.stepLimit.isReached {
      let message = error.message ?? error.description
      switch error.resultCode {
      case .SQLITE_CORRUPT where trees.contains(declaration.module):
        return .damaged("the R*Tree '\(table.name)' is damaged: \(message)")
      case .SQLITE_CORRUPT: return .stale(because: nil)
      case .SQLITE_ERROR where isOfNoVersion(message): return .stale(because: message, .version)
      case .SQLITE_ERROR where message.hasPrefix("no such table"): return .stale(because: message)
      case .SQLITE_ERROR: return .notExamined(message)
      default: throw error
      }
    }
  }

  /// Returns what keeps FTS5 from ranking what it finds, where it does not look for it itself: it compares the
  /// sizes of texts with the texts.
  private static func sizeProblem(
    of table: Table, _ declaration: VirtualTableDeclaration, _ db: Database
  ) throws -> String? {
    guard table.isContentless, declaration.options["columnsize"] != "0" else { return nil }
    let sizes = try TextSizes(of: table.name, in: "sz", isExact: true, db)
    let lost = sizes.unreadableCount + (try textsWithoutSize(of: table.name, db))
    if let problem = TextSizes.problem(lacking: lost) { return problem }
    // The first number is that of the texts.
    let hasTotals = try Bool.fetchOne(
      db,
      sql: """
        SELECT typeof(block) = 'blob' AND substr(block, 1, 1) > x'00'
        FROM main.\("\(table.name)_data".quotedDatabaseIdentifier) WHERE id = 1
        """)
    return sizes.count == 0 || hasTotals == true ? nil : TextSizes.lacksTotals
  }

  /// Returns the number of texts whose words are in an index of FTS5, and that have no row for their sizes.
  private static func textsWithoutSize(of name: String, _ db: Database) throws -> Int {
    try db.execute(
      sql: """
        CREATE VIRTUAL TABLE temp.holdfast_places
        USING fts5vocab('main', \(name.quotedDatabaseIdentifier), 'instance')
        """)
    defer {
      // The copy is removed with it.
      do { try db.execute(sql: "DROP TABLE temp.holdfast_places") } catch _ {}
    }
    return try Int.fetchOne(
      db,
      sql: """
        SELECT count(DISTINCT doc) FROM temp.holdfast_places AS place
        WHERE NOT EXISTS (SELECT 1 FROM main.\("\(name)_docsize".quotedDatabaseIdentifier)
          WHERE id = place.doc)
        """) ?? 0
  }

  /// Whether FTS5 says that an index has the number of a version before the first one; of a later version it says
  /// the same.
  private static func isOfNoVersion(_ message: String) -> Bool {
    let start = "invalid fts5 file format (found "
    guard message.hasPrefix(start) else { return false }
    let number = message.dropFirst(start.count).prefix { $0 != "," }
    return Int(number).map { $0 < 4 } ?? false
  }

  /// Examines an R*Tree.
  ///
  /// - SeeAlso: <https://www.sqlite.org/rtree.html#integrity_checks_using_the_rtreecheck_sql_function>
  private static func outcome(ofTree name: String, _ db: Database) throws -> Outcome {
    // "PRAGMA integrity_check now verifies the consistency of" them: https://www.sqlite.org/releaselog/3_44_0.html
    guard Database.sqliteLibVersionNumber < 3_044_000 else { return .sound }
    let report = try String.fetchOne(db, sql: "SELECT rtreecheck('main', ?)", arguments: [name])
    guard let problem = report?.split(separator: "\n").first, problem != "ok" else { return .sound }
    return .damaged("the R*Tree '\(name)' is damaged: \(problem)")
  }

  /// Returns SQLite's message about a table or a column that the index needs; `nil` if it has all of them.
  private static func missingPart(
    of name: String, _ declaration: VirtualTableDeclaration, _ db: Database
  ) throws -> String? {
    let options = declaration.options
    let parts: KeyValuePairs<String, [String]>
    switch declaration.module {
    case "fts5":
      parts = [
        "data": ["id", "block"], "idx": ["segid", "term", "pgno"], "config": ["k", "v"],
        "content": options["content"] == nil ? ["id"] : [],
        "docsize": options["columnsize"] != "0" ? ["id", "sz"] : [],
      ]
    case "fts3", "fts4":
      // In FTS3 the options are names of columns.
      let isFTS4 = declaration.module == "fts4"
      let hasTotals = isFTS4 && options["matchinfo"]?.lowercased() != "fts3"
      parts = [
        "segments": ["blockid", "block"],
        "segdir": ["level", "idx", "start_block", "leaves_end_block", "end_block", "root"],
        "content": isFTS4 && options["content"] != nil ? [] : ["docid"],
        "docsize": hasTotals ? ["docid", "size"] : [], "stat": hasTotals ? ["id", "value"] : [],
      ]
    case let module where trees.contains(module):
      parts = [
        "node": ["nodeno", "data"], "parent": ["nodeno", "parentnode"],
        "rowid": ["rowid", "nodeno"],
      ]
    default: return nil
    }
    for (part, columns) in parts where !columns.isEmpty {
      if let problem = try problem(of: "\(name)_\(part)", columns: columns, db) { return problem }
    }
    return nil
  }

  /// Returns SQLite's message about the table of the texts; `nil` if it has all columns.
  private static func contentProblem(
    of name: String, _ declaration: VirtualTableDeclaration, _ db: Database
  ) throws -> String? {
    let options = declaration.options
    guard ["fts4", "fts5"].contains(declaration.module), let content = options["content"],
      !content.isEmpty
    else { return nil }
    let columns = try String.fetchAll(
      db, sql: "SELECT name FROM pragma_table_info(?)", arguments: [name])
    let key = declaration.module == "fts5" ? options["content_rowid"] : options["languageid"]
    return try problem(
      of: content, columns: (columns + [key].compactMap(\.self)).map(\.quotedDatabaseIdentifier),
      db)
  }

  /// Returns SQLite's message about a table or a column that does not exist.
  private static func problem(of table: String, columns: [String], _ db: Database) throws -> String?
  {
    do {
      // An identifier in quotes that is no column would be a text.
      let columns = columns.map { "source.\($0)" }.joined(separator: ", ")
      _ = try db.makeStatement(
        sql: "SELECT \(columns) FROM main.\(table.quotedDatabaseIdentifier) AS source")
      return nil
    } catch let error as DatabaseError
      where error.resultCode == .SQLITE_ERROR
      && ["no such table: ", "no such column: "].contains(where: (error.message ?? "").hasPrefix)
    {
      // What only the app has, such as a function in a view, is not examined.
      return error.message?.replacing("no such column: source.", with: "no such column: ")
    }
  }

  /// The finding about texts that cannot be read, as a sentence.
  static func sentence(_ table: String, withoutTexts problem: String) -> String {
    "The full-text table '\(table)' cannot read its texts: \(problem)."
  }

  /// The finding about an index that does not match, as a sentence.
  static func sentence(_ table: String, because problem: String?) -> String {
    "The index of the full-text table '\(table)' does not match its texts"
      + (problem.map { ": \($0)." } ?? ".")
  }
}

extension Database {
  /// Whether the main database has neither a table nor anything else.
  func isWithoutSchema() throws -> Bool {
    try Bool.fetchOne(self, sql: "SELECT NOT EXISTS (SELECT 1 FROM main.sqlite_schema)") ?? false
  }

  /// Returns the type of a table or view of the main database, such as `virtual`; `nil` when there is none.
  ///
  /// - SeeAlso: <https://www.sqlite.org/pragma.html#pragma_table_list>
  func tableType(_ name: String) throws -> String? {
    // SQLite lists its schema table by one of two names.
    let listed = name.isSameIdentifier(as: "sqlite_master") ? "sqlite_schema" : name
    return try String.fetchOne(
      self,
      sql: "SELECT type FROM pragma_table_list WHERE schema = 'main' AND name = ? COLLATE NOCASE",
      arguments: [listed])
  }

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
