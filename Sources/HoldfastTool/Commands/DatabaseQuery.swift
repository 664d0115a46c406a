import Foundation
import Holdfast

/// `holdfast db query DB SQL`.
struct DatabaseQuery: Verb {
  private let database = Argument("DB", "Any SQLite database.", .path)
  private let sql = Argument("SQL", "One statement that reads.", .text)

  var declaration: Declaration {
    Declaration(
      "query", "Runs a statement that reads, and prints its rows.", database, sql,
      example: "harbour.db 'SELECT count(*) FROM stops'")
  }

  func run(_ arguments: ParsedArguments, output: Output) async throws -> ExitCode {
    let queue = try DatabaseQueue(readingFileAt: arguments[database])
    // Before the process ends: what SQLite keeps beside a file goes when it is closed.
    defer { queue.closeIgnoringErrors() }
    let sql = arguments[sql]
    try await queue.read { db in
      try Self.blamingSQL { try Self.printRows(of: sql, in: db, to: output) }
    }
    return .success
  }

  /// The rows of a statement, as they are stored.
  struct Rows: Sendable, Equatable {
    let columns: [String]
    let values: [[DatabaseValue]]

    /// The rows as they are printed.
    var records: [Record] {
      let columns = Record.distinct(columns)
      return values.map { Record(columns: columns, cells: $0.map(Cell.init)) }
    }

    /// Compares byte for byte, also where the same is printed.
    static func == (left: Rows, right: Rows) -> Bool {
      guard left.values == right.values else { return false }
      return left.values.isEmpty
        || left.columns.elementsEqual(right.columns) { $0.hasSameBytes(as: $1) }
    }
  }

  /// Returns the rows of a statement that only reads, all of them.
  ///
  /// - Throws: ``ToolError`` when the statement writes, or SQLite refuses it.
  static func rows(of sql: String, in db: Database) throws -> Rows {
    try blamingSQL {
      let columns = try Self.columns(of: sql, in: db)
      let rows = try Row.fetchAll(db, sql: sql)
      return Rows(columns: columns, values: rows.map(\.databaseValues))
    }
  }

  private static func blamingSQL<Value>(_ body: () throws -> Value) throws -> Value {
    do {
      return try body()
    } catch let error as DatabaseError where error.blamesSQL {
      throw ToolError.sqlRefused(error)
    }
  }

  private static func printRows(of sql: String, in db: Database, to output: Output) throws {
    let columns = Record.distinct(try Self.columns(of: sql, in: db))
    try output.records(of: "rows") { listing in
      let rows = try Row.fetchCursor(db, sql: sql)
      while let row = try rows.next() {
        try listing.write(Record(columns: columns, cells: row.databaseValues.map(Cell.init)))
      }
    }
  }

  /// The columns of a statement that gives rows and needs nothing else.
  private static func columns(of sql: String, in db: Database) throws -> [String] {
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
  /// Whether the text of a statement is at fault, and not the file.
  fileprivate var blamesSQL: Bool {
    switch resultCode {
    case .SQLITE_ERROR, .SQLITE_AUTH, .SQLITE_MISMATCH, .SQLITE_TOOBIG: true
    // The extended codes tell of files and folders.
    case .SQLITE_READONLY: extendedResultCode == .SQLITE_READONLY
    default: false
    }
  }
}

extension Cell {
  /// A value as the database stores it.
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
