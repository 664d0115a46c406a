import Foundation
import Holdfast
import HoldfastFiles
import HoldfastTestSupport
import Testing

@testable import HoldfastTool

/// What is sound is not called broken.
@Suite struct SoundContainerTests {
  private static let uuid = StoredPathTests.uuid
  private static let device = StoredPathTests.device
  private static let group = "/private/var/mobile/Containers/Shared/AppGroup/\(uuid)"

  let copy: ContainerCopy

  init() throws { copy = try ContainerCopy() }

  /// SQLite 3.40 takes `json_valid` for unsafe in a schema that is not trusted.
  @Test func aSchemaWithJSONFunctionsIsSound() throws {
    try copy.database("Documents/app.sqlite") { db in
      try db.execute(
        sql: """
          CREATE TABLE e (id INTEGER PRIMARY KEY, p TEXT CHECK (json_valid(p)));
          INSERT INTO e (p) VALUES ('{}');
          CREATE INDEX k ON e (json_extract(p, '$.k'))
          """)
    }
    let found = try copy.doctor("--json")
    #expect(try found.findings == [])
    #expect(found.status == 0)
  }

  @Test func aTimetableIsSound() throws {
    let place = try Workplace()
    try copy.write(
      try Data(contentsOf: place.folder.appending(path: "harbour.db")), to: "Documents/harbour.db")
    #expect(try copy.doctor("--json").findings == [])
  }

  /// A copy by way of a volume without extended attributes has such files next to those of the app.
  @Test func aFileWithTheAttributesOfAnotherOneIsSound() throws {
    let attributes = Data([0, 5, 0x16, 7, 0, 2, 0, 0]) + Data("Mac OS X".utf8) + Data(count: 68)
    for name in ["._app.sqlite", "._app.sqlite-wal", "._city.pmtiles", "._list.json"] {
      try copy.write(attributes, to: "Documents/\(name)")
    }
    #expect(try copy.doctor("--json").findings == [])
    // What only has such a name is examined.
    try copy.write(Data(count: 80), to: "Documents/._other.sqlite")
    #expect(try copy.doctor("--json").findings == ["damaged_database Documents/._other.sqlite"])
  }

  /// SQLite ignores what follows the last page, as after an allocation in advance.
  @Test func aFileLongerThanItsHeaderIsSound() throws {
    try copy.database("Documents/app.sqlite") { try $0.execute(sql: "CREATE TABLE t (a)") }
    let file = try FileHandle(forWritingTo: copy.url("Documents/app.sqlite"))
    try file.truncate(atOffset: 1 << 20)
    try file.close()
    #expect(try copy.doctor("--json").findings == [])
  }

