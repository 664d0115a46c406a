import Foundation
import Holdfast

/// `holdfast db dump DB [TABLE...]`.
struct DatabaseDump: Verb {
  private let database = Argument("DB", "Any SQLite database.", .path)
  private let tables = Argument(
    anyNumberOf: "TABLE", "The tables and views to print; without any, the schema and all tables.",
    .text)
  private let format = Option(
    "--format", "NAME",
    "A row per line (debug, list, quote), a value per line, or an array per table. Otherwise debug.",
    .word(of: Format.allCases.map(\.rawValue)))
  private let schema = Flag(
    "--schema", "Prints only the SQL of the tables, indexes, views and triggers.")

  private enum Format: String, CaseIterable { case debug, list, line, quote, json }

  var declaration: Declaration {
    Declaration(
      "dump", "Prints the schema and the rows of tables.", database, tables, format, schema,
      example: "harbour.db routes --format quote")
  }

  func run(_ arguments: ParsedArguments, output: Output) async throws -> ExitCode {
    let (tables, format) = (arguments[tables], arguments[format].flatMap(Format.init))
    if output.format == .json, format != nil {
      throw ToolError.notTogether("--json", self.format.name)
    }
    if arguments[schema], format != nil {
      throw ToolError.notTogether(schema.name, self.format.name)
    }
    if arguments[schema], !tables.isEmpty {
      throw ToolError.notTogether(schema.name, self.tables.name)
    }
    let opened = try ReadDatabase(output.console) {
      // The values are dumped as the file stores them.
      try DatabaseQueue(
        readingFileAt: arguments[database], withTimetableTables: true, hidesStoredTables: false)
    }
    let isSchemaOnly = arguments[schema]
    return try await opened.read { queue in
      try await queue.read { db in
        let unreadable = UnreadableTables(output, path: arguments[database])
        for table in tables {
          guard try db.tableExists(table) || db.viewExists(table) else {
            throw ToolError.noTable(table, tables: try db.tableNames())
          }
        }
        if output.format == .json {
          try Self.printRecords(
            of: tables, isSchemaOnly: isSchemaOnly, in: db, to: output, unreadable)
        } else {
          let stream = DumpedLines(output.console)
          if isSchemaOnly {
            // Without the header of `dumpSchema`, so that SQLite can run what is printed.
            for object in try db.dumpedObjects() { stream.write("\(object.sql);\n") }
          } else {
            try Self.dump(tables, format ?? .debug, in: db, to: stream, unreadable)
          }
          try stream.end()
        }
        return unreadable.exitCode
      }
    }
  }

  private static func dump(
    _ tables: [String], _ format: Format, in db: Database, to stream: DumpedLines,
    _ unreadable: UnreadableTables
  ) throws {
    func dump(_ format: some DumpFormat) throws {
      let format = InterruptibleFormat(base: format, stream: stream)
      if tables.isEmpty {
        try db.dumpContent(
          format: format, to: stream, handleUnreadable: unreadable.report)
      } else {
        try db.dumpTables(
          tables, format: format, to: stream, handleUnreadable: unreadable.report)
      }
    }
    switch format {
    case .debug: try dump(.debug())
    case .list: try dump(.list())
    case .line: try dump(.line())
    case .quote: try dump(.quote())
    case .json: try dump(.json())
    }
  }

  /// Prints an object per line: of the schema as SQLite stores it, and of each row with its table.
  private static func printRecords(
    of tables: [String], isSchemaOnly: Bool, in db: Database, to output: Output,
    _ unreadable: UnreadableTables
  ) throws {
    var tables = tables
    let schema = tables.isEmpty ? "main" : nil
    if tables.isEmpty {
      let objects = try db.dumpedObjects()
      for object in objects {
        let record: OutputRecord = [
          "type": .text(object.type), "name": .text(object.name),
          "tbl_name": .text(object.table), "sql": .text(object.sql),
        ]
        try output.console.print(record.json)
      }
      if !isSchemaOnly { tables = objects.filter { $0.type == "table" }.map(\.name) }
    }
    for table in tables {
      try db.dumpTables(
        [table], in: schema, format: RecordFormat(table: table, console: output.console), to: nil,
        handleUnreadable: unreadable.report)
    }
  }
}

/// The tables whose rows could not be printed, for example because the tool does not have their module.
private final class UnreadableTables {
  private let output: Output
  private let path: URL

  /// The code of the first error.
  private(set) var exitCode = ExitCode.success

  init(_ output: Output, path: URL) {
    (self.output, self.path) = (output, path)
  }

  /// Prints an error in the place of the rows of a table.
  func report(_ table: String, _ error: DatabaseError) {
    let code = output.report(ToolError.tableNotRead(table, error), paths: [path])
    if exitCode == .success { exitCode = code }
  }
}

/// Rows as records with the name of their table.
private struct RecordFormat: DumpFormat {
  let table: String
  let console: Console

  mutating func writeRow(_ db: Database, statement: Statement, to stream: inout DumpStream) throws {
    let row = OutputRecord(
      columns: OutputRecord.distinct(statement.columnNames),
      cells: statement.databaseValues.map(Cell.init))
    let record: OutputRecord = ["table": .text(table), "row": .record(row)]
    try console.print(record.json)
  }

  mutating func finalize(_ db: Database, statement: Statement, to stream: inout DumpStream) {}
}

/// A format that stops after the row that could not be printed.
private struct InterruptibleFormat<Base: DumpFormat>: DumpFormat {
  var base: Base
  let stream: DumpedLines

  mutating func writeRow(
    _ db: Database, statement: Statement, to output: inout DumpStream
  ) throws {
    try base.writeRow(db, statement: statement, to: &output)
    try stream.check()
  }

  mutating func finalize(_ db: Database, statement: Statement, to output: inout DumpStream) {
    base.finalize(db, statement: statement, to: &output)
  }
}

/// A dump's text, which is printed line by line.
///
/// Control characters other than the ends of lines are escaped, as they are in tables; the literals of
/// SQL have none.
private final class DumpedLines: TextOutputStream {
  private let console: Console
  private var line = ""
  private var failure: ToolError?

  init(_ console: Console) {
    self.console = console
  }

  func write(_ string: String) {
    let parts = string.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false)
    for (index, part) in parts.enumerated() {
      if index > 0 { printLine() }
      line += String(part).escapingControls
    }
  }

  private func printLine() {
    defer { line = "" }
    guard failure == nil else { return }
    do throws(ToolError) { try console.print(line) } catch { failure = error }
  }

  /// Throws the error with which a line could not be printed.
  func check() throws(ToolError) {
    if let failure { throw failure }
  }

  /// Writes what was printed.
  func end() throws(ToolError) {
    try check()
    try console.flush()
  }
}
