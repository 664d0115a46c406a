#if SQLCipher
  internal import CSQLCipher
#else
  internal import CSQLite
#endif

/// A statement that always fails, because a view or a trigger does not go with the tables: it names one or a column
/// that does not exist, or counts on other columns.
///
/// SQLite looks names up when a view or a trigger is used, and in all of them when a table or a column is renamed or
/// a column is dropped, which fails then too.
///
/// - SeeAlso: <https://www.sqlite.org/lang_altertable.html>
package struct UnresolvableStatement: Hashable, Sendable {
  package enum Verb: String, Sendable {
    case select = "SELECT"
    case insert = "INSERT"
    case update = "UPDATE"
    case delete = "DELETE"
  }

  package let verb: Verb

  /// The view that is read, or the table or view whose triggers the statement fires.
  package let table: String

  /// The reason, in SQLite's words.
  package let reason: String

  /// The statement and the reason, without a period.
  package var description: String {
    switch verb {
    case .select: "the view '\(table)' cannot be read: \(reason)"
    // A trigger may be one of some columns.
    case .update: "an UPDATE of '\(table)' fails if it fires a trigger: \(reason)"
    case .insert, .delete:
      "each \(verb.rawValue) \(verb.preposition)'\(table)' fails: \(reason)"
    }
  }
}

extension UnresolvableStatement.Verb {
  fileprivate var preposition: String {
    switch self {
    case .insert: "into "
    case .delete: "from "
    case .select, .update: "of "
    }
  }
}

extension Database {
  /// The most views and triggers that are looked at: a statement may fire all triggers, which takes memory for each.
  private static let mostUnresolvable = 500

  /// Returns the statements on views and on tables with triggers of the main database that always fail.
  ///
  /// What only an app has, such as a function, is no reason, nor is text in double quotes.
  ///
  /// - Returns: The statements; `nil` if it would take too much time or memory to compile them.
  /// - Throws: ``DatabaseError`` when the schema cannot be read.
  package func unresolvableStatements() throws -> [UnresolvableStatement]? {
    set(SQLITE_DBCONFIG_DQS_DML, true)
    // A foreign key to a table that does not exist stops only apps that enforce it, and is no trigger's fault.
    set(SQLITE_DBCONFIG_ENABLE_FKEY, false)
    defer {
      set(SQLITE_DBCONFIG_DQS_DML, configuration.acceptsDoubleQuotedStringLiterals)
      set(SQLITE_DBCONFIG_ENABLE_FKEY, configuration.foreignKeysEnabled)
    }
    let count = try Int.fetchOne(
      self, sql: "SELECT count(*) FROM main.sqlite_schema WHERE type IN ('view', 'trigger')")
    guard let count, count <= Self.mostUnresolvable, !hasEndlessTriggers else { return nil }
    let views = try String.fetchAll(
      self, sql: "SELECT name FROM main.sqlite_schema WHERE type = 'view' ORDER BY rowid")
    let tables = try String.fetchAll(
      self,
      sql: """
        SELECT tbl_name FROM main.sqlite_schema WHERE type = 'trigger'
        GROUP BY tbl_name ORDER BY min(rowid)
        """)
    var found: [UnresolvableStatement] = []
    func note(_ verb: UnresolvableStatement.Verb, _ table: String, _ sql: String) throws {
      guard let reason = try unresolvedName(in: sql) else { return }
      found.append(UnresolvableStatement(verb: verb, table: table, reason: reason))
    }
    for view in views {
      try note(.select, view, "SELECT * FROM main.\(view.quotedDatabaseIdentifier)")
    }
    let broken = Set(found.map(\.table.foldedDatabaseIdentifier))
    for table in tables where !broken.contains(table.foldedDatabaseIdentifier) {
      let name = "main.\(table.quotedDatabaseIdentifier)"
      let values = try columns(of: table).map { "\($0.quotedDatabaseIdentifier) = NULL" }
        .joined(separator: ", ")
      try note(.insert, table, "INSERT INTO \(name) DEFAULT VALUES")
      try note(.update, table, "UPDATE \(name) SET \(values)")
      try note(.delete, table, "DELETE FROM \(name)")
    }
    return found
  }

