import Foundation
import HoldfastSQLite
import HoldfastTestSupport
import Testing

/// Random requests have the rows of a slow evaluation in Swift.
///
/// `HOLDFAST_CASES=10000` runs more of them.
@Suite struct RandomRequestTests {
  @Test func rowsEqualThoseOfAnEvaluationInSwift() throws {
    var random = SeededRandom()
    let count = ProcessInfo.processInfo.environment["HOLDFAST_CASES"].flatMap(Int.init) ?? 200
    try Connection.inMemory { db throws in
      for number in 0..<count {
        if number % 10 == 0 { try createTable(&random, db) }
        let items = (1...Int.random(in: 1...12, using: &random)).map { RandomItem($0, &random) }
        try db.execute(sql: "DELETE FROM item")
        for item in items {
          try db.execute(
            sql: "INSERT INTO item (id, a, b, t) VALUES (?, ?, ?, ?)",
            arguments: [item.id, item.a, item.b, item.t])
        }
        try check(items, &random, db)
      }
    }
  }

  /// Creates the table with random types, keys and indexes, which change plans and no rows.
  private func createTable(_ random: inout SeededRandom, _ db: Database) throws {
    try db.execute(sql: "DROP TABLE IF EXISTS item")
    func one(_ choices: [String]) -> String { choices.randomElement(using: &random) ?? "" }
    let columns = [
      one(["id INTEGER PRIMARY KEY", "id INTEGER", "id INT NOT NULL", "id"]),
      one(["a INTEGER", "a", "a INT CHECK (a < 9)"]), one(["b INTEGER", "b NUMERIC", "b"]),
      one(["t TEXT", "t", "t BLOB"]),
      "j AS (json_object('a', a, 'list', json_array(b, t))) \(one(["STORED", "VIRTUAL"]))",
    ]
    let (key, end) =
      columns[0].contains("KEY") ? ("", "") : (", PRIMARY KEY (id)", one([" WITHOUT ROWID", ""]))
    try db.execute(
      sql:
        "CREATE TABLE item (\(columns.shuffled(using: &random).joined(separator: ", "))\(key))\(end)"
    )
    for index in [
      "(a)", "(b, a DESC)", "(t COLLATE NOCASE)", "(a + b) WHERE b NOT NULL", "(t) WHERE a = 1",
    ]
    where Bool.random(using: &random) {
      try db.execute(sql: "CREATE INDEX \"i \(index)\" ON item \(index)")
    }
  }

  private func check(_ items: [RandomItem], _ random: inout SeededRandom, _ db: Database) throws {
    let table = Table<Row>("item")
    let condition = RandomTerm.truth(3, items, &random)
    let kept = items.filter { condition.value($0).isTrue }
    let filtered = table.filter(condition.sql)
    #expect(try filtered.fetchCount(db) == kept.count, "\(condition.sql)")
    #expect(try filtered.isEmpty(db) == kept.isEmpty)

    // What lies outside of the region does not change the rows.
    try db.inSavepoint { () throws in
      let region = try filtered.databaseRegion(db)
      for item in items
      where region.intersection(DatabaseRegion(table: "item", rowIDs: [Int64(item.id)])).isEmpty {
        try db.execute(sql: "DELETE FROM item WHERE id = ?", arguments: [item.id])
      }
      #expect(
        try filtered.select([Column("id")], as: Int.self).fetchSet(db) == Set(kept.map(\.id)))
      return .rollback
    }

