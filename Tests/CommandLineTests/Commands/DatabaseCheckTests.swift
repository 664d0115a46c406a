import Foundation
import Holdfast
import HoldfastFiles
import HoldfastTestSupport
import Testing

@testable import HoldfastTool

@Suite struct DatabaseCheckTests {
  let place: Workplace

  private static let keys = [
    "file", "ok", "journal_mode", "page_size", "page_count", "application_id", "user_version",
    "wal_bytes", "wal_frames", "checkpointed", "oldest_reader", "sidecars", "sqlite",
    "wal_reset_bug", "warnings", "problems",
  ]

  init() throws { place = try Workplace() }

  @Test func aSoundDatabasePasses() throws {
    let people = try place.run("db", "check", "harbour.db")
    #expect(people.status == 0)
    #expect(people.output.hasPrefix("file            harbour.db\nok              yes\n"))
    #expect(people.output.hasSuffix("problems        none\n"))
    let programs = try place.run("db", "check", "harbour.db", "--json")
    #expect(programs.keys == Self.keys)
    let findings = try #require(try programs.objects.first)
    #expect(findings["ok"] as? Bool == true)
    #expect(findings["problems"] as? [String] == [])
    #expect(findings["warnings"] as? [String] == [])
    #expect(findings["sqlite"] as? String == SQLiteLibrary.current.version)
    #expect(findings["wal_reset_bug"] as? Bool == SQLiteLibrary.current.hasWALResetBug)
  }

  #if os(Linux)
    @Test(.enabled(if: OtherSQLite.isThere, "there is no python3 with sqlite3"))
    func theLogAndItsOldestReaderAreShown() throws {
      let path = place.directory.file("log.db").path(percentEncoded: false)
      let other = try OtherSQLite()
      try other.run("PRAGMA journal_mode = WAL", on: path)
      try other.run("CREATE TABLE t (a)", on: path)
      try other.run("BEGIN", on: path)
      try other.run("SELECT * FROM t", on: path)
      let programs = try place.run("db", "check", "log.db", "--json")
      #expect(programs.status == 0)
      #expect(programs.keys.contains("oldest_reader"))
      let findings = try #require(try programs.objects.first)
      #expect(findings["wal_frames"] as? Int == 2)
      #expect(findings["checkpointed"] as? Int == 0)
      #expect(findings["wal_bytes"] as? Int == 32 + 2 * (24 + 4096))
      let reader = try #require(findings["oldest_reader"] as? [String: Any])
      #expect(reader["pid"] as? Int == Int(other.processIdentifier))
      #expect(reader["frame"] as? Int == 2)
      #expect((findings["sidecars"] as? [String])?.count == 2)
      #expect(findings["warnings"] as? [String] == [])
      let people = try place.run("db", "check", "log.db")
      #expect(people.output.contains("\noldest_reader.pid "))
    }
  #endif

