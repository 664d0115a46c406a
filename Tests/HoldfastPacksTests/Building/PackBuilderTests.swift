import Foundation
import Holdfast
import HoldfastFiles
import HoldfastPacks
import HoldfastTestSupport
import Synchronization
import Testing

@Suite struct PackBuilderTests {
  let directory: TemporaryDirectory
  let source: URL

  init() throws {
    directory = try TemporaryDirectory()
    source = directory.file("source")
    try FileManager.default.createDirectory(
      at: source.appending(path: "styles"), withIntermediateDirectories: true)
    try Self.writeDatabase(source.appending(path: "map.mbtiles"))
    try Self.writeDatabase(source.appending(path: "notes.sqlite"))
    try Data(#"{"version":8,"sources":{},"layers":[],"url":"{{mbtiles_path}}"}"#.utf8)
      .write(to: source.appending(path: "styles/light.json"))
    try Data(#"{"version":7}"#.utf8).write(to: source.appending(path: "about.json"))
    try Data().write(to: source.appending(path: "empty.txt"))
  }

  private static func writeDatabase(_ url: URL, journalMode: String = "DELETE") throws {
    let queue = try DatabaseQueue(path: url.path)
    try queue.writeWithoutTransaction { db in
      try db.execute(sql: "PRAGMA journal_mode = \(journalMode)")
      try db.execute(
        sql: """
          PRAGMA application_id = 42; PRAGMA user_version = 7;
          CREATE TABLE t (n INTEGER PRIMARY KEY, text TEXT);
          WITH RECURSIVE s(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM s WHERE n < 2000)
          INSERT INTO t SELECT n, 'row ' || n FROM s;
          CREATE INDEX i ON t (text);
          """)
    }
    try queue.close()
  }

  private func description(_ version: String = "2025.1") throws -> PackDescription {
    var description = PackDescription(
      name: try PackName("map"), version: try PackVersion(version),
      edition: try PackEdition("2025"))
    description.storages[try PackPath("notes.sqlite")] = .seeded
    return description
  }

  private func build(
    _ name: String = "pack", _ change: (inout PackBuilder) throws -> Void = { _ in }
  ) throws -> PackBuilder.Report {
    var builder = PackBuilder(try description())
    try change(&builder)
    return try builder.build(filesIn: source, to: directory.file(name))
  }

  private func refusal(_ name: String = "pack") throws -> PackError {
    let before = try directory.names
    let error = try #require(throws: PackError.self) { try build(name) }
    // Nothing is left after an error.
    #expect(try directory.names == before)
    return error
  }

  private func file(_ name: String) -> URL { source.appending(path: name) }

  @Test func `The kinds of files are known by their content`() throws {
    let report = try build()
    let files = report.manifest.files
    #expect(
      files.map { "\($0.path) \($0.kind) \($0.storage)" } == [
        "about.json plain sealed", "empty.txt plain sealed", "map.mbtiles mbtiles sealed",
        "notes.sqlite sqlite seeded", "styles/light.json style sealed",
      ])
    let map = try #require(report.manifest.file(at: "map.mbtiles"))
    #expect(map.schema == PackFile.Schema(applicationID: 42, userVersion: 7))
    #expect(map.pageSize == 4096)
    #expect(map.content == (try FileDigest(of: file("map.mbtiles"))))
    #expect(try PackManifest(of: directory.file("pack")) == report.manifest)
    let verification = try PackVerification(of: directory.file("pack"))
    #expect(verification.isWhole && verification.surplus.isEmpty)
  }

  @Test func `An archive of tiles is known by its first bytes, and nothing else has its name`()
    throws
  {
    try Data("PMTiles\u{3} and all else".utf8).write(to: file("tiles.pmtiles"))
    let checked = Journal<String>()
    let report = try build("archive") {
      $0.checks = [
        .pmtiles: { file in
          checked.append(file.lastPathComponent)
          return ["a warning"]
        }
      ]
    }
    #expect(report.manifest.file(at: "tiles.pmtiles")?.kind == .pmtiles)
    #expect(checked.entries == ["tiles.pmtiles"])
    #expect(report.warnings == ["'tiles.pmtiles': a warning"])
    #expect(try PackManifest(of: directory.file("archive")) == report.manifest)

    try Data("<html>".utf8).write(to: file("tiles.pmtiles"))
    let error = try refusal()
    #expect(error.code == .unsuitable && error.message.contains("no archive") == false)
    #expect(error.message.contains("called like a PMTiles archive"))
    let plain = try build("plain") {
      $0.description.kinds[try PackPath("tiles.pmtiles")] = .plain
    }
    #expect(plain.manifest.file(at: "tiles.pmtiles")?.kind == .plain)
    try FileManager.default.removeItem(at: file("tiles.pmtiles"))
    #expect(throws: PackError.self) {
      try build("described") { $0.description.kinds[try PackPath("empty.txt")] = .pmtiles }
    }
  }