  @Test func templatesAndSpritesAreNoDeadReferences() throws {
    try copy.write("x", to: "Documents/fonts/Noto/0-255.pbf")
    try copy.write("{}", to: "Documents/sprite.json")
    try copy.write("x", to: "Documents/r/0/0/0.png")
    let url = "file://\(Self.device)/Documents"
    try copy.write(
      """
      {"version": 8, "glyphs": "\(url)/fonts/{fontstack}/{range}.pbf", "sprite": "\(url)/sprite",
       "sources": {"r": {"type": "raster", "tiles": ["\(url)/r/{z}/{x}/{y}.png"]},
                   "gone": {"type": "raster", "tiles": ["\(url)/gone/{z}/{x}/{y}.png"]}}}
      """, to: "Documents/style.json")
    let file = "Documents/style.json"
    #expect(
      try copy.doctor("--json").findings == [
        "absolute_path \(file) glyphs", "absolute_path \(file) sprite",
        "absolute_path \(file) sources.r.tiles[]", "absolute_path \(file) sources.gone.tiles[]",
        "dead_reference \(file) sources.gone.tiles[]",
      ])
  }

  @Test func reportsLogsAndPreferencesOfWebKitAreNoReferences() throws {
    let binary = "/private/var/containers/Bundle/Application/\(Self.uuid)/App.app/App"
    try copy.write(
      "{\"event_id\":\"e\"}\n{\"debug_meta\":{\"images\":[{\"code_file\":\"\(binary)\"}]}}",
      to: "Library/Caches/io.sentry/h/envelopes/1.json")
    try copy.write(
      "{\"usedImages\": [{\"path\": \"\(binary)\"}], \"procPath\": \"\(binary)\"}",
      to: "Documents/last.json")
    try copy.write(
      "[{\"msg\": \"failed to open \(Self.device)/Documents/a.db: busy\"}]",
      to: "Library/Caches/log/e.json")
    try copy.write(
      "[{\"message\": \"failed to open \(Self.device)/Documents/a.db\"}]",
      to: "Documents/last2.json")
    try copy.database("Documents/lines.sqlite") { db in
      try db.execute(sql: "CREATE TABLE line (message TEXT)")
      try db.execute(
        sql: "INSERT INTO line VALUES (?)", arguments: ["failed to open \(Self.device)/Documents/a"]
      )
    }
    try copy.writeList(
      ["screen": "\(binary)/Launch"], to: "Library/SplashBoard/Snapshots/a/index.plist",
      format: .binary)
    try copy.writeList(
      [
        "WebDatabaseDirectory": "\(Self.device)/Library/Caches",
        "WebKitLocalStorageDatabasePathPreferenceKey": "\(Self.device)/Library/Caches",
      ], to: "Library/Preferences/a.plist", format: .binary)
    let found = try copy.doctor("--json")
    #expect(try found.findings == [])
    #expect(found.status == 0)
  }

  @Test func theCopyOfAnAppGroupIsThatGroup() throws {
    try FileManager.default.removeItem(at: copy.url("Documents"))
    try copy.writeList(
      ["MCMMetadataIdentifier": "group.org.example.notes"],
      to: ".com.apple.mobile_container_manager.metadata.plist", format: .binary)
    try copy.write("x", to: "files/a.jpg")
    try copy.write("x", to: "b.db.txt")
    try copy.database("Library/n.sqlite") { db in
      try db.execute(sql: "CREATE TABLE n (i TEXT, o TEXT)")
      for name in ["files/a.jpg", "files/gone.jpg", "b.db.txt", "gone.txt"] {
        try db.execute(sql: "INSERT INTO n (i) VALUES (?)", arguments: ["\(Self.group)/\(name)"])
      }
      try db.execute(sql: "INSERT INTO n (o) VALUES (?)", arguments: ["\(Self.device)/Documents/a"])
    }
    let found = try copy.doctor("--json")
    #expect(
      try found.findings == [
        "absolute_path Library/n.sqlite n i ×4", "dead_reference Library/n.sqlite n i ×2",
        "absolute_path Library/n.sqlite n o", "unknown_reference Library/n.sqlite n o",
      ])
    let becomes = try found.objects.compactMap { $0["becomes"] as? String }
    #expect(becomes.contains("@app-group:group.org.example.notes/files/a.jpg"))
  }

  /// GRDB's `synchronize(withTable:)` has made these triggers, so advice to use it does not help.
  @Test func aUserOfGRDBGetsAdviceToFollow() throws {
    try copy.database("Documents/a.sqlite") { db in
      try db.execute(
        sql: """
          CREATE TABLE "my books" (id INTEGER PRIMARY KEY, title TEXT);
          CREATE VIRTUAL TABLE book_ft USING fts5(title, content='my books', content_rowid='id');
          CREATE TRIGGER "__book_ft_ai" AFTER INSERT ON "my books" BEGIN
            INSERT INTO "book_ft"("rowid", "title") VALUES (new."id", new."title"); END;
          CREATE TRIGGER "__book_ft_ad" AFTER DELETE ON "my books" BEGIN
            INSERT INTO "book_ft"("book_ft", "rowid", "title")
              VALUES('delete', old."id", old."title"); END;
          CREATE TRIGGER "__book_ft_au" AFTER UPDATE ON "my books" BEGIN
            INSERT INTO "book_ft"("book_ft", "rowid", "title")
              VALUES('delete', old."id", old."title");
            INSERT INTO "book_ft"("rowid", "title") VALUES (new."id", new."title"); END
          """)
    }
    let found = try copy.doctor("--json")
    #expect(
      try found.findings == ["search_triggers_miss_replace Documents/a.sqlite book_ft"])
    let advice = try #require(try found.objects.first?["advice"] as? String)
    #expect(
      advice
        == "Run 'PRAGMA recursive_triggers = ON' in prepareDatabase of GRDB's Configuration, or "
        + "write to 'my books' with upsert instead of the conflict policy .replace; then run INSERT "
        + "INTO \"book_ft\"(\"book_ft\") VALUES('rebuild').")
  }

  // MARK: - What only others can read

  private func appDatabase(_ path: String, _ sql: String) throws {
    let shout = DatabaseFunction("shout", argumentCount: 1, pure: true) { values in
      String.fromDatabaseValue(values[0])?.uppercased()
    }
    let mine = DatabaseCollation("mine") { left, right in
      left < right ? .orderedAscending : left == right ? .orderedSame : .orderedDescending
    }
    var configuration = Configuration()
    configuration.prepareDatabase { db in
      db.add(function: shout)
      db.add(collation: mine)
    }
    let queue = try DatabaseQueue(
      path: copy.url(path).path(percentEncoded: false), configuration: configuration)
    try queue.write { try $0.execute(sql: sql) }
    try queue.close()
  }

  /// An index that only the app can read hides no damage, and is none.
  @Test func whatTheAppAloneCanReadIsNoDamageAndHidesNone() throws {
    let schema = """
      CREATE TABLE t (a INTEGER, b TEXT, c TEXT CHECK (length(shout(c)) < 9));
      CREATE INDEX app ON t (shout(b));
      CREATE INDEX order_of_app ON t (b COLLATE mine);
      CREATE INDEX own ON t (a);
      INSERT INTO t VALUES (1, 'x', 'x'), (2, 'y', 'y'), (3, 'z', 'z');
      """
    try appDatabase("Documents/sound.sqlite", schema)
    try appDatabase(
      "Documents/damaged.sqlite",
      schema + """
        PRAGMA writable_schema = ON;
        UPDATE sqlite_schema SET sql = 'CREATE INDEX own ON t (a DESC)' WHERE name = 'own'
        """)
    let found = try copy.doctor("--json")
    let files = ["sound", "damaged"].map { "Documents/\($0).sqlite" }
    var expected = Set(
      files.flatMap { file in
        ["t", "t app", "t order_of_app"].map { "not_examined \(file) \($0)" }
      })
    expected.insert("damaged_database Documents/damaged.sqlite")
    #expect(Set(try found.findings.map { $0.replacing(/\s×\d+$/, with: "") }) == expected)
    let text = try found.objects.map { $0["reason"] as? String ?? "" }.joined()
    #expect(text.contains("function: shout"))
    #expect(text.contains("no such collation sequence: mine"))
  }

  @Test func aSchemaOfAnotherEngineIsNotExaminedAndTheRestIs() throws {
    try copy.database("Documents/turso.sqlite") { db in
      try db.execute(
        sql: """
          CREATE TABLE t (a INTEGER, b TEXT);
          INSERT INTO t VALUES (1, '\(Self.device)/Documents/gone');
          PRAGMA writable_schema = ON;
          INSERT INTO sqlite_schema VALUES ('index', 'ft', 't', 0, 'CREATE INDEX ft ON t USING fts (b)')
          """)
    }
    let found = try copy.doctor("--json")
    #expect(
      try found.findings == [
        "not_examined Documents/turso.sqlite t ft", "absolute_path Documents/turso.sqlite t b",
        "dead_reference Documents/turso.sqlite t b",
      ])
    let path = copy.url("Documents/turso.sqlite").path(percentEncoded: false)
    let checked = try ToolProcess.run("db", "check", path, "--json")
    #expect(checked.status == 0)
    let warnings = try #require(try checked.objects.first?["warnings"] as? [String])
    #expect(
      warnings == [
        "the index 'ft' of 't' was not examined: near \"USING\": syntax error"
      ])
  }

  /// With a type of its own, Turso makes a table whose primary key has no index.
  @Test func aTableOfAnotherEngineWithoutAnIndexIsNoDamage() throws {
    try copy.database("Documents/turso.sqlite") { db in
      try db.execute(
        sql: """
          CREATE TABLE __turso_internal_types (name TEXT PRIMARY KEY, sql TEXT);
          CREATE TABLE price (a TEXT);
          CREATE TABLE t (a TEXT);
          INSERT INTO t VALUES ('\(Self.device)/Documents/gone');
          PRAGMA writable_schema = ON;
          DELETE FROM sqlite_schema WHERE type = 'index';
          UPDATE sqlite_schema SET sql = 'CREATE TABLE price (a cents) STRICT' WHERE name = 'price'
          """)
    }
    #expect(
      try copy.doctor("--json").findings == [
        "not_examined Documents/turso.sqlite __turso_internal_types __turso_internal_types",
        "not_examined Documents/turso.sqlite price price",
        "absolute_path Documents/turso.sqlite t a", "dead_reference Documents/turso.sqlite t a",
      ])
    let path = copy.url("Documents/turso.sqlite").path(percentEncoded: false)
    #expect(try ToolProcess.run("db", "check", path).status == 0)
  }

  /// JSON5 is JSON from SQLite 3.42 on.
  @Test func jsonOfANewerVersionIsNoDamage() throws {
    try copy.database("Documents/a.sqlite") { db in
      try db.execute(
        sql: """
          CREATE TABLE e (p TEXT);
          INSERT INTO e VALUES ('{"k": 1}'), ('{"k": 2}');
          CREATE INDEX k ON e (json_extract(p, '$.k'));
          PRAGMA writable_schema = ON;
          UPDATE sqlite_schema SET sql = 'CREATE INDEX k ON e (json_extract(p || ''{'', ''$.k''))'
            WHERE name = 'k'
          """)
    }
    let found = try copy.doctor("--json")
    #expect(try found.findings == ["not_examined Documents/a.sqlite e k"])
    #expect(found.status == 0)
  }

  /// SQLite neither checks nor reads a CHECK constraint on a connection that cannot write.
  @Test func rowsThatBreakAConstraintAreNoDamage() throws {
    try copy.database("Documents/a.sqlite") { db in
      try db.execute(
        sql: """
          CREATE TABLE "a b" (n CHECK (n > 0), m);
          CREATE TABLE c (k, l);
          PRAGMA ignore_check_constraints = ON;
          INSERT INTO "a b" VALUES (-1, 1), (0, 2), (1, 3);
          INSERT INTO c VALUES (NULL, 1);
          PRAGMA writable_schema = ON;
          UPDATE sqlite_schema SET sql = 'CREATE TABLE c (k NOT NULL, l)' WHERE name = 'c'
          """)
    }
    let found = try copy.doctor("--json")
    #expect(
      try found.findings == [
        "broken_constraint Documents/a.sqlite a b ×2", "broken_constraint Documents/a.sqlite c k",
      ])
    #expect(try found.objects.allSatisfy { !"\($0["advice"] ?? "")".contains("backup") })
    let path = copy.url("Documents/a.sqlite").path(percentEncoded: false)
    let before = try Data(contentsOf: copy.url("Documents/a.sqlite"))
    let checked = try ToolProcess.run("db", "check", path)
    #expect(checked.status == 1)
    #expect(checked.output.contains("2 rows of 'a b' break a CHECK constraint"))
    #expect(checked.output.contains("1 row of 'c' breaks the constraint that 'k' is not NULL"))
    #expect(try Data(contentsOf: copy.url("Documents/a.sqlite")) == before)
  }

  /// Newer versions take other numbers of arguments.
  @Test func aConstraintOfAnotherVersionIsNoDamage() throws {
    try copy.database("Documents/a.sqlite") { db in
      try db.execute(
        sql: """
          CREATE TABLE t (a);
          CREATE TABLE u (a UNIQUE);
          INSERT INTO u VALUES (1);
          PRAGMA writable_schema = ON;
          UPDATE sqlite_schema SET sql = 'CREATE TABLE t (a, CHECK (abs(a, a)))' WHERE name = 't'
          """)
    }
    let found = try copy.doctor("--json")
    #expect(try found.findings == ["not_examined Documents/a.sqlite t"])
    #expect(found.status == 0)
    let path = copy.url("Documents/a.sqlite").path(percentEncoded: false)
    let checked = try ToolProcess.run("db", "check", path)
    #expect(checked.status == 0)
    #expect(checked.output.contains("wrong number of arguments to function abs()"))
  }

  // MARK: - Versions of SQLite

  @Test func anIndexOfAnotherVersionIsReindexedAndNotRestored() throws {
    for (name, expression) in [("same", "round(x, 1)"), ("other", "round(x, 2)")] {
      try copy.database("Documents/\(name).sqlite") { db in
        try db.execute(
          sql: """
            CREATE TABLE t (x REAL);
            INSERT INTO t VALUES (1.25), (2.75);
            CREATE INDEX i ON t (round(x, 1));
            PRAGMA writable_schema = ON;
            UPDATE sqlite_schema SET sql = 'CREATE INDEX i ON t (\(expression))' WHERE name = 'i'
            """)
      }
    }
    let found = try copy.doctor("--json")
    #expect(
      try found.findings == [
        "version_dependent_expression Documents/same.sqlite t i",
        "stale_index Documents/other.sqlite t i ×2",
      ])
    let advice = try found.objects.compactMap { $0["advice"] as? String }
    #expect(advice.contains { $0.contains("run REINDEX main.\"i\" with") })
    let path = copy.url("Documents/other.sqlite").path(percentEncoded: false)
    let checked = try ToolProcess.run("db", "check", path)
    #expect(checked.status == 1)
    #expect(checked.output.contains("REINDEX it"))
  }

  /// Functions of texts and dates differ too, and a build may have its own.
  @Test(arguments: [("datetime(a)", "date(a)"), ("lower(a)", "upper(a)"), ("a || 'b'", "a || 'c'")])
  func anIndexOfAnotherBuildIsReindexedAndNotRestored(own: String, other: String) throws {
    try copy.database("Documents/a.sqlite") { db in
      try db.execute(
        sql: """
          CREATE TABLE t (a TEXT);
          INSERT INTO t VALUES ('noon'), ('2024-02-03 10:20:30.9999');
          CREATE INDEX i ON t (\(own));
          PRAGMA writable_schema = ON;
          """)
      try db.execute(
        sql: "UPDATE sqlite_schema SET sql = ? WHERE name = 'i'",
        arguments: ["CREATE INDEX i ON t (\(other))"])
    }
    let found = try copy.doctor("--json").findings
    #expect(found.count == 1)
    #expect(found.first?.hasPrefix("stale_index Documents/a.sqlite t i") == true)
  }

  /// Another version computes other entries of a whole index, but as many as there are rows.
  @Test func anIndexWithEntriesOfLostRowsIsDamage() throws {
    try copy.database("Documents/a.sqlite") { db in
      try db.execute(
        sql: """
          CREATE TABLE t (a TEXT); CREATE INDEX i ON t (lower(a));
          INSERT INTO t VALUES ('A'), ('B'), ('C');
          CREATE TEMP TABLE kept AS SELECT * FROM main.sqlite_schema WHERE name = 'i';
          PRAGMA writable_schema = ON;
          DELETE FROM main.sqlite_schema WHERE name = 'i';
          PRAGMA writable_schema = RESET;
          DELETE FROM t WHERE a > 'A';
          PRAGMA writable_schema = ON;
          INSERT INTO main.sqlite_schema SELECT * FROM kept
          """)
    }
    #expect(try copy.doctor("--json").findings == ["damaged_database Documents/a.sqlite"])
  }

  /// Of a table with such a constraint SQLite computes no generated column either.
  @Test func anIndexOfATableThatIsNotReadAsAWholeIsNoDamage() throws {
    try copy.database("Documents/a.sqlite") { db in
      try db.execute(
        sql: """
          CREATE TABLE t (a, b AS (a || 'x'), CHECK (length(a) < 9));
          CREATE INDEX i ON t (b);
          INSERT INTO t VALUES ('b');
          PRAGMA writable_schema = ON;
          UPDATE sqlite_schema SET sql = replace(sql, 'length(a)', 'length(a, a)') WHERE name = 't'
          """)
    }
    let found = try copy.doctor("--json")
    #expect(try found.findings == ["not_examined Documents/a.sqlite t"])
    #expect(found.status == 0)
  }

  /// A generated column that is not stored has values in indexes only.
  @Test func anIndexOfAColumnOfAnotherVersionIsReindexedAndNotRestored() throws {
    try copy.database("Documents/a.sqlite") { db in
      try db.execute(
        sql: """
          CREATE TABLE t (
            x REAL, g AS (round(x, 1)), h AS ("G" + 1), u AS (round(x, 1)) UNIQUE,
            s AS (round(x, 1)) STORED, k AS (s + 1));
          INSERT INTO t VALUES (1.25), (2.75);
          CREATE INDEX ig ON t (g);
          CREATE INDEX ih ON t (h DESC);
          CREATE INDEX ie ON t (abs(g));
          CREATE INDEX part ON t (x) WHERE g < 2.8;
          CREATE INDEX "is" ON t (s, k);
          PRAGMA writable_schema = ON;
          UPDATE sqlite_schema SET sql = replace(sql, 'round(x, 1)', 'round(x, 2)') WHERE name = 't'
          """)
    }
    let found = try copy.doctor("--json")
    let indexes = ["ig ×2", "ih ×2", "ie ×2", "part ×2", "sqlite_autoindex_t_1 ×2"]
    #expect(
      try found.findings
        == Set(
          indexes.map { "stale_index Documents/a.sqlite t \($0)" }
            + ["g", "u", "s"].map { "version_dependent_expression Documents/a.sqlite t \($0)" }))
    let path = copy.url("Documents/a.sqlite").path(percentEncoded: false)
    let checked = try ToolProcess.run("db", "check", path, "--json")
    let problems = try #require(try checked.objects.first?["problems"] as? [String])
    #expect(problems.count == 5 && problems.allSatisfy { $0.contains("REINDEX it") })
  }
}
