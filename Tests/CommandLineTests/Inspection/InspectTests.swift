import Foundation
import Holdfast
import HoldfastFiles
import HoldfastTestSupport
import Testing

/// `holdfast inspect`, by real requests to a real process.
@Suite(.serialized, .timeLimit(.minutes(5))) struct InspectTests {
  /// Names as nobody should choose them, and somebody does.
  static let hostileNames = [
    "<script>alert(1)</script>", "a\"b'c`d", "\u{202E}txt.exe", "new\nline", "semi;colon--",
    "per%20cent?x=1&y#z", String(repeating: "long", count: 2_500),
  ]

  /// A container with a database whose tables, columns and values have hostile names.
  private func container() throws -> ContainerCopy {
    let copy = try ContainerCopy()
    try copy.database("Documents/app.sqlite") { db in
      for name in Self.hostileNames {
        let quoted = name.quotedDatabaseIdentifier
        try db.execute(
          sql: "CREATE TABLE \(quoted) (id INTEGER PRIMARY KEY, \(quoted) TEXT)")
        for value in Self.hostileNames {
          try db.execute(
            sql: "INSERT INTO \(quoted) (\(quoted)) VALUES (?)", arguments: [value])
        }
      }
      try db.execute(
        sql: """
          CREATE TABLE author (id INTEGER PRIMARY KEY, name TEXT);
          CREATE TABLE book (id INTEGER PRIMARY KEY, author INTEGER REFERENCES author, title TEXT, cover BLOB);
          INSERT INTO author VALUES (1, 'Joyce'), (2, 'Woolf');
          INSERT INTO book VALUES (1, 1, 'Ulysses', x'89504e470d0a1a0a00'), (2, 2, 'Orlando', x'00ff');
          CREATE VIEW titles AS SELECT title FROM book;
          CREATE VIRTUAL TABLE found USING fts5(title);
          INSERT INTO found VALUES ('The waves'), ('To the lighthouse')
          """)
    }
    try copy.write(Data(repeating: 1, count: 5000), to: "Library/Caches/other.bin")
    return copy
  }

  private static func digest(of folder: URL) throws -> [String: String] {
    var files: [String: String] = [:]
    for name in try FileManager.default.subpathsOfDirectory(atPath: folder.path) {
      let url = folder.appending(path: name)
      let attributes = try FileManager.default.attributesOfItem(atPath: url.path)
      let kind = attributes[.type] as? FileAttributeType == .typeDirectory
      let content = kind ? "folder" : try Data(contentsOf: url).base64EncodedString()
      files[name] = "\(content) \(String(describing: attributes[.modificationDate]))"
    }
    return files
  }

  @Test func theOverviewListsWhatIsThereWithoutACopy() throws {
    let copy = try container()
    let inspector = try InspectorProcess(copy.folder)
    defer { inspector.interrupt() }
    let overview = try inspector.get("api/overview")
    #expect(overview["kind"] as? String == "container")
    #expect(overview["mode"] as? String == "copied")
    #expect(overview["files"] as? Int == 2)
    let roots = try #require(overview["roots"] as? [[String: Any]])
    #expect(Set(roots.compactMap { $0["path"] as? String }) == ["Documents", "Library/Caches"])
    // Its private folder has nothing but its lock.
    let names = try FileManager.default.subpathsOfDirectory(atPath: inspector.temporary.url.path)
    #expect(!names.contains { $0.contains("d-1") })
  }

  @Test func hostileNamesArriveUnchanged() throws {
    let copy = try container()
    let inspector = try InspectorProcess(copy.folder)
    defer { inspector.interrupt() }
    let id = try inspector.id(of: "database")
    let tables = try #require(try inspector.get("api/database/\(id)")["tables"] as? [[String: Any]])
    let names = tables.compactMap { $0["name"] as? String }
    for name in Self.hostileNames {
      #expect(names.contains(name))
      let table = PageClient.escaped(name)
      let page = try inspector.get(
        "api/database/\(id)/rows?table=\(table)&sort=\(table)&order=desc")
      #expect(page["columns"] as? [String] == ["id", name])
      let rows = try #require(page["rows"] as? [[String: Any]])
      #expect(rows.count == Self.hostileNames.count)
      let count = try inspector.get("api/database/\(id)/count?table=\(table)")
      #expect(count["rows"] as? Int == Self.hostileNames.count)
      let column = PageClient.escaped(
        name.replacing("\\", with: "\\\\").replacing(":", with: "\\:"))
      let found = try inspector.get(
        "api/database/\(id)/rows?table=\(table)&where=\(column):eq:\(table)")
      let key = try #require((found["rows"] as? [[String: Any]])?.first?["key"] as? [Int])
      let cell = try inspector.client.send(
        "api/database/\(id)/cell?table=\(table)&column=\(table)&key=%5B\(key[0])%5D")
      #expect(cell.text == name)
      #expect(cell.headers["content-type"] == "text/plain; charset=utf-8")
      #expect(cell.headers["content-security-policy"]?.contains("sandbox") == true)
    }
  }

  @Test func nothingBelowThePathIsWritten() throws {
    let copy = try container()
    try copy.database("Documents/logged.sqlite", isLogged: true) { db in
      try db.execute(sql: "CREATE TABLE t (x); INSERT INTO t VALUES (1)")
    }
    let before = try Self.digest(of: copy.folder)
    let inspector = try InspectorProcess(copy.folder)
    for name in ["Documents/app.sqlite", "Documents/logged.sqlite"] {
      let id = try inspector.id(of: "database", named: name)
      let tables = try #require(
        try inspector.get("api/database/\(id)")["tables"] as? [[String: Any]])
      for table in tables {
        let name = PageClient.escaped(table["name"] as? String ?? "")
        _ = try inspector.client.send("api/database/\(id)/rows?table=\(name)")
        _ = try inspector.client.send("api/database/\(id)/export?table=\(name)")
      }
      let events = try EventReader(inspector.client.base + "events?database=\(id)")
      #expect(try events.next("state")?["mode"] as? String == "copied")
      events.end()
    }
    while try inspector.get("api/findings")["state"] as? String == "running" {}
    #expect(try Self.digest(of: copy.folder) == before)
    #expect(inspector.interrupt() == 130)
    #expect(try Self.digest(of: copy.folder) == before)
    #expect(try inspector.temporary.names == [])
  }

  @Test(arguments: [SIGINT, SIGTERM, SIGHUP])
  func aSignalLeavesNothing(_ signal: Int32) throws {
    let copy = try container()
    let inspector = try InspectorProcess(copy.folder)
    let id = try inspector.id(of: "database")
    _ = try inspector.get("api/database/\(id)/rows?table=book")
    let events = try EventReader(inspector.client.base + "events?database=\(id)")
    _ = try events.next("state")
    #expect(try !inspector.temporary.names.isEmpty)
    kill(inspector.number, signal)
    inspector.process.waitUntilExit()
    #expect(inspector.process.terminationStatus == 128 + signal)
    #expect(try inspector.temporary.names == [])
    // The stream ends with it.
    while try events.next("state") != nil {}
    events.end()
  }

  /// Most builds of SQLite take a name in double quotes that is no column for a text.
  @Test func aViewMayHaveTextsInDoubleQuotes() throws {
    let copy = try ContainerCopy()
    try copy.write("", to: "Documents/app.sqlite")
    var configuration = Configuration()
    configuration.acceptsDoubleQuotedStringLiterals = true
    let path = copy.url("Documents/app.sqlite").path(percentEncoded: false)
    let queue = try DatabaseQueue(path: path, configuration: configuration)
    try queue.write { db in
      try db.execute(
        sql: """
          CREATE TABLE task (name TEXT, state TEXT);
          INSERT INTO task VALUES ('a', 'open'), ('b', 'done');
          CREATE VIEW todo AS SELECT name FROM task WHERE state = "open";
          """)
    }
    try queue.close()
    let inspector = try InspectorProcess(copy.folder)
    defer { inspector.interrupt() }
    let base = "api/database/\(try inspector.id(of: "database"))"
    #expect((try inspector.get("\(base)/rows?table=todo")["rows"] as? [Any])?.count == 1)
    #expect(try inspector.client.send("\(base)/export?table=todo&as=csv").status == 200)
    // A mistyped name is no text.
    let sql = PageClient.escaped(#"SELECT "nmae" FROM task"#)
    #expect(try inspector.client.send("\(base)/export?sql=\(sql)&as=csv").status != 200)
  }

  @Test func rowsLeadToOthers() throws {
    let copy = try container()
    let inspector = try InspectorProcess(copy.folder)
    defer { inspector.interrupt() }
    let base = "api/database/\(try inspector.id(of: "database"))"
    let row = try inspector.get("\(base)/row?table=author&key=%5B1%5D")
    let reference = try #require((row["references"] as? [[String: Any]])?.first)
    #expect(reference["table"] as? String == "book")
    #expect(reference["columns"] as? [String] == ["author"])
    let books = try inspector.get("\(base)/rows?table=book&where=author:eq:1")
    #expect((books["rows"] as? [Any])?.count == 1)
    let cover = try inspector.client.send("\(base)/cell?table=book&column=cover&key=%5B1%5D")
    #expect(cover.headers["content-type"] == "image/png")
    let bytes = try inspector.client.send("\(base)/cell?table=book&column=cover&key=%5B2%5D")
    #expect(bytes.headers["content-type"] == "application/octet-stream")
    let shown = try inspector.get("\(base)/cell?table=book&column=cover&key=%5B2%5D&as=json")
    #expect((shown["text"] as? String)?.hasPrefix("00000000  00 ff") == true)
    let found = try inspector.get("\(base)/search?table=found&match=light")
    #expect((found["rows"] as? [Any])?.count == 1)
    #expect(((try inspector.get("\(base)/rows?table=titles"))["rows"] as? [Any])?.count == 2)
    // Each table of the list has rows to look at, SQLite's own too.
    let tables = try #require(try inspector.get(base)["tables"] as? [[String: Any]])
    for name in tables.compactMap({ $0["name"] as? String }) {
      #expect(
        try inspector.client.send("\(base)/rows?table=\(PageClient.escaped(name))").status == 200)
    }
  }

  @Test func whatIsNotThereIsAnError() throws {
    let copy = try container()
    let inspector = try InspectorProcess(copy.folder)
    defer { inspector.interrupt() }
    let base = "api/database/\(try inspector.id(of: "database"))"
    for (path, status) in [
      ("api/nothing", 404), ("api/database/d-99", 404), ("\(base)/rows?table=nothing", 400),
      ("\(base)/rows", 400), ("\(base)/rows?table=book&sort=nothing", 404),
      ("\(base)/rows?table=book&where=nonsense", 400), ("\(base)/rows?table=book&limit=0", 400),
      ("\(base)/row?table=book&key=%5B99%5D", 404), ("\(base)/row?table=book&key=x", 400),
      ("\(base)/rows?table=book&after=nonsense", 400), ("\(base)/search?table=book&match=x", 400),
      ("nothing.js", 404), ("events", 400),
    ] {
      let answer = try inspector.client.send(path)
      #expect(answer.status == status, "\(path): \(answer.text)")
      #expect(answer.object["message"] as? String != nil, "\(path)")
    }
    #expect(try inspector.client.send(base, body: Data()).status == 405)
  }

  // MARK: - Statements

  private func query(
    _ inspector: InspectorProcess, _ id: String, _ sql: String, limit: Int? = nil
  ) throws -> PageClient.Answer {
    var object: [String: Any] = ["sql": sql]
    object["limit"] = limit
    return try inspector.client.send(
      "api/database/\(id)/query", body: JSONSerialization.data(withJSONObject: object))
  }

  @Test func statementsOnlyRead() throws {
    let copy = try container()
    let inspector = try InspectorProcess(copy.folder)
    defer { inspector.interrupt() }
    let id = try inspector.id(of: "database")
    let answer = try query(inspector, id, "SELECT title FROM book ORDER BY id")
    #expect(answer.object["columns"] as? [String] == ["title"])
    #expect(answer.object["rows"] as? [[String]] == [["Ulysses"], ["Orlando"]])
    #expect((answer.object["plan"] as? [Any])?.isEmpty == false)
    for sql in [
      "DELETE FROM book", "INSERT INTO book VALUES (3, 1, 'x', NULL)", "DROP TABLE book",
      "ATTACH '\(copy.folder.path)/new.sqlite' AS other", "PRAGMA journal_mode = WAL",
      "SELECT 1; DELETE FROM book", "BEGIN", "VACUUM INTO '\(copy.folder.path)/new.sqlite'",
      "WITH x AS (SELECT 1) DELETE FROM book", "SELECT load_extension('x')", "SELECT ?", "",
      "SELECT nothing FROM book", "EXPLAIN", "PRAGMA query_only = 0",
    ] {
      let answer = try query(inspector, id, sql)
      #expect(answer.status == 400, "\(sql): \(answer.status) \(answer.text)")
    }
    let count = try query(inspector, id, "SELECT count(*) FROM book")
    #expect(count.object["rows"] as? [[Int]] == [[2]])
    let names = try FileManager.default.contentsOfDirectory(atPath: copy.folder.path)
    #expect(!names.contains("new.sqlite"))
  }

  @Test func statementsWithoutAnEndAreEnded() throws {
    let copy = try container()
    let inspector = try InspectorProcess(copy.folder)
    defer { inspector.interrupt() }
    let id = try inspector.id(of: "database")
    let endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT "
    let rows = try query(inspector, id, endless + "i FROM n", limit: 10)
    #expect((rows.object["rows"] as? [Any])?.count == 10)
    #expect(rows.object["truncated"] as? Bool == true)
    let long = try query(
      inspector, id, endless + "i, printf('%.*c', 900, 'x') FROM n", limit: 10_000)
    #expect(long.object["truncated"] as? Bool == true)
    #expect(long.body.count < 12 << 20)
    let never = try query(inspector, id, endless + "count(*) FROM n")
    #expect(never.object["truncated"] as? Bool == true, "\(never.text)")
    #expect((never.object["rows"] as? [Any])?.isEmpty == true)
  }

  @Test func exportsAreWhole() throws {
    let copy = try ContainerCopy()
    try copy.database("Documents/many.sqlite") { db in
      try db.execute(
        sql: """
          CREATE TABLE "a/b" (id INTEGER PRIMARY KEY, x TEXT);
          WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20000)
          INSERT INTO "a/b" SELECT i, 'a "quoted", text' FROM n
          """)
    }
    let inspector = try InspectorProcess(copy.folder)
    defer { inspector.interrupt() }
    let base = "api/database/\(try inspector.id(of: "database"))"
    let csv = try inspector.client.send("\(base)/export?table=a%2Fb")
    #expect(csv.headers["content-disposition"] == "attachment; filename=\"a_b.csv\"")
    let lines = csv.text.split(separator: "\n")
    #expect(csv.isWhole && lines.count == 20_001 && lines[0] == "id,x")
    #expect(lines.last == #"20000,"a ""quoted"", text""#)
    let json = try inspector.client.send(
      "\(base)/export?table=a%2Fb&format=json&where=id:le:3&order=desc")
    #expect(json.text.split(separator: "\n").first == #"{"id":3,"x":"a \"quoted\", text"}"#)
    let statement = try inspector.client.send(
      "\(base)/export?sql=SELECT%20count(*)%20AS%20n%20FROM%20%22a/b%22")
    #expect(statement.text == "n\n20000\n")
    #expect(try inspector.client.send("\(base)/export?sql=DELETE%20FROM%20%22a/b%22").status == 400)
  }

  @Test func anExportThatFailsIsRefusedOrSaysSoInItsLastLine() throws {
    let copy = try ContainerCopy()
    let order = DatabaseCollation("mine") { $0.compare($1) }
    let own = DatabaseFunction("own", argumentCount: 1, pure: true) { $0[0] }
    try copy.database("Documents/odd.sqlite") { db in
      db.add(collation: order)
      db.add(function: own)
      try db.execute(
        sql: """
          CREATE TABLE sorted (n TEXT COLLATE mine PRIMARY KEY) WITHOUT ROWID;
          INSERT INTO sorted VALUES ('a');
          CREATE TABLE made (id INTEGER PRIMARY KEY, a, b AS (own(a)));
          INSERT INTO made (a) VALUES (1);
          CREATE TABLE many (id INTEGER PRIMARY KEY, t);
          WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20000)
          INSERT INTO many SELECT i, printf('%050d', i) FROM n;
          CREATE VIEW late AS
            SELECT id, CASE WHEN id > 15000 THEN json('"' || t) ELSE t END AS j FROM many;
          CREATE VIEW soon AS SELECT id, CASE WHEN id > 1 THEN json('"') END AS j FROM many
          """)
    }
    let inspector = try InspectorProcess(copy.folder)
    defer { inspector.interrupt() }
    let base = "api/database/\(try inspector.id(of: "database"))"
    for (table, reason) in [
      ("sorted", "no such collation sequence: mine"), ("made", "unknown function: own()"),
      ("soon", "malformed JSON"),
    ] {
      for format in ["csv", "json"] {
        let answer = try inspector.client.send("\(base)/export?table=\(table)&format=\(format)")
        #expect(answer.status == 422)
        #expect((answer.object["message"] as? String)?.contains(reason) == true, "\(answer.text)")
      }
    }
    let starts = ["csv": "\"This file is not complete. ", "json": #"{"incomplete":{"#]
    for (format, start) in starts {
      let answer = try inspector.client.send("\(base)/export?table=late&format=\(format)")
      #expect(answer.status == 200 && !answer.isWhole)
      let lines = answer.text.split(separator: "\n")
      #expect(lines.count > 1000 && lines.count < 15_002)
      let last = try #require(lines.last)
      #expect(last.hasPrefix(start) && last.contains("malformed JSON"), "\(last)")
    }
    let count = try inspector.client.send("\(base)/count?table=sorted")
    let advice = "Read it in the app, or with the version or the engine that wrote it."
    #expect(count.object["advice"] as? String == advice)
  }
}
