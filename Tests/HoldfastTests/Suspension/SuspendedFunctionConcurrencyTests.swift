import Foundation
import HoldfastTestSupport
import Synchronization
import Testing

@testable import Holdfast

/// Functions, tokenizers and what else a preparation adds to connections that a suspension closes.
@Suite(.timeLimit(.minutes(2))) struct SuspendedFunctionConcurrencyTests: SuspensionSuite {
  /// What is alive, and the aggregates that were asked for a value.
  private static let alive = Mutex(0)
  private static let finalized = Mutex(0)

  private final class Life: Sendable {
    init() { SuspendedFunctionConcurrencyTests.alive.withLock { $0 += 1 } }
    deinit { SuspendedFunctionConcurrencyTests.alive.withLock { $0 -= 1 } }
  }

  struct Joined: DatabaseWindowAggregate {
    private let life = Life()
    private var texts: [String] = []

    mutating func step(_ values: [DatabaseValue]) { texts.append(values[0].description) }
    mutating func inverse(_ values: [DatabaseValue]) { texts.removeFirst() }
    func value() -> (any DatabaseValueConvertible)? { texts.joined(separator: " ") }

    func finalize() -> (any DatabaseValueConvertible)? {
      finalized.withLock { $0 += 1 }
      return value()
    }
  }

  final class Ranks: FTS5WrapperTokenizer {
    static let name = "ranks"
    let wrappedTokenizer: any FTS5Tokenizer
    private let life = Life()

    init(db: Database, arguments: [String]) throws {
      wrappedTokenizer = try db.makeTokenizer(.unicode61())
    }

    func accept(
      token: String, flags: FTS5TokenFlags, for tokenization: FTS5Tokenization,
      tokenCallback: FTS5WrapperTokenCallback
    ) throws {
      try tokenCallback(token == "first" ? "1st" : token, flags)
    }
  }

  let folder: TemporaryDirectory

  init() throws {
    folder = try TemporaryDirectory()
  }

  static let queries: KeyValuePairs = [
    "SELECT twice(a) FROM t": "firstfirst",
    "SELECT joined(a) FROM t": "'first'",
    "SELECT joined(a) OVER (ORDER BY rowid) FROM t": "'first'",
    "SELECT x FROM f WHERE f MATCH '1st'": "the first",
    "SELECT a FROM t ORDER BY a COLLATE backwards": "first",
  ]

  private func expectAllWork(_ pool: DatabasePool) async throws {
    for (sql, expected) in Self.queries {
      #expect(try await pool.read { db in try String.fetchOne(db, sql: sql) } == expected)
      #expect(try await pool.write { db in try String.fetchOne(db, sql: sql) } == expected)
    }
  }

  @Test func theyWorkOnEachConnectionAndAreReleasedWithIt() async throws {
    var configuration = Self.configuration
    let life = Life()
    weak let kept = life
    configuration.prepareDatabase { [life] db in
      db.add(
        function: DatabaseFunction("twice", argumentCount: 1) { values in
          _ = life
          return String.fromDatabaseValue(values[0]).map { $0 + $0 }
        })
      db.add(function: DatabaseFunction("joined", argumentCount: 1, aggregate: Joined.self))
      db.add(
        collation: DatabaseCollation("backwards") { $1 < $0 ? .orderedAscending : .orderedSame })
      db.add(tokenizer: Ranks.self)
    }
    let pool = try makePool(configuration)
    try await pool.write { db in
      try db.create(virtualTable: "f", using: FTS5()) { t in
        t.tokenizer = Ranks.tokenizerDescriptor()
        t.column("x")
      }
      try db.execute(sql: "INSERT INTO f VALUES ('the first')")
    }
    try await expectAllWork(pool)

    // A reader in the middle of a window function.
    let isWaiting = Gate()
    let isSuspended = Gate()
    Self.finalized.withLock { $0 = 0 }
    let reader = OwnThread {
      try pool.read { db in
        let values = try String.fetchCursor(
          db, sql: "SELECT joined(x) OVER (ORDER BY x) FROM (SELECT 1 AS x UNION ALL SELECT 2)")
        #expect(try values.next() == "1")
        isWaiting.open()
        isSuspended.wait()
        _ = try values.next()
      }
    }
    try await onOwnThread { isWaiting.wait() }
    #expect(try await onOwnThread { pool.suspend(within: .seconds(50)) }.isFree)
    // Only what the configuration keeps is left, although the reader's access has not ended.
    #expect(Self.alive.withLock { $0 } == 1)
    #expect(Self.finalized.withLock { $0 } == 0)
    isSuspended.open()
    await #expect(throws: DatabaseError.self) { try await reader.value }

    pool.resume()
    try await expectAllWork(pool)
    try pool.close()
    #expect(Self.alive.withLock { $0 } == 1)
    #expect(kept != nil)
  }
}
