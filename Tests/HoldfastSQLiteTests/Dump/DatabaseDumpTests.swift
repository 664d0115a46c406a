import Foundation
import Testing

@testable import HoldfastSQLite

@Suite struct DatabaseDumpTests {
  /// A stream that keeps what is written to it.
  final class Text: TextOutputStream {
    var text = ""
    func write(_ string: String) { text += string }
  }

  /// Returns the dump of all values, each in a row with its name, in one format.
  private static func dump(
    _ values: String, _ dump: (Database, Text) throws -> Void
  ) throws -> String {
    try Connection.inMemory { db in
      try db.execute(sql: "CREATE TABLE value (name PRIMARY KEY, value) WITHOUT ROWID")
      try db.execute(sql: "INSERT INTO value VALUES \(values)")
      let text = Text()
      try dump(db, text)
      return text.text
    }
  }

  private static let values = """
    ('a', NULL), ('b', -1), ('c', 1.0), ('d', 9e999), ('e', 'it''s' || char(10) || '"é"'),
    ('f', 'n' || char(0) || char(27) || 'm'), ('g', CAST(x'61ff' AS TEXT)), ('h', x'00ff'),
    ('i', x'6869'), ('j', x'69bf8a9cd9f04777bd1193451d84cbcf'), ('k', x'')
    """

