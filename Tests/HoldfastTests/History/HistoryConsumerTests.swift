import Foundation
import Holdfast
import HoldfastTestSupport
import Testing

/// Consumers, for which the history is kept, and purging.
@Suite struct HistoryConsumerTests {
  private let file: HistoryFile

  init() throws { file = try HistoryFile("CREATE TABLE t (id INTEGER PRIMARY KEY)") }

  private func insert(_ ids: ClosedRange<Int>) throws {
    for id in ids { try file.write("INSERT INTO t VALUES (\(id))") }
  }

  private func move(_ name: String, to token: ChangeHistory.Token) throws {
    try file.pool.blockingWrite { db in try ChangeHistory.moveConsumer(name, to: token, db) }
  }

  private func purge(olderThan date: Date? = nil) throws -> Int {
    try file.pool.blockingWrite { db in try ChangeHistory.purge(db, olderThan: date) }
  }

  private func count() throws -> Int? {
    try file.pool.blockingRead { db in
      try Int.fetchOne(db, sql: "SELECT count(*) FROM holdfast_history")
    }
  }

  @Test func theTokenOfAConsumerIsStored() throws {
    let token = try file.token()
    try move("app", to: token)
    try insert(1...2)
    try move("widget", to: file.token())
    let (names, tokens) = try file.pool.blockingRead { db in
      (
        try ChangeHistory.consumers(db).map(\.name),
        try ["app", "nobody"].map { try ChangeHistory.token(ofConsumer: $0, db) }
      )
    }
    #expect(names == ["app", "widget"])
    #expect(tokens == [token, nil])
  }

  @Test func theSlowestConsumerLimitsThePurge() throws {
    try insert(1...2)
    let slow = try file.token()
    try move("slow", to: slow)
    try insert(3...4)
    try move("fast", to: file.token())
    #expect(try purge() == 2)
    #expect(try purge() == 0)
    #expect(try file.lines(after: slow) == ["insert t 3", "insert t 4"])
    #expect(try file.lines() == ["insert t 3", "insert t 4"])
    try file.pool.blockingWrite { db in try ChangeHistory.dropConsumer("slow", db) }
    #expect(try purge() == 1)
    #expect(try file.answer(after: slow).expiration == .purged)
  }

  @Test func aNumberIsNeverReused() throws {
    try insert(1...3)
    let token = try file.token()
    #expect(try purge() == 2)
    #expect(try file.lines(after: token) == [])
    #expect(try file.lines() == [])
    try insert(4...4)
    #expect(try file.lines(after: token) == ["insert t 4"])
    #expect(try file.lines() == ["insert t 4"])
  }

  @Test func recentChangesAreKeptWhenAnAgeIsGiven() throws {
    try insert(1...3)
    try file.write("UPDATE holdfast_history SET time = time - 3600000 WHERE token <= 2")
    #expect(try purge(olderThan: Date(timeIntervalSinceNow: -60)) == 2)
    #expect(try file.lines() == ["insert t 3"])
    #expect(try purge(olderThan: Date(timeIntervalSinceNow: -60)) == 0)
  }

  @Test func anAgeDoesNotOverrideAConsumer() throws {
    let slow = try file.token()
    try move("slow", to: slow)
    try insert(1...3)
    #expect(try purge(olderThan: Date(timeIntervalSinceNow: 60)) == 0)
    #expect(try file.lines(after: slow).count == 3)
  }

  @Test func staleConsumersAreRemovedOnRequest() throws {
    try move("old", to: file.token())
    try move("new", to: file.token())
    try file.write("UPDATE holdfast_history_consumers SET time = 0 WHERE name = 'old'")
    let dropped = try file.pool.blockingWrite { db in
      try ChangeHistory.dropConsumers(unusedSince: Date(timeIntervalSinceNow: -60), db)
    }
    #expect(dropped == ["old"])
    #expect(try file.pool.blockingRead { try ChangeHistory.consumers($0) }.map(\.name) == ["new"])
  }

  /// A consumer whose token is expired would otherwise keep everything forever.
  @Test func anExpiredConsumerDoesNotLimitThePurge() throws {
    try move("old", to: file.token())
    try insert(1...2)
    try file.pool.blockingWrite { db in
      try db.execute(sql: "DROP TABLE t; CREATE TABLE t (id INTEGER PRIMARY KEY)")
      try ChangeHistory.install(on: db, tables: ["t"])
    }
    try insert(3...5)
    #expect(try purge() == 3)
    #expect(try count() == 1)
  }
}
