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
    let sql = arguments[sql]
    try await queue.read { db in
      try output.records(of: "rows") { listing in
        let rows = try Row.fetchCursor(db, sql: sql)
        var columns: [String]?
        while let row = try rows.next() {
          let names = columns ?? Record.distinct(row.columnNames)
          columns = names
          try listing.write(Record(columns: names, cells: row.databaseValues.map(Cell.init)))
        }
      }
    }
    return .success
  }
}

extension Cell {
  /// A value as the database stores it.
  fileprivate init(_ value: DatabaseValue) {
    switch value.storage {
    case .null: self = .null
    case .int64(let value): self = .integer(value)
    case .double(let value): self = .real(value)
    case .string(let value): self = .text(value)
    case .blob(let value): self = .blob(value)
    }
  }
}

extension DatabaseQueue {
  /// Opens a file that must exist, for reading only.
  convenience init(readingFileAt url: URL) throws {
    guard FileManager.default.fileExists(atPath: url.path(percentEncoded: false)) else {
      throw ToolError.noFile(url.relativePath)
    }
    var configuration = Configuration()
    configuration.readonly = true
    try self.init(path: url.path(percentEncoded: false), configuration: configuration)
  }
}
