import Foundation
import Holdfast
import HoldfastInspector
import HoldfastTestSupport
import Testing

@testable import HoldfastTool

/// Pages of rows by key, compared with all rows in their order.
@Suite struct RowPageTests {
  private static let tables = [
    "CREATE TABLE t (id INTEGER PRIMARY KEY, v)",
    "CREATE TABLE t (v, id TEXT)",
    "CREATE TABLE t (v, rowid, _rowid_)",
    "CREATE TABLE t (a TEXT, b, v, PRIMARY KEY (a, b)) WITHOUT ROWID",
    "CREATE TABLE t (id TEXT COLLATE NOCASE PRIMARY KEY, v TEXT COLLATE NOCASE) WITHOUT ROWID",
    "CREATE TABLE t (a TEXT COLLATE NOCASE, v, PRIMARY KEY (a COLLATE BINARY)) WITHOUT ROWID",
    "CREATE TABLE t (id INTEGER PRIMARY KEY DESC, v REAL)",
    "CREATE TABLE t (id INTEGER PRIMARY KEY, v); CREATE INDEX i ON t (v)",
  ]

  private static func value(_ random: inout SeededRandom) -> DatabaseValue {
    switch Int.random(in: 0..<6, using: &random) {
    case 0: .null
    case 1: DatabaseValue(storage: .int64(Int64.random(in: -3...3, using: &random)))
    case 2: DatabaseValue(storage: .double(Double(Int.random(in: -4...4, using: &random)) / 2))
    case 3: DatabaseValue(storage: .blob(Data([UInt8.random(in: 0...3, using: &random)])))
    default:
      DatabaseValue(
        storage: .string(
          ["a", "A", "b", "B", "", "<script>", "é"].randomElement(using: &random) ?? ""))
    }
  }

  /// A name whose letters differ in nothing but their case for some collations.
  private static func name(_ random: inout SeededRandom) -> String {
    ["a", "A", "x"].shuffled(using: &random)[0] + "\(Int.random(in: 0...33, using: &random))"
  }

  private func pages(
    _ db: Database, _ query: [(name: String, value: String)], limit: Int
  ) throws -> OutputRecord {
    let table = try InspectedTable.named("t", db)
    return try DatabaseAnswers.page(HTTPRequest(path: [], query: query), table, limit, db)
  }

  private func rows(_ page: OutputRecord) throws -> [Cell] {
    guard case .list(let rows)? = page["rows"] else { throw CancellationError() }
    return rows.compactMap { row in
      if case .record(let record) = row { record["key"] } else { nil }
    }
  }

  private func text(_ page: OutputRecord, _ key: String) -> String? {
    if case .text(let text)? = page[key] { text } else { nil }
  }

  @Test(arguments: tables.indices, [nil, "asc", "desc"] as [String?])
  func pagesForthAndBackAreAllRowsInTheirOrder(_ index: Int, _ sorting: String?) throws {
    var random = SeededRandom(for: "\(#function) \(index) \(sorting ?? "")")
    let queue = try DatabaseQueue()
    try queue.write { db in
      try db.execute(sql: Self.tables[index])
      let columns = try db.columns(in: "t").map(\.name)
      for _ in 0..<60 {
        let values = columns.map { $0 == "id" || $0 == "a" ? nil : Optional(Self.value(&random)) }
        let filled = values.enumerated().map { number, value in
          value
            ?? (columns[number] == "id" && index != 1 && index != 4
              ? .null
              : DatabaseValue(storage: .string(Self.name(&random))))
        }
        let places = columns.map { _ in "?" }.joined(separator: ", ")
        try db.execute(
          sql: "INSERT OR IGNORE INTO t VALUES (\(places))", arguments: StatementArguments(filled))
      }
    }
    try queue.read { db in
      var query: [(name: String, value: String)] = []
      if let sorting { query = [("sort", "v"), ("order", sorting)] }
      let all = try rows(try pages(db, query, limit: 500))
      let count = try Int.fetchOne(db, sql: "SELECT count(*) FROM t")
      #expect(all.count == count && all.count > 20)

      // Forth.
      var found: [Cell] = []
      var place: String?
      var last = try pages(db, query, limit: 7)
      #expect(text(last, "previous") == nil)
      while true {
        found += try rows(last)
        place = text(last, "next")
        guard let place else { break }
        last = try pages(db, query + [("after", place)], limit: 7)
      }
      #expect(found == all)

      // And back.
      var back = try rows(last)
      while let place = text(last, "previous") {
        last = try pages(db, query + [("before", place)], limit: 7)
        back = try rows(last) + back
      }
      #expect(back == all)
    }
  }

