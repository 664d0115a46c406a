import Foundation
import Holdfast
import HoldfastFiles
import HoldfastTestSupport
import Testing

@testable import HoldfastTool

@Suite struct DoctorTests {
  private static let uuid = StoredPathTests.uuid
  private static let device = StoredPathTests.device

  /// What a sound app has: relative paths, a search index that follows every change, exclusions.
  private func healthy(_ copy: ContainerCopy) throws {
    try copy.write("book", to: "Documents/downloads/li_1/a b.m4b")
    try copy.write("book", to: "Library/Caches/downloads/li_2/c.m4b")
    try copy.write(Data(count: 3_000_000), to: "Library/Application Support/Tiles/big.bin")
    try copy.write(Data(count: 3_000_000), to: "Library/Caches/big.bin")
    try FileAttributes(isExcludedFromBackup: true).set(
      on: copy.url("Library/Application Support/Tiles"))
    try copy.write(
      #"{"recent": ["downloads/a b.m4b"], "url": "https://example.org/Containers"}"#,
      to: "Documents/state.json")
    try copy.writeList(
      ["theme": "dark", "note": "shipping containers"],
      to: "Library/Preferences/org.example.app.plist", format: .binary)
    try copy.writeList(["theme": "dark"], to: "Library/Preferences/other.plist", format: .xml)
    try copy.database("Library/Application Support/app.sqlite", isLogged: true) { db in
      try db.execute(
        sql: """
          CREATE TABLE local_audio_file_downloads (
            audio_file_id TEXT PRIMARY KEY, is_downloaded BOOLEAN, download_path TEXT NOT NULL,
            storage_location TEXT DEFAULT 'caches');
          INSERT INTO local_audio_file_downloads VALUES
            ('1', 1, 'downloads/li_1/a b.m4b', 'documents'),
            ('2', 1, 'downloads/li_2/c.m4b', 'caches'), ('3', 1, 'C:downloads/li_2/c.m4b', NULL),
            ('4', 0, 'downloads/gone.m4b', 'caches'), ('5', 1, '', 'caches'),
            ('6', 1, '@documents/downloads/li_1/a b.m4b', NULL);
          CREATE TABLE local_cover_cache (media_id TEXT PRIMARY KEY, local_cover_url TEXT);
          INSERT INTO local_cover_cache VALUES ('1', 'https://example.org/cover.jpg');
          CREATE TABLE book (id INTEGER PRIMARY KEY, title TEXT);
          INSERT INTO book VALUES (1, 'harbour lights')
          """)
      try db.create(virtualTable: "book_ft", using: FTS5()) { t in
        t.synchronize(withTable: "book")
        t.column("title")
      }
      try db.execute(sql: "INSERT OR REPLACE INTO book VALUES (1, 'quay'), (2, 'ferry')")
    }
  }

