import Foundation
import Holdfast
import HoldfastTestSupport
import Testing

@testable import HoldfastTool

/// `docs/command-line.md`, compared with what the tool prints with `--json`.
@Suite struct CommandReferenceTests {
  let reference: CommandReference

  init() throws {
    reference = CommandReference(
      try String(
        contentsOf: PackageFolder.root.appending(path: "docs/command-line.md"), encoding: .utf8))
  }

  @Test func everyCommandHasASection() {
    let commands = CommandTree.holdfast.commands.map { $0.words.joined(separator: " ") }
    #expect(reference.commands.map(\.name).sorted() == commands.sorted())
    for command in reference.commands {
      #expect(!command.examples.isEmpty && !command.keys.isEmpty, "\(command.name)")
      let words = command.name.split(separator: " ").map(String.init)
      #expect(command.examples.allSatisfy { $0.starts(with: words) }, "\(command.name)")
    }
  }

  /// In the order of the page, because an example uses what those before it created.
  @Test(.timeLimit(.minutes(2))) func everyCommandPrintsTheKeysOfItsTable() throws {
    let place = try ReferencePlace()
    for command in reference.commands where command.name != "db watch" {
      var printed: Set<String> = []
      for words in command.examples {
        let result = try ToolProcess.run(words: words + ["--json"], in: place.folder)
        // 1 says that a check found problems, as some examples should.
        #expect([0, 1].contains(result.status), "\(words): \(result.errors)")
        for object in try result.objects { printed.formUnion(command.paths(in: object)) }
      }
      #expect(printed.sorted() == command.keys.sorted(), "\(command.name)")
    }
    let watch = try #require(reference.commands.first { $0.name == "db watch" })
    let start = try place.firstObject(of: watch.examples[0] + ["--json"])
    #expect(watch.paths(in: start).sorted() == watch.keys.sorted())
  }

  @Test func anErrorHasTheKeysOfItsTable() throws {
    let result = try ToolProcess.run("db", "nonsense", "--json")
    let object = try JSONSerialization.jsonObject(with: Data(result.errors.utf8))
    let keys = try #require(object as? [String: Any]).keys.sorted()
    #expect(reference.errorKeys.sorted() == keys)
    #expect(
      reference.codes == ExitCode.allCases.map { "\($0.rawValue) \($0.name)" })
  }

  @Test func everyKindOfFindingIsNamed() throws {
    let kinds = Finding.Kind.allCases
    for (severity, words) in [
      (Finding.Severity.error, "errors:"), (.warning, "warnings:"), (.note, "notes:"),
    ] {
      #expect(
        reference.names(after: "- \(words)")
          == kinds.filter { $0.severity == severity }.map(\.rawValue))
    }
  }
}

/// The sections of `docs/command-line.md`.
struct CommandReference {
  struct Command {
    /// The words after `holdfast`.
    var name: String
    /// The words after `holdfast` of each call in the section.
    var examples: [[String]]
    /// The keys in the section's table: `legs.type` is one of the objects in `legs`, and `rows.*` any in `rows`.
    var keys: Set<String>

    /// The keys of an object, as the table spells them.
    func paths(in object: [String: Any], below parent: String = "") -> Set<String> {
      var paths: Set<String> = []
      for (key, value) in object {
        let path = keys.contains(parent + "*") ? parent + "*" : parent + key
        paths.insert(path)
        if path.hasSuffix("*") { continue }
        for inner in (value as? [Any] ?? [value]).compactMap({ $0 as? [String: Any] }) {
          paths.formUnion(self.paths(in: inner, below: path + "."))
        }
      }
      return paths
    }
  }

  private let text: String
  let commands: [Command]

  init(_ text: String) {
    self.text = text
    commands = Self.sections(of: text, at: "### `").map { section in
      let name = section.prefix { $0 != "`" }
      return Command(
        name: String(name),
        examples: MarkdownBlock.all(in: section).flatMap {
          ShellLine.callsOfTheTool(in: $0.lines.joined(separator: "\n"))
        },
        keys: Set(Self.keys(in: section)))
    }
  }

  /// The keys of an error.
  var errorKeys: [String] { Self.keys(in: errors) }

  /// The exit codes with their names.
  var codes: [String] {
    errors.matches(of: /(?m)^\| (\d+) \| `(\w+)` \|/).map { "\($0.1) \($0.2)" }
  }

  private var errors: String {
    Self.sections(of: text, at: "## ").first { $0.hasPrefix("Errors\n") } ?? ""
  }