  @Test func aPageInTheMiddleIsFoundByItsKey() throws {
    let queue = try DatabaseQueue()
    try queue.write { db in
      try db.execute(
        sql: """
          CREATE TABLE t (id INTEGER PRIMARY KEY, v TEXT);
          WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000)
          INSERT INTO t SELECT i * 2, 'v' || i FROM n
          """)
    }
    try queue.read { db in
      let page = try pages(db, [("at", "501")], limit: 2)
      #expect(try rows(page) == [.list([.integer(502)]), .list([.integer(504)])])
      let before = try #require(text(page, "previous"))
      #expect(
        try rows(try pages(db, [("before", before)], limit: 2))
          == [.list([.integer(498)]), .list([.integer(500)])])
    }
  }

  /// The number of rows before a page must not matter.
  @Test func everyStageIsARangeOfAnIndex() throws {
    let queue = try DatabaseQueue()
    try queue.write { db in
      try db.execute(
        sql: "CREATE TABLE t (id INTEGER PRIMARY KEY, v TEXT); CREATE INDEX i ON t (v)")
    }
    let value = DatabaseValue(storage: .string("a"))
    let key = [DatabaseValue(storage: .int64(5))]
    try queue.read { db in
      for sort in [nil, "\"v\""] {
        for start in [
          RowPage.Start.after(value: sort.map { _ in value }, key: key),
          .before(value: sort.map { _ in value }, key: key), .at(value),
        ] {
          let page = RowPage(key: ["\"id\""], sort: sort, start: start)
          for stage in page.stages {
            let plan = try Row.fetchAll(
              db,
              sql:
                "EXPLAIN QUERY PLAN SELECT * FROM t WHERE \(stage.condition) ORDER BY \(page.order) LIMIT 9",
              arguments: StatementArguments(stage.arguments)
            ).map { $0["detail"] as String }
            #expect(plan.allSatisfy { $0.hasPrefix("SEARCH") }, "\(stage.condition): \(plan)")
          }
        }
      }
    }
  }

  @Test func aPageOfLongRowsIsShortAndTheNextOneContinues() throws {
    let queue = try DatabaseQueue()
    let columns = (0..<200).map { "c\($0)" }
    try queue.write { db in
      try db.execute(
        sql: "CREATE TABLE t (id INTEGER PRIMARY KEY, \(columns.joined(separator: ", ")))")
      let values = columns.map { _ in "printf('%.*c', 900, 'x')" }.joined(separator: ", ")
      for _ in 0..<100 { try db.execute(sql: "INSERT INTO t VALUES (NULL, \(values))") }
    }
    try queue.read { db in
      var (count, query) = (0, [] as [(name: String, value: String)])
      while true {
        let page = try pages(db, query, limit: 500)
        #expect(page.json.utf8.count < 10 << 20)
        count += try rows(page).count
        guard let next = text(page, "next") else { break }
        query = [("after", next)]
      }
      #expect(count == 100)
    }
  }

  /// SQLite makes a number a text again in such a column, and another one.
  @Test func aTextThatSpellsANumberIsFoundAsItIsWritten() throws {
    let queue = try DatabaseQueue()
    try queue.write { db in
      try db.execute(
        sql: """
          CREATE TABLE t (id VARCHAR(9) PRIMARY KEY, n INTEGER) WITHOUT ROWID;
          INSERT INTO t VALUES ('007', 7), ('07', 7), ('7', 7), ('1234', 1)
          """)
    }
    func texts(_ query: (name: String, value: String)...) throws -> [Cell] {
      try queue.read { db in try rows(try pages(db, query, limit: 9)) }
    }
    #expect(try texts(("where", "id:eq:007")) == [.list([.text("007")])])
    #expect(try texts(("where", "id:ne:007")).count == 3)
    #expect(try texts(("where", "id:ge:07")).count == 3)
    #expect(try texts(("at", "07")).first == .list([.text("07")]))
    // A column of numbers has no text that spells one.
    #expect(try texts(("where", "n:eq:07")).count == 3)
  }

  @Test func aPageSortedByLongValuesIsShort() throws {
    let queue = try DatabaseQueue()
    try queue.write { db in
      try db.execute(
        sql: """
          CREATE TABLE t (id INTEGER PRIMARY KEY, v BLOB);
          WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 40)
          INSERT INTO t SELECT i, zeroblob(1000000) FROM n
          """)
      let page = try pages(db, [("sort", "v")], limit: 500)
      let count = try rows(page).count
      #expect((8...10).contains(count))
      // It is a part of an address, in which a value has no room.
      let next = try #require(text(page, "next"))
      #expect(next.utf8.count < 100)
      let following = try pages(db, [("sort", "v"), ("after", next)], limit: 1)
      #expect(try rows(following) == [.list([.integer(Int64(count) + 1)])])
      let previous = try #require(text(following, "previous"))
      let preceding = try pages(db, [("sort", "v"), ("before", previous)], limit: 1)
      #expect(try rows(preceding) == [.list([.integer(Int64(count))])])
      try db.execute(sql: "DELETE FROM t")
      #expect(throws: InspectionError.self) {
        try pages(db, [("sort", "v"), ("after", next)], limit: 1)
      }
    }
  }

  @Test func textsThatAreNotUTF8AreOnOnePageEach() throws {
    let queue = try DatabaseQueue()
    try queue.write { db in
      try db.execute(
        sql: """
          CREATE TABLE t (id TEXT PRIMARY KEY, n INTEGER, v TEXT) WITHOUT ROWID;
          WITH RECURSIVE n(i) AS (SELECT 10 UNION ALL SELECT i + 1 FROM n WHERE i < 89)
          INSERT INTO t SELECT CAST(x'42ff' || CAST(i AS BLOB) AS TEXT), i, CAST(CAST(i / 3 AS BLOB) || x'fe' AS TEXT) FROM n
          """)
      for query in [[], [("sort", "v")], [("order", "desc")]] as [[(name: String, value: String)]] {
        var keys: [Cell] = []
        var cursor: [(name: String, value: String)] = []
        repeat {
          let page = try pages(db, query + cursor, limit: 7)
          keys += try rows(page)
          cursor = text(page, "next").map { [("after", $0)] } ?? []
        } while !cursor.isEmpty && keys.count <= 80
        #expect(keys.count == 80)
        #expect(Set(keys.map { (["k": $0] as OutputRecord).json }).count == 80)
      }
      let page = try pages(db, [], limit: 1)
      guard case .list(let key)? = try rows(page).first, case .record(let part)? = key.first
      else { throw CancellationError() }
      let values = try #require(DatabaseValue.list(json: "[\(part.json)]"))
      let row = try LongRow(of: InspectedTable.named("t", db), values, db)
      #expect(row?.cells[1] == .integer(10))
    }
  }

  @Test func aTableHasAsManyColumnsAsSQLiteAllows() throws {
    let queue = try DatabaseQueue()
    try queue.write { db in
      let names = (0..<db.maximumColumnCount).map { "c\($0)" }
      try db.execute(sql: "CREATE TABLE t (\(names.joined(separator: ", ")))")
      try db.execute(sql: "INSERT INTO t (c0, c1) VALUES (1, 2), (3, 4)")
      let page = try pages(db, [("sort", "c1"), ("order", "desc")], limit: 9)
      #expect(try rows(page) == [.list([.integer(2)]), .list([.integer(1)])])
      guard case .list(let found)? = page["rows"], case .record(let first)? = found.first,
        case .list(let values)? = first["values"]
      else { throw CancellationError() }
      #expect(values.prefix(3) == [.integer(3), .integer(4), .null])
      #expect(values.count == names.count)
    }
  }

  @Test func aPlaceIsReadAsItWasWritten() throws {
    let values: [DatabaseValue] = [
      .null, DatabaseValue(storage: .int64(.max)), DatabaseValue(storage: .int64(-5)),
      DatabaseValue(storage: .double(0.1)), DatabaseValue(storage: .double(-.infinity)),
      DatabaseValue(storage: .string("\"\u{202E}<script>\n")),
      DatabaseValue(storage: .blob(Data([0, 255, 62, 63]))),
    ]
    for value in values {
      let cursor = RowCursor(value: value, key: values)
      #expect(RowCursor(cursor.text) == cursor)
      #expect(
        cursor.text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "-_".contains($0)) })
    }
    // Above the greatest integer.
    let large = RowCursor(value: DatabaseValue(storage: .double(0x1p63)), key: values)
    #expect(RowCursor(large.text) == large)
    let plain = RowCursor(value: nil, key: [values[1]])
    #expect(RowCursor(plain.text) == plain)
    for text in ["", "!", "bnVsbA", "e30"] { #expect(RowCursor(text) == nil) }
  }

  @Test func aRowIsFoundByItsKeyAsTheKeyComparesIt() throws {
    let queue = try DatabaseQueue()
    try queue.write { db in
      try db.execute(
        sql: """
          CREATE TABLE t (a TEXT COLLATE NOCASE, v, PRIMARY KEY (a COLLATE BINARY)) WITHOUT ROWID;
          INSERT INTO t VALUES ('A', 1), ('a', 2)
          """)
      let table = try InspectedTable.named("t", db)
      for (name, value) in [("A", 1), ("a", 2)] {
        let row = try LongRow(of: table, [DatabaseValue(storage: .string(name))], db)
        #expect(row?.values.last == DatabaseValue(storage: .int64(Int64(value))))
      }
    }
  }

  @Test func aValueThatIsTooLongIsSaid() throws {
    let queue = try DatabaseQueue()
    try queue.write { db in
      try db.execute(
        sql: """
          CREATE TABLE t (id INTEGER PRIMARY KEY, v, w);
          INSERT INTO t VALUES (1, 'a', 'b'), (2, zeroblob(100000), 'c'), (3, 'd', hex(zeroblob(50000)))
          """)
      db.limitValues(toByteCount: 50_000)
    }
    try queue.read { db in
      let page = try pages(db, [], limit: 10)
      guard case .list(let rows)? = page["rows"] else { return #expect(Bool(false), "no rows") }
      let values = rows.map { row -> Cell? in
        if case .record(let record) = row { record["values"] } else { nil }
      }
      #expect(
        values == [
          .list([.integer(1), .text("a"), .text("b")]),
          .list([.integer(2), .tooLong("blob", 100_000), .text("c")]),
          .list([.integer(3), .text("d"), .tooLong("text", nil)]),
        ])
      // Not where a value itself is what is asked for.
      #expect(throws: DatabaseError.self) { try pages(db, [("sort", "w")], limit: 10) }
    }
  }
}

extension OutputRecord {
  subscript(key: String) -> Cell? { fields.first { $0.key == key }?.cell }
}
