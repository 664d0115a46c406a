import Foundation
import Holdfast
import HoldfastFiles
import HoldfastInspector

/// The answers about the content of one database.
struct DatabaseAnswers: Sendable {
  let database: InspectedDatabase

  /// The time for counting rows, after which the answer is that there are more.
  private static let countingTime = Duration.seconds(2)

  /// The time for one page of rows.
  static let pageTime = Duration.seconds(5)

  /// The schema and what the file says of itself.
  func overview(_ item: InspectedItem, ledger: String?) throws -> OutputRecord {
    let origin = try database.origin()
    return try database.read(for: .pages) { db in
      func number(_ pragma: String) throws -> Cell {
        Cell(try Int.fetchOne(db, sql: "PRAGMA \(pragma)"))
      }
      let tables = try InspectedTable.all(db)
      return [
        "id": .text(item.id), "path": .text(item.name), "mode": .text(origin.reading.name),
        "mode_reason": .text(origin.reading.reason), "bytes": Cell(item.byteCount),
        "log_bytes": Cell(item.logByteCount),
        "journal_mode": .text(try db.presentMode("journal_mode")),
        "page_size": try number("page_size"), "page_count": try number("page_count"),
        "user_version": try number("user_version"), "application_id": try number("application_id"),
        "encoding": Cell(try String.fetchOne(db, sql: "PRAGMA encoding")),
        "sqlite": .text(SQLiteLibrary.current.version),
        "has_history": .bool(try db.tableExists("holdfast_history")), "ledger": Cell(ledger),
        "tables": .list(try tables.map { .record(try OutputRecord($0, in: tables, db)) }),
      ]
    }
  }

  /// The number of rows, if it is found in time.
  func count(_ request: HTTPRequest) throws -> OutputRecord {
    let name = try request.required("table")
    let question = [database.id, name] + request.values(of: "where")
    return try database.counts.value(of: question) {
      try database.read(for: .counts) { db in
        let table = try InspectedTable.named(name, db)
        let filter = try Filters(request, table)
        var rows: Int?
        do {
          rows = try db.limited(to: Self.countingTime) {
            try Int.fetchOne(
              db, sql: "SELECT count(*) FROM \(table.quotedName) WHERE \(filter.sql)",
              arguments: StatementArguments(filter.arguments))
          }
        } catch let error as DatabaseError where error.resultCode == .SQLITE_INTERRUPT {
          // The page says that it is not known.
          rows = nil
        }
        return ["table": .text(table.name), "rows": Cell(rows), "exact": .bool(rows != nil)]
      }
    }
  }

  /// One row, and what refers to it.
  func row(_ request: HTTPRequest) throws -> OutputRecord {
    let (name, key) = (try request.required("table"), try request.key)
    return try database.read(for: .pages) { db in
      let table = try InspectedTable.named(name, db)
      let names = table.shownColumns
      let row = try db.limited(to: Self.pageTime) { try LongRow(of: table, key, db) }
      guard let row else { throw InspectionError.noRow(table.name) }
      var references: [Cell] = []
      for other in try InspectedTable.all(db) {
        for foreign in other.foreignKeys where foreign.table.isSameIdentifier(as: table.name) {
          let targets = InspectedTable.targets(of: foreign, in: table).map { target in
            names.firstIndex { $0.isSameIdentifier(as: target) }.flatMap { row.values[$0] }
          }
          let found = targets.compactMap(\.self)
          guard found.count == foreign.columns.count, !found.contains(where: \.isNull) else {
            continue
          }
          references.append(
            .record([
              "table": .text(other.name), "columns": .list(foreign.columns.map(Cell.text)),
              "values": .list(found.map(Cell.whole)),
            ]))
        }
      }
      return [
        "table": .text(table.name), "columns": .list(names.map(Cell.text)),
        "key": .list(key.map(Cell.whole)),
        "values": .list(row.cells), "references": .list(references),
      ]
    }
  }