  @Test func eachFormatWritesEveryKindOfValue() throws {
    let request = Table("value").order(Column("name"))
    #expect(
      try Self.dump(Self.values) { db, text in
        try db.dumpRequest(request, format: .list(header: true), to: text)
      } == "name|value\na|\nb|-1\nc|1.0\nd|inf\ne|it's\n\"é\"\nf|n\0\u{1B}m\ng|a\u{FFFD}\n"
        + "h|\0\u{FFFD}\ni|hi\nj|i\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}Gw\u{FFFD}\u{11}\u{FFFD}E\u{1D}\u{FFFD}"
        + "\u{FFFD}\u{FFFD}\nk|\n")
    #expect(
      try Self.dump(Self.values) { try $0.dumpRequest(request, format: .debug(), to: $1) }
        == "a|\nb|-1\nc|1.0\nd|inf\ne|it's\n\"é\"\nf|n\0\u{1B}m\ng|a\u{FFFD}\nh|X'00FF'\ni|hi\n"
        + "j|69BF8A9C-D9F0-4777-BD11-93451D84CBCF\nk|\n")
    #expect(
      try Self.dump(Self.values) { db, text in
        try db.dumpRequest(request, format: .quote(header: true), to: text)
      } == """
        'name','value'
        'a',NULL
        'b',-1
        'c',1.0
        'd',9e999
        'e','it''s
        "é"'
        'f','n'||char(0,27)||'m'
        'g',CAST(X'61FF' AS TEXT)
        'h',X'00FF'
        'i',X'6869'
        'j',X'69BF8A9CD9F04777BD1193451D84CBCF'
        'k',X''

        """)
    #expect(
      try Self.dump(Self.values) { try $0.dumpRequest(request, format: .json(), to: $1) } == #"""
        [{"name":"a","value":null},
        {"name":"b","value":-1},
        {"name":"c","value":1},
        {"name":"d","value":"inf"},
        {"name":"e","value":"it's\n\"é\""},
        {"name":"f","value":"n\u0000\u001bm"},
        {"name":"g","value":"a�"},
        {"name":"h","value":"AP8="},
        {"name":"i","value":"aGk="},
        {"name":"j","value":"ab+KnNnwR3e9EZNFHYTLzw=="},
        {"name":"k","value":""}]

        """#)
  }

  @Test func linesNameTheirColumnsAndPrettyJSONHasALinePerValue() throws {
    #expect(
      try Self.dump("('a', 1), ('b', NULL)") {
        try $0.dumpTables(["value"], format: .line(nullValue: "-"), tableHeader: .always, to: $1)
      } == "value\n name = a\nvalue = 1\n\n name = b\nvalue = -\n")
    let encoder = JSONDumpFormat.defaultEncoder
    encoder.outputFormatting.insert(.prettyPrinted)
    #expect(
      try Self.dump("('a', 1), ('b', NULL)") {
        try $0.dumpTables(["value"], format: .json(encoder: encoder), to: $1)
      } == """
        [
          {
            "name":"a",
            "value":1
          },
          {
            "name":"b",
            "value":null
          }
        ]

        """)
  }

  /// Each literal of the quoting format reads as the value that it was written for.
  @Test func quotedValuesReadAsTheyWere() throws {
    for encoding in ["UTF-8", "UTF-16le"] {
      try Connection.inMemory { db in
        try db.execute(sql: "PRAGMA encoding = '\(encoding)'; CREATE TABLE value (name, value)")
        try db.execute(sql: "INSERT INTO value VALUES \(Self.values)")
        let texts = ["\u{202E}\u{2028}a\t\n", String(repeating: "a'\t\0", count: 1500)]
        let values =
          try DatabaseValue.fetchAll(db, sql: "SELECT value FROM value")
          .filter { encoding == "UTF-8" || $0.printableLiteral.first != "C" }
          + texts.map(\.databaseValue)
        for value in values {
          let text = Text()
          try db.dumpSQL("SELECT \(value)", format: .quote(), to: text)
          #expect(try DatabaseValue.fetchOne(db, sql: "SELECT " + text.text) == value)
          #expect(!text.text.unicodeScalars.contains { $0.isUnprintable || $0 == "\t" })
        }
        #expect(values.count >= 12)
      }
    }
  }

  @Test func allStatementsOfATextAreDumpedOneAfterTheOther() throws {
    try Connection.inMemory { db in
      let (text, json) = (Text(), Text())
      let sql: SQL = """
        CREATE TABLE t (a, b); INSERT INTO t VALUES (\(1), \("x")); INSERT INTO t VALUES (\(2), 'y');
        SELECT * FROM t; SELECT b FROM t WHERE a > \(1); SELECT a FROM t WHERE 0
        """
      try db.dumpSQL(sql, to: text)
      #expect(text.text == "1|x\n2|y\ny\n")
      try db.dumpSQL("DROP TABLE t; " + sql, format: .json(), to: json)
      #expect(json.text == "[{\"a\":1,\"b\":\"x\"},\n{\"a\":2,\"b\":\"y\"}]\n[{\"b\":\"y\"}]\n[]\n")
      // What was dumped before an error is written.
      let partial = Text()
      let error = try databaseError { try db.dumpSQL("SELECT 'first'; SELEC", to: partial) }
      #expect((error.resultCode, partial.text) == (.SQLITE_ERROR, "first\n"))
      // A value too many is found before the last statement runs.
      let refused = try databaseError {
        let statements = try db.allStatements(
          sql: "SELECT ?; DELETE FROM t; -- end", arguments: [1, 2])
        while let statement = try statements.next() { try statement.execute() }
      }
      #expect(refused.resultCode == .SQLITE_MISUSE)
      #expect(try Int.fetchOne(db, sql: "SELECT count(*) FROM t") == 2)
    }
  }

  @Test func contentIsTheSchemaAndTheTablesOfTheApp() throws {
    try Connection.inMemory { db in
      try db.execute(
        sql: """
          CREATE TABLE team (id TEXT PRIMARY KEY, name TEXT);
          CREATE TABLE Player (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT);
          CREATE TABLE holdfast_history_state (a); CREATE TABLE grdb_migrations (b);
          CREATE INDEX player_name ON Player (name);
          CREATE VIEW names AS SELECT name FROM Player ORDER BY id;
          CREATE TRIGGER named AFTER INSERT ON team BEGIN SELECT 1; END;
          CREATE VIRTUAL TABLE search USING fts5(name);
          INSERT INTO Player (name) VALUES ('b'), ('a');
          INSERT INTO team VALUES ('y', 'why'), ('x', 'ex');
          INSERT INTO search VALUES ('words');
          """)
      let (content, schema, view, stable) = (Text(), Text(), Text(), Text())
      try db.dumpContent(to: content)
      try db.dumpSchema(to: schema)
      #expect(
        schema.text == """
          sqlite_master
          CREATE VIEW names AS SELECT name FROM Player ORDER BY id;
          CREATE TABLE Player (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT);
          CREATE INDEX player_name ON Player (name);
          CREATE VIRTUAL TABLE search USING fts5(name);
          CREATE TABLE team (id TEXT PRIMARY KEY, name TEXT);
          CREATE TRIGGER named AFTER INSERT ON team BEGIN SELECT 1; END;

          """)
      #expect(
        content.text == schema.text
          + "\nPlayer\n1|b\n2|a\n\nsearch\nwords\n\nteam\nx|ex\ny|why\n")
      try db.dumpTables(["names"], to: view)
      try db.dumpTables(["names"], stableOrder: true, to: stable)
      #expect((view.text, stable.text) == ("b\na\n", "a\nb\n"))
      let error = try databaseError { try db.dumpTables(["nowhere"], to: view) }
      #expect(error.resultCode == .SQLITE_ERROR)
      let empty = Text()
      try Connection.inMemory { try $0.dumpContent(to: empty) }
      #expect(empty.text == "sqlite_master\n")
    }
  }

  @Test func contentIsOfTheMainDatabaseOnly() throws {
    try Connection.inMemory { db in
      let order = DatabaseCollation("backwards") { $1.compare($0) }
      db.add(collation: order)
      try db.execute(
        sql: """
          CREATE TABLE t (id INTEGER PRIMARY KEY, name); INSERT INTO t VALUES (2, 'b'), (1, 'main');
          CREATE TABLE u_data (id PRIMARY KEY COLLATE backwards); INSERT INTO u_data VALUES ('a'), ('b');
          CREATE TEMP TABLE t (other); INSERT INTO temp.t VALUES ('temporary');
          CREATE VIRTUAL TABLE temp.u USING fts5(x);
          """)
      db.remove(collation: order)
      let text = Text()
      try db.dumpContent(to: text)
      #expect(
        text.text == """
          sqlite_master
          CREATE TABLE t (id INTEGER PRIMARY KEY, name);
          CREATE TABLE u_data (id PRIMARY KEY COLLATE backwards);

          t
          1|main
          2|b

          u_data
          a
          b

          """)
    }
  }

  @Test func aFormatOfOnesOwnReadsTheValuesOfTheRow() throws {
    struct Sums: DumpFormat {
      var sum: Int64 = 0

      mutating func writeRow(_ db: Database, statement: Statement, to stream: inout DumpStream) {
        for case .int64(let value) in statement.databaseValues.map(\.storage) { sum += value }
      }

      mutating func finalize(_ db: Database, statement: Statement, to stream: inout DumpStream) {
        stream.write("\(sum)\(statement.databaseValues)\n")
      }
    }
    try Connection.inMemory { db in
      let text = Text()
      try db.dumpSQL("SELECT 1, 2 UNION ALL SELECT 3, 4; SELECT 5", format: Sums(), to: text)
      #expect(text.text == "10[]\n5[]\n")
    }
  }
}
