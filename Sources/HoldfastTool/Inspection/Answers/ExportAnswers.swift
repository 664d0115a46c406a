import Foundation
import Holdfast
import HoldfastInspector
import Synchronization

/// The answers that are all rows of a table or of a statement, as a file.
extension DatabaseAnswers {
  /// The time in which an export must find a further row.
  private static let exportPause = Duration.seconds(600)

  /// Sends all rows of a table or of a statement, while they are read.
  ///
  /// What fails before the first rows are sent is the answer. What fails later is the last line, and ends the
  /// connection, so that no browser takes the file for complete.
  func export(_ request: HTTPRequest) throws -> HTTPResponse {
    let isCSV = request["format"] != "json"
    let (sql, arguments, name) = try exported(request)
    let isTyped = request["sql"] != nil
    let channel = ByteChannel()
    let beginning = ExportBeginning()
    let database = database
    @Sendable func breakOff(_ error: any Error) {
      channel.breakOff(Data(Self.lastLine(error, asCSV: isCSV).utf8))
    }
    DispatchQueue.global(qos: .userInitiated).async {
      do {
        try database.withOwnConnection(endedBy: { breakOff(InspectionError.exportEnded()) }) {
          queue in
          channel.atClose { queue.interrupt() }
          try queue.read { db in
            try db.acceptingDoubleQuotedTexts(besides: isTyped ? sql : "") {
              try Self.send(sql, arguments, asCSV: isCSV, db) { bytes in
                beginning.reach()
                return channel.send(bytes)
              }
            }
          }
        }
        channel.finish()
      } catch {
        if !beginning.fail(error) { breakOff(error) }
      }
    }
    try beginning.wait()
    let ending = isCSV ? "csv" : "json"
    return HTTPResponse(
      headers: [
        ("Content-Type", isCSV ? "text/csv; charset=utf-8" : "application/x-ndjson"),
        ("Content-Disposition", Self.disposition(name, ending)),
      ], body: .channel(channel))
  }

  /// Returns the line that ends a file in which rows are missing.
  private static func lastLine(_ error: any Error, asCSV isCSV: Bool) -> String {
    let report = ErrorReport(error)
    guard isCSV else {
      return (["incomplete": .record(report.record)] as OutputRecord).json + "\n"
    }
    let sentences = ["This file is not complete."] + report.lines
    return OutputRecord(
      columns: ["incomplete"], cells: [.text(sentences.joined(separator: " "))]
    ).csv + "\n"
  }

  private func exported(
    _ request: HTTPRequest
  ) throws -> (sql: String, arguments: [DatabaseValue], name: String) {
    if let sql = request["sql"] {
      try Self.checkReads(sql)
      // Errors are reported before the first byte.
      try database.read(for: .statements) { db in
        try DatabaseQuery.blamingSQL(in: db) {
          try db.acceptingDoubleQuotedTexts(besides: sql) {
            _ = try DatabaseQuery.columns(of: sql, in: db)
          }
        }
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

  // The closure gets a part of the file, and returns whether more is wanted.
  private static func send(
    _ sql: String, _ arguments: [DatabaseValue], asCSV isCSV: Bool, _ db: Database,
    to receive: (Data) -> Bool
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
        guard receive(Data(block.utf8)) else { return }
        block = ""
      }
    }
    _ = receive(Data(block.utf8))
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

/// The time until the first rows of an export are there, in which an error is still an answer of its own.
private final class ExportBeginning: Sendable {
  private enum State {
    case waiting
    case reached
    case failed(any Error)
  }

  private let state = Mutex(State.waiting)
  private let isOver = DispatchSemaphore(value: 0)

  /// A statement that sorts much may take longer, and its reader should see that something comes.
  private static let longest = DispatchTimeInterval.seconds(2)

  /// Waits for the first rows or an error.
  ///
  /// - Throws: The error.
  func wait() throws {
    _ = isOver.wait(timeout: .now() + Self.longest)
    try state.withLock { state in
      if case .failed(let error) = state { throw error }
      state = .reached
    }
  }

  /// Records that there are rows.
  func reach() {
    let isFirst = state.withLock { state in
      guard case .waiting = state else { return false }
      state = .reached
      return true
    }
    if isFirst { isOver.signal() }
  }

  /// Records an error.
  ///
  /// - Returns: Whether it becomes the answer.
  func fail(_ error: any Error) -> Bool {
    let isEarly = state.withLock { state in
      guard case .waiting = state else { return false }
      state = .failed(error)
      return true
    }
    if isEarly { isOver.signal() }
    return isEarly
  }
}