  /// The bytes of one value, or a readable form of them.
  func cell(_ request: HTTPRequest) throws -> HTTPResponse {
    let (name, key) = (try request.required("table"), try request.key)
    let column = try request.required("column")
    let value = try database.read(for: .pages) { db in
      let table = try InspectedTable.named(name, db)
      let place = try table.place(of: key)
      let column = try table.existing(column).quotedDatabaseIdentifier
      let row = try db.limited(to: Self.pageTime) {
        try Row.fetchOne(
          db, sql: "SELECT \(column) FROM \(table.quotedName) WHERE \(place)",
          arguments: StatementArguments(key))
      }
      guard let value = row?.databaseValues.first else {
        throw InspectionError.noRow(table.name)
      }
      return value
    }
    let (bytes, isBlob): (Data, Bool) =
      switch value.storage {
      case .blob(let bytes): (bytes, true)
      case .string(let text): (Data(text.utf8), false)
      case .null: (Data(), false)
      case .int64(let number): (Data("\(number)".utf8), false)
      case .double(let number): (Data("\(number)".utf8), false)
      }
    if request["as"] == "json" {
      let readable = ReadableValue(bytes)
      return HTTPResponse(
        json: ([
          "kind": .text(readable.kind.rawValue), "bytes": Cell(readable.byteCount),
          "text": .text(readable.text),
        ] as OutputRecord).json)
    }
    guard isBlob else { return HTTPResponse(bytes, type: "text/plain; charset=utf-8") }
    let kind = BlobKind(bytes.prefix(64), count: bytes.count)
    return HTTPResponse(bytes, type: kind.imageType ?? "application/octet-stream")
  }
}

/// The conditions of a request.
struct Filters {
  let sql: String
  let arguments: [DatabaseValue]

  init(_ request: HTTPRequest, _ table: InspectedTable) throws {
    var conditions: [String] = []
    var arguments: [DatabaseValue] = []
    for word in request.values(of: "where") {
      guard var filter = RowFilter(word) else { throw InspectionError.noFilter(word) }
      filter.column = try table.existing(filter.column)
      filter.isOfTexts = table.hasTexts(in: filter.column)
      let condition = filter.condition
      conditions.append(condition.sql)
      arguments += condition.arguments
    }
    sql = conditions.isEmpty ? "1" : conditions.map { "(\($0))" }.joined(separator: " AND ")
    self.arguments = arguments
  }
}

extension InspectedTable {
  /// The name in SQL.
  var quotedName: String { "main." + name.quotedDatabaseIdentifier }

  /// Whether a column makes a text of each number that is stored in it.
  func hasTexts(in column: String) -> Bool {
    let declared = columns.first { $0.name.isSameIdentifier(as: column) }
    return declared.map { ColumnAffinity(type: $0.type) } == .text
  }

  /// Returns the name of a column as it is declared.
  ///
  /// - Throws: ``InspectionError`` when the table has no such column.
  func existing(_ column: String) throws -> String {
    // The rowid is found by this name, whatever its column is called.
    let rowID = type == "table" && !isWithoutRowID ? ["rowid"] : []
    let names = columns.map(\.name) + (key ?? []) + rowID
    guard let name = names.first(where: { $0.isSameIdentifier(as: column) }) else {
      throw InspectionError.noColumn(column, in: name)
    }
    return name
  }

  /// Returns the condition that finds a row by its key.
  func place(of key: [DatabaseValue]) throws -> String {
    let columns = quotedKey
    guard !columns.isEmpty, columns.count == key.count else { throw InspectionError.noKey(name) }
    return columns.map { "\($0) IS ?" }.joined(separator: " AND ")
  }
}

extension HTTPRequest {
  /// Returns the value of a parameter.
  ///
  /// - Throws: ``InspectionError`` when it is absent.
  func required(_ name: String) throws -> String {
    guard let value = self[name] else { throw InspectionError.missing(name) }
    return value
  }

  /// The values of the parameter `key`.
  var key: [DatabaseValue] {
    get throws {
      guard let key = DatabaseValue.list(json: try required("key")) else {
        throw InspectionError.malformed("key", "a list in JSON, such as [1]")
      }
      return key
    }
  }

  /// Returns a number; `standard` when the parameter is absent.
  ///
  /// - Throws: ``InspectionError`` when it is something else.
  func number(_ name: String, in range: ClosedRange<Int>, otherwise standard: Int) throws -> Int {
    guard let text = self[name] else { return standard }
    guard let number = Int(text), range.contains(number) else {
      throw InspectionError.malformed(
        name, "a whole number from \(range.lowerBound) to \(range.upperBound)")
    }
    return number
  }
}

extension Database {
  /// Runs statements that end after a time.
  ///
  /// - Throws: `DatabaseError` with `SQLITE_INTERRUPT` when the time is over; whatever `body` throws.
  func limited<Value>(to time: Duration, _ body: () throws -> Value) throws -> Value {
    let limit = stepLimit
    limit.begin(Int.max >> 8, until: .now + time)
    defer { limit.end() }
    return try body()
  }
}
