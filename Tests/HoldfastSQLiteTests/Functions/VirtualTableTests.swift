import Foundation
import HoldfastSQLite
import HoldfastTestSupport
import Testing

@Suite struct VirtualTableTests {
  /// A table of the numbers in a range, each with its square root and its name.
  struct Numbers: VirtualTable {
    struct Cursor: VirtualTableCursor {
      var value: Int64 = 0
      var last: Int64 = 0
      var failsAt: Int64 = .max

      mutating func start(
        plan: VirtualTablePlan.Choice, arguments: borrowing VirtualTableArguments
      ) throws {
        (value, last) = (0, 10)
        failsAt = .max
        if plan.number & 4 != 0 { failsAt = arguments.int64(at: arguments.count - 1) ?? .max }
        if plan.number & 1 != 0 {
          guard let wanted = arguments.int64(at: 0) else {
            last = 0
            return
          }
          (value, last) = (wanted - 1, min(wanted, 10))
        } else if plan.number & 2 != 0 {
          value = max(0, arguments.int64(at: 0) ?? 10)
        }
        if failsAt == 0 { throw Refusal() }
      }

      mutating func next() throws -> Bool {
        guard value < last else { return false }
        value += 1
        if value == failsAt { throw Refusal() }
        return true
      }

      func write(column: Int, to cell: borrowing VirtualTableCell) throws {
        switch column {
        case 0: cell.write(value)
        case 1: cell.write(Double(value) / 2)
        case 2: cell.write("number \(value) of these")
        case 3 where value == 3: throw Refusal()
        default: break
        }
      }

      var rowID: Int64 { value }
    }

    let name = "numbers"
    let columns = [
      VirtualTableColumn("value", .integer), VirtualTableColumn("half", .real),
      VirtualTableColumn("text", .text), VirtualTableColumn("fragile"),
      VirtualTableColumn("fails_at", .integer, isHidden: true),
    ]
    var seen = Shared<[VirtualTableQuery]>([])

    func plan(for query: VirtualTableQuery) -> VirtualTablePlan? {
      seen.change { $0.append(query) }
      var plan = VirtualTablePlan()
      if let constraint = query.constraint(on: 0) {
        plan.use(constraint, isChecked: true)
        plan.number |= 1
        plan.isUnique = true
        plan.estimatedCost = 1
      } else if let constraint = query.constraint(on: 0, .greater) {
        plan.use(constraint)
        plan.number |= 2
        plan.estimatedCost = 10
      }
      if let constraint = query.constraint(on: 4) {
        plan.use(constraint, isChecked: true)
        plan.number |= 4
      }
      plan.isOrdered = query.ordering.allSatisfy { $0.column == 0 && !$0.isDescending }
      return plan
    }

    func makeCursor() -> Cursor { Cursor() }
  }

  struct Refusal: Error, CustomStringConvertible {
    var description: String { "no such number at 100%s" }
  }

  private func withNumbers(_ body: (Database, Numbers) throws -> Void) throws {
    try Connection.inMemory { db in
      let numbers = Numbers()
      try db.add(virtualTable: numbers)
      try body(db, numbers)
    }
  }