  /// The names in an item of a list.
  func names(after words: String) -> [String] {
    guard let start = text.firstRange(of: words)?.upperBound else { return [] }
    let item = text[start...].prefix { $0 != ";" && $0 != "." }
    return item.matches(of: /`(\w+)`/).map { String($0.1) }
  }

  /// The parts that begin with a heading, each without its beginning and up to the next heading of any level.
  private static func sections(of text: String, at heading: String) -> [String] {
    text.components(separatedBy: "\n" + heading).dropFirst().map { part in
      part.components(separatedBy: "\n#")[0]
    }
  }

  /// The names in the first column of the tables that begin with one.
  private static func keys(in section: String) -> [String] {
    section.split(separator: "\n").filter { $0.hasPrefix("| `") }.flatMap { row in
      row.dropFirst(2).prefix { $0 != "|" }.matches(of: /`([\w.*]+)`/).map { String($0.1) }
    }
  }
}

/// The files that the examples of the page use.
private struct ReferencePlace {
  private let place: Workplace
  /// A reader of `app.db`, which holds a lock.
  private let reader: DatabaseSnapshot

  var folder: URL { place.folder }

  init() throws {
    place = try Workplace()
    // The first example creates it.
    try FileManager.default.removeItem(at: place.directory.file("harbour.db"))
    try FileManager.default.createSymbolicLink(
      at: place.directory.file("Samples"),
      withDestinationURL: PackageFolder.root.appending(path: "Samples"))
    try place.writeFeed("draft", ["stops.txt": "stop_id,stop_name,stop_lat,stop_lon\nS1,,1,1\n"])
    try MapExample.write(to: place.folder)
    try FileManager.default.createDirectory(
      at: place.directory.file("Festival.xcappdata/AppData/Documents"),
      withIntermediateDirectories: true)
    try Self.writeAudiobooks(to: place.directory.file("Audiobooks.xcappdata"))
    reader = try Self.writeApp(to: place.directory.file("app.db"))
  }

  /// A container with a file that moved, one without a record, and an absolute path.
  private static func writeAudiobooks(to folder: URL) throws {
    try ContainerExample.write(to: folder)
    try FileManager.default.createDirectory(
      at: folder.appending(path: "AppData/Library/Caches"), withIntermediateDirectories: true)
    let documents = folder.appending(path: "AppData/Documents")
    for file in ["pier.m4b", "left.m4b"] {
      try Data("sound".utf8).write(to: documents.appending(path: "downloads/\(file)"))
    }
    let queue = try DatabaseQueue(path: documents.appending(path: "app.sqlite").path)
    try queue.write { db in
      try db.execute(
        sql: "INSERT INTO local_audio_file_downloads VALUES ('2', 1, 'C:downloads/pier.m4b', 1, 1)")
    }
    try queue.close()
    try Data(#"{"last": "\#(ContainerCopy.device)/Documents/downloads/quay.m4b"}"#.utf8)
      .write(to: documents.appending(path: "settings.json"))
  }

  /// A database with a history and a write-ahead log.
  private static func writeApp(to file: URL) throws -> DatabaseSnapshot {
    var configuration = Configuration()
    configuration.historyAuthor = "app"
    let pool = try DatabasePool(path: file.path, configuration: configuration)
    try pool.write { db in
      try db.execute(sql: "CREATE TABLE stop (id INTEGER PRIMARY KEY, name TEXT)")
      try ChangeHistory.install(on: db, tables: ["stop"])
      try db.execute(sql: "INSERT INTO stop (name) VALUES ('Quay'), ('Pier')")
    }
    let snapshot = try pool.makeSnapshot()
    // A lock of the snapshot shows only when it has read.
    _ = try snapshot.read { db in try Int.fetchOne(db, sql: "SELECT count(*) FROM stop") }
    return snapshot
  }

  /// Runs the tool up to its first line, and interrupts it.
  func firstObject(of words: [String]) throws -> [String: Any] {
    let (process, pipe) = (Process(), Pipe())
    process.executableURL = ToolProcess.executable
    process.arguments = words
    process.currentDirectoryURL = folder
    process.standardOutput = pipe
    process.standardError = FileHandle.nullDevice
    try process.run()
    try pipe.fileHandleForWriting.close()
    var line = Data()
    while let byte = try pipe.fileHandleForReading.read(upToCount: 1), byte != Data("\n".utf8) {
      line += byte
    }
    process.terminate()
    process.waitUntilExit()
    return try #require(try JSONSerialization.jsonObject(with: line) as? [String: Any])
  }
}