    // Ordered, limited and with computed columns.
    let (key, isDescending) = (RandomTerm.number(2, items, &random), Bool.random(using: &random))
    let (second, nullsLast) = (RandomTerm.number(1, items, &random), Bool.random(using: &random))
    var ordered = kept.sorted { left, right in
      let order = [
        isDescending
          ? key.value(right).order(key.value(left)) : key.value(left).order(key.value(right)),
        nullsLast
          ? second.value(left).orderNullsLast(second.value(right))
          : second.value(left).order(second.value(right)),
      ].first { $0 != 0 }
      return order.map { $0 < 0 } ?? (left.id < right.id)
    }
    var request = filtered.order(
      isDescending ? key.sql.desc : key.sql.asc,
      nullsLast ? second.sql.ascNullsLast : second.sql.asc,
      Column("id"))
    if Bool.random(using: &random) {
      request = request.reversed()
      ordered.reverse()
    }
    let (limit, offset) = (
      Int.random(in: 0...5, using: &random), Int.random(in: 0...3, using: &random)
    )
    if Bool.random(using: &random) {
      request = request.limit(limit, offset: offset)
      ordered = Array(ordered.dropFirst(offset).prefix(limit))
    }
    let column = RandomTerm.number(2, items, &random)
    let values = ordered.map { column.value($0).stored }
    let selected = request.select([column.sql], as: DatabaseValue.self)
    #expect(try selected.fetchAll(db) == values)
    let first = try selected.fetchOne(db)
    #expect(first == values.first)
    #expect(try selected.fetchCount(db) == values.count)
    #expect(try selected.distinct().fetchCount(db) <= values.count)
    #expect(
      try filtered.select([column.sql], as: DatabaseValue.self).distinct().fetchCount(db)
        == Set(kept.map { column.value($0).stored }).count)

    // Groups: one row for each value, counted and added up.
    let groups: [DatabaseValue: [Int]] = Dictionary(grouping: kept) { column.value($0).stored }
      .mapValues { (items: [RandomItem]) -> [Int] in
        [items.count, items.compactMap(\.a).reduce(0, +)]
      }
      .filter { $0.value[0] >= 1 && $0.value[1] >= 0 }
    let grouped = filtered.select(column.sql, count(.allColumns), total(Column("a")))
      .group(column.sql).having(total(Column("a")) >= 0)
    let rows = try grouped.fetchAll(db)
    // The types are written out: the compiler needs seconds to find them.
    let found = rows.map { row -> (DatabaseValue, [Int]) in
      let (value, count, sum): (DatabaseValue, Int, Double) = (row[0], row[1], row[2])
      return (value, [count, Int(sum)])
    }
    #expect(Dictionary(uniqueKeysWithValues: found) == groups)

    try checkDerived(filtered, kept, column, db)
    let among = CommonTableExpression(named: "among", request: request.select(Column("id")))
    for isIn in [true, false] {
      let found = table.with(among)
        .filter(isIn ? among.contains(Column("id")) : !among.contains(Column("id")))
      #expect(
        try found.select([Column("id")], as: Int.self).fetchSet(db)
          == Set(items.map(\.id).filter { id in ordered.contains { $0.id == id } == isIn }))
    }

    // Changes in place.
    try db.inSavepoint { () throws in
      let limited = request.order(Column("id"))
      let count = try limited.fetchCount(db)
      #expect(try limited.updateAll(db, Column("b").set(to: 77)) == count)
      #expect(try table.filter(Column("b") == 77).fetchCount(db) == count)
      return .rollback
    }
    try db.inSavepoint { () throws in
      #expect(try request.deleteAll(db) == ordered.count)
      let rest = Set(items.map(\.id)).subtracting(ordered.map(\.id))
      #expect(try table.select([Column("id")], as: Int.self).fetchSet(db) == rest)
      return .rollback
    }
  }

  /// Checks the rows with a column more, and a query of a query.
  private func checkDerived(
    _ filtered: QueryInterfaceRequest<Row>, _ kept: [RandomItem], _ column: RandomTerm,
    _ db: Database
  ) throws {
    let annotated = try filtered.annotated(
      with: column.sql.forKey("extra"), Column("id").forKey("key")
    )
    .order(Column("id")).fetchAll(db)
    #expect(annotated.map { $0["extra"] as DatabaseValue } == kept.map { column.value($0).stored })
    #expect(annotated.map { $0["key"] as Int } == kept.map(\.id))
    #expect(annotated.map { $0["t"] as String? } == kept.map(\.t))

    let with = CommonTableExpression(
      named: "kept", columns: ["key", "value"], request: filtered.select(Column("id"), column.sql))
    let large = with.all().with(with).filter(Column("value") > 1).order(Column("key"))
    let found = kept.filter { column.value($0).int.map { $0 > 1 } ?? false }
    #expect(try large.select([Column("key")], as: Int.self).fetchAll(db) == found.map(\.id))
    #expect(try large.fetchCount(db) == found.count)
    let sum = with.all().with(with).select([total(Column("value"))], as: Double.self)
    #expect(try sum.fetchOne(db) == Double(kept.compactMap { column.value($0).int }.reduce(0, +)))

    // Each value and all between it and zero, of a query that uses itself.
    let counted = CommonTableExpression(
      recursive: true, named: "counted", columns: ["n"],
      literal: """
        SELECT abs(a) FROM (\(filtered)) WHERE a NOT NULL \
        UNION SELECT n - 1 FROM counted WHERE n > \(0)
        """)
    let most = kept.compactMap(\.a).map(Swift.abs).max()
    #expect(
      try counted.all().with(counted).asRequest(of: Int.self).fetchSet(db)
        == Set(most.map { Array(0...$0) } ?? []))
  }
}
