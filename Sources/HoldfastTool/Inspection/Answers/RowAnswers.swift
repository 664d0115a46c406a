import Foundation
import Holdfast
import HoldfastInspector

/// The answers that are pages of rows.
extension DatabaseAnswers {
  /// A page of a table or a view.
  func rows(_ request: HTTPRequest) throws -> OutputRecord {
    let name = try request.required("table")
    let limit = try request.number("limit", in: 1...500, otherwise: 100)
    return try database.read(for: .pages) { db in
      let table = try InspectedTable.named(name, db)
      if let problem = table.problem {
        throw InspectionError(status: 422, message: problem, advice: "Look at it in the app.")
      }
      let began = ContinuousClock.now
      do {
        var record = try db.limited(to: Self.pageTime) {
          try table.key == nil
            ? Self.numberedPage(request, table, limit, db)
            : Self.page(request, table, limit, db)
        }
        record.fields.append(.init(key: "milliseconds", cell: .real(began.milliseconds)))
        return record
      } catch let error as DatabaseError where error.resultCode == .SQLITE_INTERRUPT {
        throw InspectionError.tooLong("To sort and to filter '\(table.name)'")
      }
    }
  }

  static func page(
    _ request: HTTPRequest, _ table: InspectedTable, _ limit: Int, _ db: Database
  ) throws -> OutputRecord {
    do {
      // The key is read beside the columns, of which there may be as many as a statement can have.
      let hasRoom = 1 + table.quotedKey.count + table.shownColumns.count <= db.maximumColumnCount
      return try page(request, table, limit, db, isWhole: hasRoom)
    } catch let error as DatabaseError where error.resultCode == .SQLITE_TOOBIG {
      return try page(request, table, limit, db, isWhole: false)
    }
  }

  // Reads rows as they are found, or one by one where a value is too long.
  private static func page(
    _ request: HTTPRequest, _ table: InspectedTable, _ limit: Int, _ db: Database, isWhole: Bool
  ) throws -> OutputRecord {
    let keys = table.key ?? []
    var page = RowPage(key: table.quotedKey)
    let sort = try request["sort"].map { try table.existing($0) }
    // The key's own order needs no further column.
    if let sort, !(keys.count == 1 && keys[0].isSameIdentifier(as: sort)) {
      page.sort = sort.quotedDatabaseIdentifier
    }
    page.isDescending = request["order"] == "desc"
    page.start = try start(request, table, sort: page.sort, db)
    let filter = try Filters(request, table)
    let names = table.shownColumns
    let shown = isWhole ? names : []
    let columns =
      ([page.sort ?? "NULL"] + (keys + shown).map(\.quotedDatabaseIdentifier))
      .joined(separator: ", ")
    var found: [(cursor: RowCursor, values: ShownValues)] = []
    var (byteCount, hasMore) = (0, false)
    // One more than is shown says whether there is a next page.
    for stage in page.stages where !hasMore {
      let rows = try Row.fetchCursor(
        db,
        sql:
          "SELECT \(columns) FROM \(table.quotedName) WHERE (\(stage.condition)) AND \(filter.sql) "
          + "ORDER BY \(page.order) LIMIT \(limit + 1 - found.count)",
        arguments: StatementArguments(stage.arguments + filter.arguments))
      while let row = try rows.next() {
        guard found.count < limit, byteCount < ShownValues.mostBytes else {
          hasMore = true
          break
        }
        let values = row.databaseValues
        let cursor = RowCursor(
          value: page.sort.map { _ in values[0] }, key: Array(values[1...keys.count]))
        let shown =
          isWhole
          ? ShownValues(values[(keys.count + 1)...])
          : ShownValues(cells: try LongRow(of: table, cursor.key, db)?.cells ?? [])
        // What a page is continued by is kept whole, and is as long as the value that rows are sorted by.
        byteCount += shown.byteCount + cursor.byteCount
        found.append((cursor, shown))
      }
    }
    if page.isReversed { found.reverse() }
    let hasNext = page.isReversed ? true : hasMore
    let hasPrevious = page.isReversed ? hasMore : page.start != .first
    return [
      "table": .text(table.name), "columns": .list(names.map(Cell.text)),
      "keys": .list(keys.map(Cell.text)),
      "rows": .list(
        found.map { row in
          .record([
            "key": .list(row.cursor.key.map(Cell.whole)),
            "values": .list(row.values.cells),
          ])
        }),
      "next": Cell(hasNext ? found.last?.cursor.text : nil),
      "previous": Cell(hasPrevious ? found.first?.cursor.text : nil),
    ]
  }

