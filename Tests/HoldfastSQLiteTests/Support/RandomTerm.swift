import HoldfastSQLite
import HoldfastTestSupport

/// A row as Swift sees it.
struct RandomItem {
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
enum SQLValue: Equatable {
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
  func order(_ other: SQLValue) -> Int {
    (int ?? Int.min) == (other.int ?? Int.min)
      ? 0 : (int ?? Int.min) < (other.int ?? Int.min) ? -1 : 1
  }

  func orderNullsLast(_ other: SQLValue) -> Int {
    (int ?? Int.max) == (other.int ?? Int.max)
      ? 0 : (int ?? Int.max) < (other.int ?? Int.max) ? -1 : 1
  }
}

/// An expression, what it reads, and how Swift evaluates it.
struct RandomTerm {
  var sql: SQLExpression
  /// The columns of `item`, and `query` if other rows of it are read than the one that is evaluated.
  var reads: Set<String>
  var value: (RandomItem) -> SQLValue

  init(
    _ sql: some SQLExpressible, _ reads: Set<String> = [],
    _ value: @escaping (RandomItem) -> SQLValue
  ) {
    self.sql = sql.sqlExpression
    self.reads = reads
    self.value = value
  }

  private static func lift(
    _ sql: some SQLExpressible, _ left: RandomTerm, _ right: RandomTerm,
    _ body: @escaping (Int, Int) -> Int?
  ) -> RandomTerm {
    RandomTerm(sql, left.reads.union(right.reads)) { item in
      guard let left = left.value(item).int, let right = right.value(item).int else { return .null }
      return SQLValue(body(left, right))
    }
  }

  static func number(_ depth: Int, _ items: [RandomItem], _ random: inout SeededRandom)
    -> RandomTerm
  {
    let leaf = Int.random(in: 0..<4, using: &random)
    if depth == 0 || Int.random(in: 0..<4, using: &random) == 0 {
      let number = Int.random(in: -3...5, using: &random)
      return [
        RandomTerm(Column("a"), ["a"]) { SQLValue($0.a) },
        RandomTerm(Column("b"), ["b"]) { SQLValue($0.b) },
        RandomTerm(Column("id"), ["id"]) { .number($0.id) },
        RandomTerm(number) { _ in .number(number) },
      ][leaf]
    }
    let left = number(depth - 1, items, &random), right = number(depth - 1, items, &random)
    let (l, r, both) = (left.sql, right.sql, left.reads.union(right.reads))
    let json = JSONColumn("j")
    switch Int.random(in: 0..<18, using: &random) {
    case 0: return lift(l + r, left, right, +)
    case 1: return lift(l - r, left, right, -)
    case 2: return lift(l * r, left, right, *)
    case 3: return lift(l / r, left, right) { $1 == 0 ? nil : $0 / $1 }
    case 4: return lift(l & r, left, right, &)
    case 5: return lift(l | r, left, right, |)
    case 6: return RandomTerm(-l, left.reads) { SQLValue(left.value($0).int.map { -$0 }) }
    case 7: return RandomTerm(~l, left.reads) { SQLValue(left.value($0).int.map { ~$0 }) }
    case 8: return RandomTerm(l ?? r, both) { (left.value($0) == .null ? right : left).value($0) }
    case 9:
      return RandomTerm(abs(l), left.reads) { SQLValue(left.value($0).int.map { Swift.abs($0) }) }
    case 10: return RandomTerm(length(Column("t")), ["t"]) { SQLValue($0.t?.count) }
    case 11: return lift(min(l, r), left, right) { Swift.min($0, $1) }
    case 13: return RandomTerm(json["a"], ["j"]) { SQLValue($0.a) }
    case 14: return RandomTerm(json.jsonExtract(atPath: "$.list[0]"), ["j"]) { SQLValue($0.b) }
    case 15:
      let array = Database.jsonArray([l, Database.jsonArray([r]), json, Column("j")])
      return RandomTerm(array.asJSON["$[1][0]"], both.union(["j"])) { right.value($0) }
    case 16:
      let set = Database.jsonSet(json, ["$.a": l, "$.list": Database.json("[1]")])
      let sum = set.asJSON["a"] + Database.jsonArrayLength(set, atPath: "$.list")
      return RandomTerm(sum, left.reads.union(["j"])) {
        SQLValue(left.value($0).int.map { $0 + 1 })
      }
    case 12: return lift([l, r, l].joined(operator: .add), left, right) { $0 + $1 + $0 }
    default:
      return RandomTerm(coalesce([l, r, 9]), both) { item in
        [left.value(item), right.value(item), .number(9)].first { $0 != .null } ?? .null
      }
    }
  }