  @Test func `What another version of SQLite computes differently is named`() throws {
    #expect(try build("sound").warnings == [])
    let queue = try DatabaseQueue(path: file("notes.sqlite").path)
    try queue.write { try $0.execute(sql: "CREATE INDEX r ON t (round(n / 3.0, 2))") }
    try queue.close()
    #expect(
      try build("other").warnings == [
        "In 'notes.sqlite' the index 'r' of 't' depends on SQLite's version: it calls round()."
      ])
  }

  @Test func `The same files give the same bytes, wherever they lie`() throws {
    let first = try build("one")
    let copy = directory.file("copy")
    try FileManager.default.copyItem(at: source, to: copy)
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSince1970: 0), .posixPermissions: 0o600],
      ofItemAtPath: copy.appending(path: "empty.txt").path)
    let second = try PackBuilder(description()).build(filesIn: copy, to: directory.file("two"))
    #expect(first.manifest.data == second.manifest.data)
    for file in first.manifest.files {
      let path = file.path.description
      #expect(
        try Data(contentsOf: directory.file("one").appending(path: path))
          == Data(contentsOf: directory.file("two").appending(path: path)))
    }
  }

  @Test func `The source is only read`() throws {
    func moments() throws -> [String: String] {
      var moments: [String: String] = [:]
      for name in try FileManager.default.subpathsOfDirectory(atPath: source.path) {
        let status = try SystemCalls.linkStatus(of: file(name).path)
        moments[name] = "\(status.modified) \(status.changed) \(status.inode)"
      }
      return moments
    }
    let before = try moments()
    _ = try build()
    #expect(try moments() == before)
  }

  @Test func `A pack that is there already stays as it is`() throws {
    _ = try build()
    let before = try SystemCalls.linkStatus(of: directory.file("pack").path)
    #expect(try build().isUnchanged)
    #expect(try SystemCalls.linkStatus(of: directory.file("pack").path) == before)
    #expect(try directory.names == ["pack", "source"])
  }

  @Test func `Another pack is replaced only on request, and anything else never`() throws {
    _ = try build()
    try Data("news".utf8).write(to: file("about.json"))
    #expect(try refusal().code == .occupied)
    let replaced = try build { $0.replacesPack = true }
    #expect(!replaced.isUnchanged)
    #expect(try PackVerification(of: directory.file("pack")).isWhole)
    #expect(try directory.names == ["pack", "source"])

    // A damaged pack.
    try Data("{".utf8).write(to: directory.file("pack").appending(path: "pack.json"))
    #expect(try refusal().code == .occupied)
    _ = try build { $0.replacesPack = true }

    try FileManager.default.createDirectory(
      at: directory.file("photos"), withIntermediateDirectories: false)
    _ = try build("photos")
    try FileManager.default.removeItem(
      at: directory.file("photos").appending(path: "pack.json"))
    #expect(throws: PackError.self) { try build("photos") { $0.replacesPack = true } }
    #expect(
      FileManager.default.fileExists(
        atPath: directory.file("photos").appending(path: "map.mbtiles").path))
    try Data().write(to: directory.file("file"))
    #expect(throws: PackError.self) { try build("file") { $0.replacesPack = true } }
  }

  @Test func `What a killed process left does not disturb the next build`() throws {
    let staging = directory.file(".pack.holdfast-staging")
    try FileManager.default.createDirectory(
      at: staging.appending(path: "styles"), withIntermediateDirectories: true)
    try Data().write(to: directory.file(".pack.lock"))
    _ = try build()
    #expect(try directory.names == ["pack", "source"])
  }

  @Test func `A pack that is replaced is there at every moment`() throws {
    _ = try build()
    func replacement(_ text: String, _ fault: SystemFault) throws -> Bool {
      try Data(text.utf8).write(to: file("about.json"))
      return try SystemCalls.$fault.withValue(fault) {
        try !build { $0.replacesPack = true }.isUnchanged
      }
    }
    let counting = SystemFault(atCall: .max, .fail(.noSpace))
    #expect(try replacement("news", counting))
    let manifest = directory.file("pack").appending(path: "pack.json").path
    let absences = Mutex<[Int]>([])
    for call in 1...counting.callsSeen.count {
      let look = SystemFault(
        atCall: call,
        .overtake {
          if !FileManager.default.fileExists(atPath: manifest) {
            absences.withLock { $0.append(call) }
          }
        })
      #expect(try replacement("news \(call)", look))
      #expect(look.hasStruck)
    }
    #expect(absences.withLock { $0 } == [])
    #expect(try directory.names == ["pack", "source"])
  }

  /// As on a volume that exchanges no names.
  @Test func `A replaced pack comes back if the new one did not take its place`() throws {
    let first = try build()
    try Data("news".utf8).write(to: file("about.json"))
    let manifest = directory.file("pack").appending(path: "pack.json")
    let counting = SystemFault(atCall: 1, .refuse([.renameat2: .invalidArgument]))
    try SystemCalls.$fault.withValue(counting) {
      _ = try build { $0.replacesPack = true }
    }
    #expect(try Data(contentsOf: manifest) != first.manifest.data)
    #expect(try directory.names == ["pack", "source"])

    // A process was killed between the two renames, and what is built next cannot be built.
    try SystemCalls.move(
      directory.file("pack").path, to: directory.file(".pack.holdfast-replaced").path)
    try Data("SQLite".utf8).write(to: file("bad.sqlite"))
    #expect(throws: PackError.self) { try build { $0.replacesPack = true } }
    #expect(try PackVerification(of: directory.file("pack")).isWhole)
    #expect(try directory.names == ["pack", "source"])
  }

  @Test func `Only one process builds a pack at a time`() throws {
    let lock = try FileLock(at: directory.file(".pack.lock"))
    let error = try #require(throws: FileError.self) { try build() }
    #expect(error.code == .busy)
    lock.release()
    _ = try build()
  }

  @Test func `A build that fails at any call leaves nothing visible`() throws {
    let counting = SystemFault(atCall: .max, .fail(.noSpace))
    _ = try SystemCalls.$fault.withValue(counting) { try build("counted") }
    let count = counting.callsSeen.count
    #expect(count > 30)
    for call in 1...count {
      let fault = SystemFault(atCall: call, .failFromHere(.noSpace))
      var isBuilt = false
      SystemCalls.$fault.withValue(fault) {
        do {
          _ = try build()
          isBuilt = true
        } catch {
          #expect(error is PackError || error is FileError || error is SharingError, "\(error)")
        }
      }
      let pack = directory.file("pack")
      if FileManager.default.fileExists(atPath: pack.path) {
        #expect(try PackVerification(of: pack).isWhole, "after call \(call)")
        try FileManager.default.removeItem(at: pack)
      } else {
        #expect(!isBuilt)
      }
    }
  }

  // MARK: - What is refused

  @Test func `A database with changes in a log is refused`() throws {
    let queue = try DatabaseQueue(path: file("map.mbtiles").path)
    try queue.writeWithoutTransaction { db in
      try db.execute(sql: "PRAGMA journal_mode = WAL; INSERT INTO t (text) VALUES ('new')")
    }
    let error = try refusal()
    #expect(error.code == .unsuitable)
    #expect(error.message.contains("'map.mbtiles-wal' contains changes"))
    try queue.close()
    #expect(try refusal().message.contains("write-ahead-log mode"))
  }

  /// In this mode SQLite overwrites the journal's header, and keeps the rest.
  @Test func `A journal with nothing to write back is left out`() throws {
    let queue = try DatabaseQueue(path: file("map.mbtiles").path)
    try queue.writeWithoutTransaction { db in
      try db.execute(sql: "PRAGMA journal_mode = PERSIST; INSERT INTO t (text) VALUES ('new')")
    }
    try queue.close()
    let journal = file("map.mbtiles-journal")
    var bytes = try Data(contentsOf: journal)
    #expect(bytes.first == 0 && bytes.contains { $0 != 0 })
    let report = try build()
    #expect(report.ignored.contains("map.mbtiles-journal"))
    bytes[0] = 0xD9
    try bytes.write(to: journal)
    #expect(try refusal().message.contains("'map.mbtiles-journal' contains changes"))
  }

  @Test func `A damaged database is refused, with what the check found`() throws {
    // The index no longer agrees with the table.
    let handle = try FileHandle(forUpdating: file("map.mbtiles"))
    let size = try handle.seekToEnd()
    for page in stride(from: UInt64(4096), to: size, by: 4096) {
      try handle.seek(toOffset: page + 2000)
      try handle.write(contentsOf: Data(repeating: 0xFF, count: 64))
    }
    try handle.close()
    let error = try refusal()
    #expect(error.code == .unsuitable)
    #expect(error.message.contains("'map.mbtiles' was not packed, because the database is damaged"))
  }

  @Test func `Rows that break a constraint are a warning`() throws {
    try change("notes.sqlite") { db in
      try db.execute(
        sql: """
          CREATE TABLE c (k, l);
          INSERT INTO c VALUES (NULL, 1), (NULL, 2), (3, 3);
          PRAGMA writable_schema = ON;
          UPDATE sqlite_schema SET sql = 'CREATE TABLE c (k NOT NULL, l)' WHERE name = 'c'
          """)
    }
    #expect(
      try build().warnings == [
        "In 'notes.sqlite' 2 rows of 'c' break the constraint that 'k' is not NULL."
      ])
  }

  @Test func `A schema that only another version reads is not called damaged`() throws {
    try change("notes.sqlite") { db in
      try db.execute(
        sql: """
          PRAGMA writable_schema = ON;
          INSERT INTO sqlite_schema VALUES ('index', 'ft', 't', 0, 'CREATE INDEX ft ON t USING fts (text)')
          """)
    }
    let error = try refusal()
    #expect(error.code == .unsuitable)
    #expect(error.message.contains("cannot read its schema: near \"USING\": syntax error"))
    #expect(error.advice?.contains("the version that wrote the database") == true)
  }

  private func change(_ name: String, _ body: (Database) throws -> Void) throws {
    let queue = try DatabaseQueue(path: file(name).path)
    try queue.writeWithoutTransaction(body)
    try queue.close()
  }

  @Test func `A cut database is refused`() throws {
    let handle = try FileHandle(forUpdating: file("map.mbtiles"))
    let size = try handle.seekToEnd()
    // SQLite ignores what follows the last page.
    try handle.truncate(atOffset: size + 4096)
    _ = try build("longer")
    try handle.truncate(atOffset: size - 4096)
    try handle.close()
    #expect(try refusal().message.contains("its header states \(size) bytes"))
  }

  @Test(arguments: ["", "not a database", "SQLite format 3"])
  func `A file that is called like a database and is none is refused`(_ text: String) throws {
    try Data(text.utf8).write(to: file("map.mbtiles"))
    #expect(try refusal().message.contains("'map.mbtiles' was not packed: it is called like"))
    _ = try build { $0.description.kinds[try PackPath("map.mbtiles")] = .plain }
  }

  /// As where a build machine fetches a repository without its large files.
  @Test func `A pointer of Git LFS is refused, whatever its name`() throws {
    for name in ["map.mbtiles", "voice.m4a"] {
      try Data("version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 9\n".utf8)
        .write(to: file(name))
      let error = try refusal()
      #expect(
        error.message
          == "'\(name)' was not packed: it is a pointer of Git LFS in place of the file.")
      #expect(error.advice == "Fetch the file itself: git lfs pull")
      try Data("other".utf8).write(to: file(name))
      if name == "map.mbtiles" { try FileManager.default.removeItem(at: file(name)) }
    }
    _ = try build()
  }

  @Test func `Links, colliding names and an empty folder are refused`() throws {
    try FileManager.default.createSymbolicLink(
      at: file("link"), withDestinationURL: file("about.json"))
    #expect(try refusal().message.contains("'link' is a symbolic link"))
    try FileManager.default.removeItem(at: file("link"))
    try Data().write(to: file("ABOUT.json"))
    #expect(try refusal().message.contains("one name where letter case"))
    try FileManager.default.removeItem(at: source)
    try FileManager.default.createDirectory(at: source, withIntermediateDirectories: false)
    #expect(try refusal().message.contains("contains no file"))
    #expect(throws: PackError.self) { try build("source/pack") }
    try Data("{}".utf8).write(to: file("pack.json"))
    #expect(try refusal().message.contains("is a pack already"))
  }

  @Test func `Hidden files and empty logs are left out, and named`() throws {
    try Data("x".utf8).write(to: file(".DS_Store"))
    try FileManager.default.createDirectory(
      at: file(".git"), withIntermediateDirectories: false)
    try Data("x".utf8).write(to: file(".git/config"))
    try Data().write(to: file("map.mbtiles-wal"))
    try Data("{}".utf8).write(to: file("pack-source.json"))
    let report = try build()
    #expect(
      report.ignored == [".DS_Store", ".git/config", "map.mbtiles-wal", "pack-source.json"])
    #expect(report.manifest.files.count == 5)
  }

  @Test func `A check of the caller refuses a file, and sees the whole pack`() throws {
    struct Refusal: Error {}
    let error = try #require(throws: PackError.self) {
      try build { builder in
        builder.checks[.style] = { url in
          let map = url.deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "map.mbtiles")
          #expect(FileManager.default.fileExists(atPath: map.path))
          throw Refusal()
        }
      }
    }
    #expect(error.code == .unsuitable)
    #expect(error.path == "styles/light.json")
    #expect(error.underlying is Refusal)
    #expect(try directory.names == ["source"])
  }

  // MARK: - The description

  @Test func `A description in the folder is read`() throws {
    try Data(
      """
      {"name": "Map", "version": "3", "edition": "2025",
       "files": {"about.json": {"kind": "plain"}, "notes.sqlite": {"storage": "seeded"}}}
      """.utf8
    ).write(to: file("pack-source.json"))
    let description = try PackDescription(of: source)
    let report = try PackBuilder(description).build(filesIn: source, to: directory.file("x"))
    #expect(report.manifest.name.description == "Map")
    #expect(report.manifest.version.description == "3")
    #expect(report.manifest.file(at: "notes.sqlite")?.storage == .seeded)
  }

  @Test(arguments: [
    (#"{"nmae":"map"}"#, "'nmae'"), (#"{"files":{"a":{"knd":"plain"}}}"#, "'knd'"),
    (#"{"files":{"a":{"kind":"film"}}}"#, "'film'"), ("[]", "no JSON object"), ("", "no JSON"),
    (#"{"version":1}"#, "'version' is no text"), (#"{"files":{"a":"plain"}}"#, "'a' in 'files'"),
  ])
  func `A misspelled description is refused`(_ text: String, _ part: String) throws {
    try Data(text.utf8).write(to: file("pack-source.json"))
    let error = try #require(throws: PackError.self) { try PackDescription(of: source) }
    #expect(error.code == .invalidManifest)
    #expect(error.message.contains(part), "\(error)")
  }

  @Test func `A description of a file that does not exist is refused`() throws {
    let error = try #require(throws: PackError.self) {
      try build { $0.description.storages[try PackPath("nothing.sqlite")] = .sealed }
    }
    #expect(error.message.contains("'nothing.sqlite', which does not exist"))
    #expect(throws: PackError.self) { try build { $0.description.version = nil } }
    #expect(throws: PackError.self) {
      try build { $0.description.storages[try PackPath("about.json")] = .seeded }
    }
    #expect(throws: PackError.self) {
      try build { $0.description.kinds[try PackPath("about.json")] = .style }
    }
  }
}
