import HoldfastSQLite
import HoldfastTestSupport
import Testing

@Suite(.timeLimit(.minutes(1))) struct StepLimitTests {
  private static let endless =
    "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT max(x) FROM c"

  private func count(to limit: Int, _ db: Database) throws -> Int? {
    try Int.fetchOne(
      db,
      sql: """
        WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c LIMIT ?)
        SELECT count(*) FROM c
        """,
      arguments: [limit])
  }

  @Test func `A statement ends after the steps of a limit, and no longer when it has ended`() throws
  {
    try Connection.inMemory { db throws in
      let limit = db.stepLimit
      limit.begin(10_000)
      #expect(try count(to: 10, db) == 10)
      #expect(!limit.isReached)
      let error = #expect(throws: DatabaseError.self) {
        try Int.fetchOne(db, sql: Self.endless)
      }
      #expect(error?.resultCode == .SQLITE_INTERRUPT)
      #expect(limit.isReached)
      limit.end()
      #expect(try count(to: 10_000, db) == 10_000)
    }
  }

  @Test func `A statement ends when its time is over`() throws {
    try Connection.inMemory { db throws in
      let limit = db.stepLimit
      limit.begin(.max >> 1, until: .now + .milliseconds(10))
      let error = #expect(throws: DatabaseError.self) {
        try Int.fetchOne(db, sql: Self.endless)
      }
      #expect(error?.resultCode == .SQLITE_INTERRUPT)
      #expect(limit.isReached)
      limit.end()
      #expect(try count(to: 10_000, db) == 10_000)
    }
  }

  @Test func `The steps of all statements count together`() throws {
    try Connection.inMemory { db throws in
      let limit = db.stepLimit
      limit.begin(100_000)
      defer { limit.end() }
      #expect(try count(to: 1_000, db) == 1_000)
      #expect(throws: DatabaseError.self) {
        for _ in 1...100 { _ = try count(to: 1_000, db) }
      }
      #expect(limit.isReached)
    }
  }

  @Test func `A limit that is no multiple of the interval is not reached before`() throws {
    try Connection.inMemory { db throws in
      let limit = db.stepLimit
      limit.begin(1_001)
      defer { limit.end() }
      // More than 1,000 steps, and fewer than 2,000.
      #expect(try count(to: 90, db) == 90)
      #expect(!limit.isReached)
    }
  }

  /// SQLite counts the steps of a statement over all of its runs.
  @Test func `The steps of its earlier runs do not end a statement early`() throws {
    try Connection.inMemory { db throws in
      let limit = db.stepLimit
      var isReached: [Bool] = []
      for _ in 1...20 {
        limit.begin(1_000)
        defer { limit.end() }
        // Fewer than 1,000 steps, by a statement of the cache.
        #expect(try count(to: 20, db) == 20)
        isReached.append(limit.isReached)
      }
      #expect(isReached == Array(repeating: false, count: 20))
    }
  }

  @Test func `A limit can begin again, on the same connection`() throws {
    try Connection.inMemory { db throws in
      let limit = db.stepLimit
      for _ in 1...3 {
        limit.begin(10_000)
        #expect(!limit.isReached)
        #expect(throws: DatabaseError.self) { try Int.fetchOne(db, sql: Self.endless) }
        #expect(limit.isReached)
        limit.end()
        #expect(!limit.isReached)
      }
      #expect(db.stepLimit === limit)
    }
  }

  /// As when a suspension closes the connection of an access that has a limit.
  @Test func `A limit that was not ended is released with its connection`() throws {
    weak var limit: StepLimit?
    do {
      let connection = try Connection()
      try connection.withAccess { db in
        limit = db.stepLimit
        limit?.begin(1_000)
      }
      withExtendedLifetime(connection) { #expect(limit != nil) }
    }
    #expect(limit == nil)
  }
}
