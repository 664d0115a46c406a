import Foundation
import Holdfast
import HoldfastInspector

/// The answers to statements that were typed.
extension DatabaseAnswers {
  /// The most rows of an answer, and the number where none is asked for.
  private static let mostRows = 10_000
  private static let standardRows = 1000

  private static let queryTime = Duration.seconds(5)

  /// The time in which an export must find a further row.
  private static let exportPause = Duration.seconds(600)

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
        let columns = try DatabaseQuery.columns(of: question.sql, in: db)
        let isPlan = ReadOnlyStatement.firstWord(of: question.sql) == "EXPLAIN"
        let plan =
          isPlan
          ? [] : try Row.fetchAll(db, sql: "EXPLAIN QUERY PLAN " + question.sql).map(Self.planCell)
        var answer = Answer()
        let began = ContinuousClock.now
        do {
          try db.limited(to: Self.queryTime) {
            let rows = try Row.fetchCursor(db, sql: question.sql)
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
    }
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
  private static func checkReads(_ sql: String) throws {
    guard ReadOnlyStatement.isAllowed(sql) else { throw ToolError.sqlWrites() }
  }

  /// Sends all rows of a table or of a statement, while they are read.
  func export(_ request: HTTPRequest) throws -> HTTPResponse {
    let isCSV = request["format"] != "json"
    let (sql, arguments, name) = try exported(request)
    let channel = ByteChannel()
    let database = database
    // Its end is what the browser sees: a broken connection where rows are missing.
    DispatchQueue.global(qos: .userInitiated).async {
      do {
        try database.withOwnConnection(endedBy: { channel.finish(complete: false) }) { queue in
          channel.atClose { queue.interrupt() }
          try queue.read { db in
            try Self.send(sql, arguments, asCSV: isCSV, db, to: channel)
          }
        }
        channel.finish()
      } catch {
        channel.finish(complete: false)
      }
    }
    let ending = isCSV ? "csv" : "json"
    return HTTPResponse(
      headers: [
        ("Content-Type", isCSV ? "text/csv; charset=utf-8" : "application/x-ndjson"),
        ("Content-Disposition", Self.disposition(name, ending)),
      ], body: .channel(channel))
  }

  private func exported(
    _ request: HTTPRequest
  ) throws -> (sql: String, arguments: [DatabaseValue], name: String) {
    if let sql = request["sql"] {
      try Self.checkReads(sql)
      // Errors are reported before the first byte.
      try database.read(for: .statements) { db in
        try DatabaseQuery.blamingSQL(in: db) { _ = try DatabaseQuery.columns(of: sql, in: db) }
      }
      return (sql, [], "query")
    }
    let name = try request.required("table")
    return try database.read(for: .pages) { db in
      let table = try InspectedTable.named(name, db)
      let filter = try Filters(request, table)
      let names = table.shownColumns.map(\.quotedDatabaseIdentifier).joined(separator: ", ")
      var sql = "SELECT \(names) FROM \(table.quotedName) WHERE \(filter.sql)"
      let direction = request["order"] == "desc" ? " DESC" : ""
      let order = try request["sort"].map { [try table.existing($0)] } ?? table.key ?? []
      if !order.isEmpty {
        sql +=
          " ORDER BY "
          + order.map { $0.quotedDatabaseIdentifier + direction }.joined(separator: ", ")
      }
      return (sql, filter.arguments, table.name)
    }
  }

  private static func send(
    _ sql: String, _ arguments: [DatabaseValue], asCSV isCSV: Bool, _ db: Database,
    to channel: ByteChannel
  ) throws {
    let statement = try db.makeStatement(sql: sql)
    let columns = OutputRecord.distinct(statement.columnNames)
    var block = ""
    if isCSV {
      let cells = columns.map { _ in Cell.null }
      block += OutputRecord(columns: columns, cells: cells).csvHeader + "\n"
    }
    let rows = try Row.fetchCursor(
      statement, arguments: StatementArguments(arguments))
    let limit = db.stepLimit
    func goOn() { limit.begin(Int.max >> 8, until: .now + exportPause) }
    goOn()
    defer { limit.end() }
    while let row = try rows.next() {
      goOn()
      let record = OutputRecord(columns: columns, cells: row.databaseValues.map(Cell.init))
      block += (isCSV ? record.csv : record.json) + "\n"
      if block.utf8.count >= 64 << 10 {
        guard channel.send(Data(block.utf8)) else { return }
        block = ""
      }
    }
    _ = channel.send(Data(block.utf8))
  }

  /// Returns the header that makes a browser save an answer, under a name that is one file name on every system.
  ///
  /// - SeeAlso: <https://www.rfc-editor.org/rfc/rfc6266#section-4.3>, <https://www.rfc-editor.org/rfc/rfc8187>
  static func disposition(_ name: String, _ ending: String) -> String {
    let letters = name.precomposedStringWithCanonicalMapping.unicodeScalars.prefix(80).map {
      $0.properties.isAlphabetic || $0.properties.numericType == .decimal || $0 == "-" ? $0 : "_"
    }
    let plain = String(String.UnicodeScalarView(letters.map { $0.isASCII ? $0 : "_" }))
    let whole = letters.flatMap { scalar -> [String] in
      guard !scalar.isASCII else { return [String(scalar)] }
      return String(scalar).utf8.map { "%" + String($0, radix: 16, uppercase: true) }
    }.joined()
    guard !letters.isEmpty else { return "attachment; filename=\"table.\(ending)\"" }
    let start = "attachment; filename=\"\(plain).\(ending)\""
    return plain == whole ? start : "\(start); filename*=UTF-8''\(whole).\(ending)"
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