  @Test func rowsAreReadWithSQL() throws {
    try withNumbers { db, _ throws in
      #expect(try Int.fetchAll(db, sql: "SELECT value FROM numbers") == Array(1...10))
      let row = try #require(
        try Row.fetchOne(db, sql: "SELECT rowid, * FROM NUMBERS WHERE value = 7"))
      #expect(row.databaseValues == [7, 7, 3.5, "number 7 of these", nil])
      #expect(try Int.fetchOne(db, sql: "SELECT count(*) FROM numbers WHERE rowid > 8") == 2)
    }
  }

  @Test func aConstraintIsPassedAsAnArgument() throws {
    try withNumbers { db, numbers throws in
      #expect(try Int.fetchAll(db, sql: "SELECT value FROM numbers WHERE value > 7") == [8, 9, 10])
      #expect(
        try Int.fetchAll(db, sql: "SELECT value FROM numbers WHERE value = ?", arguments: [20])
          == [])
      #expect(try Int.fetchAll(db, sql: "SELECT value FROM numbers WHERE value = 'x'") == [])
      #expect(
        try Int.fetchAll(db, sql: "SELECT value FROM numbers WHERE value IN (9, 2)") == [2, 9])
      #expect(numbers.seen.value.allSatisfy { $0.usedColumns & 1 == 1 })
      #expect(numbers.seen.value.contains { $0.constraints.contains { $0.comparison == .greater } })
    }
  }

  @Test func aJoinUsesTheUsableConstraints() throws {
    try withNumbers { db, numbers throws in
      try db.execute(sql: "CREATE TABLE t (x); INSERT INTO t VALUES (3), (5), (50)")
      let sum = try Int.fetchOne(
        db, sql: "SELECT sum(value) FROM t JOIN numbers ON numbers.value = t.x")
      #expect(sum == 8)
      #expect(
        try Int.fetchOne(
          db, sql: "SELECT sum(value) FROM numbers CROSS JOIN t ON numbers.value = t.x") == 8)
      #expect(numbers.seen.value.contains { $0.constraints.contains { !$0.isUsable } })
    }
  }

  @Test func theDeclaredOrderIsUsed() throws {
    try withNumbers { db, numbers throws in
      let sql = "SELECT value FROM numbers ORDER BY value"
      let plans = { (sql: String) in
        try Row.fetchAll(db, sql: "EXPLAIN QUERY PLAN " + sql).map { $0["detail"] as String }
      }
      #expect(try !plans(sql).contains { $0.contains("TEMP B-TREE") })
      #expect(try plans(sql + " DESC").contains { $0.contains("TEMP B-TREE") })
      #expect(try Int.fetchAll(db, sql: sql + " DESC") == (1...10).reversed())
      #expect(numbers.seen.value.contains { $0.ordering.contains { $0.isDescending } })
    }
  }

  @Test func aHiddenColumnIsAParameter() throws {
    try withNumbers { db, _ throws in
      #expect(try db.columns(in: "numbers").map(\.name) == ["value", "half", "text", "fragile"])
      #expect(try Int.fetchAll(db, sql: "SELECT value FROM numbers(99)").count == 10)
      #expect(throws: DatabaseError.self) { try db.execute(sql: "SELECT value FROM numbers(9)") }
    }
  }

  @Test(arguments: [
    "SELECT * FROM numbers(0)", "SELECT value FROM numbers(1)", "SELECT value FROM numbers(4)",
    "SELECT fragile FROM numbers",
  ])
  func anErrorFailsTheStatement(sql: String) throws {
    try withNumbers { db, _ throws in
      for _ in 1...2 {
        let error = try databaseError { _ = try Row.fetchAll(db, sql: sql) }
        #expect(error.resultCode == .SQLITE_ERROR)
        #expect(error.message == "no such number at 100%s")
      }
      #expect(try Int.fetchOne(db, sql: "SELECT count(*) FROM numbers") == 10)
    }
  }

  @Test func aVirtualTableCannotBeWrittenOrStored() throws {
    try withNumbers { db, _ throws in
      let error = try databaseError { try db.execute(sql: "DELETE FROM numbers") }
      #expect(error.message?.contains("may not be modified") == true)
      #expect(throws: DatabaseError.self) {
        try db.execute(sql: "CREATE VIRTUAL TABLE stored USING numbers")
      }
      #expect(try Int.fetchOne(db, sql: "SELECT count(*) FROM sqlite_schema") == 0)
    }
  }

  @Test func aTemporaryViewCanUseAVirtualTable() throws {
    try withNumbers { db, _ throws in
      try db.execute(sql: "CREATE TEMP VIEW halves AS SELECT half FROM numbers WHERE value > 8")
      #expect(try Double.fetchAll(db, sql: "SELECT half FROM halves") == [4.5, 5])
    }
  }

  @Test func aTableInTheFileHidesAVirtualTable() throws {
    try withNumbers { db, _ throws in
      try db.execute(sql: "CREATE TABLE numbers (own)")
      #expect(try db.columns(in: "numbers").map(\.name) == ["own"])
    }
  }

  /// A table that requires its parameter and returns every kind of value.
  struct Values: VirtualTable {
    struct Cursor: VirtualTableCursor {
      var value = DatabaseValue.null
      var row: Int64 = 0
      var text: String?

      mutating func start(
        plan: VirtualTablePlan.Choice, arguments: borrowing VirtualTableArguments
      ) {
        row = 0
        value = arguments[0]
        text = plan.text
      }

      mutating func next() -> Bool {
        row += 1
        return row == 1
      }

      func write(column: Int, to cell: borrowing VirtualTableCell) {
        switch column {
        case 0: cell.write(value)
        case 1: cell.write(utf8: Array((text ?? "").utf8).span)
        case 2: cell.write(Data([1, 0, 2]))
        case 3: cell.write(7)
        default: cell.writeNull()
        }
      }

      var rowID: Int64 { row }
    }

    let name = "values of"
    let columns = [
      VirtualTableColumn("value"), VirtualTableColumn("text"), VirtualTableColumn("data", .blob),
      VirtualTableColumn("seven"), VirtualTableColumn("null"),
      VirtualTableColumn("wanted", isHidden: true),
    ]

    func plan(for query: VirtualTableQuery) -> VirtualTablePlan? {
      guard let constraint = query.constraint(on: 5) else { return nil }
      var plan = VirtualTablePlan()
      plan.use(constraint, isChecked: true)
      plan.text = "plan 'é'"
      return plan
    }

    func makeCursor() -> Cursor { Cursor() }
  }

  @Test(arguments: [
    DatabaseValue.null, 42, 1.5, "", "a longer text than fits", "é\0é",
    DatabaseValue(storage: .blob(Data())), DatabaseValue(storage: .blob(Data([0, 1]))),
  ])
  func everyStorageClassIsReturned(value: DatabaseValue) throws {
    try Connection.inMemory { db throws in
      try db.add(virtualTable: Values())
      let row = try #require(
        try Row.fetchOne(db, sql: #"SELECT * FROM "values of"(?)"#, arguments: [value]))
      let data = DatabaseValue(storage: .blob(Data([1, 0, 2])))
      #expect(row.databaseValues == [value, "plan 'é'", data, 7, nil])
    }
  }

  @Test func aTableCanRequireAParameter() throws {
    try Connection.inMemory { db throws in
      try db.add(virtualTable: Values())
      let error = try databaseError { _ = try Row.fetchAll(db, sql: #"SELECT * FROM "values of""#) }
      #expect(error.resultCode == .SQLITE_ERROR)
      #expect(error.message == "no query solution")
    }
  }

  struct Odd: VirtualTable {
    var name = "odd"
    var columns: [VirtualTableColumn]
    func makeCursor() -> Values.Cursor { Values.Cursor() }
  }

  @Test func columnNamesMustBeUnique() throws {
    try Connection.inMemory { db throws in
      for columns in [[], [VirtualTableColumn("a"), VirtualTableColumn("A")]] {
        let error = try databaseError { try db.add(virtualTable: Odd(columns: columns)) }
        #expect(error.message?.contains("'odd'") == true)
        #expect(error.resultCode == .SQLITE_MISUSE)
      }
    }
  }

  @Test func aColumnNameIsNeverSyntax() throws {
    try Connection.inMemory { db throws in
      let name = "a\", b HIDDEN) --"
      try db.add(virtualTable: Odd(columns: [VirtualTableColumn(name)]))
      #expect(try db.columns(in: "odd").map(\.name) == [name])
    }
  }

  @Test func aVirtualTableIsReleasedWithTheConnection() throws {
    final class Witness: Sendable {}
    struct Kept: VirtualTable {
      let name = "kept"
      let columns = [VirtualTableColumn("x")]
      let witness: Witness
      func makeCursor() -> KeptCursor { KeptCursor(witness: witness) }
    }
    struct KeptCursor: VirtualTableCursor {
      let witness: Witness
      var row: Int64 = 0
      mutating func start(plan: VirtualTablePlan.Choice, arguments: borrowing VirtualTableArguments)
      {}
      mutating func next() -> Bool {
        row += 1
        return row < 5
      }
      func write(column: Int, to cell: borrowing VirtualTableCell) { cell.write(row) }
      var rowID: Int64 { row }
    }
    weak var witness: Witness?
    do {
      let connection = try Connection()
      try connection.withAccess { db throws in
        let kept = Witness()
        witness = kept
        try db.add(virtualTable: Kept(witness: kept))
        // A cursor that is not read to its end is closed too.
        _ = try Row.fetchCursor(db, sql: "SELECT * FROM kept").next()
      }
      connection.database.close()
    }
    #expect(witness == nil)
  }

  @Test func aConstraintWithoutAValueIsNotUsed() async {
    struct Careless: VirtualTable {
      let name = "careless"
      let columns = [VirtualTableColumn("x")]
      func plan(for query: VirtualTableQuery) -> VirtualTablePlan? {
        var plan = VirtualTablePlan()
        for constraint in query.constraints { plan.use(constraint) }
        return plan
      }
      func makeCursor() -> Values.Cursor { Values.Cursor() }
    }
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      try Connection.inMemory { db in
        try db.add(virtualTable: Careless())
        try db.execute(sql: "CREATE TABLE t (x)")
        try db.execute(sql: "SELECT * FROM careless JOIN t ON t.x = careless.x")
      }
    }
    expectSentence("A plan of a virtual table used a constraint", in: result)
  }
}
