import Foundation
import Holdfast
import HoldfastFiles

/// `holdfast db query DB [SQL] [--csv]`.
struct DatabaseQuery: Verb {
  private let database = Argument("DB", "Any SQLite database.", .path)
  private let sql = Argument(
    optional: "SQL", "One statement that reads; without it, or with -, standard input is read.",
    .text)
  private let csv = Flag("--csv", "Prints CSV: a line of column names, then a line per row.")

  var declaration: Declaration {
    Declaration(
      "query", "Runs a read-only statement and prints its rows.", database, sql, csv,
      example: "harbour.db 'SELECT count(*) FROM stops'")
  }

  func run(_ arguments: ParsedArguments, output: Output) async throws -> ExitCode {
    var output = output
    if arguments[csv] {
      guard output.format != .json else { throw ToolError.notTogether("--json", "--csv") }
      output = Output(.csv, console: output.console)
    }
    let sql = try Self.sql(arguments[sql])
    let opened = try ReadDatabase(output.console) {
      try DatabaseQueue(readingFileAt: arguments[database], withTimetableTables: true)
    }
    try await opened.read { [output] queue in
      try await queue.read { db in
        try Self.blamingSQL(in: db) {
          try db.acceptingDoubleQuotedTexts(besides: sql) {
            try Self.printRows(of: sql, in: db, to: output)
          }
        }
      }
    }
    return .success
  }

  /// Returns the SQL on the command line, or on standard input.
  private static func sql(_ word: String?) throws -> String {
    if let word, word != "-" { return word }
    // A terminal would wait silently for input.
    guard word != nil || !Terminal.isTerminal(0) else {
      throw ToolError.missingArgument("SQL", of: "holdfast db query")
    }
    let bytes = try FileHandle.standardInput.readToEnd() ?? Data()
    guard let sql = String(bytes: bytes, encoding: .utf8) else { throw ToolError.sqlNotText() }
    return sql
  }

  /// The rows of a statement, as stored.
  struct Rows: Sendable, Equatable {
    let columns: [String]
    let values: [[DatabaseValue]]

    /// The rows in their printed form.
    var records: [OutputRecord] {
      let columns = OutputRecord.distinct(columns)
      return values.map { OutputRecord(columns: columns, cells: $0.map(Cell.init)) }
    }

    /// Compares byte for byte, even if the printed forms are equal.
    static func == (left: Rows, right: Rows) -> Bool {
      guard left.values == right.values else { return false }
      return left.values.isEmpty
        || left.columns.elementsEqual(right.columns) { $0.hasSameBytes(as: $1) }
    }
  }

  /// Returns all rows of a statement that only reads.
  ///
  /// - Throws: ``ToolError`` when the statement writes, or SQLite refuses it.
  static func rows(of sql: String, in db: Database) throws -> Rows {
    try blamingSQL(in: db) {
      try db.acceptingDoubleQuotedTexts(besides: sql) {
        let columns = try Self.columns(of: sql, in: db)
        let rows = try Row.fetchAll(db, sql: sql)
        return Rows(columns: columns, values: rows.map(\.databaseValues))
      }
    }
  }

  static func blamingSQL<Value>(
    in db: Database, _ body: () throws -> Value
  ) throws -> Value {
    do {
      return try body()
    } catch let error as DatabaseError where error.blamesSQL {
      if let table = error.unknownTable, try db.tableNames().isEmpty {
        throw ToolError.noTable(table, tables: [])
      }
      throw ToolError.sqlRefused(error, try SQLNameHint(error, in: db))
    }
  }

  private static func printRows(of sql: String, in db: Database, to output: Output) throws {
    let columns = OutputRecord.distinct(try Self.columns(of: sql, in: db))
    try output.records(of: "rows", as: TextTable.Layout(showsNull: true)) { listing in
      try listing.begin(columns: columns)
      let rows = try Row.fetchCursor(db, sql: sql)
      while let row = try rows.next() {
        try listing.write(OutputRecord(columns: columns, cells: row.databaseValues.map(Cell.init)))
      }
    }
  }

  /// Returns the columns of a statement that returns rows and has no parameters.
  static func columns(of sql: String, in db: Database) throws -> [String] {
    let statement: Statement
    do {
      statement = try db.makeStatement(sql: sql)
    } catch ResultCode.SQLITE_MISUSE {
      throw ToolError.sqlHoldsSeveral()
    }
    guard statement.isReadonly else { throw ToolError.sqlWrites() }
    guard statement.columnCount > 0 else { throw ToolError.sqlHasNoRows() }
    guard statement.parameterCount == 0 else {
      throw ToolError.sqlHasParameters(statement.parameterCount)
    }
    return statement.columnNames
  }
}

extension DatabaseError {
  /// The name of the table that SQLite did not find, without its database.
  fileprivate var unknownTable: String? {
    guard let message, message.hasPrefix("no such table: ") else { return nil }
    return message.dropFirst("no such table: ".count).split(separator: ".").last.map(String.init)
  }

  /// Whether the error is caused by the text of a statement, not by the file.
  fileprivate var blamesSQL: Bool {
    switch resultCode {
    case .SQLITE_ERROR, .SQLITE_AUTH, .SQLITE_MISMATCH, .SQLITE_TOOBIG: true
    // The extended codes concern files and folders.
    case .SQLITE_READONLY: extendedResultCode == .SQLITE_READONLY
    default: false
    }
  }
}

extension Database {
  /// Returns the names of all tables and views, also of temporary ones.
  func tableNames() throws -> [String] {
    try String.fetchAll(
      self,
      sql: """
        SELECT name FROM (
          SELECT type, name FROM sqlite_schema UNION ALL SELECT type, name FROM sqlite_temp_schema
        ) WHERE type IN ('table', 'view') ORDER BY name
        """)
  }
}

extension Cell {
  /// Creates a cell from a value, as the database stores it.
  init(_ value: DatabaseValue) {
    switch value.storage {
    case .null: self = .null
    case .int64(let value): self = .integer(value)
    case .double(let value): self = .real(value)
    case .string(let value): self = .text(value)
    case .blob(let value): self = .blob(value)
    }
  }
}