  /// A condition on the text, as a whole or on its column without regard to the case of ASCII letters.
  private static func collated(_ random: inout SeededRandom) -> RandomTerm {
    let texts = ["a", "A", "AB", "ab", "%", "É", "é", "b"]
    let first = texts.randomElement(using: &random) ?? ""
    let second = texts.randomElement(using: &random) ?? ""
    let isCollated = Bool.random(using: &random)
    let isWhole = Bool.random(using: &random)
    func folded(_ text: String) -> [UInt8] {
      text.utf8.map { isCollated && (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
    }
    func isLess(_ left: [UInt8], _ right: [UInt8]) -> Bool { left.lexicographicallyPrecedes(right) }
    let (low, high) = (folded(first), folded(second))
    let t: SQLExpression =
      isCollated && !isWhole ? Column("t").collating(.nocase) : Column("t").sqlExpression
    let sql: SQLExpression
    let body: ([UInt8]) -> Bool
    switch Int.random(in: 0..<8, using: &random) {
    case 0: (sql, body) = (t == first, { $0 == low })
    case 1: (sql, body) = (t != first, { $0 != low })
    case 2: (sql, body) = (t < first, { isLess($0, low) })
    case 3: (sql, body) = (t >= first, { !isLess($0, low) })
    case 4: (sql, body) = ([first, second].contains(t), { $0 == low || $0 == high })
    case 5: (sql, body) = (![first].contains(t), { $0 != low })
    case 6: (sql, body) = (t > first || t == second, { isLess(low, $0) || $0 == high })
    default:
      sql = !(t >= first && t <= second)
      body = { isLess($0, low) || isLess(high, $0) }
    }
    let whole = isCollated && isWhole ? sql.collating(.nocase) : sql
    return RandomTerm(whole, ["t"]) { item in SQLValue(item.t.map { body(folded($0)) }) }
  }

  static func truth(_ depth: Int, _ items: [RandomItem], _ random: inout SeededRandom) -> RandomTerm
  {
    if depth > 0, Int.random(in: 0..<2, using: &random) == 0 {
      let left = truth(depth - 1, items, &random), right = truth(depth - 1, items, &random)
      let both = left.reads.union(right.reads)
      switch Int.random(in: 0..<3, using: &random) {
      case 0:
        return RandomTerm(left.sql && right.sql, both) { item in
          let both = [left.value(item).truth, right.value(item).truth]
          return SQLValue(both.contains(false) ? false : both.contains(nil) ? nil : true)
        }
      case 1:
        return RandomTerm(left.sql || right.sql, both) { item in
          let both = [left.value(item).truth, right.value(item).truth]
          return SQLValue(both.contains(true) ? true : both.contains(nil) ? nil : false)
        }
      default:
        return RandomTerm(!left.sql, left.reads) { SQLValue(left.value($0).truth.map { !$0 }) }
      }
    }
    if Int.random(in: 0..<5, using: &random) == 0 { return collated(&random) }
    if Int.random(in: 0..<4, using: &random) == 0 {
      let keys = (0..<Int.random(in: 1...3, using: &random)).map { _ in
        Int.random(in: 1...12, using: &random)
      }
      return RandomTerm(keys.contains(Column("id")), ["id"]) { SQLValue(keys.contains($0.id)) }
    }
    let left = number(1, items, &random), right = number(1, items, &random)
    let (l, r, both) = (left.sql, right.sql, left.reads.union(right.reads))
    func compare(_ sql: SQLExpression, _ body: @escaping (Int, Int) -> Bool) -> RandomTerm {
      lift(sql, left, right) { body($0, $1) ? 1 : 0 }
    }
    let list = (0..<Int.random(in: 0...3, using: &random)).map { _ in
      Int.random(in: -2...5, using: &random)
    }
    let (low, high) = (
      Int.random(in: -3...2, using: &random), Int.random(in: 2...5, using: &random)
    )
    switch Int.random(in: 0..<18, using: &random) {
    case 0: return compare(l == r, ==)
    case 1: return compare(l != r, !=)
    case 2: return compare(l < r, <)
    case 3: return compare(l <= r, <=)
    case 4: return compare(l > r, >)
    case 5: return compare(l >= r, >=)
    case 6: return RandomTerm(l === r, both) { SQLValue(left.value($0) == right.value($0)) }
    case 7: return RandomTerm(l !== r, both) { SQLValue(left.value($0) != right.value($0)) }
    case 8: return RandomTerm(l == nil, left.reads) { SQLValue(left.value($0) == .null) }
    case 9: return RandomTerm(l != nil, left.reads) { SQLValue(left.value($0) != .null) }
    case 10:
      return RandomTerm(l == true, left.reads) { SQLValue(left.value($0).int.map { $0 == 1 }) }
    case 11:
      return RandomTerm(l != true, left.reads) { SQLValue(left.value($0).int.map { $0 != 1 }) }
    case 12:
      return RandomTerm(list.contains(l), left.reads) { item in
        list.isEmpty ? .number(0) : SQLValue(left.value(item).int.map { list.contains($0) })
      }
    case 13:
      return RandomTerm((low...high).contains(l), left.reads) {
        SQLValue(left.value($0).int.map { (low...high).contains($0) })
      }
    case 14:
      return RandomTerm((low..<high).contains(l), left.reads) {
        SQLValue(left.value($0).int.map { (low..<high).contains($0) })
      }
    case 15:
      let others = Table("item").filter(Column("b") > low).select([Column("a")], as: Int.self)
      let found = items.filter { $0.b.map { $0 > low } ?? false }.map(\.a)
      return RandomTerm(others.contains(l), left.reads.union(["a", "b", "query"])) { item in
        guard !found.isEmpty else { return .number(0) }
        guard let value = left.value(item).int else { return .null }
        return SQLValue(found.contains(value) ? true : found.contains(nil) ? nil : false)
      }
    case 16:
      let isThere = items.contains { $0.id > 4 && $0.a == low }
      let some = Table("item").filter(Column("id") > 4 && Column("a") == low)
      return RandomTerm(some.exists(), ["*", "query"]) { _ in SQLValue(isThere) }
    default:
      let pattern = ["a%", "_", "%b", "\\%"].randomElement(using: &random) ?? ""
      return RandomTerm(Column("t").like(pattern, escape: "\\"), ["t"]) { item in
        SQLValue(
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