  private static func start(
    _ request: HTTPRequest, _ table: InspectedTable, sort: String?, _ db: Database
  ) throws -> RowPage.Start {
    func cursor(_ name: String) throws -> RowCursor? {
      guard let text = request[name] else { return nil }
      guard var cursor = RowCursor(text) else {
        throw InspectionError.malformed(name, "the beginning of a page")
      }
      if cursor.isValueInRow, let sort {
        let row = try Row.fetchOne(
          db, sql: "SELECT \(sort) FROM \(table.quotedName) WHERE \(table.place(of: cursor.key))",
          arguments: StatementArguments(cursor.key))
        guard let row else { throw InspectionError.noRow(table.name) }
        cursor.value = row.databaseValues[0]
      }
      return cursor
    }
    if let cursor = try cursor("after") { return .after(value: cursor.value, key: cursor.key) }
    if let cursor = try cursor("before") { return .before(value: cursor.value, key: cursor.key) }
    if let text = request["at"] {
      let column = request["sort"] ?? table.key?.first ?? ""
      let values = RowFilter.meanings(of: text, amongTexts: table.hasTexts(in: column))
      return .at(values.last ?? .null)
    }
    return .first
  }

  /// A page of a view or a virtual table, whose rows have no key: those before it are counted.
  static func numberedPage(
    _ request: HTTPRequest, _ table: InspectedTable, _ limit: Int, _ db: Database
  ) throws -> OutputRecord {
    let most = 1_000_000
    let number = try request.number(
      request["before"] == nil ? "after" : "before", in: 0...most, otherwise: 0)
    let filter = try Filters(request, table)
    let names = table.shownColumns
    let columns = names.map(\.quotedDatabaseIdentifier).joined(separator: ", ")
    var order = ""
    if let sort = try request["sort"].map({ try table.existing($0) }) {
      order =
        "ORDER BY \(sort.quotedDatabaseIdentifier)\(request["order"] == "desc" ? " DESC" : "") "
    }
    let cursor = try Row.fetchCursor(
      db,
      sql: "SELECT \(columns) FROM \(table.quotedName) WHERE \(filter.sql) \(order)"
        + "LIMIT \(limit + 1) OFFSET \(number)",
      arguments: StatementArguments(filter.arguments))
    var rows: [ShownValues] = []
    var (byteCount, hasMore) = (0, false)
    while let row = try cursor.next() {
      guard rows.count < limit, byteCount < ShownValues.mostBytes else {
        hasMore = true
        break
      }
      let shown = ShownValues(row.databaseValues[...])
      byteCount += shown.byteCount
      rows.append(shown)
    }
    return [
      "table": .text(table.name), "columns": .list(names.map(Cell.text)), "keys": .list([]),
      "rows": .list(
        rows.map { .record(["key": .null, "values": .list($0.cells)]) }),
      "next": hasMore && number + rows.count <= most ? .text(String(number + rows.count)) : .null,
      "previous": number > 0 ? .text(String(max(0, number - limit))) : .null,
    ]
  }

  /// The rows of a full-text table that match what was typed.
  func search(_ request: HTTPRequest) throws -> OutputRecord {
    let name = try request.required("table")
    let words = try request.required("match")
    let limit = try request.number("limit", in: 1...500, otherwise: 50)
    return try database.read(for: .pages) { db in
      let table = try InspectedTable.named(name, db)
      guard let module = table.search else { throw InspectionError.noSearch(table.name) }
      let pattern =
        module == "fts5"
        ? FTS5Pattern(matchingAllPrefixesIn: words)?.databaseValue
        : FTS3Pattern(matchingAllPrefixesIn: words)?.databaseValue
      let names = table.shownColumns
      let columns = (["rowid"] + names.map(\.quotedDatabaseIdentifier)).joined(separator: ", ")
      let began = ContinuousClock.now
      var rows: [(key: DatabaseValue, values: ShownValues)] = []
      if let pattern {
        try db.limited(to: Self.pageTime) {
          let cursor = try Row.fetchCursor(
            db,
            sql: "SELECT \(columns) FROM \(table.quotedName) "
              + "WHERE \(table.name.quotedDatabaseIdentifier) MATCH ? "
              + "ORDER BY \(module == "fts5" ? "rank" : "rowid") LIMIT \(limit)",
            arguments: [pattern])
          while let row = try cursor.next() {
            let values = row.databaseValues
            rows.append((values[0], ShownValues(values.dropFirst())))
          }
        }
      }
      return [
        "table": .text(table.name), "columns": .list(names.map(Cell.text)),
        "keys": .list([.text("rowid")]),
        "rows": .list(
          rows.map { row in
            .record(["key": .list([.whole(row.key)]), "values": .list(row.values.cells)])
          }),
        "next": .null, "previous": .null, "milliseconds": .real(began.milliseconds),
      ]
    }
  }
}

extension ContinuousClock.Instant {
  /// The milliseconds since then, to a hundredth.
  var milliseconds: Double {
    (duration(to: .now) / .milliseconds(1) * 100).rounded() / 100
  }
}
