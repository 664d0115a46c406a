import Foundation
import Holdfast
import HoldfastTestSupport
import Testing

@Suite struct DatabaseDumpTests {
  let place: Workplace

  init() throws {
    place = try Workplace()
    let queue = try DatabaseQueue(path: place.directory.file("notes.db").path)
    try queue.write { db in
      try db.execute(
        sql: """
          CREATE TABLE note (id INTEGER PRIMARY KEY, text, bytes BLOB);
          CREATE VIEW texts AS SELECT text FROM note;
          INSERT INTO note VALUES (2, 'two' || char(10) || 'lines', NULL),
            (1, 'a' || char(0) || char(27) || '[31m', x'00ff'), (3, CAST(x'62ff' AS TEXT), x'68');
          """)
    }
    try queue.close()
  }

  /// No control character reaches the terminal, and no value is cut at a NUL.
  @Test(arguments: [
    (
      ["note"],
      "1|a\\u0000\\u001b[31m|X'00FF'\n2|two\nlines|\n3|b\u{FFFD}|h\n"
    ),
    (
      ["note", "--format", "list"],
      "1|a\\u0000\\u001b[31m|\\u0000\u{FFFD}\n2|two\nlines|\n3|b\u{FFFD}|h\n"
    ),
    (
      ["note", "--format=quote"],
      "1,'a'||char(0,27)||'[31m',X'00FF'\n2,'two\nlines',NULL\n3,CAST(X'62FF' AS TEXT),X'68'\n"
    ),
    (
      ["texts", "--format", "line"],
      "text = a\\u0000\\u001b[31m\n\ntext = two\nlines\n\ntext = b\u{FFFD}\n"
    ),
    (
      ["texts", "note", "--format", "json"],
      """
      texts
      [{"text":"a\\u0000\\u001b[31m"},
      {"text":"two\\nlines"},
      {"text":"b\u{FFFD}"}]

      note
      [{"id":1,"text":"a\\u0000\\u001b[31m","bytes":"AP8="},
      {"id":2,"text":"two\\nlines","bytes":null},
      {"id":3,"text":"b\u{FFFD}","bytes":"aA=="}]

      """
    ),
    (
      ["--schema"],
      """
      CREATE TABLE note (id INTEGER PRIMARY KEY, text, bytes BLOB);
      CREATE VIEW texts AS SELECT text FROM note;

      """
    ),
    (
      ["--json"],
      """
      {"type":"table","name":"note","tbl_name":"note","sql":"CREATE TABLE note (id INTEGER PRIMARY KEY, text, bytes BLOB)"}
      {"type":"view","name":"texts","tbl_name":"texts","sql":"CREATE VIEW texts AS SELECT text FROM note"}
      {"table":"note","row":{"id":1,"text":"a\\u0000\\u001b[31m","bytes":{"blob":"AP8="}}}
      {"table":"note","row":{"id":2,"text":"two\\nlines","bytes":null}}
      {"table":"note","row":{"id":3,"text":"b\u{FFFD}","bytes":{"blob":"aA=="}}}

      """
    ),
  ])
  func valuesOfEveryKindArePrinted(words: [String], output: String) throws {
    let dump = try ToolProcess.run(words: ["db", "dump", "notes.db"] + words, in: place.folder)
    #expect((dump.status, dump.errors) == (0, ""))
    #expect(dump.output == output)
    #expect(try place.directory.names == ["harbour.db", "notes.db"])
  }

  @Test func withoutTablesTheWholeContentIsPrinted() throws {
    let dump = try place.run("db", "dump", "notes.db")
    #expect(dump.output.hasPrefix("sqlite_master\nCREATE TABLE note (id INTEGER PRIMARY KEY,"))
    #expect(dump.output.contains("FROM note;\n\nnote\n1|a"))
    // The tables of a feed that are decoded while they are read can be named too.
    let calls = try place.run("db", "dump", "harbour.db", "gtfs_stop_times", "--json")
    #expect(calls.status == 0 && calls.output.contains(#""table":"gtfs_stop_times""#))
  }

  /// What cannot be read is reported in its place, and what controls a terminal is escaped everywhere.
  @Test func hostileAndUnreadableTablesDoNotEndTheDump() throws {
    let queue = try DatabaseQueue(path: place.directory.file("hostile.db").path)
    try queue.write { db in
      let order = DatabaseCollation("absent") { $1.compare($0) }
      db.add(collation: order)
      try db.execute(
        sql: """
          CREATE TABLE "a\u{1B}[31m" ("b\u{202E}"); INSERT INTO "a\u{1B}[31m" VALUES ('\u{202E}x');
          CREATE VIRTUAL TABLE b USING fts5(x);
          CREATE TABLE c (d TEXT PRIMARY KEY COLLATE absent); INSERT INTO c VALUES ('y'), ('x');
          CREATE TABLE bz (a); INSERT INTO bz VALUES (1), (-9223372036854775807 - 1);
          CREATE VIEW late AS SELECT abs(a) AS a FROM bz;
          PRAGMA writable_schema = ON;
          UPDATE sqlite_schema SET sql = 'CREATE VIRTUAL TABLE b USING nowhere(x)' WHERE name = 'b';
          """)
    }
    try queue.close()
    let dump = try place.run("db", "dump", "hostile.db", "--format", "quote")
    #expect(dump.status == 65)
    #expect(dump.errors.contains("The table 'b' cannot be read: no such module: nowhere."))
    #expect(dump.output.hasPrefix("sqlite_master\nCREATE TABLE \"a\\u001b[31m\" (\"b\\u202e\");"))
    #expect(dump.output.hasSuffix("\n\nc\n'y'\n'x'\n"))
    // Without its module, SQLite does not tell the tables of `b` from others.
    #expect(dump.output.contains("\n\na\\u001b[31m\nchar(8238)||'x'\n\nb\n\nb_config\n"))
    let late = try place.run("db", "dump", "hostile.db", "late", "--format", "json")
    #expect((late.status, late.output) == (65, "[{\"a\":1}]\n"))
    #expect(late.errors.contains("The table 'late' cannot be read: integer overflow."))
    let records = try place.run("db", "dump", "hostile.db", "--json")
    #expect(
      records.status == 65 && records.output.hasSuffix(#"{"table":"c","row":{"d":"x"}}"# + "\n"))
  }

  @Test func aClosedOutputEndsTheDump() throws {
    let head = try ToolProcess.shell(
      #"{ "$HOLDFAST" db dump harbour.db gtfs_stop_times; echo $? >status; } | head -n 1"#,
      in: place.folder)
    #expect(head.output.split(separator: "\n").count == 1)
    #expect(try String(contentsOf: place.directory.file("status"), encoding: .utf8) == "141\n")
  }

  @Test(arguments: [
    (["nowhere"], "The database has no table 'nowhere'."),
    (["note", "--json", "--format", "list"], "'--json' and '--format' cannot be given together."),
    (["--schema", "--format=quote"], "'--schema' and '--format' cannot be given together."),
    (["note", "--schema"], "'--schema' and 'TABLE' cannot be given together."),
  ])
  func refusals(words: [String], message: String) throws {
    let refused = try ToolProcess.run(words: ["db", "dump", "notes.db"] + words, in: place.folder)
    #expect((refused.status, refused.output) == (64, ""))
    #expect(refused.errors.contains(message))
  }
}
