import Foundation
import Holdfast
import HoldfastInspector

/// The answers to statements that were typed.
extension DatabaseAnswers {
  /// The most rows of an answer, and the number where none is asked for.
  private static let mostRows = 10_000
  private static let standardRows = 1000

  private static let queryTime = Duration.seconds(5)

  private struct Question: Decodable {
    var sql: String
    var limit: Int?
  }

  /// Runs one statement that reads, and says how.
  func query(_ request: HTTPRequest) throws -> OutputRecord {
    let question: Question
    do {
      question = try JSONDecoder().decode(Question.self, from: request.body)
    } catch {
      throw InspectionError.malformed("body", "an object with the text 'sql'")
    }
    let most = min(max(1, question.limit ?? Self.standardRows), Self.mostRows)
    return try database.read(for: .statements) { db in
      try DatabaseQuery.blamingSQL(in: db) {
        try Self.checkReads(question.sql)
        return try db.acceptingDoubleQuotedTexts(besides: question.sql) {
          try Self.answer(question.sql, most, db)
        }
      }
    }
  }

  private static func answer(_ sql: String, _ most: Int, _ db: Database) throws -> OutputRecord {
    let columns = try DatabaseQuery.columns(of: sql, in: db)
    let isPlan = ReadOnlyStatement.firstWord(of: sql) == "EXPLAIN"
    let plan =
      isPlan
      ? [] : try Row.fetchAll(db, sql: "EXPLAIN QUERY PLAN " + sql).map(planCell)
    var answer = Answer()
    let began = ContinuousClock.now
    do {
      try db.limited(to: Self.queryTime) {
        let rows = try Row.fetchCursor(db, sql: sql)
        while let row = try rows.next() {
          guard answer.rows.count < most else {
            answer.reason = "Only the first \(most) rows are shown."
            return
          }
          answer.add(ShownValues(row.databaseValues[...]))
          guard answer.byteCount < ShownValues.mostBytes else {
            answer.reason = "The answer is longer than \(ShownValues.mostBytes >> 20) MiB."
            return
          }
        }
      }
    } catch let error as DatabaseError where error.resultCode == .SQLITE_INTERRUPT {
      answer.reason = "It was stopped after 5 seconds; there may be more rows."
    }
    return [
      "columns": .list(columns.map(Cell.text)), "rows": .list(answer.rows),
      "truncated": .bool(answer.reason != nil), "truncated_reason": Cell(answer.reason),
      "milliseconds": .real(began.milliseconds), "plan": .list(plan),
    ]
  }

  private struct Answer {
    var rows: [Cell] = []
    var byteCount = 0
    var reason: String?

    mutating func add(_ values: ShownValues) {
      rows.append(.list(values.cells))
      byteCount += values.byteCount
    }
  }

  private static func planCell(_ row: Row) throws -> Cell {
    .record([
      "id": Cell(try row.decode(Int.self, atIndex: 0)),
      "parent": Cell(try row.decode(Int.self, atIndex: 1)),
      "detail": .text(try row.decode(atIndex: 3)),
    ])
  }

  /// Refuses what changes the connection although SQLite says that it only reads, such as `ATTACH` and pragmas.
  static func checkReads(_ sql: String) throws {
    guard ReadOnlyStatement.isAllowed(sql) else { throw ToolError.sqlWrites() }
  }
}

/// The decision whether a statement may be run although it was typed into a page.
enum ReadOnlyStatement {
  /// Whether a statement begins like one that only reads.
  ///
  /// SQLite's own answer, which is asked too, takes some for harmless that change the connection or other files.
  static func isAllowed(_ sql: String) -> Bool {
    ["SELECT", "WITH", "VALUES", "EXPLAIN"].contains(firstWord(of: sql))
  }

  /// Returns the first word in capital letters, after spaces and comments.
  static func firstWord(of sql: String) -> String {
    var rest = Substring(sql).unicodeScalars
    while let first = rest.first {
      if first.properties.isWhitespace {
        rest.removeFirst()
      } else if rest.starts(with: "--".unicodeScalars) {
        rest = rest.drop { $0 != "\n" }
      } else if rest.starts(with: "/*".unicodeScalars) {
        rest = rest.dropFirst(2)
        while !rest.isEmpty, !rest.starts(with: "*/".unicodeScalars) { rest.removeFirst() }
        rest = rest.dropFirst(2)
      } else {
        break
      }
    }
    return String(Substring(rest.prefix { $0.isASCII && $0.properties.isAlphabetic })).uppercased()
  }
}