  @Test func aDanglingReferenceIsAProblem() throws {
    try write { db in
      try db.execute(
        sql: """
          CREATE TABLE a (id INTEGER PRIMARY KEY);
          CREATE TABLE b (a INTEGER REFERENCES a);
          INSERT INTO b VALUES (7)
          """)
    }
    let checked = try place.run("db", "check", "any.db", "--json")
    #expect(checked.status == 1)
    #expect(
      try checked.objects.first?["problems"] as? [String] == ["row 1 of b refers to no row of a"])
  }

  @Test func manyDanglingReferencesAreCounted() throws {
    try write { db in
      try db.execute(
        sql: """
          CREATE TABLE parent (id INTEGER PRIMARY KEY);
          CREATE TABLE child (parent REFERENCES parent);
          PRAGMA defer_foreign_keys = ON;
          """)
      for number in 1...150 {
        try db.execute(sql: "INSERT INTO child VALUES (?)", arguments: [number])
      }
    }
    let checked = try place.run("db", "check", "any.db", "--json")
    let problems = try #require(try checked.objects.first?["problems"] as? [String])
    #expect(problems.count == 101)
    #expect(problems.first == "row 1 of child refers to no row of parent")
    #expect(problems.last == "50 more rows of child refer to no row of parent")
  }

  /// A foreign key without a unique parent hides nothing else.
  @Test func aForeignKeyWithoutAUniqueParentIsAProblem() throws {
    try write { db in
      try db.execute(
        sql: """
          CREATE TABLE Messages (Id TEXT);
          CREATE TABLE Relays (Id INTEGER PRIMARY KEY, MessageId TEXT REFERENCES Messages(Id));
          INSERT INTO Relays VALUES (1, 'a');
          CREATE TABLE a (id INTEGER PRIMARY KEY);
          CREATE TABLE b (a INTEGER REFERENCES a);
          INSERT INTO b VALUES (7)
          """)
    }
    let checked = try place.run("db", "check", "any.db", "--json")
    #expect(checked.status == 1)
    let findings = try #require(try checked.objects.first)
    #expect(
      findings["problems"] as? [String] == [
        "the foreign key of Relays needs a unique index on Messages(Id)",
        "row 1 of b refers to no row of a",
      ])
    #expect(findings["page_count"] as? Int == 5)
  }

  @Test func aStaleOrBrokenSearchIndexIsAProblem() throws {
    try write { db in
      try db.execute(
        sql: """
          CREATE TABLE book (id INTEGER PRIMARY KEY, title TEXT);
          CREATE VIRTUAL TABLE stale USING fts5(title, content='book', content_rowid='id');
          CREATE VIRTUAL TABLE broken USING fts5(t);
          CREATE VIRTUAL TABLE sound USING fts5(t);
          INSERT INTO book VALUES (1, 'Dune'), (2, 'Emma');
          INSERT INTO stale(stale) VALUES ('rebuild');
          DELETE FROM book WHERE id = 1;
          WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c WHERE x < 3000)
            INSERT INTO broken SELECT 'word' || x || ' harbour' FROM c;
          INSERT INTO broken(broken) VALUES ('optimize');
          DELETE FROM broken_data WHERE id = (SELECT max(id) FROM broken_data)
          """)
    }
    let before = try Data(contentsOf: place.directory.file("any.db"))
    let checked = try place.run("db", "check", "any.db", "--json")
    #expect(checked.status == 1)
    let problems = try #require(try checked.objects.first?["problems"] as? [String])
    #expect(
      problems
        == ["stale", "broken"].map {
          "The index of the full-text table '\($0)' does not match its texts"
        })
    #expect(try Data(contentsOf: place.directory.file("any.db")) == before)
    #expect(try place.directory.names == ["any.db", "harbour.db"])
  }

  /// What only the app has is no reason to create the database again.
  @Test func aFunctionOfTheAppIsNamedAndNotAProblem() throws {
    try write { db in
      db.add(function: DatabaseFunction("shout", argumentCount: 1, pure: true) { $0[0] })
      try db.execute(
        sql: """
          CREATE TABLE t (a TEXT, b INTEGER, c AS (shout(a)));
          CREATE INDEX i ON t (shout(a));
          INSERT INTO t VALUES ('x', 1)
          """)
    }
    let checked = try place.run("db", "check", "any.db", "--json")
    #expect(checked.status == 0, "\(checked.errors)")
    let findings = try #require(try checked.objects.first)
    #expect(findings["problems"] as? [String] == [])
    let warnings = try #require(findings["warnings"] as? [String])
    #expect(warnings.count == 1)
    #expect(warnings.first?.contains("the index 'i' of 't' was not examined: ") == true)
    #expect(warnings.first?.contains("function: shout") == true)
    let dumped = try place.run("db", "query", "any.db", "SELECT c FROM t")
    #expect(!dumped.errors.contains("Create it again"))
  }

  @Test func aTableOfAModuleThatIsNotThereIsNamed() throws {
    try write { db in
      try db.execute(
        sql: """
          PRAGMA writable_schema = ON;
          INSERT INTO sqlite_schema VALUES
            ('table', 'v', 'v', 0, 'CREATE VIRTUAL TABLE v USING vec0(embedding float[4])')
          """)
    }
    let checked = try place.run("db", "check", "any.db", "--json")
    #expect(checked.status == 0)
    #expect(
      try checked.objects.first?["warnings"] as? [String] == [
        "the table 'v' was not examined: the module 'vec0'"
      ])
  }

  @Test func whatDependsOnSQLiteIsNamed() throws {
    try write { try $0.execute(sql: "CREATE TABLE t (x REAL, CHECK (length(x) < 20))") }
    let checked = try place.run("db", "check", "any.db", "--json")
    #expect(checked.status == 0)
    #expect(
      try checked.objects.first?["warnings"] as? [String] == [
        "a CHECK of 't' depends on SQLite's version: it makes text of the real number x"
      ])
  }

  @Test func anInconsistentIndexIsAProblem() throws {
    try write { db in
      try db.execute(
        sql: """
          CREATE TABLE a (n INTEGER);
          INSERT INTO a VALUES (1), (2), (3);
          CREATE INDEX i ON a (n);
          PRAGMA writable_schema = ON;
          UPDATE sqlite_schema SET sql = 'CREATE INDEX i ON a (n DESC)' WHERE name = 'i'
          """)
    }
    let checked = try place.run("db", "check", "any.db")
    #expect(checked.status == 1)
    #expect(checked.output.contains(#/\nok +no\n/#))
    #expect(checked.output.contains("\nproblems        "))
  }

  @Test(.enabled(if: SmallVolume.isPossible, "mounting a small tmpfs needs Linux and root"))
  func aCopyWithoutRoomNamesTheDatabase() throws {
    try write { db in
      try db.execute(
        sql: "CREATE TABLE a (n CHECK (n > 0), b); INSERT INTO a VALUES (1, zeroblob(900000))")
    }
    let volume = try SmallVolume(at: place.directory.file("volume"), kilobytes: 256)
    let refused = try ToolProcess.run(
      ToolProcess.executable, ["db", "check", "any.db"],
      environment: ["TMPDIR": volume.url.path], in: place.folder)
    #expect(refused.status == 74)
    #expect(
      refused.complaint == [
        "'any.db' could not be copied to the temporary folder: \(SystemCalls.description(of: .noSpace)).",
        "Check that you may read it, or set TMPDIR to a folder with more room.",
      ])
    #expect(try FileManager.default.contentsOfDirectory(atPath: volume.url.path) == [])
  }

  @Test func anEmptyFileIsAProblem() throws {
    try Data().write(to: place.directory.file("empty.db"))
    let checked = try place.run("db", "check", "empty.db")
    #expect(checked.status == 1)
    #expect(checked.output.hasSuffix("problems        the file is empty: it has no table\n"))
  }

  /// Damage that prevents SQLite from reading is also a finding.
  @Test func aDamagedFileIsAProblem() throws {
    let sound = try Data(contentsOf: place.directory.file("harbour.db"))
    var overwritten = sound
    overwritten.replaceSubrange(100..<400, with: Data(repeating: 0xFF, count: 300))
    for damaged in [overwritten, sound.prefix(sound.count / 2)] {
      try damaged.write(to: place.directory.file("damaged.db"))
      let checked = try place.run("db", "check", "damaged.db", "--json")
      #expect(checked.status == 1)
      #expect(checked.errors == "")
      let findings = try #require(try checked.objects.first)
      #expect(findings["ok"] as? Bool == false)
      #expect((findings["problems"] as? [String])?.isEmpty == false)
      #expect(checked.keys == Self.keys)
      let people = try place.run("db", "check", "damaged.db")
      #expect(people.status == 1)
      #expect(people.output.contains(#/\nok +no\n/#))
    }
    // The readable part is still reported.
    try overwritten.write(to: place.directory.file("damaged.db"))
    let findings = try place.run("db", "check", "damaged.db", "--json").objects.first
    #expect(findings?["problems"] as? [String] == ["database disk image is malformed"])
  }

  @Test func eachProblemIsPrintedOnOneLine() throws {
    try write { db in
      try db.execute(
        sql: """
          CREATE TABLE a (id INTEGER PRIMARY KEY);
          CREATE TABLE b (a INTEGER REFERENCES a);
          INSERT INTO b VALUES (7), (8)
          """)
    }
    #expect(
      try place.run("db", "check", "any.db").output.hasSuffix(
        """
        problems        row 1 of b refers to no row of a
                        row 2 of b refers to no row of a

        """))
  }

  private func write(_ body: (Database) throws -> Void) throws {
    var configuration = Configuration()
    configuration.foreignKeysEnabled = false
    let path = place.directory.file("any.db").path(percentEncoded: false)
    let queue = try DatabaseQueue(path: path, configuration: configuration)
    try queue.writeWithoutTransaction(body)
    try queue.close()
  }
}
