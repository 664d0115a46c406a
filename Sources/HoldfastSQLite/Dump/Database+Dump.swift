extension Database {
  /// Runs all statements of a SQL text and writes their rows.
  ///
  /// ```swift
  /// // 1|Arthur|500
  /// // 2|Barbara|1000
  /// try db.dumpSQL("SELECT * FROM player ORDER BY id")
  /// ```
  ///
  /// - Parameters:
  ///   - sql: One or several statements.
  ///   - format: The format of the rows.
  ///   - stream: The destination; standard output if `nil`.
  /// - Throws: ``DatabaseError`` with SQLite's code, after the rows before the error; whatever the format
  ///   throws.
  public func dumpSQL(
    _ sql: SQL, format: some DumpFormat = .debug(), to stream: (any TextOutputStream)? = nil
  ) throws {
    var stream = DumpStream(stream)
    let statements = try allStatements(literal: sql)
    while let statement = try statements.next() {
      try dump(statement, format: format, to: &stream)
    }
  }

  /// Writes the rows of a request, as the database returns them: row adapters are not applied.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - format: The format of the rows.
  ///   - stream: The destination; standard output if `nil`.
  /// - Throws: ``DatabaseError`` with SQLite's code; whatever the format throws.
  public func dumpRequest(
    _ request: some FetchRequest, format: some DumpFormat = .debug(),
    to stream: (any TextOutputStream)? = nil
  ) throws {
    var stream = DumpStream(stream)
    try dump(makeStatement(literal: request.makeSQL(self)), format: format, to: &stream)
  }

  /// Writes the rows of tables and views.
  ///
  /// ```swift
  /// // player
  /// // 1|Arthur|500
  /// // 2|Barbara|1000
  /// //
  /// // team
  /// // 1|Red
  /// try db.dumpTables(["player", "team"])
  /// ```
  ///
  /// - Parameters:
  ///   - tables: The names of the tables and views. The rows of a table are ordered by its primary key,
  ///     unless the connection does not have the key's collation.
  ///   - format: The format of the rows.
  ///   - tableHeader: The condition under which the names of the tables are written.
  ///   - stableOrder: Whether the rows of a view are ordered by all their values, for example in a test.
  ///     If false, they have the order of the view.
  ///   - stream: The destination; standard output if `nil`.
  /// - Throws: ``DatabaseError`` with `SQLITE_ERROR` when there is no such table; whatever the format
  ///   throws.
  public func dumpTables(
    _ tables: [String], format: some DumpFormat = .debug(),
    tableHeader: DumpTableHeaderOptions = .automatic, stableOrder: Bool = false,
    to stream: (any TextOutputStream)? = nil
  ) throws {
    try dumpTables(
      tables, format: format, tableHeader: tableHeader, stableOrder: stableOrder, to: stream
    ) { _, error in throw error }
  }

  /// Writes the rows of tables and views.
  ///
  /// - Parameters:
  ///   - tables: The names of the tables and views.
  ///   - schema: `main`, `temp` or the name of an attached database; if `nil`, the first one with such a
  ///     table.
  ///   - format: The format of the rows.
  ///   - tableHeader: The condition under which the names of the tables are written.
  ///   - stableOrder: Whether the rows of a view are ordered by all their values.
  ///   - stream: The destination; standard output if `nil`.
  ///   - handleUnreadable: Called in the place of the rows of a table that cannot be read. The dump
  ///     continues if it returns.
  /// - Throws: Whatever the format or the closure throws.
  package func dumpTables(
    _ tables: [String], in schema: String? = nil, format: some DumpFormat,
    tableHeader: DumpTableHeaderOptions = .automatic, stableOrder: Bool = false,
    to stream: (any TextOutputStream)?,
    handleUnreadable: (_ table: String, DatabaseError) throws -> Void
  ) throws {
    var stream = DumpStream(stream)
    try dump(
      tables: tables, in: schema, format: format,
      hasHeader: tableHeader == .always || tables.count > 1, isOrderStable: stableOrder,
      to: &stream, handleUnreadable: handleUnreadable)
  }

  /// Writes the schema of the main database, and the rows of all its tables.
  ///
  /// ```
  /// sqlite_master
  /// CREATE TABLE player (id INTEGER PRIMARY KEY, name TEXT, score INTEGER);
  ///
  /// player
  /// 1|Arthur|500
  /// 2|Barbara|1000
  /// ```
  ///
  /// Objects whose names begin with `sqlite_`, `grdb_` or `holdfast_` are left out, and so are the tables
  /// in which a virtual table stores its content. Temporary tables are left out too.
  ///
  /// - Parameters:
  ///   - format: The format of the rows.
  ///   - stream: The destination; standard output if `nil`.
  /// - Throws: ``DatabaseError`` with SQLite's code; whatever the format throws.
  public func dumpContent(
    format: some DumpFormat = .debug(), to stream: (any TextOutputStream)? = nil
  ) throws {
    try dumpContent(format: format, to: stream) { _, error in throw error }
  }

  /// Writes the schema of the main database, and the rows of all its tables.
  ///
  /// - Parameters:
  ///   - format: The format of the rows.
  ///   - stream: The destination; standard output if `nil`.
  ///   - handleUnreadable: Called in the place of the rows of a table that cannot be read, for
  ///     example because the connection does not have its module. The dump continues if it returns.
  /// - Throws: ``DatabaseError`` with SQLite's code; whatever the format or the closure throws.
  package func dumpContent(
    format: some DumpFormat, to stream: (any TextOutputStream)?,
    handleUnreadable: (_ table: String, DatabaseError) throws -> Void
  ) throws {
    var stream = DumpStream(stream)
    let objects = try dumpedObjects()
    dump(schema: objects, to: &stream)
    stream.margin()
    try dump(
      tables: objects.filter { $0.type == "table" }.map(\.name), in: "main", format: format,
      hasHeader: true, isOrderStable: true, to: &stream, handleUnreadable: handleUnreadable)
  }

  /// Writes the SQL of the tables, indexes, views and triggers of the main database, after a line
  /// `sqlite_master`.
  ///
  /// Objects are left out as by ``dumpContent(format:to:)``.
  ///
  /// - Parameter stream: The destination; standard output if `nil`.
  /// - Throws: ``DatabaseError`` with SQLite's code.
  public func dumpSchema(to stream: (any TextOutputStream)? = nil) throws {
    var stream = DumpStream(stream)
    dump(schema: try dumpedObjects(), to: &stream)
  }

  private func dump(schema: [DumpedObject], to stream: inout DumpStream) {
    stream.write(line: "sqlite_master")
    for object in schema { stream.write(line: "\(object.sql);") }
  }

  // MARK: - Statements

  private func dump(
    _ statement: Statement, format: some DumpFormat, to stream: inout DumpStream
  ) throws {
    var format = format
    // After an error too, so that the rows before it can be parsed.
    defer { format.finalize(self, statement: statement, to: &stream) }
    let rows = try statement.makeCursor()
    while try rows.next() != nil {
      try format.writeRow(self, statement: statement, to: &stream)
    }
  }

  private func dump(
    tables: [String], in schema: String?, format: some DumpFormat, hasHeader: Bool,
    isOrderStable: Bool, to stream: inout DumpStream,
    handleUnreadable: (_ table: String, DatabaseError) throws -> Void
  ) throws {
    for (index, table) in tables.enumerated() {
      if index > 0 { stream.margin() }
      if hasHeader { stream.write(line: table) }
      do {
        let rows = try dumpedRows(of: table, in: schema, isOrderStable: isOrderStable)
        try dump(rows, format: format, to: &stream)
      } catch let error as DatabaseError {
        try handleUnreadable(table, error)
      }
    }
  }

  private func dumpedRows(
    of table: String, in schema: String?, isOrderStable: Bool
  ) throws -> Statement {
    let name = [schema, table].compactMap { $0?.quotedDatabaseIdentifier }.joined(separator: ".")
    var order: [String] = []
    if try tableExists(table, in: schema) {
      order = try primaryKey(table, in: schema).columns
    } else if isOrderStable {
      order = try columns(in: table, in: schema).map(\.name)
    }
    let sql = "SELECT * FROM \(name)"
    guard !order.isEmpty else { return try makeStatement(sql: sql) }
    do {
      let terms = order.map(\.quotedDatabaseIdentifier).joined(separator: ", ")
      return try makeStatement(sql: "\(sql) ORDER BY \(terms)")
    } catch let error as DatabaseError where error.isOfMissingCollation {
      // The rows can be read, but not compared.
      return try makeStatement(sql: sql)
    }
  }

  // MARK: - Schema

  /// An object of the schema that dumps contain.
  package struct DumpedObject: FetchableRecord {
    /// `table`, `index`, `view` or `trigger`.
    package let type: String
    /// The name of the object.
    package let name: String
    /// The table or view to which the object belongs; its own name for a table.
    package let table: String
    /// The statement that creates the object, without a semicolon.
    package let sql: String

    package init(row: Row) throws {
      type = try row.decode(atIndex: 0)
      name = try row.decode(atIndex: 1)
      table = try row.decode(atIndex: 2)
      sql = try row.decode(atIndex: 3)
    }
  }

  /// Returns the objects of the main schema that dumps contain: each table with its indexes first.
  package func dumpedObjects() throws -> [DumpedObject] {
    try DumpedObject.fetchAll(
      self,
      sql: """
        SELECT type, name, tbl_name, sql FROM main.sqlite_schema
        WHERE sql IS NOT NULL
          AND lower(substr(name, 1, instr(name, '_'))) NOT IN ('sqlite_', 'grdb_', 'holdfast_')
          AND name NOT IN (SELECT name FROM pragma_table_list WHERE type = 'shadow' AND schema = 'main')
        ORDER BY tbl_name COLLATE NOCASE,
          CASE type WHEN 'table' THEN 0 WHEN 'index' THEN 1 WHEN 'trigger' THEN 2 ELSE 3 END,
          name COLLATE NOCASE
        """)
  }
}

extension DatabaseError {
  /// Whether a statement compares texts by a collation that the connection does not have.
  fileprivate var isOfMissingCollation: Bool {
    resultCode == .SQLITE_ERROR && message?.hasPrefix("no such collation sequence: ") == true
  }
}
