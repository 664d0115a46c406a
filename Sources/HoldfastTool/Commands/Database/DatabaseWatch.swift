import Foundation
import Holdfast

/// `holdfast db watch DB`.
struct DatabaseWatch: Verb {
  private let database = Argument("DB", "Any SQLite database.", .path)
  private let sql = Option(
    "--sql", "SQL", "A read-only statement whose rows are printed when they change.", .text)
  private let tables = Option(
    "--tables", "A,B",
    "Reports only changes of these tables, which are read completely for comparison.", .text)

  var declaration: Declaration {
    Declaration(
      "watch", "Prints a line for each change by another process, until interrupted.", database,
      sql, tables)
  }

  func run(_ arguments: ParsedArguments, output: Output) async throws -> ExitCode {
    let url = arguments[database]
    // A command that only reads must not leave a file behind.
    var settings = WatchSettings()
    settings.requestsWriterSignals = false
    try await WatchSettings.$current.withValue(settings) {
      let opened = try ReadDatabase(output.console) {
        // Whose log has no index, such as after a kill, is opened by its app next.
        try DatabaseQueue(readingFileAt: url, isShared: true)
      }
      try await opened.read { queue in
        try await watch(
          queue, sql: arguments[sql], tables: arguments[tables].map(Self.names), output: output)
      }
    }
    return .success
  }

  private static func names(_ list: String) -> [String] {
    list.unicodeScalars.split(separator: ",")
      .map { String($0).trimmingCharacters(in: .whitespaces) }
  }

  private func watch(
    _ queue: DatabaseQueue, sql: String?, tables: [String]?, output: Output
  ) async throws {
    // Started before the first read, so that no change between the two is missed.
    var changes = queue.externalChanges.makeAsyncIterator()
    var seen = try await WatchedContent.read(queue, sql: sql, tables: tables)
    try seen.print("start", of: tables, to: output)
    while let change = await changes.next() {
      let content = try await WatchedContent.read(queue, sql: sql, tables: tables)
      let changed = tables.map { tables in
        tables.indices.filter { content.digests[$0] != seen.digests[$0] }.map { tables[$0] }
      }
      let isSelected = sql != nil || tables != nil
      let isOther = content.rows != seen.rows || changed?.isEmpty == false
      seen = content
      // With selected rows, the printed content may already include a later change.
      let names = changed ?? (sql == nil ? change.tables?.sorted() : nil)
      if !isSelected || isOther { try content.print("change", of: names, to: output) }
    }
  }
}

/// The watched content of a database at one moment.
private struct WatchedContent: Sendable {
  /// A digest of each watched table, in the given order.
  var digests: [Int] = []

  /// The rows of the statement; `nil` without a statement.
  var rows: DatabaseQuery.Rows?

  static func read(
    _ queue: DatabaseQueue, sql: String?, tables: [String]?
  ) async throws -> WatchedContent {
    try await queue.read { db in
      var content = WatchedContent()
      for table in tables ?? [] {
        guard try db.tableExists(table) else {
          throw ToolError.noTable(table, tables: try db.tableNames())
        }
        content.digests.append(try digest(of: table, in: db))
      }
      if let sql { content.rows = try DatabaseQuery.rows(of: sql, in: db) }
      return content
    }
  }

  private static func digest(of table: String, in db: Database) throws -> Int {
    var hasher = Hasher()
    let rows = try Row.fetchCursor(db, sql: "SELECT * FROM \(table.quotedDatabaseIdentifier)")
    while let row = try rows.next() {
      for value in row.databaseValues { hasher.combine(value) }
    }
    return hasher.finalize()
  }

  /// Prints one line of JSON; in the text format, the rows follow as a table.
  func print(_ event: String, of tables: [String]?, to output: Output) throws {
    let time = Date.now.timestamp(in: .current)
    guard output.format == .json else {
      let names = tables.map { $0.isEmpty ? "" : "  " + $0.joined(separator: ", ") } ?? ""
      try output.line("\(time)  \(event)\(names)")
      if let rows { try output.records(of: "rows", rows.records) }
      return try output.console.flush()
    }
    var record: OutputRecord = [
      "event": .text(event), "tables": tables.map { .list($0.map(Cell.text)) } ?? .null,
    ]
    if let rows {
      record.fields.append(.init(key: "rows", cell: .list(rows.records.map(Cell.record))))
    }
    record.fields.append(.init(key: "time", cell: .text(time)))
    try output.record(record)
  }
}
