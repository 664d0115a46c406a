import HoldfastSQLite
import Testing

/// Orderings that are SQL text, with a direction.
@Suite struct OrderingTextTests {
  private func rows(_ ordering: some SQLOrderingTerm, isReversed: Bool = false) throws -> [Int] {
    try Connection.inMemory { db throws in
      try db.execute(
        sql: """
          CREATE TABLE t (id INTEGER, a INTEGER, b INTEGER);
          INSERT INTO t VALUES (1, 2, 1), (2, 1, 1), (3, 1, NULL), (4, 2, 2)
          """)
      let request = Table("t").order(ordering)
      return try (isReversed ? request.reversed() : request)
        .select([Column("id")], as: Int.self).fetchAll(db)
    }
  }

  /// As in GRDB, the direction is that of the last term.
  @Test func aTextOfSeveralTermsHasADirection() throws {
    #expect(try rows(SQL("a, b").asc) == [3, 2, 1, 4])
    #expect(try rows(SQL("a, b").desc) == [2, 3, 4, 1])
    #expect(try rows(SQL("a DESC, b").asc) == [1, 4, 3, 2])
    #expect(try rows(SQL("a, b").ascNullsLast) == [2, 3, 1, 4])
    #expect(try rows(SQL("a, \(Column("b"))").desc) == [2, 3, 4, 1])
  }

  /// The number of a column is none in parentheses.
  @Test func aTextOfOneTermHasADirection() throws {
    #expect(try rows(SQL("1").desc) == [4, 3, 2, 1])
    #expect(try rows(SQL("a * 10 + ifnull(b, 0)").desc) == [4, 1, 2, 3])
    #expect(try rows(SQL("id -- the order").desc) == [4, 3, 2, 1])
    #expect(try rows(SQL("SELECT 1 - id").asc) == [4, 3, 2, 1])
    #expect(try rows(SQL("id").asc, isReversed: true) == [4, 3, 2, 1])
    #expect(try rows(SQL("max(id, 0)"), isReversed: true) == [4, 3, 2, 1])
  }

  @Test(arguments: ["a, b", "id DESC", "a, max(b, id)"])
  func aTextOfMoreThanAnExpressionIsNotReversed(text: String) throws {
    let error = #expect(throws: DatabaseError.self) {
      try rows(SQL(sql: text), isReversed: true)
    }
    #expect(error?.resultCode == .SQLITE_MISUSE)
    #expect(error?.message?.hasPrefix("the ordering '\(text)' cannot be reversed") == true)
  }

  @Test func aTextWithADirectionIsReversedOnlyIfItIsOneTerm() throws {
    #expect(throws: DatabaseError.self) { try rows(SQL("a, b").asc, isReversed: true) }
    #expect(try rows(SQL("id").desc, isReversed: true) == [1, 2, 3, 4])
  }
}
