import Testing

@testable import HoldfastSQLite

struct CheckpointPragmaTests {
  @Test(arguments: [
    ("PRAGMA wal_checkpoint", CheckpointPragma.checkpoint(.passive, databaseName: nil)),
    ("pragma WAL_Checkpoint ;;", .checkpoint(.passive, databaseName: nil)),
    ("PRAGMA main.wal_checkpoint(FULL)", .checkpoint(.full, databaseName: "main")),
    (
      "PRAGMA \"a \"\"b\"\".\".wal_checkpoint = restart",
      .checkpoint(.restart, databaseName: "a \"b\".")
    ),
    ("PRAGMA /* of all */ 'wal_checkpoint'('Truncate')", .checkpoint(.truncate, databaseName: nil)),
    ("PRAGMA wal_checkpoint(every)", .checkpoint(.passive, databaseName: nil)),
    ("PRAGMA busy_timeout = 5", .busyTimeout), ("PRAGMA [busy_timeout](0)", .busyTimeout),
    ("PRAGMA journal_mode", .journalMode), ("PRAGMA main.journal_mode(WAL)", .journalMode),
    ("EXPLAIN PRAGMA journal_mode = WAL", nil),
    ("PRAGMA busy_timeout", nil), ("PRAGMA busy_timeout ; ;", nil),
    ("PRAGMA main.busy_timeout(5);", .busyTimeout), ("PRAGMA main.", nil), ("PRAGMA = 5", nil),
    ("PRAGMA wal_autocheckpoint = 5", .automaticCheckpoint),
    ("EXPLAIN PRAGMA temp.wal_autocheckpoint", .automaticCheckpoint),
    ("EXPLAIN QUERY PLAN PRAGMA busy_timeout = 5", .busyTimeout),
    ("EXPLAIN PRAGMA wal_checkpoint", nil), ("SELECT wal_checkpoint", nil), ("PRAGMA", nil),
    ("PRAGMA user_version = 5", nil),
  ])
  func aPragmaIsReadAsBySQLite(sql: String, pragma: CheckpointPragma?) {
    var tokens = SQLTokens(sql)
    let verb = tokens.nextWord()
    #expect(CheckpointPragma(verb, before: tokens) == pragma)
  }

  /// SQLite sets and reports the number while it prepares the statement, even of one that is explained.
  @Test func theNumberOfTheAutomaticCheckpointIsSetAndReported() throws {
    try Connection.inMemory { db in
      func number(_ sql: String = "PRAGMA wal_autocheckpoint") throws -> Int? {
        try Int.fetchOne(db, sql: sql)
      }
      #expect(try number() == 1000)
      #expect(try number("PRAGMA wal_autocheckpoint = 25") == 25)
      #expect(try number("PRAGMA main.wal_autocheckpoint") == 25)
      try db.execute(sql: "SELECT 1; -- and\n PRAGMA wal_autocheckpoint(0); SELECT 2")
      #expect(try number() == 0)
      _ = try Row.fetchAll(db, sql: "EXPLAIN PRAGMA wal_autocheckpoint = 7")
      #expect(try number() == 7)
      #expect(try number("PRAGMA wal_autocheckpoint = -3") == 0)
      #expect(try number() == 0)
    }
  }
}
