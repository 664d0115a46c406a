import Foundation
import Holdfast
import HoldfastFiles
import HoldfastPacks
import HoldfastTestSupport
import Testing

@Suite struct PackVerbTests {
  let place: FestivalPacks

  init() throws { place = try FestivalPacks() }

  private func json(_ words: String...) throws -> [[String: Any]] {
    let result = try ToolProcess.run(words: words + ["--json"], in: place.directory.url)
    try #require(result.status == 0, "\(result.errors)")
    #expect(result.errors == "")
    return try result.objects
  }

  private func object(_ words: String...) throws -> [String: Any] {
    let result = try ToolProcess.run(words: words + ["--json"], in: place.directory.url)
    try #require(result.status == 0, "\(result.errors)")
    return try #require(try result.objects.first)
  }

  // MARK: - Building

  @Test func `A pack is built, and again without a change`() throws {
    let words = ["pack", "build", "source", "map", "--version", "2025.1", "--json"]
    let first = try ToolProcess.run(words: words, in: place.directory.url)
    #expect((first.status, first.errors) == (0, ""))
    #expect(
      first.keys == [
        "output", "name", "version", "edition", "generation", "files", "bytes", "kinds",
        "changed", "ignored", "warnings",
      ])
    #expect(try first.objects.first?["changed"] as? Bool == true)
    #expect(try first.objects.first?["name"] as? String == "map")
    let second = try ToolProcess.run(words: words, in: place.directory.url)
    #expect(try second.objects.first?["changed"] as? Bool == false)
    #expect(try PackVerification(of: place.directory.file("map")).isWhole)
  }

  @Test func `What cannot be built is refused with what to do`() throws {
    let noVersion = try place.run("pack", "build", "source", "map")
    #expect(noVersion.status == 65)
    #expect(noVersion.complaint.count == 2)
    let badVersion = try place.run("pack", "build", "source", "map", "--version", "01")
    #expect(badVersion.status == 64)
    let noSource = try place.run("pack", "build", "nothing", "map", "--version", "1")
    #expect(noSource.status == 66)
    #expect(noSource.complaint.first == "There is no folder 'nothing'.")
    let file = try place.run("pack", "build", "source/map.mbtiles", "map", "--version", "1")
    #expect(file.status == 66)
    #expect(file.complaint.first == "'source/map.mbtiles' is a file, not a folder.")
    try place.build("1")
    let occupied = try place.run(
      "pack", "build", "source", "pack-1", "--name", "map", "--version", "2")
    #expect(occupied.status == 73)
    let replaced = try place.run(
      "pack", "build", "source", "pack-1", "--name", "map", "--version", "2", "--replace")
    #expect(replaced.status == 0)
    try Data("SQLite".utf8).write(to: place.directory.file("source/bad.sqlite"))
    let bad = try place.run("pack", "build", "source", "bad", "--version", "1")
    #expect(bad.status == 65)
    #expect(bad.complaint.first?.hasPrefix("'bad.sqlite' was not packed") == true)
    #expect(try place.directory.names == ["Festival.xcappdata", "pack-1", "source"])
  }

  @Test func `A pack is inspected with all its files`() throws {
    try place.build("1")
    let pack = try object("pack", "inspect", "pack-1")
    #expect(pack["name"] as? String == "map")
    let files = try #require(pack["files"] as? [[String: Any]])
    #expect(
      files.map { $0["path"] as? String } == ["about.txt", "map.mbtiles", "styles/light.json"])
    #expect(files.map { $0["kind"] as? String } == ["plain", "mbtiles", "style"])
    #expect(files[1]["user_version"] as? Int == 4)
    let text = try place.run("pack", "inspect", "pack-1")
    #expect(text.output.contains("map.mbtiles"))
    #expect(try place.run("pack", "inspect", "source").status == 66)
    #expect(try place.run("pack", "inspect", "nothing").status == 66)
  }

  @Test func `A tileset or a style that a map could not use is not packed`() throws {
    try Data("{}".utf8).write(to: place.directory.file("source/styles/light.json"))
    try Data(#"{"version": 8, "sources": {}, "layers": [{"id": "a", "source": "b"}]}"#.utf8)
      .write(to: place.directory.file("source/styles/dark.json"))
    let style = try place.run("pack", "build", "source", "map", "--version", "1")
    #expect(style.status == 65)
    #expect(style.complaint.first?.hasPrefix("'styles/dark.json' was not packed") == true)
    try FileManager.default.removeItem(at: place.directory.file("source/styles/dark.json"))
    let queue = try DatabaseQueue(path: place.directory.file("source/map.mbtiles").path)
    try queue.write { db in try db.execute(sql: "DROP TABLE tiles") }
    try queue.close()
    let tiles = try place.run("pack", "build", "source", "map", "--version", "1")
    #expect(tiles.status == 65)
    #expect(tiles.complaint.first?.hasPrefix("'map.mbtiles' was not packed") == true)
    #expect(try place.directory.names == ["Festival.xcappdata", "source"])
  }

  // MARK: - Installing

  @Test func `A pack is installed, upgraded, rolled back and switched`() throws {
    try place.build("1")
    try place.build("1.1")
    let first = try object("pack", "install", "pack-1", "Festival.xcappdata")
    #expect(first["action"] as? String == "installed")
    let one = try #require(first["generation"] as? String)
    let second = try object("pack", "install", "pack-1.1", "Festival.xcappdata")
    #expect(second["action"] as? String == "upgraded")
    #expect(second["from"] as? String == one)
    let two = try #require(second["generation"] as? String)
    #expect(
      try object("pack", "install", "pack-1.1", "Festival.xcappdata")["action"] as? String
        == "kept")

    func states() throws -> [String: String] {
      let lines = try json("pack", "list", "Festival.xcappdata")
      return Dictionary(
        uniqueKeysWithValues: lines.map {
          ($0["generation"] as? String ?? "", $0["state"] as? String ?? "")
        })
    }
    #expect(try states() == [one: "previous", two: "current"])
    #expect(
      try object("pack", "rollback", "Festival.xcappdata", "map")["generation"] as? String == one)
    #expect(try states()[one] == "current")
    #expect(
      try object("pack", "switch", "Festival.xcappdata", "map", "1.1")["generation"] as? String
        == two)
    #expect(
      try object("pack", "switch", "Festival.xcappdata", "map", one)["generation"] as? String
        == one)
    #expect(try place.run("pack", "switch", "Festival.xcappdata", "map", "9").status == 66)
  }

  @Test func `A lower version is refused unless it is asked for`() throws {
    try place.install("2")
    try place.build("1")
    let refused = try place.run("pack", "install", "pack-1", "Festival.xcappdata")
    #expect(refused.status == 65)
    #expect(refused.output == "")
    #expect(refused.complaint.count == 2)
    #expect(refused.complaint.last?.contains("--allow-downgrade") == true)
    let report = try object(
      "pack", "install", "pack-1", "Festival.xcappdata", "--allow-downgrade")
    #expect(report["action"] as? String == "downgraded")
  }

  // IB-13
  @Test func `A downloaded pack is preferred to the same version of the bundle`() throws {
    try place.install("1")
    try Data("corrected".utf8).write(to: place.directory.file("source/about.txt"))
    let built = try place.run(
      "pack", "build", "source", "bundle", "--name", "map", "--version", "1")
    try #require(built.status == 0)
    let kept = try object("pack", "install", "bundle", "Festival.xcappdata", "--as-bundle")
    #expect(kept["action"] as? String == "kept")
    let replaced = try object("pack", "install", "bundle", "Festival.xcappdata")
    #expect(replaced["action"] as? String == "upgraded")
  }

  @Test func `A container that does not exist is refused, and a folder is prepared`() throws {
    try place.build("1")
    #expect(try place.run("pack", "install", "pack-1", "nothing").status == 66)
    try FileManager.default.createDirectory(
      at: place.directory.file("empty"), withIntermediateDirectories: false)
    #expect(try place.run("pack", "list", "empty").status != 0)
    #expect(try place.run("pack", "install", "pack-1", "empty").status == 0)
    #expect(try json("pack", "list", "empty").count == 1)
  }

  @Test func `Stores and editions are kept apart`() throws {
    try place.build("1")
    for words in [["--store", "iBurn"], ["--edition", "2024"], ["--edition", "2025"]] {
      let result = try ToolProcess.run(
        words: ["pack", "install", "pack-1", "Festival.xcappdata"] + words,
        in: place.directory.url)
      #expect(result.status == 0, "\(result.errors)")
    }
    let editions = try json("pack", "list", "Festival.xcappdata").map { $0["edition"] as? String }
    #expect(editions == ["2024", "2025"])
    #expect(
      try json("pack", "list", "Festival.xcappdata", "--edition", "2024").count == 1)
    #expect(try json("pack", "list", "Festival.xcappdata", "--store", "iBurn").count == 1)
    #expect(try json("pack", "list", "Festival.xcappdata", "--store", "other").isEmpty)
  }

  // MARK: - Verifying and cleaning

  @Test func `Damage is found in a pack and in a container`() throws {
    try place.install("1")
    for path in ["pack-1", "Festival.xcappdata"] {
      let whole = try object("pack", "verify", path)
      #expect(whole["ok"] as? Bool == true)
      #expect((whole["problems"] as? [String])?.isEmpty == true)
    }
    let generation = try #require(
      try json("pack", "list", "Festival.xcappdata").first?["generation"] as? String)
    for folder in [
      place.directory.file("pack-1"), place.installed.appending(path: generation),
    ] {
      try Data("Version 1".utf8).write(to: folder.appending(path: "about.txt"))
    }
    for path in ["pack-1", "Festival.xcappdata"] {
      let result = try place.run("pack", "verify", path, "--json")
      #expect(result.status == 1)
      let problems = try #require(try result.objects.first?["problems"] as? [String])
      #expect(problems.count == 1 && problems[0].hasPrefix("'about.txt' has other content"))
    }
    try Data("{".utf8).write(
      to: place.installed.appending(path: generation).appending(path: "pack.json"))
    let unreadable = try place.run("pack", "verify", "Festival.xcappdata")
    #expect(unreadable.status == 1)
    #expect(unreadable.output.contains(generation))
    // A surplus file would be shipped for nothing.
    try FileManager.default.removeItem(at: place.directory.file("pack-1"))
    try place.build("1")
    try Data().write(to: place.directory.file("pack-1/notes.txt"))
    let surplus = try place.run("pack", "verify", "pack-1")
    #expect(surplus.status == 1)
    #expect(surplus.output.contains("'notes.txt' is not in the manifest."))
  }

  @Test func `A clean-up says what it removed and what it kept and why`() throws {
    for version in ["1", "1.1", "1.2"] { try place.install(version) }
    let leftover = place.installed.appending(path: ".installing-1-00000000~1")
    try FileManager.default.createDirectory(at: leftover, withIntermediateDirectories: false)
    try Data("mine".utf8).write(to: place.installed.appending(path: "notes.txt"))
    let lines = try json("pack", "clean", "Festival.xcappdata")
    let actions = Dictionary(
      uniqueKeysWithValues: lines.map {
        ($0["name"] as? String ?? "", $0["action"] as? String ?? "")
      })
    #expect(actions[leftover.lastPathComponent] == "removed")
    #expect(actions["notes.txt"] == "kept")
    #expect(!FileManager.default.fileExists(atPath: leftover.path))
    #expect(
      lines.allSatisfy { ($0["action"] as? String == "kept") == ($0["reason"] is String) })
    #expect(try place.run("pack", "verify", "Festival.xcappdata").status == 0)
  }

  // MARK: - Archives

  /// A backslash is a part of a name where there are slashes.
  @Test(arguments: ["", "map/", "my\\\\map/"])
  func `A pack is installed from an archive`(_ prefix: String) throws {
    try place.build("1")
    try place.archive(
      "pack.zip",
      "folder('pack-1', '\(prefix)'); z.writestr('__MACOSX/junk', b'x'); "
        + "z.writestr('../../escape.txt', b'x'); z.writestr('old\\\\pack.json', b'x')")
    let inspected = try object("pack", "inspect", "pack.zip")
    #expect(
      inspected["generation"] as? String == (try object("pack", "inspect", "pack-1"))["generation"]
        as? String)
    let report = try object("pack", "install", "pack.zip", "Festival.xcappdata")
    #expect(report["action"] as? String == "installed")
    #expect(try object("pack", "verify", "Festival.xcappdata")["ok"] as? Bool == true)
    #expect(try object("pack", "verify", "pack.zip")["ok"] as? Bool == true)
    #expect(!FileManager.default.fileExists(atPath: place.directory.file("escape.txt").path))
  }

  /// As .NET made them before version 4.6.1; the format demands slashes.
  @Test(arguments: ["", "map\\\\"])
  func `A pack is installed from an archive with backslashes`(_ prefix: String) throws {
    try place.build("1")
    try place.archive(
      "pack.zip",
      "[z.writestr('\(prefix)' + n.replace('/', chr(92)), open('pack-1/' + n, 'rb').read()) "
        + "for n in ('pack.json', 'about.txt', 'map.mbtiles', 'styles/light.json')]")
    let report = try object("pack", "install", "pack.zip", "Festival.xcappdata")
    #expect(report["action"] as? String == "installed")
    #expect(try object("pack", "verify", "Festival.xcappdata")["ok"] as? Bool == true)
  }

  @Test func `A damaged archive is refused and leaves nothing`() throws {
    try place.build("1")
    let cases: [(String, String)] = [
      ("folder('source')", "contains no pack"),
      ("z.write('pack-1/pack.json', 'pack.json')", "lacks 'about.txt'"),
      ("folder('pack-1', 'a/'); folder('pack-1', 'b/')", "contains several packs"),
      (
        "[z.write('pack-1/' + n, n) for n in ('pack.json', 'map.mbtiles', 'styles/light.json')]; "
          + "z.writestr('about.txt', b'0' * 100000)", "has 100000 bytes"
      ),
      (
        "[z.write('pack-1/' + n, n) for n in ('pack.json', 'map.mbtiles', 'styles/light.json')]; "
          + "z.writestr('about.txt', b'Version 1')", "about.txt"
      ),
      ("folder('pack-1'); folder('pack-1')", "twice"),
    ]
    for (script, reason) in cases {
      try place.archive("pack.zip", "import warnings; warnings.simplefilter('ignore'); " + script)
      let result = try place.run("pack", "install", "pack.zip", "Festival.xcappdata")
      #expect(result.status == 65, "\(script): \(result.errors)")
      #expect(result.complaint.first?.contains(reason) == true, "\(script): \(result.errors)")
      #expect(!result.errors.contains("feed"), "\(script): \(result.errors)")
      #expect(try json("pack", "list", "Festival.xcappdata").isEmpty)
    }
    for text in ["PK", "", "PK\u{3}\u{4} and no more"] {
      try Data(text.utf8).write(to: place.directory.file("pack.zip"))
      let result = try place.run("pack", "inspect", "pack.zip")
      #expect(result.status == 65)
      #expect(result.complaint.count == 2 && !result.errors.contains("feed"), "\(result.errors)")
    }
  }

  @Test func `An error with --json is one object`() throws {
    let result = try place.run("pack", "rollback", "Festival.xcappdata", "map", "--json")
    #expect(result.status == 66)
    #expect(result.output == "")
    let line = try #require(
      try JSONSerialization.jsonObject(with: Data(result.errors.utf8)) as? [String: Any])
    #expect(line["error"] as? String == "no_input")
    #expect(line["advice"] is String)
  }
}
