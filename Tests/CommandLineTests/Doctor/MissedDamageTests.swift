import Foundation
import Holdfast
import HoldfastFiles
import HoldfastMaps
import HoldfastTestSupport
import Testing

@testable import HoldfastTool

/// What is broken is not called sound.
@Suite struct MissedDamageTests {
  private static let uuid = StoredPathTests.uuid
  private static let device = StoredPathTests.device

  let copy: ContainerCopy

  init() throws { copy = try ContainerCopy() }

  private func path(_ name: String) -> String { copy.url(name).path(percentEncoded: false) }

  // MARK: - Logs

  /// SQLite replays any log, so a restored database is overlaid by the one that stayed.
  @Test func aLogOfAnotherDatabaseIsAnError() throws {
    for name in ["mode", "size", "life", "own"] {
      try copy.copyOpen(
        "Documents/\(name).sqlite", suffixes: ["-wal", "-shm"], journalMode: "WAL",
        "INSERT INTO t VALUES ('later')")
      if name != "own", name != "life" {
        try FileManager.default.removeItem(at: copy.url("Documents/\(name).sqlite-shm"))
      }
    }
    // The restored database.
    for (name, sql) in [
      ("mode", ""), ("size", "PRAGMA page_size = 8192; PRAGMA journal_mode = WAL;"),
    ] {
      let other = copy.directory.file("\(name).other").path(percentEncoded: false)
      let queue = try DatabaseQueue(path: other)
      try queue.writeWithoutTransaction { db in
        try db.execute(sql: sql + "CREATE TABLE note (body TEXT); INSERT INTO note VALUES ('NEW')")
      }
      try queue.close()
      try Data(contentsOf: URL(filePath: other)).write(to: copy.url("Documents/\(name).sqlite"))
    }
    // The log of an earlier life of the database: the index knows another one.
    var index = try Data(contentsOf: copy.url("Documents/life.sqlite-shm"))
    for place in [36, 48 + 36] { index[place] ^= 1 }
    try index.write(to: copy.url("Documents/life.sqlite-shm"))
    let found = try copy.doctor("--json")
    #expect(
      try found.findings == [
        "foreign_log Documents/mode.sqlite-wal", "foreign_log Documents/size.sqlite-wal",
        "foreign_log Documents/life.sqlite-wal",
      ])
    #expect(found.status == 1)
    let checked = try ToolProcess.run("db", "check", path("Documents/mode.sqlite"))
    #expect(checked.status == 1)
    #expect(checked.output.contains("its log 'mode.sqlite-wal' is not its own"))
  }

  /// A log whose database has more changes than it, and one whose database it made.
  @Test func aLogThatIsOlderThanItsDatabaseIsAnError() throws {
    for name in ["older", "own"] {
      try copy.copyOpen("Documents/\(name).sqlite", suffixes: ["-wal"], journalMode: "WAL")
    }
    let other = copy.directory.file("other").path(percentEncoded: false)
    let queue = try DatabaseQueue(path: other)
    try queue.writeWithoutTransaction { db in
      try db.execute(sql: "CREATE TABLE note (body TEXT)")
      for number in 0..<20 { try db.execute(sql: "CREATE TABLE note\(number) (body TEXT)") }
      try db.execute(sql: "PRAGMA journal_mode = WAL")
    }
    try queue.close()
    try Data(contentsOf: URL(filePath: other)).write(to: copy.url("Documents/older.sqlite"))
    #expect(try copy.doctor("--json").findings == ["foreign_log Documents/older.sqlite-wal"])
    let checked = try ToolProcess.run("db", "check", path("Documents/older.sqlite"))
    #expect(checked.status == 1)
    #expect(checked.output.contains("the database has changed since, without it"))
  }

  /// As where a library deletes a database without its log, and the app makes a new one.
  @Test func `the log of a deleted database is an error under a new one`() throws {
    for (name, table) in [("other", "note"), ("same", "t")] {
      try copy.copyOpen("Documents/\(name).sqlite", suffixes: ["-wal"], journalMode: "WAL")
      let new = copy.directory.file(name).path(percentEncoded: false)
      let queue = try DatabaseQueue(path: new)
      try queue.writeWithoutTransaction { db in
        try db.execute(sql: "PRAGMA journal_mode = WAL; CREATE TABLE \(table) (a TEXT)")
      }
      try queue.close()
      try Data(contentsOf: URL(filePath: new)).write(to: copy.url("Documents/\(name).sqlite"))
    }
    // Nothing shows that a log is not of a database with the same tables.
    #expect(try copy.doctor("--json").findings == ["foreign_log Documents/other.sqlite-wal"])
    let checked = try ToolProcess.run("db", "check", path("Documents/other.sqlite"))
    #expect(checked.status == 1)
    #expect(checked.output.contains("it was made for a database with another schema"))
  }

  /// Makes a database with rows and an index.
  private func makeNotes(_ name: String, rows: Int) throws -> DatabaseQueue {
    let path = copy.directory.file(name).path(percentEncoded: false)
    let queue = try DatabaseQueue(path: path)
    try queue.writeWithoutTransaction { db in
      try db.execute(
        sql: """
          PRAGMA journal_mode = WAL;
          CREATE TABLE note (id INTEGER PRIMARY KEY, body TEXT);
          CREATE INDEX by_body ON note (body);
          INSERT INTO note (body)
          WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(rows))
          SELECT printf('%040d', i) FROM n;
          PRAGMA wal_checkpoint(TRUNCATE);
          """)
    }
    return queue
  }

  /// Makes a database that is sound without the log next to it, and damaged with it.
  private func makeDamagingLog() throws {
    let former = try makeNotes("former", rows: 3000)
    try former.write { db in
      try db.execute(sql: "UPDATE note SET body = 'v' || body WHERE id < 9")
    }
    // In another process: closing a descriptor of the file here would drop SQLite's locks.
    let log = copy.directory.file("former-wal").path(percentEncoded: false)
    try makeNotes("own", rows: 5000).close()
    try FileManager.default.moveItem(
      at: copy.directory.file("own"), to: copy.url("Documents/a.sqlite"))
    let copied = try ToolProcess.run(
      URL(filePath: "/bin/cp"), [log, path("Documents/a.sqlite-wal")])
    try #require(copied.status == 0, "\(copied.errors)")
    try former.close()
  }

  /// As where an app's file was replaced by another user's: nothing in the two files but their rows differs.
  @Test func `a log that damages a sound database is not its own`() throws {
    try makeDamagingLog()
    let found = try copy.doctor("--json")
    #expect(try found.findings == ["foreign_log Documents/a.sqlite-wal"])
    #expect(found.output.contains("sound without it, and damaged with it"))
    let checked = try ToolProcess.run("db", "check", path("Documents/a.sqlite"), "--json")
    #expect(checked.status == 1)
    let problems = try checked.objects.first?["problems"] as? [String]
    #expect(problems?.first?.contains("sound without it, and damaged with it") == true)
    // What is damaged without it too is damaged.
    let bytes = try Data(contentsOf: copy.url("Documents/a.sqlite"))
    let kept = bytes.prefix(20 * 4096)
    try (kept + Data(count: bytes.count - kept.count)).write(to: copy.url("Documents/a.sqlite"))
    #expect(try copy.doctor("--json").findings == ["damaged_database Documents/a.sqlite"])
  }

  /// The copy with the log makes room for the one without it.
  @Test(.enabled(if: SmallVolume.isPossible, "mounting a small tmpfs needs Linux and root"))
  func `a log that damages is found where there is room for one copy`() throws {
    try makeDamagingLog()
    let bytes = try ["", "-wal"].reduce(0) {
      try $0 + Data(contentsOf: copy.url("Documents/a.sqlite" + $1)).count
    }
    let volume = try SmallVolume(
      at: copy.directory.file("volume"), kilobytes: (bytes + bytes / 2) >> 10)
    let found = try ToolProcess.run(
      ToolProcess.executable, ["doctor", copy.folder.lastPathComponent, "--json"],
      environment: ["TMPDIR": volume.url.path], in: copy.directory.url)
    #expect(try found.findings == ["foreign_log Documents/a.sqlite-wal"])
  }

  /// An index whose collation only the app has hides the damage of another one from a check without a copy.
  @Test func `a damaged database with an unknown collation has its own log`() throws {
    let source = copy.directory.file("open").path(percentEncoded: false)
    let target = copy.url("Documents/a.sqlite")
    var configuration = Configuration()
    configuration.prepareDatabase { db in
      db.add(collation: DatabaseCollation("app") { $0.compare($1) })
    }
    let queue = try DatabaseQueue(path: source, configuration: configuration)
    let root = try queue.writeWithoutTransaction { db in
      try db.execute(
        sql: """
          PRAGMA journal_mode = WAL;
          CREATE TABLE t (a TEXT); CREATE INDEX by_app ON t (a COLLATE app);
          CREATE TABLE u (a TEXT); CREATE INDEX by_a ON u (a);
          INSERT INTO u VALUES ('one'), ('two');
          PRAGMA wal_checkpoint(TRUNCATE);
          INSERT INTO t VALUES ('later')
          """)
      for suffix in ["", "-wal"] {
        // In another process: closing a descriptor of the file here would drop SQLite's locks.
        let copied = try ToolProcess.run(
          URL(filePath: "/bin/cp"), [source + suffix, target.path(percentEncoded: false) + suffix])
        try #require(copied.status == 0, "\(copied.errors)")
      }
      return try Int.fetchOne(db, sql: "SELECT rootpage FROM sqlite_schema WHERE name = 'by_a'")
    }
    try queue.close()
    // The index has no entries.
    var bytes = try Data(contentsOf: target)
    let page = (try #require(root) - 1) * 4096
    bytes.replaceSubrange(page + 3..<page + 5, with: [0, 0])
    try bytes.write(to: target)
    let checked = try ToolProcess.run("db", "check", target.path(percentEncoded: false))
    #expect(checked.status == 1)
    #expect(checked.output.contains("missing from index by_a"))
    #expect(!checked.output.contains("its own"))
  }

  /// As with checksums at the ends of pages, which are others after each change of the header.
  @Test func `a log whose first page has other reserved bytes is no other database's`() throws {
    let file = copy.directory.file("reserved.sqlite")
    let path = file.path(percentEncoded: false)
    let maker = try DatabaseQueue(path: path)
    try maker.writeWithoutTransaction { db in try db.execute(sql: "PRAGMA user_version = 1") }
    try maker.close()
    var bytes = try Data(contentsOf: file)
    // Eight reserved bytes, before which the content of the empty first page begins.
    bytes[20] = 8
    bytes.replaceSubrange(105..<107, with: [0x0F, 0xF8])
    try bytes.write(to: file)
    let queue = try DatabaseQueue(path: path)
    let target = copy.url("Documents/reserved.sqlite")
    try queue.writeWithoutTransaction { db in
      try db.execute(
        sql: """
          PRAGMA journal_mode = WAL; CREATE TABLE t (a TEXT); PRAGMA wal_checkpoint(TRUNCATE);
          INSERT INTO t VALUES (zeroblob(9000))
          """)
      for suffix in ["", "-wal"] {
        // In another process: closing a descriptor of the file here would drop SQLite's locks.
        let copied = try ToolProcess.run(
          URL(filePath: "/bin/cp"), [path + suffix, target.path(percentEncoded: false) + suffix])
        try #require(copied.status == 0, "\(copied.errors)")
      }
    }
    try queue.close()
    var copied = try Data(contentsOf: target)
    copied[4095] = 7
    try copied.write(to: target)
    #expect(try copy.doctor("--json").findings == [])
  }

  /// SQLite deletes the log and the journal of an empty database when it opens the database.
  @Test(
    arguments: [
      ["db", "check"], ["db", "query", "SELECT 1"], ["db", "dump"], ["db", "backup", "copy.db"],
      ["db", "history"], ["transit", "stops"],
      ["files", "adopt", "--table", "t", "--path-column", "a", "--dialect", "documents"],
      ["files", "status", "--table", "t", "--path-column", "a", "--dialect", "documents"],
    ], ["log", "journal"])
  func theLogOfAnEmptyDatabaseIsKept(words: [String], kind: String) throws {
    let name = "Documents/empty.sqlite"
    let companion = kind == "log" ? "-wal" : "-journal"
    if kind == "log" {
      try copy.copyOpen(name, suffixes: [companion], journalMode: "WAL")
    } else {
      try copy.copyOpen(
        name, suffixes: [companion], journalMode: "DELETE", "BEGIN", "UPDATE t SET a = a || a")
    }
    let bytes = try Data(contentsOf: copy.url(name + companion))
    var arguments = words
    if words[0] == "files" {
      arguments.insert(copy.folder.path(percentEncoded: false), at: 2)
      arguments += ["--database", path(name)]
    } else {
      arguments.insert(path(name), at: 2)
    }
    // SQLite takes one byte for none.
    for (content, words) in [("", "is empty"), ("S", "has one byte")] {
      try copy.write(content, to: name)
      let found = try ToolProcess.run(words: arguments, in: copy.directory.url)
      #expect(found.status == 65)
      #expect(
        found.errors.contains(
          "empty.sqlite' \(words), and its \(kind) 'empty.sqlite\(companion)' has content, "
            + "which SQLite would delete"))
      #expect(try Data(contentsOf: copy.url(name + companion)) == bytes)
    }
  }

  /// The first transaction of a new database has nothing to bring back.
  @Test func theJournalOfANewDatabaseIsNoLoss() throws {
    let name = "Documents/new.sqlite"
    try copy.copyOpen(
      name, suffixes: ["-journal"], journalMode: "DELETE", "BEGIN", "UPDATE t SET a = a || a")
    var journal = try Data(contentsOf: copy.url(name + "-journal"))
    journal.replaceSubrange(16..<20, with: Data(count: 4))
    try journal.write(to: copy.url(name + "-journal"))
    try copy.write("", to: name)
    #expect(try ToolProcess.run("db", "query", path(name), "SELECT 1").status == 0)
  }

  /// A log that nothing has open is read without the file that SQLite shares between processes.
  @Test(arguments: [["check"], ["query", "SELECT count(*) FROM t"], ["dump"]])
  func aVerbThatReadsALogLeavesNoFile(words: [String]) throws {
    try copy.copyOpen(
      "Documents/a.sqlite", suffixes: ["-wal"], journalMode: "WAL",
      "INSERT INTO t VALUES ('later')")
    let before = try copy.state()
    let result = try ToolProcess.run(
      words: ["db", words[0], path("Documents/a.sqlite")] + words.dropFirst())
    #expect(result.status == 0, "\(result.errors)")
    if words[0] == "query" { #expect(result.output.contains("201")) }
    if words[0] == "check" { #expect(result.output.contains("sidecars        a.sqlite-wal, ")) }
    #expect(try copy.state() == before)
  }

  /// Turso leaves an empty log, and no file that processes share.
  @Test(arguments: [["check"], ["query", "SELECT 1"], ["dump"], ["backup", "copy.db"]])
  func aVerbThatReadsAnEmptyLogLeavesNoFile(words: [String]) throws {
    try copy.database("Documents/a.sqlite", isLogged: true) { db in
      try db.execute(sql: "CREATE TABLE t (a)")
    }
    try copy.write("", to: "Documents/a.sqlite-wal")
    let before = try copy.state()
    let result = try ToolProcess.run(
      words: ["db", words[0], path("Documents/a.sqlite")] + words.dropFirst(),
      in: copy.directory.url)
    #expect(result.status == 0, "\(result.errors)")
    #expect(try copy.state() == before)
  }

  /// SQLite makes both files of a log to read the database, and removes them again.
  @Test func filesThatTheCheckItselfMakesAreNoSidecars() throws {
    try copy.database("Documents/a.sqlite", isLogged: true) { db in
      try db.execute(sql: "CREATE TABLE t (a)")
    }
    let result = try ToolProcess.run("db", "check", path("Documents/a.sqlite"), "--json")
    let sidecars = try #require(try result.objects.first?["sidecars"] as? [String])
    #expect(sidecars == [])
  }

  /// SQLite says of the whole database that it is malformed, and not which table is.
  @Test func aTableWithoutTheIndexOfItsKeyIsNamed() throws {
    try copy.database("Documents/a.sqlite") { db in
      try db.execute(
        sql: """
          CREATE TABLE t (a TEXT PRIMARY KEY, b); CREATE TABLE other (a);
          PRAGMA writable_schema = ON; DELETE FROM sqlite_schema WHERE type = 'index'
          """)
    }
    let found = try copy.doctor("--json")
    #expect(try found.findings == ["damaged_database Documents/a.sqlite"])
    let reason =
      "the schema of 't' is damaged: it has no index for its primary key or a UNIQUE constraint"
    #expect(found.output.contains(reason))
    #expect(try ToolProcess.run("db", "check", path("Documents/a.sqlite")).output.contains(reason))
  }

  /// Replaying the log would fill the place of the missing pages.
  @Test func aPageThatNeitherTheFileNorTheLogHasIsMissed() throws {
    try copy.copyOpen(
      "Documents/a.sqlite", suffixes: ["-wal"], journalMode: "WAL",
      "PRAGMA wal_checkpoint(TRUNCATE)", "UPDATE t SET a = 'x' WHERE rowid = 1")
    try copy.copyOpen("Documents/whole.sqlite", suffixes: ["-wal"], journalMode: "WAL")
    let bytes = try Data(contentsOf: copy.url("Documents/a.sqlite"))
    try bytes.dropLast(4 * 4096).write(to: copy.url("Documents/a.sqlite"))
    let found = try copy.doctor("--json").findings
    #expect(found.contains("torn_database Documents/a.sqlite"))
    #expect(!found.contains { $0.contains("whole") })
  }

  @Test(arguments: [["check"], ["query", "SELECT 1 FROM t"], ["dump"], ["backup", "copy.db"]])
  func aHotJournalIsNamedWithWhatToDo(words: [String]) throws {
    try copy.copyOpen(
      "Documents/hot.sqlite", suffixes: ["-journal"], journalMode: "DELETE", "BEGIN",
      "UPDATE t SET a = 'x' || a")
    let result = try ToolProcess.run(
      words: ["db", words[0], path("Documents/hot.sqlite")] + words.dropFirst(),
      in: copy.directory.url)
    #expect(result.status == 65)
    #expect(result.complaint.first?.contains("has a hot journal") == true, "\(result.errors)")
    #expect(result.errors.contains("open the database once with SQLite"))
  }

  // MARK: - Paths

  @Test(arguments: [
    "file://\(device)/Documents/gone.bin", "mbtiles://\(device)/Documents/gone%20away.mbtiles",
    "pmtiles://file://\(device)/Documents/gone.pmtiles",
    "capacitor://localhost/_capacitor_file_\(device)/Documents/gone.jpg",
    "https://localhost/_capacitor_file_\(device)/Documents/gone.jpg",
    "ionic://localhost/_app_file_\(device)/Documents/gone.jpg",
    "http://localhost:8080/_file_\(device)/Documents/gone.jpg",
    "asset://localhost/\(device.replacing("/", with: "%2F"))%2FDocuments%2Fgone.jpg",
    "/var/mobile/Applications/\(uuid)/Documents/gone.jpg",
    "file:///private/var/mobile/Applications/\(uuid)/Documents/gone.jpg",
    "/Users/ann/Library/Developer/CoreSimulator/Devices/\(uuid)/data/Applications/\(uuid)/Documents/gone",
    "file:///U/Library/Application%20Support/iPhone%20Simulator/7.1/Applications/\(uuid)/Documents/gone",
  ])
  func aPathInAnyFormIsFound(text: String) throws {
    for other in [text, "see \"\(text)\" there", text.replacing("/", with: "\\/")] {
      let paths = StoredPath.all(in: other)
      #expect(paths.map(\.owner) == [.app], "\(other)")
      #expect(paths.first?.names.last?.hasPrefix("gone") == true)
      #expect(paths.first?.names.first == "Documents")
    }
  }

  /// Until iOS 7 a container contained the bundle too.
  @Test(arguments: ["/var/mobile", "/U/CoreSimulator/Devices/\(uuid)/data"])
  func aPathIntoAnOldBundleIsOneIntoABundle(start: String) {
    let path = StoredPath("\(start)/Applications/\(Self.uuid)/Map.app/a.db")
    #expect(path?.owner == .bundle)
    #expect(path?.names == ["Map.app", "a.db"])
  }

  @Test func aPathInEachFormIsFoundInFilesAndDatabases() throws {
    let old = "/var/mobile/Applications/\(Self.uuid)/Documents/gone.jpg"
    try copy.write("{\"a\": \"mbtiles://\(Self.device)/Documents/gone.mbtiles\"}", to: "tmp/1.json")
    try copy.write("{\"a\": \"https://example.org/Applications/\(Self.uuid)/x\"}", to: "tmp/2.json")
    let list = try PropertyListSerialization.data(
      fromPropertyList: ["url": old + "\u{E9}"], format: .binary, options: 0)
    try copy.database("Documents/a.sqlite") { db in
      try db.execute(sql: "CREATE TABLE t (a, b)")
      try db.execute(sql: "INSERT INTO t VALUES (?, ?)", arguments: [old, list])
    }
    #expect(
      try copy.doctor("--json").findings == [
        "absolute_path tmp/1.json a", "dead_reference tmp/1.json a",
        "absolute_path Documents/a.sqlite t a", "dead_reference Documents/a.sqlite t a",
        "absolute_path Documents/a.sqlite t b url", "dead_reference Documents/a.sqlite t b url",
      ])
  }

  /// A checkpoint may write a page to the wrong place.
  @Test func aDatabaseWhosePageLiesInPlaceOfTheFirstIsDamaged() throws {
    try copy.database("Documents/a.sqlite") { db in
      try db.execute(
        sql: """
          CREATE TABLE t (a TEXT);
          CREATE INDEX i ON t (a);
          INSERT INTO t
          WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 500)
          SELECT printf('%0100d', i) FROM n
          """)
    }
    let bytes = try Data(contentsOf: copy.url("Documents/a.sqlite"))
    // The roots of the table and the index, and a leaf of each.
    var kinds: Set<UInt8> = []
    for start in stride(from: 4096, to: bytes.count, by: 4096) {
      let page = bytes[start..<start + 4096]
      guard kinds.insert(page[start]).inserted else { continue }
      try (page + bytes.dropFirst(4096)).write(to: copy.url("Documents/a.sqlite"))
      try expectLostBeginning("another page of it lies in place of its first one")
    }
    #expect(kinds == [2, 5, 10, 13])
    try (Data(count: 4096) + bytes.dropFirst(4096)).write(to: copy.url("Documents/a.sqlite"))
    try expectLostBeginning("its first bytes are all zero")
  }

  @Test(arguments: [16, 50, 99]) func aDatabaseThatEndsInItsHeaderIsDamaged(count: Int) throws {
    try copy.database("Documents/a.sqlite") { db in try db.execute(sql: "CREATE TABLE t (a)") }
    let bytes = try Data(contentsOf: copy.url("Documents/a.sqlite"))
    try bytes.prefix(count).write(to: copy.url("Documents/a.sqlite"))
    try expectLostBeginning("it ends within its header, after \(count) bytes")
  }

  /// The smallest page has 512 bytes, and SQLite takes one byte for none.
  @Test(arguments: [1, 2, 99, 511]) func aFileWithoutRoomForAPageIsNoDatabase(count: Int) throws {
    let name = "Documents/a.sqlite"
    let file = path(name)
    for byte: UInt8 in count == 1 ? [0x41, 0xFE, 0] : [0x41, 0xFE] {
      try Data(repeating: byte, count: count).write(to: copy.url(name))
      let found = try #require(try copy.doctor("--json").objects.first)
      #expect(found["kind"] as? String == "not_examined")
      let words = count == 1 ? "one byte" : "\(count) bytes"
      #expect(
        found["message"] as? String
          == (byte == 0x41
            ? "The file is text, and no database." : "The file has \(words), and is no database."))
      for verb in [["check", file], ["query", file, "SELECT 1"], ["dump", file]] {
        let refused = try ToolProcess.run(words: ["db"] + verb)
        #expect(refused.status == 65)
        #expect(refused.output == "" && refused.errors.contains("' is not a SQLite database."))
      }
    }
  }

  /// SQLite writes it on volumes that number empty files wrongly.
  @Test func theByteOfANewDatabaseIsNoDamage() throws {
    let name = "Documents/a.sqlite"
    try copy.write("S", to: name)
    let found = try #require(try copy.doctor("--json").objects.first)
    #expect((found["message"] as? String)?.hasPrefix("The file is empty.") == true)
    #expect(try ToolProcess.run("db", "query", path(name), "SELECT 1").status == 0)
  }

  @Test func aFirstPageInTheLogIsNotLost() throws {
    try copy.copyOpen("Documents/a.sqlite", suffixes: ["-wal"], journalMode: "WAL")
    try loseFirstPage()
    #expect(try copy.doctor("--json").findings == [])
    #expect(try ToolProcess.run("db", "check", path("Documents/a.sqlite")).status == 0)
    // A log that has other pages does not help.
    try copy.copyOpen(
      "Documents/a.sqlite", suffixes: ["-wal"], journalMode: "WAL",
      "PRAGMA wal_checkpoint(TRUNCATE)", "UPDATE t SET a = 'x' WHERE rowid = 5")
    try loseFirstPage()
    try expectLostBeginning("its first bytes are all zero")
  }

  private func loseFirstPage() throws {
    let bytes = try Data(contentsOf: copy.url("Documents/a.sqlite"))
    try (Data(count: 4096) + bytes.dropFirst(4096)).write(to: copy.url("Documents/a.sqlite"))
  }

  /// A log brings damage to its own database too, whose rows it may have alone.
  @Test(arguments: [false, true]) func aLogThatBringsDamageMayBeItsOwn(isYoung: Bool) throws {
    try copy.copyOpen(
      "Documents/a.sqlite", suffixes: ["-wal"], journalMode: "WAL",
      "PRAGMA wal_autocheckpoint = 0", "CREATE INDEX i ON t (a)",
      isYoung ? "SELECT 1" : "PRAGMA wal_checkpoint(TRUNCATE)",
      // A row that the index lacks.
      """
      CREATE TEMP TABLE kept AS SELECT * FROM main.sqlite_master WHERE name = 'i';
      PRAGMA writable_schema = ON;
      DELETE FROM main.sqlite_master WHERE name = 'i';
      PRAGMA writable_schema = RESET;
      INSERT INTO t VALUES ('x');
      PRAGMA writable_schema = ON;
      INSERT INTO main.sqlite_master SELECT * FROM kept;
      PRAGMA writable_schema = RESET;
      """)
    let found = try copy.doctor("--json")
    let checked = try ToolProcess.run("db", "check", path("Documents/a.sqlite"))
    #expect(checked.status == 1 && checked.output.contains("missing from index i"))
    if isYoung {
      #expect(try found.findings == ["damaged_database Documents/a.sqlite ×2"])
      #expect(!checked.output.contains("its log"))
    } else {
      #expect(try found.findings == ["foreign_log Documents/a.sqlite-wal"])
      #expect(found.output.contains("may not belong"))
      #expect(checked.output.contains("may not be its own"))
    }
  }

  /// Expects one finding and one exit code for one fault, and its words wherever the file is read.
  private func expectLostBeginning(_ words: String) throws {
    let found = try copy.doctor("--json")
    #expect(try found.findings == ["damaged_database Documents/a.sqlite"])
    #expect(found.status == 1 && found.output.contains(words))
    let file = path("Documents/a.sqlite")
    let checked = try ToolProcess.run("db", "check", file, "--json")
    #expect(try checked.objects.first?["problems"] as? [String] == [words])
    #expect(checked.status == 1)
    let read = try ToolProcess.run("db", "query", file, "SELECT 1")
    #expect(read.status == 65)
    #expect(read.errors.contains("is damaged: \(words)."))
  }

  /// The tables of a young database are in its log alone.
  @Test func aDatabaseThatWasCopiedWithoutItsLogIsNoted() throws {
    try copy.copyOpen("Documents/a.sqlite", suffixes: [], journalMode: "WAL")
    let found = try copy.doctor("--json")
    #expect(try found.findings == ["not_examined Documents/a.sqlite"])
    #expect(found.status == 0 && found.output.contains("has no table"))
    let checked = try ToolProcess.run("db", "check", path("Documents/a.sqlite"))
    #expect(checked.status == 0 && checked.output.contains("it has no table"))
  }

  // MARK: - Rows

  /// SQLite's check ends after a hundred lines, which may all be about rows that break a constraint.
  @Test func brokenConstraintsDoNotHideDamage() throws {
    let name = "Documents/a.sqlite"
    var page = 0
    try copy.database(name) { db in
      try db.execute(
        sql: """
          CREATE TABLE b (y);
          CREATE INDEX ib ON b (y);
          INSERT INTO b VALUES ('QQQQQQQQ'), ('RRRRRRRR');
          CREATE TABLE a (x CHECK (x > 0));
          PRAGMA ignore_check_constraints = ON;
          INSERT INTO a
          WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 300) SELECT -i FROM n
          """)
      page = try Int.fetchOne(db, sql: "SELECT rootpage FROM sqlite_schema WHERE name = 'ib'") ?? 0
    }
    var bytes = try Data(contentsOf: copy.url(name))
    let entry = try #require(
      bytes.firstRange(of: Data("QQQQQQQQ".utf8), in: ((page - 1) * 4096)..<(page * 4096)))
    bytes[entry.lowerBound + 7] = UInt8(ascii: "A")
    try bytes.write(to: copy.url(name))
    let found = try copy.doctor("--json")
    #expect(
      try found.findings == [
        "damaged_database \(name)", "broken_constraint \(name) a ×300",
      ])
    let checked = try ToolProcess.run("db", "check", path(name), "--json")
    #expect(checked.status == 1)
    #expect(checked.output.contains("row 1 missing from index ib"))
    #expect(checked.output.contains("300 rows of 'a' break a CHECK constraint"))
  }

  /// With a collation that SQLite lacks, and cannot leave out, each table is checked alone.
  @Test(arguments: ["a TEXT COLLATE app PRIMARY KEY", "a TEXT PRIMARY KEY, CHECK (app(a))"])
  func whatSQLiteLacksHidesNothingInOtherTables(columns: String) throws {
    let name = "Documents/a.sqlite"
    var page = 0
    try copy.database(name) { db in
      try db.execute(
        sql: """
          CREATE TABLE w (a TEXT PRIMARY KEY) WITHOUT ROWID;
          CREATE TABLE broken (x CHECK (x > 0), y NOT NULL);
          PRAGMA ignore_check_constraints = ON;
          INSERT INTO broken VALUES (-1, 1), (-2, 1), (1, 1);
          CREATE TABLE b (y);
          INSERT INTO b
          WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 30) SELECT zeroblob(3000) FROM n;
          PRAGMA writable_schema = ON;
          UPDATE sqlite_schema SET sql = 'CREATE TABLE w (\(columns)) WITHOUT ROWID' WHERE name = 'w'
          """)
      page = try Int.fetchOne(db, sql: "SELECT rootpage FROM sqlite_schema WHERE name = 'b'") ?? 0
    }
    // Two children of the root are the same page.
    var bytes = Array(try Data(contentsOf: copy.url(name)))
    let root = (page - 1) * 4096
    let cells = [12, 14].map { root + Int(bytes[root + $0]) << 8 + Int(bytes[root + $0 + 1]) }
    bytes.replaceSubrange(cells[0]..<cells[0] + 4, with: bytes[cells[1]..<cells[1] + 4])
    try Data(bytes).write(to: copy.url(name))
    let found = try copy.doctor("--json")
    let kinds = try found.objects.map { "\($0["kind"] ?? "")" }
    #expect(
      Set(kinds) == ["damaged_database", "broken_constraint", "not_examined"] && kinds.count == 3)
    #expect(try found.findings.contains("broken_constraint \(name) broken ×2"))
    let checked = try ToolProcess.run("db", "check", path(name), "--json")
    let problems = try #require(try checked.objects.first?["problems"] as? [String])
    #expect(problems.contains("2 rows of 'broken' break a CHECK constraint"))
    #expect(problems.contains { $0.contains("2nd reference to page") })
    #expect(problems.allSatisfy { !$0.contains("\n") && !$0.contains("***") })
  }

  // MARK: - Views and triggers

  @Test func `views and triggers that name what does not exist are found`() throws {
    try copy.write("", to: "Documents/a.sqlite")
    let queue = try DatabaseQueue(path: path("Documents/a.sqlite"))
    try queue.write { db in
      try db.execute(
        sql: """
          CREATE TABLE note (id INTEGER PRIMARY KEY, body TEXT NOT NULL);
          CREATE TABLE log (body TEXT);
          CREATE TABLE old (body TEXT);
          CREATE TABLE tag (name TEXT, "order" INTEGER);
          CREATE VIEW olds AS SELECT body FROM old;
          CREATE VIEW all_olds AS SELECT * FROM olds;
          CREATE TRIGGER noted AFTER INSERT ON note BEGIN INSERT INTO old VALUES (new.body); END;
          CREATE TRIGGER erased AFTER DELETE ON note WHEN id > 1 BEGIN SELECT 1; END;
          CREATE TRIGGER logged AFTER UPDATE OF name ON tag BEGIN UPDATE log SET day = 1; END;
          CREATE TRIGGER called AFTER INSERT ON tag BEGIN SELECT own_function(new.name); END;
          CREATE TRIGGER shown INSTEAD OF INSERT ON olds BEGIN SELECT 1; END;
          CREATE VIEW own AS SELECT own_function(name) AS name FROM tag;
          CREATE TRIGGER shown_own INSTEAD OF UPDATE ON own BEGIN SELECT 1; END;
          CREATE VIEW steps AS SELECT value FROM tag, Own_Series(1, 9) WHERE value IN own_series(2);
          CREATE TRIGGER series AFTER DELETE ON tag BEGIN
            INSERT INTO log SELECT value FROM "own_series"(1); END;
          CREATE VIEW pages AS SELECT pageno FROM sqlite_dbpage_of_the_app;
          DROP TABLE old;
          """)
    }
    try queue.close()
    let found = try copy.doctor("--json")
    let objects = try found.objects.filter { "\($0["kind"] ?? "")".hasPrefix("broken_") }
    #expect(
      objects.map { "\($0["severity"] ?? "") \($0["table"] ?? "") \($0["message"] ?? "")" }.sorted()
        == [
          "error note Each DELETE from 'note' fails: no such column: id.",
          "error note Each INSERT into 'note' fails: no such table: main.old.",
          "error tag An UPDATE of 'tag' fails if it fires a trigger: "
            + "no such column: day.",
          "warning all_olds The view 'all_olds' cannot be read: no such table: main.old.",
          "warning olds The view 'olds' cannot be read: no such table: main.old.",
        ])
    let checked = try ToolProcess.run("db", "check", path("Documents/a.sqlite"))
    #expect(checked.status == 1)
    #expect(checked.output.contains("UPDATE of 'tag' fails if it fires a trigger: no such column"))
    #expect(checked.output.contains("the view 'olds' cannot be read: no such table: main.old"))
    // In SQLite's usual settings a name in double quotes that is no column is a text.
    let file = path("Documents/a.sqlite")
    try FileManager.default.removeItem(atPath: file)
    var configuration = Configuration()
    configuration.acceptsDoubleQuotedStringLiterals = true
    let quoted = try DatabaseQueue(path: file, configuration: configuration)
    try quoted.write { db in
      try db.execute(
        sql: """
          CREATE TABLE note (body TEXT);
          CREATE VIEW short AS SELECT body FROM note WHERE body != "long";
          CREATE TRIGGER noted AFTER INSERT ON note BEGIN UPDATE note SET body = "noted"; END;
          CREATE TABLE child (note INTEGER REFERENCES gone (id));
          CREATE TRIGGER born AFTER INSERT ON child BEGIN SELECT 1; END;
          """)
    }
    try quoted.close()
    // Foreign keys stop only an app that enforces them.
    #expect(
      try copy.doctor("--json").findings == ["broken_constraint Documents/a.sqlite child note"])
    #expect(try !ToolProcess.run("db", "check", file).output.contains("INSERT"))
  }

  /// A column that was added later is in each `*`, and lacks in each list of values.
  @Test func `views and triggers that count on other columns are found`() throws {
    try copy.database("Documents/a.sqlite") { db in
      try db.execute(
        sql: """
          CREATE TABLE note (id INTEGER PRIMARY KEY, body TEXT);
          CREATE TABLE tag (name TEXT);
          CREATE INDEX by_name ON tag (name);
          CREATE VIEW named (id, body) AS SELECT * FROM note;
          CREATE VIEW doubled AS SELECT * FROM note UNION ALL SELECT *, 1 FROM tag;
          CREATE VIEW tagged AS SELECT name FROM tag JOIN note;
          CREATE VIEW within AS SELECT 1 FROM note WHERE body IN (SELECT * FROM tag);
          CREATE VIEW indexed AS SELECT name FROM tag INDEXED BY by_name;
          CREATE VIEW first AS SELECT * FROM second;
          CREATE VIEW second AS SELECT * FROM first;
          CREATE VIEW third AS SELECT * FROM first;
          CREATE TRIGGER copied AFTER INSERT ON note BEGIN INSERT INTO tag VALUES (new.body); END;
          CREATE TRIGGER erased AFTER DELETE ON note BEGIN
            INSERT INTO tag (name, kind) SELECT * FROM note; END;
          CREATE VIEW elements AS SELECT value FROM json_each;
          CREATE VIEW columns AS SELECT name FROM pragma_table_info;
          CREATE VIEW numbers AS SELECT value FROM generate_series WHERE start = 1 AND stop = 9;
          CREATE VIEW shown AS SELECT * FROM tag;
          CREATE TRIGGER shown INSTEAD OF UPDATE ON shown BEGIN SELECT 1; END;
          ALTER TABLE note ADD COLUMN name TEXT;
          ALTER TABLE tag ADD COLUMN kind TEXT;
          DROP INDEX by_name;
          ALTER TABLE tag ADD COLUMN color TEXT;
          """)
    }
    let messages = try copy.doctor("--json").objects.map { "\($0["message"] ?? "")" }
    #expect(
      messages.sorted() == [
        "Each DELETE from 'note' fails: 3 values for 2 columns.",
        "Each INSERT into 'note' fails: table tag has 3 columns but 1 values were supplied.",
        "The view 'doubled' cannot be read: SELECTs to the left and right of UNION ALL do not have "
          + "the same number of result columns.",
        "The view 'first' cannot be read: view first is circularly defined.",
        "The view 'indexed' cannot be read: no such index: by_name.",
        "The view 'named' cannot be read: expected 2 columns for 'named' but got 3.",
        "The view 'second' cannot be read: view second is circularly defined.",
        "The view 'tagged' cannot be read: ambiguous column name: name.",
        "The view 'third' cannot be read: view first is circularly defined.",
        "The view 'within' cannot be read: sub-select returns 3 columns - expected 1.",
      ])
    let checked = try ToolProcess.run("db", "check", path("Documents/a.sqlite"))
    #expect(checked.status == 1)
    #expect(checked.output.contains("'second' cannot be read: view second is circularly defined"))
    #expect(!checked.output.contains("numbers"))
  }

  /// SQLite 3.39 to 3.50 refuses such a join, and later versions run it.
  @Test func `a join that a newer SQLite runs is not called broken`() throws {
    try copy.database("Documents/a.sqlite") { db in
      try db.execute(
        sql: """
          CREATE TABLE a (id, x); CREATE TABLE b (id); CREATE TABLE c (x);
          CREATE VIEW joined AS SELECT a.* FROM a FULL JOIN b USING (id) JOIN c ON c.x = a.x;
          CREATE TRIGGER copied AFTER INSERT ON b BEGIN
            INSERT INTO c SELECT x FROM joined; END;
          """)
    }
    #expect(try copy.doctor("--json").findings == [])
  }

  @Test func `more views than are looked at are said`() throws {
    try copy.write("", to: "Documents/a.sqlite")
    let queue = try DatabaseQueue(path: path("Documents/a.sqlite"))
    try queue.write { db in
      try db.execute(sql: "CREATE TABLE note (body TEXT)")
      for number in 0...500 {
        try db.execute(sql: "CREATE VIEW v\(number) AS SELECT body FROM note")
      }
    }
    try queue.close()
    let checked = try ToolProcess.run("db", "check", path("Documents/a.sqlite"))
    #expect(checked.status == 0)
    #expect(checked.output.contains("the schema was not examined: it has too many views"))
  }

  @Test func `what only the app computes and a damaged R*Tree do not end the look`() throws {
    try copy.write("", to: "Documents/a.sqlite")
    let queue = try DatabaseQueue(path: path("Documents/a.sqlite"))
    try queue.write { db in
      try db.execute(
        sql: """
          CREATE TABLE note (id INTEGER PRIMARY KEY, body TEXT);
          CREATE VIEW folded AS SELECT id, app_fold(body) AS body FROM note;
          CREATE VIRTUAL TABLE found USING fts5(body, content='folded', content_rowid='id');
          CREATE VIRTUAL TABLE area USING rtree(id, west, east);
          INSERT INTO area VALUES (1, 0, 1);
          CREATE VIEW areas AS SELECT * FROM area;
          UPDATE area_node SET data = x'';
          """)
    }
    try queue.close()
    let checked = try ToolProcess.run("db", "check", path("Documents/a.sqlite"))
    #expect(checked.status == 1)
    #expect(checked.output.contains("the table 'found' was not examined"))
    #expect(!checked.output.contains("cannot read its texts"))
    #expect(checked.output.contains("the R*Tree 'area' is damaged"))
  }

  // MARK: - Files by their names

  @Test func `An archive of map tiles that cannot be drawn is found`() throws {
    let folder = try TemporaryDirectory()
    try MapExample.write(to: folder.url)
    _ = try TilesetConversion(from: folder.file("fair.mbtiles"), to: folder.file("fair.pmtiles"))
      .run()
    let archive = try Data(contentsOf: folder.file("fair.pmtiles"))
    try copy.write(archive, to: "Documents/sound.pmtiles")
    try copy.write(archive.dropLast(9), to: "Documents/cut.pmtiles")
    try copy.write("<html>404</html>", to: "Documents/page.pmtiles")
    try copy.write(#"{"error": 404}"#, to: "Documents/json.pmtiles")
    try copy.write("", to: "Documents/empty.pmtiles")
    try copy.write(
      try Data(contentsOf: folder.file("fair.mbtiles")), to: "Documents/mbtiles.pmtiles")
    #expect(
      try copy.doctor("--json").findings == [
        "damaged_tileset Documents/cut.pmtiles", "damaged_tileset Documents/json.pmtiles",
        "damaged_tileset Documents/page.pmtiles", "damaged_tileset Documents/empty.pmtiles",
        "damaged_tileset Documents/mbtiles.pmtiles",
      ])
  }

  @Test func `what lies in place of a file is named`() throws {
    let pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 9\n"
    try copy.write(pointer, to: "Documents/a.sqlite")
    try copy.write(pointer, to: "Documents/voice.m4a")
    try copy.write(Data(GzipDeflater.deflate([1, 2, 3])), to: "Documents/b.db")
    let found = try copy.doctor("--json")
    #expect(found.status == 0)
    let messages = try found.objects.filter { $0["kind"] as? String == "not_examined" }.map {
      "\($0["file"] ?? "") \($0["message"] ?? "")"
    }
    #expect(
      messages.sorted() == [
        "Documents/a.sqlite The file is a pointer of Git LFS in place of the file.",
        "Documents/b.db The file is compressed by gzip.",
        "Documents/voice.m4a The file is a pointer of Git LFS in place of the file.",
      ])
  }

  @Test func aFileNamedLikeADatabaseIsExaminedOrNoted() throws {
    let page = String(repeating: "<html>503 \u{E9}</html>", count: 400)
    try copy.write(page, to: "Documents/html.mbtiles")
    try copy.write("{\"error\": 503}", to: "Documents/json.gpkg")
    try copy.write(Data(count: 8192), to: "Documents/nul.mbtiles")
    try copy.write(Data(count: 8192), to: "Documents/nul.gpkg")
    try copy.write("", to: "Documents/empty.sqlite")
    try copy.write(Data(count: 16) + Data("T-DB".utf8) + Data(count: 4000), to: "Documents/d.realm")
    try copy.write(Data([1, 2, 3]), to: "Documents/mmkv/mmkv.default")
    try copy.write(Data([1, 2, 3]), to: "Documents/mmkv/mmkv.default.crc")
    try copy.write(Data(count: 8192), to: "Library/Application Support/default.store")
    let magic = Data([0xDE, 0xC0, 0xEF, 0xBE])
    try copy.write(Data(count: 16) + magic + Data(count: 4000), to: "Documents/objects/data.mdb")
    try copy.write("MANIFEST-000001\n", to: "Documents/leveldb/CURRENT")
    let mdbx = Data([3, 0x11, 0x4C, 0xEF, 0xBD, 0x9D, 0x65, 0x59])
    try copy.write(Data(count: 20) + mdbx + Data(count: 4000), to: "Documents/default.isar")
    try copy.write(Data(count: 8) + Data("DUCK".utf8) + Data(count: 4000), to: "Documents/a.db")
    let found = try copy.doctor("--json")
    #expect(
      try found.findings == [
        "not_examined Documents/html.mbtiles", "not_examined Documents/json.gpkg",
        "damaged_database Documents/nul.mbtiles", "damaged_database Documents/nul.gpkg",
        "not_examined Documents/empty.sqlite", "not_examined Documents/d.realm",
        "not_examined Documents/mmkv/mmkv.default",
        "damaged_database Library/Application Support/default.store",
        "not_examined Documents/objects/data.mdb", "not_examined Documents/leveldb/CURRENT",
        "not_examined Documents/default.isar", "not_examined Documents/a.db",
      ])
    let texts = try found.objects.compactMap { $0["message"] as? String }
    for format in ["Realm", "MMKV", "LMDB", "LevelDB", "libmdbx", "DuckDB"] {
      #expect(texts.contains { $0.contains(format) })
    }
  }

  /// No key and no other path helps.
  @Test func aDatabaseOfAnotherLibraryIsNamed() throws {
    try copy.write(Data(count: 8) + Data("DUCK".utf8) + Data(count: 4000), to: "Documents/duck.db")
    try copy.write(Data("unqlite".utf8) + Data(count: 4000), to: "Documents/unqlite.db")
    for (name, format) in [("duck", "a DuckDB database"), ("unqlite", "an UnQLite database")] {
      for words in [["db", "check"], ["db", "query"]] {
        let result = try ToolProcess.run(
          words: words + [path("Documents/\(name).db")] + (words[1] == "query" ? ["SELECT 1"] : []))
        #expect(result.status == 65)
        #expect(result.errors.contains("is \(format), not one of SQLite."))
      }
    }
    #expect(
      try copy.doctor("--json").findings == [
        "not_examined Documents/duck.db", "not_examined Documents/unqlite.db",
      ])
  }

  /// SQLCipher can leave the first 32 bytes as they are, and SQLite takes the rest for damage.
  @Test func aReadableHeaderOfAnEncryptedDatabaseIsNoDamage() throws {
    try copy.database("Documents/a.sqlite") { db in try db.execute(sql: "CREATE TABLE t (a)") }
    var random = SeededRandom(seed: 5)
    let noise = (0..<8160).map { _ in UInt8.random(in: 0...255, using: &random) }
    let header = try Data(contentsOf: copy.url("Documents/a.sqlite")).prefix(32)
    try copy.write(header + Data(noise), to: "Documents/a.sqlite")
    let found = try copy.doctor("--json")
    #expect(try found.findings == ["encrypted_database Documents/a.sqlite"])
    let checked = try ToolProcess.run("db", "check", path("Documents/a.sqlite"))
    #expect(checked.status == 65)
    #expect(checked.errors.contains("is encrypted after a readable header"))
  }

  /// SQLite says of a version that only another engine reads that the file is no database.
  @Test(arguments: [3, 255] as [UInt8])
  func aLaterVersionOfTheFormatIsNoDamage(version: UInt8) throws {
    try copy.database("Documents/a.sqlite") { db in try db.execute(sql: "CREATE TABLE t (a)") }
    var bytes = try Data(contentsOf: copy.url("Documents/a.sqlite"))
    bytes.replaceSubrange(18..<20, with: [version, version])
    try copy.write(bytes, to: "Documents/a.sqlite")
    let found = try copy.doctor("--json")
    #expect(try found.findings == ["not_examined Documents/a.sqlite"])
    let message = try found.objects.first?["message"] as? String
    #expect(message?.contains("version \(version) of the file format") == true)
    for words in [["check"], ["query", "SELECT 1"], ["backup", path("Documents/b.sqlite")]] {
      let read = try ToolProcess.run(
        words: ["db", words[0], path("Documents/a.sqlite")] + words.dropFirst())
      #expect(read.status == 65)
      #expect(read.errors.contains("SQLite reads versions 1 and 2"))
    }
  }

  // MARK: - Content

  /// SQLite says the same of a syntax that it does not know, which is no damage.
  @Test func aSchemaWithOtherBytesThanTextIsDamaged() throws {
    try copy.database("Documents/a.sqlite") { db in
      try db.execute(
        sql: """
          CREATE TABLE t (a);
          PRAGMA writable_schema = ON;
          INSERT INTO sqlite_schema
            VALUES ('index', 'i', 't', 0, 'CREATE INDEX i O' || char(1) || ' t (a)')
          """)
    }
    #expect(try copy.doctor("--json").findings == ["damaged_database Documents/a.sqlite"])
  }

  /// Core Data stores large values in files of their own.
  @Test func aValueThatCoreDataKeepsInAFileIsAReference() throws {
    let names = [Self.uuid, "00000000-0000-0000-0000-000000000001"]
    try copy.write("x", to: "Documents/.Model_SUPPORT/_EXTERNAL_DATA/\(names[0])")
    for file in ["Model", "Other"] {
      try copy.database("Documents/\(file).sqlite") { db in
        try db.execute(
          sql: """
            CREATE TABLE Z_METADATA (Z_VERSION INTEGER PRIMARY KEY, Z_UUID TEXT, Z_PLIST BLOB);
            CREATE TABLE Z_PRIMARYKEY (Z_ENT INTEGER PRIMARY KEY, Z_NAME TEXT);
            CREATE TABLE ZPHOTO (Z_PK INTEGER PRIMARY KEY, ZDATA BLOB);
            INSERT INTO ZPHOTO (ZDATA) VALUES (x'01FF')
            """)
        for name in names {
          try db.execute(
            sql: "INSERT INTO ZPHOTO (ZDATA) VALUES (?)",
            arguments: [Data([2]) + Data(name.utf8) + Data([0])])
        }
      }
    }
    #expect(
      try copy.doctor("--json").findings == [
        "dead_reference Documents/Model.sqlite ZPHOTO ZDATA",
        "unknown_reference Documents/Other.sqlite ZPHOTO ZDATA ×2",
      ])
  }

  /// The check of a full-text table reads its content, which may be a view without an end.
  @Test func aViewWithoutAnEndDoesNotHoldTheExaminationUp() throws {
    try copy.database("Documents/a.sqlite") { db in
      try db.execute(
        sql: """
          CREATE VIEW v (id, title) AS
            WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT x, 'a' FROM c;
          CREATE TABLE t (a);
          INSERT INTO t VALUES ('\(Self.device)/Documents/gone');
          CREATE VIRTUAL TABLE ft USING fts5(title, content='v', content_rowid='id', columnsize=0)
          """)
    }
    let found = try copy.doctor("--json").findings
    #expect(found.contains("unknown_module Documents/a.sqlite ft"))
    #expect(found.contains("dead_reference Documents/a.sqlite t a"))
  }
}
