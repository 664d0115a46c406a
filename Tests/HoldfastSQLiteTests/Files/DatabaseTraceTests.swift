import Foundation
import HoldfastSQLite
import HoldfastTestSupport
import Testing

@Suite struct DatabaseTraceTests {
  private final class Log {
    var lines: [String] = []
    var kept: [Database.TraceEvent.Statement] = []
    var durations: [TimeInterval] = []
  }

  private func configuration(showsArguments: Bool) -> Configuration {
    var configuration = Configuration()
    configuration.publicStatementArguments = showsArguments
    return configuration
  }

  @Test(arguments: [(false, "SELECT ?"), (true, "SELECT 'quay'")])
  func statementsAreTracedAndValuesOnlyWhenAllowed(shows: Bool, line: String) throws {
    try Connection(nil, configuration(showsArguments: shows)).withAccess { db throws in
      let log = Log()
      db.trace { log.lines.append("\($0)") }
      try db.execute(sql: "SELECT ?", arguments: ["quay"])
      #expect(log.lines == [line])
    }
  }

  @Test func theExpandedSQLIsAvailableDuringTheCall() throws {
    try Connection.inMemory { db throws in
      let log = Log()
      db.trace { event in
        guard case .statement(let statement) = event else { return }
        log.lines.append(statement.expandedSQL)
        #expect(event.expandedDescription == statement.expandedSQL)
        log.kept.append(statement)
      }
      try db.execute(sql: "SELECT ?, ?", arguments: ["it's", 1])
      #expect(log.lines == ["SELECT 'it''s', 1"])
      // After the call the values are no longer available.
      #expect(log.kept.map(\.expandedSQL) == ["SELECT ?, ?"])
      #expect(log.kept.map(\.sql) == ["SELECT ?, ?"])
    }
  }

  @Test func tracedSQLHasNoSemicolonAndNoSpaceAround() throws {
    try Connection.inMemory { db throws in
      let log = Log()
      db.trace { event in
        guard case .statement(let statement) = event else { return }
        log.lines += [statement.sql, statement.expandedSQL]
      }
      try db.execute(sql: "\n SELECT 1 ; SELECT ? ;\n", arguments: [2])
      #expect(log.lines == ["SELECT 1", "SELECT 1", "SELECT ?", "SELECT 2"])
    }
  }

  @Test func aTriggerIsTracedByItsName() throws {
    try Connection.inMemory { db throws in
      try db.execute(
        sql: """
          CREATE TABLE t (x);
          CREATE TRIGGER noted AFTER INSERT ON t BEGIN SELECT 1; END
          """)
      let log = Log()
      db.trace { log.lines.append("\($0)") }
      try db.execute(sql: "INSERT INTO t VALUES (1)")
      #expect(log.lines.first == "INSERT INTO t VALUES (1)")
      #expect(log.lines.dropFirst().contains { $0.contains("TRIGGER noted") })
    }
  }

  /// Tests of apps compare the last statement with what GRDB runs.
  @Test func theLastTracedStatementIsTheOneThatWasAskedFor() throws {
    struct Player: Codable, MutablePersistableRecord {
      var id: Int64?
      var name: String
    }
    try Connection.inMemory { db throws in
      let log = Log()
      db.trace { log.lines.append($0.expandedDescription) }
      try db.create(table: "player") { t in
        t.primaryKey("id", .integer)
        t.column("name", .text).notNull(onConflict: .abort).unique(onConflict: .abort)
      }
      let definition = #"("id" INTEGER PRIMARY KEY, "name" TEXT NOT NULL UNIQUE)"#
      #expect(log.lines == [#"CREATE TABLE "player" \#(definition)"#])
      try db.alter(table: "player") { $0.add(column: "age", .integer) }
      #expect(log.lines.last == #"ALTER TABLE "player" ADD COLUMN "age" INTEGER"#)
      try db.create(virtualTable: "words", using: FTS5()) { $0.column("text") }
      #expect(log.lines.contains(#"CREATE VIRTUAL TABLE "words" USING fts5(text)"#))
      var player = Player(id: 7, name: "a")
      try player.insert(db)
      #expect(log.lines.last == #"INSERT INTO "player" ("id", "name") VALUES (7,'a')"#)
      player.name = "b"
      try player.update(db)
      #expect(log.lines.last == #"UPDATE "player" SET "name"='b' WHERE "id"=7"#)
      try player.insert(db, onConflict: .replace)
      #expect(log.lines.last == #"INSERT OR REPLACE INTO "player" ("id", "name") VALUES (7,'b')"#)
      try player.upsert(db)
      #expect(
        log.lines.last == #"INSERT INTO "player" ("id", "name") VALUES (7,'b') ON CONFLICT "#
          + #"DO UPDATE SET "name" = "excluded"."name" RETURNING "rowid""#)
      _ = try player.delete(db)
      #expect(log.lines.last == #"DELETE FROM "player" WHERE "id"=7"#)
      _ = try Table("player").order(Column("id").asc).limit(1).deleteAll(db)
      #expect(
        log.lines.last == #"DELETE FROM "player" WHERE "id" IN "#
          + #"(SELECT "id" FROM "player" ORDER BY "id" ASC LIMIT 1)"#)
    }
  }

  @Test func durationsAreMorePreciseThanAMillisecond() throws {
    try Connection.inMemory { db throws in
      let log = Log()
      db.trace(options: .profile) { event in
        guard case .profile(let statement, let duration) = event else { return }
        log.lines.append(statement.sql)
        log.durations.append(duration)
      }
      for _ in 1...20 { try db.execute(sql: "SELECT 1") }
      #expect(log.lines.count == 20)
      #expect(log.durations.allSatisfy { $0 > 0 && $0 < 60 })
      #expect(log.durations.contains { $0 < 0.001 })
    }
  }

  @Test func aLongStatementHasALongDuration() throws {
    try Connection.inMemory { db throws in
      let log = Log()
      db.trace(options: [.statement, .profile]) { event in
        log.lines.append("\(event)")
        if case .profile(_, let duration) = event { log.durations.append(duration) }
      }
      let started = ContinuousClock.now
      try db.execute(
        sql: """
          WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 200000)
          SELECT max(i) FROM n
          """)
      let all = (ContinuousClock.now - started) / .seconds(1)
      #expect(log.lines.count == 2)
      #expect(log.durations.count == 1)
      #expect(log.durations[0] > 0.001)
      #expect(log.durations[0] <= all)
      #expect(log.lines[1].contains("s WITH RECURSIVE"))
    }
  }

  @Test func aTraceCanBeEnded() throws {
    try Connection.inMemory { db throws in
      let log = Log()
      db.trace { log.lines.append("\($0)") }
      db.trace()
      try db.execute(sql: "SELECT 1")
      db.trace { log.lines.append("first \($0)") }
      db.trace { log.lines.append("second \($0)") }
      try db.execute(sql: "SELECT 2")
      #expect(log.lines == ["second SELECT 2"])
    }
  }

  @Test func aTraceThatHoldsItsConnectionEndsWhenThatIsClosed() throws {
    weak var log: Log?
    func trace() throws {
      let connection = try Connection()
      let own = Log()
      log = own
      try connection.withAccess { db throws in
        db.trace { own.lines.append(connection.database.path ?? "\($0)") }
        try db.execute(sql: "SELECT 1")
      }
      #expect(own.lines.count == 1)
      #expect(connection.database.close() == nil)
    }
    try trace()
    #expect(log == nil)
  }
}
