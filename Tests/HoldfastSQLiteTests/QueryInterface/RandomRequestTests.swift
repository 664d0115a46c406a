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
      try db.execute(
        sql: """
          CREATE TABLE item (id INTEGER PRIMARY KEY, a INTEGER, b INTEGER, t TEXT,
          j AS (json_object('a', a, 'list', json_array(b, t))))
          """)
      for _ in 0..<count {
        let items = (1...Int.random(in: 1...12, using: &random)).map { Item($0, &random) }
        try db.execute(sql: "DELETE FROM item")
        for item in items {
          try db.execute(
            sql: "INSERT INTO item VALUES (?, ?, ?, ?)",
            arguments: [item.id, item.a, item.b, item.t])
        }
        try check(items, &random, db)
      }
    }
  }

  private func check(_ items: [Item], _ random: inout SeededRandom, _ db: Database) throws {
    let table = Table<Row>("item")
    let condition = Term.truth(3, items, &random)
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
    let (key, isDescending) = (Term.number(2, items, &random), Bool.random(using: &random))
    let (second, nullsLast) = (Term.number(1, items, &random), Bool.random(using: &random))
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
    let column = Term.number(2, items, &random)
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
    let groups = Dictionary(grouping: kept) { column.value($0).stored }
      .mapValues { items in [items.count, items.compactMap(\.a).reduce(0, +)] }
      .filter { $0.value[0] >= 1 && $0.value[1] >= 0 }
    let grouped = filtered.select(column.sql, count(.allColumns), total(Column("a")))
      .group(column.sql).having(total(Column("a")) >= 0)
    let rows = try grouped.fetchAll(db)
    #expect(
      Dictionary(
        uniqueKeysWithValues: rows.map {
          ($0[0] as DatabaseValue, [$0[1] as Int, Int($0[2] as Double)])
        }) == groups)

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
}

/// A row as Swift sees it.
private struct Item {
  var id: Int
  var a: Int?
  var b: Int?
  var t: String?

  init(_ id: Int, _ random: inout SeededRandom) {
    self.id = id
    a = [nil, 0, 1, 2, 3, -2].randomElement(using: &random) ?? nil
    b = [nil, 0, 1, 5, -1, 1].randomElement(using: &random) ?? nil
    t = [nil, "a", "A", "ab", "%", "é"].randomElement(using: &random) ?? nil
  }
}

/// A value of SQL: NULL, a number or a text.
private enum Value: Equatable {
  case null
  case number(Int)
  case text(String)

  init(_ number: Int?) { self = number.map { .number($0) } ?? .null }
  init(_ truth: Bool?) { self = truth.map { .number($0 ? 1 : 0) } ?? .null }

  var int: Int? { if case .number(let number) = self { number } else { nil } }
  var truth: Bool? { int.map { number in number != 0 } }
  var isTrue: Bool { truth == true }

  var stored: DatabaseValue {
    switch self {
    case .null: .null
    case .number(let number): number.databaseValue
    case .text(let text): text.databaseValue
    }
  }

  /// -1, 0 or 1; NULL is the smallest.
  func order(_ other: Value) -> Int {
    (int ?? Int.min) == (other.int ?? Int.min)
      ? 0 : (int ?? Int.min) < (other.int ?? Int.min) ? -1 : 1
  }

  func orderNullsLast(_ other: Value) -> Int {
    (int ?? Int.max) == (other.int ?? Int.max)
      ? 0 : (int ?? Int.max) < (other.int ?? Int.max) ? -1 : 1
  }
}

/// An expression, and how Swift evaluates it.
private struct Term {
  var sql: SQLExpression
  var value: (Item) -> Value

  init(_ sql: some SQLExpressible, _ value: @escaping (Item) -> Value) {
    self.sql = sql.sqlExpression
    self.value = value
  }

  private static func lift(_ left: Term, _ right: Term, _ body: @escaping (Int, Int) -> Int?) -> (
    Item
  ) -> Value {
    { item in
      guard let left = left.value(item).int, let right = right.value(item).int else { return .null }
      return Value(body(left, right))
    }
  }

  static func number(_ depth: Int, _ items: [Item], _ random: inout SeededRandom) -> Term {
    let leaf = Int.random(in: 0..<4, using: &random)
    if depth == 0 || Int.random(in: 0..<4, using: &random) == 0 {
      let number = Int.random(in: -3...5, using: &random)
      return [
        Term(Column("a")) { Value($0.a) }, Term(Column("b")) { Value($0.b) },
        Term(Column("id")) { .number($0.id) }, Term(number) { _ in .number(number) },
      ][leaf]
    }
    let left = number(depth - 1, items, &random), right = number(depth - 1, items, &random)
    let (l, r) = (left.sql, right.sql)
    let json = JSONColumn("j")
    switch Int.random(in: 0..<18, using: &random) {
    case 0: return Term(l + r, lift(left, right, +))
    case 1: return Term(l - r, lift(left, right, -))
    case 2: return Term(l * r, lift(left, right, *))
    case 3: return Term(l / r, lift(left, right) { $1 == 0 ? nil : $0 / $1 })
    case 4: return Term(l & r, lift(left, right, &))
    case 5: return Term(l | r, lift(left, right, |))
    case 6: return Term(-l) { Value(left.value($0).int.map { -$0 }) }
    case 7: return Term(~l) { Value(left.value($0).int.map { ~$0 }) }
    case 8: return Term(l ?? r) { left.value($0) == .null ? right.value($0) : left.value($0) }
    case 9: return Term(abs(l)) { Value(left.value($0).int.map { Swift.abs($0) }) }
    case 10: return Term(length(Column("t"))) { Value($0.t?.count) }
    case 11: return Term(min(l, r), lift(left, right) { Swift.min($0, $1) })
    case 13: return Term(json["a"]) { Value($0.a) }
    case 14: return Term(json.jsonExtract(atPath: "$.list[0]")) { Value($0.b) }
    case 15:
      let array = Database.jsonArray([l, Database.jsonArray([r]), json, Column("j")])
      return Term(array.asJSON["$[1][0]"]) { right.value($0) }
    case 16:
      let set = Database.jsonSet(json, ["$.a": l, "$.list": Database.json("[1]")])
      return Term(set.asJSON["a"] + Database.jsonArrayLength(set, atPath: "$.list")) {
        Value(left.value($0).int.map { $0 + 1 })
      }
    case 12: return Term([l, r, l].joined(operator: .add), lift(left, right) { $0 + $1 + $0 })
    default:
      return Term(coalesce([l, r, 9])) { item in
        [left.value(item), right.value(item), .number(9)].first { $0 != .null } ?? .null
      }
    }
  }

