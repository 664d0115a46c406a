import Foundation
import Holdfast
import HoldfastFiles
import HoldfastLedger
import HoldfastTestSupport
import Testing

@testable import HoldfastTool

/// `holdfast files` on containers as they are copied from a device.
@Suite struct FilesTests {
  static let table = """
    CREATE TABLE local_audio_file_downloads (
      audio_file_id TEXT PRIMARY KEY,
      is_downloaded BOOLEAN NOT NULL DEFAULT TRUE,
      download_path TEXT NOT NULL,
      downloaded_at TIMESTAMP NOT NULL,
      updated_at TIMESTAMP NOT NULL
    );
    """

  static let database = "Library/Application Support/app.sqlite"

  private func insert(_ id: String, _ path: String, isDownloaded: Bool = true) -> String {
    "INSERT INTO local_audio_file_downloads VALUES ('\(id)', \(isDownloaded ? 1 : 0), '\(path)', 1, 1);"
  }

  /// A container that has moved: one path is relative, one absolute, two files are elsewhere or gone.
  private func moved(
    _ name: String = "Copy", layout: String = "", isLogged: Bool = true
  ) throws -> ContainerCopy {
    let copy = try ContainerCopy(name, layout: layout)
    try copy.write("one", to: "Library/Caches/downloads/li_1/one.m4b")
    try copy.write("two", to: "Documents/downloads/li_1/two é.m4b")
    try copy.write("three", to: "Documents/downloads/li_2/three.m4b")
    let rows = [
      insert("1", "downloads/li_1/one.m4b"),
      insert("2", "\(ContainerCopy.device)/Documents/downloads/li_1/two é.m4b"),
      insert("3", "C:downloads/li_2/three.m4b"),
      insert("4", "downloads/li_2/four.m4b"),
      insert("5", "", isDownloaded: false),
    ]
    try copy.database(Self.database, isLogged: isLogged) { db in
      try db.execute(sql: Self.table + rows.joined())
    }
    return copy
  }

  private func run(_ copy: ContainerCopy, _ verb: String, _ words: String...) throws
    -> ToolProcess.Result
  {
    try ToolProcess.run(
      words: ["files", verb, copy.folder.lastPathComponent] + words, in: copy.directory.url)
  }