  @Test func aHealthyContainerHasNoFindings() throws {
    let copy = try ContainerCopy()
    try healthy(copy)
    let programs = try copy.doctor("--json", "--large", "1")
    #expect(programs.output == "")
    #expect(programs.errors == "")
    #expect(programs.status == 0)
    let people = try copy.doctor("--large", "1")
    #expect(people.output == "")
    #expect(
      people.errors
        == "The tool runs on \(SQLiteLibrary.current).\nNothing that hurts: 8 files and 1 database seen.\n"
    )
    #expect(people.status == 0)
  }

  @Test(arguments: ["", "AppData", "Data"])
  func aMovedContainerHasStoredPathsIntoItsOldPlace(layout: String) throws {
    let copy = try ContainerCopy("Moved.xcappdata", layout: layout)
    try healthy(copy)
    let here = "\(Self.device)/Documents/downloads/li_1/a b.m4b"
    let gone = "file://\(Self.device)/Documents/downloads/li_1/gone%20away.m4b"
    let group = "/private/var/mobile/Containers/Shared/AppGroup/\(Self.uuid)/shared.db"
    try copy.write(
      #"{"items": [{"path": "\#(here)"}, {"path": "\#(gone)"}], "group": "\#(group)"}"#,
      to: "Documents/items.json")
    try copy.writeList(
      ["recent": [here, here], "archive": Data(#"{"url":"\#(gone)"}"#.utf8)],
      to: "Library/Preferences/recent.plist", format: .binary)
    try copy.writeList(["last": gone], to: "Library/Preferences/last.plist", format: .xml)
    try copy.database("Documents/old.sqlite") { db in
      try db.execute(sql: "CREATE TABLE track (id INTEGER PRIMARY KEY, file TEXT, info TEXT)")
      for (file, info) in [
        (here, "{}"), (gone, #"{"cover":{"uri":"\#(gone)"}}"#), ("a.m4b", "see \(here)"),
      ] {
        try db.execute(
          sql: "INSERT INTO track (file, info) VALUES (?, ?)", arguments: [file, info])
      }
      try db.execute(
        sql: """
          CREATE TABLE local_library_file_downloads (id INTEGER PRIMARY KEY, download_path TEXT);
          INSERT INTO local_library_file_downloads VALUES (1, 'downloads/li_9/gone.m4b')
          """)
    }
    let prefix = layout.isEmpty ? "" : layout + "/"
    let found = try copy.doctor("--json", "--large", "1")
    #expect(found.status == 1)
    let preferences = "\(prefix)Library/Preferences"
    #expect(
      try found.findings == [
        "absolute_path \(prefix)Documents/items.json items[].path ×2",
        "dead_reference \(prefix)Documents/items.json items[].path",
        "absolute_path \(prefix)Documents/items.json group",
        "unknown_reference \(prefix)Documents/items.json group",
        "absolute_path \(preferences)/recent.plist recent[] ×2",
        "absolute_path \(preferences)/recent.plist archive.url",
        "dead_reference \(preferences)/recent.plist archive.url",
        "absolute_path \(preferences)/last.plist last",
        "dead_reference \(preferences)/last.plist last",
        "absolute_path \(prefix)Documents/old.sqlite track file ×2",
        "dead_reference \(prefix)Documents/old.sqlite track file",
        "absolute_path \(prefix)Documents/old.sqlite track info cover.uri",
        "dead_reference \(prefix)Documents/old.sqlite track info cover.uri",
        "absolute_path \(prefix)Documents/old.sqlite track info",
        "unknown_reference \(prefix)Documents/old.sqlite track info",
        "dead_reference \(prefix)Documents/old.sqlite local_library_file_downloads download_path",
      ])
    let path = try #require(
      try found.objects.first {
        $0["table"] as? String == "track" && $0["kind"] as? String == "absolute_path"
      })
    #expect(path["becomes"] as? String == "@documents/downloads/li_1/a b.m4b")
    #expect(
      path["example"] as? String
        == "…/Containers/Data/Application/6F1D2C3B…/Documents/downloads/li_1/a b.m4b")
    #expect(path["rowid"] as? Int == 1)
  }

  @Test func aPathInAnArchivedBlobIsFound() throws {
    let copy = try ContainerCopy()
    try copy.database("Documents/old.sqlite") { db in
      try db.execute(sql: "CREATE TABLE t (a, b)")
      for name in ["Cafe", "Caf\u{E9}"] {
        let list = try PropertyListSerialization.data(
          fromPropertyList: ["url": "\(Self.device)/Documents/\(name).m4b"], format: .binary,
          options: 0)
        try db.execute(sql: "INSERT INTO t VALUES (?, NULL)", arguments: [list])
      }
    }
    #expect(
      try copy.doctor("--json").findings == [
        "absolute_path Documents/old.sqlite t a url ×2",
        "dead_reference Documents/old.sqlite t a url ×2",
      ])
  }

  @Test func aLinkWithAnAbsolutePathIsFound() throws {
    let copy = try ContainerCopy()
    try copy.write("x", to: "Documents/a.m4b")
    try copy.write("x", to: "Library/b.m4b")
    for (name, target) in [
      "present": "\(Self.device)/Documents/a.m4b", "gone": "\(Self.device)/Documents/gone.m4b",
      "relative": "../Library/b.m4b", "system": "/usr/share/zoneinfo",
    ] {
      try FileManager.default.createSymbolicLink(
        atPath: copy.url("Documents/\(name)").path(percentEncoded: false),
        withDestinationPath: target)
    }
    let found = try copy.doctor("--json")
    #expect(
      try Set(found.findings) == [
        "absolute_path Documents/present", "absolute_path Documents/gone",
        "dead_reference Documents/gone",
      ])
    let messages = try found.objects.compactMap { $0["message"] as? String }
    #expect(messages.contains { $0.hasPrefix("A symbolic link") })
  }

  /// After the conversion to XML that is the advice for large property lists.
  @Test func aPathInTheDataOfAPropertyListInXMLIsFound() throws {
    let copy = try ContainerCopy()
    let archived = try PropertyListSerialization.data(
      fromPropertyList: ["url": "\(Self.device)/Documents/gone.m4b"], format: .binary, options: 0)
    for format in [PropertyListSerialization.PropertyListFormat.binary, .xml] {
      try copy.writeList(
        ["player": archived], to: "Library/Preferences/\(format.rawValue).plist", format: format)
    }
    #expect(
      try copy.doctor("--json").findings
        == Set(
          [200, 100].flatMap { format in
            ["absolute_path", "dead_reference"].map {
              "\($0) Library/Preferences/\(format).plist player.url"
            }
          }))
  }

  @Test func aPathBetweenOtherBytesOfABlobIsFound() throws {
    let copy = try ContainerCopy()
    let path = "\(Self.device)/Documents/a.m4b"
    func utf16(_ text: String, _ encoding: String.Encoding) throws -> Data {
      try #require(text.data(using: encoding))
    }
    var message = Data([0x08, 0xFF, 0x01, 0x12, 0xC8, 0x01])
    message.append(Data(path.utf8))
    message.append(contentsOf: [0x1A, 0x02, 0xC3, 0x28])
    // As WebKit stores what a page keeps, with either byte first, and the fields of a message.
    let little = try utf16(path, .utf16LittleEndian)
    let stored: [String: Data] = [
      "little": little, "big": try utf16(path, .utf16BigEndian),
      "shifted": Data([1]) + little + Data(count: 2), "message": message,
      "list": try utf16("[\"\(path)\"]", .utf16LittleEndian),
    ]
    for (name, bytes) in stored {
      try copy.database("Documents/\(name).sqlite") { db in
        try db.execute(sql: "CREATE TABLE t (a BLOB)")
        try db.execute(sql: "INSERT INTO t VALUES (?)", arguments: [bytes])
      }
    }
    let found = try copy.doctor("--json").objects.filter {
      $0["kind"] as? String == "absolute_path"
    }
    let files = found.compactMap { $0["file"] as? String }
    #expect(Set(files) == Set(stored.keys.map { "Documents/\($0).sqlite" }))
    #expect(found.allSatisfy { $0["becomes"] as? String == "@documents/a.m4b" })
    #expect(found.count == stored.count)
  }

  @Test func aDamagedContainerHasItsDamage() throws {
    let copy = try ContainerCopy()
    try healthy(copy)
    try copy.write(Data(count: 2_000_000), to: "Documents/movie.mov")
    try copy.write(Data(count: 2_000_000), to: "Library/Downloads/movie.mov")
    try copy.copyOpen(
      "Documents/hot.sqlite", suffixes: ["-journal"], journalMode: "DELETE", "BEGIN",
      "UPDATE t SET a = 'x' || a")
    try copy.copyOpen("Documents/short.sqlite", suffixes: [], journalMode: "DELETE")
    try cut("Documents/short.sqlite", in: copy, by: 4096)
    try copy.copyOpen(
      "Documents/log.sqlite", suffixes: ["-wal"], journalMode: "WAL",
      "INSERT INTO t VALUES ('later')")
    try flip("Documents/log.sqlite-wal", in: copy, at: 32 + 24 + 4096 + 24 + 100)
    try copy.copyOpen(
      "Documents/sound.sqlite", suffixes: ["-wal"], journalMode: "WAL",
      "INSERT INTO t VALUES ('later')")
    try copy.copyOpen(
      "Documents/orphan.sqlite", suffixes: ["-wal"], journalMode: "WAL")
    try FileManager.default.removeItem(at: copy.url("Documents/orphan.sqlite"))
    try copy.copyOpen("Documents/cut.sqlite", suffixes: ["-wal"], journalMode: "WAL")
    try copy.write("", to: "Documents/cut.sqlite")
    try copy.database("Documents/page.sqlite") { db in
      try db.execute(sql: "CREATE TABLE t (a); CREATE INDEX i ON t (a)")
      for number in 0..<1000 {
        try db.execute(sql: "INSERT INTO t VALUES (?)", arguments: [number])
      }
    }
    try flip("Documents/page.sqlite", in: copy, at: 3 * 4096 + 1)
    try copy.database("Documents/search.sqlite") { db in
      try db.execute(
        sql: """
          CREATE TABLE book (id INTEGER PRIMARY KEY, title TEXT);
          CREATE VIRTUAL TABLE plain USING fts5(title, content='book', content_rowid='id');
          CREATE TRIGGER plain_ai AFTER INSERT ON book BEGIN
            INSERT INTO plain(rowid, title) VALUES (new.id, new.title); END;
          CREATE TRIGGER plain_ad AFTER DELETE ON book BEGIN
            DELETE FROM plain WHERE rowid = old.id; END;
          CREATE TRIGGER plain_au AFTER UPDATE ON book BEGIN
            INSERT INTO plain(plain, rowid, title) VALUES ('delete', old.id, old.title);
            INSERT INTO plain(rowid, title) VALUES (new.id, new.title); END;
          CREATE TABLE page (id INTEGER PRIMARY KEY, words TEXT);
          CREATE VIRTUAL TABLE alone USING fts5(words, content='page', content_rowid='id');
          INSERT INTO book VALUES (1, 'harbour'), (2, 'quay');
          DELETE FROM book WHERE id = 1
          """)
    }
    // A new database would delete the log.
    try copy.database("Documents/big.sqlite") { db in try db.execute(sql: "CREATE TABLE t (a)") }
    try copy.write(
      Data([0x37, 0x7F, 0x06, 0x82]) + Data(count: 20_000_000), to: "Documents/big.sqlite-wal")
    try copy.write(Data(count: 8192), to: "Documents/zero.sqlite")
    let found = try copy.doctor("--json", "--large", "1")
    #expect(found.status == 1)
    #expect(
      try Set(found.findings.map { $0.replacing(/\s×\d+$/, with: "") }) == [
        "not_excluded_from_backup Documents/movie.mov",
        "not_excluded_from_backup Library/Downloads/movie.mov",
        "torn_database Documents/cut.sqlite", "hot_journal Documents/hot.sqlite",
        "torn_database Documents/short.sqlite", "damaged_database Documents/short.sqlite",
        "torn_log Documents/log.sqlite-wal", "orphaned_log Documents/orphan.sqlite-wal",
        "damaged_database Documents/page.sqlite",
        "wrong_search_triggers Documents/search.sqlite plain",
        "search_triggers_miss_replace Documents/search.sqlite plain",
        "stale_search_index Documents/search.sqlite plain",
        "missing_search_triggers Documents/search.sqlite alone",
        "torn_log Documents/big.sqlite-wal", "oversized_log Documents/big.sqlite-wal",
        "damaged_database Documents/zero.sqlite",
      ])
    for finding in try found.objects {
      for key in ["message", "reason", "advice"] {
        #expect((finding[key] as? String)?.hasSuffix(".") == true, "\(finding)")
      }
    }
  }

  private func cut(_ path: String, in copy: ContainerCopy, by count: Int) throws {
    let bytes = try Data(contentsOf: copy.url(path))
    try bytes.dropLast(count).write(to: copy.url(path))
  }

  private func flip(_ path: String, in copy: ContainerCopy, at place: Int) throws {
    var bytes = try Data(contentsOf: copy.url(path))
    bytes[place] ^= 0xFF
    try bytes.write(to: copy.url(path))
  }

  // MARK: - What is not examined

  #if os(Linux)
    @Test(.enabled(if: OtherSQLite.isThere, "there is no python3 with sqlite3"))
    func aDatabaseInUseIsNotExamined() throws {
      let copy = try ContainerCopy()
      let path = copy.url("Documents/live.sqlite").path(percentEncoded: false)
      let other = try OtherSQLite()
      try other.run("CREATE TABLE t (a)", on: path)
      let open = try copy.doctor("--json")
      #expect(try open.findings == ["live_database Documents/live.sqlite"])
      #expect(open.status == 0)
      try other.run("BEGIN IMMEDIATE", on: path)
      let locked = try copy.doctor("--json")
      #expect(try locked.findings == ["live_database Documents/live.sqlite"])
      let reason = try #require(try locked.objects.first?["reason"] as? String)
      #expect(reason.contains("locked by") && reason.contains("\(other.processIdentifier)"))
    }

    /// What was found in the copy of a database in use, such as a page that is not yet in the file, counts
    /// for nothing.
    @Test(.enabled(if: OtherSQLite.isThere, "there is no python3 with sqlite3"))
    func aDatabaseThatIsOpenedMeanwhileIsNotExamined() throws {
      let copy = try ContainerCopy()
      for name in ["live", "left"] {
        try copy.database("Documents/\(name).sqlite") { db in
          try db.execute(sql: "CREATE TABLE t (a); INSERT INTO t VALUES (zeroblob(9000))")
        }
        try cut("Documents/\(name).sqlite", in: copy, by: 4096)
      }
      let bar = ProgressBar(console: .standard(), isShown: false)
      var examination = try ContainerExamination(
        of: copy.folder, largeByteCount: 20_000_000, bar: bar)
      try examination.examineFiles()
      let before = examination.findings.sorted
      #expect(before.contains { $0.kind == .tornDatabase && $0.file == "Documents/live.sqlite" })
      let other = try OtherSQLite()
      let path = copy.url("Documents/live.sqlite").path(percentEncoded: false)
      try other.run("SELECT 1", on: path)
      examination.examineUses()
      let left = before.filter { $0.file == "Documents/left.sqlite" }
      let after = examination.findings.sorted
      #expect(!left.isEmpty && after.filter { $0.file == "Documents/left.sqlite" } == left)
      #expect(
        after.filter { $0.file == "Documents/live.sqlite" }.map(\.kind) == [.liveDatabase])
    }
  #endif

  @Test func whatCannotBeExaminedIsNoted() throws {
    let copy = try ContainerCopy()
    var random = SeededRandom(seed: 3)
    let noise = Data((0..<8192).map { _ in UInt8.random(in: 0...255, using: &random) })
    try copy.write(noise, to: "Documents/secret.sqlite")
    try copy.write(Data("SQLite format 3\0".utf8) + noise, to: "Documents/header.sqlite")
    try copy.database("Documents/words.sqlite") { db in
      try db.execute(
        sql: """
          CREATE TABLE t (a TEXT);
          INSERT INTO t VALUES ('\(Self.device)/tmp/gone');
          CREATE VIRTUAL TABLE ft USING fts5(a);
          PRAGMA writable_schema = ON;
          UPDATE sqlite_schema SET sql = 'CREATE VIRTUAL TABLE ft USING fts5(a, tokenize = ''own'')'
            WHERE name = 'ft';
          INSERT INTO sqlite_schema VALUES
            ('table', 'v', 'v', 0, 'CREATE VIRTUAL TABLE v USING ownmodule(a)')
          """)
    }
    let found = try copy.doctor("--json")
    #expect(
      try found.findings == [
        "encrypted_database Documents/secret.sqlite", "encrypted_database Documents/header.sqlite",
        "unknown_module Documents/words.sqlite ft", "unknown_module Documents/words.sqlite v",
        "absolute_path Documents/words.sqlite t a", "dead_reference Documents/words.sqlite t a",
      ])
    let reasons = try found.objects.compactMap { $0["reason"] as? String }
    #expect(reasons.contains { $0.contains("no such tokenizer: own") })
    #expect(reasons.contains { $0.contains("ownmodule") })
  }

  @Test func unreadableFoldersAreUnknown() throws {
    let copy = try ContainerCopy()
    try copy.write("x", to: "Documents/inner/x")
    let transcript = try Transcript()
    var examination = try ContainerExamination(
      of: copy.folder, largeByteCount: 1 << 40,
      bar: ProgressBar(console: transcript.console, isShown: false))
    // The call at which listing begins depends on the calls before it, so each is made to fail.
    var names: Set<String> = []
    for number in 1... {
      var damaged = examination
      let fault = SystemFault(atCall: number, .fail(.accessDenied))
      try SystemCalls.$fault.withValue(fault) {
        do { try damaged.run() } catch is ToolError {}
      }
      guard fault.hasStruck else { break }
      for finding in damaged.findings.sorted {
        #expect(finding.kind == .unreadable)
        names.insert(finding.file)
      }
    }
    #expect(names.isSuperset(of: ["Documents/", "Documents/inner/", "Documents/inner/x"]))
    try examination.run()
    #expect(examination.findings.sorted == [])
  }

  @Test func anAbsentFileInAnUnreadableFolderIsUnknown() throws {
    let copy = try ContainerCopy()
    let container = CopiedContainer(folder: try FilePath(of: copy.folder))
    let names = ["Documents", "inner", "x"]
    #expect(container.presence(names) == .absent)
    try FileManager.default.createDirectory(
      at: copy.url("Documents/inner"), withIntermediateDirectories: true)
    var answers: [CopiedContainer.Presence] = []
    for number in 1...4 {
      SystemCalls.$fault.withValue(SystemFault(atCall: number, .fail(.inputOutput))) {
        answers.append(container.presence(names))
      }
    }
    #expect(answers.prefix(3) == [.unknown, .unknown, .unknown])
    #expect(container.presence(["Library", "WebKit", "x"]) == .unknown)
    #expect(container.presence(["SystemData", "x"]) == .unknown)
    #expect(container.presence(["Documents", "..", "x"]) == .unknown)
  }

  @Test func aNameInTheOtherNormalizationIsPresent() throws {
    let copy = try ContainerCopy()
    try copy.write("x", to: "Documents/cafe\u{301}.m4b")
    let container = CopiedContainer(folder: try FilePath(of: copy.folder))
    #expect(container.presence(["Documents", "caf\u{E9}.m4b"]) == .present)
    #expect(container.presence(["Documents", "cafe.m4b"]) == .absent)
  }

  @Test func oddFilesAreSkippedAndLinksNotFollowed() throws {
    let copy = try ContainerCopy()
    let outside = try TemporaryDirectory()
    try Data("{\"a\": \"\(Self.device)/tmp/x\"}".utf8).write(to: outside.file("outside.json"))
    try FileManager.default.createSymbolicLink(
      at: copy.url("Documents/link"), withDestinationURL: outside.url)
    try FileManager.default.createSymbolicLink(
      at: copy.url("Documents/link.json"), withDestinationURL: outside.file("outside.json"))
    try FileManager.default.createSymbolicLink(
      atPath: copy.url("Documents/loop").path(percentEncoded: false), withDestinationPath: ".")
    let made = try ToolProcess.run(
      URL(filePath: "/bin/sh"),
      [
        "-c", "mkfifo \"$1/pipe.json\" && printf x > \"$1/$(printf 'bad\\377')\"", "sh",
        copy.url("Documents").path(percentEncoded: false),
      ])
    // Foundation does not remove such a name.
    defer {
      _ = try? ToolProcess.run(URL(filePath: "/bin/rm"), ["-rf", copy.folder.path])
    }
    try #require(made.status == 0, "\(made.errors)")
    try copy.write("{\"a\": [\"\(Self.device)/Documents/link/outside.json\"]}", to: "tmp/a.json")
    let result = try ToolProcess.run("doctor", copy.folder.path(percentEncoded: false), "--json")
    #expect(
      try result.findings == [
        "unreadable Documents/bad\u{FFFD}", "absolute_path tmp/a.json a[]",
        "unknown_reference tmp/a.json a[]",
      ])
  }

  /// SQLite deletes the super-journal that a hot journal names, wherever it is.
  @Test func theSuperJournalOfAHotJournalIsNotDeleted() throws {
    let copy = try ContainerCopy()
    try copy.copyOpen(
      "Documents/hot.sqlite", suffixes: ["-journal"], journalMode: "DELETE", "BEGIN",
      "UPDATE t SET a = 'x' || a")
    let victim = copy.directory.file("victim")
    try Data("mine".utf8).write(to: victim)
    let name = Array(victim.path(percentEncoded: false).utf8)
    func number(_ value: UInt32) -> [UInt8] {
      (0..<4).reversed().map { UInt8(value >> ($0 * 8) & 255) }
    }
    let sum = name.reduce(UInt32(0)) { $0 &+ UInt32(bitPattern: Int32(Int8(bitPattern: $1))) }
    let journal = copy.url("Documents/hot.sqlite-journal")
    let trailer =
      number(0x4000_0000 / 4096 + 1) + name + number(UInt32(name.count)) + number(sum)
      + [0xD9, 0xD5, 0x05, 0xF9, 0x20, 0xA1, 0x63, 0xD7]
    try (Data(contentsOf: journal) + Data(trailer)).write(to: journal)
    let found = try copy.doctor("--json")
    #expect(try found.findings == ["hot_journal Documents/hot.sqlite"])
    #expect(
      try found.objects.first?["reason"] as? String == "The database is inconsistent until "
        + "the journal is rolled back, and the journal names a super-journal by an absolute path: "
        + "after a move it is ignored, and the damage stays.")
    #expect(try Data(contentsOf: victim) == Data("mine".utf8))
  }

  // MARK: - The command

  @Test func aFolderWithoutAnythingHasNoFindings() throws {
    let directory = try TemporaryDirectory()
    let result = try ToolProcess.run("doctor", ".", in: directory.url)
    #expect(result.status == 0)
    #expect(result.errors == "Nothing that hurts: no file and no database seen.\n")
  }

  @Test func whatIsNoFolderIsRefused() throws {
    let directory = try TemporaryDirectory()
    let missing = try ToolProcess.run("doctor", "Gone", in: directory.url)
    #expect(missing.status == 66)
    #expect(missing.complaint.first == "There is no folder 'Gone'.")
    try Data("x".utf8).write(to: directory.file("file"))
    let file = try ToolProcess.run("doctor", "file", "--json", in: directory.url)
    #expect(file.status == 66)
    #expect(
      file.errors.hasPrefix(
        "{\"error\":\"no_input\",\"message\":\"'file' is a file, not a folder.\""))
    let inside = try ToolProcess.run(
      ToolProcess.executable, ["doctor", "."], environment: ["TMPDIR": directory.url.path],
      in: directory.url)
    #expect(inside.status == 73)
    #expect(inside.errors.contains("Set TMPDIR"))
  }

  @Test func nothingStaysInTheTemporaryFolder() throws {
    let copy = try ContainerCopy()
    try healthy(copy)
    let temporary = try TemporaryDirectory()
    let result = try ToolProcess.run(
      ToolProcess.executable, ["doctor", "Copy"], environment: ["TMPDIR": temporary.url.path],
      in: copy.directory.url)
    #expect(result.status == 0)
    #expect(try temporary.names == [])
  }

  @Test func whatAKilledProcessLeftIsRemovedByTheNext() throws {
    let copy = try ContainerCopy()
    try healthy(copy)
    let temporary = try TemporaryDirectory()
    // The last one is somebody else's, who only calls it so.
    let names = (0..<3).map { _ in "holdfast-copies-\(UUID())" } + ["holdfast-copies-of-mine"]
    let folders = names.map { temporary.file($0) }
    for folder in folders {
      try FileManager.default.createDirectory(
        at: folder.appending(path: "files"), withIntermediateDirectories: true)
    }
    try Data("a copy".utf8).write(to: folders[0].appending(path: "files/database"))
    for number in [0, 3] { try Data().write(to: folders[number].appending(path: "lock")) }
    let lock = try FileLock(at: folders[1].appending(path: "lock"))
    try FileManager.default.removeItem(at: folders[2].appending(path: "files"))
    let result = try ToolProcess.run(
      ToolProcess.executable, ["doctor", "Copy"], environment: ["TMPDIR": temporary.url.path],
      in: copy.directory.url)
    #expect(result.status == 0)
    #expect(try temporary.names == [names[1], names[3]].sorted())
    lock.release()
  }

  /// A private copy of such a file filled the volume of the temporary folder.
  @Test(.timeLimit(.minutes(1))) func aSparseDatabaseTakesNoSpaceInTheTemporaryFolder() throws {
    let copy = try ContainerCopy()
    try copy.database("Documents/a.db") { db in try db.execute(sql: "CREATE TABLE t (a)") }
    for name in ["a.db", "a.json"] {
      let url = copy.url("Documents/\(name)")
      if name == "a.json" { try copy.write("[", to: "Documents/a.json") }
      let file = try FileHandle(forWritingTo: url)
      try file.truncate(atOffset: 200 << 30)
      try file.close()
    }
    let temporary = try TemporaryDirectory()
    let result = try ToolProcess.run(
      ToolProcess.executable, ["doctor", "Copy", "--json"],
      environment: ["TMPDIR": temporary.url.path], in: copy.directory.url)
    #expect([0, 1].contains(result.status), "\(result.errors)")
    #expect(try temporary.names == [])
  }

  @Test(arguments: [SIGINT, SIGTERM, SIGHUP])
  func anInterruptionRemovesThePrivateFolder(signal: Int32) throws {
    let copy = try ContainerCopy()
    // Long enough to be read for seconds.
    try copy.write("[" + String(repeating: " ", count: 16 << 20), to: "Documents/long.json")
    let temporary = try TemporaryDirectory()
    let process = Process()
    process.executableURL = ToolProcess.executable
    process.arguments = ["doctor", copy.folder.path(percentEncoded: false)]
    process.environment = ProcessInfo.processInfo.environment.merging(
      ["TMPDIR": temporary.url.path(percentEncoded: false)]) { $1 }
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.runObeyingSignals()
    while try temporary.names.isEmpty { try #require(process.isRunning) }
    let name = try #require(try temporary.names.first)
    let mode =
      try FileManager.default.attributesOfItem(
        atPath: temporary.file(name).path(percentEncoded: false))[.posixPermissions] as? Int
    #expect(mode == 0o700)
    kill(process.processIdentifier, signal)
    process.waitUntilExit()
    #expect(process.terminationStatus == 128 + signal)
    #expect(try temporary.names == [])
  }

  @Test func aFileWithTheNameOfALogIsRead() throws {
    let copy = try ContainerCopy()
    try copy.write("[\"\(Self.device)/Documents\"]", to: "Documents/my-journal")
    #expect(try copy.doctor("--json").findings == ["absolute_path Documents/my-journal []"])
  }

  /// A finding on a terminal fits its width, and says what, where, why and what to do.
  @Test(arguments: [80, 30]) func aFindingFitsTheTerminal(columns: Int) throws {
    let path = try #require(StoredPath("\(Self.device)/Documents/downloads/book.m4b"))
    let finding = Finding.absolutePath(
      path, in: "Documents/a.sqlite", at: Finding.Place(table: "track", column: "file"))
    let lines = finding.lines(columns: columns)
    #expect(lines.allSatisfy { $0.displayWidth <= columns })
    let text = lines.joined(separator: " ")
    for word in ["warning:", "table", "would become:", "why:", "do:"] {
      #expect(text.contains(word))
    }
    #expect(
      finding.lines(columns: nil).first == "warning: Documents/a.sqlite, table track, column file")
  }

  @Test func manyFindingsAreCountedInBoundedMemory() {
    var collector = FindingCollector()
    for number in 0..<5000 {
      collector.add(.unreadable("f\(number)", because: "x"))
      collector.add(.deadReference("x", in: "one.json", at: Finding.Place(key: "k\(number)")))
    }
    let findings = collector.sorted
    #expect(findings.count { $0.kind == .unreadable } == FindingCollector.findingsPerKind)
    #expect(collector.unlistedCount == 4000)
    let dead = findings.filter { $0.kind == .deadReference }
    #expect(dead.map(\.count).reduce(0, +) == 5000)
    #expect(dead.count == FindingCollector.placesPerFile + 1)
    // Databases are examined apart from the other files.
    var other = FindingCollector()
    other.add(collector)
    #expect(other.sorted == findings)
    #expect(other.unlistedCount == collector.unlistedCount)
  }
}