  static func truth(_ depth: Int, _ items: [Item], _ random: inout SeededRandom) -> Term {
    if depth > 0, Int.random(in: 0..<2, using: &random) == 0 {
      let left = truth(depth - 1, items, &random), right = truth(depth - 1, items, &random)
      switch Int.random(in: 0..<3, using: &random) {
      case 0:
        return Term(left.sql && right.sql) { item in
          let both = [left.value(item).truth, right.value(item).truth]
          return Value(both.contains(false) ? false : both.contains(nil) ? nil : true)
        }
      case 1:
        return Term(left.sql || right.sql) { item in
          let both = [left.value(item).truth, right.value(item).truth]
          return Value(both.contains(true) ? true : both.contains(nil) ? nil : false)
        }
      default: return Term(!left.sql) { Value(left.value($0).truth.map { !$0 }) }
      }
    }
    if Int.random(in: 0..<4, using: &random) == 0 {
      let keys = (0..<Int.random(in: 1...3, using: &random)).map { _ in
        Int.random(in: 1...12, using: &random)
      }
      return Term(keys.contains(Column("id"))) { Value(keys.contains($0.id)) }
    }
    let left = number(1, items, &random), right = number(1, items, &random)
    let (l, r) = (left.sql, right.sql)
    func compare(_ body: @escaping (Int, Int) -> Bool) -> (Item) -> Value {
      lift(left, right) { body($0, $1) ? 1 : 0 }
    }
    let list = (0..<Int.random(in: 0...3, using: &random)).map { _ in
      Int.random(in: -2...5, using: &random)
    }
    let (low, high) = (
      Int.random(in: -3...2, using: &random), Int.random(in: 2...5, using: &random)
    )
    switch Int.random(in: 0..<18, using: &random) {
    case 0: return Term(l == r, compare(==))
    case 1: return Term(l != r, compare(!=))
    case 2: return Term(l < r, compare(<))
    case 3: return Term(l <= r, compare(<=))
    case 4: return Term(l > r, compare(>))
    case 5: return Term(l >= r, compare(>=))
    case 6: return Term(l === r) { Value(left.value($0) == right.value($0)) }
    case 7: return Term(l !== r) { Value(left.value($0) != right.value($0)) }
    case 8: return Term(l == nil) { Value(left.value($0) == .null) }
    case 9: return Term(l != nil) { Value(left.value($0) != .null) }
    case 10: return Term(l == true) { Value(left.value($0).int.map { $0 == 1 }) }
    case 11: return Term(l != true) { Value(left.value($0).int.map { $0 != 1 }) }
    case 12:
      return Term(list.contains(l)) { item in
        list.isEmpty ? .number(0) : Value(left.value(item).int.map { list.contains($0) })
      }
    case 13:
      return Term((low...high).contains(l)) {
        Value(left.value($0).int.map { (low...high).contains($0) })
      }
    case 14:
      return Term((low..<high).contains(l)) {
        Value(left.value($0).int.map { (low..<high).contains($0) })
      }
    case 15:
      let others = Table("item").filter(Column("b") > low).select([Column("a")], as: Int.self)
      let found = items.filter { $0.b.map { $0 > low } ?? false }.map(\.a)
      return Term(others.contains(l)) { item in
        guard !found.isEmpty else { return .number(0) }
        guard let value = left.value(item).int else { return .null }
        return Value(found.contains(value) ? true : found.contains(nil) ? nil : false)
      }
    case 16:
      let isThere = items.contains { $0.id > 4 && $0.a == low }
      return Term(Table("item").filter(Column("id") > 4 && Column("a") == low).exists()) { _ in
        Value(isThere)
      }
    default:
      let pattern = ["a%", "_", "%b", "\\%"].randomElement(using: &random) ?? ""
      return Term(Column("t").like(pattern, escape: "\\")) { item in
        Value(
          item.t.map { text in
            switch pattern {
            case "a%": text.lowercased().hasPrefix("a")
            case "_": text.count == 1
            case "%b": text.lowercased().hasSuffix("b")
            default: text == "%"
            }
          })
      }
    }
  }
}