  /// Runs a verb that must change nothing, as is checked.
  private func read(
    _ copy: ContainerCopy, _ verb: String, _ words: String...,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> ToolProcess.Result {
    let before = try copy.state()
    let result = try ToolProcess.run(
      words: ["files", verb, copy.folder.lastPathComponent] + words, in: copy.directory.url)
    #expect(try copy.state() == before, sourceLocation: sourceLocation)
    return result
  }

  private func lines(_ result: ToolProcess.Result, _ keys: String...) throws -> [String] {
    try result.objects.map { object in
      keys.map { key in
        switch object[key] {
        case let text as String: text
        case let number as Int: "\(number)"
        default: "-"
        }
      }.joined(separator: " ")
    }.sorted()
  }

  // MARK: - Status

  @Test(arguments: [("Copy", ""), ("Old.xcappdata", "AppData"), ("Mac", "Data")])
  func statusSaysOfEachRecordWhetherItsFileIsThere(name: String, layout: String) throws {
    let copy = try moved(name, layout: layout)
    let status = try read(copy, "status", "--json")
    #expect(status.errors == "")
    #expect(status.status == 1)
    #expect(status.keys == ["table", "id", "answer", "path", "state", "stored"])
    #expect(
      try lines(status, "table", "id", "answer", "path", "state") == [
        "local_audio_file_downloads 1 present @caches/downloads/li_1/one.m4b recorded",
        "local_audio_file_downloads 2 present @documents/downloads/li_1/two é.m4b recorded",
        "local_audio_file_downloads 3 absent @caches/downloads/li_2/three.m4b recorded",
        "local_audio_file_downloads 4 absent @caches/downloads/li_2/four.m4b recorded",
        "local_audio_file_downloads 5 unknown - withdrawn",
      ])
    let people = try read(copy, "status")
    #expect(people.output.hasPrefix("id  answer   path\n1   present  @caches/downloads/"))
    #expect(
      people.complaint == [
        "5 records: 2 present, 2 absent, 1 unknown; 1 not recorded as downloaded.",
        "1 stored path is absolute; 'holdfast files repair' makes it relative.",
      ])
  }

  @Test func aPathRelativeToTheHomeFolderIsReadInTheLibrary() throws {
    let copy = try ContainerCopy()
    try copy.write("x", to: "Documents/episodes/1.mp3")
    try copy.database("Library/p.sqlite") { db in
      try db.execute(
        sql: """
          CREATE TABLE ep (id INTEGER PRIMARY KEY, p TEXT);
          INSERT INTO ep VALUES (1, 'Documents/episodes/1.mp3'),
            (2, 'Library/com.apple.UserManagedAssets.Q/E.movpkg')
          """)
    }
    let status = try read(
      copy, "status", "--table", "ep", "--path-column", "p", "--dialect", "Documents/=documents",
      "--json")
    #expect(
      try lines(status, "id", "answer", "path") == [
        "1 present @documents/episodes/1.mp3",
        "2 absent @library/com.apple.UserManagedAssets.Q/E.movpkg",
      ])
  }

  @Test func aContainerWithAllFilesHasNoProblem() throws {
    let copy = try ContainerCopy()
    try copy.write("one", to: "Library/Caches/downloads/one.m4b")
    try copy.database(Self.database) { db in
      try db.execute(sql: Self.table + insert("1", "downloads/one.m4b"))
    }
    let status = try read(copy, "status")
    #expect(status.status == 0)
    #expect(status.complaint == ["1 record: 1 present."])
    #expect(try read(copy, "verify").status == 0)
    #expect(try read(copy, "orphans").status == 0)
    #expect(try read(copy, "repair", "--dry-run").status == 0)
  }

  @Test func severalKnownTablesAreAllRead() throws {
    let copy = try moved()
    let queue = try DatabaseQueue(path: copy.url(Self.database).path)
    try queue.write { db in
      try db.execute(
        sql: """
          CREATE TABLE local_cover_cache (media_id TEXT PRIMARY KEY, local_cover_url TEXT,
            storage_location TEXT);
          INSERT INTO local_cover_cache VALUES ('c', 'downloads/li_2/three.m4b', 'documents'),
            ('r', 'https://example.org/c.jpg', NULL)
          """)
    }
    try queue.close()
    let status = try read(copy, "status", "--json")
    #expect(
      try lines(status, "table", "id", "answer").suffix(2) == [
        "local_cover_cache c present", "local_cover_cache r unknown",
      ])
    #expect(try read(copy, "status").output.hasPrefix("table "))
    #expect(try lines(read(copy, "orphans", "--json"), "path") == [])
    let one = try read(copy, "status", "--table", "LOCAL_COVER_CACHE", "--json")
    #expect(one.status == 0)
    #expect(try one.objects.count == 2)
  }

  @Test func aLogOfAnOpenDatabaseIsReadFromACopy() throws {
    let copy = try ContainerCopy()
    try copy.write("one", to: "Library/Caches/downloads/one.m4b")
    try copy.copyOpen(
      "Documents/open.sqlite", suffixes: ["-wal"], journalMode: "WAL",
      Self.table + insert("1", "downloads/one.m4b"))
    let status = try read(copy, "status", "--json")
    #expect(status.status == 0, "\(status.errors)")
    #expect(try lines(status, "id", "answer") == ["1 present"])
  }

  // MARK: - Adoption and repair

  @Test(arguments: [true, false])
  func aRepairChangesWhatTheDryRunShowed(isLogged: Bool) throws {
    let copy = try moved(isLogged: isLogged)
    let shown = try read(copy, "repair", "--dry-run", "--json")
    #expect(shown.status == 0)
    #expect(
      shown.keys == [
        "table", "id", "answer", "action", "from", "to", "location", "found_by", "problem",
      ])
    let changes = [
      "2 present rewritten D:downloads/li_1/two é.m4b -",
      "3 present repaired D:downloads/li_2/three.m4b other_root", "4 absent cleared - -",
    ]
    #expect(try lines(shown, "id", "answer", "action", "to", "found_by") == changes)
    let names = try FileManager.default.subpathsOfDirectory(atPath: copy.folder.path)

    let dryAdoption = try read(copy, "adopt", "--dry-run", "--json")
    let adopted = try run(copy, "adopt", "--json")
    #expect(adopted.output == dryAdoption.output)
    #expect(
      adopted.output == """
        {"database":"Copy/\(Self.database)","table":"local_audio_file_downloads","records":5,\
        "absolute":1,"changed":true,"digests":null}

        """)
    #expect(try run(copy, "adopt", "--json").output.contains("\"changed\":false"))
    let adoptedQueue = try DatabaseQueue(path: copy.url(Self.database).path)
    #expect(try adoptedQueue.read { try $0.versionDependentExpressions() } == [])
    try adoptedQueue.close()

    let repaired = try run(copy, "repair", "--json")
    #expect(repaired.status == 0)
    #expect(repaired.output == shown.output)
    // Neither a log nor a journal stays.
    #expect(try FileManager.default.subpathsOfDirectory(atPath: copy.folder.path) == names)

    let again = try run(copy, "repair")
    #expect(again.output == "")
    #expect(
      again.complaint == [
        "No changes found.", "3 records examined: all are as they should be.",
      ])
    let status = try read(copy, "status", "--json")
    #expect(status.status == 0)
    #expect(
      try lines(status, "id", "answer", "state", "stored") == [
        "1 present recorded downloads/li_1/one.m4b",
        "2 present recorded D:downloads/li_1/two é.m4b",
        "3 present recorded D:downloads/li_2/three.m4b",
        "4 absent cleared downloads/li_2/four.m4b", "5 unknown withdrawn ",
      ])
  }

  @Test func anAdoptionWithDigestsLetsARepairFindARenamedFile() throws {
    let copy = try moved()
    let shown = try read(copy, "adopt", "--digests", "--dry-run", "--json")
    let adopted = try run(copy, "adopt", "--digests", "--json")
    #expect(adopted.status == 0)
    #expect(adopted.output == shown.output)
    #expect(try lines(adopted, "table", "digests") == ["local_audio_file_downloads 2"])
    // Only the new ones are read.
    #expect(try lines(run(copy, "adopt", "--digests", "--json"), "digests") == ["0"])
    #expect(try run(copy, "verify", "--json").output.contains(#""matches":true"#))
    try FileManager.default.createDirectory(
      at: copy.url("Documents/moved"), withIntermediateDirectories: true)
    try FileManager.default.moveItem(
      at: copy.url("Library/Caches/downloads/li_1/one.m4b"), to: copy.url("Documents/moved/1"))
    let repaired = try run(copy, "repair", "--json")
    #expect(
      try lines(repaired, "id", "action", "to", "found_by").first
        == "1 repaired D:moved/1 identity")
    #expect(try run(copy, "adopt", "--digests").output.contains("digests"))
    #expect(try !run(copy, "adopt").output.contains("digests"))
  }

  @Test func aFileThatIsNotReadForItsDigestIsReported() throws {
    let copy = try ContainerCopy()
    try copy.database("Documents/book.db") { db in try db.execute(sql: "CREATE TABLE t (x)") }
    try copy.database(Self.database) { db in
      try db.execute(sql: Self.table + insert("1", "D:book.db"))
    }
    let adopted = try run(copy, "adopt", "--digests")
    #expect(adopted.status == 1)
    #expect(adopted.complaint.count == 2)
    #expect(adopted.complaint.first?.hasPrefix("Not read: 1: ") == true)
  }

  @Test func aRepairWithoutAdoptionIsRefused() throws {
    let copy = try moved(isLogged: false)
    let refused = try read(copy, "repair")
    #expect(refused.status == 65)
    #expect(
      refused.complaint == [
        "The table 'local_audio_file_downloads' is not adopted by a ledger.",
        "Run 'holdfast files adopt' first, or only look with --dry-run.",
      ])
  }

  @Test func whatCannotBeJudgedIsNotClearedAndReported() throws {
    let copy = try moved()
    #expect(try run(copy, "adopt").status == 0)
    try FileManager.default.removeItem(at: copy.url("Library/Caches"))
    let repaired = try run(copy, "repair")
    #expect(repaired.status == 1)
    #expect(repaired.complaint.count == 4)
    #expect(repaired.complaint.first?.hasPrefix("Not judged: 3: ") == true)
    #expect(repaired.complaint.last == "4 records examined: 1 rewritten, 3 not judged.")
    #expect(try lines(run(copy, "status", "--json"), "id", "state").contains("4 recorded"))
  }

  // MARK: - Other tables

  @Test func aTableIsDescribedByOptions() throws {
    let copy = try ContainerCopy()
    try copy.write("x", to: "Documents/maps/a.bin")
    try copy.database("Documents/other.db") { db in
      try db.execute(
        sql: """
          CREATE TABLE "my map" (part INTEGER, key TEXT, file TEXT, PRIMARY KEY (part, key));
          INSERT INTO "my map" VALUES (1, 'a', '\(ContainerCopy.device)/Documents/maps/a.bin')
          """)
    }
    let table = ["--table", "my map", "--path-column", "FILE"]
    func files(_ verb: String, _ more: String...) throws -> ToolProcess.Result {
      try ToolProcess.run(
        words: ["files", verb, "Copy", "--json"] + table + more, in: copy.directory.url)
    }
    let status = try files("status")
    #expect(status.status == 1)
    #expect(status.output.contains(#""id":[1,"a"],"answer":"present""#))
    for verb in ["adopt", "repair"] {
      let refused = try files(verb, "--dry-run")
      #expect(refused.status == 64)
      #expect(refused.errors.contains("no dialect is named"))
      #expect(refused.errors.contains("Add --dialect"))
    }
    #expect(try files("repair", "--dialect", "caches").status == 65)
    #expect(try files("adopt", "--dialect", "documents").status == 0)
    // Adopted before, but without a dialect no absolute path is rewritten.
    #expect(try files("repair").status == 64)
    let repaired = try files("repair", "--dialect", "documents", "--id-column", "part,key")
    #expect(try lines(repaired, "action", "to") == ["rewritten maps/a.bin"])
    #expect(try files("status", "--dialect", "documents").status == 0)
  }

  /// SQLite makes no index on a virtual table.
  @Test(arguments: [
    ("CREATE VIRTUAL TABLE own USING fts5(id, path)", "in a table that is not virtual"),
    ("CREATE TABLE own (id, path)", "create a unique index"),
  ]) func aTableWithoutAKeyIsRefused(table: String, advice: String) throws {
    let copy = try ContainerCopy()
    try copy.database("Documents/own.db") { db in try db.execute(sql: table) }
    let refused = try ToolProcess.run(
      words: ["files", "status", "Copy", "--table", "own", "--path-column", "path"]
        + ["--id-column", "id", "--database", "Copy/Documents/own.db"],
      in: copy.directory.url)
    #expect(refused.errors.contains(advice), "\(refused.errors)")
  }

  @Test func aTableOfTheLedgersOwnIsRecognized() throws {
    let copy = try ContainerCopy()
    try copy.write("x", to: "Documents/a.bin")
    try copy.database("Documents/own.db") { db in
      let ledger = FileLedger(
        try DatabaseQueue(), container: Container(at: copy.root), table: .own("mine"))
      try ledger.adopt(db)
      try ledger.record(db, "a", at: RelocatablePath(.documents, "a.bin"))
    }
    let status = try read(copy, "status", "--json")
    #expect(status.status == 0)
    #expect(try lines(status, "table", "id", "path") == ["mine a @documents/a.bin"])
  }

  @Test(arguments: [
    ("text", PathDialect.text), ("documents-and-caches", .documentsAndCaches),
    ("audiobooks", .documentsAndCaches), ("caches", .relative(to: .caches)),
    ("D:=documents,C:=caches", .tagged(["D:": .documents, "C:": .caches])),
    ("a=b=documents,caches", .tagged(["a=b": .documents], bareRoot: .caches)),
    ("app-group:group.a", .relative(to: .appGroup("group.a"))),
  ])
  func dialectsHaveNames(name: String, dialect: PathDialect) {
    #expect(PathDialect(name: name) == dialect)
  }

  @Test(arguments: ["", "documents,caches", "=documents", "D:=nowhere", "D:=caches,D:=caches", ","])
  func otherNamesAreNoDialects(name: String) {
    #expect(PathDialect(name: name) == nil)
  }

  // MARK: - Verification

  @Test func aFileIsComparedWithItsRecord() throws {
    let copy = try ContainerCopy()
    let path = "Documents/downloads/"
    let names = ["equal", "other", "longer", "gone"]
    for name in names { try copy.write("12345678", to: "\(path)\(name).bin") }
    let queue = try DatabaseQueue(path: copy.url("Documents/own.db").path)
    let ledger = FileLedger(queue, container: Container(at: copy.root), table: .own())
    try queue.write { db in
      try ledger.adopt(db)
      for name in names + ["plain"] {
        let file = try RelocatablePath(.documents, "downloads", "\(name).bin")
        if name == "plain" { try copy.write("12345678", to: "\(path)plain.bin") }
        try ledger.record(
          db, RecordID(name), at: file,
          digest: name == "plain" ? nil : FileDigest(of: copy.url("\(path)\(name).bin")))
      }
    }
    try queue.close()
    try copy.write("1234567X", to: "\(path)other.bin")
    try copy.write("123456789", to: "\(path)longer.bin")
    try FileManager.default.removeItem(at: copy.url("\(path)gone.bin"))

    let verified = try read(copy, "verify", "--json")
    #expect(verified.status == 1)
    // The keys of the digests contain digits.
    #expect(
      verified.keys == [
        "table", "id", "answer", "matches", "bytes", "actual_bytes", "path", "problem",
      ])
    #expect(
      try lines(verified, "id", "answer", "bytes", "actual_bytes") == [
        "equal present 8 8", "gone absent 8 -", "longer present 8 9", "other present 8 8",
        "plain present - 8",
      ])
    let matches = verified.output.matches(of: /"id":"(\w+)".*?"matches":(\w+)/)
    #expect(
      matches.map { "\($0.1) \($0.2)" }.sorted() == [
        "equal true", "gone null", "longer false", "other false", "plain null",
      ])
    #expect(verified.output.matches(of: /"actual_sha256":"[0-9a-f]{64}"/).count == 2)
    let people = try read(copy, "verify")
    #expect(
      people.complaint == [
        "5 files: 1 equal, 2 different, 1 absent, 1 without a recorded digest."
      ])
  }

  // MARK: - Orphans

  @Test func filesWithoutARecordAreListedAndStay() throws {
    let copy = try moved()
    try copy.write("lost", to: "Documents/downloads/li_9/lost.m4b")
    try copy.write("cover", to: "Library/Caches/covers/c.jpg")
    try copy.database("Documents/downloads/inner.sqlite") {
      try $0.execute(sql: "CREATE TABLE t (a)")
    }
    let orphans = try read(copy, "orphans", "--json")
    #expect(orphans.status == 1)
    #expect(orphans.errors == "")
    #expect(orphans.keys == ["path", "file", "bytes", "item_folder"])
    #expect(
      try lines(orphans, "path", "file", "bytes", "item_folder") == [
        "@documents/downloads/li_2/three.m4b Documents/downloads/li_2/three.m4b 5 li_2",
        "@documents/downloads/li_9/lost.m4b Documents/downloads/li_9/lost.m4b 4 li_9",
      ])
    let people = try read(copy, "orphans")
    #expect(
      people.complaint == [
        "Not judged: 1 of databases.",
        "2 orphans, 9 bytes; searched: @caches/downloads, @documents/downloads.",
      ])
    let covers = try read(copy, "orphans", "--under", "@caches/covers", "--json")
    #expect(try lines(covers, "file") == ["Library/Caches/covers/c.jpg"])
  }

  // MARK: - Refusals

  /// SQLite would put 65,536 statements in place of the trigger's one, before it makes a step.
  @Test func aTriggerThatDoublesItsExpressionsIsRefused() throws {
    let copy = try moved()
    let expressions = (1...16).map { "e\($0) (a) AS (SELECT x.a FROM e\($0 - 1) x, e\($0 - 1) y)" }
    try copy.database(Self.database) { db in
      try db.execute(
        sql: """
          CREATE TRIGGER doubling AFTER UPDATE ON local_audio_file_downloads BEGIN SELECT (
            SELECT a FROM (WITH e0 (a) AS (SELECT 1), \(expressions.joined(separator: ", "))
            SELECT a FROM e16)); END
          """)
    }
    let result = try read(copy, "repair", "--dry-run", "--dialect", "documents")
    #expect(result.status == 65 && result.errors.contains("common table expressions"))
  }

  private func expectRefusal(
    _ words: [String], in copy: ContainerCopy, _ code: Int32, _ lines: [String],
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let before = try copy.state()
    for verb in ["status", "repair", "adopt", "orphans", "verify"] {
      let refused = try ToolProcess.run(
        words: ["files", verb] + words, in: copy.directory.url)
      #expect(refused.status == code, "\(verb)", sourceLocation: sourceLocation)
      #expect(refused.output == "", "\(verb)", sourceLocation: sourceLocation)
      #expect(refused.complaint == lines, "\(verb)", sourceLocation: sourceLocation)
    }
    #expect(try copy.state() == before, sourceLocation: sourceLocation)
  }

  @Test func whatCannotBeWorkedOnIsNamed() throws {
    let copy = try ContainerCopy()
    try expectRefusal(
      ["nowhere"], in: copy, 66,
      ["There is no folder 'nowhere'.", "Check the path; it is relative to the current folder."])
    try expectRefusal(
      ["Copy"], in: copy, 66,
      [
        "'Copy' contains no SQLite database.",
        "Name the database with --database, and its table with --table and --path-column.",
      ])
    try copy.database("Documents/a.db") {
      try $0.execute(
        sql: "CREATE TABLE t (id INTEGER PRIMARY KEY, p); CREATE VIEW shown AS SELECT * FROM t")
    }
    try expectRefusal(
      ["Copy"], in: copy, 66,
      [
        "No database in 'Copy' has a known table.",
        "Name the database with --database, and its table with --table and --path-column.",
      ])
    try expectRefusal(
      ["Copy", "--database", "Documents/a.db"], in: copy, 64,
      [
        "'Copy/Documents/a.db' has no table of files that is known.",
        "Name it with --table and --path-column, and --dialect if needed.",
      ])
    try expectRefusal(
      ["Copy", "--database", "b.db"], in: copy, 66,
      ["There is no file 'b.db'.", "Check the path; it is relative to the current folder."])
    try expectRefusal(
      ["Copy", "--table", "t"], in: copy, 64,
      [
        "The table 't' is not known, so the column of its paths must be named.",
        "Add --path-column with one of id, p, and --dialect if needed.",
      ])
    try expectRefusal(
      ["Copy", "--table", "t", "--path-column", "q"], in: copy, 64,
      ["The table 't' has no column 'q'.", "Name one of id, p."])
    try expectRefusal(
      ["Copy", "--database", "Documents/a.db", "--table", "Shown", "--path-column", "p"], in: copy,
      64,
      ["'Shown' is a view, and no table.", "Name a table whose rows it shows."])
    try expectRefusal(
      ["Copy", "--path-column", "p"], in: copy, 64,
      ["'--path-column' describes a table, and no table is named.", "Add --table TABLE."])
    try expectRefusal(
      ["Copy/Documents"], in: copy, 66,
      [
        "'Copy/Documents' has no Documents, Library or tmp in it.",
        "Name the folder that contains them, or the .xcappdata.",
      ])
    for name in ["a", "b"] {
      try copy.database("Documents/\(name).db") { try $0.execute(sql: Self.table) }
    }
    try expectRefusal(
      ["Copy"], in: copy, 64,
      [
        "Several databases in 'Copy' have such a table: 'Copy/Documents/a.db', "
          + "'Copy/Documents/b.db'.", "Name one of them with --database.",
      ])
    try copy.write("no database, but long enough to be one", to: "Documents/text.db")
    try expectRefusal(
      ["Copy", "--database", "Copy/Documents/text.db"], in: copy, 65,
      [
        "'Copy/Documents/text.db' is not a SQLite database.",
        "Check the path; a database that is encrypted is read by a tool that was built with "
          + "SQLCipher.",
      ])
  }

  @Test func aDatabaseInUseIsNeitherReadNorChanged() throws {
    let copy = try moved()
    let queue = try DatabaseQueue(path: copy.url(Self.database).path)
    defer { queue.closeIgnoringErrors() }
    try queue.writeWithoutTransaction { db in
      try db.execute(sql: "BEGIN IMMEDIATE")
      for verb in ["status", "adopt"] {
        let refused = try run(copy, verb, "--database", Self.database)
        #expect(refused.status == 69)
        #expect(refused.complaint.first?.hasPrefix("'Copy/\(Self.database)' is in use. ") == true)
      }
      try db.execute(sql: "ROLLBACK")
    }
  }

  @Test func noPrivateCopyStays() throws {
    let copy = try moved()
    let temporary = try TemporaryDirectory()
    for words in [
      ["status"], ["orphans"], ["repair", "--dry-run"], ["repair"], ["status", "--table", "t"],
    ] {
      _ = try ToolProcess.run(
        ToolProcess.executable, ["files", words[0], copy.folder.path] + words.dropFirst(),
        environment: ["TMPDIR": temporary.url.path])
      #expect(try temporary.names == [])
    }
  }
}