  /// Returns the columns of a table or a view; none for a view that needs what only the app has.
  private func columns(of table: String) throws -> [String] {
    do {
      return try String.fetchAll(
        self, sql: "SELECT name FROM pragma_table_info(?, 'main')", arguments: [table])
    } catch let error as DatabaseError
      where [.SQLITE_ERROR, .SQLITE_NOMEM, .SQLITE_CORRUPT].contains(error.resultCode)
    {
      return []
    }
  }

  /// What SQLite says of statements that fail with these tables in any version of it and in any app; but for
  /// ``mayBeAmbiguousHere()``.
  ///
  /// Columns that were added later make most of them, where a statement has `*` or no names.
  private static let contradictions = [
    "no such column: ", "no such index: ", "ambiguous column name: ", "cannot join using column ",
    " has no column named ", " values were supplied", " values for ", " columns assigned ",
    "sub-select returns ", "SELECTs to the left and right of ", " but got ",
    " is circularly defined", "ON CONFLICT clause does not match ", " generated column ",
  ]

  /// Returns SQLite's message about what a statement needs and the tables do not have.
  private func unresolvedName(in sql: String) throws -> String? {
    do {
      _ = try makeStatement(sql: "EXPLAIN \(sql)")
    } catch let error as DatabaseError where error.resultCode == .SQLITE_ERROR {
      let message = error.message ?? ""
      if message.hasPrefix("no such table: ") {
        return try mayBeModule(message.dropFirst("no such table: ".count)) ? nil : message
      }
      if message.hasPrefix("ambiguous column name: "), try mayBeAmbiguousHere() { return nil }
      return Self.contradictions.contains { message.contains($0) } ? message : nil
    } catch let error as DatabaseError
      where [.SQLITE_NOMEM, .SQLITE_CORRUPT].contains(error.resultCode)
    {
      // A view that others wrote may need more than its examination may take. A damaged virtual table has a
      // check of its own.
    }
    return nil
  }

  /// Whether a statement may have a join in which SQLite 3.39 to 3.50 takes the columns of `t.*` for ambiguous, and
  /// later versions do not: a FULL or RIGHT one.
  private func mayBeAmbiguousHere() throws -> Bool {
    try String.fetchAll(
      self,
      sql:
        "SELECT sql FROM main.sqlite_schema WHERE type IN ('view', 'trigger') AND sql IS NOT NULL"
    ).contains { sql in
      let tokens = SQLTokens(sql)
      return tokens.contains(word: "full") || tokens.contains(word: "right")
    }
  }

  /// Table-valued functions that SQLite or its shell has in some builds; a statement may name one without arguments.
  private static let tableValuedFunctions: Set = [
    "json_each", "json_tree", "jsonb_each", "jsonb_tree", "generate_series", "bytecode",
    "tables_used", "carray", "fsdir", "completion",
  ]

  /// Whether an app may have a table without a row in the schema: one of SQLite's own, or a table-valued function.
  ///
  /// - SeeAlso: <https://www.sqlite.org/vtab.html#eponymous_virtual_tables>
  private func mayBeModule(_ name: Substring) throws -> Bool {
    let name = (name.hasPrefix("main.") ? name.dropFirst(5) : name).lowercased()
    if ["sqlite_", "pragma_", "dbstat"].contains(where: name.hasPrefix) { return true }
    if Self.tableValuedFunctions.contains(name) { return true }
    let statements = try String.fetchAll(
      self,
      sql: """
        SELECT sql FROM main.sqlite_schema WHERE type IN ('view', 'trigger') AND instr(lower(sql), ?)
        """, arguments: [name])
    return statements.contains { sql in
      let tokens = Array(SQLTokens(sql))
      return ViewExpansion.tables(in: tokens).contains { place in
        tokens[place].unquotedName == name.foldedDatabaseIdentifier
          && tokens.dropFirst(place + 1).first == "("
      }
    }
  }
}
